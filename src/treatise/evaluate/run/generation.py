"""Scores the answers of recipes, generated as by ``treatise ask``.

The answer forms are those of DISRetrieval (appendix B.6): short answers on papers (QASPER), one of several options
(QuALITY), answers on stories (NarrativeQA), in Chinese (MultiFieldQA-zh). Without a model, answers are quoted from the
evidence.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from treatise.core.answer import Answer
from treatise.core.errors import DataError, ModelReplyError
from treatise.core.evidence import Evidence
from treatise.core.form import CITED, Form, FormKind
from treatise.core.plurals import counted
from treatise.core.recipe import Planning, Recipe
from treatise.evaluate.data.dataset import AnswerKind, Dataset, LabelledDocument, Question, Retrieved
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.metrics.judges import Judges, questions_of, scores_by_judges
from treatise.evaluate.metrics.registry import CHOICE, SHORT, answer_scores, is_installed, reported_metrics
from treatise.evaluate.report.summary import Measured, Row, compare
from treatise.evaluate.report.summary import measure as measured_cells
from treatise.evaluate.report.tables import append_costs, append_dr_scores, append_entropies, as_csv, as_markdown
from treatise.evaluate.run.gold import GOLD_EVIDENCE, gold_evidence
from treatise.evaluate.run.open_domain import opened_corpus
from treatise.evaluate.run.overheard import Heard, mean_entropies, overheard
from treatise.evaluate.run.record import RunRecord, run_record
from treatise.evaluate.run.results import ResultFile, open_results, write_whole
from treatise.evaluate.run.spec import OWN_BUDGET, SEED, RunSpec, check_recipes_and_budgets
from treatise.evaluate.run.stand_ins import note_stand_ins, nucleus_notes, rejected_replies
from treatise.evaluate.run.systems import DocumentIndexes, Systems, check_reranked, opened_systems
from treatise.generate.forms import PROMPT_VERSION
from treatise.pipeline.library import Library
from treatise.pipeline.system import System

_STORIES: Final = ("narrativeqa", "fairytaleqa")
_SPANS: Final = ("policyqa", "spans")
_LONG: Final = ("loong", "asqa", "scinews", "qmsum", "squality", "wikicontradict", "ramdocs")
"""Data sets with full-sentence answers."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to one question.

    Attributes:
        answer: The model's answer; empty if unusable.
        error: Why it is unusable; empty if usable.
        is_cut: Whether the evidence was shortened to the model's window.
        notes: For recipes with structure, remarks on the answer: a plan, a graph or queries that failed, among others.
        tokens: Tokens of all calls for the answer, prompts and replies; calls whose outcome was known count 0.
        seconds: From the question to the answer.
        nucleus_notes: Share of the documents' notes that are nucleus text, because replies were rejected.
        rejected: Requests without a usable reply, by stage.
        attention_entropy: In nats; None if it was not measured.
    """

    answer: str
    error: str = ""
    is_cut: bool = False
    notes: tuple[str, ...] = ()
    tokens: int = 0
    seconds: float = 0.0
    nucleus_notes: float = 0.0
    rejected: Mapping[str, int] = field(default_factory=dict)
    attention_entropy: float | None = None


_ANSWERED: Final = tuple(one.name for one in fields(Answered))


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of a run, as in ``summary.json``.

    Attributes:
        record: The record of the run.
        model: The language model's name; empty for quoted answers.
        prompt_version: The version of the instructions.
        rows: One per recipe and budget. ``n_words`` is the mean length of the answers.
    """

    record: RunRecord
    model: str
    prompt_version: int
    rows: tuple[Row, ...]


def form_of(dataset: str, labelled: LabelledDocument, question: Question) -> Form:
    """The answer form for a question's data set."""
    if question.options:
        return Form(FormKind.CHOICE, question.options)
    name = dataset.partition(":")[0]
    if name in _LONG:
        return CITED
    if labelled.document.language == "zh":
        return Form(FormKind.SHORT_ZH)
    if name in _SPANS:
        return Form(FormKind.SPAN)
    return Form(FormKind.STORY if name in _STORIES else FormKind.SHORT)


def scores_of(question: Question, answer: str, names: Sequence[str] = SHORT, source: str = "") -> dict[str, float]:
    """The metrics of one answer, 0 to 1.

    Always ``answer_f1`` (the best reference's; on Chinese over characters) and ``exact_match``; for a multiple-choice
    question ``accuracy`` by the first letter in brackets, and ``accuracy_nearest`` by the least edit distance to an
    option. ``unread`` is 1 if the reply was unusable: it is empty, and scores 0 in everything else.

    Args:
        question: With its references.
        answer: The generated answer.
        names: Further metrics, from ``metrics.registry.ANSWER_METRICS``.
        source: The text of the question's documents, for metrics that need it.
    """
    always = CHOICE if question.options else SHORT
    wanted = dict.fromkeys([*always, *(name for name in names if question.options or name not in CHOICE)])
    return {"unread": float(not answer)} | answer_scores([*wanted], question, answer, source)


