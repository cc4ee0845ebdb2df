"""Questions of what is said on a topic: are they answered, and from the right place?

    python benchmarks/topics.py headings [--store FILE] [--answers FILE]
    python benchmarks/topics.py qmsum --data qmsum-val.jsonl.gz [--store FILE] [--answers FILE]

``headings`` asks the English documents of ``benchmarks/questions`` about headings of one to three words, at most four a
document, and about two headings of other documents whose words they lack. ``qmsum`` asks each meeting its specific
queries. In percent, with 95 % intervals over documents: questions answered, and answered with a first quotation from
below the heading or in a marked turn; topics refused that the document lacks.
"""

import argparse
import json
import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from answers import QUESTIONS, document_path

from treatise import open_library
from treatise.claims.words import Text, stem
from treatise.core.document import Document, Span
from treatise.evaluate.data.loaders.qmsum import load_qmsum
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.generate.under import extent
from treatise.pipeline.library import Library

FORMS = ("What does it say about {}?", "What is said about {}?", "Tell me about {}.", "What are the rules on {}?")
PER_DOCUMENT = 4
ABSENT = 2
MIN_WORDS = 25
TITLE = re.compile(r"[A-Za-z]+(?: [A-Za-z]+){0,2}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and where its answer stands; ``places`` are empty if the document lacks the topic."""

    source: str
    question: str
    places: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """A question with its answer; ``is_right`` if its first quotation stands in the right place."""

    source: str
    question: str
    is_absent: bool
    is_found: bool
    is_right: bool
    text: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", choices=("headings", "qmsum"))
    parser.add_argument("--data", type=Path, help="the file of QMSum")
    parser.add_argument("--store", type=Path, help="keeps the index for the next run")
    parser.add_argument("--answers", type=Path, help="one JSON object per answer")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open_library(store=options.store or folder / "library.db") as library:
            asked = headings(library) if options.questions == "headings" else queries(options.data, folder)
            scored = [answered(library, one) for one in asked]
    if options.answers:
        options.answers.write_text("".join(json.dumps(asdict(one)) + "\n" for one in scored), encoding="utf-8")
    present, absent = ([one for one in scored if one.is_absent is wanted] for wanted in (False, True))
    show("answered", present, [one.is_found for one in present])
    show("answered from the right place", present, [one.is_right for one in present])
    show("topic absent: refused", absent, [not one.is_found for one in absent])


def headings(library: Library) -> list[Asked]:
    chance = random.Random(4)
    documents = {name: read(library, document_path(name)) for name in english()}
    topics = {name: chance.sample(found := sections(one), len(found)) for name, one in documents.items()}
    asked: list[Asked] = []
    for name, document in documents.items():
        path = str(document_path(name))
        for one in topics[name][:PER_DOCUMENT]:
            asked.append(Asked(path, question(one.question, len(asked)), one.places))
        others = [one.question for other, found in topics.items() if other != name for one in found]
        absent = [title for title in dict.fromkeys(others) if lacks(document, title)]
        asked += [Asked(path, question(title, number)) for number, title in enumerate(chance.sample(absent, ABSENT))]
    return asked


def english() -> list[str]:
    described = json.loads((QUESTIONS / "documents.json").read_text(encoding="utf-8"))
    return [name for name, one in described.items() if one["language"] == "en" and not one["file"].endswith(".pdf")]


def read(library: Library, path: Path) -> Document:
    return library.document(library.index(path).document)


def sections(document: Document) -> list[Asked]:
    """The sections whose titles are topics, one to three plain words, and that have some text."""
    found = []
    for at, one in enumerate(document.sections):
        span = extent(document, at)
        has_text = len(document.quote(span.start, span.end).split()) >= MIN_WORDS
        if has_text and TITLE.fullmatch(one.title) and Text(one.title).content:
            found.append(Asked(document.source, one.title, (span,)))
    return found


def lacks(document: Document, title: str) -> bool:
    """Whether no word of the title, nor its stem, occurs anywhere in the document."""
    text = document.text.casefold()
    return not any(stem(word) in text for word in title.casefold().split())


def question(title: str, number: int) -> str:
    return FORMS[number % len(FORMS)].format(title.lower())


def queries(data: Path, folder: Path) -> Iterator[Asked]:
    for meeting in load_qmsum(data):
        path = folder / f"{meeting.document.title}.txt"
        path.write_text(meeting.document.text, encoding="utf-8")
        for one in meeting.questions:
            yield Asked(str(path), one.text, one.references[0].spans)


def answered(library: Library, asked: Asked) -> Scored:
    answer = library.ask(asked.question, [asked.source])
    at = answer.citations[0].span.start if answer.citations else -1
    is_right = answer.found and any(place.start <= at < place.end for place in asked.places)
    name = Path(asked.source).name
    return Scored(name, asked.question, not asked.places, answer.found, is_right, answer.text)


def show(figure: str, scored: Sequence[Scored], holds: Sequence[bool]) -> None:
    if not scored:
        return
    values = np.array(holds, dtype=float) * 100
    _, clusters = np.unique([one.source for one in scored], return_inverse=True)
    low, high = bootstrap_interval(values, clusters)
    print(f"{figure:32} {values.mean():5.1f} [{low:.1f}, {high:.1f}]  n {len(values)}, {clusters.max() + 1} documents")


if __name__ == "__main__":
    main()
