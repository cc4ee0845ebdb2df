"""Query cost on an indexed document: in a running process, and as a whole command.

    [TREATISE_DATA=FOLDER] python benchmarks/query.py [--words 10000] [--repeats 30] [--starts 5] [--reranker NAME]

``search`` is ``Library.search`` against encoding the question and one matrix-vector product over the sentences'
vectors, interleaved; ``first`` is the first question, for which the index is fetched from the store. ``reranked`` is
the same search with a second stage: in wall time, and in processor time, which is more reliable on a busy machine.
``command`` is ``treatise ask FILE QUESTION`` from start to answer, a new process each time, and the share of import
time.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from inputs import long_text, open_encoder

from treatise.compose import open_reranker
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import TREATISE, TREATISE_RERANKED
from treatise.store import SqliteStore

QUESTIONS = (
    "What does the captain decide to do about the ship?",
    "Who is waiting at the door when the stranger comes back?",
    "Why was the experiment repeated?",
    "How long does the journey take them?",
)
COMMAND = (sys.executable, "-c", "from treatise.cli import main; main()")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--reranker", default="late-interaction")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, store = Path(folder) / "text.txt", Path(folder) / "store.db"
        source.write_text(long_text(options.words), encoding="utf-8")
        report = {
            "search": search(source, store, options.repeats),
            "reranked": reranked(source, store, options.repeats, options.reranker),
            "command": command(source, store, options.starts),
        }
    print(json.dumps(report, indent=1))


def search(source: Path, store: Path, repeats: int) -> dict[str, float]:
    encoder = open_encoder()
    library = Library(SqliteStore(store), System(TREATISE, Engines(encoder)))
    document = library.index(source).document
    library.close()
    library = Library(SqliteStore(store), System(TREATISE, Engines(encoder)))
    first_ms = elapsed_ms(lambda: library.search(QUESTIONS[0], documents=[document]))
    indexed = library.store.get(document, library.index_key)
    assert indexed is not None
    sentences = indexed.vectors[indexed.tree.leaf_nodes].astype(np.float32)
    baseline, ours = [], []
    for i in range(repeats):
        question = f"{QUESTIONS[i % len(QUESTIONS)]} {i}"
        baseline.append(elapsed_ms(lambda q=question: sentences @ encoder.encode([q])[0]))
        ours.append(elapsed_ms(lambda q=question: library.search(q, documents=[document])))
    library.close()
    return {
        "n_sentences": len(sentences),
        "first_ms": round(first_ms, 2),
        "search_ms": round(statistics.median(ours), 2),
        "encode_and_multiply_ms": round(statistics.median(baseline), 2),
        "ratio": round(statistics.median(a / b for a, b in zip(ours, baseline, strict=True)), 2),
    }


def reranked(source: Path, store: Path, repeats: int, name: str) -> dict[str, float]:
    engines = Engines(open_encoder(), reranker=open_reranker(name))
    library = Library(SqliteStore(store), System(TREATISE_RERANKED, engines))
    document = library.index(source).document
    library.search(QUESTIONS[0], documents=[document])
    wall, processor = [], []
    for i in range(repeats):
        question = f"{QUESTIONS[i % len(QUESTIONS)]} {i}"
        busy_s = time.process_time()
        wall.append(elapsed_ms(lambda q=question: library.search(q, documents=[document])))
        processor.append(1e3 * (time.process_time() - busy_s))
    library.close()
    return {
        "median_ms": round(statistics.median(wall), 1),
        "least_ms": round(min(wall), 1),
        "processor_ms": round(statistics.median(processor), 1),
    }


def command(source: Path, store: Path, starts: int) -> dict[str, float]:
    arguments = ("ask", str(source), QUESTIONS[0], "--store", str(store))
    wall_s, imports_s = [], []
    for _ in range(starts):
        wall_s.append(elapsed_ms(lambda: started(*COMMAND, *arguments)) / 1e3)
        imports_s.append(imports(started(COMMAND[0], "-X", "importtime", *COMMAND[1:], *arguments)))
    return {
        "wall_s": round(statistics.median(wall_s), 3),
        "imports_s": round(statistics.median(imports_s), 3),
        "import_share": round(statistics.median(a / b for a, b in zip(imports_s, wall_s, strict=True)), 3),
    }


def started(*command: str) -> str:
    """The standard error of a completed command, run without user settings."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TREATISE_")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {done.stderr[-500:]}")
    return done.stderr


def imports(trace: str) -> float:
    """Import time in seconds, summed over modules' self times; tracing adds some overhead."""
    return sum(int(own) for own in re.findall(r"^import time:\s+(\d+) \|", trace, re.MULTILINE)) / 1e6


def elapsed_ms(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return 1e3 * (time.perf_counter() - started)


if __name__ == "__main__":
    main()
