"""Measures a large library: questions, recall against a full scan, memory, opening, insertion, deletion.

    python benchmarks/corpora.py LIBRARY.db QUESTIONS.jsonl[.gz] [--questions 200] [--recall 50] [--seed 0]

LIBRARY comes from ``corpora_data.py``; QUESTIONS is QASPER. Times are of this process' wall clock, and of its processor
where the machine is shared. Every figure is printed as one line of JSON.
"""

import json
import resource
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import numpy as np


def show(**figures: Any) -> None:
    figures = {key: round(value, 4) if isinstance(value, float) else value for key, value in figures.items()}
    print(json.dumps({**figures, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}), flush=True)


def timed(act: Callable[[], Any]) -> tuple[Any, float, float]:
    """The result, and the milliseconds of wall clock and processor."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = act()
    return result, 1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)


def summary(values: list[float]) -> dict[str, float]:
    return {"median": median(values), "p99": quantiles(values, n=100)[98]}


def main(path: Path, questions_path: Path, n_questions: int, n_recall: int, seed: int) -> None:
    wall = time.perf_counter()
    from treatise.compose import open_library
    from treatise.evaluate.data.loaders.qasper import load_qasper
    from treatise.pipeline.candidates import side_file

    show(what="imports", ms=1e3 * (time.perf_counter() - wall))
    texts = [question.text for one in load_qasper(questions_path) for question in one.questions]
    texts = [texts[int(i)] for i in np.random.default_rng(seed).permutation(len(texts))]
    library, ms, _ = timed(lambda: open_library(store=path))
    show(what="open", ms=ms)
    sizes, ms, _ = timed(lambda: library.store.sizes(library.system.index_key))
    show(what="sizes", ms=ms, documents=len(sizes), nodes=sum(sizes.values()))
    side = side_file(library.store, library.system.index_key)
    candidates = library._indexer.candidates
    existed = side.exists()
    _, ms, cpu = timed(candidates.index.current)
    show(what="index read" if existed else "index made", ms=ms, cpu_ms=cpu, bytes=side.stat().st_size)
    _, ms, cpu = timed(lambda: library.search(texts[-1]))
    show(what="first question", ms=ms, cpu_ms=cpu)
    rows = [stages(library, text) for text in texts[:n_questions]]
    for name in rows[0]:
        show(what=name, n=len(rows), **summary([row[name] for row in rows]))
    changes(library, next(iter(sizes)))
    if n_recall:
        recall, ms, _ = timed(lambda: library.candidate_recall(texts[:n_recall]))
        shares = {"passages": recall.passages, "as_good": recall.as_good, "identical": recall.identical}
        show(what="recall", n=recall.n_questions, **shares, s=ms / 1e3)


def stages(library, text: str) -> dict[str, float]:
    from treatise.pipeline.candidates import N_CANDIDATES
    from treatise.pipeline.system import DEFAULT_WORDS
    from treatise.retrieve.corpus import CorpusQuery

    candidates, indexer = library._indexer.candidates, library._indexer
    row = {}
    vector, row["encode ms"], _ = timed(lambda: library.system.engines.encoder.encode_questions([text])[0])
    _, row["stage one ms"], row["stage one cpu ms"] = timed(
        lambda: candidates.index.find(
            CorpusQuery(
                text,
                vector,
                library.recipe.scoring,
                n_documents=N_CANDIDATES,
                selection=library.recipe.selection,
                max_words=DEFAULT_WORDS,
            )
        )
    )
    found, _, _ = timed(lambda: candidates.find(text))
    documents, row["load ms"], row["load cpu ms"] = timed(lambda: [indexer.indexes.load(id_) for id_ in found.ids])
    _, row["stage two ms"], row["stage two cpu ms"] = timed(
        lambda: library.system.search(text, documents, corpus=found.corpus)
    )
    _, row["warm again ms"], row["warm again cpu ms"] = timed(lambda: library.search(text))
    row["documents"] = len(found.ids)
    row["total ms"] = row["encode ms"] + row["stage one ms"] + row["load ms"] + row["stage two ms"]
    row["total cpu ms"] = row["encode ms"] + row["stage one cpu ms"] + row["load cpu ms"] + row["stage two cpu ms"]
    return row


def changes(library, id_: str) -> None:
    """Deletes a document and inserts it again, with the index over all documents."""
    key = library.system.index_key
    indexed = library.store.get(id_, key)
    states = [state for name in entry_of(library, id_).sources if (state := library.store.state(name))]
    _, ms, cpu = timed(lambda: library.remove(id_))
    show(what="delete", ms=ms, cpu_ms=cpu)
    _, ms, cpu = timed(library._indexer.candidates.index.current)
    show(what="index after deletion", ms=ms, cpu_ms=cpu)
    _, ms, cpu = timed(lambda: library.store.put(indexed, index_key=key, state=states[0][1]))
    show(what="insert", ms=ms, cpu_ms=cpu)
    _, ms, cpu = timed(library._indexer.candidates.index.current)
    show(what="index after insertion", ms=ms, cpu_ms=cpu)
    texts = [indexed.document.quote(unit.start, unit.end) for unit in indexed.units]
    _, ms, cpu = timed(lambda: library.system.engines.encoder.encode(texts))
    show(what="encoding it", ms=ms, cpu_ms=cpu, leaves=len(texts))


def entry_of(library, id_: str):
    return next(entry for entry in library.documents() if entry.id == id_)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--questions", type=int, default=200, dest="n_questions")
    parser.add_argument("--recall", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0, help="of the order of the questions")
    given = parser.parse_args(sys.argv[1:])
    main(given.library, given.questions, given.n_questions, given.recall, given.seed)
