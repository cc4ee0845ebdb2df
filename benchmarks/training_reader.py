"""Builds the span reader's training files from questions with passages and tables.

    python benchmarks/training_reader.py --data DATA --retrieved DATA/retrieved --out DATA/span-reader

DATA contains ``reader/`` and ``tables/`` as described in their READMEs; ``retrieved`` contains the output of
``benchmarks/training_reader_passages.py``. Each output line is ``{"id", "set", "question", "passages",
"answers": [[passage, start, end], ...], "kind"}``; see ``treatise/train/span_reader_data.py``.
"""

import argparse
import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from treatise.core.document import ParagraphKind
from treatise.evaluate.metrics.tokens import normal_words
from treatise.ingest.sentences import sentence_lengths

Row = dict[str, Any]

WINDOW_WORDS = (60, 90, 90, 160)  # word limit of passages: most fit one row, to train on as many questions as possible
TABLE_WORDS = (40, 70, 120)
LIMITS = {
    "squad2": 8000, "xquad": 700, "nq": 2300, "boolq": 2400, "pubmedqa": 400, "qamr": 5000, "selqa": 900,
    "tatqa_text": 400, "cuad": 1000, "wtq": 3000, "tatqa": 500, "hybridqa": 700, "qasper": 3000, "fairytaleqa": 2400,
}  # fmt: skip
DEV_LIMIT = 70
HELD_LIMIT = 200  # also from the dev files, after those of dev: for testing only, not for training or calibration
NEGATIVES = {"squad2": 0.1, "xquad": 0.3, "nq": 0.4, "qamr": 0.12, "tatqa_text": 0.5, "tatqa": 0.8, "wtq": 0.25,
             "hybridqa": 0.3, "selqa": 0.15, "boolq": 0.1, "fairytaleqa": 0.1, "qasper": 0.1}  # fmt: skip
YEAR = re.compile(r"\b(1[89]\d\d|20[0-4]\d)\b")
NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w'’.-]+(?: (?:of |the |de )?[A-Z][\w'’.-]+)*")


@dataclass(frozen=True)
class Example:
    """A line of the output."""

    id: str
    set: str
    question: str
    passages: tuple[str, ...]
    answers: tuple[tuple[int, int, int], ...]
    kind: str

    def line(self) -> str:
        content = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return json.dumps(content, ensure_ascii=False) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--retrieved", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for part in ("train", "dev", "held"):
        made = list(all_examples(options.data, options.retrieved, part))
        content = gzip.compress("".join(example.line() for example in made).encode(), mtime=0)
        (options.out / f"{part}.jsonl.gz").write_bytes(content)
        counts = Counter((example.set, example.kind) for example in made)
        print(part, len(made), json.dumps({" ".join(key): n for key, n in sorted(counts.items())}))


def all_examples(data: Path, retrieved: Path, part: str) -> Iterator[Example]:
    """For every set: examples up to its limit, and its share of negatives."""
    for name, limit in LIMITS.items():
        file = "train" if part == "train" else "dev"
        chance = random.Random(f"{name} {file}")
        found = [example for example in of_set(name, data, retrieved, file, chance) if fits(example)]
        chance.shuffle(found)
        first, last = {"train": (0, limit), "dev": (0, DEV_LIMIT), "held": (DEV_LIMIT, DEV_LIMIT + HELD_LIMIT)}[part]
        kept = found[first:last]
        yield from kept
        yield from islice_negatives(kept, int(NEGATIVES.get(name, 0.0) * len(kept)), chance)


def of_set(name: str, data: Path, retrieved: Path, part: str, chance: random.Random) -> Iterator[Example]:
    if name in ("qasper", "fairytaleqa"):
        rows = list(read(retrieved / f"{name}-train.jsonl"))
        documents = list(dict.fromkeys(row["document"] for row in rows))
        held = set(documents[::20])
        rows = [row for row in rows if (row["document"] in held) == (part == "dev")]
        yield from from_retrieved(name, rows, chance)
    elif (path := data / "tables" / f"{name}-{part}.jsonl.gz").is_file():
        yield from filter(None, (from_table(name, row, chance) for row in read(path)))
    else:
        rows = [row for row in read(data / "reader" / f"{name}-{part}.jsonl.gz") if row.get("lang", "en") == "en"]
        yield from from_contexts(name, rows, chance)


