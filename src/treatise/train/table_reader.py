"""Training of the reader of tables: a linear model over the features of programs, from questions and their answers.

No label says which program is right: all programs with the right result share the credit (maximum marginal likelihood).
Questions put to another table, and those whose answer no program gives, teach when to refuse.
"""

import gzip
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file

from treatise.core.errors import DataError
from treatise.core.ports import Progress, counted_off
from treatise.engines.program_reader import (
    BITS,
    CONFIG,
    WEIGHTS,
    ProgramReader,
    ProgramReaderConfig,
    Weights,
    described,
    place_of,
)
from treatise.engines.word_vectors import EmbeddedWords
from treatise.programs import Sheet, WordVectors
from treatise.train.card import Card, origin
from treatise.train.config import TrainingFiles
from treatise.train.loop import digest
from treatise.train.run import MODEL, Run

_MAX_ROWS: Final = 300
_SAME: Final = 1e-6
_ROUNDED: Final = 0.006
_CITED: Final = re.compile(r"\[[^\]]*\]")
_BRACKETS: Final = re.compile(r"\s*\([^)]*\)\s*$")
_SIGNS: Final = re.compile(r"[$€£%,\s]")
_WITH_UNIT: Final = re.compile(r"(-?\d*\.?\d+)[^\W\d_]{0,12}\.?")
_LEAST: Final = (0.5, 0.6, 0.7)
_ABOUT: Final = "A linear model over the features of programs: which reading of a question a table answers, if any."
_MEASURED: Final = (
    "Share of the answerable dev questions that are right and wrong, if all are answered or the likely ones."
)
_ALIKE: Final = str.maketrans("‘’´`“”‐‑‒–—−", "''''\"\"------")

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question, a table and its answer.

    Attributes:
        question: In English.
        heads: Of the columns.
        rows: The cells.
        answers: The cells or the number; empty if the table does not answer.
        weight: How much it counts.
    """

    question: str
    heads: list[str]
    rows: list[list[str]]
    answers: list[str]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class TableReaderTraining:
    """How the reader is trained.

    Attributes:
        epochs: Times through the questions; the weights are the mean over the second half.
        rate: Of learning (AdaGrad).
        decay: Weight of the squared weights (L2).
        batch: Questions a step.
        other_tables: Share of the questions that are put to another table as well, which does not answer.
        unanswered: Weight of a question whose answer no program gives.
        seed: Of the order and of the other tables.
    """

    epochs: int = 6
    rate: float = 0.15
    decay: float = 1e-4
    batch: int = 32
    other_tables: float = 0.4
    unanswered: float = 0.5
    seed: int = 0


def fits(result: Sequence[str | float], answers: Sequence[str]) -> bool:
    """Whether a program's result is the answer, but for marks, brackets at its end and the form of numbers.

    >>> fits(["Paris (FR)"], ["paris"]), fits([1200.0], ["1,200"]), fits(["a", "b"], ["b", "a"]), fits([3.0], ["3 km"])
    (True, True, True, True)
    """
    if len(result) != len(answers):
        return False
    if len(answers) > 1:
        return sorted(map(_plain, result)) == sorted(map(_plain, answers))
    (found,), (answer,) = result, answers
    if _plain(found) == _plain(answer):
        return True
    a, b = _number(found), _number(answer)
    return a is not None and b is not None and abs(a - b) <= max(_SAME * abs(b), _rounding(answer))


def _rounding(answer: str) -> float:
    """By how much a number with decimals may differ that was rounded."""
    return _ROUNDED if "." in answer else _SAME


def _plain(value: str | float) -> str:
    text = _CITED.sub("", str(value).casefold()).translate(_ALIKE).strip().strip('"').strip()
    return re.sub(r"\s+", " ", (_BRACKETS.sub("", text) or text).rstrip(".")).strip()


def _number(value: str | float) -> float | None:
    """A number, without the unit after it."""
    if isinstance(value, float):
        return value
    match = _WITH_UNIT.fullmatch(_SIGNS.sub("", _plain(value)))
    return float(match[1]) if match else None


# --- examples -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Examples:
    """Questions with their programs, as arrays: parts of features, programs of parts, questions of programs.

    Attributes:
        parts: The features of all parts, and where each part begins. Shapes ``(n,)``, ``(n_parts + 1,)``.
        members: The parts of all programs, and where each program's begin.
        own: The own features of all programs, and where each program's begin.
        right: Whether each program's result is the answer. Shape ``(n_programs,)``.
        begins: Where each question's programs begin. Shape ``(n_questions + 1,)``.
        weights: Of the questions. Shape ``(n_questions,)``.
    """

    parts: tuple[Ints, Ints]
    members: tuple[Ints, Ints]
    own: tuple[Ints, Ints]
    right: npt.NDArray[np.bool_]
    begins: Ints
    weights: Floats


def examples(
    questions: Sequence[TableQuestion],
    vectors: WordVectors,
    training: TableReaderTraining,
    progress: Progress | None = None,
) -> Examples:
    """The programs of the questions, on their own tables and, of some, on another one."""
    parts, members, own = _Rows(), _Rows(), _Rows()
    right: list[bool] = []
    begins, weights = [0], []
    put = list(_put(questions, training))
    for one, table in counted_off(put, progress):
        sheet = Sheet(table.heads, table.rows)
        found = described(one.question, sheet, vectors)
        before = len(parts)
        parts.extend(map(place_of, part) for part in found.parts)
        members.extend((before + at for at in each) for each in found.of_program)
        own.extend(map(place_of, each) for each in found.own)
        answers = one.answers if table is one else []
        fitting = [bool(answers) and fits(program.result, answers) for program in found.programs]
        right += [*fitting, not any(fitting)]
        begins.append(len(right))
        is_beyond = bool(answers) and not any(fitting)
        weights.append(one.weight * (training.unanswered if is_beyond else 1.0))
    return Examples(
        parts.arrays(), members.arrays(), own.arrays(), np.array(right), np.array(begins), np.array(weights)
    )


def _put(
    questions: Sequence[TableQuestion], training: TableReaderTraining
) -> Iterator[tuple[TableQuestion, TableQuestion]]:
    """Each question with the table that it is put to."""
    usable = [one for one in questions if 0 < len(one.rows) <= _MAX_ROWS]
    chance = random.Random(training.seed)
    for one in usable:
        yield one, one
        if chance.random() < training.other_tables and (other := chance.choice(usable)).heads != one.heads:
            yield one, other


class _Rows:
    """Rows of integers of any length, as they come."""

    def __init__(self) -> None:
        self._values: list[int] = []
        self._begins = [0]

    def __len__(self) -> int:
        return len(self._begins) - 1

    def extend(self, rows: Iterable[Iterable[int]]) -> None:
        for row in rows:
            self._values.extend(row)
            self._begins.append(len(self._values))

    def arrays(self) -> tuple[Ints, Ints]:
        return np.array(self._values, dtype=np.int64), np.array(self._begins, dtype=np.int64)


# --- training -------------------------------------------------------------------------------------------------------


def fit(found: Examples, training: TableReaderTraining, progress: Progress | None = None) -> Weights:
    """The weights that make the right results likeliest. Shape ``(2^18,)``, float32."""
    size = 1 << BITS
    weights, squares, total = np.zeros(size), np.full(size, 1e-6), np.zeros(size)
    order = np.random.default_rng(training.seed)
    n, n_summed = len(found.weights), 0
    for epoch in counted_off(range(training.epochs), progress):
        shuffled = order.permutation(n)
        for first in range(0, n, training.batch):
            batch = _Batch(found, np.sort(shuffled[first : first + training.batch]))
            gradient = batch.gradient(weights) / training.batch + training.decay * weights
            squares += gradient**2
            weights -= training.rate * gradient / np.sqrt(squares)
            if 2 * epoch >= training.epochs:
                total += weights
                n_summed += 1
    return (total / max(1, n_summed)).astype(np.float32)


class _Batch:
    """The programs of some questions."""

    def __init__(self, found: Examples, questions: Ints) -> None:
        first, last = found.begins[questions], found.begins[questions + 1]
        programs = _ranges(first, last)
        self._begins = np.concatenate([[0], np.cumsum(last - first)[:-1]])
        self._question = np.repeat(np.arange(len(questions)), last - first)
        self._right, self._weights = found.right[programs], found.weights[questions]
        members, self._n_members = _taken(found.members, programs)
        used, self._members = np.unique(members, return_inverse=True)
        self._parts, self._n_parts = _taken(found.parts, used)
        self._own, self._n_own = _taken(found.own, programs)

    def gradient(self, weights: Floats) -> Floats:
        """Of the weighted negative log likelihood of the right results."""
        of_parts = _sums(weights[self._parts], self._n_parts)
        scores = _sums(of_parts[self._members], self._n_members) + _sums(weights[self._own], self._n_own)
        highest = np.maximum.reduceat(scores, self._begins)
        odds = np.exp(scores - highest[self._question])
        odds /= np.add.reduceat(odds, self._begins)[self._question]
        right = odds * self._right
        wanted = right / np.maximum(np.add.reduceat(right, self._begins), 1e-12)[self._question]
        change = (odds - wanted) * self._weights[self._question]
        of_member = np.repeat(change, self._n_members)
        of_part = np.bincount(self._members, of_member, minlength=len(self._n_parts))
        shared = np.bincount(self._parts, np.repeat(of_part, self._n_parts), minlength=len(weights))
        own = np.bincount(self._own, np.repeat(change, self._n_own), minlength=len(weights))
        return np.asarray(shared + own, dtype=np.float64)


def _taken(rows: tuple[Ints, Ints], which: Ints) -> tuple[Ints, Ints]:
    """The values of some rows one after the other, and how many each has."""
    values, begins = rows
    first, last = begins[which], begins[which + 1]
    return values[_ranges(first, last)], last - first


def _ranges(first: Ints, last: Ints) -> Ints:
    """The integers of ranges ``[first, last)`` one after the other."""
    sizes = last - first
    return np.arange(sizes.sum()) + np.repeat(first - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)


def _sums(values: Floats, sizes: Ints) -> Floats:
    """The sums of runs of these sizes."""
    runs = np.repeat(np.arange(len(sizes)), sizes)
    return np.asarray(np.bincount(runs, values, minlength=len(sizes)), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class TableReaderRecipe:
    """The recipe of a reader of tables.

    Attributes:
        name: Identifies the weights.
        training: The run.
        data: Questions as JSON lines: see `read_questions`.
    """

    name: str
    training: TableReaderTraining
    data: TrainingFiles


def train_table_reader(recipe: TableReaderRecipe, run: Run) -> dict[str, float]:
    """Trains, writes ``<folder>/model`` with a card, and returns the figures on dev, in percent.

    Raises:
        DataError: If a file is missing or no JSON lines of questions.
    """
    vectors = EmbeddedWords()
    train, dev = (
        [question for file in files for question in read_lines(run.root / file)]
        for files in (recipe.data.train, recipe.data.dev)
    )
    weights = fit(examples(train, vectors, recipe.training, run.progress), recipe.training)
    folder = run.folder / MODEL
    write_table_reader(folder, recipe.name, weights, vectors)
    figures = figures_of(dev, ProgramReader(folder))
    card = Card(
        name=recipe.name,
        about=_ABOUT,
        licence=recipe.data.licence,
        sources=recipe.data.sources,
        figures=figures,
        measured=_MEASURED,
        origin=origin(
            command=run.command,
            recipe=digest(recipe),
            encoder="all-MiniLM-L6-v2, of which the word embeddings alone are used",
            root=run.root,
            files=recipe.data.files,
        ),
    )
    (folder / "README.md").write_text(card.text(), encoding="utf-8")
    return figures


def figures_of(questions: Sequence[TableQuestion], reader: ProgramReader) -> dict[str, float]:
    """Shares of right and wrong answers in percent, of all that are answerable, however sure the reader must be."""
    answerable = [one for one in questions if one.answers and one.rows]
    found = [reader.read(one.question, one.heads, one.rows) for one in answerable]
    pairs = zip(found, answerable, strict=True)
    right = [each is not None and fits(each.values, one.answers) for each, one in pairs]
    figures = {"right, all answered": 100 * sum(right) / max(1, len(right))}
    for least in _LEAST:
        sure = [each is not None and each.probability >= least for each in found]
        n_right = sum(a and b for a, b in zip(right, sure, strict=True))
        figures[f"right from {least}"] = 100 * n_right / max(1, len(right))
        figures[f"wrong from {least}"] = 100 * (sum(sure) - n_right) / max(1, len(right))
    return figures


def write_table_reader(folder: Path, name: str, weights: Weights, vectors: EmbeddedWords) -> None:
    """Writes what `ProgramReader` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CONFIG).write_text(ProgramReaderConfig(name).text() + "\n", encoding="utf-8")
    save_file({"weights": weights.astype(np.float16), "mean": vectors.mean.astype(np.float32)}, folder / WEIGHTS)


def read_lines(path: Path) -> list[TableQuestion]:
    """Questions from JSON lines, packed or not, with ``question``, ``table``, ``answers`` and, if they have them,
    ``n_header_rows`` and ``weight``.

    Raises:
        DataError: If the file cannot be read, or a line is none of these.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            return [_question(json.loads(line)) for line in lines]
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise DataError(
            f"{path}: {error}; expected JSON lines with question, table and answers, as "
            "benchmarks/training_tables.py writes them"
        ) from error


def _question(row: dict[str, Any]) -> TableQuestion:
    n, table = int(row.get("n_header_rows", 1)), row["table"]
    heads = table[n - 1] if n else [""] * len(table[0])
    return TableQuestion(row["question"], heads, table[n:], row["answers"], float(row.get("weight", 1)))
