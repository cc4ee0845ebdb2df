"""Compares two readers of passages in the product, question by question.

    TREATISE_DATA=DATA/qa python benchmarks/readers.py --reader reader-en --reader FOLDER --set qasper --out FILE
        [--documents N] [--each N] [--seconds N]
    python benchmarks/readers.py --reader reader-en --reader FOLDER --set tables --tables DATA/tables/wtq-dev.jsonl.gz …

Each document is indexed once, and each question put to it with either reader. The sets are ``qasper`` (dev, official
Answer-F1), ``fairytaleqa`` (val, explicit questions, ROUGE-L), ``policyqa`` (dev, F1 of the nearest marked span),
``drcd`` (dev, Chinese, F1 of characters) and ``tables`` (look-ups, exact match; each table is also asked a question of
another one). FILE gets a line per question,
with the answers, retrieval's confidence and each reader's ``p_no_answer``; documents already in it are skipped, so a
stopped run resumes. The first reader is the baseline; intervals are 95 %, by bootstrap over documents.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from inputs import data_file
from lookups import as_csv, chosen

from treatise.compose import open_engines
from treatise.compose.readers import open_reader
from treatise.core.document import Document
from treatise.core.form import Form, FormKind
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import PassageReader
from treatise.core.span_answer import SpanAnswer
from treatise.evaluate.data.dataset import AnswerKind, Question, Reference
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.metrics.answers import answer_f1, exact_match
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.evaluate.metrics.texts import rouge, spaced
from treatise.ingest import read_bytes
from treatise.pipeline.system import System
from treatise.recipes import TREATISE

Row = dict[str, Any]
SPLITS = {"qasper": "dev", "fairytaleqa": "val", "policyqa": "dev", "drcd": "dev"}
NONE = "Unanswerable"
FORMS = {"qasper": FormKind.SHORT, "policyqa": FormKind.SPAN, "drcd": FormKind.SPAN, "fairytaleqa": FormKind.STORY,
         "tables": FormKind.STORY}  # fmt: skip


@dataclass
class Listening:
    """A reader that keeps what it read last."""

    reader: PassageReader
    last: SpanAnswer | None = None

    @property
    def name(self) -> str:
        return self.reader.name

    def read(self, question: str, passages: Sequence[str]) -> SpanAnswer:
        self.last = self.reader.read(question, passages)
        return self.last

    def read_each(self, question: str, groups: Sequence[Sequence[str]]) -> list[SpanAnswer]:
        return self.reader.read_each(question, groups)


def main() -> None:
    options = arguments()
    done = list(map(json.loads, options.out.open(encoding="utf-8"))) if options.out.exists() else []
    known, until = {row["document"] for row in done}, time.monotonic() + options.seconds
    engines = open_engines([TREATISE], llm="")
    readers = [Listening(open_reader(name)) for name in options.reader]  # type: ignore[arg-type]  # never "none"
    systems = [System(TREATISE, replace(engines, reader=reader, multilingual_reader=reader)) for reader in readers]
    with options.out.open("a", encoding="utf-8") as out:
        for document, questions in asked(options):
            if document.id in known:
                continue
            if time.monotonic() > until:
                print("stopped: run the same command again for the rest")
                break
            (indexed,) = systems[0].index([document])
            for question in questions:
                row: Row = {"document": document.id, "question": question.text, "answerable": is_answerable(question)}
                row["readers"] = [
                    answered(*pair, question, indexed, options.set) for pair in zip(systems, readers, strict=True)
                ]
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                done.append(row)
            out.flush()
    report(done, options.reader, is_qasper=options.set == "qasper")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", action="append", required=True, help="a name or a folder; twice")
    parser.add_argument("--set", choices=tuple(FORMS), required=True)
    parser.add_argument("--tables", type=Path, help="the file of look-ups")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=100_000, help="the first N; of tables, questions")
    parser.add_argument("--each", type=int, default=100_000, help="questions of a document, evenly spaced")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no document after so many")
    return parser.parse_args()


def asked(options: argparse.Namespace) -> Iterator[tuple[Document, list[Question]]]:
    if options.set == "tables":
        by_table: dict[bytes, list[Question]] = {}
        for row in chosen(options.tables, options.documents):
            reference = Reference(row["answers"][0], AnswerKind.EXTRACTIVE)
            by_table.setdefault(as_csv(row["table"]), []).append(Question(row["id"], row["question"], (reference,)))
        before = list(by_table.values())[-1:] + list(by_table.values())
        for (table, questions), others in zip(by_table.items(), before, strict=False):
            foreign = replace(others[0], references=(Reference(NONE, AnswerKind.UNANSWERABLE),))
            yield read_bytes(table, name="table.csv"), [*questions, foreign]
        return
    for one in islice(dataset_named(options.set).load(data_file(options.set, SPLITS[options.set])), options.documents):
        questions = [question for question in one.questions if options.set != "fairytaleqa" or is_explicit(question)]
        n = min(len(questions), options.each)
        yield one.document, [questions[i * len(questions) // n] for i in range(n)]


def is_explicit(question: Question) -> bool:
    return question.references[0].kind is AnswerKind.EXTRACTIVE


def is_answerable(question: Question) -> bool:
    return any(reference.kind is not AnswerKind.UNANSWERABLE for reference in question.references)


def answered(system: System, reader: Listening, question: Question, indexed: IndexedDocument, name: str) -> Row:
    """The answer, its score, and what decided on a refusal."""
    reader.last = None
    answer = system.answer(question.text, [indexed], form=Form(FORMS[name]))
    row: Row = {"text": answer.text, "found": answer.found, "score": score(name, question, answer.text, answer.found)}
    row["confidence"] = answer.evidence.confidence if answer.evidence else None
    return row | {"p_no_answer": reader.last.p_no_answer if reader.last else None}


def score(name: str, question: Question, text: str, found: bool) -> float:
    if name == "qasper":
        return answer_f1(question, text)[0]
    if not found:
        return 0.0
    if name == "tables":
        return exact_match(question, text)
    if name == "policyqa":
        marked = dict.fromkeys(text for reference in question.references for text in reference.evidence)
        references = tuple(Reference(text, AnswerKind.EXTRACTIVE) for text in marked)
        return answer_f1(replace(question, references=references), text)[0]
    if name == "drcd":
        references = tuple(replace(reference, answer=spaced(reference.answer)) for reference in question.references)
        return answer_f1(replace(question, references=references), spaced(text))[0]
    return rouge(text, [reference.answer for reference in question.references], "rougeL")


def report(rows: Sequence[Row], names: Sequence[str], *, is_qasper: bool) -> None:
    documents = np.unique([row["document"] for row in rows], return_inverse=True)[1]
    scores = np.array([[one["score"] for one in row["readers"]] for row in rows]) * 100
    refused = np.array([[not one["found"] for one in row["readers"]] for row in rows]) * 100.0
    answerable = np.array([row["answerable"] for row in rows])
    scored = np.ones_like(answerable) if is_qasper else answerable
    print(f"{len(rows)} questions of {documents.max() + 1} documents; scores over the answerable, QASPER's over all")
    for number, name in enumerate(names):
        print(f"{name}: {with_interval(scores[scored, number], documents[scored])}", end="; ")
        gain = scores[scored, number] - scores[scored, 0]
        print(f"less the first {with_interval(gain, documents[scored])}", end="; ")
        print(f"refused, answerable {refused[answerable, number].mean():.1f} (n = {answerable.sum()})", end="")
        print(f", others {refused[~answerable, number].mean():.1f}" if not answerable.all() else "")


def with_interval(values: np.ndarray, documents: np.ndarray) -> str:
    low, high = bootstrap_interval(values, documents)
    return f"{values.mean():.1f} [{low:.1f}, {high:.1f}]"


if __name__ == "__main__":
    main()
