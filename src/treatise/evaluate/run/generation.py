"""Answers measured: recipe, evidence, prompted answer, metric; resumable, with a record of how.

The tasks and instructions are those of DISRetrieval (appendix B.6): short answers on papers (QASPER), one of several
options (QuALITY), answers on stories (NarrativeQA), in Chinese (MultiFieldQA-zh). Without a model the answer is quoted
from the evidence.
"""

import hashlib
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

from treatise.core.errors import DataError, EngineError, ModelReplyError
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import LanguageModel
from treatise.core.recipe import Recipe
from treatise.core.words import clip, n_tokens
from treatise.evaluate.data.dataset import AnswerKind, Dataset, LabelledDocument, Question, Retrieved
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.metrics.registry import CHOICE, SHORT, answer_scores
from treatise.evaluate.report.summary import Row, summarize
from treatise.evaluate.report.tables import as_csv, as_markdown
from treatise.evaluate.run.record import RunRecord, run_record
from treatise.evaluate.run.results import ResultFile, open_results, write_whole
from treatise.evaluate.run.spec import SEED, RunSpec, check_recipes_and_budgets
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.generate import answer_by_extraction
from treatise.generate.tasks import (
    MAX_TOKENS,
    PROMPT_VERSION,
    Task,
    answer_tasks,
    task_messages,
)
from treatise.parse.remembering import RememberingParser
from treatise.pipeline.engines import Engines
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve

_STORIES: Final = ("narrativeqa", "fairytaleqa")
_OVERHEAD_TOKENS: Final = 256  # of a chat template, our instructions and tags
_METRICS: Final = (*SHORT, *CHOICE, "unread")


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one question.

    Attributes:
        answer: As the model wrote it; empty where ``error`` says why there is none.
        error: Why the reply could not be used; empty where it could.
        is_cut: Whether the evidence had to be shortened to the model's window.
    """

    answer: str
    error: str = ""
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run came to; ``summary.json`` holds the same.

    Attributes:
        record: How the evidence was retrieved.
        model: The language model's name; empty for quoted answers.
        prompt_version: Which instructions.
        rows: One a recipe and budget. ``n_words`` is the mean length of the answers.
    """

    record: RunRecord
    model: str
    prompt_version: int
    rows: tuple[Row, ...]


def task_of(dataset: str, labelled: LabelledDocument, question: Question) -> Task:
    """What kind of answer a question wants."""
    if question.options:
        return Task.CHOICE
    if labelled.document.language == "zh":
        return Task.SHORT_ZH
    return Task.STORY if dataset.partition(":")[0] in _STORIES else Task.SHORT


def scores_of(question: Question, answer: str) -> dict[str, float]:
    """The metrics of one answer, 0 to 1.

    ``answer_f1`` (the best reference's; on Chinese over characters) and ``exact_match``; of a question with options
    ``accuracy`` by the first letter in brackets, and ``accuracy_nearest`` by the least edit distance to an option.
    ``unread`` is 1 where the reply could not be used: it is empty, and scores 0 in everything else.
    """
    metrics = CHOICE if question.options else SHORT
    return {"unread": float(not answer)} | answer_scores(metrics, question, answer)


def run(spec: RunSpec) -> Summary:
    """Answers every question of a data file with every recipe at every budget, and scores the answers.

    Writes ``OUT/<recipe>-<budget>.jsonl`` (``question_id``, ``answer``, ``error``, ``is_cut``), ``OUT/summary.json``,
    ``summary.csv`` and ``summary.md``. The first recipe is the baseline. A killed run resumes at the document where it
    stopped.

    Raises:
        DataError: If the data set is unknown, or its file is malformed or has no question.
        RecipeError: As ``spec.check_recipes_and_budgets``.
        EngineError: If the model cannot be reached, or the reranker fails; finished answers are kept.
    """
    check_recipes_and_budgets(spec)
    dataset = dataset_named(spec.dataset)
    documents = _documents(dataset, spec)
    record = run_record(spec, documents)
    pairs = [(recipe, budget) for recipe in spec.recipes for budget in spec.budgets]
    keys = {f"{recipe.slug}-{budget}.jsonl": _key(record.key(recipe.slug, budget), spec) for recipe, budget in pairs}
    files = open_results(spec.out, keys, n_questions=record.n_questions, data=spec.data)
    engines = spec.opened_engines()
    parser = RememberingParser(engines.parser) if engines.parser else None
    with closing(CachedEncoder(engines.encoder, spec.cache)) as encoder:
        answerer = _Answerer(spec.dataset, replace(engines, encoder=encoder, parser=parser))
        _answer_all(documents, list(zip(pairs, files, strict=True)), answerer, spec)
    answers = [(recipe.slug, budget, _read(file.path)) for (recipe, budget), file in zip(pairs, files, strict=True)]
    rows = _summarized(dataset, documents, answers)
    summary = Summary(record, record.model, PROMPT_VERSION, tuple(rows))
    write_whole(spec.out / "summary.json", json.dumps(asdict(summary), indent=1) + "\n")
    write_whole(spec.out / "summary.csv", as_csv(rows))
    write_whole(spec.out / "summary.md", as_markdown(rows))
    return summary


