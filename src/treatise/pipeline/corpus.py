"""The index over all documents of a library, kept in step with its store."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Final

import numpy as np

from treatise.core.errors import DocumentNotFoundError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Store
from treatise.retrieve.corpus import Candidates, Corpus, CorpusQuery
from treatise.retrieve.row_sums import DamagedRowsError
from treatise.retrieve.segments import Segment, merge, segment_of
from treatise.store.corpus_file import Arrays, CorpusFile, CorpusFileError

MAX_SEGMENTS: Final = 24
"""Appended segments are merged into one beyond this number."""

MAX_UNCODED: Final = 50_000
"""Appended segments are merged if they have more rows together, all of which each question is compared with."""

_TOGETHER: Final = 64
"""Documents that are read and appended together when an index is made."""

_logger = logging.getLogger("treatise")

Load = Callable[[str], IndexedDocument]
Sizes = Callable[[], Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class _Block:
    """What a block of the file holds: a segment, or the ids of removed documents."""

    segment: Segment | None = None
    removed: frozenset[str] = frozenset()

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> "_Block":
        if "removed" in arrays:
            return cls(removed=frozenset(id_.decode() for id_ in arrays["removed"].tolist()))
        return cls(Segment.of_arrays(arrays))

    @property
    def arrays(self) -> Arrays:
        if self.segment is not None:
            return self.segment.arrays
        return {"removed": np.array(sorted(id_.encode() for id_ in self.removed))}


class CorpusIndex:
    """Finds candidates in a library. It is brought up to date before each search, in its file if that can be written.

    Args:
        store: The library.
        index_key: The key of the indexes that it covers.
        load: Returns a document of the store with its index.
        path: The side file; None to keep the index in memory.
        sizes: Returns what the store's ``sizes`` would; None to ask the store.
    """

    def __init__(
        self, store: Store, index_key: str, load: Load, path: Path | None, *, sizes: Sizes | None = None
    ) -> None:
        self._store, self._key, self._load, self._path = store, index_key, load, path
        self._sizes = sizes or (lambda: store.sizes(index_key))
        self._lock = RLock()
        self._revision: object = None
        self._file: CorpusFile | None = None
        self._unwritten: list[_Block] = []
        self._is_merged = False  # whether the unwritten blocks hold what the file holds, too
        self._corpus = Corpus(())
        self._ids: set[str] = set()

    def find(self, query: CorpusQuery) -> Candidates:
        """See ``Corpus.find``; over the documents that the store has now."""
        corpus = self.current()
        try:
            return corpus.find(query)
        except DamagedRowsError as error:
            return self._made_again(corpus, error).find(query)

    def current(self) -> Corpus:
        """The index of the documents that the store has now."""
        with self._lock:
            revision = self._store.revision
            if revision != self._revision or (self._file is not None and self._file.is_cut):
                self._read_file()
                try:
                    self._complete(self._sizes())
                except DamagedRowsError as error:  # found while segments were merged
                    self._made_again(self._corpus, error)
                self._revision = revision
            return self._corpus

    def _made_again(self, damaged: Corpus, error: DamagedRowsError) -> Corpus:
        """The index without the file whose rows are damaged, unless another thread has made it meanwhile."""
        with self._lock:
            if self._corpus is damaged:
                self._warn(f"{self._path}: {error}")
                self._forget_file()
                self._rebuild()
                self._complete(self._sizes())
            return self._corpus

    def _complete(self, sizes: Mapping[str, int]) -> None:
        """Adds what the index lacks, and removes what the store lacks."""
        wanted = [id_ for id_, n_nodes in sizes.items() if n_nodes]
        if gone := self._ids - set(wanted):
            self._add(_Block(removed=frozenset(gone)))
        missing = [id_ for id_ in wanted if id_ not in self._ids]
        for first in range(0, len(missing), _TOGETHER):
            if loaded := list(self._loaded(missing[first : first + _TOGETHER])):
                self._add(_Block(segment_of(loaded)))
        most = MAX_SEGMENTS if len(missing) <= _TOGETHER else 1
        if len(self._blocks) > most or self._corpus.n_uncoded > MAX_UNCODED:
            self._compact()

    def _loaded(self, ids: Sequence[str]) -> Iterator[IndexedDocument]:
        """The documents, without those that another process has removed since they were listed."""
        for id_ in ids:
            with suppress(DocumentNotFoundError):
                yield self._load(id_)

    def _read_file(self) -> None:
        if self._path is None or (self._file is not None and self._file.is_current):
            return
        before = self._file
        self._forget_file()
        try:
            self._file = CorpusFile.open(self._path, self._key, before)
            self._rebuild()
        except (CorpusFileError, OSError, ValueError) as error:
            if self._path.exists():
                self._warn(str(error))
            self._forget_file()
            self._rebuild()

    def _forget_file(self) -> None:
        self._file, self._unwritten, self._is_merged = None, [], False

    def _warn(self, reason: str) -> None:
        _logger.warning("%s: the index over all documents is made again; the library is unharmed", reason)

    @property
    def _blocks(self) -> list[_Block]:
        written = self._file.blocks if self._file and not self._is_merged else []
        return [*map(_Block.of_arrays, written), *self._unwritten]

    def _add(self, block: _Block) -> None:
        try:
            self._write(block)
        except CorpusFileError:  # another process was faster: its file is read when the store has changed again
            self._unwritten.append(block)
        except OSError as error:
            self._unwritten.append(block)
            kept = "the index is kept in memory, and each command makes it again"
            _logger.warning("%s cannot be written (%s): %s", self._path, _reason(error), kept)
        self._rebuild()

    def _write(self, block: _Block) -> None:
        if self._path is None or self._store.read_only or self._unwritten:
            self._unwritten.append(block)
        elif self._file is None:
            self._file = CorpusFile.create(self._path, self._key, [block.arrays])
        else:
            self._file = self._file.append(block.arrays)

    def _rebuild(self) -> None:
        """The corpus of all blocks: a removed document counts in no block before its removal."""
        segments, removed = _live(self._blocks)
        self._corpus = Corpus(segments, removed)
        self._ids = self._corpus.ids

    def _compact(self) -> None:
        """Merges all segments into one, without removed documents."""
        segments, _ = _live(self._blocks)
        whole = _Block(merge(segments, self._corpus.is_live))
        if self._path is None or self._store.read_only:
            self._unwritten, self._is_merged = [whole], True
        else:
            try:
                self._file = CorpusFile.create(self._path, self._key, [whole.arrays])
                self._unwritten, self._is_merged = [], False
            except (OSError, CorpusFileError) as error:
                if not self._unwritten:  # else it has been said
                    _logger.warning("%s cannot be written (%s): it stays in parts", self._path, _reason(error))
                return
        self._rebuild()


def _reason(error: Exception) -> str:
    """What the system says, without numbers and the names of files in between."""
    return getattr(error, "strerror", None) or str(error)


def _live(blocks: Sequence[_Block]) -> tuple[list[Segment], list[set[str]]]:
    """The segments, and for each the documents that later blocks remove."""
    segments: list[Segment] = []
    removed: list[set[str]] = []
    for block in blocks:
        if block.segment is not None:
            segments.append(block.segment)
            removed.append(set())
        for gone in removed:
            gone |= block.removed
    return segments, removed
