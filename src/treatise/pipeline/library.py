"""A store and a system: indexes sources, searches documents and answers questions."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import FrozenInstanceError, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Self

from treatise.core.answer import Answer
from treatise.core.errors import SourceError, TreatiseError
from treatise.core.evidence import Evidence
from treatise.core.form import CITED, Form
from treatise.core.ports import CandidateFinder, LanguageModel, Store
from treatise.core.printable import encodable
from treatise.core.recipe import Recipe
from treatise.core.usage import Stage
from treatise.ingest.files import is_file_name
from treatise.llm.budget import Spending
from treatise.llm.cache import MemoryCache
from treatise.pipeline.arguments import check_scope, check_text
from treatise.pipeline.awaited import awaited
from treatise.pipeline.documents import DocumentMethods
from treatise.pipeline.events import AnswerEvent, answer_events
from treatise.pipeline.languages import MAX_DOCUMENTS, EncoderOpener, with_encoder
from treatise.pipeline.loading import Loaded, QuestionScope, load_documents
from treatise.pipeline.measuring import MeasuringMethods
from treatise.pipeline.progress import ProgressCallback
from treatise.pipeline.query import SILENT, AnswerListener, Meter
from treatise.pipeline.question_language import needs_other_languages
from treatise.pipeline.reports import ChunkReport, IndexReport
from treatise.pipeline.retrieve import check_question
from treatise.pipeline.sources import SourceIndexer, SourceReader, read_source
from treatise.pipeline.structured import StructuredEvidence
from treatise.pipeline.system import DEFAULT_SUMMARY_WORDS, DEFAULT_WORDS, System


@dataclass(frozen=True, slots=True)
class Library(DocumentMethods, MeasuringMethods):
    """A collection of documents to ask questions about.

    It is frozen: ``with_recipe`` and ``with_model`` return another library over the same store. Threads may share it:
    questions see whole documents while others are indexed. A library of ``open_library`` can be pickled: the copy opens
    the same store with the same settings.

    Attributes:
        store: Keeps documents, indexes, and finished calls of the language model.
        system: Makes indexes and answers; its cache is the store.
        finder: Finds the documents that may answer a question; None for the built-in one, which returns all documents
            of a small library, and the best of a large one (``pipeline.candidates``).
        cross_lingual: Opens the encoder for named documents in another language than the question; None for the
            system's encoder. Their indexes under it are made when they are first needed.
        opened_by: Opens this library again, for a pickled copy; None if it cannot be pickled.
        before_close: Called before the store is released: it waits for a thread that is still loading a model. Such a
            thread reads the environment and the model's folder, which the caller may change after ``close``.
    """

    store: Store
    system: System
    finder: CandidateFinder | None = None
    cross_lingual: EncoderOpener | None = field(default=None, repr=False, compare=False)
    opened_by: "partial[Library] | None" = field(default=None, repr=False, compare=False)
    before_close: Callable[[], None] | None = field(default=None, repr=False, compare=False)
    _indexer: SourceIndexer = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cache = MemoryCache(self.store) if self.store.read_only else self.store
        object.__setattr__(self, "system", replace(self.system, cache=cache))
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
        opened_by = self.opened_by and partial(self.opened_by, recipe=recipe)
        return replace(self, system=replace(self._system_left, recipe=recipe), opened_by=opened_by)

    def with_model(self, model: LanguageModel | None) -> "Library":
        """A library over the same store with another language model (or none) and the remaining budget."""
        opened_by = partial(self.opened_by, llm="") if self.opened_by and model is None else None
        return replace(self, system=self._system_left.with_model(model), opened_by=opened_by)

    def index(
        self,
        source: str | Path,
        *,
        data: bytes | None = None,
        progress: ProgressCallback | None = None,
        read: SourceReader = read_source,
    ) -> IndexReport:
        """Indexes a source; does nothing if its index is current.

        Args:
            source: A file's path, or any name if ``data`` is passed.
            data: The bytes, if they do not come from a file.
            progress: Called with the stage and how far it is. What it raises ends the indexing; the store is left as it
                was.
            read: Makes the document from the bytes, in this process by default.

        Raises:
            SourceError: If the source cannot be read; the store is left as it was.
            StoreError, EngineError: If the store or an engine fails; likewise, but finished calls are kept.
        """
        ((_, result),) = self.index_all([(source, data)], progress=progress, read=read)
        if isinstance(result, TreatiseError):
            raise result
        return result

    def index_all(
        self,
        sources: Iterable[tuple[str | Path, bytes | None]],
        *,
        progress: ProgressCallback | None = None,
        retry: bool = False,
        read: SourceReader = read_source,
    ) -> Iterator[tuple[str, IndexReport | SourceError]]:
        """Each source (and its ``data``, as for ``index``) with its report, or the reason why it could not be read.

        If a language model writes notes, documents are indexed together up to ``MAX_WORDS_TOGETHER``, so that its calls
        are sent in waves over all of them. A document is stored and reported when its group is done.

        With ``retry``, notes that were rejected or beyond the budget are requested again, even in unchanged documents.
        Sources are read as the result is iterated, and not before.

        Raises:
            StoreError, EngineError: If the store or an engine fails. Stored documents and finished calls are kept.
        """
        return self._indexer.index_all(sources, progress=progress, retry=retry, read=read)

    def add(self, text: str, name: str = "") -> IndexReport:
        """Indexes a text that comes from no file.

        Args:
            text: The text; its form is that of the name's suffix, plain if there is none.
            name: Its source, such as ``"notes.md"``: a later text of the same name replaces it. Empty for a hash of the
                text.

        Raises:
            SourceError: If the text is empty or cannot be read.
            StoreError, EngineError: If the store or an engine fails.
        """
        check_text(text, name)
        data = encodable(text).encode()
        return self.index(name or f"{hashlib.sha256(data).hexdigest()[:12]}.txt", data=data)

    def update(self, progress: ProgressCallback | None = None) -> list[tuple[str, IndexReport | SourceError]]:
        """Indexes changed files again: every file of the library with its report, or why it could not be read.

        Texts that came from no file stay as they are.
        """
        sources = (source for entry in self.documents() for source in entry.sources)
        reports = list(self.index_all([(one, None) for one in sources if is_file_name(one)], progress=progress))
        self.read_openings(progress)
        return reports

    def read_openings(self, progress: ProgressCallback | None = None, documents: Sequence[str] | None = None) -> None:
        """Reads the openings of documents that were indexed without the large prior, if it is chosen now.

        ``documents`` are their ids; None for all of the library.
        """
        wanted = [entry.id for entry in self.documents()] if documents is None else documents
        self._indexer.read_openings(wanted, progress)

    def parse_chunks(self, documents: Sequence[str], progress: ProgressCallback | None = None) -> ChunkReport:
        """Makes the trees of all chunks of these documents in advance, if the recipe has trees.

        Calls of a model are within this library's budget; a chunk beyond it has no tree until a question needs it.

        Raises:
            EngineError: If the model fails; trees that were made are kept.
        """
        return self._indexer.parse_chunks(documents, progress)

    def search(
        self,
        question: str,
        *,
        documents: Sequence[str] | None = None,
        where: str = "",
        max_words: int = DEFAULT_WORDS,
    ) -> Evidence:
        """The best passages of the documents (by id; None for the whole library) that satisfy the filter ``where``."""
        check_question(question)
        check_scope(documents, where, max_words)
        loaded = self._load(question, documents, where, max_words)
        evidence = self.system.search(loaded.question, loaded.documents, max_words=max_words, corpus=loaded.corpus)
        return replace(evidence, question=question, notes=(*loaded.notes, *evidence.notes))

    def ask(  # noqa: PLR0913  (every choice about one question has a name and a default)
        self,
        question: str,
        sources: Sequence[str | Path] = (),
        *,
        documents: Sequence[str] | None = None,
        where: str = "",
        max_words: int = 0,
        form: Form = CITED,
        fallback: bool = True,
        progress: ProgressCallback | None = None,
        listener: AnswerListener = SILENT,
    ) -> Answer:
        """An answer with citations, from these sources (indexed first if necessary) or these documents.

        Without sources and documents the whole library is searched. ``where`` is a filter (``core.where``), such as
        ``"year >= 2020 and type = 'report'"``: only documents that satisfy it are searched. ``max_words`` is the budget
        of evidence; 0 for the recipe's own, or ``DEFAULT_WORDS``. If the language model fails, the answer is quoted,
        and its first note says why, unless ``fallback`` is false: then the failure is raised. It is the answer that
        ``System.answer`` gives from the same documents. ``listener`` receives its parts as soon as they exist.
        """
        check_question(question)
        check_scope(documents, where, max_words)
        meter = Meter()
        with meter.time(Stage.INDEX):
            ids = [self.index(source, progress=progress).document for source in sources]
        wanted = list(dict.fromkeys([*ids, *(documents or ())]))
        with meter.time(Stage.LOAD):
            library = self._for_language(question, wanted)
            loaded = library._load(question, wanted if wanted or documents is not None else None, where, max_words)
        answer = library.system.answer(
            loaded.question,
            loaded.documents,
            max_words=max_words,
            form=form,
            fallback=fallback,
            listener=listener,
            corpus=loaded.corpus,
        )
        usage = answer.usage.after(meter.usage)
        return replace(answer, question=question, notes=(*loaded.notes, *answer.notes), usage=usage)

    def stream(
        self, question: str, *, documents: Sequence[str] | None = None, where: str = "", max_words: int = 0
    ) -> Iterator[AnswerEvent]:
        """The evidence as soon as it is found, then each statement, last the answer; arguments as for ``ask``."""
        return answer_events(
            lambda listener: self.ask(
                question, documents=documents, where=where, max_words=max_words, listener=listener
            )
        )

    def structure(
        self, question: str, *, documents: Sequence[str] | None = None, where: str = "", max_words: int = 0
    ) -> StructuredEvidence:
        """The evidence for a question, and its structure; see ``System.structure``."""
        check_question(question)
        check_scope(documents, where, max_words)
        loaded = self._load(question, documents, where, max_words)
        return self.system.structure(question, loaded.documents, max_words=max_words, corpus=loaded.corpus)

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
        check_scope([document], "", max_words)
        meter = Meter()
        with meter.time(Stage.INDEX):
            if source is not None:
                document = self.index(source, progress=progress).document
            (indexed,) = self._load(question, [document] if document else [], "", max_words).documents
        summary = self._system_left.summarize(indexed, question, max_words=max_words, progress=progress)
        return replace(summary, usage=summary.usage.after(meter.usage))

    index_async = awaited(index)
    search_async = awaited(search)
    ask_async = awaited(ask)
    summarize_async = awaited(summarize)

    def prepare(self) -> None:
        """Brings the index over all documents of a large library up to date, so that no question waits for it."""
        self._indexer.candidates.prepare()

    def close(self) -> None:
        """Releases the store, when no thread of this library loads a model any more."""
        if self.before_close:
            self.before_close()
        self.store.close()

    def __reduce__(self) -> tuple["partial[Library]", tuple[()]]:
        if self.opened_by is None:
            raise TypeError(
                "this library has parts of its own and cannot be pickled: call open_library in each process"
            )
        return self.opened_by, ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _system_left(self) -> System:
        return replace(self.system, budget=self._indexer.budget_left)

    def _for_language(self, question: str, documents: Sequence[str]) -> "Library":
        """The library with the cross-lingual encoder if the question needs it and few documents are named."""
        if self.cross_lingual is None or not 0 < len(documents) <= MAX_DOCUMENTS:
            return self
        languages = (self._indexer.indexes.document(one).language for one in documents)
        if not needs_other_languages(question, languages):
            return self
        return replace(self, system=with_encoder(self.system, self.cross_lingual), cross_lingual=None)

    def _load(self, question: str, documents: Sequence[str] | None, where: str, max_words: int) -> Loaded:
        n_words = max_words or self.recipe.selection.max_words or DEFAULT_WORDS
        scope = QuestionScope(documents, where, n_words)
        return load_documents(question, scope, store=self.store, indexer=self._indexer, finder=self.finder)


def _refuse_assignment(_library: Library, name: str, _value: object) -> None:
    raise FrozenInstanceError(
        f"a library's {name} cannot be assigned: with_recipe() and with_model() return another library"
    )


Library.__setattr__ = _refuse_assignment  # type: ignore[assignment, method-assign]  # what dataclass makes names no way out
