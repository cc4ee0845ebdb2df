"""Does the shape of the tree pay? Discourse trees against balanced and random ones, with all else equal, on dev.

    python benchmarks/trees.py --dataset qasper --data FILE --out DIR [--limit 60] [--budgets 200,300,400]

Each setting is run over every shape: vectors pooled, pooled with nuclei counting twice, contextual and pooled, nucleus
notes encoded. The random trees of the setting are the baseline that the table's intervals are against.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from treatise.compose import open_encoder, open_parser
from treatise.core.document import Document
from treatise.core.ports import Parser, Progress
from treatise.core.recipe import Indexing, NodeVectors, Notes, Recipe, Scoring, Summaries, Tau, TreeShape
from treatise.core.tree import DiscourseTree
from treatise.evaluate.retrieval import RunProgress, run
from treatise.evaluate.tables import as_markdown

SHAPES = {"RANDOM": TreeShape.RANDOM, "BALANCED": TreeShape.BALANCED, "DISCOURSE": TreeShape.DISCOURSE}
SETTINGS = {
    "POOLED": (Indexing(), Scoring()),
    "NUCLEARITY": (Indexing(nucleus_weight=2), Scoring()),
    "CONTEXT": (Indexing(context_weight=0.5), Scoring()),
    "NUCLEI": (Indexing(notes=Notes(Summaries.NUCLEUS), node_vectors=NodeVectors.ENCODED), Scoring()),
    "NUCLEI_TAU_100": (
        Indexing(notes=Notes(Summaries.NUCLEUS, Tau(100)), node_vectors=NodeVectors.ENCODED),
        Scoring(),
    ),
    "BEST": (Indexing(context_weight=0.5), Scoring(bm25=0.4, neighbours=0.3, headings=0.3)),
}


def main() -> None:
    options = _options()
    encoder, parser = open_encoder(), Remembering(open_parser())
    wanted = options.settings.split(",") if options.settings else list(SETTINGS)
    shapes = options.shapes.split(",")
    for setting in wanted:
        indexing, scoring = SETTINGS[setting]
        recipes = [Recipe(f"{shape}_{setting}", replace(indexing, tree=SHAPES[shape]), scoring) for shape in shapes]
        summary = run(
            options.dataset,
            options.data,
            recipes,
            [int(budget) for budget in options.budgets.split(",")],
            options.out / setting.lower(),
            encoder=encoder,
            parser=parser,
            limit=options.limit,
            cache=options.out / "vectors.db",
            progress=_show if options.verbose else None,
        )
        print(f"\n## {setting}\n\n{as_markdown(summary.rows)}", flush=True)


class Remembering:
    """A parser that parses a document once, whatever the settings over its tree."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._trees: dict[str, DiscourseTree] = {}
        self.name = parser.name

    def parse(self, document: Document, progress: Progress | None = None) -> DiscourseTree:
        if document.id not in self._trees:
            self._trees[document.id] = self._parser.parse(document, progress)
        return self._trees[document.id]

    def parse_runs(self, runs: Sequence[Sequence[str]], language: str) -> list[DiscourseTree]:
        return self._parser.parse_runs(runs, language)


def _show(progress: RunProgress) -> None:
    print(f"{progress.done}/{progress.total}, {progress.remaining_s:.0f} s left", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--budgets", default="200,300,400")
    parser.add_argument("--settings", default="", help=f"out of {', '.join(SETTINGS)}; all by default")
    parser.add_argument("--shapes", default="RANDOM,BALANCED,DISCOURSE")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
