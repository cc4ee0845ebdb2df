"""How well the local scorer detects contradicting texts: AUC with intervals over questions.

    python benchmarks/contradiction.py --wikicontradict FILE --ramdocs FILE [--seed 0]

Contradicting: the two contexts of a WikiContradict question; a correct and a misinforming document of a RAMDocs
question. Merely related: the two halves of one passage; a correct document and another correct one of
the same answer, or a noisy one. Random: texts of two different questions. One pair of each kind per question, if
available. ``balanced`` is the mean of the AUC against random and against related pairs; ``called_contradictions`` is
the share of pairs that the local graph of `disco-rag` marks as contradictory.
"""

import argparse
import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from treatise.compose import open_encoder
from treatise.core.graph import Link, RhetoricalGraph
from treatise.plan import LocalRelator
from treatise.plan.contradiction import contrasts

SORTS = ("contradicting", "related", "random")
MIN_WORDS = 15  # minimum length of half a passage

Pair = tuple[int, str, str, str]
"""Question number, kind of pair, and the two texts."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--wikicontradict", type=Path, required=True)
    options.add_argument("--ramdocs", type=Path, required=True)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    encoder = open_encoder()
    results = {}
    for name, read in (("wikicontradict", _wikicontradict), ("ramdocs", _ramdocs)):
        lines = [json.loads(line) for line in _lines(getattr(chosen, name))]
        pairs = list(read(lines, random.Random(chosen.seed)))
        relator = LocalRelator(encoder)
        found = [
            (pair, next(contrasts(pair[2:], encoder))[2].score, _is_called(relator.relate(pair[2:]))) for pair in pairs
        ]
        results[name] = _figures(found, chosen.seed)
    print(json.dumps(results, indent=1))


def _lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        return file.readlines()


def _wikicontradict(rows: list[dict[str, str]], rng: random.Random) -> Iterator[Pair]:
    for i, row in enumerate(rows):
        first, second = row["context1"].strip(), row["context2"].strip()
        if first == second:
            continue
        yield i, "contradicting", first, second
        yield i, "random", first, rng.choice([other["context2"].strip() for other in rows if other is not row])
        halves = [pair for side in ("context1_info", "context2_info") if (pair := _halves(row[side]))]
        if halves:
            yield (i, "related", *rng.choice(halves))


def _halves(passage: str) -> tuple[str, str] | None:
    """The first and the second half of a passage's sentences; None if one is too short."""
    sentences = re.split(r"(?<=[.!?\]])\s+", passage.replace("[inconsistent]", ""))
    middle = len(sentences) // 2
    first, second = " ".join(sentences[:middle]), " ".join(sentences[middle:])
    return (first, second) if min(len(first.split()), len(second.split())) >= MIN_WORDS else None


def _ramdocs(rows: list[dict[str, list[dict[str, str]]]], rng: random.Random) -> Iterator[Pair]:
    for i, row in enumerate(rows):
        by_type = {kind: [d for d in row["documents"] if d["type"] == kind] for kind in ("correct", "misinfo", "noise")}
        correct = by_type["correct"]
        if not correct:
            continue
        if by_type["misinfo"]:
            yield i, "contradicting", rng.choice(correct)["text"], rng.choice(by_type["misinfo"])["text"]
        alike = [(a, b) for a in correct for b in correct if a is not b and a["answer"] == b["answer"]]
        related = alike + [(a, b) for a in correct for b in by_type["noise"]]
        if related:
            one, other = rng.choice(related)
            yield i, "related", one["text"], other["text"]
        others = [document for other in rows if other is not row for document in other["documents"]]
        yield i, "random", rng.choice(correct)["text"], rng.choice(others)["text"]


def _is_called(graph: RhetoricalGraph) -> bool:
    return any(edge.link is Link.CONTRADICTS for edge in graph.edges)


def _figures(found: list[tuple[Pair, float, bool]], seed: int) -> dict[str, object]:
    questions = np.array([pair[0] for pair, _, _ in found])
    sorts = np.array([pair[1] for pair, _, _ in found])
    scores = np.array([score for _, score, _ in found])
    called = np.array([called for _, _, called in found])
    drawn = np.random.default_rng(seed)
    rows_of = [np.flatnonzero(questions == question) for question in np.unique(questions)]
    draws = [_aucs(scores, sorts)]
    for _ in range(1_000):
        rows = np.concatenate([rows_of[i] for i in drawn.integers(0, len(rows_of), len(rows_of))])
        draws.append(_aucs(scores[rows], sorts[rows]))
    low, high = np.percentile(draws[1:], [2.5, 97.5], axis=0)
    names = ("against_random", "against_related", "balanced")
    return {
        "n": {sort: int((sorts == sort).sum()) for sort in SORTS},
        **{name: [round(float(v), 3) for v in (draws[0][i], low[i], high[i])] for i, name in enumerate(names)},
        "called_contradictions": {sort: round(float(called[sorts == sort].mean()), 3) for sort in SORTS},
    }


def _aucs(scores: np.ndarray, sorts: np.ndarray) -> list[float]:
    against = [_auc(scores[sorts == "contradicting"], scores[sorts == sort]) for sort in ("random", "related")]
    return [*against, sum(against) / 2]


def _auc(positive: np.ndarray, negative: np.ndarray) -> float:
    """How often a positive scores above a negative; a tie is half."""
    difference = positive[:, None] - negative[None, :]
    return float(((difference > 0) + 0.5 * (difference == 0)).mean())


if __name__ == "__main__":
    main()
