"""Builds the span reader's training files of questions on long documents.

    python benchmarks/training_reader_long.py --data DATA --out DATA/span-reader

DATA contains ``span-reader/``, which the other scripts wrote, and ``reader/`` and ``qa/`` as their READMEs say.
Writes ``long-train.jsonl.gz``, ``long-hard-train.jsonl.gz``, ``unsaid-train.jsonl.gz``, ``short-unsaid-train.jsonl.gz``
and such files for dev; lines are those of ``benchmarks/training_reader.py``.

Of a text of 400 words nearly all is read; of a long document only what retrieval finds, and much of that looks like an
answer. So these are questions in everyday words with the passages that the product finds for them in long documents:

- ``long`` has the questions of ``JOINED`` documents of a genre, joined to one of some 7,000 words, those of the manuals
  of ``everyday/manuals.jsonl.gz`` (``PAGES`` neighbouring pages are a document) with the short answers of
  ``everyday/manual_answers.jsonl.gz``, and some lines of the other files, so that the reader forgets nothing;
- ``long-hard`` has those of ``everyday/manual_questions.jsonl.gz`` on the same pages and those of the documents of
  ``everyday/long.jsonl.gz``: for most of them another place of the document looks like an answer;
- ``unsaid`` has those of ``everyday/manual_unsaid.jsonl.gz``, mostly for what these pages leave unsaid;
- ``short-unsaid`` has those of ``everyday/short_unsaid.jsonl.gz``, for what published documents leave unsaid. No reader
  that ships has read them.

Documents and manuals of dev are those of dev in the other files.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

from training_questions_manuals import long_documents, manuals_with, read_manuals
from training_reader_everyday import HERE, PUBLISHED, Row, of_document, own_documents, read, repeated, with_lost

from treatise.compose import open_encoder
from treatise.core.ports import Encoder

JOINED = 12
ASKED = 9  # questions of one document, at most
PAGES = 24


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    documents, manuals, unsaid = documents_of(options.data), answered_manuals(), manuals_with("manual_unsaid")
    hard = [*manuals_with("manual_questions"), *long_documents()]
    with ProcessPoolExecutor(options.processes) as pool:
        for part in ("train", "dev"):
            is_dev = part == "dev"
            chosen = {
                "long": [*joined(of_part(documents, is_dev=is_dev)), *of_pages(of_part(manuals, is_dev=is_dev))],
                "long-hard": list(of_pages(of_part(hard, is_dev=is_dev))),
                "unsaid": list(of_pages(of_part(unsaid, is_dev=is_dev))),
                "short-unsaid": of_part(short_documents(), is_dev=is_dev),
            }
            for name, long in chosen.items():
                found = pool.map(partial(rows_of, f"{name}-{part}"), range(len(long)), long)
                rows = [row for some in found for row in some]
                if part == "train":
                    rows += with_lost(rows)
                if (name, part) == ("long", "train"):
                    rows += repeated(options.data / "span-reader")
                with gzip.open(options.out / f"{name}-{part}.jsonl.gz", "wt", encoding="utf-8") as out:
                    out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
                print(name, part, len(long), "long documents", len(rows), "rows")


def documents_of(data: Path) -> list[Row]:
    """The documents of the everyday questions, and whether they are of dev."""
    published = [one for name in PUBLISHED for one in read(HERE / f"{name}.jsonl.gz")]
    return own_documents(data) + [{**one, "dev": one.get("dev", False)} for one in published]


def short_documents() -> list[Row]:
    """The published documents that leave something unsaid, with the questions for it."""
    asked: dict[tuple[str, int], list[Row]] = {}
    for question in read(HERE / "short_unsaid.jsonl.gz"):
        asked.setdefault((question["file"], question["document"]), []).append(question)
    published = {name: read(HERE / f"{name}.jsonl.gz") for name in PUBLISHED}
    return [
        {**published[name][n], "dev": published[name][n].get("dev", False), "questions": questions}
        for (name, n), questions in asked.items()
    ]


def answered_manuals() -> list[Row]:
    """The manuals with those of their questions that have a short answer."""
    answers = {(one["manual"], one["question"]): one for one in read(HERE / "manual_answers.jsonl.gz")}
    return [
        {
            **manual,
            "questions": [
                {**question, "kind": answers[m, n]["kind"], "a": answers[m, n]["a"]}
                for n, question in enumerate(manual["questions"])
                if (m, n) in answers
            ],
        }
        for m, manual in enumerate(read_manuals())
    ]


def of_part(documents: Sequence[Row], *, is_dev: bool) -> list[Row]:
    return [one for one in documents if one["dev"] is is_dev]


def joined(documents: Sequence[Row]) -> Iterator[Row]:
    """Documents of a genre as one, with some of the questions of each."""
    chance = random.Random(11)
    ordered = sorted(documents, key=lambda one: (one.get("genre") or "", one.get("title") or ""))
    for first in range(0, len(ordered), JOINED):
        group = ordered[first : first + JOINED]
        questions = [
            question for one in group for question in chance.sample(one["questions"], min(ASKED, len(one["questions"])))
        ]
        yield {"text": text_of(group), "questions": questions}


def of_pages(manuals: Sequence[Row]) -> Iterator[Row]:
    """Neighbouring pages of a manual as one document, with their questions."""
    for manual in manuals:
        for first in range(0, len(manual["pages"]), PAGES):
            questions = [one for one in manual["questions"] if first <= one["page"] < first + PAGES]
            if questions:
                name = f"{manual['source']}, from page {first}"
                yield {"source": name, "text": text_of(manual["pages"][first : first + PAGES]), "questions": questions}


def text_of(parts: Sequence[Row]) -> str:
    return "\n\n".join(f"# {one.get('title') or ''}\n\n{one['text']}" for one in parts)


def rows_of(name: str, number: int, document: Row) -> list[Row]:
    return list(of_document(f"{name}-{number}", document, encoder()))


@cache
def encoder() -> Encoder:
    return open_encoder()


if __name__ == "__main__":
    main()