def read(path: Path) -> Iterator[Row]:
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def fits(example: Example) -> bool:
    """Whether the example is complete, has a realistic question, and all answers are within their passages."""
    inside = all(0 <= start < end <= len(example.passages[p]) for p, start, end in example.answers)
    return bool(example.passages) and inside and len(example.question.split()) <= 60


# --- contexts --------------------------------------------------------------------------------------------------------


def from_contexts(name: str, rows: Sequence[Row], chance: random.Random) -> Iterator[Example]:
    """Rows of ``reader/``: the context as passages, with others of the same title if they fit."""
    by_title: dict[str, list[str]] = {}
    for row in rows:
        contexts = by_title.setdefault(row["title"], [])
        if row["context"] not in contexts:
            contexts.append(row["context"])
    for row in rows:
        spans = [(a["start"], a["start"] + len(a["text"])) for a in row["answers"]]
        kind = {"multi": "list"}.get(row["kind"], row["kind"])
        if kind in ("yes", "no"):
            spans = [tuple(span) for span in row["evidence"]]
        if name == "cuad" and sum(end - start for start, end in spans) > 1200:
            continue
        pieces = in_pieces(row["context"], spans, chance)
        others = [c for c in by_title[row["title"]] if c != row["context"]] if row["title"] else []
        yield arranged(name, row, pieces, spans, kind, others, chance)


def in_pieces(text: str, keep: Sequence[tuple[int, int]], chance: random.Random) -> list[tuple[int, int]]:
    """Sentences, or runs of up to three, as ranges of the text; no range of ``keep`` is cut in two."""
    longest = chance.choice((1, 1, 2, 3))
    pieces: list[tuple[int, int]] = []
    n_in_last = 0
    for start, end in sentences(text):
        is_cut = any(a < start < b for a, b in keep)
        if pieces and (is_cut or (n_in_last < longest and text[start:end].count(" ") < 40)):
            pieces[-1] = (pieces[-1][0], end)
            n_in_last += 1
        else:
            pieces.append((start, end))
            n_in_last = 1
    return pieces


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """The ranges, stripped of white space."""
    for paragraph in re.finditer(r"[^\n]+", text):
        if not paragraph[0].strip():
            continue
        at = paragraph.start()
        for length in sentence_lengths(paragraph[0], ParagraphKind.PROSE, "en"):
            piece = text[at : at + length]
            if piece.strip():
                start = at + len(piece) - len(piece.lstrip())
                yield start, start + len(piece.strip())
            at += length


