"""Builds the files of the span reader's second stage: questions with passages as retrieval in whole documents gives.

    python benchmarks/training_reader_documents.py --data DATA --retrieved DATA/retrieved --out DATA/span-reader

Writes ``documents-train.jsonl.gz`` and ``documents-dev.jsonl.gz``; arguments and lines are those of
``benchmarks/training_reader.py``. The passages are the best sentences of an article, or of all articles of the set, by
BM25, with neighbours of the sentence that answers. Half of the questions without an answer come from the set or lost
their answering sentences; the others are changed (year, number, name) or put to another document.
"""

import argparse
import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
from training_reader import (
    NAME,
    YEAR,
    Example,
    Row,
    best_reference,
    fits,
    from_table,
    read,
    sentences,
    words,
)

from treatise.core.indexed import Lexicon
from treatise.retrieve.lexical import Collection, bm25, build_lexicon

WORDS = (110, 140, 160, 160)  # word limit of passages: about one row
LIMITS = {"squad2": 5200, "xquad": 600, "nq": 2200, "selqa": 700, "boolq": 700, "fairytaleqa": 2300, "qasper": 2600,
          "wtq": 1300, "wtq lists": 700, "tatqa": 400}  # fmt: skip
DEV_LIMIT = 60
BY_TITLE = ("squad1", "squad2", "xquad", "cuad", "tatqa_text")
LOST, CHANGED, ELSEWHERE = 0.12, 0.16, 0.07
"""Share of answerable questions that lose their answering sentences, are changed, or are put to another document."""
MISSED_LEFT_OUT = 0.65  # of questions whose evidence was not retrieved: other passages may still answer them

NUMBER = re.compile(r"\b(?:[2-9]|[1-9]\d+)\b(?![-–.,]\d)")
BEFORE = re.compile(r"(\w+) $")


@dataclass(frozen=True)
class Pool:
    """Sentences of a document, in order, and their index."""

    texts: tuple[str, ...]
    lexicon: Lexicon

    @classmethod
    def of(cls, contexts: Sequence[str]) -> "Pool":
        texts = tuple(context[a:b] for context in contexts for a, b in sentences(context))
        return cls(texts, build_lexicon(texts))

    def best(self, question: str, chance: random.Random) -> list[int]:
        """The sentences that match best, in order; random numbers decide near ties."""
        among = Collection.of([self.lexicon], question, ["en"])
        one = np.arange(len(self.texts), dtype=np.int32)
        scores = bm25(self.lexicon, question, np.stack([one, one + 1], axis=1), "en", among)
        noise = np.array([chance.random() for _ in range(len(scores))])
        order: list[int] = np.argsort(-(scores * (0.8 + 0.4 * noise)), kind="stable")[:40].tolist()
        return order


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--retrieved", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for part in ("train", "dev"):
        made = [example for example in all_examples(options.data, options.retrieved, part) if fits(example)]
        content = gzip.compress("".join(example.line() for example in made).encode(), mtime=0)
        (options.out / f"documents-{part}.jsonl.gz").write_bytes(content)
        counts = Counter((example.set, example.kind) for example in made)
        print(part, len(made), json.dumps({" ".join(key): n for key, n in sorted(counts.items())}))


def all_examples(data: Path, retrieved: Path, part: str) -> Iterator[Example]:
    for name, limit in LIMITS.items():
        n = limit if part == "train" else DEV_LIMIT
        chance = random.Random(f"documents {name} {part}")
        found = list(of_set(name, data, retrieved, part, n, chance))
        slots = names_by_slot(found)
        yield from (changed(e, slots, chance) or e if chance.random() < CHANGED else e for e in found)


def of_set(name: str, data: Path, retrieved: Path, part: str, n: int, chance: random.Random) -> Iterator[Example]:
    if name in ("qasper", "fairytaleqa"):
        return islice(from_product(name, retrieved, part, chance), n)
    if name in ("wtq", "wtq lists", "tatqa"):
        rows = list(read(data / "tables" / f"{name.split()[0]}-{part}.jsonl.gz"))
        rows = [row for row in rows if (len(set(row["answers"])) > 1) == name.endswith("lists") or name == "tatqa"]
        chance.shuffle(rows)
        return islice(filter(None, (from_table(name.split()[0], row, chance) for row in rows)), n)
    rows = [row for row in read(data / "reader" / f"{name}-{part}.jsonl.gz") if row.get("lang", "en") == "en"]
    return from_pools(name, rows, n, chance)


# --- passages retrieved here -----------------------------------------------------------------------------------------


def from_pools(name: str, rows: Sequence[Row], n: int, chance: random.Random) -> Iterator[Example]:
    """Questions on articles, with the best sentences of their document, or of another one."""

    def key(row: Row) -> str:
        return str(row["title"]) if name in BY_TITLE else ""

    contexts: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        contexts[key(row)][row["context"]] = None
    pools = {title: Pool.of(list(of_one)) for title, of_one in contexts.items()}
    for row in chance.sample(rows, min(n, len(rows))):
        pool, others = pools[key(row)], [pool for title, pool in pools.items() if title != key(row)]
        if others and chance.random() < ELSEWHERE:
            yield put_elsewhere(name, row, chance.choice(others), chance)
        else:
            yield from filter(None, [put_to(name, row, pool, chance)])


