"""A language model behind a URL, and all that can go wrong on the way."""

import json
import sys
import time
import traceback
from collections.abc import Callable
from threading import Lock
from typing import Any

import pytest

from treatise.core.errors import (
    EngineError,
    EngineUnavailableError,
    MissingExtraError,
    ModelReplyError,
    PromptRefusedError,
    SettingsError,
)
from treatise.core.ports import Message, Reply
from treatise.engines import http_guard
from treatise.engines.openai_chat import OpenAIChat
from treatise.engines.openai_client import Endpoint
from treatise.testing import check_language_model

from .conftest import QUICK_RETRY, Answer, Respond, Server

SCHEMA: dict[str, object] = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}

Serve = Callable[[Respond], Server]


def said(text: Any) -> Answer:
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    return Answer({"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage})


def refused(message: str, status: int = 400) -> Answer:
    return Answer({"error": {"message": message}}, status=status)


def model(server: Server, **options: Any) -> OpenAIChat:
    return OpenAIChat(Endpoint(server.url, "m", **{"timeout_s": 5.0, "max_retries": 1, **options}))


def ask(model: OpenAIChat, *texts: str, schema: dict[str, object] | None = None) -> list[Reply | Exception]:
    replies = dict(model.chat([[Message("user", text)] for text in texts], max_tokens=9, schema=schema))
    return [replies[index] for index in range(len(texts))]


def failure(model: OpenAIChat) -> EngineError:
    (reply,) = ask(model, "a")
    assert isinstance(reply, EngineError)
    return reply


def in_turn(*answers: Answer) -> Respond:
    left = list(answers)
    return lambda path, request: left.pop(0)


def test_it_keeps_the_contract(serve: Serve) -> None:
    server = serve(lambda path, request: said("7"))
    check_language_model(lambda: model(server))


def test_a_request_is_deterministic_and_the_reply_counted(serve: Serve) -> None:
    server = serve(lambda path, request: said("yes"))
    assert ask(model(server, api_key="sk-1"), "a") == [Reply("yes", 7, 3)]
    ((path, request),) = server.requests
    assert path == "/v1/chat/completions"
    assert request == {
        "model": "m",
        "messages": [{"role": "user", "content": "a"}],
        "temperature": 0,
        "seed": 0,
        "max_tokens": 9,
    }
    assert server.keys == ["Bearer sk-1"]


def test_another_vendors_key_is_not_sent(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    server = serve(lambda path, request: said("yes"))
    ask(model(server), "a")
    assert server.keys == ["Bearer none"]


def test_a_server_that_counts_nothing_gives_zeros(serve: Serve) -> None:
    server = serve(lambda path, request: Answer({"choices": [{"message": {"content": "yes"}}]}))
    assert ask(model(server), "a") == [Reply("yes", 0, 0)]


@pytest.mark.parametrize("n", [-5, 10**30, float("inf"), float("nan"), "many", [1]])
def test_a_count_that_cannot_be_true_is_none(serve: Serve, n: Any) -> None:
    counted = {"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": n, "completion_tokens": n}}
    assert ask(model(serve(lambda *_: Answer(counted))), "a") == [Reply("x", 0, 0)]


def test_a_thought_is_counted_where_the_server_does_not(serve: Serve) -> None:
    thought = "<think>" + "so many words " * 100
    (reply,) = ask(model(serve(lambda *_: Answer({"choices": [{"message": {"content": thought}}]}))), "a")
    assert isinstance(reply, ModelReplyError)
    assert reply.tokens is not None
    assert reply.tokens[1] >= 300
    (reply,) = ask(model(serve(lambda *_: Answer({"choices": [{"message": {"content": ""}}]}))), "a")
    assert isinstance(reply, ModelReplyError)
    assert reply.tokens is None  # nobody knows


def test_halves_of_characters_are_replaced_in_what_is_sent_and_what_comes(serve: Serve) -> None:
    server = serve(lambda *_: Answer(b'{"choices": [{"message": {"content": "tea \\ud800 \\ud83d\\ude00"}}]}'))
    assert ask(model(server), "tin \udcff") == [Reply("tea \ufffd \U0001f600", 0, 0)]
    ((_, request),) = server.requests
    assert request["messages"][0]["content"] == "tin \ufffd"


def test_no_more_requests_are_in_flight_than_allowed(serve: Serve) -> None:
    lock, now, most = Lock(), 0, 0

    def respond(path: str, request: dict[str, Any]) -> Answer:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.02)
        with lock:
            now -= 1
        return said(request["messages"][0]["content"])

    texts = [str(number) for number in range(12)]
    replies = ask(model(serve(respond), concurrency=3), *texts)
    assert [reply.text for reply in replies if isinstance(reply, Reply)] == texts
    assert most == 3


@pytest.mark.parametrize(
    "trouble",
    [
        Answer({"error": {"message": "slow down"}}, 429, {"Retry-After": "0.05"}),
        Answer({"error": {"message": "oops"}}, 500, QUICK_RETRY),
        Answer(said("never whole").body, die=True),
    ],
    ids=["429", "500", "dies mid-reply"],
)
def test_passing_trouble_is_retried(serve: Serve, trouble: Answer) -> None:
    server = serve(in_turn(trouble, said("yes")))
    assert ask(model(server), "a") == [Reply("yes", 7, 3)]
    assert len(server.requests) == 2


@pytest.mark.parametrize("thought", ["<think></think>", "\n<think>\nWhat is asked?\n[1] says it.\n</think>\n\n"])
def test_what_a_model_thinks_before_it_speaks_is_left_out(serve: Serve, thought: str) -> None:
    assert ask(model(serve(in_turn(said(f"{thought}Yes, <think>.")))), "a") == [Reply("Yes, <think>.", 7, 3)]


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (
            Answer({"error": {"message": "slow down"}}, 429, QUICK_RETRY),
            EngineUnavailableError,
            "rate limit or quota after 2",
        ),
        (
            Answer({"error": {"message": "slow down"}}, 429, {"Retry-After": "3600"}),
            EngineUnavailableError,
            "quota and asks for a wait of 3,600 s: .*slow down",
        ),
        (refused("too large", 413), PromptRefusedError, "answered 413: .*too large"),
        (said("<think>What is asked? I"), ModelReplyError, "gave reasoning and no reply"),
        (Answer({"error": {"message": "oops"}}, 503, QUICK_RETRY), EngineUnavailableError, "answered 503: .*oops"),
        (refused("bad key", 401), EngineUnavailableError, "refuses the key, put yours into TREATISE_API_KEY"),
        (refused("no model m", 404), EngineUnavailableError, "check the URL"),
        (refused("the context is too long"), PromptRefusedError, "answered 400: .*context is too long"),
        (Answer(b"<html>hello</html>"), ModelReplyError, "expected a JSON object, found '<html>"),
        (Answer(b'{"choices": ['), ModelReplyError, "expected a JSON object"),
        (Answer([1]), ModelReplyError, "expected a JSON object"),
        (Answer({"choices": []}), ModelReplyError, "expected a chat completion"),
        (Answer({"choices": [{"message": None}]}), ModelReplyError, "expected a chat completion"),
        (said(None), ModelReplyError, "empty reply"),
        (said(""), ModelReplyError, "empty reply"),
        (said(["x"]), ModelReplyError, "empty reply"),
        (Answer(said("never whole").body, die=True), EngineUnavailableError, "cannot be reached"),
    ],
)
def test_a_failure_names_model_url_and_reason(
    serve: Serve, answer: Answer, kind: type[EngineError], message: str
) -> None:
    server = serve(lambda path, request: answer)
    error = failure(model(server))
    assert type(error) is kind
    assert str(error).startswith(f"m at {server.url}")
    with pytest.raises(kind, match=message):
        raise error


