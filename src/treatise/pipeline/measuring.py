"""Methods of a library that measure it: what evaluations and reports ask of it, and questions do not."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from treatise.core.errors import DocumentNotFoundError
from treatise.pipeline.system import DEFAULT_WORDS

if TYPE_CHECKING:
    from treatise.pipeline.library import Library
    from treatise.pipeline.recall import CandidateRecall
    from treatise.retrieve import RetrievalProfile
    from treatise.retrieve.sketches import NearDuplicates


class MeasuringMethods:
    """The nodes found for questions, the recall of candidates, and pairs of near-duplicates."""

    __slots__ = ()

    def anatomy(self, questions: Sequence[tuple[str, str]], top_k: int = 20) -> "RetrievalProfile":
        """The nodes found for questions, each with the id of its document (tables 6 and 7)."""
        from treatise.retrieve import anatomy, scores_of

        library = _library(self)
        vectors = library.system.engines.encoder.encode_questions([question for question, _ in questions])
        scored = []
        for (question, document_id), vector in zip(questions, vectors, strict=True):
            indexed = library.indexed(document_id)
            scored.append((indexed, scores_of(indexed, question, vector, library.recipe)))
        return anatomy(scored, top_k)

    def candidate_recall(self, questions: Sequence[str], *, max_words: int = DEFAULT_WORDS) -> "CandidateRecall":
        """How much of the evidence of a full scan the candidates of a large library yield; it reads every document."""
        from treatise.pipeline.recall import candidate_recall

        library = _library(self)
        candidates = library._indexer.candidates
        return candidate_recall(candidates, library.system, library.indexed, questions, max_words)

    def near_duplicates(self) -> "list[NearDuplicates]":
        """The pairs of documents that have most of their wording in common; it reads every document."""
        from treatise.retrieve.sketches import near_duplicates, sketch

        store = _library(self).store
        sketches = {}
        for id_ in store.sizes(""):
            with suppress(DocumentNotFoundError):  # another process has removed it since
                sketches[id_] = sketch(store.document(id_).text)
        return near_duplicates(sketches)


def _library(methods: MeasuringMethods) -> "Library":
    return cast("Library", methods)
