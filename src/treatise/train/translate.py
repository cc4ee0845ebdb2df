"""Translates the units of a treebank by a chat model; its trees stay unchanged.

This is DISRetrieval's way to a new language (section 3.1.1): no treebank of that language is needed. Results go to
three append-only files, so a stopped run resumes and no call is repeated.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Final

from treatise.core.errors import DataError, EngineError, ModelReplyError
from treatise.core.note import CallOutcome
from treatise.core.ports import LanguageModel, Reply
from treatise.llm.budget import Spending
from treatise.llm.json_reply import json_list
from treatise.llm.prompts import prompt
from treatise.llm.request import Request, Schema, conversation
from treatise.llm.runner import LlmRunner
from treatise.parse.rows import TreeRow, json_line, list_of, numbered, read_object, read_row, strings, write_row

PROMPT_VERSION: Final = 1
PROMPT: Final = f"translate-{PROMPT_VERSION}"
"""Name of the prompt's file; part of the cache's key."""

_SCHEMA: Final[Schema] = {
    "type": "object",
    "properties": {"units": {"type": "array", "items": {"type": "string"}}},
    "required": ["units"],
    "additionalProperties": False,
}

Batch = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TranslateOptions:
    """How to translate.

    Attributes:
        lang: ISO 639-1 code of the language to translate into.
        batch_units: Maximum units per call; they provide context for each other.
        max_tokens: Longest reply.
    """

    lang: str
    batch_units: int = 30
    max_tokens: int = 4096


@dataclass(frozen=True, slots=True)
class TranslateReport:
    """The result of a run.

    Attributes:
        n_translated: Documents added to the output.
        n_there: Documents translated by earlier runs.
        n_failed: Documents left out; the file of failures has the reasons.
        n_calls: Calls sent.
        n_cached: Calls saved by the cache.
    """

    n_translated: int = 0
    n_there: int = 0
    n_failed: int = 0
    n_calls: int = 0
    n_cached: int = 0


def translate_treebank(
    lines: Iterable[str], output: Path, model: LanguageModel, options: TranslateOptions, *, source: str = "-"
) -> TranslateReport:
    """Translates a treebank's rows into ``output``, one JSON line per document, in the order of completion.

    A document's id gets the language as a suffix; its tree and its sentences stay as they are. Documents already in
    ``output`` are skipped. Accepted replies are kept in ``<output>.cache``, keyed by texts, language, model and prompt.
    A document with a failed reply is left out, with the reason in ``<output>.failures``; the next run retries it.

    Args:
        lines: The treebank, one row per line.
        output: Appended to; a partial line of a stopped run is removed.
        model: The translator.
        options: Language and sizes.
        source: The treebank's name, for errors.

    Raises:
        DataError: If a line of the treebank is not of the documented form.
        TreeError: If a row's tree is invalid.
    """
    there = set(_ids(output))
    cache = _Cache(output.with_name(output.name + ".cache"), f"{model.name}/{PROMPT}/{options.lang}")
    runner = LlmRunner(model, cache=cache)
    report = TranslateReport()
    with output.open("a", encoding="utf-8") as out:
        for line, where in numbered(lines, source):
            row = read_row(line, where)
            name = f"{row.text.id}_{options.lang.upper()}"
            if name in there:
                report = replace(report, n_there=report.n_there + 1)
                continue
            batches = _batches(row.text.units, options.batch_units)
            before = runner.spending.copy()
            found = _translate(batches, runner, options, cache)
            errors = _errors(found)
            report = _count(
                report, runner.spending.since(before), n_repeated=len(batches) - len(set(batches)), failed=bool(errors)
            )
            if errors:
                _append(output.with_name(output.name + ".failures"), {"id": row.text.id, "errors": errors})
            else:
                units = iter([unit for texts in found if not isinstance(texts, EngineError) for unit in texts])
                out.write(write_row(_translated(row, name, options.lang, units)) + "\n")
                out.flush()
    return report


def read_reply(reply: Reply, batch: Batch) -> Batch:
    """The translations of a batch in a model's reply.

    Raises:
        ModelReplyError: If it is not ``{"units": [...]}`` with as many texts as the batch, or a text is blank but its
            unit is not.
    """
    units = json_list(reply, "units")
    if not list_of(units, str) or len(units) != len(batch):
        raise ModelReplyError(f"expected {len(batch)} texts, found {units!r:.80}")
    translated = tuple(unit.strip() for unit in units)
    for asked, unit in zip(batch, translated, strict=True):
        if asked.strip() and not unit:
            raise ModelReplyError(f"the translation of {asked!r:.80} is blank")
    return translated


class _Cache:
    """A ``CallCache`` of accepted replies in an append-only file.

    The key is a hash of the whole batch, not of a unit: translations depend on the neighbouring units.
    """

    def __init__(self, path: Path, made_by: str) -> None:
        self._path = path
        self._made_by = made_by
        self._units: dict[str, Batch] = {}
        for line, where in numbered(_whole_lines(path), str(path)):
            row = read_object(line, where)
            units = row.get("units")
            if not list_of(units, str):
                raise DataError(f"{where}: not a cache of translations; remove the file to begin again")
            self._units[strings(row, ["key"], where)[0]] = tuple(units)

    def finished(self, keys: Sequence[str]) -> dict[str, CallOutcome]:
        """See ``CallCache.finished``."""
        return {key: CallOutcome(self._units[key], 0, 0) for key in keys if key in self._units}

    def save(self, key: str, outcome: CallOutcome) -> None:
        """Keeps a batch's translations; a rejected reply is requested again by the next run."""
        if outcome.texts:
            self._units[key] = outcome.texts
            _append(self._path, {"key": key, "units": outcome.texts})

    def key(self, batch: Batch) -> str:
        """A hash of model, prompt, language and batch."""
        parts = json.dumps([self._made_by, batch])
        return hashlib.sha256(parts.encode()).hexdigest()


