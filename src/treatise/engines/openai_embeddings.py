"""An encoder behind any URL that speaks OpenAI's embeddings protocol."""

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from treatise.core.document import Span
from treatise.core.errors import EngineError, ModelReplyError
from treatise.core.ports import Progress
from treatise.core.vectors import Floats, unit_rows
from treatise.engines.openai_client import Endpoint, excerpt, in_parallel, only_model, parsed
from treatise.engines.pieces import halves

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

BATCH_SIZE: Final = 64
"""Texts per request."""

_TOO_LONG: Final = re.compile(r"too (long|large|big|many)|length|token|exceed|context", re.IGNORECASE)
"""Words in a server's refusal of texts that are too long for the model or for one request."""


class OpenAIEmbeddings:
    """An ``Encoder`` behind a URL; it does not read context.

    A text that the server refuses as too long is encoded in pieces, split at whitespace if there is any.

    Args:
        endpoint: The server and model; the model's name may be empty if the server has only one.

    Raises:
        EngineError: If no model is named and the server cannot be reached.
        SettingsError: If no model is named and the server offers several.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint if endpoint.model else replace(endpoint, model=only_model(endpoint))
        self._dim = 0

    @property
    def name(self) -> str:
        """Protocol, model and URL."""
        return f"openai-embeddings {self._endpoint}"

    @property
    def dim(self) -> int:
        """Length of a vector; requested from the server at the first use."""
        if self._dim == 0:
            self.encode(["dimension"])
        return self._dim

    @property
    def reads_context(self) -> bool:
        """False: the protocol has no token vectors."""
        return False

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """One L2-normalised row per text; see ``Encoder.encode``. A blank text, which servers refuse, gives a zero
        row.
        """
        filled = [i for i, text in enumerate(texts) if text.strip()]
        batches = [filled[at : at + BATCH_SIZE] for at in range(0, len(filled), BATCH_SIZE)]
        jobs = [partial(self._rows, [texts[i].strip() for i in batch]) for batch in batches]
        found: list[tuple[list[int], Floats]] = []
        n_done = len(texts) - len(filled)
        with closing(in_parallel(self._endpoint, jobs)) as results:
            for index, rows in results:
                if isinstance(rows, EngineError):
                    raise rows
                found.append((batches[index], rows))
                n_done += len(rows)
                if progress is not None:
                    progress(n_done, len(texts))
        return self._gathered(found, len(texts))

    def encode_questions(self, questions: Sequence[str]) -> Floats:
        """As ``encode``: the protocol does not distinguish questions."""
        return self.encode(questions)

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        """One L2-normalised row per span, of its own text; see ``Encoder.encode_in_context``."""
        pieces = [text[s.start : s.end] for text, within in zip(texts, spans, strict=True) for s in within]
        return self.encode(pieces, progress)

    def _gathered(self, found: list[tuple[list[int], Floats]], n_texts: int) -> Floats:
        """The rows of all batches in the order of the texts."""
        dims = {rows.shape[1] for _, rows in found} | ({self._dim} if self._dim else set())
        if len(dims) > 1:
            raise ModelReplyError(f"{self._endpoint} gave vectors of different lengths: {sorted(dims)}")
        self._dim = next(iter(dims), 0)
        matrix = np.zeros((n_texts, self.dim), dtype=np.float32)
        for batch, rows in found:
            matrix[batch] = rows
        return matrix

    async def _rows(self, texts: list[str], client: "AsyncOpenAI") -> Floats:
        """L2-normalised rows of texts, which are halved repeatedly if the server refuses their length."""
        import openai

        try:
            raw = await client.embeddings.with_raw_response.create(
                model=self._endpoint.model, input=texts, encoding_format="float"
            )
        except openai.APIStatusError as error:
            if not _is_too_long(error) or (len(texts) == 1 and len(texts[0]) == 1):
                raise
        else:
            return self._checked(parsed(self._endpoint, raw.text), len(texts))
        if len(texts) > 1:
            middle = len(texts) // 2
            return np.concatenate([await self._rows(half, client) for half in (texts[:middle], texts[middle:])])
        parts = halves(texts[0])
        rows = np.concatenate([await self._rows([part], client) for part in parts])
        return unit_rows(np.average(rows, axis=0, weights=[len(part) for part in parts], keepdims=True))

    def _checked(self, body: dict[str, Any], n_texts: int) -> Floats:
        """The vectors of a reply by their index. Shape ``(n_texts, dim)``, float32, L2-normalised."""
        try:
            data = sorted(body["data"], key=lambda item: item["index"])
            indices = [item["index"] for item in data]
            rows = np.array([item["embedding"] for item in data], dtype=np.float32)
        except (LookupError, TypeError, ValueError) as error:
            raise ModelReplyError(f"{self._endpoint}: expected vectors, found {excerpt(body)}") from error
        if indices != list(range(n_texts)):
            raise ModelReplyError(f"{self._endpoint}: expected {n_texts} vectors, found {len(indices)}")
        if rows.ndim != 2 or not rows.size or not np.isfinite(rows).all():
            raise ModelReplyError(f"{self._endpoint}: expected finite vectors of one length, found {excerpt(body)}")
        return unit_rows(rows)


def _is_too_long(error: "APIStatusError") -> bool:
    return error.status_code == 413 or (error.status_code in (400, 422) and bool(_TOO_LONG.search(str(error))))
