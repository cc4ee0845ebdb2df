"""Training data of the retrieval encoder: paragraphs of a document, questions, and the evidence for each.

A line is ``{"id", "set", "paragraphs": [[sentence, ...], ...], "questions": [{"text", "evidence": {"<number of a
paragraph>": [a weight for each of its sentences]}}]}``. Paragraphs without evidence are hard
negatives: from the same document, and with words of the questions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from treatise.core.errors import DataError
from treatise.parse.rows import list_of, strings
from treatise.train.treebanks import read_objects


@dataclass(frozen=True, slots=True)
class Question:
    """A question.

    Attributes:
        text: The question.
        evidence: Weights of the sentences, by number of the paragraph (from 0).
    """

    text: str
    evidence: Mapping[int, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Item:
    """Paragraphs that are read together with the questions on them.

    Attributes:
        id: Names the document.
        set: Names the data set, whose weight is in the recipe.
        paragraphs: Their sentences.
        questions: At least one.
    """

    id: str
    set: str
    paragraphs: tuple[tuple[str, ...], ...]
    questions: tuple[Question, ...]


def read_items(root: Path, files: tuple[str, ...]) -> list[Item]:
    """The items of these files below the folder.

    Raises:
        DataError: If a file cannot be read, or a line is not of the documented form.
    """
    return [_item(row, where) for row, where in read_objects(root, files)]


def _item(row: Mapping[str, object], where: str) -> Item:
    name, of_set = strings(row, ("id", "set"), where)
    paragraphs, questions = row.get("paragraphs"), row.get("questions")
    if not isinstance(paragraphs, list) or not all(list_of(p, str) and p for p in paragraphs):
        raise DataError(f"{where}: 'paragraphs' must be a list of lists of at least one string")
    if not list_of(questions, dict) or not questions:
        raise DataError(f"{where}: 'questions' must be a list of at least one object")
    sizes = [len(sentences) for sentences in paragraphs]
    made = tuple(_question(question, sizes, where) for question in questions)
    return Item(name, of_set, tuple(map(tuple, paragraphs)), made)


def _question(row: Mapping[str, object], sizes: list[int], where: str) -> Question:
    (text,) = strings(row, ["text"], where)
    evidence = row.get("evidence")
    if not isinstance(evidence, dict) or not evidence:
        raise DataError(f"{where}: 'evidence' of {text!r:.60} must name at least one paragraph")
    weights: dict[int, tuple[float, ...]] = {}
    for number, values in evidence.items():
        if not number.isdigit() or int(number) >= len(sizes) or not isinstance(values, list):
            raise DataError(f"{where}: 'evidence' names paragraph {number!r:.20}, but there are {len(sizes)}")
        if len(values) != sizes[int(number)] or not all(isinstance(value, int | float) for value in values):
            raise DataError(f"{where}: 'evidence' must give each of the {sizes[int(number)]} sentences a weight")
        weights[int(number)] = tuple(map(float, values))
    return Question(text, weights)
