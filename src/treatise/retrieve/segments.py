"""Segments of a library's index: the vectors and postings of the leaves of some documents, as plain arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from treatise.core.indexed import IndexedDocument
from treatise.core.vectors import Floats
from treatise.retrieve.outline import outline
from treatise.retrieve.prior import opening
from treatise.retrieve.repeats import wording_of
from treatise.retrieve.row_sums import CheckedRows, Sums, row_sums
from treatise.retrieve.signs import N_BITS, Codes, Planes
from treatise.retrieve.table_heads import table_heads

MIN_CODED: Final = 20_000
"""A merged segment of so many rows gets codes; those of a smaller one are all compared."""

N_SAMPLED: Final = 8_192
"""Leaves from which the scale of the cosines is estimated, evenly spread; all of a smaller library."""

_N_PLANED: Final = 40_000
"""Rows from which planes are made."""

_TOGETHER: Final = 16_384
"""Rows that are coded together: 25 MB."""

_IN_CACHE: Final = 256
"""Rows that are widened at a time: their floats stay in the processor's cache."""

_SHORTEST: Final = 1e-3
"""Vectors that cancel each other have no direction together."""

_MIN_AGREEMENT: Final = 0.99
"""Mean cosine of the nodes' vectors with the means of their leaves, which half floats lower by less than .001."""


_OF_DOCUMENTS: Final = ("ids", "languages", "openings", "is_pooled")
_OF_ROWS: Final = ("vectors", "scales", "sums", "is_guide", "n_words", "texts", "headings", "lengths")
_OF_NODES: Final = ("ranges", "lengths_of_means")
"""Arrays with one entry per document, row and node."""


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
        sums: Checksums of the rows' vectors, each compared when its row is first read. Shape ``(n_rows,)``, uint64.
        sample: Vectors of ``sampled(n_rows)`` rows, side by side, with codes only. Shape ``(N_SAMPLED, dim)``, int8.
        centre, normals: The planes of the codes; see ``Planes``. Of no length without codes.
        codes: The sides of these planes; see ``Codes``. Of no rows in a segment that was not merged: it is small.
        node_starts: First node of each document, and the number of nodes. Shape ``(n_documents + 1,)``, int64.
        ranges: Leaves of its document that each node covers, half-open, in post-order. Shape ``(n_nodes, 2)``, int32.
        lengths_of_means: Length of the mean of the vectors of each node's leaves. Shape ``(n_nodes,)``, float32.
        is_pooled: Whether the vectors of a document's inner nodes are these means, scaled. Shape ``(n_documents,)``.
        is_guide: Whether a row is a heading or a head of a table. Shape ``(n_rows,)``.
        n_words: Words of each row. Shape ``(n_rows,)``, int32.
        texts: Hash of each row's wording, 0 if it is too short to be a repeat. Shape ``(n_rows,)``, uint64.
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
    sums: Sums
    sample: npt.NDArray[np.int8]
    centre: Floats
    normals: Floats
    codes: Codes
    node_starts: npt.NDArray[np.int64]
    ranges: npt.NDArray[np.int32]
    lengths_of_means: Floats
    is_pooled: npt.NDArray[np.bool_]
    is_guide: npt.NDArray[np.bool_]
    n_words: npt.NDArray[np.int32]
    texts: npt.NDArray[np.uint64]
    headings: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int32]
    terms: npt.NDArray[np.uint64]
    term_starts: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint16]
    _checked: CheckedRows = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        n_documents, n_rows = len(self.ids), len(self.vectors)
        sizes = (
            (("starts", "node_starts"), n_documents + 1),
            (_OF_DOCUMENTS, n_documents),
            (_OF_ROWS, n_rows),
            (_OF_NODES, _last(self.node_starts)),
            (("term_starts",), len(self.terms) + 1),
            (("rows", "counts"), _last(self.term_starts)),
        )
        fits = all(len(getattr(self, name)) == size for names, size in sizes for name in names)
        if not fits or _last(self.starts) != n_rows or self.codes.shape[1] not in (0, n_rows):
            raise ValueError("the arrays of a segment do not fit together")
        object.__setattr__(self, "_checked", CheckedRows(self.vectors, self.sums))

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays by name."""
        return {name: getattr(self, name) for name in _names()}

    def read(self, rows: slice | npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
        """The rounded vectors of rows; nothing else reads them, except to copy them with their checksums.

        Raises:
            DamagedRowsError: If a row differs from its checksum.
        """
        return self._checked[rows]

    def cosines(self, rows: slice | npt.NDArray[np.int64], vector: Floats) -> Floats:
        """The cosines of rows with a vector; raises as ``read``. Shape ``(n,)``."""
        vectors, found = self.read(rows), self.scales[rows].copy()
        for first in range(0, len(found), _IN_CACHE):
            here = slice(first, first + _IN_CACHE)
            found[here] *= vectors[here].astype(np.float32) @ vector
        return found

    @property
    def planes(self) -> Planes:
        """The planes of the codes, if there are any."""
        return Planes(self.centre, self.normals)

    def floats(self, rows: slice | npt.NDArray[np.int64]) -> Floats:
        """The vectors of rows; raises as ``read``. Shape ``(n, dim)``."""
        found = self.read(rows).astype(np.float32)
        found *= self.scales[rows, None]
        return found

    @property
    def sampled_floats(self) -> Floats:
        """The vectors of the sample, read without the others. Shape ``(N_SAMPLED, dim)``; of no rows without codes."""
        found = self.sample.astype(np.float32)
        found *= self.scales[sampled(len(self.vectors))[: len(found)], None]
        return found

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> "Segment":
        """The inverse of ``arrays``.

        Raises:
            ValueError: If arrays are missing or do not fit together.
        """
        names = _names()
        if missing := [name for name in names if name not in arrays]:
            raise ValueError(f"a segment lacks {', '.join(missing)}")
        return cls(**{name: arrays[name] for name in names})


def _last(starts: npt.NDArray[np.int64]) -> int:
    """The last of the starts; 0 if there is none."""
    return int(starts[-1:].sum())


def _names() -> list[str]:
    """The names of a segment's arrays."""
    return [one.name for one in fields(Segment) if one.init]


