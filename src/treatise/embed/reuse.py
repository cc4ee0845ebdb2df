"""Reuse of vectors from an earlier index, so that an edit encodes only the changed text."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import numpy as np

from treatise.core.document import Span
from treatise.core.indexed import IndexedDocument
from treatise.core.note import EXTRACTS
from treatise.core.ports import Encoder, Progress, TokenCounter
from treatise.core.recipe import Indexing, Pooled, QuotedLeaves
from treatise.core.vectors import Floats
from treatise.core.words import n_tokens
from treatise.embed.large_tables import Cells, rows_by_cells
from treatise.embed.leaves import contexts, search_texts, units_beside

_Context = tuple[str, tuple[Span, ...]]


class OuterEncoder:
    """Base class of encoders that wrap another one.

    Args:
        encoder: The wrapped encoder.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    @property
    def name(self) -> str:
        """Name of the wrapped encoder, whose vectors it returns."""
        return self._encoder.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._encoder.dim

    @property
    def reads_context(self) -> bool:
        """Whether the wrapped encoder does."""
        return self._encoder.reads_context

    def n_tokens(self, texts: Sequence[str]) -> list[int]:
        """Counts of the wrapped encoder, or estimates if it cannot count. See ``TokenCounter``."""
        inside = self._encoder
        return inside.n_tokens(texts) if isinstance(inside, TokenCounter) else [n_tokens(text) for text in texts]


class ReusingEncoder(OuterEncoder):
    """``core.ports.Encoder`` that takes the vectors of known texts from earlier indexes.

    Indexes store float16, so reused vectors have that precision.

    Args:
        encoder: Encodes the other texts; must be the encoder of these indexes.
        before: Earlier indexes.
        indexing: The settings of these indexes. A mixture of own and contextual vectors cannot be separated: its leaves
            are encoded again.
    """

    def __init__(self, encoder: Encoder, before: Iterable[IndexedDocument], indexing: Indexing) -> None:
        super().__init__(encoder)
        self._own: dict[str, Floats] = {}
        self._in_context: dict[_Context, Floats] = {}
        self._of_cells: dict[Cells, Floats] = {}
        for indexed in before:
            self._learn(indexed, indexing)

    @property
    def rows(self) -> Mapping[Cells, Floats]:
        """See ``KnowsRows``."""
        return self._of_cells

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """See ``core.ports.Encoder``."""
        lacking = [text for text in texts if text not in self._own]
        made = iter(self._encoder.encode(lacking, progress) if lacking else ())
        return self._rows([self._own[text] if text in self._own else next(made) for text in texts])

    def encode_questions(self, questions: Sequence[str]) -> Floats:
        """See ``core.ports.Encoder``."""
        return self._encoder.encode_questions(questions)

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        """See ``core.ports.Encoder``."""
        asked = [(text, tuple(of_text)) for text, of_text in zip(texts, spans, strict=True)]
        lacking = [context for context in asked if context not in self._in_context]
        texts_lacking, spans_lacking = [text for text, _ in lacking], [of_text for _, of_text in lacking]
        made = iter(self._encoder.encode_in_context(texts_lacking, spans_lacking, progress) if lacking else ())
        rows: list[Floats] = []
        for context in asked:
            known = self._in_context.get(context)
            rows.extend(islice(made, len(context[1])) if known is None else known)
        return self._rows(rows)

    def _rows(self, rows: Sequence[Floats]) -> Floats:
        return np.stack(rows) if rows else np.zeros((0, self.dim), dtype=np.float32)

    def _learn(self, indexed: IndexedDocument, indexing: Indexing) -> None:
        document, tree = indexed.document, indexed.tree
        vectors = indexed.vectors.astype(np.float32, copy=False)
        leaves = vectors[tree.leaf_nodes]
        rows = rows_by_cells(document, indexed.units)
        self._of_cells.update((cells, leaves[number]) for number, cells in rows.items())
        units = units_beside(rows, indexed.units)
        leaves = np.delete(leaves, list(rows), axis=0) if rows else leaves
        if indexing.context_weight == 0:
            texts = search_texts(document, units)
            self._own.update(zip(texts, leaves, strict=True))
        elif indexing.context_weight == 1:
            at = 0
            for text, spans in zip(*contexts(document, units), strict=True):
                self._in_context[text, tuple(spans)] = leaves[at : at + len(spans)]
                at += len(spans)
        if not isinstance(indexing.node_vectors, Pooled):
            inner = (node for node in range(len(vectors)) if len(indexed.units_under(node)) > 1)
            if isinstance(indexing.node_vectors, QuotedLeaves):
                inner = (node for node in inner if indexed.notes[node].origin not in EXTRACTS)
            self._own.update((indexed.notes[node].text, vectors[node]) for node in inner)
