"""Builds the files of the span reader's third stage: tables as the product reads them, contracts, reports, negatives.

    python benchmarks/training_reader_more.py --data DATA --out DATA/span-reader

Writes ``more-train.jsonl.gz`` and ``more-dev.jsonl.gz``; lines are those of ``benchmarks/training_reader.py``. Rows of
tables are worded by ``Document.self_contained``, as they are when a question is answered; in the earlier stages they
were in three other forms. Half of the questions that lose their answer keep the sentences around it, or sentences with
a number, year or name where the question asks for one. Others are changed or put to another document, as in the second
stage.
"""

import argparse
import csv
import gzip
import io
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from training_reader import NAME, YEAR, Example, Row, fits, read, sentences, words
from training_reader_documents import (
    CHANGED,
    NUMBER,
    Pool,
    changed,
    filled,
    from_pools,
    mostly_ranked,
    names_by_slot,
    spans_of,
)

from treatise.core.document import ParagraphKind
from treatise.ingest import read_bytes
from treatise.retrieve.lexical import build_lexicon

TABLES = {"wtq": 5000, "hybridqa": 1100, "tatqa": 500}
TEXTS = {"qamr": 2600, "cuad": 1400, "tatqa_text": 400, "pubmedqa": 400, "squad2": 1600, "nq": 600}
LOST = {"squad2": 900, "nq": 400, "xquad": 200, "qamr": 300, "tatqa_text": 150}
"""Questions that lose their answering sentences."""
LOST_ROW = 0.08  # share of look-ups without the row that answers
HEADS = 0.6  # share of look-ups with the row of heads
DEV_LIMIT = 60
MAX_ANSWER, MAX_TABLE = 90, 9000  # words; characters

KINDS = (
    (re.compile(r"^(?:how (?:many|much|long|old|far|often)|what (?:percentage|number|amount))\b", re.I), NUMBER),
    (re.compile(r"^(?:when|(?:in )?(?:what|which) year)\b", re.I), YEAR),
    (re.compile(r"^(?:who|whose|whom)\b", re.I), NAME),
)
"""What a question asks for, and what has that form."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for part in ("train", "dev"):
        made = [example for example in all_examples(options.data, part) if fits(example)]
        content = gzip.compress("".join(example.line() for example in made).encode(), mtime=0)
        (options.out / f"more-{part}.jsonl.gz").write_bytes(content)
        counts = Counter((example.set, example.kind) for example in made)
        print(part, len(made), json.dumps({" ".join(key): n for key, n in sorted(counts.items())}))


def all_examples(data: Path, part: str) -> Iterator[Example]:
    for name, limit in TABLES.items():
        chance = random.Random(f"more {name} {part}")
        rows = [row for row in read(data / "tables" / f"{name}-{part}.jsonl.gz") if is_lookup(row)]
        drawn = chance.sample(rows, min(len(rows), limit if part == "train" else DEV_LIMIT))
        yield from some_changed(list(filter(None, (look_up(name, row, chance) for row in drawn))), chance)
    for name, limit in TEXTS.items():
        chance = random.Random(f"more {name} {part}")
        yield from some_changed(
            list(from_pools(name, short_rows(data, name, part), limit if part == "train" else DEV_LIMIT, chance)),
            chance,
        )
    for name, limit in LOST.items():
        chance = random.Random(f"lost {name} {part}")
        yield from without_answers(name, short_rows(data, name, part), limit if part == "train" else 20, chance)


def some_changed(found: Sequence[Example], chance: random.Random) -> Iterator[Example]:
    slots = names_by_slot(found)
    yield from (changed(one, slots, chance) or one if chance.random() < CHANGED else one for one in found)


def short_rows(data: Path, name: str, part: str) -> list[Row]:
    """The English rows of a set whose answers fit into one row of the reader."""
    rows = read(data / "reader" / f"{name}-{part}.jsonl.gz")
    return [row for row in rows if row.get("lang", "en") == "en" and answer_words(row) <= MAX_ANSWER]


def answer_words(row: Row) -> int:
    return sum(words(row["context"][start:end]) for start, end in spans_of(row))


# --- tables ----------------------------------------------------------------------------------------------------------


def is_lookup(row: Row) -> bool:
    n_chars = sum(len(cell) for cells in row["table"] for cell in cells)
    return row["kind"] == "lookup" and 0 < len(row["cells"]) <= 6 and n_chars <= MAX_TABLE


def look_up(name: str, row: Row, chance: random.Random) -> Example | None:
    """The question with rows of its table; those that answer are among them unless they are lost."""
    texts = row_texts(row)
    answers = [place for cell in row["cells"] for place in place_of(row, cell, texts)]
    if not answers:
        return None
    gold = list(dict.fromkeys(text for text, _, _ in answers))
    ranked = ranked_rows(row["question"], texts, chance)
    if len(gold) == 1 and chance.random() < LOST_ROW:
        free = [one for one in ranked if not any(answer in one for answer in row["answers"])]
        return Example(f"{row['id']}-lost", name, row["question"], tuple(filled([], free, chance)), (), "none")
    first = texts[: 1 if chance.random() < HEADS and texts[0] not in gold else 0]
    passages = mostly_ranked(filled(first + gold, ranked, chance), ranked, chance)
    places = tuple((passages.index(text), start, end) for text, start, end in answers)
    kind = "list" if len(set(row["answers"])) > 1 else "span"
    return Example(row["id"], name, row["question"], tuple(passages), places, kind)


def row_texts(row: Row) -> list[str]:
    """The rows of a table, as the product words them for its reader."""
    document = read_bytes(as_markdown(row) if row.get("title") else as_csv(row["table"]), name=file_name(row))
    return [
        " ".join(document.self_contained(one.start, one.end).split())
        for paragraph in document.paragraphs
        if paragraph.kind is ParagraphKind.TABLE
        for one in paragraph.sentences
    ] or [""]


def file_name(row: Row) -> str:
    return "table.md" if row.get("title") else "table.csv"


def as_csv(table: Sequence[Sequence[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(table)
    return out.getvalue().encode()


def as_markdown(row: Row) -> bytes:
    """The table below its title."""
    rows = [[" ".join(cell.replace("|", "/").split()) for cell in cells] for cells in row["table"]]
    lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    rule = "|" + "---|" * len(rows[0])
    return "\n".join([f"# {row['title']}", "", lines[0], rule, *lines[1:], ""]).encode()


def place_of(row: Row, cell: Sequence[int], texts: Sequence[str]) -> list[tuple[str, int, int]]:
    """The text of a cell's row, and where the cell stands in it; empty if that is not certain."""
    number, column = cell
    table = row["table"]
    value = " ".join(table[number][column].split())
    label = " ".join(table[number][0].split())
    if not value or not label:
        return []
    whole = re.compile(r"(?:^|(?<=[.,:;] ))" + re.escape(value) + r"(?=$|[;:,])")
    found = [
        (text, match.start(), match.end())
        for text in texts[number : number + 1]
        if label in text
        for match in whole.finditer(text)
    ]
    if len(found) > 1:
        head = " ".join(table[0][column].split())
        found = [one for one in found if one[0][: one[1]].endswith(f"{head}: ")]
    return found if len(found) == 1 else []


