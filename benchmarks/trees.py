"""Does the tree's shape matter? Discourse trees against balanced and random ones, all else equal, on dev.

    python benchmarks/trees.py --dataset qasper --data FILE [--limit 60] [--questions-each 20] [--settings POOLED,PATH]

Each setting is run over the shipped parser's trees, balanced trees and ``--seeds`` random ones (mean of their scores).
Each document is parsed and its leaves are encoded only once; vectors of inner nodes are pooled. One line per setting
and shape: the first metric of the data set at each of its budgets, and the gain over the random trees of the same
setting with a 95 % interval over documents; settings that weight nuclei have discourse trees only, and are compared
with the random trees of POOLED or TREATISE.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from treatise.compose import open_encoder, open_parser
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder, Parser
from treatise.core.recipe import Indexing, Recipe, Scoring, Selection, Sentences
from treatise.core.tree import DiscourseTree
from treatise.embed import node_vectors
from treatise.evaluate.data.dataset import Dataset, LabelledDocument, Question, Retrieved
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.pipeline.index import index_document
from treatise.recipes import TREATISE
from treatise.retrieve import find_evidence
from treatise.tree import balanced, leaf_units, random_splits, section_sizes

WHOLE: Final = Selection(leaf_top_k=0, max_leaves=5)
LEAVES: Final = Selection(expand=False)


@dataclass(frozen=True)
class Setting:
    """A setting without its tree. ``like`` names the setting whose random trees serve as its control."""

    scoring: Scoring = field(default_factory=Scoring)
    selection: Selection = field(default_factory=Selection)
    context_weight: float = 0.0
    nucleus_weight: float = 1.0
    like: str = ""


def _default(**changes: object) -> Setting:
    """The default recipe's scores over contextual vectors."""
    return replace(Setting(TREATISE.scoring, TREATISE.selection, context_weight=1.0), **changes)  # type: ignore[arg-type]


SETTINGS = {
    "POOLED": Setting(),
    "CONTEXT": Setting(context_weight=1.0),
    "TREATISE": _default(),
    "NUCLEI_TWICE": Setting(nucleus_weight=2, like="POOLED"),
    "NUCLEI_4_TIMES": Setting(nucleus_weight=4, like="POOLED"),
    "TREATISE_NUCLEI_TWICE": _default(nucleus_weight=2, like="TREATISE"),
    "PATH": Setting(Scoring(path=1)),
    "PATH_LEAVES": Setting(Scoring(path=1), LEAVES),
    "TREATISE_PATH": _default(scoring=replace(TREATISE.scoring, path=0.5)),
    "TREATISE_PATH_LEAVES": _default(scoring=replace(TREATISE.scoring, path=1), selection=LEAVES),
    "UNITS": Setting(selection=WHOLE),
    "TREATISE_UNITS": _default(selection=WHOLE),
}

Cells = dict[tuple[str, str, int], list[float]]
"""The metric of each question by setting, shape and budget; NaN if not scored."""


def main() -> None:
    options = _options()
    dataset = dataset_named(options.dataset)
    parser = open_parser()
    wanted = {name: SETTINGS[name] for name in options.settings.split(",")}
    cells: Cells = {}
    clusters: list[int] = []
    with closing(CachedEncoder(open_encoder(), options.cache)) as encoder:
        for number, labelled in enumerate(islice(dataset.load(options.data), options.limit)):
            questions = labelled.questions[: options.questions_each]
            clusters += [number] * len(questions)
            asked = replace(labelled, questions=questions)
            for cell, values in scores(asked, dataset, wanted, options.seeds, encoder, parser).items():
                cells.setdefault(cell, []).extend(values)
            print(f"{number + 1} documents", end="\r", file=sys.stderr, flush=True)
    for line in table(cells, wanted, dataset, options.seeds, np.array(clusters)):
        print(line)


def scores(
    labelled: LabelledDocument,
    dataset: Dataset,
    settings: dict[str, Setting],
    n_seeds: int,
    encoder: Encoder,
    parser: Parser,
) -> Cells:
    """The questions of one document in every cell."""
    document = labelled.document
    cells: Cells = {}
    weights = {setting.context_weight for setting in settings.values()}
    bases = {weight: index_document(document, Indexing(Sentences(weight)), encoder=encoder) for weight in weights}
    _, sizes = leaf_units(document, Sentences())
    sections = section_sizes(document)
    shapes = {"discourse": parser.parse(document), "balanced": balanced(sizes, sections)}
    shapes |= {f"random {seed}": random_splits(sizes, seed=seed, sections=sections) for seed in range(n_seeds)}
    vectors = list(encoder.encode_questions([question.text for question in labelled.questions]))
    for name, setting in settings.items():
        recipe = Recipe(name, Indexing(), setting.scoring, setting.selection)
        for shape, tree in shapes.items():
            if setting.like and shape != "discourse":
                continue
            indexed = _over(tree, bases[setting.context_weight], setting.nucleus_weight)
            for budget in dataset.budgets:
                asked = zip(labelled.questions, vectors, strict=True)
                found = [_measure(dataset, indexed, question, vector, recipe, budget) for question, vector in asked]
                cells[name, shape, budget] = found
    return cells


def table(
    cells: Cells, settings: dict[str, Setting], dataset: Dataset, n_seeds: int, clusters: np.ndarray
) -> Iterator[str]:
    scored = ~np.isnan(cells[next(iter(settings)), "discourse", dataset.budgets[0]])
    yield f"{dataset.metrics[0]}: {scored.sum()} questions of {len(set(clusters[scored].tolist()))} documents"
    for name, setting in settings.items():
        for shape in ("discourse",) if setting.like else ("balanced", "discourse"):
            parts = []
            for budget in dataset.budgets:
                values = np.array(cells[name, shape, budget])[scored]
                control = [cells[setting.like or name, f"random {seed}", budget] for seed in range(n_seeds)]
                gains = values - np.mean(control, axis=0)[scored]
                low, high = bootstrap_interval(gains, clusters[scored], seed=0)
                parts.append(f"{values.mean():.2f} ({gains.mean():+.2f} [{low:+.1f}, {high:+.1f}])")
            yield f"{name:24} {shape:10} {' / '.join(parts)}"


def _over(tree: DiscourseTree, base: IndexedDocument, nucleus_weight: float) -> IndexedDocument:
    leaves = base.vectors[base.tree.leaf_nodes].astype(np.float32)
    vectors = node_vectors(tree, leaves, nucleus_weight=nucleus_weight)
    return replace(base, tree=tree, vectors=vectors.astype(np.float32))


def _measure(
    dataset: Dataset, indexed: IndexedDocument, question: Question, vector: np.ndarray, recipe: Recipe, budget: int
) -> float:
    evidence = find_evidence([indexed], question.text, vector, recipe, max_words=budget)
    spans: Sequence = tuple(passage.span for passage in evidence.passages)
    measured = dataset.measure(question, Retrieved(evidence.context, tuple(spans)))
    return 100 * measured.get(dataset.metrics[0], np.nan)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--questions-each", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--settings", default=",".join(SETTINGS), help=f"out of {', '.join(SETTINGS)}")
    parser.add_argument("--cache", type=Path, help="keeps vectors from run to run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