def test_one_failure_does_not_stop_the_others(serve: Serve) -> None:
    server = serve(lambda path, request: said("") if request["messages"][0]["content"] == "b" else said("yes"))
    replies = ask(model(server), "a", "b", "c")
    assert [type(reply) for reply in replies] == [Reply, ModelReplyError, Reply]


def test_a_server_that_hangs_is_given_up(serve: Serve) -> None:
    error = failure(model(serve(lambda path, request: Answer(hang=True)), timeout_s=0.1, max_retries=0))
    assert isinstance(error, EngineUnavailableError)
    assert "no answer within 0.1 s in 1 attempt:" in str(error)


def test_short_timeouts_leave_the_client_time_to_wait_and_to_say_what_the_server_answered(serve: Serve) -> None:
    failing = Answer(body={"error": {"message": "no memory"}}, status=500)
    error = failure(model(serve(lambda path, request: failing), timeout_s=0.2, max_retries=2))
    assert "answered 500" in str(error)
    assert "no memory" in str(error)


def test_a_server_that_is_not_there_is_named() -> None:
    error = failure(OpenAIChat(Endpoint("http://127.0.0.1:9/v1", "m", max_retries=0)))
    assert "m at http://127.0.0.1:9/v1 cannot be reached" in str(error)
    assert "is the server running?" in str(error)


