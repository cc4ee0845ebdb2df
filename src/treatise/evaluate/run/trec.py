"""Runs and judgements as TREC files, which ``trec_eval``, ``ir_measures`` and PyTerrier read.

A document of these files is a paragraph, ``DOCUMENT:START``; a query is a question of the data set.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.metrics.ranking import Judgements, judgements, rankings, scores_of
from treatise.evaluate.run.results import read_results, write_page

QRELS: Final = "qrels.txt"
RUN_SUFFIX: Final = ".run"

_RUN_FIELDS: Final = 6


def write_trec(documents: Sequence[LabelledDocument], systems: Mapping[str, Path], out: Path) -> list[Path]:
    """Writes ``qrels.txt``, ``queries.tsv`` and ``SYSTEM.run`` for each result file of ``eval retrieval``.

    Raises:
        DataError: If a result file is missing or malformed, or the folder cannot be written to.
    """
    files = {out / QRELS: qrels_text(judgements(documents)), out / "queries.tsv": _queries(documents)}
    for name, path in systems.items():
        files[out / f"{name}{RUN_SUFFIX}"] = run_text(rankings(documents, read_results(path)), name)
    for path, text in files.items():
        write_page(path, text)
    return list(files)


def qrels_text(relevant: Judgements) -> str:
    """``query 0 document relevance`` per line."""
    rows = ((query, item, grade) for query, items in relevant.items() for item, grade in items.items())
    return "".join(f"{_field(query)} 0 {_field(item)} {grade}\n" for query, item, grade in rows)


def run_text(ranked: Mapping[str, Sequence[str]], system: str) -> str:
    """``query Q0 document rank score system`` per line; ranks count from 1, scores are negative ranks."""
    rows = ((query, *row) for query, items in ranked.items() for row in scores_of(items).items())
    return "".join(
        f"{_field(query)} Q0 {_field(item)} {int(1 - score)} {score:g} {_field(system)}\n"
        for query, item, score in rows
    )


def read_run(path: Path) -> dict[str, list[str]]:
    """The items of each query of a TREC run, by falling score, as trec_eval ranks them.

    Raises:
        DataError: If there is no such file, a line does not have six fields, or a score is no number.
    """
    found: dict[str, list[tuple[float, str]]] = {}
    for query, item, score in _run_rows(path):
        found.setdefault(query, []).append((score, item))
    return {query: [item for _, item in sorted(items, reverse=True)] for query, items in found.items()}


def _run_rows(path: Path) -> Iterator[tuple[str, str, float]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} is no TREC run: {error}") from error
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields:
            continue
        try:
            query, _, item, _, score, _ = fields
            value = float(score)
        except ValueError as error:
            raise DataError(
                f"{path}: line {number}: expected the {_RUN_FIELDS} fields of a TREC run, found {line!r:.80}"
            ) from error
        if math.isnan(value):
            raise DataError(f"{path}: line {number}: the score is not a number")
        yield query, item, value


def _queries(documents: Sequence[LabelledDocument]) -> str:
    asked = (question for labelled in documents for question in labelled.questions)
    return "".join(f"{_field(one.id)}\t{' '.join(one.text.split())}\n" for one in asked)


def _field(text: str) -> str:
    """The text as one field: the files are separated by white space."""
    return "_".join(text.split()) or "_"
