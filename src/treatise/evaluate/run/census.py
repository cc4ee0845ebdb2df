"""Data set statistics: numbers of documents and questions, and lengths (the papers' data set tables)."""

import json
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import islice

from treatise.core.errors import DataError
from treatise.core.words import n_words
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.results import write_whole
from treatise.evaluate.run.spec import RunSpec


@dataclass(frozen=True, slots=True)
class Census:
    """Statistics of a data file.

    Attributes:
        dataset: Name of the set.
        data: Name of the file.
        n_documents, n_questions: If a question has several documents, each is counted.
        mean_words, most_words: Document length; estimated from characters in scripts without spaces.
        groups: Number of questions per group, the largest first.
    """

    dataset: str
    data: str
    n_documents: int
    n_questions: int
    mean_words: float
    most_words: int
    groups: dict[str, int]


def run(spec: RunSpec) -> Census:
    """Computes statistics of a data file, and writes ``OUT/summary.json`` and ``OUT/summary.md``.

    Raises:
        DataError: If the set is unknown, or its file is malformed or empty.
    """
    lengths: list[int] = []
    groups: Counter[str] = Counter()
    n_questions = 0
    for labelled in islice(dataset_named(spec.dataset).load(spec.data), spec.limit):
        lengths += [n_words(document.text) for document in labelled.documents]
        n_questions += len(labelled.questions)
        groups.update(name for question in labelled.questions for name in question.groups)
    if not lengths:
        raise DataError(f"{spec.data}: expected documents, found none")
    found = Census(
        spec.dataset,
        spec.data.name,
        len(lengths),
        n_questions,
        sum(lengths) / len(lengths),
        max(lengths),
        dict(groups.most_common()),
    )
    spec.out.mkdir(parents=True, exist_ok=True)
    write_whole(spec.out / "summary.json", json.dumps(asdict(found), indent=1) + "\n")
    write_whole(spec.out / "summary.md", _as_markdown(found))
    return found


def _as_markdown(found: Census) -> str:
    columns = ("data set", "file", "documents", "questions", "mean words", "most words", "groups")
    groups = ", ".join(f"{name} {count:,}" for name, count in found.groups.items())
    counts = (f"{n:,.0f}" for n in (found.n_documents, found.n_questions, found.mean_words, found.most_words))
    rows = (columns, ("---",) * len(columns), (found.dataset, found.data, *counts, groups))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
