"""Measures a reranker: evidence with and without the second stage, and the time per question.

python benchmarks/reranking.py --dataset qasper --data qasper-dev-v0.3.json --reranker late-interaction --documents 40
"""

import argparse
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from treatise.compose import open_encoder, open_reranker
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder, Reranker
from treatise.core.recipe import Recipe, Reranking
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.retrieval import run
from treatise.evaluate.run.spec import RunSpec
from treatise.ingest import read_bytes
from treatise.pipeline.engines import Engines
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import recipe_named

WORDS_OF_A_LONG_DOCUMENT = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="qasper")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--recipe", default="treatise")
    parser.add_argument("--reranker", required=True)
    parser.add_argument("--candidates", type=int, nargs="+", default=[40])
    parser.add_argument("--weights", type=float, nargs="+", default=[0.25, 0.5, 1.0])
    parser.add_argument("--budget", type=int, default=300)
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    encoder, reranker = open_encoder(), open_reranker(options.reranker)
    first = recipe_named(options.recipe)
    recipes = [first] + [
        replace(first, name=f"{first.name}_{n}_{round(100 * weight)}", reranking=Reranking(n, 0, weight))
        for n in options.candidates
        for weight in options.weights
    ]
    with tempfile.TemporaryDirectory() as out:
        run(
            RunSpec(
                dataset=options.dataset,
                data=options.data,
                recipes=recipes,
                budgets=[options.budget],
                out=Path(out),
                engines=Engines(encoder, reranker=reranker),
                limit=options.documents,
                cache=options.cache,
            )
        )
        print((Path(out) / "summary.md").read_text())
    indexed = long_document(options.dataset, options.data, first, encoder)
    for recipe in recipes:
        print(f"{recipe.slug}: {milliseconds(indexed, recipe, encoder, reranker):.0f} ms a question")


def long_document(dataset: str, data: Path, recipe: Recipe, encoder: Encoder) -> IndexedDocument:
    texts: list[str] = []
    for labelled in dataset_named(dataset).load(data):
        texts.append(labelled.document.text)
        if sum(len(text.split()) for text in texts) >= WORDS_OF_A_LONG_DOCUMENT:
            break
    words = "\n\n".join(texts)
    return index_document(read_bytes(words.encode(), name="long.txt"), recipe.indexing, encoder=encoder)


def milliseconds(indexed: IndexedDocument, recipe: Recipe, encoder: Encoder, reranker: Reranker | None) -> float:
    questions = [f"Which data set number {n} do they use, and how is it made?" for n in range(7)]
    times = []
    for question in questions:
        started = time.perf_counter()
        retrieve([indexed], question, recipe, encoder=encoder, max_words=300, reranker=reranker)
        times.append(time.perf_counter() - started)
    return 1_000 * statistics.median(times)


if __name__ == "__main__":
    main()
