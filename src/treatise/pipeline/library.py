"""Where a library is kept and asked: sources to indexes in a store, a question to evidence and an answer."""

import json
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.errors import EngineError, SourceError, TreatiseError
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.injection import order_note
from treatise.core.note import Origin
from treatise.core.plan import Plan, Structure
from treatise.core.ports import (
    CallCache,
    ChunkParser,
    Encoder,
    Entry,
    LanguageModel,
    Parser,
    Relator,
    Reranker,
    SourceState,
    Store,
)
from treatise.core.recipe import Clusters, PlanBy, ReaderText, Recipe, Sentences, TokenChunks, TreesBy
from treatise.core.words import n_words
from treatise.embed import ReusingEncoder
from treatise.generate import (
    PlanInstructions,
    answer_by_extraction,
    answer_by_model,
    answer_by_plan,
    with_conflicts,
)
from treatise.ingest import read_bytes
from treatise.ingest.files import is_unchanged, read_file, state_of
from treatise.ingest.language import language_note
from treatise.llm.budget import Budget, Spending
from treatise.llm.cache import MemoryCache
from treatise.llm.estimate import DryRunRunner, Estimate, Pace, estimate
from treatise.llm.runner import LlmRunner
from treatise.parse.remembering import RememberingParser
from treatise.pipeline.index import ProgressCallback, draft_documents, index_documents, stage
from treatise.pipeline.retrieve import check_question, merged, retrieve, whole_documents
from treatise.pipeline.structure import Structured, Structurer, chunks_in, chunks_of, spent_on, with_noise
from treatise.pipeline.summarize import summarize_indexed
from treatise.plan import plan_before_retrieval
from treatise.retrieve import RetrievalProfile, anatomy, in_sentences, scores_of

READER_VERSION: Final = 2
"""Counts up when the same bytes give another ``Document``, so that old indexes are made anew."""

DEFAULT_WORDS: Final = 300
DEFAULT_SUMMARY_WORDS: Final = 200
MAX_CACHED_NODES: Final = 200_000
"""Nodes of loaded documents kept in memory between questions: about 350 MB."""

MAX_TAU: Final = 2_000
"""Highest threshold that is tried to stay within a number of calls, in words."""

MAX_WORDS_TOGETHER: Final = 400_000
"""Words of documents that are indexed together: waves of calls go out over all of them."""


CHUNKS_TOGETHER: Final = 32
"""Chunks whose trees are made and kept together, where no language model makes them."""


