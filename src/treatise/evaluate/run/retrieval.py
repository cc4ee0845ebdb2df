"""Evidence retrieval measured: recipes × word budgets over a data set, resumable, with a record of how.

>>> from treatise.recipes import BALANCED, FLAT_SENTENCE
>>> run(
...     "qasper", Path("qasper-dev-v0.3.json"), [FLAT_SENTENCE, BALANCED], [200, 300, 400], Path("out"), encoder=encoder
... )  # doctest: +SKIP
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from treatise.core.errors import DataError, EngineError, RecipeError
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder, Parser, Reranker
from treatise.core.recipe import Indexing, Recipe
from treatise.evaluate.data.dataset import LabelledDocument, Question, Retrieved
from treatise.evaluate.data.registry import dataset_named, load_documents
from treatise.evaluate.report.summary import Summary, summarize
from treatise.evaluate.report.tables import write_tables
from treatise.evaluate.run.record import RunRecord, run_record
from treatise.evaluate.run.results import ResultFile, open_results, read_results
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve

SEED: Final = 0


def run(  # noqa: PLR0913  (an experiment is these six things; the rest has defaults)
    dataset: str,
    data: Path,
    recipes: Sequence[Recipe],
    budgets: Sequence[int],
    out: Path,
    *,
    encoder: Encoder,
    parser: Parser | None = None,
    reranker: Reranker | None = None,
    baseline: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    limit: int | None = None,
    cache: Path | None = None,
) -> Summary:
    """Asks every question of a data file with every recipe at every budget, writes the results, and scores them.

    Writes ``OUT/<recipe>-<budget>.jsonl`` (``question_id``, ``context``, ``spans``; a line for each question of the
    file, in its order), ``OUT/summary.json``, ``.csv``, ``.md`` and ``.tex``. A killed run goes on where it was;
    result files made by the same code from the same data and settings are kept.

    Args:
        dataset: A name out of ``datasets.DATASETS``.
        data: The data set's file.
        recipes: What is measured, each under its slug.
        budgets: In whitespace words, cut exactly.
        out: Made where it is missing.
        encoder: Makes the vectors. Each document is encoded once for all recipes.
        parser: Needed where a recipe's tree is a discourse tree.
        reranker: Needed where a recipe has a second stage.
        baseline: Slug of the recipe that the others are compared with; the first where None.
        progress: Called with documents done and all.
        limit: Only the first so many documents.
        cache: An SQLite file where vectors are kept from run to run; made where it is missing.

    Raises:
        DataError: Where the data set is unknown, or its file is not in the documented form.
        RecipeError: Where two recipes have one name, none is the baseline, or a second stage has no reranker.
        EngineError: Where the reranker fails: nothing is measured without the stage that it is measured for.
    """
    chosen = dataset_named(dataset)
    check_run(recipes, budgets, reranker, baseline)
    documents = load_documents(chosen, data, limit)
    record = run_record(
        dataset=dataset,
        data=data,
        counts=(len(documents), sum(len(labelled.questions) for labelled in documents)),
        recipes=recipes,
        budgets=budgets,
        models=(encoder.name, parser.name if parser else "", reranker.name if reranker else ""),
        seed=SEED,
    )
    cells = _open_cells(recipes, budgets, record, data, out)
    with closing(CachedEncoder(encoder, cache)) as cached:
        _answer_all(documents, cells, _Engines(cached, parser, reranker), progress)
    found = [(cell.recipe.slug, cell.budget, read_results(cell.file.path)) for cell in cells]
    rows = summarize(chosen, documents, found, baseline=baseline or recipes[0].slug, seed=SEED)
    summary = Summary(record, tuple(rows))
    write_tables(summary, out)
    return summary


@dataclass(frozen=True, slots=True)
class _Engines:
    """What every document is indexed and asked with."""

    encoder: CachedEncoder
    parser: Parser | None
    reranker: Reranker | None


@dataclass(frozen=True, slots=True)
class _Cell:
    """One recipe at one budget, and where its results go."""

    recipe: Recipe
    budget: int
    file: ResultFile


def check_run(
    recipes: Sequence[Recipe], budgets: Sequence[int], reranker: Reranker | None, baseline: str | None = None
) -> None:
    """Refuses what cannot be measured.

    Raises:
        RecipeError: Where two recipes have one name, none is the baseline, or a second stage has no reranker.
        DataError: Where there is no budget, or one twice.
    """
    if reranker is None and (lacking := [recipe.slug for recipe in recipes if recipe.reranking]):
        raise RecipeError(f"{', '.join(lacking)}: there is no reranker for the second stage; name one with --reranker")
    slugs = [recipe.slug for recipe in recipes]
    if not slugs or len(set(slugs)) < len(slugs):
        raise RecipeError(f"expected recipes of different names, one or more, found: {', '.join(slugs) or 'none'}")
    if baseline is not None and baseline not in slugs:
        raise RecipeError(f"the baseline {baseline!r} is not among the recipes ({', '.join(slugs)})")
    if not budgets or min(budgets) < 1 or len(set(budgets)) < len(budgets):
        raise DataError(
            f"expected different budgets of 1 word or more, found: {', '.join(map(str, budgets)) or 'none'}"
        )


def _open_cells(
    recipes: Sequence[Recipe], budgets: Sequence[int], record: RunRecord, data: Path, out: Path
) -> list[_Cell]:
    pairs = [(recipe, budget) for recipe in recipes for budget in budgets]
    keys = {f"{recipe.slug}-{budget}.jsonl": record.key(recipe.slug, budget) for recipe, budget in pairs}
    files = open_results(out, keys, data=data, n_questions=record.n_questions)
    return [_Cell(recipe, budget, file) for (recipe, budget), file in zip(pairs, files, strict=True)]


def _answer_all(
    documents: Sequence[LabelledDocument],
    cells: Sequence[_Cell],
    engines: _Engines,
    progress: Callable[[int, int], None] | None,
) -> None:
    n_before = 0
    for number, labelled in enumerate(documents, start=1):
        n_after = n_before + len(labelled.questions)
        waiting = [cell for cell in cells if cell.file.n_done < n_after]
        for cell, rows in _answers(labelled, waiting, engines):
            cell.file.append(rows[cell.file.n_done - n_before :])
        n_before = n_after
        engines.encoder.forget()
        if progress:
            progress(number, len(documents))
    for cell in cells:
        cell.file.finish()


def _answers(
    labelled: LabelledDocument, cells: Sequence[_Cell], engines: _Engines
) -> Iterator[tuple[_Cell, list[tuple[str, Retrieved]]]]:
    """Each cell with what it retrieves for every question; recipes that share an index have it made once."""
    questions = labelled.questions
    by_indexing: dict[Indexing, list[_Cell]] = {}
    for cell in cells:
        by_indexing.setdefault(cell.recipe.indexing, []).append(cell)
    for indexing, alike in by_indexing.items():
        readable = [document for document in labelled.documents if any(document.readable_sentences())]
        if not readable:
            yield from ((cell, [(question.id, Retrieved("", ())) for question in questions]) for cell in alike)
            continue
        indexed = [
            index_document(document, indexing, encoder=engines.encoder, parser=engines.parser) for document in readable
        ]
        for cell in alike:
            found = [_evidence(indexed, question, cell, engines) for question in questions]
            yield cell, [(question.id, retrieved(labelled, e)) for question, e in zip(questions, found, strict=True)]


def _evidence(indexed: Sequence[IndexedDocument], question: Question, cell: _Cell, engines: _Engines) -> Evidence:
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
