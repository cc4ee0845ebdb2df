"""Scores and compares answers and retrieved contexts from files of any system."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.data.loaders.fields import read_records
from treatise.evaluate.data.registry import dataset_named, load_documents
from treatise.evaluate.metrics.judges import (
    NO_JUDGES,
    Judges,
    column,
    questions_of,
    scores_by_judges,
    sources_of,
)
from treatise.evaluate.metrics.ranking import RANK_MEASURES, judgements, ranking_scores, rankings
from treatise.evaluate.metrics.registry import REPORTED, metric_named
from treatise.evaluate.metrics.statistics import Doubles
from treatise.evaluate.report.summary import Measured, Summary, compare
from treatise.evaluate.report.tables import append_dr_scores, write_tables
from treatise.evaluate.run.record import run_record
from treatise.evaluate.run.results import read_results
from treatise.evaluate.run.spec import SEED, RunSpec
from treatise.evaluate.run.trec import RUN_SUFFIX, read_run

_NO_BUDGET: Final = 0


def score_answers(
    spec: RunSpec, systems: Mapping[str, Path], *, metrics: Sequence[str] = (), judges: Judges = NO_JUDGES
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
        values = _by_name(documents, answers, names) | scores_by_judges(documents, answers, judges)
        scored = {name: of_name for name, of_name in values.items() if not np.isnan(of_name).all()}
        n_words = float(np.mean([len(answer.split()) for answer in answers]))
        measured.append(Measured(system, _NO_BUDGET, n_words, scored))
    return _summary(spec, systems, documents, measured)


def score_ranks(spec: RunSpec, systems: Mapping[str, Path], *, measures: Sequence[str] = RANK_MEASURES) -> Summary:
    """Scores how early systems rank the marked paragraphs; same output files as :func:`score_answers`.

    Args:
        spec: As for :func:`score_answers`.
        systems: By name, the file of each: as ``treatise eval retrieval`` writes it, or a TREC run of paragraphs
            (``.run``), in which a question without a line found nothing.
        measures: As for ``metrics.ranking.rank_scores``.

    Raises:
        DataError: If a file is malformed or has no line for a question, a measure is unknown, or the set marks nothing.
    """
    documents = load_documents(dataset_named(spec.dataset), spec.data, spec.limit)
    measured = []
    relevant = judgements(documents)
    for system, path in systems.items():
        ranked, n_words = _ranked(documents, path)
        scores = ranking_scores(relevant, ranked, measures)
        if not scores:
            raise DataError(f"{spec.data}: no question has a marked place, so nothing can be ranked")
        columns = {
            name: column([scores.get(question.id, {}).get(name) for question in questions_of(documents)])
            for name in next(iter(scores.values()))
        }
        measured.append(Measured(system, _NO_BUDGET, n_words, columns))
    return _summary(spec, systems, documents, measured)


def _ranked(documents: Sequence[LabelledDocument], path: Path) -> tuple[dict[str, list[str]], float]:
    """The ranking of each question in a file, and the mean number of words; 0 for a TREC run, which has no text."""
    if path.suffix == RUN_SUFFIX:
        return {question.id: [] for question in questions_of(documents)} | read_run(path), 0.0
    retrieved = read_results(path)
    n_words = float(np.mean([len(one.context.split()) for one in retrieved.values()]))
    return rankings(documents, retrieved), n_words


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
        append_dr_scores(summary.rows, out / "summary.md")
    except OSError as error:
        raise DataError(f"{out}: results cannot be written there ({error.strerror}): name another folder") from error
    return summary


def _answers(path: Path, documents: Sequence[LabelledDocument]) -> list[str]:
    """The file's answers, in question order."""
    found = {
        record.text("question_id"): record.text(
            "context" if "answer" not in record and "context" in record else "answer"
        )
        for record in read_records(path)
    }
    for question in questions_of(documents):
        if question.id not in found:
            raise DataError(f"{path} has no line for question {question.id}")
    return [found[question.id] for question in questions_of(documents)]


def _by_name(documents: Sequence[LabelledDocument], answers: Sequence[str], names: Sequence[str]) -> dict[str, Doubles]:
    asked = list(zip(questions_of(documents), answers, sources_of(documents), strict=True))
    return {name: column([metric_named(name)(*one) for one in asked]) for name in names}
