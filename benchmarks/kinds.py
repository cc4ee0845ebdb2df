"""Right answers by kind of question with the shipped trees of paragraphs, without trees, and with random trees.

    python benchmarks/questions/fetch.py
    python benchmarks/kinds.py [--seeds 5] [--store FILE] [--limit N]

The English questions of ``dev`` (trees are parsed for English alone), scored as by ``benchmarks/answers.py``: all
patterns in the first 60 words, and in 25. The three differ only in the parser of paragraphs, which decides which
neighbouring sentence is quoted with the answering one. A random tree has random splits, and labels drawn from those of
the shipped trees of these documents. Differences are to the answers without trees, paired by question, with 95 %
intervals over documents; *+a −b* are the answers that became right and wrong.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
from answers import Asked, Outcome, Question, ask, load_questions, score, share

from treatise import open_library
from treatise.core.document import Document
from treatise.core.ports import Parser, PassageReader, Progress
from treatise.core.span_answer import SpanAnswer
from treatise.core.tree import DiscourseTree, build_tree
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.pipeline.library import Library
from treatise.tree import random_splits

Label = tuple[object, str]
Answers = list[Asked]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5, help="random trees per paragraph")
    parser.add_argument("--store", type=Path, help="keeps the index for the next run")
    parser.add_argument("--limit", type=int, help="the first N questions of each document")
    options = parser.parse_args()
    questions = [one for one in load_questions("dev", limit=options.limit) if is_measured(one)]
    with tempfile.TemporaryDirectory() as folder:
        library = open_library(store=options.store or Path(folder) / "store.db")
        runs = measured(library, questions, options.seeds)
        library.close()
    print("\n".join(table(questions, *runs)))


def is_measured(question: Question) -> bool:
    return question.language == "en" and question.is_answerable


def measured(library: Library, questions: Sequence[Question], n_seeds: int) -> tuple[Answers, Answers, list[Answers]]:
    """The answers with the shipped trees, without trees, and with random ones."""
    engines = library.system.engines
    if engines.paragraph_parser is None or engines.reader is None:
        sys.exit("there is no parser of paragraphs or no reader: the settings must not turn them off")
    shipped = Collecting(engines.paragraph_parser)
    reader = Remembering(engines.reader)

    def run(name: str, parser: Parser | None) -> Answers:
        print(name, file=sys.stderr)
        changed = replace(library.system.engines, paragraph_parser=parser, reader=reader)
        one = replace(library, system=replace(library.system, engines=changed))
        replies = [(question, ask(one, question)) for question in questions]
        return [Asked(q, score(q, r.shown, is_found=r.is_found), r.shown, r.direct) for q, r in replies]

    with_trees = run("trees", shipped)
    return with_trees, run("none", None), [run(f"random {n}", RandomParser(shipped, n)) for n in range(n_seeds)]


class Collecting:
    """A ``Parser`` that remembers trees and collects the labels of their joins."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._trees: dict[tuple[str, ...], DiscourseTree] = {}
        self.name = parser.name

    @property
    def labels(self) -> list[Label]:
        """Nuclearity and relation of every join so far."""
        return [(join.nuclearity, join.relation) for tree in self._trees.values() for *_, join in tree.joins()]

    def parse(self, document: Document, progress: Progress | None = None) -> DiscourseTree:
        return self._parser.parse(document, progress)

    def parse_runs(self, runs: Sequence[Sequence[str]], language: str) -> list[DiscourseTree]:
        for run in runs:
            if tuple(run) not in self._trees:
                (self._trees[tuple(run)],) = self._parser.parse_runs([run], language)
        return [self._trees[tuple(run)] for run in runs]


class RandomParser:
    """A ``Parser`` with random splits, and labels drawn from those that another one gave."""

    def __init__(self, shipped: Collecting, seed: int) -> None:
        self._shipped, self._seed, self._labels = shipped, seed, shipped.labels
        self.name = f"random-{seed}"

    def parse(self, document: Document, progress: Progress | None = None) -> DiscourseTree:
        return self._shipped.parse(document, progress)

    def parse_runs(self, runs: Sequence[Sequence[str]], language: str) -> list[DiscourseTree]:  # noqa: ARG002
        return [self._tree(run) for run in runs]

    def _tree(self, run: Sequence[str]) -> DiscourseTree:
        draw = Random(f"{self._seed} {' '.join(run)}")
        splits = random_splits([len(run)], seed=draw.randrange(1 << 30))
        return build_tree(len(run), ((a, b, c, *draw.choice(self._labels)) for a, b, c, _ in splits.joins()))


class Remembering:
    """A ``PassageReader`` that reads each question and its passages once."""

    def __init__(self, reader: PassageReader) -> None:
        self._reader = reader
        self._known: dict[tuple[str, ...], SpanAnswer] = {}
        self.name = reader.name

    def read(self, question: str, passages: Sequence[str]) -> SpanAnswer:
        key = (question, *passages)
        if key not in self._known:
            self._known[key] = self._reader.read(question, passages)
        return self._known[key]

    def read_each(self, question: str, groups: Sequence[Sequence[str]]) -> list[SpanAnswer]:
        return [self.read(question, passages) for passages in groups]


def is_right(answer: Asked) -> bool:
    return answer.outcome is Outcome.RIGHT


def is_early(answer: Asked) -> bool:
    return answer.is_direct


def table(questions: Sequence[Question], trees: Answers, none: Answers, random: list[Answers]) -> Iterator[str]:
    """One row per kind: shares with the interval of the first, and the difference of right answers to no trees."""
    yield "| kind | n | right, trees | none | random | trees less none | in 25 words: trees, none, random |"
    yield "|---|--:|---|--:|--:|---|---|"
    kinds = sorted({question.kind for question in questions})
    for kind in ["all", *kinds]:
        kept = [i for i, question in enumerate(questions) if kind in ("all", question.kind)]
        yield row(kind, *([of[i] for i in kept] for of in (trees, none)), [[of[i] for i in kept] for of in random])


def row(kind: str, trees: Answers, none: Answers, random: list[Answers]) -> str:
    gains = np.array([100.0 * (is_right(a) - is_right(b)) for a, b in zip(trees, none, strict=True)])
    _, clusters = np.unique([a.question.document for a in trees], return_inverse=True)
    interval = ""
    if clusters.max(initial=0):
        low, high = bootstrap_interval(gains, clusters)
        interval = f" [{low:.0f}, {high:.0f}]"
    changes = f"+{(gains > 0).sum()} −{(gains < 0).sum()}"
    cells = [
        kind,
        str(len(trees)),
        str(share(trees, is_right)),
        f"{percent(none, is_right):.0f}",
        f"{np.mean([percent(one, is_right) for one in random]):.1f}" if random else "–",
        f"{gains.mean():+.1f}{interval} ({changes})",
        f"{percent(trees, is_early):.0f}, {percent(none, is_early):.0f}, "
        + (f"{np.mean([percent(one, is_early) for one in random]):.1f}" if random else "–"),
    ]
    return "| " + " | ".join(cells) + " |"


def percent(answers: Answers, holds: Callable[[Asked], bool]) -> float:
    return 100.0 * float(np.mean([holds(one) for one in answers]))


if __name__ == "__main__":
    main()
