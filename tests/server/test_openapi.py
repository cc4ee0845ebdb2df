"""The examples of the OpenAPI document: real replies of this server, one per endpoint that replies in JSON or events.

``TREATISE_WRITE_EXAMPLES=1`` writes them anew.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import treatise.server.openapi
from tests.server.conftest import RunningServer, Start

FILE = Path(treatise.server.openapi.__file__).with_name("examples.json")
TEXT = "# Tea\n\nWater boils at 100 degrees. Green tea wants cooler water.\n"
QUESTION = {"question": "When does water boil?"}
API = "/api/v1"


@pytest.fixture(scope="module")
def document(shared: RunningServer) -> dict[str, Any]:
    found: dict[str, Any] = shared.client.get(f"{API}/openapi.json").json()
    return found


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each endpoint with the content of its successful reply."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            content = [reply.get("content", {}) for code, reply in operation["responses"].items() if code[0] == "2"]
            for media, body in [one for some in content for one in some.items()]:
                if media in ("application/json", "text/event-stream"):
                    yield f"{method.upper()} {path}", body


def test_every_reply_has_an_example_of_its_form(document: dict[str, Any]) -> None:
    found = dict(operations(document))
    assert len(found) > 30
    assert [name for name, body in found.items() if "example" not in body] == []
    for name, body in found.items():
        example = body["example"]
        if not isinstance(example, str):
            form = jsonschema_rs.Draft202012Validator({**body["schema"], "components": document["components"]})
            assert [error.message for error in form.iter_errors(example)] == [], name


def test_every_body_has_an_example(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for media, body in operation.get("requestBody", {}).get("content", {}).items():
                schema = document["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
                is_empty = not schema.get("properties")
                assert is_empty or media != "application/json" or "example" in json.dumps(schema), f"{method} {path}"


def test_the_examples_are_what_the_server_replies(start: Start) -> None:
    server = start()
    recorded = dict(replies(server))
    if os.environ.get("TREATISE_WRITE_EXAMPLES"):
        FILE.write_text(json.dumps(recorded, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    assert kept.keys() == recorded.keys()
    for name, example in kept.items():
        if isinstance(example, dict):
            assert example.keys() == recorded[name].keys(), name


def replies(server: RunningServer) -> Iterator[tuple[str, Any]]:
    """A reply of each endpoint."""
    client = server.client
    parts = {"files": ("tea.md", TEXT)}
    made = client.post(f"{API}/documents", files=parts, data={"collection": "drinks"})
    yield f"POST {API}/documents", made.json()
    job = server.finished(made.json()["job"])
    yield f"GET {API}/jobs/{{job_id}}", job
    yield f"DELETE {API}/jobs/{{job_id}}", client.delete(f"{API}/jobs/{job['job']}").json()
    yield f"GET {API}/jobs/{{job_id}}/events", client.get(f"{API}/jobs/{job['job']}/events").text
    id_ = job["files"][0]["document"]
    for name in ("/healthz", "/readyz", "/v1/models", "/v1/models/treatise", *of_library()):
        yield f"GET {name.replace('/treatise', '/{model}')}", client.get(name).json()
    for name in ("", "/outline", "/text", "/pages", "/tree", "/structure", "/boxes?start=0&end=5", "/pages/1"):
        reply = client.get(f"{API}/documents/{id_}{name}")
        if reply.status_code == 200:  # pages are those of PDFs
            yield f"GET {API}/documents/{{document_id}}{name.partition('?')[0]}", reply.json()
    yield from pages(server)
    for name in ("ask", "search", "graph"):
        yield f"POST {API}/{name}", client.post(f"{API}/{name}", json=QUESTION).json()
    yield f"POST {API}/ask/stream", client.post(f"{API}/ask/stream", json=QUESTION).text
    yield f"POST {API}/summarize", client.post(f"{API}/summarize", json={"document": id_, "max_words": 20}).json()
    yield from talk(server)
    yield from keys(server)
    tagged = client.patch(f"{API}/documents/{id_}", json={"add": ["draft"], "set": {"year": 2024}})
    yield f"PATCH {API}/documents/{{document_id}}", tagged.json()
    yield f"DELETE {API}/documents/{{document_id}}", client.delete(f"{API}/documents/{id_}").json()


def of_library() -> list[str]:
    """What describes the whole library."""
    return [f"{API}/{name}" for name in ("documents", "collections", "jobs", "recipes", "me")]


def pages(server: RunningServer) -> Iterator[tuple[str, Any]]:
    """Replies that only a document with pages has."""
    from tests.ingest.pdf_writer import Text, pdf

    job = server.upload(boiling_pdf=pdf([[Text(60, 740, "Water boils at 100 degrees at the level of the sea.")]]))
    id_ = job["files"][0]["document"]
    for name in ("/pages", "/pages/1", "/boxes?start=0&end=20"):
        reply = server.client.get(f"{API}/documents/{id_}{name}").raise_for_status()
        yield f"GET {API}/documents/{{document_id}}{name.partition('?')[0].replace('/1', '/{page}')}", reply.json()
    server.client.delete(f"{API}/documents/{id_}")


def talk(server: RunningServer) -> Iterator[tuple[str, Any]]:
    """Replies of conversations, and of chat clients."""
    begun = server.client.post(f"{API}/conversations", json={}).json()
    yield f"POST {API}/conversations", begun
    base, path = f"{API}/conversations/{{conversation_id}}", f"{API}/conversations/{begun['conversation']}"
    yield f"POST {base}/ask", server.client.post(f"{path}/ask", json=QUESTION).json()
    yield f"POST {base}/ask/stream", server.client.post(f"{path}/ask/stream", json=QUESTION).text
    yield f"GET {API}/conversations", server.client.get(f"{API}/conversations").json()
    yield f"GET {base}", server.client.get(path).json()
    yield f"DELETE {base}", server.client.delete(path).json()
    chat = {"model": "treatise", "messages": [{"role": "user", "content": QUESTION["question"]}]}
    yield "POST /v1/chat/completions", server.client.post("/v1/chat/completions", json=chat).json()


def keys(server: RunningServer) -> Iterator[tuple[str, Any]]:
    """Replies to those who manage keys."""
    made = server.client.post(f"{API}/keys", json={"name": "ann", "scope": "read"}).json()
    yield f"POST {API}/keys", made | {"key": f"tk-{made['id']}-SECRET"}
    yield f"GET {API}/keys", server.client.get(f"{API}/keys").json()
    yield f"GET {API}/audit", server.client.get(f"{API}/audit").json()
    yield f"DELETE {API}/keys/{{key_id}}", server.client.delete(f"{API}/keys/{made['id']}").json()