class Outcome(StrEnum):
    """What indexing a source came to."""

    NEW = "new"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What indexing one source came to.

    Attributes:
        source: As the store knows it: an absolute path, or ``"-"``.
        document: The document's id.
        outcome: New, updated (the source's content changed, or the recipe is new for it), or unchanged.
        n_words, n_units: Words (``core.words.n_words``) and leaves; 0 where nothing had to be read.
        seconds: Wall time.
        notes: How many notes of inner nodes came about how, by ``core.note.Origin``; empty where there are none.
        rejections: Those of them that are rejected, by the rejection reason of the model's last reply.
        n_kept: How many of these notes stood in the source's former index.
        spending: Calls of a language model, made and reused. Sources that were indexed together share one.
    """

    source: str
    document: str
    outcome: Outcome
    n_words: int
    n_units: int
    seconds: float
    notes: dict[str, int] = field(default_factory=dict)
    rejections: dict[str, int] = field(default_factory=dict)
    n_kept: int = 0
    spending: Spending = field(default_factory=Spending)


@dataclass(frozen=True, slots=True)
class ChunkReport:
    """What parsing chunks ahead of questions came to.

    Attributes:
        n_chunks: Chunks of the documents; 0 where the recipe wants no trees.
        n_trees: Those that have one now.
        spending: Calls of a language model, made and reused.
    """

    n_chunks: int = 0
    n_trees: int = 0
    spending: Spending = field(default_factory=Spending)


@dataclass(frozen=True, slots=True)
class _Pending:
    """A source that was read and wants an index; ``before`` is its former one, if it has one."""

    name: str
    document: Document
    state: SourceState
    outcome: Outcome
    n_words: int
    before: IndexedDocument | None


_RunnerT = TypeVar("_RunnerT", bound=LlmRunner)


class Library:
    """A collection of documents that can be asked questions.

    Args:
        store: Where documents and indexes are kept.
        encoder: Makes the vectors, of documents and of questions.
        recipe: The system to use.
        parser: Needed where the recipe's tree is a discourse tree.
        model: Writes the answers, and the notes where the recipe has them written; without one answers are quoted
            from the evidence, and nucleus text stands for notes.
        budget: Ceiling of the calls while indexing, all sources of this object together.
        reranker: The second stage, where the recipe has one.
        chunk_parser: Gives retrieved chunks their trees where the recipe wants some and no model makes them.
        relator: Relates retrieved chunks where the recipe wants a graph and no model makes it; rules where None.
    """

    def __init__(  # noqa: PLR0913  (the parts of a library; the first three are needed)
        self,
        *,
        store: Store,
        encoder: Encoder,
        recipe: Recipe,
        parser: Parser | None = None,
        model: LanguageModel | None = None,
        budget: Budget | None = None,
        reranker: Reranker | None = None,
        chunk_parser: ChunkParser | None = None,
        relator: Relator | None = None,
    ) -> None:
        self.store = store
        self.encoder = encoder
        self.recipe = recipe
        self.parser = parser
        self.model = model
        self.budget = budget
        self.reranker = reranker
        self._writer = self._make_writer(LlmRunner)
        self._chunk_parser = chunk_parser
        self._relator = relator
        self._cache: dict[str, IndexedDocument] = {}  # oldest use first

    @property
    def index_key(self) -> str:
        """Names the index that this library makes: of recipe, models and reader."""
        return self.recipe.indexing.key(*self._models)

    def index(
        self, source: str | Path, *, data: bytes | None = None, progress: ProgressCallback | None = None
    ) -> IndexReport:
        """Makes a source ready for questions; costs nothing where it already is.

        Args:
            source: A file's path; or any name, with its ``data``.
            data: The bytes, where they do not come from a file.
            progress: Called with the stage and how far it is.

        Raises:
            SourceError: Where the source cannot be read; the store is left as it was.
            StoreError, EngineError: Where the store or an engine fails; likewise, but that finished calls are kept.
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
        """Each source (and its ``data``, as for ``index``) with its report, or why it could not be read.

        Where a language model writes notes, documents are indexed together up to ``MAX_WORDS_TOGETHER``, so that its
        calls go out in waves over all of them; a document is stored, and its report given, when its group is done.

        With ``retry`` the model is asked again for notes of which no reply fitted or that a ceiling has left out, in
        documents that have not changed as well.

        Raises:
            StoreError, EngineError: Where the store or an engine fails. What was stored stays; finished calls are kept.
        """
        group: list[_Pending] = []
        words_together = MAX_WORDS_TOGETHER if self._writer and self.recipe.indexing.asks_model else 0
        if retry and self._writer:
            self.store.forget_rejected()
        for source, data in sources:
            name = str(source) if data is not None else str(Path(source).absolute())
            try:
                found = self._looked_at(name, data, retry=retry and self._writer is not None)
            except SourceError as error:
                yield name, error
                continue
            if isinstance(found, IndexReport):
                yield name, found
                continue
            group.append(found)
            if sum(pending.n_words for pending in group) >= words_together:
                yield from self._index_group(group, progress)
                group = []
        yield from self._index_group(group, progress)

    def estimate_notes(self, documents: Sequence[Document], pace: Pace | None = None) -> Estimate:
        """What the language model would cost to index these documents, without asking it; nothing is stored.

        Calls that an earlier run has finished are counted as reused. The library's budget is kept to.
        """
        return self.estimate_each(documents, pace)[1]

    def estimate_each(self, documents: Sequence[Document], pace: Pace | None = None) -> tuple[list[Estimate], Estimate]:
        """As :meth:`estimate_notes`, of each document after those before it, and of all together."""
        price, pace = self.budget.price if self.budget else None, pace or Pace()
        writer = self._make_writer(DryRunRunner)
        if writer is None:
            return [estimate(Spending(), price, pace) for _ in documents], estimate(Spending(), price, pace)
        spendings = []
        for document in documents:
            before = writer.spending.copy()
            self._pretend_index(document, writer)
            spendings.append(writer.spending.since(before))
        waves = [sum(sizes) for sizes in zip_longest(*(one.waves for one in spendings), fillvalue=0)]
        together = replace(writer.spending, waves=waves)
        return [estimate(one, price, pace) for one in spendings], estimate(together, price, pace)

    def _pretend_index(self, document: Document, writer: LlmRunner) -> None:
        """All calls of indexing a document; what is made without a model only as far as calls depend on it."""
        indexing = self.recipe.indexing
        if isinstance(indexing.tree, Clusters):
            index_documents([document], indexing, encoder=self.encoder, writer=writer)
            return
        encoder = self.encoder if isinstance(indexing.units, TokenChunks) else None
        (draft,) = draft_documents([document], indexing, parser=self.parser, writer=writer, encoder=encoder)
        if self.recipe.planning.trees is TreesBy.LLM:
            self._structurer(writer).parse(chunks_in(document, draft.units))

    def recipe_within(self, documents: Sequence[Document], max_calls: int) -> Recipe:
        """This library's recipe with the lowest tau at which these documents take at most so many calls, by estimate.

        A ceiling alone would spend its calls on the lowest nodes and leave the others without; a higher tau merges the
        lowest ones and spends the calls above. Finished calls count like others: the same documents have the same tau
        before a run, after it, and where it was stopped. The recipe itself where it stays within the number anyway, or
        where no tau up to ``MAX_TAU`` does.
        """

        def is_within(words: int) -> bool:
            writer = DryRunRunner(self.model) if self.model else None
            draft_documents(documents, self.recipe.with_tau(words).indexing, parser=parser, writer=writer)
            return writer is None or writer.spending.n_calls <= max_calls

        parser = self.parser and RememberingParser(self.parser)
        lowest = self.recipe.indexing.notes.tau.words
        if is_within(lowest) or not is_within(MAX_TAU):
            return self.recipe
        return self.recipe.with_tau(bisect_left(range(MAX_TAU), True, lo=lowest, key=is_within))

    def search(
        self, question: str, *, documents: Sequence[str] | None = None, max_words: int = DEFAULT_WORDS
    ) -> Evidence:
        """The best passages of the documents (ids; all of the library where None)."""
        check_question(question)
        indexed = self._load(documents)
        return self._retrieve(indexed, question, max_words)

    def anatomy(self, questions: Sequence[tuple[str, str]], top_k: int = 20) -> RetrievalProfile:
        """Which nodes are found for questions, each with the id of the document it is asked of (tables 6 and 7)."""
        vectors = self.encoder.encode_questions([question for question, _ in questions])
        indexed = [self._get(document_id) for _, document_id in questions]
        asked = [
            (one, scores_of(one, question, vector, self.recipe))
            for one, (question, _), vector in zip(indexed, questions, vectors, strict=True)
        ]
        return anatomy(asked, top_k)

    def ask(
        self,
        question: str,
        sources: Sequence[str | Path] = (),
        *,
        documents: Sequence[str] | None = None,
        max_words: int = 0,
        progress: ProgressCallback | None = None,
    ) -> Answer:
        """An answer with citations, from these sources (indexed first where they are not) or these documents.

        Without sources and documents the whole library is asked. ``max_words`` is the budget of evidence; where 0 the
        recipe's own, or ``DEFAULT_WORDS``. Where the language model fails, the answer is the one that there is without
        it, and the first note says why.
        """
        check_question(question)
        usage: dict[str, int | float] = {}
        with _timed(usage, "index_s"):
            ids = [self.index(source, progress=progress).document for source in sources]
        wanted = list(dict.fromkeys([*ids, *(documents or ())]))
        with _timed(usage, "load_s"):
            indexed = self._load(wanted if wanted or documents is not None else None)
        writer = self._asking_writer()
        try:
            answer = self._answer(question, indexed, max_words, writer)
        except EngineError as error:
            if writer is None:
                raise
            answer = _quoted_since(error, self._answer(question, indexed, max_words, None), writer.spending)
        return replace(answer, usage={**usage, **answer.usage})

    def answer(self, question: str, indexed: Sequence[IndexedDocument], *, max_words: int = 0) -> Answer:
        """An answer from documents that this library's recipe has indexed, in its store or not; see :meth:`ask`.

        Raises:
            EngineError: Where an engine fails, the language model too.
        """
        check_question(question)
        return self._answer(question, indexed, max_words, self._asking_writer())

    def _answer(
        self, question: str, indexed: Sequence[IndexedDocument], max_words: int, writer: LlmRunner | None
    ) -> Answer:
        """The answer that the writer's model writes, or that is quoted where there is no writer."""
        usage: dict[str, int | float] = {}
        budget = max_words or self.recipe.selection.max_words or DEFAULT_WORDS
        with _timed(usage, "retrieve_s"):
            evidence, plan = self._evidence(question, indexed, budget, writer)
        usage |= spent_on("queries", writer.spending) if writer else {}
        documents = [one.document for one in indexed]
        made = self._structurer(writer).structured(question, chunks_of(evidence.passages, documents), plan)
        with _timed(usage, "answer_s"):
            answer = self._answered(evidence, indexed, made, writer)
        usage |= made.usage | {f"answer_{key}": value for key, value in answer.usage.items()}
        if writer is not None:
            for key, spent in (
                ("prompt_tokens", writer.spending.prompt_tokens),
                ("completion_tokens", writer.spending.completion_tokens),
            ):
                usage[key] = answer.usage.get(key, 0) + spent
        usage["evidence_words"] = len(evidence.context.split())
        found = {passage.document for passage in evidence.passages}
        note = language_note(question, {document.language for document in documents if document.id in found})
        whole = writer is not None and self.recipe.reader_text is not ReaderText.EVIDENCE
        orders = order_note(one.text for one in (documents if whole else evidence.passages))
        notes = (*evidence.notes, *answer.notes, *made.notes, *filter(None, [orders, note]))
        return replace(answer, notes=notes, usage=usage)

    def structure(
        self, question: str, *, documents: Sequence[str] | None = None, max_words: int = 0
    ) -> tuple[Evidence, Structure]:
        """What is retrieved for a question, and what this library's recipe makes of it, chunk by passage.

        Where the language model fails, it is what there is without it, and the evidence's first note says why.
        """
        check_question(question)
        indexed = self._load(documents)
        budget = max_words or self.recipe.selection.max_words or DEFAULT_WORDS
        writer = self._asking_writer()
        try:
            return self._structured(question, indexed, budget, writer)
        except EngineError as error:
            if writer is None:
                raise
            evidence, structure = self._structured(question, indexed, budget, None)
            return replace(evidence, notes=(_without_model(error), *evidence.notes)), structure

    def _structured(
        self, question: str, indexed: Sequence[IndexedDocument], budget: int, writer: LlmRunner | None
    ) -> tuple[Evidence, Structure]:
        evidence, plan = self._evidence(question, indexed, budget, writer)
        chunks = chunks_of(evidence.passages, [one.document for one in indexed])
        return evidence, self._structurer(writer).structured(question, chunks, plan).structure

    def parse_chunks(self, documents: Sequence[str], progress: ProgressCallback | None = None) -> ChunkReport:
        """Gives every chunk of these documents its tree ahead of questions, where the recipe wants trees.

        None is parsed twice. Calls of a model are within this library's budget; a chunk for which there is none left
        has no tree, until a question asks for it.

        Raises:
            EngineError: Where the model fails; trees that were made are kept.
        """
        if self.recipe.planning.trees is TreesBy.NONE:
            return ChunkReport()
        writer, report = self._writer, stage(progress, "parse chunks")
        before = writer.spending.copy() if writer else Spending()
        if writer is not None:
            writer.progress = report
        loaded = map(self._get, documents)
        chunks = [chunk for one in loaded for chunk in chunks_in(one.document, one.units)]
        structurer, n_trees = self._structurer(writer), 0
        size = len(chunks) if writer else CHUNKS_TOGETHER
        for start in range(0, len(chunks), max(1, size)):
            n_trees += sum(tree is not None for tree in structurer.parse(chunks[start : start + size]))
            if report:
                report(min(start + size, len(chunks)), len(chunks))
        return ChunkReport(len(chunks), n_trees, writer.spending.since(before) if writer else Spending())

    def parse_sample(self, indexed: IndexedDocument) -> None:
        """Makes the trees of a document's chunks that no language model makes, to see how long it takes; keeps none."""
        if self.recipe.planning.trees is not TreesBy.NONE and not self._trees_by_model:
            self._structurer(None, MemoryCache()).parse(chunks_in(indexed.document, indexed.units))

    @property
    def _trees_by_model(self) -> bool:
        return self.model is not None and self.recipe.planning.trees is TreesBy.LLM

    def _structurer(self, writer: LlmRunner | None, cache: CallCache | None = None) -> Structurer:
        return Structurer(
            self.recipe.planning,
            encoder=self.encoder,
            cache=cache or self.store,
            chunk_parser=self._chunk_parser,
            relator=self._relator,
            writer=writer,
        )

    def _evidence(
        self, question: str, indexed: Sequence[IndexedDocument], max_words: int, writer: LlmRunner | None
    ) -> tuple[Evidence, Plan | None]:
        """The passages for a question, and the plan where one is made before them (plan-and-retrieve)."""
        planned = None
        if self.recipe.planning.plan is PlanBy.BEFORE_RETRIEVAL and writer is not None:
            planned = plan_before_retrieval(question, writer)
        plan, queries = planned or (None, ())
        found = [self._retrieve(indexed, query, max_words) for query in (question, *queries)]
        evidence = merged(found, self.recipe.selection.max_nodes) if len(found) > 1 else found[0]
        return with_noise(evidence, indexed, self.recipe.planning.perturbations), plan

    def _answered(
        self, evidence: Evidence, indexed: Sequence[IndexedDocument], made: Structured, writer: LlmRunner | None
    ) -> Answer:
        """The answer, quoted or written, with the conflicts that the graph knows beside it."""
        documents = [one.document for one in indexed]
        if writer is not None:
            whole = self.recipe.reader_text is ReaderText.DOCUMENT
            guidance = PlanInstructions(made.rendered.text, self.recipe.planning.plan is PlanBy.WITH_ANSWER)
            answer = answer_by_model(
                whole_documents(evidence, documents) if whole else evidence,
                documents,
                encoder=self.encoder,
                model=writer.model,
                recipe=self.recipe,
                guidance=guidance,
            )
        else:
            is_of_chunks = not isinstance(self.recipe.indexing.units, Sentences)
            by_sentence = in_sentences(evidence, indexed, self.encoder) if is_of_chunks else evidence
            plan = made.structure.plan
            if plan is None:
                answer = answer_by_extraction(by_sentence, documents)
            else:
                answer = answer_by_plan(replace(evidence, confidence=by_sentence.confidence), documents, plan)
            evidence = replace(evidence, confidence=by_sentence.confidence)
        return with_conflicts(replace(answer, evidence=evidence), documents, made.structure.conflicts)

    def summarize(
        self,
        source: str | Path | None = None,
        question: str = "",
        *,
        document: str = "",
        max_words: int = DEFAULT_SUMMARY_WORDS,
        progress: ProgressCallback | None = None,
    ) -> Answer:
        """A summary of a source (indexed first where it is not) or of a document by its id, every sentence cited.

        Without a language model it quotes: the most nuclear and central sentences in the order of the document, or
        with a question those that bear on it. With one it is written, bottom-up through the tree where the document is
        longer than the model's window, and refined where the recipe says so. Where the model fails it is quoted, and
        the first note says why.

        Args:
            source: As for ``index``; leave it out where ``document`` names one.
            question: What the summary is about; empty for the whole document.
            document: An id.
            max_words: Longest summary.
            progress: Called with the stage and how far it is.

        Raises:
            SourceError: Where there is no source, or it cannot be read.
            QuestionError: Where the question is too long to be one.
        """
        if question:
            check_question(question)
        usage: dict[str, int | float] = {}
        with _timed(usage, "index_s"):
            if source is not None:
                document = self.index(source, progress=progress).document
            (indexed,) = self._load([document] if document else [])
        with _timed(usage, "summary_s"):
            budget = self.budget.after(self._writer.spending) if self.budget and self._writer else self.budget
            writer = LlmRunner(self.model, cache=self.store, budget=budget) if self.model else None
            if writer is not None:
                writer.progress = stage(progress, "write notes")
            summary = partial(
                summarize_indexed, indexed, question, self.recipe, encoder=self.encoder, max_words=max_words
            )
            try:
                answer = summary(writer=writer)
            except EngineError as error:
                if writer is None:
                    raise
                answer = _quoted_since(error, summary(), writer.spending)
        usage |= answer.usage | {"summary_words": len(answer.text.split())}
        orders = order_note([indexed.document.text])
        return replace(answer, notes=(*answer.notes, *filter(None, [orders])), usage=usage)

    def document(self, document_id: str) -> Document:
        """A document by its id or an unambiguous prefix."""
        return self.store.document(document_id)

    def documents(self) -> list[Entry]:
        """What the library holds, oldest first."""
        return self.store.entries()

    def remove(self, document_id: str) -> Entry:
        """Takes a document out."""
        return self.store.remove(document_id)

    def close(self) -> None:
        """Releases the store."""
        self.store.close()

    def _asking_writer(self) -> LlmRunner | None:
        """Who asks the model on behalf of a question: no ceiling, which is for notes, holds there."""
        return LlmRunner(self.model, cache=self.store) if self.model else None

    def _retrieve(self, indexed: Sequence[IndexedDocument], question: str, max_words: int) -> Evidence:
        return retrieve(
            indexed, question, self.recipe, encoder=self.encoder, max_words=max_words, reranker=self.reranker
        )

    def _load(self, documents: Sequence[str] | None) -> list[IndexedDocument]:
        """Indexes of these documents under this recipe; made now where a document has none."""
        ids = [entry.id for entry in self.store.entries()] if documents is None else documents
        if not ids:
            raise SourceError("there is no document to ask: name a file, or index one first with `treatise index FILE`")
        return [self._get(document_id) for document_id in ids]

    def _get(self, document_id: str) -> IndexedDocument:
        """An id names content, so what was loaded once stays true; the most recent documents are kept at hand."""
        if (indexed := self._found(document_id)) is None:
            writer = self._make_writer(LlmRunner)
            if writer is not None:  # a question pays for no notes: those that are not finished are marked for `retry`
                writer = LlmRunner(writer.model, cache=self.store, budget=Budget(max_calls=0))
            (indexed,) = self._index_documents([self.store.document(document_id)], self.encoder, writer)
            self._store(indexed, None)
            self._keep(document_id, indexed)
        return indexed

    def _found(self, document_id: str) -> IndexedDocument | None:
        if (indexed := self._cache.pop(document_id, None)) is None:
            indexed = self.store.get(document_id, self.index_key)
        if indexed is not None:
            self._keep(document_id, indexed)
        return self._cache.get(document_id)

    def _keep(self, document_id: str, indexed: IndexedDocument) -> None:
        """Converting the vectors costs more than multiplying them: it is done once."""
        self._cache[document_id] = replace(indexed, vectors=indexed.vectors.astype(np.float32, copy=False))
        while sum(one.n_nodes for one in self._cache.values()) > MAX_CACHED_NODES and len(self._cache) > 1:
            del self._cache[next(iter(self._cache))]

    def _looked_at(self, name: str, data: bytes | None, *, retry: bool) -> IndexReport | _Pending:
        """The report of a source that is ready already, or its document."""
        started = time.monotonic()
        known = self.store.state(name)
        before = self._found(known[0]) if known else None
        is_ready = before is not None and not (retry and _needs_retry(before))
        if data is None and known and is_ready and is_unchanged(name, known[1]):
            return IndexReport(name, known[0], Outcome.UNCHANGED, 0, 0, time.monotonic() - started)
        content, state = (data, state_of(name, data)) if data is not None else read_file(name)
        if known and is_ready and known[1].digest == state.digest:
            return IndexReport(name, known[0], Outcome.UNCHANGED, 0, 0, time.monotonic() - started)
        document = read_bytes(content, name=name)
        outcome = Outcome.UPDATED if known else Outcome.NEW
        return _Pending(name, document, state, outcome, n_words(document.text), before)

    def _index_group(
        self, group: Sequence[_Pending], progress: ProgressCallback | None
    ) -> Iterator[tuple[str, IndexReport | SourceError]]:
        started = time.monotonic()
        before = self._writer.spending.copy() if self._writer else Spending()
        known = [pending.before for pending in group if pending.before]
        encoder = ReusingEncoder(self.encoder, known, self.recipe.indexing) if known else self.encoder
        indexed = self._index_documents([pending.document for pending in group], encoder, self._writer, progress)
        spending = self._writer.spending.since(before) if self._writer else Spending()
        for pending, one in zip(group, indexed, strict=True):
            self._store(one, pending.state)
            self._cache.pop(one.document.id, None)  # the same document may have other notes now
            yield (
                pending.name,
                IndexReport(
                    source=pending.name,
                    document=one.document.id,
                    outcome=pending.outcome,
                    n_words=pending.n_words,
                    n_units=len(one.units),
                    seconds=time.monotonic() - started,
                    notes=_origins(one),
                    rejections=dict(Counter(note.rejection_reason for note in one.notes if note.rejection_reason)),
                    n_kept=_n_kept(one, pending.before),
                    spending=spending,
                ),
            )

    def _index_documents(
        self,
        documents: Sequence[Document],
        encoder: Encoder,
        writer: LlmRunner | None,
        progress: ProgressCallback | None = None,
    ) -> list[IndexedDocument]:
        return index_documents(
            documents,
            self.recipe.indexing,
            encoder=encoder,
            parser=self.parser,
            writer=writer,
            progress=progress,
        )

    def _store(self, indexed: IndexedDocument, state: SourceState | None) -> None:
        made_from = json.dumps({"indexing": asdict(self.recipe.indexing.flat()), "models": self._models})
        self.store.put(indexed, index_key=self.index_key, state=state, made_from=made_from)

    @property
    def _models(self) -> tuple[str, ...]:
        """Names of all that an index is made by."""
        parser = self.parser.name if self.parser and self.recipe.indexing.needs_parser else ""
        writer = (self._writer.model.name,) if self._writer and self.recipe.indexing.asks_model else ()
        return self.encoder.name, parser, f"reader {READER_VERSION}", *writer

    def _make_writer(self, kind: type[_RunnerT]) -> _RunnerT | None:
        """A writer for recipes that ask a model while indexing, where there is one."""
        asks = self.recipe.indexing.asks_model or self._trees_by_model
        return kind(self.model, cache=self.store, budget=self.budget) if asks and self.model else None


def _quoted_since(error: EngineError, answer: Answer, spent: Spending) -> Answer:
    """An answer that is quoted because a model failed, with the reason, and what had been asked until then."""
    return replace(answer, notes=(_without_model(error), *answer.notes), usage=answer.usage | spent_on("failed", spent))


def _without_model(error: EngineError) -> str:
    return f"made without the language model, which failed: {error}"


def _origins(indexed: IndexedDocument) -> dict[str, int]:
    """Notes of inner nodes by their origin."""
    inner = (note.origin for note in indexed.notes if note.origin is not Origin.LEAF)
    return dict(sorted(Counter(map(str, inner)).items()))


def _n_kept(indexed: IndexedDocument, before: IndexedDocument | None) -> int:
    """Notes of inner nodes that stood in the former index."""
    known = {note.key for note in before.notes} if before else set()
    return sum(note.origin is not Origin.LEAF and note.key in known for note in indexed.notes)


def _needs_retry(indexed: IndexedDocument) -> bool:
    """Whether notes stand for others that a model was to write."""
    return any(note.origin in (Origin.OVER_BUDGET, Origin.REJECTED) for note in indexed.notes)


@contextmanager
def _timed(usage: dict[str, int | float], key: str) -> Iterator[None]:
    started = time.monotonic()
    yield
    usage[key] = round(time.monotonic() - started, 4)
