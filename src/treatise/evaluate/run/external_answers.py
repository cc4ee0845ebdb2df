"""Scores and compares answers and retrieved contexts from files of any system."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from treatise.core.errors import DataError
from treatise.core.ports import LanguageModel
from treatise.evaluate.data.dataset import LabelledDocument, Question
from treatise.evaluate.data.loaders.fields import read_records
from treatise.evaluate.data.registry import dataset_named, load_documents
from treatise.evaluate.metrics.bert import BertScore
from treatise.evaluate.metrics.consistency import Entailment, consistency
from treatise.evaluate.metrics.judge import FULL_MARKS, judge
from treatise.evaluate.metrics.ranking import RANK_MEASURES, rank_scores
from treatise.evaluate.metrics.readings import Reader, disambiguation_f1, dr_score
from treatise.evaluate.metrics.registry import REPORTED, metric_named
from treatise.evaluate.metrics.statistics import Doubles
from treatise.evaluate.report.summary import Measured, Summary, compare
from treatise.evaluate.report.tables import write_tables
from treatise.evaluate.run.record import run_record
from treatise.evaluate.run.results import read_results, write_whole
from treatise.evaluate.run.spec import SEED, RunSpec

_NO_BUDGET: Final = 0


@dataclass(frozen=True, slots=True)
class Judges:
    """Models that score answers; each one present adds its metrics.

    Attributes:
        judge: Adds ``judge`` (the rating in percent) and ``judge_full`` (full marks or not).
        entailment: Adds ``consistency`` of the answer with the source documents.
        bert: Adds ``bertscore``.
        reader: Adds ``disambiguation_f1``.
    """

    judge: LanguageModel | None = None
    entailment: Entailment | None = None
    bert: BertScore | None = None
    reader: Reader | None = None


_NO_JUDGES: Final = Judges()


def score_answers(
    spec: RunSpec, systems: Mapping[str, Path], *, metrics: Sequence[str] = (), judges: Judges = _NO_JUDGES
) -> Summary:
    """Scores systems' answers and writes ``OUT/summary.json``, ``.csv``, ``.md`` and ``.tex``.

    Args:
        spec: Names the data set and the baseline: one of the systems, by default the first.
        systems: By name, the file of each: JSON lines with ``question_id`` and ``answer``, or ``context`` if that is
            the answer, as in the results of ``treatise eval summaries``.
        metrics: Names from ``metrics.registry.ANSWER_METRICS``; by default those reported for the data set.
        judges: Models for additional scores.

    Raises:
        DataError: If a file is malformed or has no line for a question, or a metric is unknown.
        EngineError: If a judge fails.
    """
    names = metrics or REPORTED[spec.dataset.partition(":")[0]]
    for name in names:
        metric_named(name)
    documents = load_documents(dataset_named(spec.dataset), spec.data, spec.limit)
    measured = []
    for system, path in systems.items():
        answers = _answers(path, documents)
        values = _by_name(documents, answers, names) | _by_judges(documents, answers, judges)
        scored = {name: of_name for name, of_name in values.items() if not np.isnan(of_name).all()}
        n_words = float(np.mean([len(answer.split()) for answer in answers]))
        measured.append(Measured(system, _NO_BUDGET, n_words, scored))
    return _summary(spec, systems, documents, measured)


def score_ranks(spec: RunSpec, systems: Mapping[str, Path], *, measures: Sequence[str] = RANK_MEASURES) -> Summary:
    """Scores how early systems rank the marked paragraphs; same output files as :func:`score_answers`.

    Args:
        spec: As for :func:`score_answers`.
        systems: By name, the file of each, as ``treatise eval retrieval`` writes it.
        measures: As for ``metrics.ranking.rank_scores``.

    Raises:
        DataError: If a file is malformed or has no line for a question, a measure is unknown, or the set marks nothing.
    """
    documents = load_documents(dataset_named(spec.dataset), spec.data, spec.limit)
    measured = []
    for system, path in systems.items():
        retrieved = read_results(path)
        scores = rank_scores(documents, retrieved, measures)
        if not scores:
            raise DataError(f"{spec.data}: no question has a marked place, so nothing can be ranked")
        columns = {
            name: _column([scores.get(question.id, {}).get(name) for question in _questions(documents)])
            for name in next(iter(scores.values()))
        }
        n_words = float(np.mean([len(one.context.split()) for one in retrieved.values()]))
        measured.append(Measured(system, _NO_BUDGET, n_words, columns))
    return _summary(spec, systems, documents, measured)


def _summary(
    spec: RunSpec,
    systems: Mapping[str, Path],
    documents: Sequence[LabelledDocument],
    measured: Sequence[Measured],
) -> Summary:
    files: dict[str, dict[str, object]] = {
        name: {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for name, path in systems.items()
    }
    rows = compare(measured, documents, baseline=spec.baseline or next(iter(systems)), seed=SEED)
    summary = Summary(replace(run_record(spec, documents), recipes=files), tuple(rows))
    out = spec.out
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_tables(summary, out)
        _append_dr_scores(summary, out / "summary.md")
    except OSError as error:
        raise DataError(f"{out}: results cannot be written there ({error.strerror}): name another folder") from error
    return summary


def _append_dr_scores(summary: Summary, table: Path) -> None:
    """ASQA's overall score for each system with both components; defined per system, not per question."""
    lines = [
        f"DR of {row.recipe}: {dr_score(row.scores['rougeL'].mean, row.scores['disambiguation_f1'].mean):.2f}\n"
        for row in summary.rows
        if {"rougeL", "disambiguation_f1"} <= row.scores.keys()
    ]
    if lines:
        write_whole(table, table.read_text(encoding="utf-8") + "\n" + "".join(lines))


