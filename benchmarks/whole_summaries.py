"""Writes summaries of whole documents, and compares two versions of the program by ROUGE.

    python benchmarks/whole_summaries.py abstracts --data qasper-dev.jsonl.gz --out now.jsonl
    PYTHONPATH=BEFORE/src python benchmarks/whole_summaries.py abstracts --data qasper-dev.jsonl.gz --out before.jsonl
    python benchmarks/whole_summaries.py abstracts --compare before.jsonl now.jsonl

``abstracts``: 50 papers without their abstracts, 150 words. ``squality``: stories against "what is the plot", 240
words, without the question. ``qmsum``: meetings against their general summaries, 110 words. A run that was stopped
goes on where it was. Intervals are 95 %, bootstrapped over documents.
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from abstracts import KINDS, held_back

from treatise.compose import open_encoder, open_parser
from treatise.core.document import Document
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.evaluate.metrics.texts import rouge
from treatise.pipeline.engines import Engines
from treatise.pipeline.index import index_document
from treatise.pipeline.system import System
from treatise.recipes import SUMMARY
from treatise.settings import Settings

WORDS = {"abstracts": 150, "squality": 240, "qmsum": 110}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=WORDS)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--compare", type=Path, nargs=2, metavar="FILE")
    options = parser.parse_args()
    if options.compare:
        compare(*(read(path) for path in options.compare))
    elif options.data and options.out:
        write(options.task, options.data, options.out)
    else:
        parser.error("either --data and --out, or --compare, is needed")


def write(task: str, data: Path, out: Path) -> None:
    """Appends one line per document that the file lacks."""
    settings = Settings(threads=1)
    encoder, parse = open_encoder(None, settings), open_parser(settings)
    n_done = len(read(out)) if out.exists() else 0
    with out.open("a", encoding="utf-8") as lines:
        for number, (document, references) in enumerate(documents(task, data)):
            if number >= n_done:
                indexed = index_document(document, SUMMARY.indexing, encoder=encoder, parser=parse)
                text = System(SUMMARY, Engines(encoder)).summarize(indexed, max_words=WORDS[task]).text
                print(json.dumps({"references": references, "text": text}), file=lines, flush=True)


def read(path: Path) -> list[dict[str, list[str]]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def documents(task: str, data: Path) -> Iterator[tuple[Document, list[str]]]:
    """The documents with their reference summaries."""
    if task == "abstracts":
        yield from ((paper, [abstract]) for paper, abstract in held_back(data, 50))
        return
    general = general_summaries(data) if task == "qmsum" else {}
    for labelled in dataset_named(task).load(data):
        if task == "qmsum":
            yield labelled.document, general[labelled.document.title]
        else:
            plot = next(question for question in labelled.questions if "plot" in question.text.lower())
            yield labelled.document, [reference.answer for reference in plot.references]


def general_summaries(data: Path) -> dict[str, list[str]]:
    """The summaries of whole meetings, which are no questions of the data set."""
    with gzip.open(data, "rt", encoding="utf-8") as lines:
        meetings = [json.loads(line) for line in lines]
    return {one["meeting_id"]: [query["answer"] for query in one["general_query_list"]] for one in meetings}


def compare(before: list[dict[str, list[str]]], now: list[dict[str, list[str]]]) -> None:
    print(f"| n = {len(now)} | before | now | difference |\n|---|--:|--:|--:|")
    for kind in KINDS:
        scores = np.array(
            [
                [100 * rouge(run["text"], run["references"], kind) for run in pair]
                for pair in zip(before, now, strict=True)
            ]
        )
        apart = scores[:, 1] - scores[:, 0]
        low, high = bootstrap_interval(apart, np.arange(len(apart)))
        means = " | ".join(f"{mean:.1f}" for mean in scores.mean(axis=0))
        print(f"| {kind} | {means} | {apart.mean():+.2f} [{low:.2f}, {high:.2f}] |")


if __name__ == "__main__":
    main()
