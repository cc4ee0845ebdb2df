"""Segments of a library's index: the vectors and postings of the leaves of some documents, as plain arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from treatise.core.indexed import IndexedDocument
from treatise.core.vectors import Floats
from treatise.retrieve.outline import outline
from treatise.retrieve.prior import opening

WORD_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class Segment:
    """The leaves of some documents, in order. A row is a leaf.

    Attributes:
        ids: Ids of the documents. Shape ``(n_documents,)``, bytes.
        languages: Their languages. Shape ``(n_documents,)``, bytes.
        openings: The direction of each document's first leaves. Shape ``(n_documents, dim)``, float16.
        starts: First row of each document, and the number of rows. Shape ``(n_documents + 1,)``, int64.
        vectors: The rows' vectors, each divided by its scale and rounded. Shape ``(n_rows, dim)``, int8.
        scales: Shape ``(n_rows,)``, float32.
        codes: One bit per component: whether it is positive. Shape ``(dim / 64 rounded up, n_rows)``, uint64: a scan
            takes less than half the time than over rows of six words.
        headings: Position in its document of each row's heading, -1 if absent. Shape ``(n_rows,)``, int32.
        lengths: Terms of each row, with repeats. Shape ``(n_rows,)``, int32.
        terms: Sorted hashes of the distinct terms. Shape ``(n_terms,)``, uint64.
        term_starts: First posting of each term, and the number of postings. Shape ``(n_terms + 1,)``, int64.
        rows: Row of each posting, ascending within a term. Shape ``(n_postings,)``, int32.
        counts: Occurrences of the term in that row. Shape ``(n_postings,)``, uint16.
    """

    ids: npt.NDArray[np.bytes_]
    languages: npt.NDArray[np.bytes_]
    openings: npt.NDArray[np.float16]
    starts: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.int8]
    scales: Floats
    codes: npt.NDArray[np.uint64]
    headings: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int32]
    terms: npt.NDArray[np.uint64]
    term_starts: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint16]

    def __post_init__(self) -> None:
        n_rows = len(self.vectors)
        if not (
            len(self.starts) == len(self.ids) + 1 == len(self.languages) + 1 == len(self.openings) + 1
            and int(self.starts[-1])
            == n_rows
            == len(self.scales)
            == self.codes.shape[1]
            == len(self.headings)
            == len(self.lengths)
            and len(self.term_starts) == len(self.terms) + 1
            and int(self.term_starts[-1]) == len(self.rows) == len(self.counts)
        ):
            raise ValueError("the arrays of a segment do not fit together")

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> "Segment":
        """The inverse of ``arrays``.

        Raises:
            ValueError: If arrays are missing or do not fit together.
        """
        names = [field.name for field in fields(cls)]
        if missing := [name for name in names if name not in arrays]:
            raise ValueError(f"a segment lacks {', '.join(missing)}")
        return cls(**{name: arrays[name] for name in names})


def segment_of(indexed: Sequence[IndexedDocument]) -> Segment:
    """The segment of documents, at least one, whose vectors have one dimension."""
    vectors = np.concatenate([one.vectors[one.tree.leaf_nodes].astype(np.float32) for one in indexed])
    scales = np.maximum(np.abs(vectors).max(axis=1, initial=1e-9), 1e-9) / 127
    starts = np.concatenate([[0], np.cumsum([len(one.units) for one in indexed])]).astype(np.int64)
    lexicons = [one.lexicon for one in indexed]
    terms, term_starts, rows, counts = _merged(
        [(lexicon.terms, lexicon.starts, lexicon.units, lexicon.counts) for lexicon in lexicons], starts[:-1]
    )
    return Segment(
        ids=np.array([one.document.id.encode() for one in indexed]),
        languages=np.array([one.document.language.encode() for one in indexed]),
        openings=np.stack([opening(one) for one in indexed]).astype(np.float16),
        starts=starts,
        vectors=np.rint(vectors / scales[:, None]).astype(np.int8),
        scales=scales.astype(np.float32),
        codes=np.ascontiguousarray(codes_of(vectors).T),
        headings=np.concatenate([outline(one).heading for one in indexed]).astype(np.int32),
        lengths=np.concatenate([lexicon.lengths for lexicon in lexicons]).astype(np.int32),
        terms=terms,
        term_starts=term_starts,
        rows=rows,
        counts=counts,
    )


def merge(segments: Sequence[Segment], is_kept: Sequence[npt.NDArray[np.bool_]]) -> Segment:
    """One segment of the documents that are kept (one array per segment, one value per document)."""
    return _joined([_without(one, kept) for one, kept in zip(segments, is_kept, strict=True)])


def codes_of(vectors: Floats) -> npt.NDArray[np.uint64]:
    """One bit per component: whether it is positive. Shape ``(n, dim / 64 rounded up)``."""
    n_words = -(-vectors.shape[1] // WORD_BITS)
    packed = np.packbits(vectors > 0, axis=1)
    padded = np.zeros((len(vectors), n_words * WORD_BITS // 8), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)


def _without(one: Segment, kept: npt.NDArray[np.bool_]) -> Segment:
    """The segment of the kept documents alone."""
    if kept.all():
        return one
    sizes = np.diff(one.starts)
    row_kept = np.repeat(kept, sizes)
    new_row = np.cumsum(row_kept) - 1
    posting_kept = row_kept[one.rows]
    term_of = np.repeat(np.arange(len(one.terms)), np.diff(one.term_starts))[posting_kept]
    n_of_term = np.bincount(term_of, minlength=len(one.terms))
    used = n_of_term > 0
    return Segment(
        ids=one.ids[kept],
        languages=one.languages[kept],
        openings=one.openings[kept],
        starts=np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64),
        vectors=one.vectors[row_kept],
        scales=one.scales[row_kept],
        codes=one.codes[:, row_kept],
        headings=one.headings[row_kept],
        lengths=one.lengths[row_kept],
        terms=one.terms[used],
        term_starts=np.concatenate([[0], np.cumsum(n_of_term[used])]).astype(np.int64),
        rows=new_row[one.rows[posting_kept]].astype(np.int32),
        counts=one.counts[posting_kept],
    )


def _joined(segments: Sequence[Segment]) -> Segment:
    offsets = np.concatenate([[0], np.cumsum([len(one.vectors) for one in segments])]).astype(np.int64)
    parts = [(one.terms, one.term_starts, one.rows, one.counts) for one in segments]
    terms, term_starts, rows, counts = _merged(parts, offsets[:-1])
    return Segment(
        ids=np.concatenate([one.ids for one in segments]),
        languages=np.concatenate([one.languages for one in segments]),
        openings=np.concatenate([one.openings for one in segments]),
        starts=np.append(
            np.concatenate([one.starts[:-1] + at for one, at in zip(segments, offsets[:-1], strict=True)]), offsets[-1]
        ),
        vectors=np.concatenate([one.vectors for one in segments]),
        scales=np.concatenate([one.scales for one in segments]),
        codes=np.concatenate([one.codes for one in segments], axis=1),
        headings=np.concatenate([one.headings for one in segments]),
        lengths=np.concatenate([one.lengths for one in segments]),
        terms=terms,
        term_starts=term_starts,
        rows=rows,
        counts=counts,
    )


def _merged(
    parts: Sequence[tuple[npt.NDArray[Any], ...]], offsets: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.uint16]]:
    """Terms, starts, rows and counts of postings together; the rows of each part move by its offset."""
    of_postings = np.concatenate([np.repeat(terms, np.diff(starts)) for terms, starts, _, _ in parts])
    rows = np.concatenate([rows + at for (_, _, rows, _), at in zip(parts, offsets, strict=True)])
    counts = np.concatenate([counts for _, _, _, counts in parts])
    order = np.argsort(of_postings, kind="stable")  # parts are in row order, so rows stay ascending within a term
    terms, n_of_term = np.unique(of_postings, return_counts=True)
    term_starts = np.concatenate([[0], np.cumsum(n_of_term)]).astype(np.int64)
    return terms.astype(np.uint64), term_starts, rows[order].astype(np.int32), counts[order].astype(np.uint16)
