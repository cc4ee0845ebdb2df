"""What a key's tokens pay for, and what a key of some collections sees of a document that is also in others."""

import time
from typing import Any

import pytest

from treatise.server.keys import Keys, Limits, Scope
from treatise.testing import ScriptedModel

TEXT = "Water boils at 100 degrees. Green tea wants cooler water. Let it stand for two minutes. " * 20
QUESTION = {"question": "When does water boil?"}


def _speak_as(
    server: Any, name: str, scope: Scope = Scope.ADMIN, collections: tuple[str, ...] = (), **limits: Any
) -> Any:
    """Makes a key, sends it from now on, and returns it."""
    text, key = server.services.keys.add(name, scope, collections, Limits(**limits))
    server.client.headers["authorization"] = f"Bearer {text}"
    return key


@pytest.fixture
def guarded(start: Any) -> Any:
    """A server that asks for a key and has a language model."""
    return start(engines={"model": ScriptedModel(lambda _: "{}")}, require_key=True)


def test_the_tokens_of_a_graph_count_against_the_key(guarded: Any) -> None:
    guarded.index("tea.txt", TEXT)
    key = _speak_as(guarded, "ann", tokens_per_day=1)
    body = {**QUESTION, "recipe": "disco-rag"}
    assert guarded.client.post("/api/v1/graph", json=body).status_code == 200
    assert guarded.services.limits.used(key)["tokens"] > 1
    assert guarded.client.post("/api/v1/graph", json=body).status_code == 429


def test_the_tokens_of_notes_count_against_the_key_that_uploads(guarded: Any) -> None:
    key = _speak_as(guarded, "ann", tokens_per_day=1)
    first, second = (_uploaded(guarded, f"{name} {TEXT}", recipe="disretrieval") for name in ("A", "B"))
    assert first["status"] == "done"
    assert guarded.services.limits.used(key)["tokens"] > 1
    assert (second["status"], second["files"][0]["document"]) == ("failed", None)
    assert "1 tokens per day" in second["files"][0]["error"]
    assert _uploaded(guarded, f"C {TEXT}", recipe="treatise")["status"] == "done"


def test_the_tokens_of_an_answer_count_even_if_its_client_leaves(start: Any) -> None:
    def write(_: Any) -> str:
        time.sleep(0.3)
        return "Water boils at 100 degrees [1]."

    server = start(engines={"model": ScriptedModel(write)}, require_key=True)
    server.index("tea.txt", TEXT)
    key = _speak_as(server, "ann", tokens_per_day=1)
    with server.client.stream("POST", "/api/v1/ask/stream", json=QUESTION) as reply:
        next(line for line in reply.iter_lines() if line == "event: evidence")
    deadline = time.monotonic() + 10
    while not server.services.limits.used(key)["tokens"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.services.limits.used(key)["tokens"] > 1


def test_a_shared_document_shows_a_key_only_its_own_collections(start: Any) -> None:
    server = start(require_key=True)
    document = server.index("tea.txt", TEXT)
    path = f"/api/v1/documents/{document}"
    _speak_as(server, "root")
    change = {"add": ["dismissal"], "set": {"collection": ["board", "staff"], "salary": 4000}}
    assert server.client.patch(path, json=change).status_code == 200

    _speak_as(server, "ann", Scope.WRITE, ("staff",))
    (listed,) = server.client.get("/api/v1/documents").json()["documents"]
    assert listed["metadata"] == {"collection": ["staff"]}
    assert [one["name"] for one in server.client.get("/api/v1/collections").json()["collections"]] == ["staff"]
    for where in ("collection = board", "tags = dismissal", "salary > 1"):
        reply = server.client.post("/api/v1/search", json={**QUESTION, "where": where})
        assert (where, reply.status_code) == (where, 422)
        assert "board" not in reply.json()["detail"].replace(where, "")
    assert server.client.patch(path, json={"add": ["mine"]}).status_code == 403
    uploaded = _uploaded(server, TEXT, metadata='{"salary": 1}')
    assert uploaded["files"][0]["document"] == document
    assert server.client.delete(path).json()["removed"][0]["metadata"] == {"collection": ["staff"]}

    _speak_as(server, "root2")
    (left,) = server.client.get("/api/v1/documents").json()["documents"]
    assert left["metadata"] == {"collection": ["board"], "salary": ["4000"], "tags": ["dismissal"]}


def test_a_removed_key_has_no_limits_left_to_check(start: Any) -> None:
    server = start()
    text, key = Keys(server.services.state).add("ann", limits=Limits(tokens_per_day=1))
    assert server.services.keys.check(text) == key
    server.services.keys.remove(key.id)
    server.services.limits.check_model_of(key.id)


def _uploaded(server: Any, text: str, **form: str) -> dict[str, Any]:
    """The job of an upload, once it has ended."""
    reply = server.client.post("/api/v1/documents", files={"files": ("tea.txt", text)}, data=form)
    assert reply.status_code == 202, reply.text
    found: dict[str, Any] = server.finished(reply.json()["job"])
    return found