def put_to(name: str, row: Row, pool: Pool, chance: random.Random) -> Example | None:
    """The question with its answering sentences, their neighbours and the best others; or without any answer."""
    text, spans = row["context"], spans_of(row)
    kind = {"multi": "list"}.get(row["kind"], row["kind"])
    pieces = list(sentences(text))
    gold = {text[a:b]: a for a, b in pieces if any(a <= start and end <= b for start, end in spans)}
    if not gold and kind not in ("none", "yes", "no"):
        return None
    variants = [text[a:b].lower() for a, b in spans]
    own = [text[a:b] for a, b in pieces]
    loses = bool(gold) and kind in ("span", "list") and chance.random() < LOST
    ranked = [pool.texts[i] for i in pool.best(row["question"], chance)]
    if loses:
        free = [one for one in ranked if not any(variant in one.lower() for variant in variants)]
        return Example(f"{row['id']}-lost", name, row["question"], tuple(filled([], free, chance)), (), "none")
    near = [one for one in own if one not in gold]
    chance.shuffle(near)
    if kind in ("yes", "no") and not gold:
        gold = {one: text.index(one) for one in own}
    passages = filled(list(gold), near[: chance.choice((0, 1, 2))] + ranked, chance)
    passages = mostly_ranked(passages, ranked, chance)
    answers = tuple(
        (passages.index(sentence), start - at, end - at)
        for start, end in spans
        for sentence, at in gold.items()
        if at <= start and end <= at + len(sentence)
    )
    return Example(row["id"], name, row["question"], tuple(passages), answers, kind)


def spans_of(row: Row) -> list[tuple[int, int]]:
    if row["kind"] in ("yes", "no"):
        return [(start, end) for start, end in row["evidence"]]
    return [(a["start"], a["start"] + len(a["text"])) for a in row["answers"]]


def put_elsewhere(name: str, row: Row, pool: Pool, chance: random.Random) -> Example:
    """The question with the best sentences of another document, without those that contain the answer."""
    variants = [row["context"][a:b].lower() for a, b in spans_of(row)]
    ranked = [pool.texts[i] for i in pool.best(row["question"], chance)]
    free = [one for one in ranked if not any(variant in one.lower() for variant in variants)]
    return Example(f"{row['id']}-elsewhere", name, row["question"], tuple(filled([], free, chance)), (), "none")


def filled(first: list[str], rest: Sequence[str], chance: random.Random) -> list[str]:
    """The first texts and as many others as fit."""
    room = chance.choice(WORDS) - sum(map(words, first))
    kept = list(dict.fromkeys(first))
    for one in rest:
        if one not in kept and words(one) <= room:
            kept.append(one)
            room -= words(one)
    return kept


def mostly_ranked(passages: Sequence[str], ranked: Sequence[str], chance: random.Random) -> list[str]:
    """In the order of retrieval; texts that it did not find, and one in five others, stand at random places."""
    places = {one: i for i, one in enumerate(ranked)}
    at = {
        one: places[one] if one in places and chance.random() < 0.8 else chance.randrange(len(passages))
        for one in passages
    }
    return sorted(passages, key=lambda one: at[one])


# --- passages retrieved by the product -------------------------------------------------------------------------------


def from_product(name: str, retrieved: Path, part: str, chance: random.Random) -> Iterator[Example]:
    """All passages of a question, in the order of retrieval."""
    rows = list(read(retrieved / f"{name}-train.jsonl"))
    documents = list(dict.fromkeys(row["document"] for row in rows))
    held = set(documents[::20])
    rows = [row for row in rows if (row["document"] in held) == (part == "dev")]
    for row in chance.sample(rows, len(rows)):
        marked = [tuple(span) for r in row["references"] for span in r["spans"]]
        near = [i for i, (a, b) in enumerate(row["places"]) if any(a < end and start < b for start, end in marked)]
        found = best_reference(row, near)
        is_missed = not near and any(r["kind"] != "unanswerable" for r in row["references"])
        if found and not (is_missed and chance.random() < MISSED_LEFT_OUT):
            kind, answers = found
            yield Example(row["id"], name, row["question"], tuple(row["passages"]), tuple(answers), kind)


# --- changed questions -----------------------------------------------------------------------------------------------


def names_by_slot(examples: Sequence[Example]) -> dict[str, list[str]]:
    """Names in questions, by the word before them: names after the same word are mostly of the same kind."""
    slots: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        for match in NAME.finditer(example.question):
            slots[slot(example.question, match.start())].add(match[0])
    return {before: sorted(names) for before, names in slots.items()}


def slot(text: str, at: int) -> str:
    before = BEFORE.search(text[:at])
    return before[1].lower() if before else ""


def changed(example: Example, slots: dict[str, list[str]], chance: random.Random) -> Example | None:
    """The question with a year, number or name that its passages do not have; None if it has none to change."""
    if example.kind == "none":
        return None
    text = " ".join(example.passages)
    question = example.question
    if match := drawn(YEAR.finditer(question), chance):
        other = str(int(match[0]) + chance.choice((-40, -12, -7, -4, -3, -2, -1, 1, 2, 3, 4, 7, 11, 30)))
    elif match := drawn((m for m in NUMBER.finditer(question) if m[0] in text), chance):
        other = str(max(2, round(int(match[0]) * chance.choice((0.5, 2, 3, 10)) + chance.choice((0, 1)))))
    elif match := drawn((m for m in NAME.finditer(question) if m[0] in text), chance):
        other = chance.choice(slots.get(slot(question, match.start())) or [""])
    else:
        return None
    if not other or other.lower() in text.lower():
        return None
    new = question[: match.start()] + other + question[match.end() :]
    return replace(example, id=f"{example.id}-changed", question=new, answers=(), kind="none")


def drawn(matches: Iterator[re.Match[str]], chance: random.Random) -> re.Match[str] | None:
    found = list(matches)
    return chance.choice(found) if found else None


if __name__ == "__main__":
    main()