def _batches(units: Sequence[str], size: int) -> list[Batch]:
    """The units in batches of at most ``size``, of nearly equal length."""
    n_batches = -(-len(units) // size)
    edges = [len(units) * i // n_batches for i in range(n_batches + 1)]
    return [tuple(units[start:end]) for start, end in pairwise(edges)]


def _translate(
    batches: Sequence[Batch], runner: LlmRunner, options: TranslateOptions, cache: _Cache
) -> list[Batch | EngineError]:
    """The translation of each batch, or the error in place of it."""
    requests = [_request(batch, options, cache.key(batch)) for batch in batches]
    found = runner.attempt(requests)
    return [found[request.key] for request in requests]


def _request(batch: Batch, options: TranslateOptions, key: str) -> Request:
    rules = prompt("treatise.train", "translate", PROMPT_VERSION).replace("{lang}", options.lang)
    messages = conversation(rules, json_line({"units": batch}))
    return Request(key, messages, options.max_tokens, partial(_read_batch, batch), _SCHEMA)


def _read_batch(batch: Batch, reply: Reply) -> Batch:
    return read_reply(reply, batch)


def _errors(found: Sequence[Batch | EngineError]) -> list[str]:
    numbered_errors = enumerate(found, start=1)
    return [f"batch {i} of {len(found)}: {one}" for i, one in numbered_errors if isinstance(one, EngineError)]


def _translated(row: TreeRow, name: str, lang: str, units: Iterator[str]) -> TreeRow:
    paragraphs = tuple(tuple(islice(units, len(paragraph))) for paragraph in row.text.paragraphs)
    return replace(row, text=replace(row.text, id=name, lang=lang, paragraphs=paragraphs))


def _count(report: TranslateReport, spent: Spending, *, n_repeated: int, failed: bool) -> TranslateReport:
    return replace(
        report,
        n_translated=report.n_translated + (not failed),
        n_failed=report.n_failed + failed,
        n_calls=report.n_calls + spent.n_calls,
        n_cached=report.n_cached + spent.n_reused + n_repeated,
    )


def _ids(output: Path) -> Iterator[str]:
    """The ids of the documents already written."""
    for line, where in numbered(_whole_lines(output), str(output)):
        yield from strings(read_object(line, where), ["id"], where)


def _whole_lines(path: Path) -> list[str]:
    """The lines of an append-only file; an incomplete last line, left by a stopped run, is removed from the file."""
    if not path.exists():
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        with path.open("r+b") as out:
            out.truncate(len(whole))
    return whole.decode("utf-8").split("\n")[:-1]


def _append(path: Path, row: dict[str, object]) -> None:
    with path.open("a", encoding="utf-8") as out:
        out.write(json_line(row) + "\n")
