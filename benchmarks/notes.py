"""Calls against evidence F1: the model calls of each notes setting, and its retrieval quality.

    python benchmarks/notes.py --data qasper-dev.jsonl.gz --out curve.jsonl [--limit 40] [--budgets 200,300,400]

The model is scripted: a summary is the first half of its sources. All settings share it, so only calls and structure
differ. Gains are over RAPTOR, with a 95 % interval over papers; then each adaptive tau is compared with fixed ones at
equal calls, per paper (the F1 of the two fixed taus around it, interpolated by calls). ``--out`` gets one line per
paper and setting as soon as it is measured: a stopped run resumes there, and ``--limit 0`` prints the tables of
existing results. RAPTOR needs ``treatise[raptor]``; set OMP_NUM_THREADS=1 for it.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from treatise.compose import open_encoder, open_parser
from treatise.core.ports import Encoder, Parser
from treatise.core.recipe import Balanced, Recipe, Tau
from treatise.evaluate.data.dataset import LabelledDocument, Retrieved
from treatise.evaluate.data.loaders.qasper import load_qasper
from treatise.evaluate.metrics.evidence import evidence_tokens
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.llm.estimate import DryRunRunner
from treatise.parse.remembering import RememberingParser
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import BISECTION, DISRETRIEVAL, DISRETRIEVAL_HYBRID, DISRETRIEVAL_THRIFTY, FLAT_SENTENCE, RAPTOR
from treatise.testing import ScriptedModel

Row = dict[str, Any]
Rows = Mapping[str, Mapping[str, Row]]
"""Results by recipe, then paper."""

FIXED = (50, 100, 200, 300)
ADAPTIVE = ((0, 15), (50, 15), (100, 15), (100, 30), (200, 30))


def main() -> None:
    options = _options()
    budgets = [int(budget) for budget in options.budgets.split(",")]
    recipes = [one for one in _recipes() if not options.recipes or one.slug in options.recipes.split(",")]
    measure(list(islice(load_qasper(options.data), options.limit)), recipes, budgets, options)
    rows = _read(options.out)
    for one in recipes:
        if one.slug in rows:
            print(json.dumps(figures(rows, one.slug, budgets)))
    for words, level in ADAPTIVE:
        if (slug := _adaptive(words, level).slug) in rows:
            print(json.dumps(at_equal_calls(rows, slug, budgets)))


def measure(
    papers: Sequence[LabelledDocument], recipes: Sequence[Recipe], budgets: list[int], options: argparse.Namespace
) -> None:
    """Adds the missing rows, paper by paper."""
    parser = open_parser()
    with closing(CachedEncoder(open_encoder(), options.cache)) as encoder, options.out.open("a") as file:
        known = _read(options.out)
        for paper in papers:
            remembering = RememberingParser(parser)
            for recipe in recipes:
                if paper.questions and paper.document.id not in known.get(recipe.slug, {}):
                    print(json.dumps(measured(recipe, paper, budgets, encoder, remembering)), file=file, flush=True)


def measured(recipe: Recipe, paper: LabelledDocument, budgets: list[int], encoder: Encoder, parser: Parser) -> Row:
    """Calls for a paper, and the F1 of each of its questions by budget."""
    writer = DryRunRunner(ScriptedModel([]))
    indexed = index_document(paper.document, recipe.indexing, encoder=encoder, parser=parser, runner=writer)
    scores: dict[str, list[float]] = {}
    for budget in budgets:
        found = (retrieve([indexed], one.text, recipe, encoder=encoder, max_words=budget) for one in paper.questions)
        of_each = (
            evidence_tokens(question, Retrieved(evidence.context, ()))
            for question, evidence in zip(paper.questions, found, strict=True)
        )
        scores[str(budget)] = [100 * one["f1"] for one in of_each if "f1" in one]
    spent = writer.spending
    return {
        "paper": paper.document.id,
        "recipe": recipe.slug,
        "calls": spent.n_calls,
        "prompt_tokens": spent.prompt_tokens,
        "f1": scores,
    }


def figures(rows: Rows, slug: str, budgets: list[int]) -> Row:
    """Means of a recipe over the papers also run with RAPTOR, and its gains over RAPTOR."""
    base = rows.get(RAPTOR.slug, rows[slug])
    papers = [paper for paper in rows[slug] if paper in base]
    calls = np.array([rows[slug][paper]["calls"] for paper in papers], dtype=float)
    row: Row = {
        "recipe": slug,
        "n_papers": len(papers),
        "n_questions": sum(len(rows[slug][paper]["f1"][str(budgets[0])]) for paper in papers),
        "calls": round(float(calls.mean()), 1),
        "calls_fewer": _interval(np.array([base[paper]["calls"] for paper in papers]) - calls, range(len(papers))),
        "prompt_tokens": round(float(np.mean([rows[slug][paper]["prompt_tokens"] for paper in papers]))),
    }
    for budget in map(str, budgets):
        scores, of = _scores(rows[slug], papers, budget)
        row[f"f1_{budget}"] = round(float(scores.mean()), 2)
        row[f"gain_{budget}"] = _interval(scores - _scores(base, papers, budget)[0], of)
    return row


def at_equal_calls(rows: Rows, slug: str, budgets: list[int]) -> Row:
    """The gain of an adaptive tau over fixed ones at equal calls, per paper."""
    fixed = [rows[one] for one in (_fixed(words).slug for words in FIXED) if one in rows]
    papers = [paper for paper in rows[slug] if all(paper in one for one in fixed)]
    row: Row = {"adaptive": slug, "n_papers": len(papers)}
    for budget in map(str, budgets):
        gains: list[float] = []
        of: list[int] = []
        for number, paper in enumerate(papers):
            points = sorted((one[paper]["calls"], i) for i, one in enumerate(fixed))
            calls = [n for n, _ in points]
            for question, score in enumerate(rows[slug][paper]["f1"][budget]):
                curve = [fixed[i][paper]["f1"][budget][question] for _, i in points]
                gains.append(score - float(np.interp(rows[slug][paper]["calls"], calls, curve)))
                of.append(number)
        row[f"gain_{budget}"] = _interval(np.array(gains), of)
    return row


def _scores(rows: Mapping[str, Row], papers: Sequence[str], budget: str) -> tuple[np.ndarray, list[int]]:
    scores = [(score, number) for number, paper in enumerate(papers) for score in rows[paper]["f1"][budget]]
    return np.array([score for score, _ in scores]), [number for _, number in scores]


def _interval(values: np.ndarray, groups: Sequence[int]) -> list[float]:
    low, high = bootstrap_interval(values, np.array(groups), seed=0)
    return [round(float(value), 2) for value in (values.mean(), low, high)]


def _recipes() -> Iterator[Recipe]:
    yield from (RAPTOR, FLAT_SENTENCE, DISRETRIEVAL_THRIFTY)
    balanced = replace(DISRETRIEVAL_THRIFTY.indexing, tree=Balanced())
    yield replace(DISRETRIEVAL_THRIFTY, name="BALANCED_THRIFTY", indexing=balanced)
    yield from map(_fixed, FIXED)
    yield from (_adaptive(words, level) for words, level in ADAPTIVE)
    for batch_words in (300, 600, 2_400):
        yield _with(DISRETRIEVAL_THRIFTY, f"BATCH_{batch_words}", batch_words=batch_words)
    yield from (DISRETRIEVAL_HYBRID, BISECTION, DISRETRIEVAL)


def _fixed(words: int) -> Recipe:
    return _with(DISRETRIEVAL, f"TAU_{words}", tau=Tau(words))


def _adaptive(words: int, level: int) -> Recipe:
    return _with(DISRETRIEVAL, f"TAU_{words}_LEVEL_{level}", tau=Tau(words, per_level=level))


def _with(recipe: Recipe, name: str, **changes: object) -> Recipe:
    notes = replace(recipe.indexing.notes, **changes)  # type: ignore[arg-type]
    return replace(recipe, name=name, indexing=replace(recipe.indexing, notes=notes))


def _read(path: Path) -> dict[str, dict[str, Row]]:
    found: dict[str, dict[str, Row]] = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        row = json.loads(line)
        found.setdefault(row["recipe"], {})[row["paper"]] = row
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="JSON lines")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--budgets", default="200,300,400")
    parser.add_argument("--recipes", default="", help="names out of the list; all by default")
    parser.add_argument("--cache", type=Path, help="keeps vectors from run to run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
