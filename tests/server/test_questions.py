"""Questions over HTTP: the JSON of the command line, whole and as a stream."""

import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from treatise.core.evidence import Evidence
from treatise.pipeline.query import AnswerListener
from treatise.records import answer_record
from treatise.server import schemas
from treatise.server.asking import Asking, AskRequest
from treatise.server.keys import LOCAL
from treatise.server.replies import public
from treatise.store import SqliteStore
from treatise.testing import ScriptedModel

QUESTION = "Water boils at how many degrees?"


def events(text: str) -> list[tuple[str, Any]]:
    """The events of a stream, as a browser reads them."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if "event" in fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


def test_an_answer_is_that_of_the_library(shared: Any) -> None:
    reply = shared.client.post("/api/v1/ask", json={"question": QUESTION}).json()
    library = shared.services.library()
    answer = library.ask(QUESTION)
    record = public(answer_record(answer, {one.id: library.document(one.id) for one in library.documents()}))
    assert {**reply, "usage": None} == {**json.loads(json.dumps(record)), "usage": None}
    assert reply["citations"][0]["source"] == "tea.md"
    schemas.AnswerReply.model_validate(reply)


def test_a_stream_has_evidence_then_statements_then_the_answer(shared: Any) -> None:
    whole = shared.client.post("/api/v1/ask", json={"question": QUESTION}).json()
    reply = shared.client.post("/api/v1/ask/stream", json={"question": QUESTION})
    assert reply.headers["content-type"].startswith("text/event-stream")
    found = events(reply.text)
    names = [name for name, _ in found]
    assert names == ["evidence", *["statement"] * len(whole["statements"]), "answer"]
    assert found[0][1]["evidence"] == whole["evidence"]
    assert [data["text"] for name, data in found if name == "statement"] == [one["text"] for one in whole["statements"]]
    assert {**found[-1][1], "usage": None} == {**whole, "usage": None}


def test_a_question_that_fails_in_a_stream_is_a_problem_event(shared: Any) -> None:
    reply = shared.client.post("/api/v1/ask/stream", json={"question": " ", "documents": []})
    assert [(name, data["status"]) for name, data in events(reply.text)] == [("problem", 422)]


def test_an_empty_library_says_to_upload(start: Any) -> None:
    reply = start().client.post("/api/v1/ask", json={"question": QUESTION})
    assert reply.status_code == 422
    assert reply.json()["type"] == "urn:treatise:problem:no-documents"
    assert "POST /api/v1/documents" in reply.json()["detail"]


class _Removing(AnswerListener):
    """Removes every document as another process does, once the passages are found."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def evidence(self, evidence: Evidence) -> None:
        with SqliteStore(self._path) as store:
            for id_ in {one.document for one in evidence.passages}:
                store.remove(id_)


def test_a_document_that_another_process_removes_meanwhile_is_still_cited(start: Any, tmp_path: Path) -> None:
    server = start()
    document = server.index("tea.md", "# Tea\n\nWater boils at 100 degrees.\n")
    asked = AskRequest.model_validate({"question": QUESTION})
    record = Asking(server.services, LOCAL).answer(asked, _Removing(tmp_path / "library.db"))
    assert [one["document"] for one in record["citations"]] == [document]
    assert server.client.get("/api/v1/documents").json()["documents"] == []


def test_a_search_has_passages_within_the_budget(shared: Any, ids: dict[str, str]) -> None:
    asked = {"question": QUESTION, "documents": [ids["coffee.txt"]], "max_words": 8}
    reply = shared.client.post("/api/v1/search", json=asked).json()
    assert {one["document"] for one in reply["evidence"]} == {ids["coffee.txt"]}
    assert len(reply["context"].split()) == 8
    schemas.SearchReply.model_validate(reply)


def test_a_summary_cites_its_document(start: Any) -> None:
    server = start()
    document = server.index("tea.txt", "Tea is served hot. Water boils at 100 degrees. " * 5)
    asked = {"document": document, "recipe": "treatise", "max_words": 20}
    reply = server.client.post("/api/v1/summarize", json=asked).json()
    assert {one["document"] for one in reply["citations"]} == {document}
    schemas.SummaryReply.model_validate(reply)