def arranged(  # noqa: PLR0913  (a row, what was made of it, and where to draw from)
    name: str,
    row: Row,
    pieces: Sequence[tuple[int, int]],
    spans: Sequence[tuple[int, int]],
    kind: str,
    others: Sequence[str],
    chance: random.Random,
) -> Example:
    """Passages in text order or shuffled, including those with answers, up to one and a half windows of words."""
    text = row["context"]
    gold = [p for p in pieces if any(p[0] <= start and end <= p[1] for start, end in spans)]
    rest = [p for p in pieces if p not in gold]
    if not gold and kind == "none":
        rest = rest[chance.randrange(max(1, len(rest) // 2)) :]
    if name == "pubmedqa":  # the conclusion rests on the results, which come last
        rest = rest[::-1]
    elif name != "boolq" and name != "nq":
        near = sorted(rest, key=lambda p: min((abs(p[0] - g[0]) for g in gold), default=p[0]))
        rest = near
    room = float(chance.choice(WINDOW_WORDS))
    chosen = gold + taken(rest, room - sum(words(text[a:b]) for a, b in gold), lambda p: text[p[0] : p[1]])
    chosen.sort()
    passages = [text[a:b] for a, b in chosen]
    room -= sum(map(words, passages))
    if others and room > 30 and chance.random() < 0.6:
        variants = [text[a:b].lower() for a, b in spans]
        other = chance.choice(others)
        free = [other[a:b] for a, b in sentences(other) if not any(v in other[a:b].lower() for v in variants)]
        passages += taken(free, room, str)
    numbers = list(range(len(passages)))
    if chance.random() < 0.6:
        chance.shuffle(numbers)
    answers = []
    for start, end in spans:
        at = next((i for i, p in enumerate(chosen) if p[0] <= start and end <= p[1]), None)
        if at is not None:
            answers.append((numbers.index(at), start - chosen[at][0], end - chosen[at][0]))
    if spans and not answers:
        kind = "none"
    return Example(row["id"], name, row["question"], tuple(passages[i] for i in numbers), tuple(answers), kind)


def taken(pieces: Sequence[Any], room: float, text_of: Callable[[Any], str]) -> list[Any]:
    """The first pieces that fit."""
    kept = []
    for piece in pieces:
        room -= words(text_of(piece))
        if room < 0:
            break
        kept.append(piece)
    return kept


def words(text: str) -> int:
    return len(text.split())


# --- tables ----------------------------------------------------------------------------------------------------------


def from_table(name: str, row: Row, chance: random.Random) -> Example | None:
    """A table look-up with known cells; rows are in one of the formats found in documents."""
    if row["kind"] != "lookup" or not row["cells"] or len(row["answers"]) > 6:
        return None
    style = chance.choice(
        ("cells", "cells", "rows", "pipes") if name == "tatqa" else ("rows", "rows", "pipes", "cells")
    )
    lines = rendered(row, style)
    cells = {tuple(cell) for cell in row["cells"]}
    gold = [i for i, line in enumerate(lines) if any(cell in cells for cell in line.cells)]
    if not gold:
        return None
    if row.get("cells_ambiguous"):
        gold = gold[:3]
    heads = [i for i, line in enumerate(lines) if line.is_head]
    rest = [i for i in range(len(lines)) if i not in gold and i not in heads]
    if chance.random() < 0.5:
        chance.shuffle(rest)
    else:
        rest.sort(key=lambda i: abs(i - gold[0]))
    chosen = list(dict.fromkeys(heads + gold))
    chosen += taken(
        rest, chance.choice(TABLE_WORDS) - sum(words(lines[i].text) for i in chosen), lambda i: lines[i].text
    )
    chosen.sort()
    if chance.random() < 0.4:
        chance.shuffle(chosen)
    answers = tuple(
        (place, *span)
        for place, i in enumerate(chosen)
        for cell, span in lines[i].cells.items()
        if cell in cells and span[1] > span[0]
    )
    several = len(set(row["answers"])) > 1
    return Example(
        row["id"], name, row["question"], tuple(lines[i].text for i in chosen), answers, "list" if several else "span"
    )


@dataclass
class Line:
    """A passage built from a table: its text, and the positions of cells in it."""

    text: str
    cells: dict[tuple[int, int], tuple[int, int]]
    is_head: bool = False


def rendered(row: Row, style: str) -> list[Line]:
    table, n_head = row["table"], n_heading_rows(row)
    columns = headings(table, n_head)
    title = row.get("title", "").replace(":", ",")
    lines: list[Line] = []
    if style == "pipes":
        lines += [
            joined([(None, c, (i, j)) for j, c in enumerate(cells)], " | ", is_head=True)
            for i, cells in enumerate(table[:n_head])
        ]
    section = ""
    for i, cells in enumerate(table[n_head:], start=n_head):
        filled = [j for j, cell in enumerate(cells) if cell.strip()]
        if not filled:
            continue
        if filled == [0] and style != "pipes" and len(cells) > 1:
            section = cells[0].strip().rstrip(":")
            lines.append(joined([(None, cells[0], (i, 0))], ""))
            continue
        if style == "pipes":
            lines.append(joined([(None, c, (i, j)) for j, c in enumerate(cells)], " | "))
        elif style == "rows":
            lines.append(joined([(columns[j], cells[j], (i, j)) for j in filled], "; "))
        else:
            label = [part for part in (title, section) if part]
            lines += [
                one_cell(label, cells[0], columns[j], cells[j], (i, j)) for j in filled if j > 0 or len(filled) == 1
            ]
    return lines


def joined(parts: Sequence[tuple[str | None, str, tuple[int, int]]], separator: str, *, is_head: bool = False) -> Line:
    """``heading: cell`` after ``heading: cell``."""
    text, cells = "", {}
    for number, (heading, cell, place) in enumerate(parts):
        text += (separator if number else "") + (f"{heading}: " if heading else "")
        cells[place] = (len(text), len(text) + len(cell.strip()))
        text += cell.strip()
    return Line(text, cells, is_head)


def one_cell(label: Sequence[str], name: str, heading: str, cell: str, place: tuple[int, int]) -> Line:
    """``section, row, column: value``; a row's name is an answer there too."""
    before = ", ".join(label)
    before += ", " if before else ""
    start = len(before)
    before += name.strip()
    cells = {(place[0], 0): (start, len(before))} if place[1] else {}
    before += (", " if name.strip() and heading else "") + heading + ": "
    return Line(before + cell.strip(), cells | {place: (len(before), len(before) + len(cell.strip()))})


def n_heading_rows(row: Row) -> int:
    """Number of header rows: those named by the set, and unlabelled ones below."""
    n = max(1, row["n_header_rows"])
    while n < len(row["table"]) - 1 and not row["table"][n][0].strip() and not row["table"][n - 1][0].strip():
        n += 1
    return n


def headings(table: Sequence[Sequence[str]], n_head: int) -> list[str]:
    """For each column: the header cells above it, and cells alone in their row, which apply to all columns."""
    found = [""] * max(map(len, table))
    for cells in table[:n_head]:
        filled = [j for j, cell in enumerate(cells) if cell.strip()]
        for j in range(len(found)):
            own = (
                cells[filled[0]]
                if len(filled) == 1 and len(found) > 1 and n_head > 1 and j
                else cells[j]
                if j < len(cells)
                else ""
            )
            found[j] = f"{found[j]} {own.strip()}".strip()
    return found


# --- retrieved passages ----------------------------------------------------------------------------------------------


def from_retrieved(name: str, rows: Sequence[Row], chance: random.Random) -> Iterator[Example]:
    """Questions with the passages that the product retrieved for them; answers are found again in these."""
    for row in rows:
        places = [tuple(place) for place in row["places"]]
        marked = [tuple(span) for r in row["references"] for span in r["spans"]]
        near = [i for i, (a, b) in enumerate(places) if any(a < end and start < b for start, end in marked)]
        found = best_reference(row, near)
        if found:
            kind, answers = found
            example = Example(row["id"], name, row["question"], tuple(row["passages"]), tuple(answers), kind)
            yield shortened(example, near, chance) if chance.random() < 0.7 else example


def shortened(example: Example, near: Sequence[int], chance: random.Random) -> Example:
    """The example with some of the passages, including those with answers or evidence."""
    needed = sorted({p for p, _, _ in example.answers}) or list(near[:3])
    rest = [p for p in range(len(example.passages)) if p not in needed]
    chance.shuffle(rest)
    chosen = needed + taken(rest, chance.choice(WINDOW_WORDS), lambda p: example.passages[p])
    chosen.sort()
    answers = tuple((chosen.index(p), start, end) for p, start, end in example.answers)
    return replace(example, passages=tuple(example.passages[p] for p in chosen), answers=answers)


def best_reference(row: Row, near: Sequence[int]) -> tuple[str, list[tuple[int, int, int]]] | None:
    """The first reference supported by the passages; ``none`` if no evidence was retrieved."""
    references = row["references"]
    if all(r["kind"] == "unanswerable" for r in references):
        return "none", []
    for reference in references:
        if reference["kind"] == "boolean" and near:
            return reference["answer"].lower(), []
        found = [find(part, row["passages"], near) for part in reference.get("parts") or [reference["answer"]]]
        kept = [place for place in found if place]
        if kept and reference["kind"] in ("extractive", "abstractive"):
            return ("list" if len(set(kept)) > 1 else "span"), list(dict.fromkeys(kept))
    for reference in references:
        if reference["kind"] in ("extractive", "abstractive") and near:
            found_near = nearest_piece(reference["answer"], row["passages"], near)
            if found_near:
                return found_near
    return None if near else ("none", [])


def find(answer: str, passages: Sequence[str], near: Sequence[int]) -> tuple[int, int, int] | None:
    """Positions of the answer verbatim, ignoring case; in the evidence if it occurs there."""
    wanted = re.compile(r"(?<!\w)" + re.escape(answer.strip().rstrip(".")) + r"(?!\w)", re.IGNORECASE)
    if not answer.strip(" ."):
        return None
    for i in [*near, *(range(len(passages)) if words(answer) > 2 else ())]:
        if match := wanted.search(passages[i]):
            return i, match.start(), match.end()
    return None


def nearest_piece(
    answer: str, passages: Sequence[str], near: Sequence[int]
) -> tuple[str, list[tuple[int, int, int]]] | None:
    """The run of words of the evidence that shares most with the answer; else the sentence that does, if it is near."""
    gold = Counter(normal_words(answer))
    best: tuple[float, int, int, int] = (0.0, 0, 0, 0)
    for i in near:
        tokens = [(m.start(), m.end()) for m in re.finditer(r"\S+", passages[i])]
        kept = [normal_words(passages[i][a:b]) for a, b in tokens]
        for first in range(len(tokens)):
            if not any(word in gold for word in kept[first]):
                continue
            run: Counter[str] = Counter()
            for last in range(first, min(first + 40, len(tokens))):
                run.update(kept[last])
                common = sum((run & gold).values())
                f1 = 2 * common / (run.total() + gold.total())
                if f1 > best[0] + 1e-9:
                    best = (f1, i, tokens[first][0], tokens[last][1])
    f1, i, start, end = best
    if f1 >= 0.6:
        return "span", [(i, start, len(passages[i][:end].rstrip(".,;:")))]
    if f1 >= 0.35 and gold.total() >= 6:
        return "sentence", [(i, 0, len(passages[i]))]
    return None


# --- questions without an answer -------------------------------------------------------------------------------------


def islice_negatives(found: Sequence[Example], n: int, chance: random.Random) -> Iterator[Example]:
    """Questions made unanswerable: by another year, another name, or other passages of the same set."""
    asked = [e for e in found if e.kind in ("span", "list", "sentence", "yes", "no")]
    names = sorted({m[0] for e in asked for m in NAME.finditer(e.question) if len(m[0]) > 3})
    n_made = 0
    for example in chance.sample(asked, len(asked)):
        if n_made == n:
            return
        made = changed(example, names, chance) if chance.random() < 0.7 else elsewhere(example, asked, chance)
        if made:
            n_made += 1
            yield made


def changed(example: Example, names: Sequence[str], chance: random.Random) -> Example | None:
    """The question with a year or a name that the passages do not have."""
    text = " ".join(example.passages)
    question = example.question
    if years := YEAR.findall(question):
        year = int(chance.choice(years))
        other = str(year + chance.choice((-40, -12, -7, -5, -4, -3, 3, 4, 5, 7, 11, 30)))
        new = question.replace(str(year), other)
    else:
        own = [m[0] for m in NAME.finditer(question) if m[0] in text]
        if not own or len(names) < 20:
            return None
        other = chance.choice(names)
        new = question.replace(chance.choice(own), other)
    if other.lower() in text.lower() or new == question:
        return None
    return replace(example, id=f"{example.id}-changed", question=new, answers=(), kind="none")


def elsewhere(example: Example, others: Sequence[Example], chance: random.Random) -> Example | None:
    """The question put to passages of another example that do not hold its answer."""
    other = chance.choice(others)
    gold = [example.passages[p][a:b].lower() for p, a, b in example.answers]
    text = " ".join(other.passages).lower()
    if other.passages == example.passages or not gold or any(answer in text for answer in gold):
        return None
    return replace(example, id=f"{example.id}-elsewhere", passages=other.passages, answers=(), kind="none")


if __name__ == "__main__":
    main()