def run(spec: RunSpec) -> Summary:
    """Answers every question of a data file with every recipe at every budget, and scores the answers.

    Writes ``OUT/<recipe>-<budget>.jsonl`` (``question_id``, ``answer``, ``error``, ``is_cut``), ``OUT/summary.json``,
    ``summary.csv`` and ``summary.md``. The first recipe is the baseline. A killed run resumes at the question where it
    stopped. A budget of 0 words is the recipe's own. In the open domain every question is asked of a
    library of all documents.

    Raises:
        DataError: If the data set is unknown, or its file is malformed or has no question.
        RecipeError: As ``spec.check_recipes_and_budgets``.
        EngineError: If the model cannot be reached, or the reranker fails; finished answers are kept.
    """
    check_recipes_and_budgets(spec, least_words=OWN_BUDGET)
    dataset = dataset_named(spec.dataset)
    documents = _documents(dataset, spec)
    record = run_record(spec, documents)
    spec, heard = overheard(spec)
    pairs = [(recipe, budget) for recipe in spec.recipes for budget in spec.budgets]
    keys = {f"{recipe.slug}-{budget}.jsonl": _key(record.key(recipe.slug, budget), spec) for recipe, budget in pairs}
    files = open_results(spec.out, keys, n_questions=record.n_questions, data=spec.data)
    with ExitStack() as stack:
        systems = stack.enter_context(opened_systems(spec))
        corpus = stack.enter_context(opened_corpus(spec, documents, systems)) if spec.open_domain else {}
        _answer_all(documents, list(zip(pairs, files, strict=True)), systems, corpus, spec, heard)
    answers = [(recipe.slug, budget, _read(file.path)) for (recipe, budget), file in zip(pairs, files, strict=True)]
    rows = note_stand_ins(_summarized(dataset, documents, answers, spec), spec, documents, answers=True)
    summary = Summary(record, record.model, PROMPT_VERSION, tuple(rows))
    costs = _costs(answers) if spec.with_cost else []
    entropies = mean_entropies(documents, [(slug, budget, _entropies(found)) for slug, budget, found in answers])
    further = {"costs": costs, "attention": entropies}
    content = asdict(summary) | {name: rows for name, rows in further.items() if rows}
    write_whole(spec.out / "summary.json", json.dumps(content, indent=1) + "\n")
    write_whole(spec.out / "summary.csv", as_csv(rows))
    write_whole(spec.out / "summary.md", as_markdown(rows))
    append_dr_scores(rows, spec.out / "summary.md")
    append_costs(costs, spec.out / "summary.md")
    append_entropies(entropies, spec.attention.name if spec.attention else "", spec.out / "summary.md")
    return summary


def _entropies(found: Mapping[str, Answered]) -> dict[str, float]:
    return {name: one.attention_entropy for name, one in found.items() if one.attention_entropy is not None}


def _costs(cells: Sequence[tuple[str, int, dict[str, Answered]]]) -> list[dict[str, object]]:
    """Mean tokens and seconds of an answer, by recipe and budget."""
    return [
        {
            "recipe": slug,
            "budget": budget,
            "n": len(found),
            "tokens": float(np.mean([one.tokens for one in found.values()])),
            "seconds": float(np.mean([one.seconds for one in found.values()])),
        }
        for slug, budget, found in cells
    ]


def _answer_all(
    documents: Sequence[LabelledDocument],
    cells: Sequence[tuple[tuple[Recipe, int], ResultFile]],
    systems: Systems,
    corpus: Mapping[str, Library],
    spec: RunSpec,
    heard: Heard,
) -> None:
    n_before = 0
    for number, labelled in enumerate(documents, start=1):
        indexes = DocumentIndexes.readable(labelled.documents)
        for (recipe, budget), file in cells:
            for question in labelled.questions[max(0, file.n_done - n_before) :]:
                form = form_of(spec.dataset, labelled, question)
                given = gold_evidence(labelled, question) if recipe == GOLD_EVIDENCE else None
                if library := corpus.get(recipe.slug):
                    asked: _Asked = partial(library.ask, question.text)
                else:
                    asked = partial(_of_own_documents, indexes, systems[recipe.slug], question.text, evidence=given)
                heard.forget()
                answered = _answer(question, asked, form, budget, recipe)
                heard.check()
                if spec.attention and answered.answer and heard.reply:
                    entropy = spec.attention.entropy(heard.messages, heard.reply)
                    answered = replace(answered, attention_entropy=round(entropy, 4))
                if not library and given is None and indexes.documents:
                    answered = replace(answered, nucleus_notes=nucleus_notes(indexes.by(systems[recipe.slug])))
                file.append_rows([_row(question, answered, with_cost=spec.with_cost)])
        n_before += len(labelled.questions)
        systems.forget_document()
        spec.report(number, len(documents))
    for _, file in cells:
        file.finish()