def ranked_rows(question: str, texts: Sequence[str], chance: random.Random) -> list[str]:
    """Rows by BM25, or in the order of the table."""
    rows = [one for one in texts[1:] if one]
    if not rows or chance.random() < 0.3:
        return rows
    return [rows[i] for i in Pool(tuple(rows), build_lexicon(rows)).best(question, chance)]


# --- questions that lose their answer --------------------------------------------------------------------------------


def without_answers(name: str, rows: Sequence[Row], n: int, chance: random.Random) -> Iterator[Example]:
    """Questions with the sentences around their answers, and others of the form that is asked for."""
    asked = [row for row in rows if row["kind"] in ("span", "multi")]
    by_title: dict[str, dict[str, None]] = {}
    for row in rows:
        by_title.setdefault(str(row["title"]), {})[row["context"]] = None
    pools = {title: Pool.of(list(contexts)) for title, contexts in by_title.items()}
    for row in chance.sample(asked, min(n, len(asked))):
        text = row["context"]
        variants = [text[a:b].lower() for a, b in spans_of(row)]
        pool = pools[str(row["title"])]
        ranked = [pool.texts[i] for i in pool.best(row["question"], chance)]
        own = [text[a:b] for a, b in sentences(text)]
        free = [one for one in [*own, *ranked] if not any(variant in one.lower() for variant in variants)]
        form = next((has for asks, has in KINDS if asks.search(row["question"])), None)
        if form and chance.random() < 0.5:
            free.sort(key=lambda one: not form.search(one))
        passages = mostly_ranked(filled([], free, chance), ranked, chance)
        yield Example(f"{row['id']}-without", name, row["question"], tuple(passages), (), "none")


if __name__ == "__main__":
    main()
