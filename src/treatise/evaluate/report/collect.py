"""Reads the result folders of one data file, for reports and tables over several runs."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import Dataset, LabelledDocument
from treatise.evaluate.data.registry import dataset_named, load_documents
from treatise.evaluate.report.summary import Cell, Summary, summarize
from treatise.evaluate.run.record import SCHEMA, RunRecord
from treatise.evaluate.run.results import data_path, read_results
from treatise.evaluate.run.summaries import SUFFIX, by_summaries


@dataclass(frozen=True, slots=True)
class Results:
    """Recipes measured on one data file, in one run or several.

    Attributes:
        dataset, documents: The data set and its documents.
        records: The run record of each folder, in input order.
        cells: What was retrieved. The name of a recipe in several folders includes the folder's name.
        baseline: The first folder's baseline.
        stand_ins: What stood in for missing engines, by recipe and budget.
    """

    dataset: Dataset
    documents: list[LabelledDocument]
    records: tuple[RunRecord, ...]
    cells: list[Cell]
    baseline: str
    stand_ins: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)


def collect(folders: Sequence[Path], data: Path | None = None) -> Results:
    """The results of folders that ``treatise eval`` wrote.

    Args:
        folders: Each with a ``summary.json``; all from the same documents of the same data file.
        data: The data file; if None, its path at the time of the run is used.

    Raises:
        DataError: If a folder has no results, or they are of another data file or another number of documents.
    """
    summaries = [_summary(folder) for folder in folders]
    records = tuple(_record(summary, folder) for summary, folder in zip(summaries, folders, strict=True))
    _check_alike(records, folders)
    rows = [_rows(summary, folder) for summary, folder in zip(summaries, folders, strict=True)]
    n_folders = Counter(name for of_folder in rows for name in {row.recipe for row in of_folder})

    def label(recipe: str, folder: Path) -> str:
        return recipe if n_folders[recipe] == 1 else f"{recipe} ({folder.resolve().name})"

    found = [
        (label(row.recipe, folder), row.budget, folder / f"{row.recipe}-{row.budget}.jsonl")
        for of_folder, folder in zip(rows, folders, strict=True)
        for row in of_folder
    ]
    stand_ins = {
        (label(row.recipe, folder), row.budget): row.stand_ins
        for of_folder, folder in zip(rows, folders, strict=True)
        for row in of_folder
    }
    _check_names(found)
    dataset = _dataset(records[0].dataset)
    return Results(
        dataset,
        load_documents(dataset, _data(records[0], folders, data), records[0].n_documents),
        records,
        [(recipe, budget, read_results(path)) for recipe, budget, path in found],
        label(next((row.recipe for row in rows[0] if not row.is_compared), rows[0][0].recipe), folders[0]),
        stand_ins,
    )


def summary_of(results: Results, *, baseline: str | None = None) -> Summary:
    """The results as one table, with a record that names the recipes of all.

    Raises:
        DataError: If no cell is the baseline's, or a cell has no result for a question.
    """
    first = results.records[0]
    rows = summarize(
        results.dataset, results.documents, results.cells, baseline=baseline or results.baseline, seed=first.seed
    )
    recipes = {name: recipe for record in reversed(results.records) for name, recipe in record.recipes.items()}
    budgets = tuple(dict.fromkeys(row.budget for row in rows))
    noted = (replace(row, stand_ins=results.stand_ins.get((row.recipe, row.budget), ())) for row in rows)
    return Summary(replace(first, recipes=recipes, budgets=budgets), tuple(noted))


def _dataset(name: str) -> Dataset:
    found = dataset_named(name.removesuffix(SUFFIX))
    return by_summaries(found) if name.endswith(SUFFIX) else found


class _Row(NamedTuple):
    """The required fields of a ``summary.json`` row; ``is_compared`` is false for the baseline."""

    recipe: str
    budget: int
    is_compared: bool
    stand_ins: tuple[str, ...]


def _summary(folder: Path) -> dict[str, Any]:
    path = folder / "summary.json"
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(
            f"{folder}: expected the results of `treatise eval`, but {path.name} cannot be read ({error})"
        ) from error
    if not isinstance(summary, dict) or not isinstance(summary.get("record"), dict) or not summary.get("rows"):
        raise DataError(f"{path}: expected a record and rows, as `treatise eval retrieval` writes them")
    if "prompt_version" in summary or not summary["record"].get("budgets"):
        command = "generation" if "prompt_version" in summary else "answers or ranks"
        raise DataError(
            f"{folder} holds scores of `treatise eval {command}`, which keep no places in documents: see its "
            "summary.md, or give the folder of `treatise eval retrieval`, `summaries` or `score`"
        )
    return summary


def _record(summary: dict[str, Any], folder: Path) -> RunRecord:
    known = {field.name for field in fields(RunRecord)}
    given = summary["record"]
    required = {field.name for field in fields(RunRecord) if field.default is MISSING}
    if given.get("schema") != SCHEMA or not required <= set(given) <= known:
        raise DataError(f"{folder}: its record is of another version of Treatise: measure again")
    return RunRecord(**{**given, "budgets": tuple(given["budgets"])})


def _check_alike(records: Sequence[RunRecord], folders: Sequence[Path]) -> None:
    if not records:
        raise DataError("no folder with results was given")
    first = records[0]
    for record, folder in zip(records, folders, strict=True):
        asked = (record.dataset, record.data_sha256, record.n_documents)
        if asked != (first.dataset, first.data_sha256, first.n_documents):
            raise DataError(
                f"{folder} measured {record.n_documents} documents of {record.data} ({record.dataset}), {folders[0]} "
                f"{first.n_documents} of {first.data} ({first.dataset}): only results on the same documents compare"
            )


def _rows(summary: dict[str, Any], folder: Path) -> list[_Row]:
    try:
        return [_row(row) for row in summary["rows"]]
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{folder}: a row of its summary.json is not whole ({error!r})") from error


def _row(row: dict[str, Any]) -> _Row:
    stand_ins = tuple(map(str, row.get("stand_ins", ())))
    return _Row(str(row["recipe"]), int(row["budget"]), bool(row["differences"]), stand_ins)


def _check_names(found: Sequence[tuple[str, int, Path]]) -> None:
    names = Counter((recipe, budget) for recipe, budget, _ in found)
    twice = next((name for name, count in names.items() if count > 1), None)
    if twice:
        raise DataError(
            f"{twice[0]} at {twice[1]} words was given twice: name folders differently, or give one of them"
        )


def _data(record: RunRecord, folders: Sequence[Path], given: Path | None) -> Path:
    path = given or next((path for folder in folders if (path := data_path(folder)) and path.is_file()), None)
    if path is None:
        raise DataError(f"the data file {record.data} of {folders[0]} was not found: say where it lies with --data")
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise DataError(f"{path} could not be read: {error}") from error
    if found != record.data_sha256:
        raise DataError(
            f"{path} is not the file that the results were made from ({record.data}): say which with --data"
        )
    return path
