"""Openings of documents, each read as one text by a larger encoder, for the prior of documents.

A document's opening is encoded when it is indexed and kept in the cache of finished calls, by the document's id, which
is a hash of its content. A question then costs its own encoding and a product of matrices.
"""

import base64
from collections.abc import Callable, Collection, Iterable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np

from treatise.core.corpus import OpeningCosines, Scale
from treatise.core.document import Document
from treatise.core.note import CallOutcome, note_key
from treatise.core.once import Once
from treatise.core.ports import CallCache, Encoder, Progress
from treatise.core.recipe import Recipe
from treatise.core.vectors import Floats
from treatise.retrieve.prior import has_prior

if TYPE_CHECKING:
    from treatise.pipeline.engines import Engines

N_WORDS: Final = 200
"""Words of an opening."""

LANGUAGE: Final = "en"
"""The only language that the encoder reads."""

SCALE: Final = Scale(0.2, 0.1)
"""Mean and deviation of the cosines of a question with pages of one manual, nearly."""

_TOGETHER: Final = 64
"""Openings that are encoded, then saved."""


class Openings:
    """Vectors of the openings of English documents; other documents have none. Threads may share it.

    Args:
        name: The encoder's.
        open_encoder: Loads the encoder, when the first text is to be read.

    Attributes:
        name: The encoder's.
    """

    def __init__(self, name: str, open_encoder: Callable[[], Encoder]) -> None:
        self.name = name
        self._encoder = Once(open_encoder)
        self._lock = Lock()
        self._rows: dict[str, int] = {}  # of the documents whose openings were read: -1 in other languages
        self._vectors = np.zeros((0, 0), dtype=np.float32)

    def missing(self, ids: Iterable[str], cache: CallCache) -> list[str]:
        """The documents whose openings were not read."""
        self._look_up(ids := list(ids), cache)
        return [id_ for id_ in ids if id_ not in self._rows]

    def read(
        self,
        ids: Sequence[str],
        load: Callable[[str], Document | None],
        cache: CallCache,
        progress: Progress | None = None,
    ) -> None:
        """Encodes the openings of documents and keeps them in the cache; ``load`` returns None for one that is gone.

        Raises:
            EngineError: If the encoder cannot be loaded.
            StoreError: If a document cannot be read, or a vector cannot be kept.
        """
        for first in range(0, len(ids), _TOGETHER):
            some = [one for one in map(load, ids[first : first + _TOGETHER]) if one is not None]
            self.keep(some, self.encode(opening_texts(some)), cache)
            if progress:
                progress(min(first + _TOGETHER, len(ids)), len(ids))

    def encode(self, texts: Sequence[str]) -> list[str]:
        """The vectors of openings, ``packed``: of each text the same alone as among others.

        Raises:
            EngineError: If the encoder cannot be loaded.
        """
        return [packed(row) for row in self._encoder().encode(list(texts))] if texts else []

    def keep(self, documents: Sequence[Document], vectors: Sequence[str], cache: CallCache) -> None:
        """Keeps the packed vectors of the ``opening_texts`` of documents, and that the other documents have none.

        Raises:
            StoreError: If a vector cannot be kept.
        """
        of_texts = iter(vectors)
        for one in documents:
            vector = next(of_texts) if _is_read(one) else packed(None)
            cache.save(self._key(one.id), CallOutcome((vector,), 0, 0))

    def cosines(self, question: str, ids: Sequence[str], cache: CallCache) -> OpeningCosines | None:
        """The cosines of the question with the openings of documents; None if any of them has none.

        Raises:
            EngineError: If the encoder cannot be loaded.
        """
        self._look_up(ids, cache)
        rows = [self._rows.get(id_, -1) for id_ in ids]
        if min(rows, default=-1) < 0:
            return None
        cosines = self._vectors @ self._encoder().encode_questions([question])[0]
        return OpeningCosines(dict(zip(ids, cosines[rows].tolist(), strict=True)), SCALE)

    def _look_up(self, ids: Iterable[str], cache: CallCache) -> None:
        """Reads from the cache what this process does not know yet."""
        keys = {self._key(id_): id_ for id_ in ids if id_ not in self._rows}
        found = cache.finished(list(keys)) if keys else {}
        with self._lock:
            new = {id_: unpacked(found[key].texts[0]) for key, id_ in keys.items() if key in found}
            vectors = {id_: row for id_, row in new.items() if row is not None and id_ not in self._rows}
            first = len(self._vectors)
            if vectors:
                before = [self._vectors] if first else []
                self._vectors = np.concatenate([*before, np.stack([*vectors.values()])])
            # after the vectors, which other threads may be reading
            self._rows |= dict.fromkeys(new.keys() - self._rows.keys() - vectors.keys(), -1)
            self._rows |= {id_: first + number for number, id_ in enumerate(vectors)}

    def _key(self, document_id: str) -> str:
        return note_key("opening", self.name, str(N_WORDS), document_id)


def opening_texts(documents: Iterable[Document]) -> list[str]:
    """The openings that the encoder reads: those of English documents, in order."""
    return [opening_text(one) for one in documents if _is_read(one)]


def opening_text(document: Document) -> str:
    """The first words of a document."""
    return " ".join(document.text.split(maxsplit=N_WORDS)[:N_WORDS])


def _is_read(document: Document) -> bool:
    return document.language == LANGUAGE


def packed(vector: Floats | None) -> str:
    """A vector as text, in half floats; empty if a document has none."""
    return "" if vector is None else base64.b64encode(vector.astype("<f2").tobytes()).decode()


def unpacked(text: str) -> Floats | None:
    """The inverse of ``packed``, nearly."""
    return np.frombuffer(base64.b64decode(text), "<f2").astype(np.float32) if text else None


def read_openings(documents: Sequence[Document], *, recipe: Recipe, engines: "Engines", cache: CallCache) -> None:
    """Reads the openings of documents that are searched together and stand in no store, if the prior compares them.

    Raises:
        EngineError: If the encoder cannot be loaded.
    """
    openings = engines.openings
    if openings is None or not recipe.scoring.opening or not has_prior(recipe.scoring, len(documents)):
        return
    by_id = {one.id: one for one in documents}
    openings.read(openings.missing(by_id, cache), by_id.get, cache)


def opening_cosines(
    question: str, ids: Collection[str], *, recipe: Recipe, engines: "Engines", cache: CallCache
) -> OpeningCosines | None:
    """What the larger encoder says of documents, all of which are searched; None without one, or among few."""
    if engines.openings is None or not recipe.scoring.opening or not has_prior(recipe.scoring, len(ids)):
        return None
    return engines.openings.cosines(question, list(ids), cache)