def test_breaking_off_does_not_wait_for_what_is_in_flight(serve: Serve) -> None:
    server = serve(lambda path, request: Answer(hang=request["messages"][0]["content"] == "b", body=said("yes").body))
    replies = model(server, concurrency=2).chat([[Message("user", text)] for text in "ab"], max_tokens=9)
    assert next(replies)[0] == 0
    started = time.monotonic()
    replies.close()  # type: ignore[attr-defined]
    assert time.monotonic() - started < 2


def test_a_schema_is_asked_for(serve: Serve) -> None:
    server = serve(lambda path, request: said('{"a": 1}'))
    ask(model(server), "a", schema=SCHEMA)
    form = server.requests[0][1]["response_format"]
    assert form == {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True}}


def test_a_refused_schema_goes_into_the_prompt_from_then_on(serve: Serve) -> None:
    def respond(path: str, request: dict[str, Any]) -> Answer:
        return refused("response_format is not supported") if "response_format" in request else said('{"a": 1}')

    server = serve(respond)
    chat = model(server)
    assert ask(chat, "a", schema=SCHEMA) == [Reply('{"a": 1}', 7, 3)]
    assert len(server.requests) == 2
    assert server.requests[1][1]["messages"][0]["content"].endswith(json.dumps(SCHEMA))
    ask(chat, "b", schema=SCHEMA)
    assert len(server.requests) == 3


