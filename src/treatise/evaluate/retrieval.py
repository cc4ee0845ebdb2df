"""Evidence retrieval measured: recipes × word budgets over a data set, resumable, with a record of how.

>>> from treatise.recipes import BALANCED, FLAT_SENTENCE
>>> run(
...     "qasper", Path("qasper-dev-v0.3.json"), [FLAT_SENTENCE, BALANCED], [200, 300, 400], Path("out"), encoder=encoder
... )  # doctest: +SKIP
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from treatise.core.errors import DataError, RecipeError
from treatise.core.evidence import Evidence
from treatise.core.ports import Encoder, Parser
from treatise.core.recipe import Indexing, Recipe
from treatise.evaluate.dataset import Dataset, LabelledDocument, Retrieved
from treatise.evaluate.datasets import dataset_named
from treatise.evaluate.record import RunRecord, run_record
from treatise.evaluate.results import ResultFile, open_results, read_results, write_whole
from treatise.evaluate.summary import Row, as_csv, as_markdown, summarize
from treatise.evaluate.vector_cache import CachedEncoder
from treatise.pipeline import index_document, retrieve

SEED: Final = 0


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is.

    Attributes:
        done, total: Documents.
        reused: How many of ``done`` were answered by an earlier run.
        seconds: Since this run began.
    """

    done: int
    total: int
    reused: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Documents a second so far, those reused not counted."""
        return (self.done - self.reused) / self.seconds if self.seconds else 0.0

    @property
    def remaining_s(self) -> float:
        """Seconds left at the rate so far."""
        return (self.total - self.done) / self.per_second if self.per_second else 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run came to; ``summary.json`` holds the same.

    Attributes:
        record: How it was made.
        rows: One a recipe and budget, in the order asked for.
    """

    record: RunRecord
    rows: tuple[Row, ...]


def run(  # noqa: PLR0913  (an experiment is these six things; the rest has defaults)
    dataset: str,
    data: Path,
    recipes: Sequence[Recipe],
    budgets: Sequence[int],
    out: Path,
    *,
    encoder: Encoder,
    parser: Parser | None = None,
    progress: Callable[[RunProgress], None] | None = None,
    limit: int | None = None,
    cache: Path | None = None,
) -> Summary:
    """Asks every question of a data file with every recipe at every budget, writes the results, and scores them.

    Writes ``OUT/<recipe>-<budget>.jsonl`` (``question_id``, ``context``, ``spans``; a line for each question of the
    file, in its order), ``OUT/summary.json``, ``summary.csv`` and ``summary.md``. A killed run goes on where it was;
    result files made by the same code from the same data and settings are kept.

    Args:
        dataset: A name out of ``datasets.DATASETS``.
        data: The data set's file.
        recipes: The first is the baseline that the others are compared with.
        budgets: In whitespace words, cut exactly.
        out: Made where it is missing.
        encoder: Makes the vectors. Each document is encoded once for all recipes.
        parser: Needed where a recipe's tree is a discourse tree.
        progress: Called after each document.
        limit: Only the first so many documents.
        cache: An SQLite file where vectors are kept from run to run; made where it is missing.

    Raises:
        DataError: Where the data set is unknown, or its file is not in the documented form.
        RecipeError: Where two recipes have one name.
    """
    chosen = dataset_named(dataset)
    _check(recipes, budgets)
    documents = _documents(chosen, data, limit)
    record = run_record(
        dataset=dataset,
        data=data,
        counts=(len(documents), sum(len(labelled.questions) for labelled in documents)),
        recipes=recipes,
        budgets=budgets,
        models=(encoder.name, parser.name if parser else ""),
        seed=SEED,
    )
    cells = _open_cells(recipes, budgets, record, out)
    with closing(CachedEncoder(encoder, cache)) as cached:
        _answer_all(documents, cells, cached, parser, progress)
    rows = summarize(
        chosen, documents, [(c.recipe.slug, c.budget, read_results(c.file.path)) for c in cells], seed=SEED
    )
    summary = Summary(record, tuple(rows))
    _write(summary, out)
    return summary


