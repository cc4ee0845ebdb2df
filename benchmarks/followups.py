"""Scores follow-up questions: how often they are resolved right, and answered right.

    python benchmarks/questions/fetch.py
    python benchmarks/followups.py [--split dev|held|fresh] [--store FILE] [--show] [--json]

Each conversation of ``benchmarks/questions/followups.jsonl`` is put to its document with ``Conversation.ask``. A
question is resolved right if it matches every pattern in ``needs`` and none in ``forbids``, ignoring case. Its answer
is right if every pattern in ``patterns`` matches its first 60 words. Three figures of answers are compared: the
follow-up as resolved, the follow-up put alone, and ``standalone``, the question as a person would have completed it.
Turns before are those that the program resolved itself, so that an error is carried on. Intervals are 95 %,
bootstrapped over conversations. The conversations of ``held`` are for measuring only.
"""

import argparse
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from answers import MAX_WORDS, QUESTIONS, document_path, first_words

from treatise import Conversation, open_library
from treatise.core.answer import Answer
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.pipeline.library import Library

FIELDS = ("resolved", "answered", "answered_alone", "answered_standalone")


@dataclass(frozen=True, slots=True)
class Scored:
    """A follow-up question, how it was resolved, and which of its answers are right."""

    conversation: str
    question: str
    understood: str
    resolved: bool
    answered: bool
    answered_alone: bool
    answered_standalone: bool


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        library = open_library(store=options.store or Path(folder) / "store.db")
        scored = [one for row in conversations(options.split) for one in score(library, row)]
        library.close()
    if options.show:
        for one in scored:
            print("ok   " if one.resolved else "WRONG", one.conversation, "|", one.question, "|", one.understood)
    print(json.dumps(table(scored), indent=1) if options.json else markdown(table(scored)))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("dev", "held", "fresh"), default="dev")
    parser.add_argument("--store", type=Path, help="keeps the index for the next run")
    parser.add_argument("--show", action="store_true", help="print each question as it was resolved")
    parser.add_argument("--json", action="store_true", help="the table as JSON")
    return parser.parse_args()


def conversations(split: str) -> list[dict[str, Any]]:
    lines = (QUESTIONS / "followups.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["split"] == split]


def score(library: Library, row: dict[str, Any]) -> Iterator[Scored]:
    document = library.index(document_path(row["document"])).document
    conversation = Conversation(library, (document,))
    for turn in row["turns"]:
        conversation = conversation.ask(turn["question"])
        if "needs" in turn:
            last = conversation.turns[-1]
            alone, gold = (library.ask(turn[name], documents=[document]) for name in ("question", "standalone"))
            answered = [has_all(turn["patterns"], shown(answer)) for answer in (last.answer, alone, gold)]
            yield Scored(row["id"], turn["question"], last.resolved, is_resolved(turn, last.resolved), *answered)


def is_resolved(turn: dict[str, Any], resolved: str) -> bool:
    return has_all(turn["needs"], resolved) and not any(
        re.search(pattern, resolved, re.IGNORECASE) for pattern in turn.get("forbids", ())
    )


def has_all(patterns: list[str], text: str) -> bool:
    return all(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def shown(answer: Answer) -> str:
    text = f"{answer.direct.text} {answer.text}" if answer.direct else answer.text
    return first_words(text, MAX_WORDS) if answer.found else ""


def table(scored: list[Scored]) -> dict[str, list[float]]:
    """Percentage, low and high of each figure."""
    clusters = np.unique([one.conversation for one in scored], return_inverse=True)[1]
    rows = {}
    for field in FIELDS:
        values = np.array([100.0 * getattr(one, field) for one in scored])
        rows[field] = [round(value, 1) for value in (values.mean(), *bootstrap_interval(values, clusters))]
    return {"n": [len(scored)], **rows}


def markdown(rows: dict[str, list[float]]) -> str:
    lines = [f"| {field} | {mean:.0f} [{low:.0f}, {high:.0f}] |" for field, (mean, low, high) in list(rows.items())[1:]]
    return "\n".join([f"| n = {rows['n'][0]} follow-ups | percent |", "|---|--:|", *lines])


if __name__ == "__main__":
    main()
