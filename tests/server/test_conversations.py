"""Conversations over HTTP: follow-up questions, kept turns, owners."""

import json
from typing import Any

from treatise.server import schemas, schemas_state
from treatise.server.keys import Scope

TEXT = "Green tea is brewed at 70 degrees. Black tea is brewed at 95 degrees."


def test_a_follow_up_is_read_with_the_turns_before_it_even_after_a_restart(start: Any) -> None:
    server = start()
    server.index("tea.txt", TEXT)
    made = server.client.post("/api/v1/conversations", json={})
    conversation = made.json()["conversation"]
    path = f"/api/v1/conversations/{conversation}"
    first = server.client.post(f"{path}/ask", json={"question": "How hot is green tea brewed?"}).json()
    assert first["resolved"] == first["question"]
    schemas.AnswerReply.model_validate(first)
    server.stop()
    server = start()
    second = server.client.post(f"{path}/ask", json={"question": "And black tea?"}).json()
    assert (second["question"], second["resolved"]) == ("And black tea?", "How hot is black tea brewed?")
    kept = server.client.get(path).json()
    schemas_state.ConversationReply.model_validate(kept)
    assert [turn["question"] for turn in kept["turns"]] == ["How hot is green tea brewed?", "And black tea?"]
    assert kept["title"] == "How hot is green tea brewed?"
    stream = server.client.post(f"{path}/ask/stream", json={"question": "And black tea?"}).text
    assert [line for line in stream.splitlines() if line.startswith("event")][-1] == "event: answer"
    server.client.delete(path)
    assert server.client.get(path).status_code == 404
    assert server.client.post(f"{path}/ask/stream", json={"question": "And?"}).status_code == 404


def test_a_conversation_is_its_owners_alone(start: Any) -> None:
    server = start(require_key=True)
    keys = [{"authorization": f"Bearer {server.services.keys.add(name, Scope.READ)[0]}"} for name in ("ann", "ben")]
    made = server.client.post("/api/v1/conversations", json={}, headers=keys[0]).json()["conversation"]
    path = f"/api/v1/conversations/{made}"
    assert [server.client.get(path, headers=key).status_code for key in keys] == [200, 404]
    listed = [server.client.get("/api/v1/conversations", headers=key).json()["conversations"] for key in keys]
    assert [len(one) for one in listed] == [1, 0], json.dumps(listed)
