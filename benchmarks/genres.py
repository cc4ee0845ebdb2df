"""Heads over a frozen encoder on genres that they were trained without, and with: what an unseen genre costs.

    python benchmarks/genres.py --data data --out runs/genres mpnet e5

GUM's training documents, of nine genres, are held out in nine parts, twice: once a part is a genre ("unseen"), once it
is as large but drawn evenly from all genres ("seen"). Each document is parsed once by heads trained without its genre,
and once by heads trained on as many documents, some of them of its genre. No dev document is read, and no epoch chosen:
the last counts. The encoders are those of the shipped recipes, and all else is as in ``parser-en-mpnet-frozen``.

An interrupted run resumes: a part's trees are saved when it ends, and the encoder's vectors when they are read.
Intervals are 95 %: of a genre over its documents, of the mean over genres when genres are drawn with replacement.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from itertools import combinations, product
from pathlib import Path
from typing import Final

import numpy as np

import treatise.train
from treatise.core.tree import DiscourseTree
from treatise.parse.parser import TextParser
from treatise.parse.parseval import difference, genre, parseval, report
from treatise.parse.rows import Level, TreeRow, write_row
from treatise.train.config import read_recipe
from treatise.train.loop import Trainer, digest
from treatise.train.parser.recipe import ParserRecipe
from treatise.train.parser.task import ParserTask
from treatise.train.readers import source_of
from treatise.train.source import EncoderSource
from treatise.train.treebanks import TreebankDocument, read_documents, read_rows

CONFIGS: Final = Path(treatise.train.__file__).parent / "configs"
ENCODERS: Final = {"mpnet": "parser-en-mpnet-frozen", "e5": "parser-multi-frozen"}
"""The recipes that the encoders are from."""

Parts = Mapping[str, Sequence[TreebankDocument]]
Trees = Mapping[str, DiscourseTree]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="The folder that the recipes' paths are relative to.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("encoders", nargs="+", choices=ENCODERS)
    options = parser.parse_args()
    recipes = {name: recipe_over(name, options.epochs, options.out.resolve()) for name in options.encoders}
    documents = read_documents(options.data, recipes[options.encoders[0]].data.train)
    unseen = by_genre(documents)
    arms = {"unseen": unseen, "seen": evenly(documents, {part: len(held) for part, held in unseen.items()})}
    train(arms, recipes, options.data, options.out.resolve())
    found = {name: {arm: trees_of(options.out / name / arm) for arm in ("seen", "unseen")} for name in recipes}
    for name, trees in found.items():
        show(name, documents, trees)
    for first, second in combinations(found, 2):
        show("unseen genres", documents, {name: found[name]["unseen"] for name in (first, second)})


def recipe_over(encoder: str, epochs: int, out: Path) -> ParserRecipe:
    """The recipe ``parser-en-mpnet-frozen`` with another encoder, scored after its last epoch alone."""
    recipe, other = (
        read_recipe(CONFIGS / f"{name}.toml", ParserRecipe) for name in (ENCODERS["mpnet"], ENCODERS[encoder])
    )
    loop = replace(recipe.training.loop, epochs=epochs, score_every=epochs)
    training = replace(recipe.training, loop=loop, encoder=replace(other.training.encoder, kept=str(out / "states")))
    return replace(recipe, parser=replace(other.parser, name=f"genres-{encoder}"), training=training)


def by_genre(documents: Sequence[TreebankDocument]) -> Parts:
    """The documents of each genre."""
    parts: dict[str, list[TreebankDocument]] = defaultdict(list)
    for document in documents:
        parts[genre(document.id)].append(document)
    return dict(sorted(parts.items()))


def evenly(documents: Sequence[TreebankDocument], sizes: Mapping[str, int]) -> Parts:
    """Parts of these sizes, drawn at random, each with its share of every genre."""
    order = random.Random(0).sample(list(documents), len(documents))
    parts: dict[str, list[TreebankDocument]] = {part: [] for part in sizes}
    for dealt, document in enumerate(sorted(order, key=lambda one: genre(one.id)), 1):
        owed = {part: size * dealt / len(order) - len(parts[part]) for part, size in sizes.items()}
        parts[max(owed, key=owed.__getitem__)].append(document)
    return parts


def train(arms: Mapping[str, Parts], recipes: Mapping[str, ParserRecipe], data: Path, out: Path) -> None:
    """Trains without each part, and saves the part's trees in ``<out>/<encoder>/<arm>/<part>/trees.jsonl``."""
    sources = {name: source_of(recipe.training.encoder) for name, recipe in recipes.items()}
    for part, name, (arm, parts) in product(arms["unseen"], recipes, arms.items()):
        folder = out / name / arm / part
        if not (folder / "trees.jsonl").is_file():
            folder.mkdir(parents=True, exist_ok=True)
            rest = [one for other, some in parts.items() if other != part for one in some]
            train_without(parts[part], rest, recipes[name], sources[name], data, folder)