def test_a_graph_names_the_place_of_each_passage(start: Any) -> None:
    server = start()
    server.index("tea.txt", "Tea is served hot. It keeps for weeks.")
    server.index("milk.txt", "Tea is not served hot. It keeps.")
    reply = server.client.post("/api/v1/graph", json={"question": "How is tea served?", "recipe": "disco-rag-local"})
    assert reply.status_code == 200, reply.text
    found = schemas.GraphReply.model_validate(reply.json())
    assert len({one.document for one in found.passages}) == 2


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("ask", {"question": " "}, 422),
        ("ask", {}, 422),
        ("ask", {"question": QUESTION, "recipe": "no-such"}, 422),
        ("ask", {"question": QUESTION, "documents": ["ffff"]}, 404),
        ("ask", {"question": QUESTION, "unknown": 1}, 422),
        ("ask", {"question": "w " * 2_001}, 422),
        ("summarize", {"document": "ffff"}, 404),
        ("graph", {"question": QUESTION, "recipe": "treatise"}, 422),
    ],
)
def test_a_wrong_question_is_a_problem_that_names_it(shared: Any, path: str, body: Any, status: int) -> None:
    reply = shared.client.post(f"/api/v1/{path}", json=body)
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json")
    assert "/" not in reply.json()["detail"].replace("/api/v1", "")


def test_a_failing_model_is_a_quoted_answer_whose_note_hides_its_address(start: Any) -> None:
    model = ScriptedModel([])
    server = start(engines={"model": model})
    server.index("tea.txt", "Water boils at 100 degrees.")
    reply = server.client.post("/api/v1/ask", json={"question": QUESTION}).json()
    assert "language model, which failed" in reply["notes"][0]
    assert server.services.state.folder.name not in reply["notes"][0]


def test_the_recipes_are_those_of_the_command_line(shared: Any) -> None:
    reply = shared.client.get("/api/v1/recipes").json()
    schemas.RecipeList.model_validate(reply)
    assert reply["default"] in {one["name"] for one in reply["recipes"]}
    assert reply["has_model"] is False


@pytest.mark.parametrize("endpoint", ["ask/stream", "ask"])
def test_a_document_that_is_deleted_while_its_answer_streams_is_still_cited(start: Any, endpoint: str) -> None:
    made: list[Any] = []

    def deletes(_: Any) -> str:
        made[0].client.delete(f"/api/v1/documents/{document}")
        return "Water boils at 100 degrees [1]."

    server = start(engines={"model": ScriptedModel(deletes)})
    made.append(server)
    document = server.index("tea.md", "# Tea\n\nWater boils at 100 degrees.\n")
    reply = server.client.post(f"/api/v1/{endpoint}", json={"question": QUESTION})
    record = events(reply.text)[-1][1] if endpoint == "ask/stream" else reply.json()
    assert [one["title"] for one in record["documents"]] == ["Tea"]
    assert record["evidence"][0]["section"] == "Tea"


@pytest.mark.parametrize("endpoint", ["api/v1/ask", "api/v1/ask/stream", "v1/chat/completions"])
def test_every_failure_of_the_server_is_in_its_log(start: Any, endpoint: str, tmp_path: Path) -> None:
    logged: list[Any] = []
    handler = logging.Handler()
    handler.emit = logged.append  # type: ignore[method-assign]
    logger = logging.getLogger("treatise.server")
    logger.addHandler(handler)
    try:
        server = start()
        server.index("tea.md", "# Tea\n\nWater boils at 100 degrees.\n")
        with closing(sqlite3.connect(tmp_path / "library.db", isolation_level=None)) as connection:
            connection.execute("UPDATE documents SET text = x'00'")
        body = {"question": QUESTION} if "api" in endpoint else {"model": "treatise", "messages": [_SAID]}
        reply = server.client.post(f"/{endpoint}", json=body)
        assert reply.status_code == 500 or "problem" in reply.text
    finally:
        logger.removeHandler(handler)
    assert ["StoreDamagedError" in one.traceback for one in logged] == [True]


_SAID = {"role": "user", "content": QUESTION}
