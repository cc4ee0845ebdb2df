"""Builds the retrieval encoder's training files from data sets with evidence: train splits only.

    TREATISE_DATA=FOLDER python benchmarks/training_questions.py --out data/retrieval [--documents N]

Per document: the paragraphs with evidence, and those most similar to its questions by BM25, as negatives. The weight of
a sentence in an evidence paragraph is 1 if it contains an extractive answer, else its squared BM25 for the answer's
words, or for the question's if there is no answer. Every twentieth document goes to the dev file.
"""

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from inputs import data_file

from treatise.core.document import Span
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question
from treatise.evaluate.data.registry import dataset_named
from treatise.retrieve.lexical import Lexicon, bm25, build_lexicon

SETS = ("qasper", "fairytaleqa", "qmsum")
MAX_EVIDENCE = 6  # paragraphs per question: those most similar to its answer
MAX_NEGATIVES = 8
QUESTIONS_AN_ITEM = 6
EVERY_DEV = 20


@dataclass(frozen=True)
class Reading:
    """A document's sentences, numbered consecutively; ``ranges`` are those of each paragraph, ``(n_paragraphs, 2)``."""

    spans: list[Span]
    texts: list[str]
    ranges: np.ndarray
    lexicon: Lexicon


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--documents", type=int, help="at most so many of each set")
    options = parser.parse_args()
    lines: dict[str, list[str]] = {"train": [], "dev": []}
    for name in SETS:
        labelled = islice(dataset_named(name).load(data_file(name, "train")), options.documents)
        for number, document in enumerate(labelled):
            part = "dev" if number % EVERY_DEV == EVERY_DEV - 1 else "train"
            lines[part] += [json.dumps(item, ensure_ascii=False) + "\n" for item in items(name, document)]
    options.out.mkdir(parents=True, exist_ok=True)
    for part, written in lines.items():
        content = gzip.compress("".join(written).encode(), mtime=0)  # deterministic: same data, same bytes
        (options.out / f"{part}.jsonl.gz").write_bytes(content)
    print(json.dumps({part: len(written) for part, written in lines.items()}))


def items(name: str, labelled: LabelledDocument) -> Iterator[dict[str, object]]:
    reading = read(labelled)
    asked = [(question, evidence(reading, question)) for question in labelled.questions]
    kept = [(question, gold) for question, gold in asked if gold]
    for first in range(0, len(kept), QUESTIONS_AN_ITEM):
        yield item(name, labelled, reading, kept[first : first + QUESTIONS_AN_ITEM])


def read(labelled: LabelledDocument) -> Reading:
    document = labelled.document
    groups = [group for group in document.readable_sentences() if group]
    edges = np.cumsum([0, *map(len, groups)])
    spans = [span for group in groups for span in group]
    texts = [document.quote(span.start, span.end) for span in spans]
    ranges = np.stack([edges[:-1], edges[1:]], axis=1).astype(np.int32)
    return Reading(spans, texts, ranges, build_lexicon(texts))


def evidence(reading: Reading, question: Question) -> list[int]:
    """The paragraphs that any annotator's evidence overlaps."""
    marked = [span for reference in question.references for span in reference.spans]
    return [
        paragraph
        for paragraph, (start, end) in enumerate(reading.ranges.tolist())
        if any(s.start < reading.spans[end - 1].end and reading.spans[start].start < s.end for s in marked)
    ]


def item(
    name: str, labelled: LabelledDocument, reading: Reading, asked: Sequence[tuple[Question, list[int]]]
) -> dict[str, object]:
    every = {paragraph for _, gold in asked for paragraph in gold}
    asked = [(question, nearest(reading, question, gold)) for question, gold in asked]
    positive = {paragraph for _, gold in asked for paragraph in gold}
    likeness = sum(bm25(reading.lexicon, question.text, reading.ranges) for question, _ in asked)
    negative = [p for p in np.argsort(-likeness, kind="stable").tolist() if p not in every][:MAX_NEGATIVES]
    chosen = sorted(positive | set(negative))
    place = {paragraph: number for number, paragraph in enumerate(chosen)}
    questions = [
        {"text": question.text, "evidence": {str(place[p]): weights(reading, question, p) for p in gold}}
        for question, gold in asked
    ]
    paragraphs = [reading.texts[slice(*reading.ranges[p].tolist())] for p in chosen]
    return {"id": labelled.document.id, "set": name, "paragraphs": paragraphs, "questions": questions}


def nearest(reading: Reading, question: Question, gold: list[int]) -> list[int]:
    """The evidence paragraphs most similar to the answers."""
    likeness = bm25(reading.lexicon, answer_words(question), reading.ranges[gold])
    return sorted(gold[at] for at in np.argsort(-likeness, kind="stable")[:MAX_EVIDENCE])


def answer_words(question: Question) -> str:
    """The annotators' answers; the question if there are none."""
    return " ".join(r.answer for r in question.references if r.kind is not AnswerKind.UNANSWERABLE) or question.text


def weights(reading: Reading, question: Question, paragraph: int) -> list[float]:
    """Weight of each sentence of an evidence paragraph; never 0, since any may contain the answer."""
    start, end = reading.ranges[paragraph].tolist()
    quoted = [r.answer.lower() for r in question.references if r.kind is AnswerKind.EXTRACTIVE]
    holds = np.array([any(q and q in text.lower() for q in quoted) for text in reading.texts[start:end]], dtype=float)
    single = np.stack([np.arange(start, end), np.arange(start + 1, end + 1)], axis=1).astype(np.int32)
    likeness = bm25(reading.lexicon, answer_words(question), single) ** 2
    found = 0.02 + holds + (0.1 if holds.any() else 1.0) * likeness / max(float(likeness.max()), 1e-9)
    return [round(float(value), 4) for value in found]


if __name__ == "__main__":
    main()
