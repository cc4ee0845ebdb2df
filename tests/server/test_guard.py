"""Who may speak to the server: hosts, origins, keys, scopes, collections, limits, sizes, overload."""

import asyncio
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from treatise.core.errors import SettingsError
from treatise.server import schemas_state
from treatise.server.admission import QuestionPool
from treatise.server.config import ServerConfig, load_server_config
from treatise.server.keys import Keys, Limits, Scope
from treatise.server.limits import LimitCounter
from treatise.server.logs import JsonFormatter, TextFormatter, formatter_of
from treatise.server.metrics import Metrics
from treatise.server.problems import ProblemError
from treatise.server.run import check_keys, serve
from treatise.server.state import State
from treatise.settings import Settings
from treatise.testing import HashingEncoder

QUESTION = {"question": "Water boils at how many degrees?"}


def test_every_reply_has_security_headers_and_a_request_id(shared: Any) -> None:
    for path in ("/healthz", "/api/v1/documents", "/nothing", "/metrics"):
        headers = shared.client.get(path, headers={"x-request-id": "abc-1"}).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-request-id"] == "abc-1"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[", "[::1"])
def test_a_name_rebound_to_this_machine_is_refused(shared: Any, host: str) -> None:
    assert shared.client.get("/api/v1/documents", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:99", "[::1]:8790", "LOCALHOST:1"])
def test_names_of_this_machine_are_served(shared: Any, host: str) -> None:
    assert shared.client.get("/healthz", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}]
)
def test_a_page_of_another_site_changes_nothing(shared: Any, headers: dict[str, str]) -> None:
    reply = shared.client.post("/api/v1/documents", files={"files": ("a.txt", "Text.")}, headers=headers)
    assert (reply.status_code, reply.json()["type"]) == (403, "urn:treatise:problem:cross-site")


def test_json_without_its_content_type_is_not_read(shared: Any) -> None:
    reply = shared.client.post("/api/v1/ask", content=b'{"question": "Why?"}', headers={"content-type": "text/plain"})
    assert reply.status_code == 422
    assert "Content-Type: application/json" in reply.json()["detail"]


def test_json_that_cannot_be_read_says_what_to_send(shared: Any) -> None:
    sent = {"content-type": "application/json"}
    for body in (b"[" * 100_000, b'{"question": "Gr\xfcn?"}'):
        reply = shared.client.post("/api/v1/ask", content=body, headers=sent)
        assert reply.status_code == 400
        assert "send JSON in UTF-8" in reply.json()["detail"]


def test_a_body_over_the_limit_is_refused_whether_it_says_so_or_not(shared: Any) -> None:
    big = b'{"question": "' + b"w" * 2**20 + b'"}'
    sent = {"content-type": "application/json"}
    assert shared.client.post("/api/v1/ask", content=big, headers=sent).status_code == 413
    chunked = shared.client.post("/api/v1/ask", content=iter([big[: 2**19], big[2**19 :]]), headers=sent)
    assert chunked.status_code == 413