@dataclass(frozen=True, slots=True)
class _Answerer:
    """A document's questions to answers, by one recipe at one budget."""

    dataset: str
    engines: Engines

    def answers(self, labelled: LabelledDocument, recipe: Recipe, budget: int) -> list[tuple[str, Answered]]:
        """The questions' ids with their answers, in order."""
        if not any(labelled.document.readable_sentences()):
            return [(question.id, Answered("", "the document has no sentence")) for question in labelled.questions]
        engines = self.engines
        indexed = index_document(labelled.document, recipe.indexing, encoder=engines.encoder, parser=engines.parser)
        found = [self._evidence(indexed, question, recipe, budget) for question in labelled.questions]
        said = self._quoted(labelled, found) if engines.model is None else self._written(engines.model, labelled, found)
        return [(question.id, one) for question, one in zip(labelled.questions, said, strict=True)]

    def _evidence(self, indexed: IndexedDocument, question: Question, recipe: Recipe, budget: int) -> Evidence:
        evidence = retrieve(
            [indexed],
            question.text,
            recipe,
            encoder=self.engines.encoder,
            max_words=budget,
            reranker=self.engines.reranker,
        )
        if evidence.notes:
            raise EngineError(f"question {question.id}: {'; '.join(evidence.notes)}")
        return evidence

    def _quoted(self, labelled: LabelledDocument, found: Sequence[Evidence]) -> list[Answered]:
        return [Answered(answer_by_extraction(evidence, [labelled.document]).text) for evidence in found]

    def _written(self, model: LanguageModel, labelled: LabelledDocument, found: Sequence[Evidence]) -> list[Answered]:
        said: list[Answered] = [Answered("")] * len(found)
        tasks = [task_of(self.dataset, labelled, question) for question in labelled.questions]
        for task in dict.fromkeys(tasks):
            places = [i for i, one in enumerate(tasks) if one is task]
            fitted = [_fitted(model, task, labelled.questions[i], found[i].context) for i in places]
            conversations = [
                task_messages(task, context, labelled.questions[i].text, labelled.questions[i].options)
                for i, (context, _) in zip(places, fitted, strict=True)
            ]
            replies = answer_tasks(model, task, conversations)
            for i, (_, is_cut), reply in zip(places, fitted, replies, strict=True):
                said[i] = _answered(reply, is_cut=is_cut)
        return said


def _answered(reply: str | EngineError, *, is_cut: bool) -> Answered:
    if isinstance(reply, str):
        return Answered(reply, "" if reply else "the reply is empty", is_cut)
    if isinstance(reply, ModelReplyError):
        return Answered("", str(reply), is_cut)
    raise reply


def _fitted(model: LanguageModel, task: Task, question: Question, context: str) -> tuple[str, bool]:
    """The evidence as far as the model's window reaches, and whether that is not all of it."""
    if not model.context_tokens:
        return context, False
    asked = sum(map(n_tokens, (question.text, *question.options)))
    room = max(64, model.context_tokens - MAX_TOKENS[task] - asked - _OVERHEAD_TOKENS)
    kept = clip(context, room, n_tokens)
    return kept, kept != context


def _answer_all(
    documents: Sequence[LabelledDocument],
    cells: Sequence[tuple[tuple[Recipe, int], ResultFile]],
    answerer: _Answerer,
    spec: RunSpec,
) -> None:
    n_before = 0
    for number, labelled in enumerate(documents, start=1):
        n_after = n_before + len(labelled.questions)
        for (recipe, budget), file in cells:
            if file.n_done < n_after:
                rows = answerer.answers(labelled, recipe, budget)
                file.append_rows([{"question_id": id_} | asdict(one) for id_, one in rows[file.n_done - n_before :]])
        n_before = n_after
        spec.report(number, len(documents))
    for _, file in cells:
        file.finish()


def _documents(dataset: Dataset, spec: RunSpec) -> list[LabelledDocument]:
    found = islice((one for one in dataset.load(spec.data) if one.questions), spec.limit)
    documents = [replace(one, questions=one.questions[: spec.questions_each]) for one in found]
    if not documents:
        raise DataError(f"{spec.data}: expected questions, found none")
    if all(one.kind is AnswerKind.UNANSWERABLE for of in documents for q in of.questions for one in q.references):
        raise DataError(f"{spec.data}: expected answers, found none in {len(documents):,} documents")
    return documents


def _key(of_evidence: str, spec: RunSpec) -> str:
    inputs = repr((of_evidence, PROMPT_VERSION, spec.questions_each))
    return hashlib.sha256(inputs.encode()).hexdigest()[:16]


def _summarized(
    dataset: Dataset, documents: Sequence[LabelledDocument], cells: Sequence[tuple[str, int, dict[str, Answered]]]
) -> list[Row]:
    """The table of a retrieval run, with answers in the place of contexts; a reply of no use is an empty one."""
    answers = [
        (slug, budget, {id_: Retrieved(one.answer, ()) for id_, one in of_cell.items()})
        for slug, budget, of_cell in cells
    ]

    def measure(question: Question, found: Retrieved) -> dict[str, float]:
        return scores_of(question, found.context)

    measured = replace(dataset, metrics=_METRICS, measure=measure)
    return summarize(measured, documents, answers, baseline=cells[0][0], seed=SEED)


def _read(path: Path) -> dict[str, Answered]:
    answers = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            answers[row["question_id"]] = Answered(row["answer"], row["error"], row["is_cut"])
    return answers
