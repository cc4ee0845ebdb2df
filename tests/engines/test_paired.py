"""Questions and passages by two encoders, from folders or URLs, or by one behind prefixes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders import make_document
from treatise.compose import open_encoder
from treatise.core.document import Span
from treatise.core.errors import SettingsError
from treatise.engines.paired import PairedEncoder
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import FLAT_SENTENCE
from treatise.settings import Settings
from treatise.testing import HashingEncoder, check_encoder

from .conftest import Answer, Respond, Server

Serve = Callable[[Respond], Server]


class Shouting(HashingEncoder):
    """Reads every text as if it stood in capitals: another encoder of the same space."""

    def encode(self, texts, progress=None):
        return super().encode([f"{text} QUESTION" for text in texts], progress)


def test_it_keeps_the_contract() -> None:
    check_encoder(lambda: PairedEncoder(HashingEncoder(32), Shouting(32)))
    check_encoder(lambda: PairedEncoder(HashingEncoder(32, reads_context=True), Shouting(32)))


def test_questions_go_to_the_one_and_passages_to_the_other() -> None:
    passages, questions = HashingEncoder(32), Shouting(32)
    paired = PairedEncoder(passages, questions, passage_prefix="passage: ", question_prefix="query: ")
    assert np.array_equal(paired.encode(["tea"]), passages.encode(["passage: tea"]))
    assert np.array_equal(paired.encode_questions(["tea"]), questions.encode(["query: tea"]))
    assert np.array_equal(paired.encode_in_context(["a tea"], [[Span(2, 5)]]), passages.encode(["passage: tea"]))
    reading = PairedEncoder(HashingEncoder(32, reads_context=True), questions, passage_prefix="passage: ")
    assert not reading.reads_context
    assert np.array_equal(questions.encode_questions(["tea"]), questions.encode(["tea"]))  # one that reads both


def test_retrieval_asks_with_the_question_encoder() -> None:
    class OnlyTea(HashingEncoder):
        def encode(self, texts, progress=None):
            return super().encode(["The tea is green."] * len(texts), progress)

    document = make_document([["The sea is blue.", "The tea is green."]])
    paired = PairedEncoder(HashingEncoder(64), OnlyTea(64))
    indexed = index_document(document, FLAT_SENTENCE.indexing, encoder=paired)
    found = retrieve([indexed], "The sea is blue.", FLAT_SENTENCE, encoder=paired, max_words=4)
    assert [passage.text for passage in found.passages] == ["The tea is green."]


def test_a_cache_keeps_questions_and_passages_apart(tmp_path: Path) -> None:
    paired = PairedEncoder(HashingEncoder(32), Shouting(32))
    cached = CachedEncoder(paired, tmp_path / "v.db")
    assert np.array_equal(cached.encode(["tea"]), paired.encode(["tea"]))
    assert np.array_equal(cached.encode_questions(["tea"]), paired.encode_questions(["tea"]))
    cached.close()


def test_vectors_of_two_lengths_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"length 16.*length 32.*trained together"):
        PairedEncoder(HashingEncoder(32), HashingEncoder(16))


def by_model(asked: list[str]) -> Respond:
    def respond(path: str, request: dict[str, Any]) -> Answer:
        asked.append(request["model"])
        encoder = Shouting(16) if request["model"] == "questions" else HashingEncoder(16)
        rows = encoder.encode(request["input"])
        return Answer({"data": [{"index": i, "embedding": row.tolist()} for i, row in enumerate(rows)]})

    return respond


def test_a_pair_of_urls(serve: Serve) -> None:
    asked: list[str] = []
    server = serve(by_model(asked))
    settings = Settings(
        encoder=server.url, encoder_model="passages", question_encoder=server.url, question_encoder_model="questions"
    )
    paired = open_encoder(settings=settings)
    assert np.allclose(paired.encode_questions(["tea"]), Shouting(16).encode(["tea"]), atol=1e-5)
    assert np.allclose(paired.encode(["tea"]), HashingEncoder(16).encode(["tea"]), atol=1e-5)
    assert asked[-2:] == ["questions", "passages"]


def test_a_pair_of_folders(tmp_path: Path) -> None:
    built_in = Path(open_encoder.__code__.co_filename).parents[1] / "models" / "treatise-en"
    folder = tmp_path / "questions"
    folder.mkdir()
    for file in built_in.iterdir():
        (folder / file.name).symlink_to(file)
    (folder / "encoder.json").unlink()
    (folder / "SHA256SUMS").unlink()  # the folder is another model
    config = json.loads((built_in / "encoder.json").read_text()) | {"name": "questions"}
    (folder / "encoder.json").write_text(json.dumps(config))
    paired = open_encoder(str(built_in), Settings(question_encoder=str(folder), threads=1))
    assert "questions" in paired.name
    assert paired.name != open_encoder(str(built_in), Settings(threads=1)).name
    assert paired.encode_questions(["tea"]).shape == (1, paired.dim)


def test_prefixes_alone_make_a_pair_of_one_encoder() -> None:
    paired = open_encoder(settings=Settings(question_prefix="query: ", threads=1))
    plain = open_encoder(settings=Settings(threads=1))
    assert np.allclose(paired.encode_questions(["tea"]), plain.encode(["query: tea"]), atol=1e-3)