_Asked = Callable[..., Answer]
"""Asks a question with ``max_words``, ``form`` and ``fallback``, as ``System.answer``."""


def _of_own_documents(
    indexes: DocumentIndexes, system: System, question: str, *, evidence: Evidence | None, **options: Any
) -> Answer:
    """A system's answer from all documents of the question, or from this evidence.

    Raises:
        ModelReplyError: If they have no sentence.
    """
    if not indexes.documents:
        raise ModelReplyError("the document has no sentence")
    return system.answer(question, indexes.by(system), evidence=evidence, **options)


def _answer(question: Question, asked: _Asked, form: Form, budget: int, recipe: Recipe) -> Answered:
    """The answer; empty if the reply is unusable."""
    try:
        answer = asked(max_words=budget, form=form, fallback=False)
    except ModelReplyError as error:
        return Answered("", str(error))
    check_reranked(question.id, answer.evidence)
    model, seconds = answer.usage.total_model, answer.usage.total_seconds
    tokens = model.prompt_tokens + model.completion_tokens
    empty = "" if answer.text else "the reply is empty"
    notes = answer.notes if recipe.planning != Planning() else ()
    rejected = rejected_replies(answer)
    return Answered(answer.text, empty, answer.is_cut, notes, tokens, round(seconds, 3), rejected=rejected)


def _row(question: Question, answered: Answered, *, with_cost: bool) -> dict[str, object]:
    """A line of a result file. Costs depend on the run: without them, equal runs write equal files."""
    row = {"question_id": question.id} | asdict(answered)
    left_out = {name for name in ("tokens", "seconds") if not with_cost}
    left_out |= {name for name in ("notes", "nucleus_notes", "rejected", "attention_entropy") if not row[name]}
    return {name: value for name, value in row.items() if name not in left_out}


def _documents(dataset: Dataset, spec: RunSpec) -> list[LabelledDocument]:
    found = islice((one for one in dataset.load(spec.data) if one.questions or spec.open_domain), spec.limit)
    documents = [replace(one, questions=one.questions[: spec.questions_each]) for one in found]
    if not documents:
        raise DataError(f"{spec.data}: expected questions, found none")
    if all(one.kind is AnswerKind.UNANSWERABLE for of in documents for q in of.questions for one in q.references):
        raise DataError(f"{spec.data}: expected answers, found none in {counted(len(documents), 'document')}")
    return documents


def _key(of_evidence: str, spec: RunSpec) -> str:
    inputs = repr((of_evidence, PROMPT_VERSION, spec.questions_each, spec.open_domain))
    inputs += f" attention of {spec.attention.name}" if spec.attention else ""
    return hashlib.sha256(inputs.encode()).hexdigest()[:16]


def _summarized(
    dataset: Dataset,
    documents: Sequence[LabelledDocument],
    cells: Sequence[tuple[str, int, dict[str, Answered]]],
    spec: RunSpec,
) -> list[Row]:
    """Result rows as in a retrieval run, with answers in place of contexts."""
    answers = [
        (slug, budget, {id_: Retrieved(one.answer, ()) for id_, one in of_cell.items()})
        for slug, budget, of_cell in cells
    ]

    sources = {
        question.id: "\n\n".join(document.text for document in labelled.documents)
        for labelled in documents
        for question in labelled.questions
    }
    reported = dict.fromkeys([*reported_metrics(dataset.name), *spec.metrics])
    names = [name for name in reported if is_installed(name)]

    def measure(question: Question, found: Retrieved) -> dict[str, float]:
        return scores_of(question, found.context, names, sources[question.id])

    metrics = tuple(dict.fromkeys([*names, *SHORT, *CHOICE, "unread"]))
    measured = measured_cells(replace(dataset, metrics=metrics, measure=measure), documents, answers)
    judged = [_judged(one, documents, cell[2], spec.judges) for one, cell in zip(measured, cells, strict=True)]
    return compare(judged, documents, baseline=cells[0][0], seed=SEED)


def _judged(
    measured: Measured, documents: Sequence[LabelledDocument], answered: Mapping[str, Answered], judges: Judges
) -> Measured:
    """With the scores of models; those that never apply are left out."""
    answers = [answered[question.id].answer for question in questions_of(documents)]
    found = scores_by_judges(documents, answers, judges)
    return replace(measured, values=measured.values | {k: v for k, v in found.items() if not np.isnan(v).all()})


def _read(path: Path) -> dict[str, Answered]:
    answers = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            of_answer = {name: row[name] for name in _ANSWERED if name in row}
            answers[row["question_id"]] = Answered(**of_answer)
    return answers
