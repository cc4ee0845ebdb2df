"""Searches ten million generated vectors by codes, then exactly, as the first stage over a library does.

    python benchmarks/corpora_generated.py LIBRARY.db QUESTIONS.jsonl[.gz] FOLDER [--rows 10000000] [--faiss]

LIBRARY comes from ``corpora_data.py qasper``. Each vector is one of its leaves moved by noise whose length is even
between .25 and .75 (a cosine of .97 to .80). Vectors, codes and exact neighbours stay in FOLDER for the next run. With
``--faiss``, an IVF index of faiss-cpu is made of the same vectors. Every figure is printed as one line of JSON.
"""

import json
import resource
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from treatise.compose import open_library
from treatise.evaluate.data.loaders.qasper import load_qasper
from treatise.retrieve.rows import number_near
from treatise.retrieve.signs import Planes, Signs

N_BEST, TOGETHER, N_PLANED = 100, 16_384, 40_000


def show(**figures: Any) -> None:
    figures = {key: round(value, 4) if isinstance(value, float) else value for key, value in figures.items()}
    print(json.dumps({**figures, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}), flush=True)


def seconds(act: Callable[[], Any]) -> tuple[Any, float, float]:
    """The result, and the seconds of wall clock and processor."""
    wall, cpu = time.perf_counter(), time.process_time()
    return act(), time.perf_counter() - wall, time.process_time() - cpu


def generate(library: Path, folder: Path, n_rows: int) -> None:
    """Writes the vectors, each divided by its scale and rounded, and the scales."""
    opened = open_library(store=library)
    key = opened.system.index_key
    papers = [opened.store.get(id_, key) for id_ in opened.store.sizes(key)]
    real = np.concatenate([one.vectors[one.tree.leaf_nodes] for one in papers]).astype(np.float32)
    rows = np.lib.format.open_memmap(folder / "vectors.npy", mode="w+", dtype=np.int8, shape=(n_rows, real.shape[1]))
    scales, generator = np.empty(n_rows, dtype=np.float32), np.random.default_rng(0)
    for first in range(0, n_rows, len(real)):
        n = min(len(real), n_rows - first)
        length = generator.uniform(0.25, 0.75, (n, 1)).astype(np.float32) / np.float32(real.shape[1] ** 0.5)
        noise = generator.standard_normal((n, real.shape[1]), dtype=np.float32)
        moved = real[generator.permutation(len(real))[:n]] + length * noise
        moved /= np.linalg.norm(moved, axis=1, keepdims=True)
        scales[first : first + n] = np.abs(moved).max(axis=1) / 127
        rows[first : first + n] = np.rint(moved / scales[first : first + n, None])
    np.save(folder / "scales.npy", scales)


def neighbours(rows: np.ndarray, scales: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """The exact best rows of each question."""
    best = np.zeros((0, len(asked)), dtype=np.float32)
    found = np.zeros((0, len(asked)), dtype=np.int64)
    for first in range(0, len(rows), TOGETHER):
        here = slice(first, first + TOGETHER)
        cosines = (rows[here].astype(np.float32) @ asked.T) * scales[here, None]
        best = np.concatenate([best, cosines])
        found = np.concatenate([found, np.broadcast_to(np.arange(first, first + len(cosines))[:, None], cosines.shape)])
        kept = np.argsort(-best, axis=0)[:N_BEST]
        best, found = np.take_along_axis(best, kept, 0), np.take_along_axis(found, kept, 0)
    return found.T


def kept(path: Path, make: Callable[[], np.ndarray]) -> np.ndarray:
    if not path.exists():
        array, _, cpu_s = seconds(make)
        np.save(path, array)
        show(what=f"{path.stem} made", cpu_s=cpu_s, mb=array.nbytes // 10**6)
    return np.load(path)


def main(library: Path, questions: Path, folder: Path, n_rows: int, n_questions: int, with_faiss: bool) -> None:
    texts = [question.text for one in load_qasper(questions) for question in one.questions]
    texts = [texts[int(i)] for i in np.random.default_rng(7).permutation(len(texts))[:n_questions]]
    asked = open_library(store=library).system.engines.encoder.encode_questions(texts)
    if not (folder / "scales.npy").exists():
        generate(library, folder, n_rows)
    rows, scales = np.load(folder / "vectors.npy", mmap_mode="r"), np.load(folder / "scales.npy")
    sample = np.linspace(0, len(rows) - 1, N_PLANED).astype(np.int64)
    planes = Planes.of(rows[sample].astype(np.float32) * scales[sample, None])

    def floats(first: int) -> np.ndarray:
        return rows[first : first + TOGETHER].astype(np.float32) * scales[first : first + TOGETHER, None]

    starts = range(0, len(rows), TOGETHER)
    codes = kept(
        folder / "codes.npy", lambda: np.concatenate([planes.codes(floats(first)) for first in starts], axis=1)
    )
    exact = kept(folder / "neighbours.npy", lambda: neighbours(rows, scales, asked))

    def ours(query: np.ndarray) -> np.ndarray:
        near = Signs(codes, planes.code_of_question(query), None).nearest(number_near(len(rows)))
        vectors, cosines = rows[near], scales[near]
        for first in range(0, len(near), 256):
            cosines[first : first + 256] *= vectors[first : first + 256].astype(np.float32) @ query
        return near[np.argpartition(-cosines, N_BEST)[:N_BEST]]

    report("codes, then exact", len(rows), ours, asked, exact)
    if with_faiss:
        of_faiss(rows, floats, starts, asked, exact)


def report(what: str, n_rows: int, search: Callable[[np.ndarray], np.ndarray], asked: np.ndarray, exact: Any) -> None:
    for query in asked:
        search(query)
    walls, cpus, recalls = [], [], []
    for query, best in zip(asked, exact, strict=True):
        found, wall_s, cpu_s = seconds(lambda query=query: search(query))
        walls.append(1e3 * wall_s)
        cpus.append(1e3 * cpu_s)
        recalls.append(np.isin(best, found).mean())
    show(
        what=what,
        rows=n_rows,
        n=len(asked),
        recall=float(np.mean(recalls)),
        worst=float(min(recalls)),
        ms=float(np.median(walls)),
        max_ms=max(walls),
        cpu_ms=float(np.median(cpus)),
    )


def of_faiss(rows: Any, floats: Any, starts: range, asked: np.ndarray, exact: np.ndarray) -> None:
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.index_factory(rows.shape[1], "IVF1024,SQ8", faiss.METRIC_INNER_PRODUCT)
    _, _, train_s = seconds(
        lambda: index.train(np.concatenate([floats(first) for first in starts[:: len(starts) // 4]]))
    )
    _, _, add_s = seconds(lambda: [index.add(floats(first)) for first in starts])
    show(what="faiss IVF1024,SQ8 made", train_cpu_s=train_s, add_cpu_s=add_s)
    for index.nprobe in (16, 32, 64, 128):
        search = lambda query: index.search(query[None], N_BEST)[1][0]  # noqa: E731
        report(f"faiss IVF1024,SQ8, {index.nprobe} probes", len(rows), search, asked, exact)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--questions-asked", type=int, default=60, dest="n_questions")
    parser.add_argument("--faiss", action="store_true")
    given = parser.parse_args()
    main(given.library, given.questions, given.folder, given.rows, given.n_questions, given.faiss)
