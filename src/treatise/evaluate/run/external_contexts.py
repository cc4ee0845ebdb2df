"""Scores contexts from other systems like our own: cut to the same budgets, with the same metrics."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from treatise.core.document import Span
from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import LabelledDocument, Retrieved
from treatise.evaluate.data.loaders.fields import read_records
from treatise.evaluate.data.registry import dataset_named, load_documents
from treatise.evaluate.report.summary import Cell, Summary, summarize
from treatise.evaluate.report.tables import write_tables
from treatise.evaluate.run.record import RunRecord, run_record
from treatise.evaluate.run.results import open_results
from treatise.evaluate.run.spec import SEED, RunSpec

_WORD: Final = re.compile(r"\S+")
_NAME: Final = re.compile(r"[\w.+-]+")


def score(spec: RunSpec, systems: Mapping[str, Path]) -> Summary:
    """Cuts the contexts of other systems to each budget and scores them; same output files as ``retrieval.run``.

    Args:
        spec: Names the data set, the budgets in whitespace words (cut exactly; a shorter context stays as it is) and
            the baseline: one of the systems, by default the first.
        systems: By name, the file of each: JSON lines with ``question_id``, and ``context`` or ``passages`` (texts,
            best first, joined by blank lines).

    Raises:
        DataError: If a file is malformed or has no line for a question.
    """
    _check(spec, systems)
    dataset = dataset_named(spec.dataset)
    documents = load_documents(dataset, spec.data, spec.limit)
    passages = {name: _read(path) for name, path in systems.items()}
    cells = [
        (name, budget, _retrieved(documents, of_system, budget, systems[name]))
        for name, of_system in passages.items()
        for budget in spec.budgets
    ]
    recipes = {name: _identity(path) for name, path in systems.items()}
    record = replace(run_record(spec, documents), recipes=recipes)
    rows = summarize(dataset, documents, cells, baseline=spec.baseline or next(iter(systems)), seed=SEED)
    _write(cells, record, spec)
    summary = Summary(record, tuple(rows))
    write_tables(summary, spec.out)
    return summary


def _check(spec: RunSpec, systems: Mapping[str, Path]) -> None:
    for name in systems:
        if not _NAME.fullmatch(name):
            raise DataError(f"a system's name has letters, digits and .+-_ only, found {name!r}")
    if len(set(spec.budgets)) < len(spec.budgets):
        raise DataError(f"expected different budgets, found: {', '.join(map(str, spec.budgets))}")
    if not systems:
        raise DataError("no system was given: name a file of contexts")


def first_words(text: str, n: int) -> str:
    """The first ``n`` words of the text; the whole text if shorter.

    >>> first_words("One two  three.", 2)
    'One two'
    """
    for number, word in enumerate(_WORD.finditer(text), start=1):
        if number == n:
            return text[: word.end()]
    return text


def _read(path: Path) -> dict[str, list[str]]:
    """Passages by question id; a context is a single passage."""
    return {
        record.text("question_id"): record.texts("passages") if "passages" in record else [record.text("context")]
        for record in read_records(path)
    }


def _retrieved(
    documents: Sequence[LabelledDocument], passages: Mapping[str, list[str]], budget: int, path: Path
) -> dict[str, Retrieved]:
    found = {}
    for labelled in documents:
        places = Places(labelled.document.text)
        for question in labelled.questions:
            if question.id not in passages:
                raise DataError(
                    f"{path} has no line for question {question.id}: write an empty context if none was found"
                )
            pieces = list(_cut(passages[question.id], budget))
            spans = [span for piece in pieces if (span := places.find(piece))]
            found[question.id] = Retrieved("\n\n".join(pieces), tuple(spans))
    return found


def _cut(passages: Sequence[str], n_words: int) -> Iterator[str]:
    """The passages, up to a total number of words."""
    for passage in passages:
        piece = first_words(passage.strip(), n_words)
        if n_words <= 0 or not piece:
            continue
        yield piece
        n_words -= len(piece.split())


class Places:
    """Finds passages in a text, ignoring white space, which other systems may change."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offsets = [i for i, character in enumerate(text) if not character.isspace()]
        self._letters = "".join(text.split())

    def find(self, passage: str) -> Span | None:
        """The first place of the passage; None if absent."""
        exact = self._text.find(passage)
        if exact >= 0:
            return Span(exact, exact + len(passage))
        letters = "".join(passage.split())
        at = self._letters.find(letters) if letters else -1
        return Span(self._offsets[at], self._offsets[at + len(letters) - 1] + 1) if at >= 0 else None


def _identity(path: Path) -> dict[str, object]:
    return {"contexts": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def _write(cells: Sequence[Cell], record: RunRecord, spec: RunSpec) -> None:
    keys = {f"{name}-{budget}.jsonl": record.key(name, budget) for name, budget, _ in cells}
    files = open_results(spec.out, keys, data=spec.data, n_questions=len(cells[0][2]))
    for file, (_, _, retrieved) in zip(files, cells, strict=True):
        file.discard()
        file.append(list(retrieved.items()))
        file.finish()
