"""Look-ups in tables: exact match of the direct answer and of the best quoted sentence.

    python benchmarks/lookups.py --data DATA/tables/wtq-dev.jsonl.gz [--questions 200]

Each question of the kind ``lookup`` (the answer is one cell, word for word) is put to a document that is its table,
read from CSV as any user's file. The questions are drawn evenly spaced from the file. *Exact* ignores case, articles
and punctuation. The baseline is the first sentence that would be quoted without a reader: a row that explains itself,
so *holds* (the answer is among its words) is also given. Intervals are 95 %, by bootstrap over tables. The reader was
trained on WikiTableQuestions' training tables, which are of other pages.
"""

import argparse
import csv
import gzip
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from treatise.compose import open_engines
from treatise.core.answer import Answer
from treatise.core.form import Form, FormKind
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.evaluate.metrics.tokens import normal_words
from treatise.ingest import read_bytes
from treatise.pipeline.system import System
from treatise.recipes import TREATISE

Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--show", type=int, default=0, help="print so many wrong answers")
    options = parser.parse_args()
    rows = chosen(options.data, options.questions)
    engines = open_engines([TREATISE], llm="")
    systems = {"reader": System(TREATISE, engines), "quoted": System(TREATISE, replace(engines, reader=None))}
    answers: dict[str, list[Answer]] = {name: [] for name in systems}
    for row in rows:
        document = read_bytes(as_csv(row["table"]), name="table.csv")
        (indexed,) = systems["reader"].index([document])
        for name, system in systems.items():
            answers[name].append(system.answer(row["question"], [indexed], form=Form(FormKind.STORY)))
    report(rows, answers)
    for row, answer in [pair for pair in zip(rows, answers["reader"], strict=True) if not exact(*pair)][: options.show]:
        print(f"{row['question']} | {row['answers']} | {answer.text[:80]} {answer.notes}")


def chosen(path: Path, n: int) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["kind"] == "lookup" and len(row["answers"]) == 1]
    return [rows[i * len(rows) // n] for i in range(n)] if n < len(rows) else rows


def as_csv(table: Sequence[Sequence[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(table)
    return out.getvalue().encode()


def report(rows: Sequence[Row], answers: dict[str, list[Answer]]) -> None:
    tables = np.unique([json.dumps(row["table"]) for row in rows], return_inverse=True)[1]
    right = [exact(*pair) for pair in zip(rows, answers["reader"], strict=True)]
    quoted = [exact(row, first(answer)) for row, answer in zip(rows, answers["quoted"], strict=True)]
    held = [holds(row, answer.text) for row, answer in zip(rows, answers["quoted"], strict=True)]
    refused = [not answer.found for answer in answers["reader"]]
    gain = np.array(right, float) - np.array(quoted, float)
    figures = {"exact, direct answer": right, "exact, best quoted sentence": quoted, "gain": gain}
    figures |= {"quoted text holds the answer": held, "refused": refused}
    print(f"{len(rows)} questions of {len(set(tables.tolist()))} tables")
    for name, values in figures.items():
        percent = 100 * np.asarray(values, dtype=np.float64)
        low, high = bootstrap_interval(percent, tables)
        print(f"{name}: {percent.mean():.1f} [{low:.1f}, {high:.1f}]")


def exact(row: Row, answer: Answer) -> bool:
    return answer.found and normal_words(answer.text) == normal_words(row["answers"][0])


def first(answer: Answer) -> Answer:
    """The answer with its first quotation alone."""
    return replace(answer, text=answer.statements[0].text) if answer.statements else answer


def holds(row: Row, text: str) -> bool:
    return f" {' '.join(normal_words(row['answers'][0]))} " in f" {' '.join(normal_words(text))} "


if __name__ == "__main__":
    main()
