"""Fuzzing: mutated files of every format, settings, lines of JSON, replies of models and filters.

Every input must end in a document or a deliberate error, within bounds of time. `--seconds` is shared by all targets.
With atheris installed, `python -m benchmarks.harden.fuzz_guided FORMAT` searches by coverage for one format.
"""

import io
import json
import random
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.harden.campaign import Campaign
from tests.ingest.markup import TABLES
from tests.ingest.samples import SAMPLES
from treatise.core.errors import TreatiseError
from treatise.core.where import parse_filter
from treatise.engines.openai_chat import read_completion
from treatise.ingest import Limits, read_bytes
from treatise.ingest.formats import FORMATS
from treatise.llm.json_reply import json_object, parse_json
from treatise.parse.rows import numbered, read_text
from treatise.settings import load_settings
from treatise.store import SqliteStore
from treatise.store.corpus_file import CorpusFile, CorpusFileError
from treatise.testing import sample_indexed

MAX_SECONDS: Final = 30.0
LIMITS: Final = Limits(max_unpacked_bytes=64 * 2**20, max_text_chars=8 * 2**20)
_TOKENS: Final = (
    b"<", b">", b"&#0;", b"\0", b"\xff", b"\r\n", b"{", b"}", b"[", b"]", b'"', b"\\", b"=" * 99, b"\x1b[2J",
    b"9" * 20, b"-1", b"../", b"<!DOCTYPE a [", b"]]>", "\u202e".encode(), b"PK\x03\x04", b"%PDF-", b"\xed\xa0\x80",
)  # fmt: skip


def mutated(data: bytes, choices: random.Random) -> bytes:
    """Bytes with up to eight changes; the members of an archive are changed one by one, and packed again."""
    if data[:4] == b"PK\x03\x04" and choices.random() < 0.8:
        return _mutated_archive(data, choices)
    found = bytearray(data)
    for _ in range(choices.randrange(1, 9)):
        _change(found, choices)
    return bytes(found)


def _change(data: bytearray, choices: random.Random) -> None:
    at = choices.randrange(len(data) + 1)
    end = min(len(data), at + choices.choice((1, 2, 8, 64, 512)))
    match choices.randrange(6):
        case 0:
            del data[at:end]
        case 1:
            data[at:at] = data[at:end] * choices.choice((1, 2, 50))
        case 2:
            data[at:at] = choices.choice(_TOKENS)
        case 3:
            data[at:end] = choices.randbytes(end - at)
        case 4 if end > at:
            data[at] ^= 1 << choices.randrange(8)
        case _:
            other = choices.randrange(len(data) + 1)
            data[at:at] = data[other : other + 64]


def _mutated_archive(data: bytes, choices: random.Random) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after:
        names = before.namelist()
        chosen = choices.choice(names)
        for name in names:
            content = bytearray(before.read(name))
            if name == chosen:
                for _ in range(choices.randrange(1, 9)):
                    _change(content, choices)
            after.writestr(name, bytes(content))
    return out.getvalue()


def _file(format_name: str) -> Callable[[bytes], object]:
    name = f"a{FORMATS[format_name].suffixes[0]}"
    return lambda data: read_bytes(data, name=name, format=format_name, limits=LIMITS)


def _settings(data: bytes) -> object:
    name, _, value = data.decode("utf-8", "replace").replace("\0", "").partition("=")
    return load_settings(environment={f"TREATISE_{name}": value})


def _completion(data: bytes) -> object:
    try:
        body = parse_json(data.decode("utf-8", "replace"))
    except ValueError:  # as documented; the client turns it into an error that names the server
        return None
    return json_object(read_completion(body, "server"))


def _filter(data: bytes) -> object:
    return parse_filter(data.decode("utf-8", "replace"))


def _rows_to_parse(data: bytes) -> object:
    return [read_text(line, where) for line, where in numbered(data.decode("utf-8", "replace").splitlines(), "-")]


def _side_file(data: bytes) -> object:
    """The index over all documents, opened and read whole; an unusable one is made again by its caller."""
    with tempfile.TemporaryDirectory() as folder:
        (path := Path(folder) / "a.corpus").write_bytes(data)
        try:
            return [np.array(array) for block in CorpusFile.open(path, "key").blocks for array in block.values()]
        except CorpusFileError:
            return None


def _made_side_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        block = {"ids": np.array([b"a", b"bc"]), "starts": np.arange(3), "codes": np.zeros((3, 2), dtype=np.uint64)}
        CorpusFile.create(path := Path(folder) / "a.corpus", "key", [block]).append(block)
        return path.read_bytes()


def _library(data: bytes) -> object:
    """A library file: listed, read and checked."""
    with tempfile.TemporaryDirectory() as folder:
        (path := Path(folder) / "library.db").write_bytes(data)
        with SqliteStore(path) as store:
            store.check()
            return [store.get(entry.id, key) for entry in store.entries() for key in entry.index_keys]


def _made_library() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        with SqliteStore(Path(folder) / "whole.db") as store:
            store.put(sample_indexed(1), index_key="k", state=None)
            store.export(path := Path(folder) / "library.db")
        return path.read_bytes()


TARGETS: Final[dict[str, tuple[bytes, Callable[[bytes], object]]]] = {
    **{name: (SAMPLES[name], _file(name)) for name in FORMATS},
    **{f"tables of {name}": (data, _file(name)) for name, data in TABLES.items()},
    "settings": (b"BUDGET=300", _settings),
    "filters": (b'year >= 2020 and (type = \'report\' or not tag in ("a", "b")) and title contains "x"', _filter),
    "lines to parse": (
        b'{"id": "1", "lang": "en", "level": "sentence", "paragraphs": [["One.", "Two."]]}\n',
        _rows_to_parse,
    ),
    "side files": (_made_side_file(), _side_file),
    "libraries": (_made_library(), _library),
    "replies": (json.dumps({"choices": [{"message": {"content": '{"a": [1]}'}}], "usage": {}}).encode(), _completion),
}


def run(campaign: Campaign) -> None:
    choices = random.Random(campaign.seed)
    while campaign.goes_on:
        name = choices.choice(list(TARGETS))
        sample, target = TARGETS[name]
        data = mutated(sample, choices)
        started = time.process_time()
        try:
            target(data)
            campaign.count("read")
        except TreatiseError:
            campaign.count("refused")
        except Exception as error:
            campaign.fault(f"{name}: {type(error).__name__}: {error}: {data[:200]!r}")
        if (spent := time.process_time() - started) > MAX_SECONDS:
            campaign.fault(f"{name}: {spent:.0f} s: {data[:200]!r}")
        campaign.count("inputs")
