"""Scores summaries of whole papers against their held-out abstracts: ours, lead, random and LexRank.

    python benchmarks/abstracts.py --qasper qasper-dev.jsonl.gz [--papers 50] [--words 150]

ROUGE-1, -2 and L in percent; the difference of each baseline to ours in ROUGE-2 with a 95 % interval over papers.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from treatise.compose import open_encoder, open_parser
from treatise.core.document import Document, Paragraph, Section
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.evaluate.metrics.texts import rouge
from treatise.evaluate.run.summary_baselines import BASELINES
from treatise.pipeline.engines import Engines
from treatise.pipeline.index import index_document
from treatise.pipeline.system import System
from treatise.recipes import SUMMARY
from treatise.settings import Settings

KINDS = ("rouge1", "rouge2", "rougeL")
MIN_WORDS = 80


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--qasper", type=Path, required=True)
    parser.add_argument("--papers", type=int, default=50)
    parser.add_argument("--words", type=int, default=150)
    options = parser.parse_args()
    settings = Settings(threads=1)
    encoder, parse = open_encoder(None, settings), open_parser(settings)
    baselines = {name: BASELINES[name] for name in ("lead", "random", "lexrank")}
    scores: dict[str, list[list[float]]] = {}
    for document, abstract in held_back(options.qasper, options.papers):
        indexed = index_document(document, SUMMARY.indexing, encoder=encoder, parser=parse)
        ours = System(SUMMARY, Engines(encoder)).summarize(indexed, max_words=options.words).text
        texts = {"treatise": ours} | {name: make(indexed, "", options.words) for name, make in baselines.items()}
        for name, text in texts.items():
            scores.setdefault(name, []).append([100 * rouge(text, [abstract], kind) for kind in KINDS])
        print(f"\r{len(scores['treatise'])} papers", end="", file=sys.stderr)
    print(file=sys.stderr)
    show(scores)


def held_back(path: Path, n_papers: int) -> Iterator[tuple[Document, str]]:
    """Evenly spaced papers without their abstract (the first paragraph after the title), and the abstract."""
    papers = [labelled.document for labelled in dataset_named("qasper").load(path)]
    papers = [paper for paper in papers if len(abstract_of(paper).split()) >= MIN_WORDS]
    for paper in papers[:: max(1, len(papers) // n_papers)][:n_papers]:
        yield without_abstract(paper), abstract_of(paper)


def abstract_of(paper: Document) -> str:
    second = paper.paragraphs[1]
    return paper.quote(second.start, second.end)


def without_abstract(paper: Document) -> Document:
    """The paper without the abstract; later offsets are shifted by its length."""
    start, end = paper.paragraphs[1].start, paper.paragraphs[1].end
    by = end - start
    kept = (paper.paragraphs[0], *(shifted(paragraph, by) for paragraph in paper.paragraphs[2:]))
    sections = tuple(Section(s.title, s.level, s.start - by if s.start >= end else s.start) for s in paper.sections)
    return replace(paper, text=paper.text[:start] + paper.text[end:], paragraphs=kept, sections=sections)


def shifted(paragraph: Paragraph, by: int) -> Paragraph:
    sentences = tuple(replace(span, start=span.start - by, end=span.end - by) for span in paragraph.sentences)
    return replace(paragraph, start=paragraph.start - by, end=paragraph.end - by, sentences=sentences)


def show(scores: dict[str, list[list[float]]]) -> None:
    ours = np.array(scores["treatise"])
    clusters = np.arange(len(ours))
    print("| | ROUGE-1 / -2 / -L | ROUGE-2 less treatise |\n|---|---|---|")
    for name, rows in scores.items():
        values = np.array(rows)
        apart = values[:, 1] - ours[:, 1]
        low, high = bootstrap_interval(apart, clusters)
        means = " / ".join(f"{mean:.2f}" for mean in values.mean(axis=0))
        print(f"| {name} | {means} | {apart.mean():+.2f} [{low:.2f}, {high:.2f}] |")


if __name__ == "__main__":
    main()
