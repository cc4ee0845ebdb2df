"""Servers that misbehave, disks that are full, stores that are locked, texts out of all proportion."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders import make_document
from tests.engines.conftest import QUICK_RETRY, Answer, Respond, Server, serve  # noqa: F401  (a fixture)
from tests.enhance.models import SENTENCES, condense, condensing
from treatise.core.errors import EngineUnavailableError, PromptRefusedError, StoreBusyError, StoreUnwritableError
from treatise.core.note import Origin
from treatise.core.ports import Message
from treatise.core.recipe import Balanced, EncodedNotes, Indexing, Notes, Summaries
from treatise.engines.openai_chat import OpenAIChat
from treatise.engines.openai_client import Endpoint
from treatise.enhance import NoteRequest, write_notes
from treatise.llm.cache import MemoryCache
from treatise.llm.runner import LlmRunner
from treatise.pipeline.index import index_document
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder, ScriptedModel
from treatise.tree import bisection

Serve = Callable[[Respond], Server]

LLM = Notes(Summaries.LLM, max_words=60)
EIGHT = NoteRequest(bisection(8), SENTENCES[:8])
THIRD = SENTENCES[4]


def said(request: dict[str, Any]) -> Answer:
    text = condense([Message(turn["role"], turn["content"]) for turn in request["messages"]])
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return Answer({"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}})


def over(server: Server, **options: Any) -> OpenAIChat:
    return OpenAIChat(Endpoint(server.url, "m", **{"timeout_s": 2.0, "max_retries": 2, **options}))


def failing_once(bad: Answer) -> Respond:
    """Fails the first request about the third pair; everything else it answers."""
    failed: list[str] = []

    def respond(_: str, request: dict[str, Any]) -> Answer:
        if THIRD in json.dumps(request, ensure_ascii=False) and not failed:
            failed.append("once")
            return bad
        return said(request)

    return respond


TROUBLES = {
    "429": Answer({"error": {"message": "slow down"}}, status=429, headers=QUICK_RETRY),
    "500": Answer({"error": {"message": "oops"}}, status=500, headers=QUICK_RETRY),
    "dies mid-stream": Answer({"choices": "x" * 2_000}, die=True),
    "half JSON": Answer(b'{"choices": [{"mess'),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_trouble_that_passes_leaves_no_trace(serve: Serve, trouble: str) -> None:  # noqa: F811
    writer = LlmRunner(over(serve(failing_once(TROUBLES[trouble]))))
    (notes,) = write_notes([EIGHT], LLM, writer)
    assert [n.text for n in notes] == [n.text for n in write_notes([EIGHT], LLM, LlmRunner(condensing()))[0]]


@pytest.mark.parametrize("trouble", ["429", "500", "hang", "dies mid-stream"])
def test_trouble_that_stays_stops_the_run_and_loses_nothing_finished(serve: Serve, trouble: str) -> None:  # noqa: F811
    bad = TROUBLES.get(trouble, Answer(hang=True))
    server = serve(lambda _, request: bad if THIRD in json.dumps(request) else said(request))
    cache = MemoryCache()
    with pytest.raises(EngineUnavailableError, match=r"http://127\.0\.0\.1"):
        write_notes([EIGHT], LLM, LlmRunner(over(server, timeout_s=0.5, max_retries=1), cache=cache))
    n_before = len(server.requests)
    server.respond = lambda _, request: said(request)
    writer = LlmRunner(over(server), cache=cache)
    (notes,) = write_notes([EIGHT], LLM, writer)
    assert {note.origin for note in notes} == {Origin.LEAF, Origin.SUMMARY}
    assert writer.spending.n_reused == 3
    assert len(server.requests) == n_before + 4


def test_a_full_disk_stops_the_run_and_keeps_what_was_finished(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as store:
        (n_pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {n_pages + 1}")
        long = NoteRequest(
            bisection(200), [f"{i} " + " ".join(map(str, range(i * 1000, i * 1000 + 60))) for i in range(200)]
        )
        with pytest.raises(StoreUnwritableError, match="no room"):
            write_notes([long], LLM, LlmRunner(condensing(), cache=store))
        (n_kept,) = store._connection.execute("SELECT count(*) FROM calls").fetchone()
        store._connection.execute("PRAGMA max_page_count = 100000")
        writer = LlmRunner(condensing(), cache=store)
        write_notes([long], LLM, writer)
        assert writer.spending.n_reused == n_kept > 0


def test_a_store_that_is_locked_half_way_is_named_and_nothing_kept_is_lost(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db", busy_timeout_s=0.05) as store:
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)

        def locking(conversation: Sequence[Message]) -> str:
            if THIRD in conversation[1].content:
                other.execute("BEGIN IMMEDIATE")
            return condense(conversation)

        with pytest.raises(StoreBusyError, match="another process"):
            write_notes([EIGHT], LLM, LlmRunner(ScriptedModel(locking), cache=store))
        other.execute("ROLLBACK")
        other.close()
        writer = LlmRunner(condensing(), cache=store)
        write_notes([EIGHT], LLM, writer)
        assert (writer.spending.n_reused, writer.spending.n_calls) == (2, 5)


@pytest.mark.parametrize("indexing", [
    Indexing(tree=Balanced(), notes=LLM, node_vectors=EncodedNotes()),
    Indexing(tree=Balanced(), notes=Notes(Summaries.NUCLEUS), node_vectors=EncodedNotes()),
])  # fmt: skip
def test_a_paragraph_of_fifty_thousand_words_and_a_sentence_as_long_are_indexed(indexing: Indexing) -> None:
    sentences = [f"{SENTENCES[i % 40]} Again {i}." for i in range(4_000)]
    document = make_document([sentences, ["word " * 50_000 + "end."], SENTENCES[:3]])
    indexed = index_document(document, indexing, encoder=HashingEncoder(16), runner=LlmRunner(condensing()))
    assert len(indexed.notes) == len(indexed.tree.nodes) == 2 * 4_004 - 1
    assert np.isfinite(indexed.vectors.astype(np.float32)).all()


REFUSED = Answer({"error": {"message": "this text is against our rules"}}, status=400)


def test_a_sentence_that_the_server_refuses_costs_its_node_and_what_is_above(serve: Serve) -> None:  # noqa: F811
    server = serve(lambda _, request: REFUSED if THIRD in request["messages"][1]["content"] else said(request))
    cache = MemoryCache()
    for n_requests in (4 + 3 * 2, 0):
        before = len(server.requests)
        (notes,) = write_notes([EIGHT], LLM, LlmRunner(over(server), cache=cache))
        assert [note.rejection_reason for note in notes if note.origin is Origin.REJECTED] == [
            "refused by the server"
        ] * 3
        assert sum(note.origin is Origin.SUMMARY for note in notes) == 4
        assert len(server.requests) - before == n_requests


def test_a_server_that_refuses_every_prompt_stops_the_run_with_its_reason(serve: Serve) -> None:  # noqa: F811
    server = serve(lambda _, request: REFUSED)
    cache = MemoryCache()
    with pytest.raises(PromptRefusedError, match="against our rules"):
        write_notes([EIGHT], LLM, LlmRunner(over(server), cache=cache))
    assert len(server.requests) == 4
    server.respond = lambda _, request: said(request)
    (notes,) = write_notes([EIGHT], LLM, LlmRunner(over(server), cache=cache))
    assert {note.origin for note in notes} == {Origin.LEAF, Origin.SUMMARY}
