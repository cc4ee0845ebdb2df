"""Contexts that other systems retrieved, scored as ours are: cut at the same budgets, by the same metrics."""

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
from treatise.evaluate.run.record import run_record
from treatise.evaluate.run.results import open_results

SEED: Final = 0
_WORD: Final = re.compile(r"\S+")
_NAME: Final = re.compile(r"[\w.+-]+")


def score(  # noqa: PLR0913  (an experiment is these things)
    dataset: str,
    data: Path,
    systems: Mapping[str, Path],
    budgets: Sequence[int],
    out: Path,
    *,
    baseline: str | None = None,
    limit: int | None = None,
) -> Summary:
    """Cuts the contexts of systems to each budget, scores them, and writes what ``retrieval.run`` writes.

    Args:
        dataset, data, limit: As of ``retrieval.run``.
        systems: By name, the file of each: JSON lines with ``question_id``, and ``context`` or ``passages`` (texts,
            best first; they are joined by blank lines).
        budgets: In whitespace words, cut exactly; a context that has fewer stays as it is.
        out: Made where it is missing.
        baseline: The system that the others are compared with; the first where None.

    Raises:
        DataError: Where a file is not in this form, or lacks a question.
    """
    for name in systems:
        if not _NAME.fullmatch(name):
            raise DataError(f"a system's name has letters, digits and .+-_ only, found {name!r}")
    if len(set(budgets)) < len(budgets):
        raise DataError(f"expected different budgets, found: {', '.join(map(str, budgets))}")
    if not systems:
        raise DataError("no system was given: name a file of contexts")
    chosen = dataset_named(dataset)
    documents = load_documents(chosen, data, limit)
    passages = {name: _read(path) for name, path in systems.items()}
    cells = [
        (name, budget, _retrieved(documents, of_system, budget, systems[name]))
        for name, of_system in passages.items()
        for budget in budgets
    ]
    record = run_record(
        dataset=dataset,
        data=data,
        counts=(len(documents), sum(len(labelled.questions) for labelled in documents)),
        recipes=(),
        budgets=budgets,
        models=("", "", ""),
        seed=SEED,
    )
    record = replace(record, recipes={name: _identity(path) for name, path in systems.items()})
    rows = summarize(chosen, documents, cells, baseline=baseline or next(iter(systems)), seed=SEED)
    _write(cells, {(name, budget): record.key(name, budget) for name, budget, _ in cells}, data, out)
    summary = Summary(record, tuple(rows))
    write_tables(summary, out)
    return summary


def first_words(text: str, n: int) -> str:
    """The text up to the end of its ``n``-th word; all of it where it has fewer.

    >>> first_words("One two  three.", 2)
    'One two'
    """
    for number, word in enumerate(_WORD.finditer(text), start=1):
        if number == n:
            return text[: word.end()]
    return text


def _read(path: Path) -> dict[str, list[str]]:
    """Passages by question; a context is one passage."""
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
                raise DataError(f"{path} lacks the question {question.id}: give an empty context if nothing was found")
            pieces = list(_cut(passages[question.id], budget))
            spans = [span for piece in pieces if (span := places.find(piece))]
            found[question.id] = Retrieved("\n\n".join(pieces), tuple(spans))
    return found


def _cut(passages: Sequence[str], n_words: int) -> Iterator[str]:
    """The passages up to so many words in all."""
    for passage in passages:
        piece = first_words(passage.strip(), n_words)
        if n_words <= 0 or not piece:
            continue
        yield piece
        n_words -= len(piece.split())


class Places:
    """Finds where passages stand in a text, white space aside: other systems do not always keep it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offsets = [i for i, character in enumerate(text) if not character.isspace()]
        self._letters = "".join(text.split())

    def find(self, passage: str) -> Span | None:
        """The first place of the passage; None where it stands nowhere."""
        exact = self._text.find(passage)
        if exact >= 0:
            return Span(exact, exact + len(passage))
        letters = "".join(passage.split())
        at = self._letters.find(letters) if letters else -1
        return Span(self._offsets[at], self._offsets[at + len(letters) - 1] + 1) if at >= 0 else None


def _identity(path: Path) -> dict[str, object]:
    return {"contexts": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def _write(cells: Sequence[Cell], keys: Mapping[tuple[str, int], str], data: Path, out: Path) -> None:
    names = {f"{name}-{budget}.jsonl": key for (name, budget), key in keys.items()}
    files = open_results(out, names, data=data, n_questions=len(cells[0][2]))
    for file, (_, _, retrieved) in zip(files, cells, strict=True):
        file.discard()
        file.append(list(retrieved.items()))
        file.finish()
