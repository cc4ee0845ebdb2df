"""A reranker behind any URL that speaks Cohere's and Jina's ``POST /rerank``: also vLLM, Infinity, LocalAI, …"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from treatise.core.errors import ModelReplyError
from treatise.core.printable import encodable
from treatise.engines.openai_client import Endpoint, excerpt, one, parsed

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_BLANK: Final = "-"
"""Replaces a blank text, which servers refuse."""


class RerankServer:
    """A ``Reranker`` behind a URL.

    All texts are sent in one request, ``{"model", "query", "documents", "top_n"}``. The reply must be ``{"results":
    [{"index", "relevance_score"}, ...]}`` with each index once. Texts longer than the model's window are handled by the
    server.

    Args:
        endpoint: Up to and including the version, as in ``https://api.jina.ai/v1``; the model may be empty.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    @property
    def name(self) -> str:
        """Protocol, model and URL."""
        return f"rerank {self._endpoint}"

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score per text; see ``Reranker.score``."""
        if not texts:
            return []
        documents = [encodable(text.strip()) or _BLANK for text in texts]
        body = {"query": encodable(question), "documents": documents, "top_n": len(texts)}
        if self._endpoint.model:
            body["model"] = self._endpoint.model

        async def posted(client: "AsyncOpenAI") -> str:
            reply: str = await client.post("/rerank", body=body, cast_to=str)
            return reply

        return self._checked(parsed(self._endpoint, one(self._endpoint, posted)), len(texts))

    def _checked(self, reply: dict[str, Any], n_texts: int) -> list[float]:
        """The scores of a reply in the order of the texts."""
        try:
            found = [(result["index"], float(result["relevance_score"])) for result in reply["results"]]
        except (LookupError, TypeError, ValueError) as error:
            raise ModelReplyError(
                f"{self._endpoint}: expected results with index and relevance_score, found {excerpt(reply)}"
            ) from error
        if sorted(index for index, _ in found if type(index) is int) != list(range(n_texts)) or len(found) != n_texts:
            raise ModelReplyError(
                f"{self._endpoint}: expected a score for each of {n_texts} passages once, found {len(found)} for "
                f"{excerpt(sorted({str(index) for index, _ in found}))}"
            )
        return [score for _, score in sorted(found)]
