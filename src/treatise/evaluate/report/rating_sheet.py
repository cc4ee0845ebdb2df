"""Blind rating sheets: the answers of several systems, shuffled, on one HTML page; a key maps answers to systems."""

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Final

from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.data.loaders.fields import Fields, read_records
from treatise.evaluate.report.page import page

CRITERIA: Final = ("quality", "structure", "translation")
"""Names of the built-in criteria, from the papers."""

_ANSWERS: Final = ("answer", "summary", "context")
SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Criterion:
    """One rating criterion.

    Attributes:
        name: Name in the results.
        question: The question for the rater.
        scale: Each score with its label, lowest first.
    """

    name: str
    question: str
    scale: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Criteria:
    """The instructions and questions for raters.

    Attributes:
        instructions: Shown before the first item.
        criteria: In display order.
        source: Source of the criteria.
    """

    instructions: str
    criteria: tuple[Criterion, ...]
    source: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A question with each system's answer and the source text for the rater; ``source`` may be empty."""

    question_id: str
    question: str
    source: str
    answers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page for raters, and the key that identifies the systems.

    Attributes:
        html: The page; it names no system.
        key: ``sheet`` (an id), ``seed``, ``systems``, ``criteria``, and ``items``: per item, the question id and the
            system behind each letter.
    """

    html: str
    key: dict[str, Any]


def criteria_named(name: str) -> Criteria:
    """The built-in criteria with this name, or those of a JSON file in the same format.

    Raises:
        DataError: If there are none, or the file has another format.
    """
    known = files("treatise.evaluate.report") / "criteria" / f"{name}.json"
    path = Path(str(known)) if name in CRITERIA else Path(name)
    if name not in CRITERIA and not path.is_file():
        raise DataError(f"no criteria are named {name!r}: give one of {', '.join(CRITERIA)}, or a JSON file")
    records = list(read_records(path))
    if len(records) != 1:
        raise DataError(f"{path}: expected one JSON object with 'criteria', found {len(records)} records")
    record = records[0]
    found = tuple(_criterion(one) for one in record.objects("criteria"))
    if not found or len({one.name for one in found}) < len(found):
        raise record.error("expected criteria of different names, one or more")
    return Criteria(record.text_or_empty("instructions"), found, record.text_or_empty("source"))


def read_items(systems: Mapping[str, Path], documents: Sequence[LabelledDocument] = ()) -> list[Item]:
    """The questions that all systems answered, in the order of the first file.

    Args:
        systems: By name, the file of each: JSON lines with ``question_id``, and ``answer``, ``summary`` or
            ``context``; with ``question`` and ``source`` unless a data set has them.
        documents: Documents of the data set, for question texts and sources.

    Raises:
        DataError: If a file is not of this form, no question was answered by all, or a question's text is unknown.
    """
    answers = {name: _answers(path) for name, path in systems.items()}
    asked = {one.id: (one.text, labelled.document.text) for labelled in documents for one in labelled.questions}
    first = next(iter(answers.values()))
    common = [question_id for question_id in first if all(question_id in found for found in answers.values())]
    if not common:
        raise DataError(f"no question was answered by all of {', '.join(systems)}: their question_ids share none")
    return [
        Item(
            question_id,
            *(asked.get(question_id) or _asked(question_id, [found[question_id] for found in answers.values()])),
            {name: found[question_id]["answer"] for name, found in answers.items()},
        )
        for question_id in common
    ]


def rating_sheet(items: Sequence[Item], criteria: Criteria, *, seed: int, sample: int | None = None) -> Sheet:
    """A sheet of ``sample`` items drawn with ``seed``, or of all items; items and answers are shuffled.

    The same items, criteria and seed give the same bytes.

    Raises:
        DataError: If there are more systems than letters, or fewer than one.
    """
    systems = sorted(items[0].answers)
    if not 1 <= len(systems) <= len(ascii_uppercase):
        raise DataError(f"a sheet has 1 to {len(ascii_uppercase)} systems, found {len(systems)}")
    draw = random.Random(seed)
    drawn = draw.sample(list(items), min(len(items), sample or len(items)))
    orders = [draw.sample(systems, len(systems)) for _ in drawn]
    shown = [
        {
            "question": item.question,
            "source": item.source,
            "answers": {letter: item.answers[name] for letter, name in zip(ascii_uppercase, order, strict=False)},
        }
        for item, order in zip(drawn, orders, strict=True)
    ]
    content = {"items": shown, **asdict(criteria)}
    sheet_id = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]
    key = {
        "schema": SCHEMA,
        "sheet": sheet_id,
        "seed": seed,
        "systems": systems,
        "criteria": [asdict(one) for one in criteria.criteria],
        "items": [
            {"question_id": item.question_id, "answers": dict(zip(ascii_uppercase, order, strict=False))}
            for item, order in zip(drawn, orders, strict=True)
        ],
    }
    html = page("sheet", title=f"Rating sheet {sheet_id}", data={"sheet": {"sheet": sheet_id, **content}})
    return Sheet(html, key)


def _criterion(record: Fields) -> Criterion:
    scale = []
    for step in record.lists("scale"):
        if len(step) != 2 or not isinstance(step[0], int) or not isinstance(step[1], str):
            raise record.error(f"a step of a scale is [number, word], found {json.dumps(step)[:60]}")
        scale.append((step[0], step[1]))
    if len({score for score, _ in scale}) < max(2, len(scale)):
        raise record.error("a scale has two different scores or more")
    return Criterion(record.text("name"), record.text("question"), tuple(sorted(scale)))


def _answers(path: Path) -> dict[str, dict[str, str]]:
    found = {}
    for record in read_records(path):
        name = next((name for name in _ANSWERS if name in record), None)
        if name is None:
            raise record.error(f"expected one of {', '.join(_ANSWERS)}; it has {sorted(record)}")
        parts = {part: record.text_or_empty(part) for part in ("question", "source")}
        found[record.text("question_id")] = {**parts, "answer": record.text(name)}
    return found


def _asked(question_id: str, answers: Sequence[dict[str, str]]) -> tuple[str, str]:
    question = next((answer["question"] for answer in answers if answer["question"]), "")
    if not question:
        raise DataError(
            f"the text of question {question_id} is not known: name its data set, or give each line a 'question'"
        )
    return question, next((answer["source"] for answer in answers if answer["source"]), "")
