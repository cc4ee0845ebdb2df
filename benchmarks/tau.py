"""Calibrates tau on development data: the thresholds that lose no evidence, and the cheapest of those in calls.

    python benchmarks/tau.py --dataset qasper --data FILE [--limit 20] [--words 0,50,100,200,400] [--per-level 0,15]

Every threshold is run over the same trees with the same scripted model (a summary is the first half of its sources).
For each it prints calls per document, and the first metric of the data set with its difference to tau 0 and a 95 %
interval over documents. It chooses the threshold with the fewest calls and a mean within one standard error of the
best: the one-standard-error rule of Breiman et al. Means are also given by the mean length of a document's sentences,
which the adaptive tau reads.
"""

import argparse
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

import numpy as np

from treatise.compose import open_encoder, open_parser
from treatise.core.ports import Parser
from treatise.core.recipe import Recipe, Tau
from treatise.evaluate.data.dataset import Dataset, LabelledDocument, Retrieved
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.llm.estimate import DryRunRunner
from treatise.parse.remembering import RememberingParser
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import DISRETRIEVAL
from treatise.testing import ScriptedModel


def main() -> None:
    options = _options()
    dataset = dataset_named(options.dataset)
    documents = [one for one in islice(dataset.load(options.data), options.limit) if one.questions]
    words, levels = ([int(n) for n in text.split(",")] for text in (options.words, options.per_level))
    parser = RememberingParser(open_parser())
    found = []
    with closing(CachedEncoder(open_encoder(), options.cache)) as encoder:
        for tau in [Tau(n, per_level=level, at_most=2_000) for n, level in product(words, levels)]:
            notes = replace(DISRETRIEVAL.indexing.notes, tau=tau)
            recipe = replace(DISRETRIEVAL, indexing=replace(DISRETRIEVAL.indexing, notes=notes))
            found.append((tau, *measured(recipe, dataset, documents, options.budget, encoder, parser)))
            print(json.dumps(_row(*found[-1], first=found[0][1])), flush=True)
    best = max(found, key=lambda one: one[1].mean())
    near = [one for one in found if one[1].mean() >= best[1].mean() - _standard_error(best[1])]
    chosen = min(near, key=lambda one: one[2].sum())
    print(json.dumps({"chosen": _row(*chosen, first=found[0][1]), "by_sentence_words": by_length(documents, found)}))


def measured(
    recipe: Recipe,
    dataset: Dataset,
    documents: Sequence[LabelledDocument],
    budget: int,
    encoder: CachedEncoder,
    parser: Parser,
) -> tuple[np.ndarray, np.ndarray]:
    """The metric's mean and the number of calls of each document."""
    means, calls = [], []
    for labelled in documents:
        writer = DryRunRunner(ScriptedModel([]))
        indexed = index_document(labelled.document, recipe.indexing, encoder=encoder, parser=parser, runner=writer)
        scores = []
        for question in labelled.questions:
            evidence = retrieve([indexed], question.text, recipe, encoder=encoder, max_words=budget)
            spans = tuple(passage.span for passage in evidence.passages)
            scores.append(dataset.measure(question, Retrieved(evidence.context, spans)).get(dataset.metrics[0], np.nan))
        means.append(100 * np.nanmean(scores) if not np.isnan(scores).all() else np.nan)
        calls.append(writer.spending.n_calls)
    scored = ~np.isnan(means)
    return np.array(means)[scored], np.array(calls)[scored]


def by_length(documents: Sequence[LabelledDocument], found: Sequence[tuple[Tau, np.ndarray, np.ndarray]]) -> object:
    """The best tau and all means, for the halves of the documents with shorter and with longer sentences."""
    lengths = np.array([_sentence_words(one) for one in documents])
    if len(lengths) != len(found[0][1]):
        return None  # a document is not scored
    halves = {"short": lengths <= np.median(lengths), "long": lengths > np.median(lengths)}
    return {
        name: {
            "sentence_words": round(float(lengths[half].mean()), 1),
            "means": {f"{tau.words}+{tau.per_level:g}": round(float(means[half].mean()), 2) for tau, means, _ in found},
        }
        for name, half in halves.items()
        if half.any()
    }


def _row(tau: Tau, means: np.ndarray, calls: np.ndarray, *, first: np.ndarray) -> dict[str, object]:
    gains = means - first
    draws = np.random.default_rng(0).choice(gains, (10_000, len(gains))).mean(axis=1)
    gain = [round(float(value), 2) for value in (gains.mean(), *np.percentile(draws, [2.5, 97.5]))]
    return {
        "tau": tau.words,
        "per_level": tau.per_level,
        "calls": round(float(calls.mean()), 1),
        "mean": round(float(means.mean()), 2),
        "gain_over_first": gain,
        "n_documents": len(means),
    }


def _standard_error(means: np.ndarray) -> float:
    return float(means.std(ddof=1) / np.sqrt(len(means))) if len(means) > 1 else 0.0


def _sentence_words(labelled: LabelledDocument) -> float:
    document = labelled.document
    lengths = [len(document.quote(s.start, s.end).split()) for group in document.readable_sentences() for s in group]
    return float(np.mean(lengths))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--budget", type=int, default=200)
    parser.add_argument("--words", default="0,50,100,200,400")
    parser.add_argument("--per-level", default="0,15")
    parser.add_argument("--cache", type=Path, help="keeps vectors from run to run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