def test_a_body_that_does_not_arrive_is_given_up(start: Any) -> None:
    server = start(upload_timeout_s=0.3)
    with socket.create_connection(("127.0.0.1", server.client.base_url.port), timeout=10) as slow:
        slow.sendall(
            b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\n\r\n{"
        )
        assert b" 408 " in slow.recv(200)


def test_a_server_that_others_reach_refuses_to_start_without_a_key(tmp_path: Path) -> None:
    settings = Settings(store=tmp_path / "library.db")
    check_keys(ServerConfig(), settings)
    for config in (
        ServerConfig(host="0.0.0.0"),
        ServerConfig(require_key=True),
        ServerConfig(allowed_hosts=("library.example",)),
    ):
        with pytest.raises(SettingsError, match="treatise keys add"):
            check_keys(config, settings)
    state = State(tmp_path / "library.db.server")
    Keys(state).add("ann")
    state.close()
    check_keys(ServerConfig(host="0.0.0.0"), settings)


def test_keys_open_what_their_scope_says(start: Any) -> None:
    server = start(require_key=True)
    text = {scope: server.services.keys.add(scope, scope)[0] for scope in Scope}

    def status(method: str, path: str, key: str | None) -> int:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        return int(server.client.request(method, path, headers=headers).status_code)

    wrong = text[Scope.READ][:-1] + ("A" if text[Scope.READ][-1] != "A" else "B")
    for key in (None, "", "nonsense", "tk-00000000-x", wrong):
        assert status("GET", "/api/v1/documents", key) == 401
    assert [status("GET", "/healthz", None), status("GET", "/readyz", None)] == [200, 200]
    for key in text.values():
        assert status("GET", "/api/v1/documents", key) == 200
    remove, keys = ("DELETE", "/api/v1/documents/ffff"), ("GET", "/api/v1/keys")
    assert [status(*remove, text[scope]) for scope in Scope] == [403, 404, 404]
    assert [status(*keys, text[scope]) for scope in Scope] == [403, 403, 200]
    assert text[Scope.READ] not in (server.services.state.folder / "server.db").read_bytes().decode("latin-1")


def test_a_removed_key_opens_nothing_any_more(start: Any) -> None:
    server = start(require_key=True)
    admin, _ = server.services.keys.add("root", Scope.ADMIN)
    server.client.headers["authorization"] = f"Bearer {admin}"
    made = server.client.post("/api/v1/keys", json={"name": "ann", "collections": ["tea"]}).json()
    schemas_state.NewKeyReply.model_validate(made)
    as_ann = {"authorization": f"Bearer {made['key']}"}
    me = server.client.get("/api/v1/me", headers=as_ann).json()
    assert (me["name"], me["scope"], me["collections"]) == ("ann", "read", ["tea"])
    server.client.delete(f"/api/v1/keys/{made['id']}")
    assert server.client.get("/api/v1/me", headers=as_ann).status_code == 401
    actions = [one["action"] for one in server.client.get("/api/v1/audit").json()["audit"]]
    assert actions == ["refused", "remove key", "add key"]


def test_a_key_of_one_collection_sees_nothing_of_the_others(start: Any) -> None:
    server = start(require_key=True)
    admin, _ = server.services.keys.add("root", Scope.ADMIN)
    server.client.headers["authorization"] = f"Bearer {admin}"
    ids = {
        name: server.index(f"{name}.txt", f"The best {name} is served at 50 degrees. " * 4) for name in ("tea", "milk")
    }
    for name, document in ids.items():
        reply = server.client.patch(f"/api/v1/documents/{document}", json={"set": {"collection": name}})
        assert reply.status_code == 200, reply.text
    found = server.client.get("/api/v1/collections").json()["collections"]
    assert [(one["name"], one["documents"]) for one in found] == [("milk", 1), ("tea", 1)]

    text, _ = server.services.keys.add("ann", Scope.WRITE, ["tea"])
    server.client.headers["authorization"] = f"Bearer {text}"
    listed = server.client.get("/api/v1/documents").json()["documents"]
    assert [one["document"] for one in listed] == [ids["tea"]]
    for path in ("", "/text", "/tree", "/pages"):
        assert server.client.get(f"/api/v1/documents/{ids['milk']}{path}").status_code == 404
    evidence = server.client.post("/api/v1/search", json={"question": "The best milk"}).json()["evidence"]
    assert {one["document"] for one in evidence} == {ids["tea"]}
    assert server.client.post("/api/v1/search", json={"question": "milk", "collection": "milk"}).status_code == 422
    assert server.client.post("/api/v1/ask", json={**QUESTION, "documents": [ids["milk"]]}).status_code == 404
    moved = server.client.patch(f"/api/v1/documents/{ids['tea']}", json={"set": {"collection": "milk"}})
    assert moved.status_code == 403
    other = server.client.post("/api/v1/documents", files={"files": ("a.txt", "Text.")}, data={"collection": "milk"})
    assert other.status_code == 403
    assert server.client.delete(f"/api/v1/documents/{ids['milk']}").status_code == 404


def test_limits_of_a_key_are_answered_429_with_the_time_to_wait(tmp_path: Path) -> None:
    state = State(tmp_path)
    now = [1_000_000_020.0]
    counter = LimitCounter(state, Metrics(), clock=lambda: now[0])
    _, key = Keys(state).add("ann", Scope.WRITE, limits=Limits(requests_per_minute=2, upload_mb_per_day=1))
    counter.request(key)
    counter.request(key)
    with pytest.raises(ProblemError) as refused:
        counter.request(key)
    assert (refused.value.status, refused.value.headers["Retry-After"]) == (429, str(60 - int(now[0]) % 60))
    now[0] += 60
    counter.request(key)
    counter.upload(key, 2**19)
    with pytest.raises(ProblemError, match="1 MB of uploads per day"):
        counter.upload(key, 2**20)
    counter.upload(key, 2**19)
    assert counter.used(key)["upload_bytes"] == 2**20
    state.close()


class _SlowEncoder(HashingEncoder):
    """An encoder whose questions wait for a gate."""

    gate = threading.Event()

    def encode_questions(self, questions: Any) -> Any:
        self.gate.wait(10)
        return super().encode_questions(questions)


def test_overload_is_answered_429_and_health_stays_quick(start: Any) -> None:
    server = start(engines={"encoder": _SlowEncoder()}, question_threads=2, max_waiting=2)
    server.index("tea.txt", "Water boils at 100 degrees.")
    with ThreadPoolExecutor(8) as clients:
        asked = [clients.submit(server.client.post, "/api/v1/search", json=QUESTION) for _ in range(8)]
        while server.services.questions.n_inside < 4:
            time.sleep(0.01)
        times = []
        for _ in range(20):
            began = time.monotonic()
            assert server.client.get("/healthz").status_code == 200
            times.append(time.monotonic() - began)
        _SlowEncoder.gate.set()
        replies = [one.result() for one in asked]
    assert sorted(one.status_code for one in replies) == [200] * 4 + [429] * 4
    assert all(int(one.headers["retry-after"]) >= 1 for one in replies if one.status_code == 429)
    assert sorted(times)[len(times) // 2] < 1, "health waits for no question, which all wait for the gate"


def test_the_configuration_comes_from_file_then_environment(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('recipe = "treatise"\n[server]\nport = 9000\nworkers = 2\nallowed_hosts = ["a.example"]\n')
    config = load_server_config(file, {"TREATISE_SERVER_PORT": "9001", "TREATISE_SERVER_REQUIRE_KEY": "true"})
    assert (config.port, config.workers, config.allowed_hosts, config.require_key) == (9001, 2, ("a.example",), True)
    assert ServerConfig.from_json(config.to_json()) == config


@pytest.mark.parametrize(("is_terminal", "expected"), [(True, TextFormatter), (False, JsonFormatter)])
def test_logs_are_text_in_a_terminal_and_json_elsewhere(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool, expected: type
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    assert isinstance(formatter_of(ServerConfig().log_format), expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing = 1", "unknown key 'nothing'"),
        ("port = 'a'", "a whole number"),
        ("workers = 0", "above 0"),
        ("read_timeout_s = inf", "above 0"),
        ("log_level = 'loud'", "not 'loud'"),
    ],
)
def test_a_wrong_setting_names_the_file_and_the_key(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f"[server]\n{text}\n")
    with pytest.raises(SettingsError, match=message) as error:
        load_server_config(file, {})
    assert str(file) in str(error.value)


class _BrokenEncoder(HashingEncoder):
    """An encoder with a bug."""

    def encode_questions(self, questions: Any) -> Any:
        raise ValueError(f"unexpected in {__file__}")


@pytest.mark.parametrize("path", ["/api/v1/search", "/api/v1/ask/stream"])
def test_a_bug_is_a_problem_without_a_traceback(start: Any, path: str) -> None:
    server = start(engines={"encoder": _BrokenEncoder()})
    server.index("tea.txt", "Water boils at 100 degrees.")
    reply = server.client.post(path, json=QUESTION)
    assert "urn:treatise:problem:internal" in reply.text
    assert "unexpected" not in reply.text
    assert reply.status_code == (500 if path.endswith("search") else 200)
    assert server.client.get("/readyz").status_code == 200


def test_overload_of_a_stream_is_answered_429(start: Any) -> None:
    _SlowEncoder.gate.clear()
    server = start(engines={"encoder": _SlowEncoder()}, question_threads=1, max_waiting=1)
    server.index("tea.txt", "Water boils at 100 degrees.")
    with ThreadPoolExecutor(2) as clients:
        asked = [clients.submit(server.client.post, "/api/v1/search", json=QUESTION) for _ in range(2)]
        while server.services.questions.n_inside < 2:
            time.sleep(0.01)
        refused = server.client.post("/api/v1/ask/stream", json=QUESTION)
        _SlowEncoder.gate.set()
        assert [one.result().status_code for one in asked] == [200, 200]
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1


def test_a_question_counts_until_its_thread_is_free_even_if_its_client_leaves() -> None:
    gate = threading.Event()

    async def leave() -> tuple[int, int]:
        pool = QuestionPool(1, 1, Metrics())
        running, waiting = (asyncio.ensure_future(pool.run(gate.wait)) for _ in range(2))
        await asyncio.sleep(0.05)
        running.cancel()
        waiting.cancel()
        await asyncio.sleep(0.05)
        left = pool.n_inside
        gate.set()
        while pool.n_inside:
            await asyncio.sleep(0.01)
        pool.close()
        return left, pool.n_inside

    assert asyncio.run(leave()) == (1, 0)


def test_requests_of_past_minutes_are_not_kept(tmp_path: Path) -> None:
    state, now = State(tmp_path), [1_700_000_000.0]
    counter = LimitCounter(state, Metrics(), clock=lambda: now[0])
    _, key = Keys(state).add("ann", limits=Limits(requests_per_minute=1))
    for _ in range(5):
        counter.request(key)
        now[0] += 60
    assert len(state.rows("SELECT * FROM usage")) == 1
    state.close()


def test_an_address_of_another_machine_is_refused_by_name(tmp_path: Path) -> None:
    config = ServerConfig(host="203.0.113.7", port=0, state=str(tmp_path))
    Keys(state := State(tmp_path)).add("ann")
    state.close()
    with pytest.raises(SettingsError, match=r"203\.0\.113\.7 is no address of this machine"):
        serve(config, Settings(store=tmp_path / "library.db"))