def _questions(documents: Sequence[LabelledDocument]) -> list[Question]:
    return [question for labelled in documents for question in labelled.questions]


def _answers(path: Path, documents: Sequence[LabelledDocument]) -> list[str]:
    """The file's answers, in question order."""
    found = {
        record.text("question_id"): record.text(
            "context" if "answer" not in record and "context" in record else "answer"
        )
        for record in read_records(path)
    }
    for question in _questions(documents):
        if question.id not in found:
            raise DataError(f"{path} has no line for question {question.id}")
    return [found[question.id] for question in _questions(documents)]


def _by_name(documents: Sequence[LabelledDocument], answers: Sequence[str], names: Sequence[str]) -> dict[str, Doubles]:
    asked = list(zip(_questions(documents), answers, _sources(documents), strict=True))
    return {name: _column([metric_named(name)(*one) for one in asked]) for name in names}


def _by_judges(documents: Sequence[LabelledDocument], answers: Sequence[str], judges: Judges) -> dict[str, Doubles]:
    questions = _questions(documents)
    values: dict[str, Doubles] = {}
    if judges.judge:
        rows = [(q.text, q.references[0].answer, answer) for q, answer in zip(questions, answers, strict=True)]
        scores = [one.score for one in judge(judges.judge, rows)]
        values["judge"] = _column([None if score is None else score / FULL_MARKS for score in scores])
        values["judge_full"] = _column([None if score is None else float(score == FULL_MARKS) for score in scores])
    if judges.entailment:
        languages = [labelled.document.language for labelled in documents for _ in labelled.questions]
        pairs = zip(answers, _sources(documents), languages, strict=True)
        values["consistency"] = _column(
            [consistency(answer, source, judges.entailment, language=language) for answer, source, language in pairs]
        )
    if judges.bert:
        golds = [[reference.answer for reference in question.references] for question in questions]
        values["bertscore"] = _column(judges.bert(answers, golds))
    if judges.reader:
        values["disambiguation_f1"] = _column(disambiguation_f1(questions, answers, judges.reader))
    return values


def _sources(documents: Sequence[LabelledDocument]) -> list[str]:
    """The source text of each question: all of its documents."""
    texts = ["\n\n".join(document.text for document in labelled.documents) for labelled in documents]
    return [text for text, labelled in zip(texts, documents, strict=True) for _ in labelled.questions]


def _column(scores: Sequence[float | None]) -> Doubles:
    return 100 * np.array([np.nan if score is None else score for score in scores], dtype=np.float64)