@dataclass(frozen=True, slots=True)
class _Cell:
    """One recipe at one budget, and where its results go."""

    recipe: Recipe
    budget: int
    file: ResultFile


def _documents(dataset: Dataset, data: Path, limit: int | None) -> list[LabelledDocument]:
    documents = list(islice(dataset.load(data), limit))
    seen = Counter(question.id for labelled in documents for question in labelled.questions)
    if not seen:
        raise DataError(f"{data}: expected questions, found none in {len(documents)} documents")
    if (twice := seen.most_common(1)[0])[1] > 1:
        raise DataError(f"{data}: question ids must be unique, found {twice[0]!r} {twice[1]} times")
    return documents


def _check(recipes: Sequence[Recipe], budgets: Sequence[int]) -> None:
    slugs = [recipe.slug for recipe in recipes]
    if not slugs or len(set(slugs)) < len(slugs):
        raise RecipeError(f"expected recipes of different names, one or more, found: {', '.join(slugs) or 'none'}")
    if not budgets or min(budgets) < 1 or len(set(budgets)) < len(budgets):
        raise DataError(
            f"expected different budgets of 1 word or more, found: {', '.join(map(str, budgets)) or 'none'}"
        )


def _open_cells(recipes: Sequence[Recipe], budgets: Sequence[int], record: RunRecord, out: Path) -> list[_Cell]:
    pairs = [(recipe, budget) for recipe in recipes for budget in budgets]
    keys = {f"{recipe.slug}-{budget}.jsonl": record.key(recipe.slug, budget) for recipe, budget in pairs}
    files = open_results(out, keys, n_questions=record.n_questions)
    return [_Cell(recipe, budget, file) for (recipe, budget), file in zip(pairs, files, strict=True)]


def _answer_all(
    documents: Sequence[LabelledDocument],
    cells: Sequence[_Cell],
    encoder: CachedEncoder,
    parser: Parser | None,
    progress: Callable[[RunProgress], None] | None,
) -> None:
    started = time.monotonic()
    n_before, n_skipped = 0, 0
    for number, labelled in enumerate(documents, start=1):
        n_after = n_before + len(labelled.questions)
        waiting = [cell for cell in cells if cell.file.n_done < n_after]
        for cell, rows in _answers(labelled, waiting, encoder, parser):
            cell.file.append(rows[cell.file.n_done - n_before :])
        n_skipped += not waiting
        n_before = n_after
        encoder.forget()
        if progress:
            progress(RunProgress(number, len(documents), n_skipped, time.monotonic() - started))
    for cell in cells:
        cell.file.finish()


def _answers(
    labelled: LabelledDocument, cells: Sequence[_Cell], encoder: CachedEncoder, parser: Parser | None
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
        indexed = [index_document(document, indexing, encoder=encoder, parser=parser) for document in readable]
        for cell in alike:
            found = [
                retrieve(indexed, question.text, cell.recipe, encoder=encoder, max_words=cell.budget)
                for question in questions
            ]
            yield cell, [(question.id, retrieved(labelled, e)) for question, e in zip(questions, found, strict=True)]


def retrieved(labelled: LabelledDocument, evidence: Evidence) -> Retrieved:
    """The evidence as result files hold it: its passages by the position of their documents."""
    numbers = {document.id: number for number, document in reversed(list(enumerate(labelled.documents)))}
    spans = tuple(passage.span for passage in evidence.passages)
    of_spans = tuple(numbers[passage.document] for passage in evidence.passages) if labelled.others else ()
    return Retrieved(evidence.context, spans, of_spans)


def _write(summary: Summary, out: Path) -> None:
    write_whole(out / "summary.json", json.dumps(asdict(summary), indent=1) + "\n")
    write_whole(out / "summary.csv", as_csv(summary.rows))
    write_whole(out / "summary.md", as_markdown(summary.rows))
