"""What a key's tokens pay for, and what a key of some collections sees of a document that is also in others."""

import time
from pathlib import Path
from typing import Any

import pytest

from treatise.core.usage import ModelUsage
from treatise.llm.budget import Price
from treatise.server.keys import Keys, Limits, Scope
from treatise.server.limits import LimitCounter
from treatise.server.metrics import Metrics
from treatise.server.problems import ProblemError
from treatise.server.state import State
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


def test_the_money_of_a_day_is_counted_at_the_prices_of_the_settings(tmp_path: Path) -> None:
    state = State(tmp_path)
    day = 86_400.0
    now = [0.5 * day]
    limits = LimitCounter(state, Metrics(), Price(per_million_prompt=2.0, per_million_completion=10.0), lambda: now[0])
    _, key = Keys(state).add("ann", limits=Limits(cost_per_day=0.012))
    limits.check_model(key)
    limits.model(key.id, ModelUsage(prompt_tokens=1_000, completion_tokens=900))
    assert limits.used(key)["cost"] == pytest.approx(0.011)
    limits.check_model(key)
    limits.model(key.id, ModelUsage(prompt_tokens=500, completion_tokens=0))
    with pytest.raises(ProblemError, match=r"a cost of 0\.012 per day") as refused:
        limits.check_model(key)
    assert (refused.value.status, refused.value.headers["Retry-After"]) == (429, "43200")
    now[0] += day
    limits.check_model(key)
    state.close()


def test_a_key_opens_the_collection_that_uploads_are_in_despite_spaces_around_its_name(tmp_path: Path) -> None:
    _, key = Keys(State(tmp_path)).add("ann", collections=[" tea "])
    assert key.collections == ("tea",)


def test_a_limit_of_money_that_cannot_be_counted_is_refused_and_says_why(guarded: Any) -> None:
    guarded.index("tea.txt", TEXT)
    _speak_as(guarded, "ann", cost_per_day=1.0)
    reply = guarded.client.post("/api/v1/ask", json=QUESTION)
    assert reply.status_code == 403
    assert "no prices of its language model" in reply.json()["detail"]
    assert guarded.client.post("/api/v1/ask", json={**QUESTION, "llm": False}).status_code == 200


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
