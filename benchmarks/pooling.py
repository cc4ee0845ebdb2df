"""Learns the weight of a satellite's leaves per relation when vectors are pooled up a discourse tree.

    python benchmarks/pooling.py --train qasper-train.jsonl.gz --dev qasper-dev.jsonl.gz [--limit 60] [--budget 200]

With the same file for both, every other paper is for training and the rest for testing.

Coordinate ascent on evidence F1 over the training papers: each relation in turn, the most frequent first, takes the
best of a few weights. Then the weights are compared with the plain mean on dev, with an interval over papers. Prints
the ``satellite_weights`` for a recipe.
"""

import argparse
import json
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

from treatise.compose import open_encoder, open_parser
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder
from treatise.core.tree import Join, Nuclearity
from treatise.core.vectors import Floats
from treatise.embed import node_vectors
from treatise.evaluate.data.dataset import Question, Retrieved
from treatise.evaluate.data.loaders.qasper import load_qasper
from treatise.evaluate.metrics.evidence import evidence_tokens
from treatise.pipeline.index import index_document
from treatise.recipes import DISRETRIEVAL_POOLED as RECIPE
from treatise.retrieve import find_evidence

WEIGHTS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)

Paper = tuple[IndexedDocument, Floats, list[tuple[Question, Floats]]]
"""An index with its leaf vectors, and its questions with their vectors."""


def main() -> None:
    options = _options()
    encoder = open_encoder()
    train, dev = (_papers(path, options.limit, encoder) for path in (options.train, options.dev))
    if options.train == options.dev:
        train, dev = train[0::2], dev[1::2]
    weights = learned(train, options.budget)
    plain, better = (_scores(dev, chosen, options.budget) for chosen in ({}, weights))
    gains = np.array(better) - np.array(plain)
    draws = np.random.default_rng(0).choice(gains, (10_000, len(gains))).mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    print(
        json.dumps(
            {
                "satellite_weights": sorted(weights.items()),
                "n_papers": len(dev),
                "f1_mean": round(100 * float(np.mean(plain)), 2),
                "f1_learned": round(100 * float(np.mean(better)), 2),
                "gain": [round(100 * float(value), 2) for value in (gains.mean(), low, high)],
            },
            indent=2,
        )
    )


def learned(papers: list[Paper], budget: int) -> dict[str, float]:
    """One round over the relations that have satellites."""
    weights: dict[str, float] = {}
    best = float(np.mean(_scores(papers, weights, budget)))
    for relation in _relations(papers):
        for weight in WEIGHTS:
            tried = weights | {relation: weight}
            score = float(np.mean(_scores(papers, tried, budget)))
            if score > best + 1e-6:
                best, weights = score, tried
        print(f"{relation}: {weights.get(relation, 1.0)}, F1 on train {100 * best:.2f}", flush=True)
    return weights


def _relations(papers: list[Paper]) -> list[str]:
    joins = (node for indexed, _, _ in papers for node in indexed.tree.nodes if isinstance(node, Join))
    return [
        relation
        for relation, _ in Counter(j.relation for j in joins if j.nuclearity is not Nuclearity.NN).most_common()
    ]


def _scores(papers: list[Paper], weights: dict[str, float], budget: int) -> list[float]:
    """Mean evidence F1 of each paper."""
    means = []
    for indexed, leaves, questions in papers:
        pooled = replace(indexed, vectors=node_vectors(indexed.tree, leaves, satellite_weights=weights))
        scores = []
        for question, vector in questions:
            found = find_evidence([pooled], question.text, vector, RECIPE, max_words=budget)
            scores.append(evidence_tokens(question, Retrieved(found.context, ())).get("f1", 0.0))
        means.append(float(np.mean(scores)))
    return means


def _papers(path: Path, limit: int, encoder: Encoder) -> list[Paper]:
    parser = open_parser()
    papers: list[Paper] = []
    for labelled in islice(load_qasper(path), limit):
        if labelled.questions:
            indexed = index_document(labelled.document, RECIPE.indexing, encoder=encoder, parser=parser)
            leaves = indexed.vectors[indexed.tree.leaf_nodes].astype(np.float32)
            vectors = encoder.encode_questions([question.text for question in labelled.questions])
            papers.append((indexed, leaves, list(zip(labelled.questions, vectors, strict=True))))
    return papers


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--budget", type=int, default=200)
    return parser.parse_args()


if __name__ == "__main__":
    main()
