"""Builds the training files of verdicts on statements for the span reader.

    python benchmarks/training_claims.py --data DATA --out DATA/span-reader

DATA contains ``entailment/``, ``reader/`` and ``qa/`` as described in their READMEs. Lines are in the form of
``treatise/train/span_reader_data.py``: the question is the statement, the passages are the premise, ``kind`` is the
verdict. Every row fits one window of the reader. Claims made by the rules of ``claim_edits.py`` from sentences of
training documents are added to the public sets.
"""

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from claim_edits import FALSE, TRUE, names_of

from treatise.core.document import ParagraphKind
from treatise.ingest.sentences import sentence_lengths

Row = dict[str, Any]

LIMITS = {"fever": 4000, "fever_symmetric": 1063, "mnli": 5000, "contractnli": 1500, "infotabs": 1800, "tabfact": 900,
          "snli": 700}  # fmt: skip
"""Rows of each public set, balanced over its verdicts."""
MADE = {"squad2": 3600, "nq": 900, "tatqa_text": 900, "cuad": 1300, "qasper": 2300, "fairytaleqa": 900}
"""Claims made from the documents of each set."""
DEV_SHARE = 0.025
MAX_WORDS = 150
MIN_WORDS, MAX_SENTENCE = 7, 45


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--share", type=float, default=1.0, help="of the training rows")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for part, share in (("train", options.share), ("dev", DEV_SHARE)):
        rows = [*public(options.data / "entailment", part, share), *made(options.data, part, share)]
        random.Random(part).shuffle(rows)
        content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (options.out / f"entailment-{part}.jsonl.gz").write_bytes(gzip.compress(content.encode(), mtime=0))
        n_words = sum(words(row["question"]) + sum(map(words, row["passages"])) for row in rows)
        print(part, len(rows), n_words, "words", json.dumps(dict(sorted(Counter(row["kind"] for row in rows).items()))))
        print(json.dumps(dict(sorted(Counter(row["set"] for row in rows).items()))))


def public(folder: Path, part: str, share: float) -> Iterator[Row]:
    """Rows of the public sets, as many of each verdict of a set as it allows."""
    for name, limit in LIMITS.items():
        rows = [one for one in map(from_public, read(folder / f"{name}-{part}.jsonl.gz")) if fits(one)]
        random.Random(f"{name} {part}").shuffle(rows)
        kinds = sorted({row["kind"] for row in rows})
        for kind in kinds:
            yield from [row for row in rows if row["kind"] == kind][: int(limit * share / len(kinds))]


def from_public(row: Row) -> Row:
    """The premise in sentences, or in the lines of a table."""
    text = row["premise"]
    passages = text.split("\n") if "\n" in text else sentences(text)
    if row["genre"] == "table":
        passages = table_rows(text.split("\n"))
    return line(row["id"], row["id"].split("-")[0], row["statement"], passages, row["label"])


def table_rows(lines: Sequence[str]) -> list[str]:
    """Rows as the product reads them: ``head: cell; head: cell``."""
    title, heads, *rows = lines
    names = [head.strip() for head in heads.split("|")]
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    return [title, *("; ".join(f"{a}: {b}" for a, b in zip(names, row, strict=False)) for row in cells)]


def made(data: Path, part: str, share: float) -> Iterator[Row]:
    """Claims made by rules from sentences of training documents: half false, a third true, the rest not stated."""
    for name, limit in MADE.items():
        chance = random.Random(f"claims {name} {part}")
        documents = list(texts(data, name, part))
        chance.shuffle(documents)
        rows: list[Row] = []
        per_rule: Counter[str] = Counter()
        while len(rows) < int(limit * share):
            before = len(rows)
            for paragraphs in documents:
                rows += claims_from(paragraphs, name, chance, per_rule)
                if len(rows) >= int(limit * share):
                    break
            if len(rows) == before:
                break
        yield from rows[: int(limit * share)]


def claims_from(paragraphs: Sequence[str], name: str, chance: random.Random, per_rule: Counter[str]) -> Iterator[Row]:
    """At most one claim of each verdict from a document."""
    names = names_of(" ".join(paragraphs))
    for verdict in ("contradicted", "supported", "not stated", "contradicted"):
        paragraph = chance.choice(paragraphs)
        found = sentences(paragraph)
        at = chance.randrange(len(found)) if found else 0
        if not found or not MIN_WORDS <= words(found[at]) <= MAX_SENTENCE or not found[at].endswith("."):
            continue
        first = max(0, at - chance.randint(0, 2))
        premise = found[first : at + 1 + chance.randint(0, 2)]
        statement = None
        if verdict == "not stated":
            others = [one for text in paragraphs if text != paragraph for one in sentences(text)]
            others = [one for one in others if MIN_WORDS <= words(one) <= MAX_SENTENCE and one.endswith(".")]
            statement = chance.choice(others) if others else None
            rule = "other"
        else:
            rules = FALSE if verdict == "contradicted" else TRUE
            applied = {rule: edit(found[at], names, chance) for rule, edit in rules.items()}
            works = [rule for rule, claim in applied.items() if claim]
            rule = min(works, key=lambda one: (per_rule[one], chance.random()), default="")
            statement = applied.get(rule)
        row = line(f"made-{name}-{chance.getrandbits(40):010x}", f"made {name}", statement or "", premise, verdict)
        if statement and fits(row):
            per_rule[rule] += 1
            yield row


def texts(data: Path, name: str, part: str) -> Iterator[list[str]]:
    """Documents of a set as paragraphs of prose."""
    if name in ("qasper", "fairytaleqa"):
        file = {"qasper": "qasper-train-v0.3.rebuilt", "fairytaleqa": "fairytaleqa-train"}[name]
        rows = list(read(data / "qa" / name / f"{file}.jsonl.gz"))
        held = max(1, len(rows) // 20)
        yield from map(paragraphs_of, rows[:held] if part == "dev" else rows[held:])
        return
    by_title: dict[str, dict[str, None]] = {}
    for row in read(data / "reader" / f"{name}-{part}.jsonl.gz"):
        by_title.setdefault(row["title"], {})[row["context"]] = None
    yield from ([*contexts] for contexts in by_title.values())


def paragraphs_of(row: Row) -> list[str]:
    found = [text for text in strings(row) if words(text) >= 25]
    return found or [""]


def strings(value: object) -> Iterator[str]:
    """All texts in a JSON value except questions and answers."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            if key not in ("qas", "questions", "qa_list"):
                yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def sentences(text: str) -> list[str]:
    found, at = [], 0
    for length in sentence_lengths(text, ParagraphKind.PROSE, "en") if text.strip() else ():
        found.append(" ".join(text[at : at + length].split()))
        at += length
    return [one for one in found if one]


def line(id_: str, name: str, statement: str, passages: Sequence[str], verdict: str) -> Row:
    return {"id": id_, "set": name, "question": statement, "passages": list(passages), "answers": [], "kind": verdict}


def fits(row: Row) -> bool:
    """Whether it has a premise, and fits one window."""
    n_words = words(row["question"]) + sum(map(words, row["passages"]))
    n_chars = len(row["question"]) + sum(map(len, row["passages"]))
    return bool(row["passages"]) and n_words <= MAX_WORDS and n_chars <= 6 * MAX_WORDS and words(row["question"]) <= 45


def words(text: str) -> int:
    return len(text.split())


def read(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    main()
