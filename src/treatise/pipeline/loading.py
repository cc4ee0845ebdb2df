"""Loads the documents of a library that a question is asked of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.corpus import CorpusStatistics
from treatise.core.errors import DocumentNotFoundError, EmptyLibraryError, SourceError
from treatise.core.indexed import IndexedDocument
from treatise.core.plurals import counted
from treatise.core.ports import CandidateFinder, Store
from treatise.pipeline.candidates import Found
from treatise.pipeline.metadata import ids_where
from treatise.pipeline.sources import SourceIndexer
from treatise.retrieve.named import Named

_MAX_TITLES: Final = 3


@dataclass(frozen=True, slots=True)
class QuestionScope:
    """What a question is asked of.

    Attributes:
        documents: Ids; None for the whole library.
        where: A filter (``core.where``); empty for none.
        max_words: The budget of the evidence, to which candidates are to contribute.
    """

    documents: Sequence[str] | None
    where: str
    max_words: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """The documents to search for a question, with their indexes.

    Attributes:
        question: To put to the documents: without the date by which it names them.
        documents: In the order of the library, or as they were named.
        corpus: Statistics of all documents that they were chosen from; None if none was left out.
        notes: A remark if the question names these documents, so that no other was searched.
    """

    question: str
    documents: list[IndexedDocument]
    corpus: CorpusStatistics | None = None
    notes: tuple[str, ...] = ()


def load_documents(
    question: str, scope: QuestionScope, *, store: Store, indexer: SourceIndexer, finder: CandidateFinder | None
) -> Loaded:
    """The documents of the scope with their indexes, or the candidates for the question if the scope names none.

    If the question names documents, these alone are searched.

    Raises:
        EmptyLibraryError: If there is no document.
        SourceError: If every document was removed in the meantime.
    """
    ids = ids_where(store, scope.where, scope.documents) if scope.where.strip() else scope.documents
    named = Named([], question)
    if finder is not None and ids is None:
        found = Found(finder.find(question))
    else:
        named = indexer.candidates.named(question, ids) if scope.documents is None else named
        found = indexer.candidates.find(named.question, named.documents or ids, max_words=scope.max_words)
    if not found.ids:
        raise EmptyLibraryError(
            "there is no document to ask: name a file, or index one first with `treatise index FILE`"
        )
    missing = indexer.candidates.without_opening(named.documents or ids)
    loaded = list(_loaded(indexer, found.ids, is_listed=scope.documents is None))
    if not loaded:
        raise SourceError("every document was removed while the question was being read: index one first")
    notes = _named_note(one.document.title for one in loaded) if named.documents else ()
    return Loaded(named.question, loaded, found.corpus, (*notes, *_openings_note(len(missing))))


def _loaded(indexer: SourceIndexer, ids: Sequence[str], *, is_listed: bool) -> Iterator[IndexedDocument]:
    """The indexes of documents; those from a listing may have been removed since by another process."""
    for document_id in ids:
        try:
            yield indexer.indexes.load(document_id)
        except DocumentNotFoundError:
            if not is_listed:
                raise


def _named_note(titles: Iterable[str]) -> tuple[str, ...]:
    names = [f"“{title}”" for title in dict.fromkeys(titles)]
    more = f" and {len(names) - _MAX_TITLES} more" if len(names) > _MAX_TITLES else ""
    return (f"the question names {', '.join(names[:_MAX_TITLES])}{more}: no other document was searched",)


def _openings_note(n_missing: int) -> tuple[str, ...]:
    if not n_missing:
        return ()
    lacking = counted(n_missing, "document", "was", "were")
    return (f"{lacking} indexed without --prior large, so the usual prior was used: `treatise update --prior large`",)
