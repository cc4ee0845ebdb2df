"""Calls against evidence F1: what each setting of notes asks of a model, and what its retrieval is worth.

    python benchmarks/notes.py --data qasper-dev.jsonl.gz [--limit 20] [--budgets 200,300,400]

The model is scripted: a summary is the first half of what it is made from. All settings have the same, so calls and
structure differ and nothing else. Gains are over RAPTOR, with a 95 % interval over papers. RAPTOR needs
``treatise[raptor]``; set OMP_NUM_THREADS=1 for it.
"""

import argparse
import json
import statistics
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

from treatise.asking import retrieve
from treatise.compose import open_encoder, open_parser
from treatise.core.ports import Parser
from treatise.core.recipe import Recipe, Tau, TreeShape
from treatise.enhance import PretendingWriter
from treatise.evaluate.dataset import LabelledDocument, Retrieved
from treatise.evaluate.loaders.qasper import load_qasper
from treatise.evaluate.metrics.evidence import evidence_tokens
from treatise.evaluate.statistics import bootstrap_interval
from treatise.evaluate.vector_cache import CachedEncoder
from treatise.indexing import index_document
from treatise.recipes import BISECTION, DISRETRIEVAL, DISRETRIEVAL_HYBRID, DISRETRIEVAL_THRIFTY, FLAT_SENTENCE, RAPTOR
from treatise.testing import ScriptedModel

Scores = dict[int, list[tuple[int, float]]]
"""By budget, the number of the paper and the F1 of each question."""


def main() -> None:
    options = _options()
    papers = list(islice(load_qasper(options.data), options.limit))
    budgets = [int(budget) for budget in options.budgets.split(",")]
    parser = open_parser()
    wanted = options.recipes.split(",") if options.recipes else None
    with closing(CachedEncoder(open_encoder(), options.cache)) as encoder:
        baseline: Scores | None = None
        for recipe in _recipes():
            if wanted is None or recipe.slug in wanted:
                row, scores = measured(recipe, papers, budgets, encoder, parser)
                baseline = scores if recipe is RAPTOR else baseline
                print(json.dumps(row | (gains(scores, baseline) if baseline else {})), flush=True)


def measured(
    recipe: Recipe, papers: list[LabelledDocument], budgets: list[int], encoder: CachedEncoder, parser: Parser
) -> tuple[dict[str, object], "Scores"]:
    writer = PretendingWriter(ScriptedModel([]))
    scores: Scores = {budget: [] for budget in budgets}
    for number, paper in enumerate(papers):
        indexed = index_document(paper.document, recipe.indexing, encoder=encoder, parser=parser, writer=writer)
        for question in paper.questions:
            for budget in budgets:
                found = retrieve([indexed], question.text, recipe, encoder=encoder, max_words=budget)
                scored = evidence_tokens(question, Retrieved(found.context, ()))
                if "f1" in scored:
                    scores[budget].append((number, 100 * scored["f1"]))
    row: dict[str, object] = {
        "recipe": recipe.slug,
        "n_papers": len(papers),
        "n_questions": len(scores[budgets[0]]),
        "calls_per_paper": round(writer.spending.n_calls / len(papers), 1),
        "prompt_tokens_per_paper": round(writer.spending.prompt_tokens / len(papers)),
        **{
            f"f1_{budget}": round(statistics.mean(score for _, score in of_budget), 2)
            for budget, of_budget in scores.items()
        },
    }
    return row, scores


def gains(scores: "Scores", baseline: "Scores") -> dict[str, object]:
    found: dict[str, object] = {}
    for budget, of_budget in scores.items():
        differences = np.array([score for _, score in of_budget]) - [score for _, score in baseline[budget]]
        low, high = bootstrap_interval(differences, np.array([number for number, _ in of_budget]), seed=0)
        found[f"gain_{budget}"] = [round(float(value), 2) for value in (differences.mean(), low, high)]
    return found


def _recipes() -> Iterator[Recipe]:
    yield from (FLAT_SENTENCE, RAPTOR, BISECTION, DISRETRIEVAL)
    for tau in (50, 100, 200):
        yield _with(DISRETRIEVAL, f"TAU_{tau}", tau=Tau(tau))
    for batch_words in (300, 600, 1_200, 2_400):
        yield _with(DISRETRIEVAL_THRIFTY, f"BATCH_{batch_words}", batch_words=batch_words)
    balanced = replace(DISRETRIEVAL_THRIFTY.indexing, tree=TreeShape.BALANCED)
    yield replace(DISRETRIEVAL_THRIFTY, name="BALANCED_THRIFTY", indexing=balanced)
    yield DISRETRIEVAL_HYBRID


def _with(recipe: Recipe, name: str, **changes: object) -> Recipe:
    notes = replace(recipe.indexing.notes, **changes)  # type: ignore[arg-type]
    return replace(recipe, name=name, indexing=replace(recipe.indexing, notes=notes))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--budgets", default="200,300,400")
    parser.add_argument("--recipes", default="", help="names out of the list; all by default")
    parser.add_argument("--cache", type=Path, help="keeps vectors from run to run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
