"""A reranker behind a URL, and all that can go wrong on the way."""

from collections.abc import Callable
from typing import Any

import pytest

from treatise.core.errors import EngineError, EngineUnavailableError, ModelReplyError
from treatise.engines.openai_client import Endpoint
from treatise.engines.rerank_server import RerankServer
from treatise.testing import ScriptedReranker, check_reranker

from .conftest import QUICK_RETRY, Answer, Respond, Server

Serve = Callable[[Respond], Server]


def reranked(path: str, request: dict[str, Any]) -> Answer:
    """Best first, as the vendors have it: what counts is the index."""
    if not all(text.strip() for text in request["documents"]):
        return Answer({"message": "documents must not be empty"}, 400)
    scores = ScriptedReranker().score(request["query"], request["documents"])
    results = [{"index": i, "relevance_score": score} for i, score in enumerate(scores)]
    return Answer({"id": "x", "results": sorted(results, key=lambda r: -r["relevance_score"]), "meta": {}})


def reranker(server: Server, **options: Any) -> RerankServer:
    return RerankServer(Endpoint(server.url, "rerank-1", **{"timeout_s": 5.0, "max_retries": 1, **options}))


def results(*found: tuple[object, object]) -> Answer:
    return Answer({"results": [{"index": index, "relevance_score": score} for index, score in found]})


def test_it_keeps_the_contract(serve: Serve) -> None:
    server = serve(reranked)
    check_reranker(lambda: reranker(server))
    assert {path for path, _ in server.requests} == {"/v1/rerank"}


def test_it_asks_as_the_vendors_want_it(serve: Serve) -> None:
    server = serve(reranked)
    asked = reranker(server, api_key="secret")
    assert list(asked.score("tea water", ["coffee", "tea water", "tea"])) == [0.0, 2.0, 1.0]
    ((_, request),) = server.requests
    assert request == {
        "model": "rerank-1",
        "query": "tea water",
        "documents": ["coffee", "tea water", "tea"],
        "top_n": 3,
    }
    assert server.keys == ["Bearer secret"]
    assert "secret" not in asked.name


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (results((0, 0.5)), "each of 2 passages"),
        (results((0, 0.5), (0, 0.4)), "each of 2 passages"),
        (results((0, 0.5), (1, 0.4), (1, 0.3)), "each of 2 passages"),
        (results((0, 0.5), (2, 0.4)), "each of 2 passages"),
        (results((0, 0.5), ("1", 0.4)), "each of 2 passages"),
        (results((0, 0.5), (1, None)), "expected results"),
        (Answer({"data": []}), "expected results"),
        (Answer([1, 2]), "JSON object"),
        (Answer(b"<html>"), "JSON object"),
        (Answer(b"[" * 200_000), "JSON object"),
        (Answer(b'{"results": ' * 100_000), "JSON object"),
    ],
)
def test_a_reply_that_does_not_fit_is_refused(serve: Serve, answer: Answer, says: str) -> None:
    with pytest.raises(ModelReplyError, match=says):
        reranker(serve(lambda path, request: answer)).score("q", ["a", "b"])


def test_a_server_that_hangs_is_given_up(serve: Serve) -> None:
    with pytest.raises(EngineUnavailableError, match="no answer within"):
        reranker(serve(lambda path, request: Answer(hang=True)), timeout_s=0.2, max_retries=0).score("q", ["a"])


def test_an_overloaded_server_is_asked_again(serve: Serve) -> None:
    left = [Answer({"message": "slow down"}, 429, QUICK_RETRY)]
    server = serve(lambda path, request: left.pop() if left else reranked(path, request))
    assert list(reranker(server).score("a", ["a", "b"])) == [1.0, 0.0]


def test_a_missing_endpoint_and_a_refused_key_are_named(serve: Serve) -> None:
    for status, says in ((404, "is not there"), (401, "refuses the key")):
        with pytest.raises(EngineError, match=says):
            reranker(serve(lambda path, request, status=status: Answer({"message": "no"}, status))).score("q", ["a"])