def test_options_that_a_server_does_not_know_are_left_out(serve: Serve) -> None:
    def respond(path: str, request: dict[str, Any]) -> Answer:
        if "seed" in request:
            return refused("[{'loc': ['body', 'seed'], 'msg': 'Extra inputs are not permitted'}]", 422)
        if "temperature" in request:
            return refused("Unsupported value: 'temperature' does not support 0 with this model.")
        if "max_tokens" in request:
            return refused("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
        return said("yes")

    server = serve(respond)
    assert ask(model(server), "a") == [Reply("yes", 7, 3)]
    asked = {"model": "m", "messages": [{"role": "user", "content": "a"}], "max_completion_tokens": 9}
    assert server.requests[-1][1] == asked


def test_the_only_model_of_a_server_need_not_be_named(serve: Serve) -> None:
    server = serve(lambda path, request: Answer({"data": [{"id": "llama"}]}))
    chat = OpenAIChat(Endpoint(server.url))
    assert chat.name == "openai-chat llama seed 0"
    assert server.requests[0][0] == "/v1/models"


def test_of_several_models_one_must_be_named(serve: Serve) -> None:
    server = serve(lambda path, request: Answer({"data": [{"id": "llama"}, {"id": "qwen"}]}))
    with pytest.raises(SettingsError, match="offers 2 models, name one of them: 'llama, qwen'"):
        OpenAIChat(Endpoint(server.url))


def test_a_list_of_models_that_is_none_is_named(serve: Serve) -> None:
    server = serve(lambda path, request: Answer({"models": []}))
    with pytest.raises(ModelReplyError, match="expected a list of models"):
        OpenAIChat(Endpoint(server.url))


def test_secrets_are_not_shown() -> None:
    endpoint = Endpoint("https://me:pass-word@host:8000/v1", "m", api_key="sk-secret")
    assert str(endpoint) == "m at https://host:8000/v1"
    assert "sk-secret" not in repr(endpoint)
    assert "pass-word" not in OpenAIChat(endpoint).name


KEY = "sk-verysecret/key"


@pytest.mark.parametrize(
    "answer",
    [
        Answer({"error": {"message": f"bad key Bearer {KEY}"}}, 401),
        Answer({"error": {"message": f"no model for {KEY}"}}, 404),
        Answer({"error": {"message": f"{KEY} is out of quota"}}, 429, {"Retry-After": "3600"}),
        Answer({"error": {"message": f"the prompt of {KEY}"}}, 400),
        Answer(f"<html>{KEY}</html>".encode()),
        Answer({"choices": [KEY]}),
        Answer({"choices": [{"message": {"content": f"Your key is {KEY}."}}]}),
        Answer(json.dumps({"choices": [{"message": {"content": KEY}}]}).replace("sk", "\\u0073k").encode()),
    ],
)
def test_a_key_that_the_server_repeats_is_shown_nowhere(serve: Serve, answer: Answer) -> None:
    server = serve(lambda path, request: answer)
    (result,) = ask(model(server, api_key=KEY, max_retries=0), "a")
    shown = "".join(traceback.format_exception(result)) if isinstance(result, Exception) else result.text
    assert "***" in shown
    assert KEY not in shown


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_request_follows_a_redirect_to_another_server(serve: Serve, status: int) -> None:
    other = serve(lambda path, request: said("stolen"))
    server = serve(lambda path, request: Answer({}, status, {"Location": f"{other.url}/chat/completions"}))
    assert "redirects to http://127.0.0.1" in str(failure(model(server)))
    assert other.requests == []


def test_a_redirect_within_a_server_is_followed(serve: Serve) -> None:
    def respond(path: str, request: dict[str, Any]) -> Answer:
        return said("moved") if path.startswith("/v2") else Answer({}, 307, {"Location": "/v2/chat/completions"})

    (reply,) = ask(model(serve(respond)), "a")
    assert isinstance(reply, Reply)
    assert reply.text == "moved"


def test_a_reply_without_end_is_cut(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_guard, "MAX_REPLY_BYTES", 1000)
    server = serve(lambda path, request: said("x" * 100_000))
    assert "expected a JSON object" in str(failure(model(server)))


@pytest.mark.parametrize("body", [b"[" * 200_000, b'{"a":' * 200_000, b'{"choices": ' + b"[" * 200_000])
def test_a_reply_nested_without_end_is_an_error_of_the_model(serve: Serve, body: bytes) -> None:
    server = serve(lambda path, request: Answer(body))
    assert "expected a JSON object" in str(failure(model(server)))


def test_a_far_date_to_retry_after_is_said(serve: Serve) -> None:
    server = serve(lambda path, request: Answer({}, 429, {"Retry-After": "Fri, 31 Dec 2100 23:59:59 GMT"}))
    assert "and asks for a wait of" in str(failure(model(server)))
    assert len(server.requests) == 1


@pytest.mark.parametrize("url", ["localhost:8000", "file:///x", "", "http://"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="is not the URL of a server"):
        Endpoint(url)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    chat = OpenAIChat(Endpoint("http://127.0.0.1:9/v1", "m"))
    with pytest.raises(MissingExtraError, match=r"pip install .*\[llm\]"):
        list(chat.chat([[Message("user", "a")]], max_tokens=9))
