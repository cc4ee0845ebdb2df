"""Evaluates evidence retrieval: recipes × word budgets over a data set, resumable and recorded.

>>> from treatise.recipes import BALANCED, FLAT_SENTENCE
>>> spec = RunSpec(
...     dataset="qasper",
...     data=Path("qasper-dev-v0.3.json"),
...     out=Path("out"),
...     recipes=[FLAT_SENTENCE, BALANCED],
...     budgets=[200, 300, 400],
...     engines=engines,
... )  # doctest: +SKIP
>>> run(spec)  # doctest: +SKIP
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from treatise.core.evidence import Evidence
from treatise.core.recipe import Recipe
from treatise.evaluate.data.dataset import LabelledDocument, Question, Retrieved
from treatise.evaluate.data.registry import dataset_named, load_documents
from treatise.evaluate.report.summary import Summary, summarize
from treatise.evaluate.report.tables import write_tables
from treatise.evaluate.run.open_domain import opened_corpus, with_all_documents
from treatise.evaluate.run.record import RunRecord, run_record
from treatise.evaluate.run.results import ResultFile, open_results, read_results
from treatise.evaluate.run.spec import SEED, RunSpec, check_recipes_and_budgets
from treatise.evaluate.run.stand_ins import note_stand_ins, nucleus_notes
from treatise.evaluate.run.systems import DocumentIndexes, Systems, check_reranked, opened_systems
from treatise.pipeline.library import Library


def run(spec: RunSpec) -> Summary:
    """Retrieves evidence for every question with every recipe at every budget, and scores it.

    Writes ``OUT/<recipe>-<budget>.jsonl`` (``question_id``, ``context``, ``spans``; one line per question, in the
    order of the data file), ``OUT/summary.json``, ``.csv``, ``.md`` and ``.tex``. A killed run resumes where it
    stopped. Result files made by the same code from the same data and settings are kept. In the open domain every
    question is asked of a library of all documents.

    Raises:
        DataError: If the data set is unknown or its file is malformed.
        RecipeError: As ``check_recipes_and_budgets``.
        EngineError: If the reranker fails: without it, another system would be measured.
    """
    check_recipes_and_budgets(spec)
    dataset = dataset_named(spec.dataset)
    documents = load_documents(dataset, spec.data, spec.limit)
    record = run_record(spec, documents)
    cells = _open_cells(spec, record)
    with ExitStack() as stack:
        systems = stack.enter_context(opened_systems(spec))
        corpus = stack.enter_context(opened_corpus(spec, documents, systems)) if spec.open_domain else {}
        _retrieve_all(documents, cells, systems, corpus, spec)
    found = [(cell.recipe.slug, cell.budget, read_results(cell.file.path)) for cell in cells]
    rows = summarize(dataset, documents, found, baseline=spec.baseline or spec.recipes[0].slug, seed=SEED)
    summary = Summary(record, tuple(note_stand_ins(rows, spec, documents, answers=False)))
    write_tables(summary, spec.out)
    return summary


@dataclass(frozen=True, slots=True)
class _Cell:
    """One recipe at one budget, and its result file."""

    recipe: Recipe
    budget: int
    file: ResultFile


def _open_cells(spec: RunSpec, record: RunRecord) -> list[_Cell]:
    pairs = [(recipe, budget) for recipe in spec.recipes for budget in spec.budgets]
    keys = {f"{recipe.slug}-{budget}.jsonl": record.key(recipe.slug, budget) for recipe, budget in pairs}
    files = open_results(spec.out, keys, data=spec.data, n_questions=record.n_questions)
    return [_Cell(recipe, budget, file) for (recipe, budget), file in zip(pairs, files, strict=True)]


def _retrieve_all(
    documents: Sequence[LabelledDocument],
    cells: Sequence[_Cell],
    systems: Systems,
    corpus: Mapping[str, Library],
    spec: RunSpec,
) -> None:
    n_before = 0
    searched = with_all_documents(documents) if spec.open_domain else documents
    for number, labelled in enumerate(searched, start=1):
        n_after = n_before + len(labelled.questions)
        retrieve = _of_all_documents(labelled, corpus) if corpus else _of_own_documents(labelled, systems)
        for cell in (cell for cell in cells if cell.file.n_done < n_after):
            questions = labelled.questions[cell.file.n_done - n_before :]
            cell.file.append([(one.id, retrieve(one, cell.recipe.slug, cell.budget)) for one in questions])
        n_before = n_after
        systems.forget_document()
        spec.report(number, len(documents))
    for cell in cells:
        cell.file.finish()


_Retrieve = Callable[[Question, str, int], Retrieved]
"""Retrieves evidence for a question, by the slug of a recipe, within a budget."""


def _of_all_documents(labelled: LabelledDocument, corpus: Mapping[str, Library]) -> _Retrieve:
    def retrieve(question: Question, slug: str, budget: int) -> Retrieved:
        evidence = corpus[slug].search(question.text, max_words=budget)
        check_reranked(question.id, evidence)
        return retrieved(labelled, evidence)

    return retrieve


def _of_own_documents(labelled: LabelledDocument, systems: Systems) -> _Retrieve:
    indexes = DocumentIndexes.readable(labelled.documents)

    def retrieve(question: Question, slug: str, budget: int) -> Retrieved:
        if not indexes.documents:
            return Retrieved("", ())
        indexed = indexes.by(systems[slug])
        evidence = systems[slug].search(question.text, indexed, max_words=budget)
        check_reranked(question.id, evidence)
        return replace(retrieved(labelled, evidence), nucleus_notes=nucleus_notes(indexed))

    return retrieve


def retrieved(labelled: LabelledDocument, evidence: Evidence) -> Retrieved:
    """The evidence in result file format: passages with the index of their document."""
    numbers = {document.id: number for number, document in reversed(list(enumerate(labelled.documents)))}
    spans = tuple(passage.span for passage in evidence.passages)
    of_spans = tuple(numbers[passage.document] for passage in evidence.passages) if labelled.others else ()
    return Retrieved(evidence.context, spans, of_spans)
