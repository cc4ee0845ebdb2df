"""Questions in everyday words on the published documents that the reader's training kept for dev.

    python benchmarks/published.py [--of cases|unsaid|short] [--reader large] [--each 12] [--store FILE]
        [--answers FILE]

Asks each document of ``everyday/published*.jsonl.gz`` with ``dev`` some of its questions, as ``treatise ask`` does;
``--of cases`` asks parts of the manuals of dev all questions of ``everyday/manual_questions.jsonl.gz``, on one of
several cases of which they speak, and ``--of unsaid`` those of ``manual_unsaid.jsonl.gz``, mostly for what they leave
unsaid; ``--of short`` asks published documents of dev such questions, those of ``short_unsaid.jsonl.gz``. An answer is
right if its first 60 words contain the answering words (of a list the first three items), or for yes and no if they
contain the sentence that decides. In percent, with 95 % intervals over documents; ``--answers`` writes a line for each
question, by which two versions are compared.
"""

import argparse
import gzip
import hashlib
import json
import random
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from training_questions_manuals import manuals_with
from training_reader_long import of_pages, of_part, short_documents

from treatise import Answer, open_library
from treatise.evaluate.metrics.statistics import bootstrap_interval

HERE: Final = Path(__file__).parent / "everyday"
OF_MANUALS: Final = {"cases": "manual_questions", "unsaid": "manual_unsaid"}
WORDS: Final = 60
ITEMS: Final = 3
BEGINNING: Final = 80  # characters of a sentence that tell it from others

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scored:
    """A question's outcome: ``right``, ``wrong`` or ``refused``."""

    document: str
    question: str
    is_answerable: bool
    outcome: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", choices=[*OF_MANUALS, "short"], help="parts of manuals, or what documents leave unsaid")
    parser.add_argument("--reader")
    parser.add_argument("--each", type=int, default=12, help="questions a published document")
    parser.add_argument("--store", type=Path)
    parser.add_argument("--answers", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or Path(folder) / "store.db"
        documents = documents_of(options.of) if options.of else published(options.each)
        scored = list(ask(store, Path(folder), options.reader, documents))
    if options.answers:
        lines = (json.dumps([one.document, one.question, one.outcome], ensure_ascii=False) for one in scored)
        options.answers.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(table(scored))


def documents_of(questions: str) -> Iterable[Row]:
    """What of dev is asked these questions: the parts of manuals, or published documents."""
    if questions == "short":
        return of_part(short_documents(), is_dev=True)
    return of_pages(of_part(manuals_with(OF_MANUALS[questions]), is_dev=True))


def published(each: int) -> Iterator[Row]:
    """The published documents of dev, each with so many of its questions."""
    chance = random.Random(7)
    for path in sorted(HERE.glob("published*.jsonl.gz")):
        for row in map(json.loads, gzip.decompress(path.read_bytes()).decode().splitlines()):
            if row.get("dev", False):
                yield {**row, "questions": chance.sample(row["questions"], min(each, len(row["questions"])))}


def ask(store: Path, folder: Path, reader: str | None, documents: Iterable[Row]) -> Iterator[Scored]:
    with open_library(store=store, reader=reader) as library:
        for row in documents:
            path = folder / f"{hashlib.sha256(row['text'].encode()).hexdigest()[:16]}.md"
            path.write_text(row["text"], encoding="utf-8")
            for asked in row["questions"]:
                answer = library.ask(asked["q"], [path])
                yield Scored(row["source"], asked["q"], asked["kind"] != "none", outcome(asked, answer))


def outcome(asked: Row, answer: Answer) -> str:
    if not answer.found:
        return "refused"
    given = " ".join(words(answer.text)[:WORDS])
    wanted = [asked["a"]] if isinstance(asked.get("a"), str) else asked.get("a", [])
    if wanted and all(" ".join(words(one)) in given for one in wanted[:ITEMS]):
        return "right"
    decides = asked["kind"] in ("yes", "no") and " ".join(words(asked["in"]))[:BEGINNING] in given
    return "right" if decides else "wrong"


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def table(scored: Sequence[Scored]) -> str:
    answerable = [one for one in scored if one.is_answerable]
    others = [one for one in scored if not one.is_answerable]
    rows = [(name, answerable, [one.outcome == name for one in answerable]) for name in ("right", "wrong", "refused")]
    rows.append(("unanswerable: refused", others, [one.outcome == "refused" for one in others]))
    lines = [f"| {name} | {len(of)} | {share(of, hits)} |" for name, of, hits in rows]
    return "\n".join(["| | n | % |", "|---|--:|---|", *lines])


def share(of: Sequence[Scored], hits: Sequence[bool]) -> str:
    values = np.array(hits, dtype=float) * 100
    numbers = {name: number for number, name in enumerate(dict.fromkeys(one.document for one in of))}
    low, high = bootstrap_interval(values, np.array([numbers[one.document] for one in of]))
    return f"{values.mean():.1f} [{low:.1f}, {high:.1f}]"


if __name__ == "__main__":
    main()
