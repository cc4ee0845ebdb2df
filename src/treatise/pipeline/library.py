"""A store and a system: indexes sources, searches documents and answers questions."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import FrozenInstanceError, dataclass, field, replace
from pathlib import Path

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.errors import SourceError, TreatiseError
from treatise.core.evidence import Evidence
from treatise.core.form import CITED, Form
from treatise.core.indexed import IndexedDocument
from treatise.core.plan import Structure
from treatise.core.ports import CandidateFinder, Entry, LanguageModel, Store
from treatise.core.recipe import Recipe
from treatise.core.usage import Stage
from treatise.llm.budget import Spending
from treatise.pipeline.candidates import AllDocuments
from treatise.pipeline.progress import ProgressCallback
from treatise.pipeline.query import Meter
from treatise.pipeline.reports import ChunkReport, IndexReport
from treatise.pipeline.retrieve import check_question
from treatise.pipeline.sources import SourceIndexer
from treatise.pipeline.system import DEFAULT_SUMMARY_WORDS, DEFAULT_WORDS, System
from treatise.retrieve import RetrievalProfile, anatomy, scores_of


@dataclass(frozen=True, slots=True)
class Library:
    """A collection of documents to ask questions about.

    It is frozen: ``with_recipe`` and ``with_model`` return another library over the same store.

    Attributes:
        store: Keeps documents, indexes, and finished calls of the language model.
        system: Makes indexes and answers; its cache is the store.
        finder: Finds the documents that may answer a question; None for all documents.
    """

    store: Store
    system: System
    finder: CandidateFinder | None = None
    _indexer: SourceIndexer = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "system", replace(self.system, cache=self.store))
        object.__setattr__(self, "_indexer", SourceIndexer(self.store, self.system))

    @property
    def recipe(self) -> Recipe:
        """The system's recipe."""
        return self.system.recipe

    @property
    def model(self) -> LanguageModel | None:
        """The system's language model; None if answers are quoted."""
        return self.system.engines.model

    @property
    def spending(self) -> Spending:
        """The language model's calls of indexing so far, made and reused; they count against the budget."""
        return self._indexer.spending

    def with_recipe(self, recipe: Recipe) -> "Library":
        """A library over the same store with another recipe and the remaining budget."""
        return replace(self, system=replace(self._system_left, recipe=recipe))

    def with_model(self, model: LanguageModel | None) -> "Library":
        """A library over the same store with another language model (or none) and the remaining budget."""
        return replace(self, system=self._system_left.with_model(model))

    def index(
        self, source: str | Path, *, data: bytes | None = None, progress: ProgressCallback | None = None
    ) -> IndexReport:
        """Indexes a source; does nothing if its index is current.

        Args:
            source: A file's path, or any name if ``data`` is passed.
            data: The bytes, if they do not come from a file.
            progress: Called with the stage and how far it is.

        Raises:
            SourceError: If the source cannot be read; the store is left as it was.
            StoreError, EngineError: If the store or an engine fails; likewise, but finished calls are kept.
        """
        ((_, result),) = self.index_all([(source, data)], progress=progress)
        if isinstance(result, TreatiseError):
            raise result
        return result

    def index_all(
        self,
        sources: Iterable[tuple[str | Path, bytes | None]],
        *,
        progress: ProgressCallback | None = None,
        retry: bool = False,
    ) -> Iterator[tuple[str, IndexReport | SourceError]]:
        """Each source (and its ``data``, as for ``index``) with its report, or the reason why it could not be read.

        If a language model writes notes, documents are indexed together up to ``MAX_WORDS_TOGETHER``, so that its calls
        are sent in waves over all of them. A document is stored and reported when its group is done.

        With ``retry``, notes that were rejected or beyond the budget are requested again, even in unchanged documents.

        Raises:
            StoreError, EngineError: If the store or an engine fails. Stored documents and finished calls are kept.
        """
        return self._indexer.index_all(sources, progress=progress, retry=retry)

    def parse_chunks(self, documents: Sequence[str], progress: ProgressCallback | None = None) -> ChunkReport:
        """Makes the trees of all chunks of these documents in advance, if the recipe has trees.

        Calls of a model are within this library's budget; a chunk beyond it has no tree until a question needs it.

        Raises:
            EngineError: If the model fails; trees that were made are kept.
        """
        return self._indexer.parse_chunks(documents, progress)

    def search(
        self, question: str, *, documents: Sequence[str] | None = None, max_words: int = DEFAULT_WORDS
    ) -> Evidence:
        """The best passages of the documents (by id; None for the whole library)."""
        check_question(question)
        return self.system.search(question, self._load(question, documents), max_words=max_words)

    def ask(
        self,
        question: str,
        sources: Sequence[str | Path] = (),
        *,
        documents: Sequence[str] | None = None,
        max_words: int = 0,
        form: Form = CITED,
        progress: ProgressCallback | None = None,
    ) -> Answer:
        """An answer with citations, from these sources (indexed first if necessary) or these documents.

        Without sources and documents the whole library is searched. ``max_words`` is the budget of evidence; 0 for the
        recipe's own, or ``DEFAULT_WORDS``. If the language model fails, the answer is quoted, and its first note says
        why. It is the answer that ``System.answer`` gives from the same documents.
        """
        check_question(question)
        meter = Meter()
        with meter.time(Stage.INDEX):
            ids = [self.index(source, progress=progress).document for source in sources]
        wanted = list(dict.fromkeys([*ids, *(documents or ())]))
        with meter.time(Stage.LOAD):
            indexed = self._load(question, wanted if wanted or documents is not None else None)
        answer = self.system.answer(question, indexed, max_words=max_words, form=form)
        return replace(answer, usage=answer.usage.after(meter.usage))

    def structure(
        self, question: str, *, documents: Sequence[str] | None = None, max_words: int = 0
    ) -> tuple[Evidence, Structure]:
        """The evidence for a question, and its structure; see ``System.structure``."""
        check_question(question)
        return self.system.structure(question, self._load(question, documents), max_words=max_words)

    def summarize(
        self,
        source: str | Path | None = None,
        question: str = "",
        *,
        document: str = "",
        max_words: int = DEFAULT_SUMMARY_WORDS,
        progress: ProgressCallback | None = None,
    ) -> Answer:
        """A summary of a source (indexed first if necessary) or of a document by its id, every sentence cited.

        Without a language model it quotes the most nuclear and central sentences in document order, or those relevant
        to the question. With a model it is written, bottom-up through the tree if the document exceeds the model's
        window, and refined if the recipe says so. If the model fails it is quoted, and the first note says why.

        Args:
            source: As for ``index``; omit it if ``document`` is set.
            question: What the summary is about; empty for the whole document.
            document: An id.
            max_words: Longest summary.
            progress: Called with the stage and how far it is.

        Raises:
            SourceError: If there is no source, or it cannot be read.
            QuestionError: If the question is too long.
        """
        if question:
            check_question(question)
        meter = Meter()
        with meter.time(Stage.INDEX):
            if source is not None:
                document = self.index(source, progress=progress).document
            (indexed,) = self._load(question, [document] if document else [])
        summary = self._system_left.summarize(indexed, question, max_words=max_words, progress=progress)
        return replace(summary, usage=summary.usage.after(meter.usage))

    def anatomy(self, questions: Sequence[tuple[str, str]], top_k: int = 20) -> RetrievalProfile:
        """The nodes found for questions, each with the id of its document (tables 6 and 7)."""
        vectors = self.system.engines.encoder.encode_questions([question for question, _ in questions])
        scored = []
        for (question, document_id), vector in zip(questions, vectors, strict=True):
            indexed = self._indexer.load(document_id)
            scored.append((indexed, scores_of(indexed, question, vector, self.recipe)))
        return anatomy(scored, top_k)

    def document(self, document_id: str) -> Document:
        """A document by its id or an unambiguous prefix."""
        return self.store.document(document_id)

    def documents(self) -> list[Entry]:
        """The documents of the library, oldest first."""
        return self.store.entries()

    def remove(self, document_id: str) -> Entry:
        """Removes a document."""
        return self.store.remove(document_id)

    def close(self) -> None:
        """Releases the store."""
        self.store.close()

    @property
    def _system_left(self) -> System:
        return replace(self.system, budget=self._indexer.budget_left)

    def _load(self, question: str, documents: Sequence[str] | None) -> list[IndexedDocument]:
        """The indexes of these documents, or of the candidates for the question if None."""
        finder = self.finder or AllDocuments(self.store)
        ids = finder.find(question) if documents is None else documents
        if not ids:
            raise SourceError("there is no document to ask: name a file, or index one first with `treatise index FILE`")
        return [self._indexer.load(document_id) for document_id in ids]


def _refuse_assignment(_library: Library, name: str, _value: object) -> None:
    raise FrozenInstanceError(
        f"a library's {name} cannot be assigned: with_recipe() and with_model() return another library"
    )


Library.__setattr__ = _refuse_assignment  # type: ignore[assignment, method-assign]  # what dataclass makes names no way out
