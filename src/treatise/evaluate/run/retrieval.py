"""Evidence retrieval: recipes × word budgets over a data set, resumable, with a record of the run.

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

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from treatise.core.errors import EngineError
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Indexing, Recipe
from treatise.evaluate.data.dataset import LabelledDocument, Question, Retrieved
from treatise.evaluate.data.registry import dataset_named, load_documents
from treatise.evaluate.report.summary import Summary, summarize
from treatise.evaluate.report.tables import write_tables
from treatise.evaluate.run.record import RunRecord, run_record
from treatise.evaluate.run.results import ResultFile, open_results, read_results
from treatise.evaluate.run.spec import SEED, RunSpec, check_recipes_and_budgets
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.pipeline.engines import Engines
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve


def run(spec: RunSpec) -> Summary:
    """Retrieves evidence for every question with every recipe at every budget, and scores it.

    Writes ``OUT/<recipe>-<budget>.jsonl`` (``question_id``, ``context``, ``spans``; one line per question, in the
    order of the data file), ``OUT/summary.json``, ``.csv``, ``.md`` and ``.tex``. A killed run resumes where it
    stopped. Result files made by the same code from the same data and settings are kept.

    Raises:
        DataError: If the data set is unknown or its file is malformed.
        RecipeError: As ``check_recipes_and_budgets``.
        EngineError: If the reranker fails: without it the measurement would be of another system.
    """
    check_recipes_and_budgets(spec)
    dataset = dataset_named(spec.dataset)
    documents = load_documents(dataset, spec.data, spec.limit)
    record = run_record(spec, documents)
    cells = _open_cells(spec, record)
    engines = spec.opened_engines()
    with closing(CachedEncoder(engines.encoder, spec.cache)) as encoder:
        _retrieve_all(documents, cells, replace(engines, encoder=encoder), encoder, spec)
    found = [(cell.recipe.slug, cell.budget, read_results(cell.file.path)) for cell in cells]
    rows = summarize(dataset, documents, found, baseline=spec.baseline or spec.recipes[0].slug, seed=SEED)
    summary = Summary(record, tuple(rows))
    write_tables(summary, spec.out)
    return summary


@dataclass(frozen=True, slots=True)
class _Cell:
    """One recipe at one budget, and where its results go."""

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
    engines: Engines,
    encoder: CachedEncoder,
    spec: RunSpec,
) -> None:
    n_before = 0
    for number, labelled in enumerate(documents, start=1):
        n_after = n_before + len(labelled.questions)
        unfinished = [cell for cell in cells if cell.file.n_done < n_after]
        for cell, rows in _retrieve_for(labelled, unfinished, engines):
            cell.file.append(rows[cell.file.n_done - n_before :])
        n_before = n_after
        encoder.forget()
        spec.report(number, len(documents))
    for cell in cells:
        cell.file.finish()


def _retrieve_for(
    labelled: LabelledDocument, cells: Sequence[_Cell], engines: Engines
) -> Iterator[tuple[_Cell, list[tuple[str, Retrieved]]]]:
    """Each cell with what it retrieves for every question; recipes with equal indexing share one index."""
    by_indexing: dict[Indexing, list[_Cell]] = {}
    for cell in cells:
        by_indexing.setdefault(cell.recipe.indexing, []).append(cell)
    readable = [document for document in labelled.documents if any(document.readable_sentences())]
    for indexing, of_indexing in by_indexing.items():
        indexed = [
            index_document(document, indexing, encoder=engines.encoder, parser=engines.parser) for document in readable
        ]
        for cell in of_indexing:
            yield (
                cell,
                [
                    (question.id, retrieved(labelled, _evidence(indexed, question, cell, engines)))
                    if indexed
                    else (question.id, Retrieved("", ()))
                    for question in labelled.questions
                ],
            )


def _evidence(indexed: Sequence[IndexedDocument], question: Question, cell: _Cell, engines: Engines) -> Evidence:
    evidence = retrieve(
        indexed,
        question.text,
        cell.recipe,
        encoder=engines.encoder,
        max_words=cell.budget,
        reranker=engines.reranker,
    )
    if evidence.notes:
        raise EngineError(f"question {question.id}: {'; '.join(evidence.notes)}")
    return evidence


def retrieved(labelled: LabelledDocument, evidence: Evidence) -> Retrieved:
    """The evidence as result files hold it: its passages by the position of their documents."""
    numbers = {document.id: number for number, document in reversed(list(enumerate(labelled.documents)))}
    spans = tuple(passage.span for passage in evidence.passages)
    of_spans = tuple(numbers[passage.document] for passage in evidence.passages) if labelled.others else ()
    return Retrieved(evidence.context, spans, of_spans)
