"""Indexing cost: relative to encoding each sentence once, by text length, and in memory.

    [TREATISE_DATA=FOLDER] python benchmarks/index.py [--words 50000] [--lengths 5000,50000,350000] [--repeats 3]
        [--recipes treatise,balanced,disretrieval-pooled,disretrieval-nuclei,raptor]

``ratios`` is for one text of ``--words``: the median over interleaved repeats of (bytes to stored index) / (each of its
sentences encoded once with the same session), for each recipe, in wall time and in processor time, which is less
sensitive to other load; ``raptor``, with instant summaries by a scripted model, is the speed baseline (it needs
``treatise[raptor]``). ``lengths`` indexes a text of each length with the first of ``--recipes`` in a separate process:
seconds, processor seconds, and peak memory.

Without ``TREATISE_DATA`` the text is the example, repeated. Equal sentences are encoded only once, so use real texts
for reported results.
"""

import argparse
import json
import multiprocessing
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from inputs import long_text, open_encoder

from treatise.compose import open_parser
from treatise.core.ports import Encoder, Message
from treatise.core.recipe import Discourse, Recipe, Summaries
from treatise.ingest import read_bytes
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import recipe_named
from treatise.store import SqliteStore
from treatise.testing import ScriptedModel

Cost = tuple[float, float]
"""Wall time and processor time of all cores, in seconds."""

built_in_parser = cache(open_parser)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--lengths", type=lambda text: [int(n) for n in text.split(",") if n], default=[5_000, 50_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--recipes", default="treatise,balanced")
    options = parser.parse_args()
    recipes = list(map(recipe_named, options.recipes.split(",")))
    report = {
        "ratios": ratios(long_text(options.words), options.repeats, recipes) if options.repeats else None,
        "lengths": [in_own_process(n_words, recipes[0].slug) for n_words in options.lengths],
    }
    print(json.dumps(report, indent=1))


def ratios(text: str, repeats: int, recipes: list[Recipe]) -> dict[str, object]:
    encoder = open_encoder()
    document = read_bytes(text.encode(), name="text.txt")
    sentences = [document.quote(s.start, s.end) for group in document.readable_sentences() for s in group]
    costs: dict[str, list[Cost]] = {"encode": [], **{recipe.slug: [] for recipe in recipes}}
    for _ in range(repeats):
        costs["encode"].append(cost(lambda: encoder.encode(sentences)))
        for recipe in recipes:
            costs[recipe.slug].append(index_cost(text, recipe, encoder))
    return {
        "n_words": len(text.split()),
        "n_sentences": len(sentences),
        **{name: medians(of_name, costs["encode"]) for name, of_name in costs.items()},
    }


def medians(costs: list[Cost], baseline: list[Cost]) -> dict[str, float]:
    (seconds, processor), pairs = zip(*costs, strict=True), list(zip(costs, baseline, strict=True))
    return {
        "seconds": round(statistics.median(seconds), 2),
        "cpu_s": round(statistics.median(processor), 2),
        "ratio": round(statistics.median(a / b for (a, _), (b, _) in pairs), 3),
        "ratio_cpu": round(statistics.median(a / b for (_, a), (_, b) in pairs), 3),
    }


def index_cost(text: str, recipe: Recipe, encoder: Encoder) -> Cost:
    """Indexes bytes into a new store."""
    model = ScriptedModel(half) if recipe.indexing.notes.summaries is Summaries.LLM else None
    parser = built_in_parser() if isinstance(recipe.indexing.tree, Discourse) else None
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "store.db")
        library = Library(store, System(recipe, Engines(encoder, parser=parser, model=model)))
        found = cost(lambda: library.index("text.txt", data=text.encode()))
        library.close()
    return found


def cost(work: Callable[[], object]) -> Cost:
    """Wall time and processor time of all cores, in seconds."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def half(conversation: Sequence[Message]) -> str:
    """The first half of the text to summarise, at most 60 words."""
    words = [word for word in conversation[1].content.split() if not word.startswith("<")]
    return " ".join(words[: min(60, (len(words) + 1) // 2)])


def in_own_process(n_words: int, recipe: str) -> dict[str, float]:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(cost_of_length, n_words, recipe).result()


def cost_of_length(n_words: int, recipe: str) -> dict[str, float]:
    text = long_text(n_words)
    encoder = open_encoder()
    before = peak_mb()
    seconds, processor = index_cost(text, recipe_named(recipe), encoder)
    return {
        "n_words": n_words,
        "seconds": round(seconds, 2),
        "cpu_s": round(processor, 2),
        "cpu_ms_per_1000_words": round(1e6 * processor / n_words, 1),
        "peak_mb": round(peak_mb()),
        "peak_mb_before": round(before),
    }


def peak_mb() -> float:
    """Peak memory of this process; the unit of ``ru_maxrss`` differs by system."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


if __name__ == "__main__":
    main()