def train_without(
    held: Sequence[TreebankDocument],
    rest: Sequence[TreebankDocument],
    recipe: ParserRecipe,
    source: EncoderSource,
    data: Path,
    folder: Path,
) -> None:
    save(folder / "train.jsonl", [row for document in rest for row in document.rows])
    save(folder / "held.jsonl", [row for document in held for row in document.rows])
    files = replace(recipe.data, train=(str(folder / "train.jsonl"),), dev=(str(folder / "held.jsonl"),))
    recipe = replace(recipe, data=files)
    task = HeldOut(recipe, source, data, folder, held)
    Trainer(task, recipe.training.loop, folder, settings=digest(recipe)).run(report=lambda line: print(folder, line))


class HeldOut(ParserTask):
    """The task of the recipe; its score is of the documents held out, whose trees it saves."""

    def __init__(
        self,
        recipe: ParserRecipe,
        source: EncoderSource,
        root: Path,
        folder: Path,
        held: Sequence[TreebankDocument],
    ) -> None:
        super().__init__(recipe, source, root, folder)
        self._rows = [row for document in held for row in document.rows]
        self._trees = folder / "trees.jsonl"

    def figures(self, parser: TextParser) -> Mapping[str, float]:
        """Full agreement on both levels together."""
        trees = parser.parse_texts([row.text for row in self._rows])
        found = [replace(row, tree=tree) for row, tree in zip(self._rows, trees, strict=True)]
        save(self._trees, found)
        return {"full": parseval(keyed(self._rows), keyed(found)).full}


def save(path: Path, rows: Sequence[TreeRow]) -> None:
    half = path.with_suffix(".half")
    half.write_text("".join(f"{write_row(row)}\n" for row in rows), encoding="utf-8")
    half.replace(path)


def keyed(rows: Sequence[TreeRow]) -> Trees:
    return {f"{row.text.id} {row.text.level}": row.tree for row in rows}


def trees_of(folder: Path) -> Trees:
    """The trees of all parts."""
    return {name: tree for file in folder.glob("*/trees.jsonl") for name, tree in keyed(list(read_rows(file))).items()}


def show(title: str, documents: Sequence[TreebankDocument], found: Mapping[str, Trees]) -> None:
    """Prints the figures of two parsers on the documents that both have parsed, and the difference of the second."""
    columns = (*found, "difference")
    for level in Level:
        rows = [row for document in documents for row in document.rows if row.text.level is level]
        gold = {key: tree for key, tree in keyed(rows).items() if all(key in trees for trees in found.values())}
        groups: dict[str, dict[str, DiscourseTree]] = defaultdict(dict)
        for key, tree in gold.items():
            groups[genre(key)][key] = tree
        print(f"\n{title}, {level}: span nuclearity relation full")
        figures_of = [compared(group, some, found) for group, some in sorted(groups.items())]
        for column, figures in zip(columns, zip(*figures_of, strict=True), strict=True):
            print(f"{'mean over genres':18} {len(groups):3} {column:10} " + mean_of(figures))
        compared("all documents", gold, found)


def compared(group: str, gold: Trees, found: Mapping[str, Trees]) -> list[Sequence[float]]:
    """The figures of a group of documents by two parsers, and the difference; printed too."""
    first, second = found.values()
    reports = [report(gold, first), report(gold, second), difference(gold, first, second)]
    for column, one in zip((*found, "difference"), reports, strict=True):
        bounds = [astuple(bound) for bound in one.intervals.values()]
        print(f"{group:18} {len(gold):3} {column:10} " + line(astuple(one.figures), bounds))
    return [astuple(one.figures) for one in reports]


def mean_of(figures: Sequence[Sequence[float]]) -> str:
    """The mean over genres, each with its four figures."""
    values = np.array(figures)
    draws = np.random.default_rng(0).integers(len(values), size=(2000, len(values)))
    low, high = np.percentile(values[draws].mean(axis=1), [2.5, 97.5], axis=0)
    return line(values.mean(axis=0).tolist(), list(zip(low, high, strict=True)))


def line(values: Sequence[float], bounds: Sequence[Sequence[float]]) -> str:
    return "  ".join(
        f"{value:5.1f} [{low:5.1f}, {high:5.1f}]" for value, (low, high) in zip(values, bounds, strict=True)
    )


if __name__ == "__main__":
    main()
