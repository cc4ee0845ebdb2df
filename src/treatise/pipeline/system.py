"""The one path from a recipe to an answer: documents to indexes, questions to answers, documents to summaries."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

from treatise.core.answer import Answer
from treatise.core.corpus import CorpusStatistics
from treatise.core.document import Document
from treatise.core.errors import EngineError
from treatise.core.evidence import Evidence
from treatise.core.form import CITED, Form
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import CallCache, LanguageModel
from treatise.core.recipe import Recipe, TreesBy
from treatise.core.usage import Stage
from treatise.ingest.version import READER_VERSION
from treatise.llm.budget import Budget, Spending
from treatise.llm.cache import MemoryCache
from treatise.pipeline.answer import answer_query, structure_query
from treatise.pipeline.engines import Engines
from treatise.pipeline.progress import ProgressCallback, stage
from treatise.pipeline.query import SILENT, AnswerListener, Meter, Query, Run
from treatise.pipeline.reports import ChunkReport
from treatise.pipeline.retrieve import check_question, retrieve
from treatise.pipeline.structured import StructuredEvidence
from treatise.pipeline.without_model import after_failure, failure_note

if TYPE_CHECKING:
    from treatise.llm.estimate import Estimate, Pace
    from treatise.llm.runner import LlmRunner

DEFAULT_WORDS: Final = 300
DEFAULT_SUMMARY_WORDS: Final = 200

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class System:
    """A recipe with its engines. It keeps no documents: a ``Library`` is a system with a store.

    Every answer goes through it, for users and in evaluations. A method imports what it runs: a question without a
    language model does not wait for the code of models, of indexing and of summaries.

    Attributes:
        recipe: The recipe.
        engines: The engines that run it.
        cache: Keeps finished calls of a language model, and the trees and edges of retrieved chunks.
        budget: Limit on the calls of indexing. Questions have no limit.
    """

    recipe: Recipe
    engines: Engines
    cache: CallCache = field(default_factory=MemoryCache, repr=False, compare=False)
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        if model := self.engines.model:
            from treatise.llm.decoding import decoded

            adjusted = decoded(model, self.recipe.decoding)
            if adjusted is not model:
                object.__setattr__(self, "engines", replace(self.engines, model=adjusted))

    def with_recipe(self, recipe: Recipe) -> "System":
        """This system with another recipe."""
        return replace(self, recipe=recipe)

    def with_model(self, model: LanguageModel | None) -> "System":
        """This system with another language model, or none."""
        return replace(self, engines=replace(self.engines, model=model))

    @property
    def index_key(self) -> str:
        """The key of this system's indexes: a hash of recipe, models and reader."""
        return self.recipe.indexing.key(*self.index_models)

    @property
    def index_models(self) -> tuple[str, ...]:
        """Names of every model that an index depends on, and the reader's version."""
        indexing, engines = self.recipe.indexing, self.engines
        found = engines.parser_for(indexing)
        parser = found.name if found and indexing.needs_parser else ""
        model = (engines.model.name,) if engines.model and indexing.asks_model else ()
        return engines.encoder.name, parser, f"reader {READER_VERSION}", *model

    @property
    def asks_while_indexing(self) -> bool:
        """Whether indexing calls the language model: for notes, or for the trees of chunks."""
        asks = self.recipe.indexing.asks_model or self.recipe.planning.trees is TreesBy.LLM
        return asks and self.engines.model is not None

    def index_runner(self) -> "LlmRunner | None":
        """A runner for the calls of indexing, with this system's whole budget; None if indexing makes no calls."""
        return self._runner(self.budget) if self.asks_while_indexing else None

    def index(
        self,
        documents: Sequence[Document],
        *,
        runner: "LlmRunner | None" = None,
        progress: ProgressCallback | None = None,
    ) -> list[IndexedDocument]:
        """The documents with their units, trees, notes, vectors and lexicons. Nothing is stored.

        Args:
            documents: Calls of a language model are sent in waves over all of them.
            runner: Makes these calls, if several indexings share one budget; by default a new ``index_runner``.
            progress: Called with the stage and how far it is.

        Raises:
            EngineError: If an engine fails; finished calls are kept.
        """
        from treatise.pipeline.index import index_documents

        return index_documents(
            documents,
            self.recipe.indexing,
            encoder=self.engines.encoder,
            parser=self.engines.parser_for(self.recipe.indexing),
            runner=runner or self.index_runner(),
            progress=progress,
        )

    def search(
        self,
        question: str,
        indexed: Sequence[IndexedDocument],
        *,
        max_words: int = DEFAULT_WORDS,
        corpus: CorpusStatistics | None = None,
    ) -> Evidence:
        """The best passages of the documents for a question, within exactly ``max_words`` words.

        With ``corpus`` the documents are candidates of a larger library, and scored as they would be among all of it.

        Raises:
            QuestionError: If the question is blank or too long.
        """
        found = retrieve(
            indexed,
            question,
            self.recipe,
            encoder=self.engines.encoder,
            max_words=max_words,
            reranker=self.engines.reranker,
            corpus=corpus,
            openings=None if corpus else self._run(None).openings(question, indexed),
        )
        return found.citing(one.document for one in indexed)

    def answer(  # noqa: PLR0913  (every choice about one question has a name and a default)
        self,
        question: str,
        indexed: Sequence[IndexedDocument],
        *,
        max_words: int = 0,
        form: Form = CITED,
        fallback: bool = True,
        listener: AnswerListener = SILENT,
        corpus: CorpusStatistics | None = None,
        evidence: Evidence | None = None,
    ) -> Answer:
        """The answer to a question from documents indexed by this system's recipe.

        Args:
            question: In plain words.
            indexed: All documents of the question.
            max_words: Budget of the evidence; 0 for the recipe's own, or ``DEFAULT_WORDS``.
            form: Cited sentences, or what a data set asks for. Without a language model
                sentences are quoted; a short form is the reader's direct answer, if there is a reader.
            fallback: If the language model fails, quote the answer and say why in the first note; False raises.
            listener: Receives the parts of the answer.
            corpus: As for :meth:`search`.
            evidence: Evidence found elsewhere, such as marked by annotators, instead of what the recipe retrieves.

        Raises:
            QuestionError: If the question is blank or too long.
            EngineError: If an engine fails; a failing language model only without ``fallback``.
        """
        asked = self._query(question, indexed, max_words, form)
        query = replace(asked, listener=listener, corpus=corpus, evidence=evidence)
        return self._attempt(lambda run: answer_query(run, query), after_failure if fallback else None)

    def structure(
        self,
        question: str,
        indexed: Sequence[IndexedDocument],
        *,
        max_words: int = 0,
        corpus: CorpusStatistics | None = None,
    ) -> StructuredEvidence:
        """The evidence for a question, and the recipe's structure over it.

        If the language model fails, both are made without it, and the evidence's first note says why.
        """
        query = replace(self._query(question, indexed, max_words), corpus=corpus)

        def attempt(run: Run) -> StructuredEvidence:
            evidence, made = structure_query(run, query)
            return StructuredEvidence(evidence, made.structure, run.meter.usage)

        return self._attempt(attempt, _structure_after_failure)

    def summarize(
        self,
        indexed: IndexedDocument,
        question: str = "",
        *,
        max_words: int = DEFAULT_SUMMARY_WORDS,
        fallback: bool = True,
        progress: ProgressCallback | None = None,
    ) -> Answer:
        """A summary of a document, or of what it says on a question, every sentence cited.

        Args:
            indexed: The document, indexed by this system's recipe.
            question: What the summary is about; empty for the whole document.
            max_words: Longest summary.
            fallback: As for :meth:`answer`.
            progress: Called with the stage and how far it is.

        Raises:
            QuestionError: If the question is too long.
            EngineError: As for :meth:`answer`.
        """
        if question:
            check_question(question)
        from treatise.pipeline.summarize import summarize_document

        report = stage(progress, "write notes")
        runner = self._runner(self.budget)
        return self._attempt(
            lambda run: summarize_document(run, indexed, question, max_words, report),
            after_failure if fallback else None,
            runner,
        )

    def parse_chunks(
        self,
        indexed: Iterable[IndexedDocument],
        *,
        runner: "LlmRunner | None" = None,
        progress: ProgressCallback | None = None,
    ) -> ChunkReport:
        """Makes the trees of all chunks in advance, if the recipe has trees; see ``chunk_trees.parse_chunks``."""
        from treatise.pipeline.chunk_trees import parse_chunks

        return parse_chunks(self._run(runner or self.index_runner()), indexed, stage(progress, "parse chunks"))

    def parse_sample(self, indexed: IndexedDocument) -> None:
        """Makes and discards the trees of a document's chunks that need no language model, to measure the time."""
        from treatise.pipeline.chunk_trees import parse_sample

        parse_sample(self._run(None), indexed)

    def estimate(self, documents: Sequence[Document], pace: "Pace | None" = None) -> "tuple[list[Estimate], Estimate]":
        """The cost of indexing these documents with the language model: the additional cost of each, and the total.

        No call is sent and nothing is stored. Finished calls count as reused; the budget applies.
        """
        from treatise.llm.estimate import DryRunRunner, Pace
        from treatise.pipeline.estimate import estimate_documents

        model = self.engines.model if self.asks_while_indexing else None
        runner = DryRunRunner(model, cache=self.cache, budget=self.budget) if model else None
        return estimate_documents(self._run(runner), runner, documents, self.budget.price, pace or Pace())

    def recipe_within(self, documents: Sequence[Document], max_calls: int) -> Recipe:
        """The recipe with the lowest tau at which these documents take at most this many calls; see ``fit_tau``."""
        from treatise.pipeline.estimate import fit_tau

        return fit_tau(self.recipe, self.engines, documents, max_calls)

    def _query(self, question: str, indexed: Sequence[IndexedDocument], max_words: int, form: Form = CITED) -> Query:
        check_question(question)
        return Query(question, tuple(indexed), max_words or self.recipe.selection.max_words or DEFAULT_WORDS, form)

    def _run(self, runner: "LlmRunner | None") -> Run:
        return Run(self.recipe, self.engines, self.cache, runner, Meter(runner.spending if runner else None))

    def _attempt(
        self,
        attempt: Callable[[Run], _Result],
        after_failure: Callable[[_Result, EngineError, Spending], _Result] | None,
        runner: "LlmRunner | None" = None,
    ) -> _Result:
        """The result with the language model; if that fails, the result without it, explained."""
        runner = runner or self._runner()
        try:
            return attempt(self._run(runner))
        except EngineError as error:
            if runner is None or after_failure is None:
                raise
            return after_failure(attempt(self._run(None)), error, runner.spending)

    def _runner(self, budget: Budget | None = None) -> "LlmRunner | None":
        """Calls the language model, within the budget if there is one; None without a model."""
        if self.engines.model is None:
            return None
        from treatise.llm.runner import LlmRunner

        return LlmRunner(self.engines.model, cache=self.cache, budget=budget)


def _structure_after_failure(made: StructuredEvidence, error: EngineError, spent: Spending) -> StructuredEvidence:
    evidence = replace(made.evidence, notes=(failure_note(error), *made.evidence.notes))
    return replace(made, evidence=evidence, usage=made.usage.with_stage(Stage.FAILED, model=spent.usage))
