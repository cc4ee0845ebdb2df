"""An encoder behind a URL, and all that can go wrong on the way."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from treatise.core.document import Span
from treatise.core.errors import EngineError, EngineUnavailableError, ModelReplyError
from treatise.engines import openai_embeddings
from treatise.engines.openai_client import Endpoint
from treatise.engines.openai_embeddings import OpenAIEmbeddings
from treatise.testing import HashingEncoder, check_encoder

from .conftest import QUICK_RETRY, Answer, Respond, Server

Serve = Callable[[Respond], Server]
DIM = 16


def vectors(texts: list[str]) -> Answer:
    """Vectors of a hashing encoder, in reverse: what counts is the index."""
    rows = 3 * HashingEncoder(DIM).encode(texts)
    data = [{"index": i, "embedding": row.tolist()} for i, row in enumerate(rows)]
    return Answer({"data": data[::-1], "usage": {"prompt_tokens": 1}})


def embed(path: str, request: dict[str, Any]) -> Answer:
    if "" in request["input"]:
        return Answer({"error": {"message": "'$.input' is invalid"}}, 400)
    return vectors(request["input"])


def encoder(server: Server, **options: Any) -> OpenAIEmbeddings:
    return OpenAIEmbeddings(Endpoint(server.url, "m", **{"timeout_s": 5.0, "max_retries": 1, **options}))


def test_it_keeps_the_contract(serve: Serve) -> None:
    server = serve(embed)
    check_encoder(lambda: encoder(server))
    assert {path for path, _ in server.requests} == {"/v1/embeddings"}


def test_the_length_of_a_vector_is_found_out_once(serve: Serve) -> None:
    server = serve(embed)
    asked = encoder(server)
    assert (asked.dim, asked.dim) == (DIM, DIM)
    assert len(server.requests) == 1


def test_batches_come_back_in_the_order_of_the_texts(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_embeddings, "BATCH_SIZE", 3)

    def respond(path: str, request: dict[str, Any]) -> Answer:
        time.sleep(0.05 if "text 0" in request["input"] else 0)
        return vectors(request["input"])

    texts = [f"text {number}" for number in range(10)]
    done: list[int] = []
    rows = encoder(serve(respond)).encode(texts, progress=lambda n, total: done.append(n))
    assert np.allclose(rows, HashingEncoder(DIM).encode(texts), atol=1e-6)
    assert done == sorted(done)
    assert done[-1] == 10


def test_a_span_is_encoded_on_its_own(serve: Serve) -> None:
    rows = encoder(serve(embed)).encode_in_context(["one two", "three"], [[Span(0, 3), Span(4, 7)], [Span(0, 5)]])
    assert np.allclose(rows, HashingEncoder(DIM).encode(["one", "two", "three"]), atol=1e-6)


@pytest.mark.parametrize("text", ["word " * 1000, "字" * 5000], ids=["words", "no white space"])
def test_a_text_that_is_refused_as_too_long_is_encoded_in_pieces(serve: Serve, text: str) -> None:
    seen: list[str] = []

    def respond(path: str, request: dict[str, Any]) -> Answer:
        if max(map(len, request["input"])) > 800:
            return Answer({"error": {"message": "This model's maximum context length is 200 tokens"}}, 400)
        seen.extend(request["input"])
        return vectors(request["input"])

    rows = encoder(serve(respond)).encode(["short", text, "brief"])
    assert np.allclose(rows[[0, 2]], HashingEncoder(DIM).encode(["short", "brief"]), atol=1e-6)
    assert np.linalg.norm(rows[1]) == pytest.approx(1, abs=1e-3)
    pieces = [piece for piece in seen if piece not in ("short", "brief")]
    assert "".join(" ".join(pieces).split()) == "".join(text.split())


def test_trouble_that_passes_is_retried(serve: Serve) -> None:
    answers = [
        Answer({"error": {"message": "slow down"}}, 429, {"Retry-After": "0.05"}),
        Answer({"error": {"message": "oops"}}, 500, QUICK_RETRY),
        vectors(["a"]),
    ]
    server = serve(lambda path, request: answers.pop(0))
    assert encoder(server, max_retries=2).encode(["a"]).shape == (1, DIM)


def one_vector(index: int, *values: Any) -> dict[str, Any]:
    return {"index": index, "embedding": list(values)}


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (Answer(b"{"), ModelReplyError, "expected a JSON object"),
        (Answer({"object": "list"}), ModelReplyError, "expected vectors, found"),
        (Answer({"data": [one_vector(0, 1.0)]}), ModelReplyError, "expected 2 vectors, found 1"),
        (Answer({"data": [one_vector(0, 1.0), one_vector(0, 1.0)]}), ModelReplyError, "expected 2 vectors, found 2"),
        (Answer({"data": [one_vector(0, 1.0), one_vector(1, 1.0, 2.0)]}), ModelReplyError, "expected vectors"),
        (Answer({"data": [one_vector(0), one_vector(1)]}), ModelReplyError, "expected finite vectors"),
        (
            Answer({"data": [one_vector(0, 1.0), one_vector(1, float("nan"))]}),
            ModelReplyError,
            "expected finite vectors",
        ),
        (Answer({"data": [one_vector(0, 1.0), one_vector(1, "x")]}), ModelReplyError, "expected vectors"),
        (Answer({"error": {"message": "no"}}, 404), EngineUnavailableError, "check the URL"),
        (
            Answer({"error": {"message": "bad dimensions"}}, 400),
            EngineUnavailableError,
            "answered 400: .*bad dimensions",
        ),
        (Answer({"error": {"message": "too many tokens"}}, 400), EngineUnavailableError, "answered 400"),
    ],
)
def test_a_failure_names_model_url_and_reason(
    serve: Serve, answer: Answer, kind: type[EngineError], message: str
) -> None:
    server = serve(lambda path, request: answer)
    with pytest.raises(kind, match=message) as raised:
        encoder(server).encode(["a", "b"])
    assert str(raised.value).startswith(f"m at {server.url}")


def test_vectors_that_change_their_length_are_refused(serve: Serve) -> None:
    answers = [[one_vector(0, 1.0)], [one_vector(0, 1.0, 2.0)]]
    changing = encoder(serve(lambda path, request: Answer({"data": answers.pop(0)})))
    changing.encode(["a"])
    with pytest.raises(ModelReplyError, match=r"different lengths: \[1, 2\]"):
        changing.encode(["a"])


def test_the_only_model_of_a_server_need_not_be_named(serve: Serve) -> None:
    server = serve(lambda path, request: Answer({"data": [{"id": "e5"}]}))
    assert OpenAIEmbeddings(Endpoint(server.url)).name == f"openai-embeddings e5 at {server.url}"