def sampled(n_rows: int) -> npt.NDArray[np.int64]:
    """``N_SAMPLED`` of so many rows, evenly spread; all if there are no more."""
    if n_rows <= N_SAMPLED:
        return np.arange(n_rows)
    return np.linspace(0, n_rows - 1, N_SAMPLED).astype(np.int64)


_UNCODED: Final[dict[str, npt.NDArray[Any]]] = {
    "sample": np.zeros((0, 0), dtype=np.int8),
    "centre": np.zeros(0, dtype=np.float32),
    "normals": np.zeros((0, N_BITS), dtype=np.float32),
    "codes": np.zeros((N_BITS // 64, 0), dtype=np.uint64),
}

Place = tuple[Segment, slice, slice]
"""The segment of a document, its rows in this segment, and its rows in all of them."""


def segment_of(indexed: Sequence[IndexedDocument]) -> Segment:
    """The segment of documents, at least one, whose vectors have one dimension."""
    vectors = np.concatenate([one.vectors[one.tree.leaf_nodes].astype(np.float32) for one in indexed])
    scales = np.maximum(np.abs(vectors).max(axis=1, initial=1e-9), 1e-9) / 127
    rounded = np.rint(vectors / scales[:, None]).astype(np.int8)
    starts = np.concatenate([[0], np.cumsum([len(one.units) for one in indexed])]).astype(np.int64)
    lexicons = [one.lexicon for one in indexed]
    terms, term_starts, rows, counts = _merged(
        [(lexicon.terms, lexicon.starts, lexicon.units, lexicon.counts) for lexicon in lexicons], starts[:-1]
    )
    outlines = [outline(one) for one in indexed]
    guides = [at.is_heading | table_heads(one).is_head for one, at in zip(indexed, outlines, strict=True)]
    leaves = [[one.document.quote(unit.start, unit.end) for unit in one.units] for one in indexed]
    pooled = [_pooled(one) for one in indexed]
    return Segment(
        ids=np.array([one.document.id.encode() for one in indexed]),
        languages=np.array([one.document.language.encode() for one in indexed]),
        openings=np.stack([opening(one) for one in indexed]).astype(np.float16),
        starts=starts,
        vectors=rounded,
        scales=scales.astype(np.float32),
        sums=row_sums(rounded),
        **_UNCODED,
        node_starts=np.concatenate([[0], np.cumsum([len(one.tree.nodes) for one in indexed])]).astype(np.int64),
        ranges=np.concatenate([one.tree.ranges for one in indexed]).astype(np.int32),
        lengths_of_means=np.concatenate([lengths for lengths, _ in pooled]),
        is_pooled=np.array([is_pooled for _, is_pooled in pooled]),
        is_guide=np.concatenate(guides),
        n_words=np.array([len(text.split()) for texts in leaves for text in texts], dtype=np.int32),
        texts=np.array([_text_hash(text) for texts in leaves for text in texts], dtype=np.uint64),
        headings=np.concatenate([at.heading for at in outlines]).astype(np.int32),
        lengths=np.concatenate([lexicon.lengths for lexicon in lexicons]).astype(np.int32),
        terms=terms,
        term_starts=term_starts,
        rows=rows,
        counts=counts,
    )


def _pooled(indexed: IndexedDocument) -> tuple[Floats, bool]:
    """The length of the mean of each node's leaves, and whether the vectors have its direction."""
    tree = indexed.tree
    vectors = indexed.vectors[: len(tree.nodes)].astype(np.float32)
    leaves = vectors[tree.leaf_nodes]
    running = np.concatenate([np.zeros((1, leaves.shape[1]), np.float32), np.cumsum(leaves, axis=0, dtype=np.float32)])
    start, end = tree.ranges.T
    means = (running[end] - running[start]) / (end - start)[:, None]
    lengths = np.maximum(np.linalg.norm(means, axis=1), _SHORTEST).astype(np.float32)
    agreement = np.einsum("ij,ij->i", means, vectors) / lengths
    return lengths, bool(agreement.mean() > _MIN_AGREEMENT)


def _text_hash(text: str) -> int:
    wording = wording_of(text).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(wording, digest_size=8).digest(), "little") if wording else 0


def merge(segments: Sequence[Segment], is_kept: Sequence[npt.NDArray[np.bool_]]) -> Segment:
    """One segment of the documents that are kept (one array per segment, one value per document)."""
    parts = [_without(one, kept) for one, kept in zip(segments, is_kept, strict=True)]
    joined = _joined(parts)
    return _coded(joined, parts) if len(joined.vectors) >= MIN_CODED else joined


def _coded(one: Segment, parts: Sequence[Segment]) -> Segment:
    """The segment with the codes of its rows; those of a part with half of the rows or more are kept."""
    kept = next((part for part in parts if 2 * part.codes.shape[1] >= len(one.vectors)), None)
    sample = np.linspace(0, len(one.vectors) - 1, min(len(one.vectors), _N_PLANED)).astype(np.int64)
    planes = kept.planes if kept else Planes.of(one.floats(sample))
    codes = [
        planes.codes(part.floats(slice(first, first + _TOGETHER)))
        for part in parts
        if part is not kept
        for first in range(0, len(part.vectors), _TOGETHER)
    ]
    if kept:
        n_before = sum(len(part.vectors) for part in parts[: [part is kept for part in parts].index(True)])
        others = np.concatenate([kept.codes[:, :0], *codes], axis=1)
        codes = [others[:, :n_before], kept.codes, others[:, n_before:]]
    return replace(
        one,
        sample=one.read(sampled(len(one.vectors))),
        centre=planes.centre,
        normals=planes.normals,
        codes=np.concatenate(codes, axis=1),
    )


def _without(one: Segment, kept: npt.NDArray[np.bool_]) -> Segment:
    """The segment of the kept documents alone."""
    if kept.all():
        return one
    sizes = np.diff(one.starts)
    row_kept = np.repeat(kept, sizes)
    node_sizes = np.diff(one.node_starts)
    node_kept = np.repeat(kept, node_sizes)
    new_row = np.cumsum(row_kept) - 1
    posting_kept = row_kept[one.rows]
    term_of = np.repeat(np.arange(len(one.terms)), np.diff(one.term_starts))[posting_kept]
    n_of_term = np.bincount(term_of, minlength=len(one.terms))
    used = n_of_term > 0
    kept_of = ((_OF_DOCUMENTS, kept), (_OF_ROWS, row_kept), (_OF_NODES, node_kept))
    return Segment(
        **{name: getattr(one, name)[some] for names, some in kept_of for name in names},
        starts=np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64),
        sample=_UNCODED["sample"],
        centre=one.centre,
        normals=one.normals,
        codes=one.codes[:, row_kept] if one.codes.size else one.codes,
        node_starts=np.concatenate([[0], np.cumsum(node_sizes[kept])]).astype(np.int64),
        terms=one.terms[used],
        term_starts=np.concatenate([[0], np.cumsum(n_of_term[used])]).astype(np.int64),
        rows=new_row[one.rows[posting_kept]].astype(np.int32),
        counts=one.counts[posting_kept],
    )


def _joined(segments: Sequence[Segment]) -> Segment:
    offsets = np.concatenate([[0], np.cumsum([len(one.vectors) for one in segments])]).astype(np.int64)
    parts = [(one.terms, one.term_starts, one.rows, one.counts) for one in segments]
    terms, term_starts, rows, counts = _merged(parts, offsets[:-1])
    names = (*_OF_DOCUMENTS, *_OF_ROWS, *_OF_NODES)
    return Segment(
        **{name: np.concatenate([getattr(one, name) for one in segments]) for name in names},
        **_UNCODED,
        starts=_starts([one.starts for one in segments]),
        node_starts=_starts([one.node_starts for one in segments]),
        terms=terms,
        term_starts=term_starts,
        rows=rows,
        counts=counts,
    )


def _starts(parts: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    """The starts of all parts, each moved by the sum of the lengths before it, and the whole length."""
    sizes = np.concatenate([np.diff(starts) for starts in parts])
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


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
