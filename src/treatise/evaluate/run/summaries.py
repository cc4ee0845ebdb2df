"""Evaluates summaries: recipes and baselines × word limits, scored by ROUGE against the reference summaries."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from treatise.core.errors import DataError
from treatise.core.indexed import IndexedDocument
from treatise.evaluate.data.dataset import Dataset, LabelledDocument, Question, Retrieved
from treatise.evaluate.data.registry import dataset_named, load_documents
from treatise.evaluate.metrics.texts import rouge
from treatise.evaluate.report.summary import Summary, summarize
from treatise.evaluate.report.tables import write_tables
from treatise.evaluate.run.overheard import Heard, overheard
from treatise.evaluate.run.record import RunRecord, run_record
from treatise.evaluate.run.results import ResultFile, open_results, read_results
from treatise.evaluate.run.spec import SEED, RunSpec
from treatise.evaluate.run.stand_ins import note_stand_ins, nucleus_notes
from treatise.evaluate.run.summary_baselines import BASELINES, Summarizer
from treatise.evaluate.run.systems import DocumentIndexes, Systems, opened_systems
from treatise.pipeline.system import System

METRICS: Final = ("rougeL", "rouge1", "rouge2")
SUFFIX: Final = " summaries"
"""Appended to the data set's name in a record."""

_Cell = tuple[str, int, ResultFile]
"""Slug of a recipe or baseline, a word limit, and the file of its summaries."""


def run(spec: RunSpec, *, baselines: Sequence[str] = tuple(BASELINES)) -> Summary:
    """Summarises every document of a data file on each of its questions, and scores the summaries.

    Writes ``OUT/<recipe>-<words>.jsonl`` (``question_id``, ``context``: the summary, ``spans``: its citations) and
    ``OUT/summary.json``, ``.csv`` and ``.md``: ROUGE-L, -1 and -2, each the best over the references, with intervals
    and paired tests against the first baseline. A killed run resumes where it stopped.

    Args:
        spec: Its data set must have summaries as references: ``qmsum`` or ``squality``. Budgets are limits in words;
            summaries are whole sentences. Without a language model summaries are quoted.
        baselines: Names from ``summary_baselines.BASELINES``, over the first recipe's sentences; all others are
            compared with the first of them.

    Raises:
        DataError: If the data set or a baseline is unknown, or the file is malformed.
        MissingExtraError: Without ``treatise[eval]``.
        EngineError: If the model fails; finished summaries are kept.
    """
    rouge("", ["fails early if the extra is missing"])
    if unknown := [name for name in baselines if name not in BASELINES]:
        raise DataError(f"no baseline is named {unknown[0]!r} (there are: {', '.join(BASELINES)})")
    dataset = by_summaries(dataset_named(spec.dataset))
    documents = load_documents(dataset, spec.data, spec.limit)
    record = replace(run_record(spec, documents), dataset=dataset.name)
    cells = _open_cells(spec, record, baselines)
    spec, heard = overheard(spec)
    with opened_systems(spec) as systems:
        _write_all(documents, cells, systems, spec, heard)
    found = [(slug, words, read_results(file.path)) for slug, words, file in cells]
    rows = summarize(dataset, documents, found, baseline=cells[0][0], seed=SEED)
    summary = Summary(record, tuple(note_stand_ins(rows, spec, documents, answers=True)))
    write_tables(summary, spec.out)
    return summary


def by_summaries(dataset: Dataset) -> Dataset:
    """The data set for summary evaluation, with ROUGE as its metrics and a separate name."""
    return replace(dataset, name=f"{dataset.name}{SUFFIX}", metrics=METRICS, measure=_measure)


def _measure(question: Question, retrieved: Retrieved) -> dict[str, float]:
    references = [reference.answer for reference in question.references]
    return {name: rouge(retrieved.context, references, name) for name in METRICS}


def _open_cells(spec: RunSpec, record: RunRecord, baselines: Sequence[str]) -> list[_Cell]:
    """All baselines and recipes at all limits; a baseline depends on the first recipe's sentences."""
    pairs = [(slug, words) for slug in (*baselines, *record.recipes) for words in spec.budgets]
    first = spec.recipes[0].slug
    keys = {
        f"{slug}-{words}.jsonl": record.key(slug if slug in record.recipes else first, words) for slug, words in pairs
    }
    files = open_results(spec.out, keys, data=spec.data, n_questions=record.n_questions)
    return [(slug, words, file) for (slug, words), file in zip(pairs, files, strict=True)]


def _write_all(
    documents: Sequence[LabelledDocument], cells: Sequence[_Cell], systems: Systems, spec: RunSpec, heard: Heard
) -> None:
    recipes = {recipe.slug: recipe.slug for recipe in spec.recipes}
    n_before = 0
    for number, labelled in enumerate(documents, start=1):
        indexes = DocumentIndexes([labelled.document])
        for slug, words, file in cells:
            system = systems[recipes.get(slug, spec.recipes[0].slug)]
            for question in labelled.questions[max(0, file.n_done - n_before) :]:
                (indexed,) = indexes.by(system)
                baseline = None if slug in recipes else BASELINES[slug]
                heard.forget()
                summary = _summarize(indexed, question, words, baseline or system)
                heard.check()
                file.append([(question.id, summary)])
        n_before += len(labelled.questions)
        systems.forget_document()
        spec.report(number, len(documents))
    for _, _, file in cells:
        file.finish()


def _summarize(indexed: IndexedDocument, question: Question, words: int, summarizer: System | Summarizer) -> Retrieved:
    """The summary by a system, with its citations, or by a baseline."""
    if not isinstance(summarizer, System):
        return Retrieved(summarizer(indexed, question.text, words), ())
    answer = summarizer.summarize(indexed, question.text, max_words=words, fallback=False)
    spans = tuple(citation.span for citation in answer.citations)
    return Retrieved(answer.text, spans, nucleus_notes=nucleus_notes([indexed]))
