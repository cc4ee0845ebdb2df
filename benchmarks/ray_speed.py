"""Indexing by the workers of a Ray cluster compared with one process, on this machine.

    PYTHONPATH=src:. python benchmarks/ray_speed.py PAPERS.jsonl[.gz] --documents 60 --workers 2 --pairs 3

The papers of QASPER are written as text files. Each pair indexes them with the built-in encoder in one process of one
thread, then on a cluster of so many workers of one thread each, into new libraries. Beside it, without Ray, that many
processes index every so-many-th document each, into libraries of their own: what the machine allows. The time of a
cluster is given with the start of Ray and its workers, and without: from the first document that is stored. Processor
seconds, of all processes together, tell what Ray costs where other work keeps the machine busy.
"""

import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from itertools import islice
from pathlib import Path
from statistics import median

from benchmarks.harden.nodes import stored
from treatise.compose import engines_for_workers
from treatise.distribute import index_on_ray
from treatise.evaluate.data.loaders.qasper import load_qasper
from treatise.pipeline.library import Library
from treatise.pipeline.reports import IndexReport
from treatise.pipeline.system import System
from treatise.recipes import recipe_named
from treatise.store import SqliteStore

RECIPE = recipe_named("treatise")


def written(papers: Path, folder: Path, n_documents: int) -> list[str]:
    folder.mkdir()
    for number, labelled in enumerate(islice(load_qasper(papers), n_documents)):
        (folder / f"{number:03}.txt").write_text(labelled.document.text, encoding="utf-8")
    return sorted(map(str, folder.iterdir()))


def by_one_process(sources: list[str], path: Path) -> tuple[float, float]:
    """Seconds and processor seconds, with the loading of the models."""
    started, before = time.perf_counter(), time.process_time()
    with Library(SqliteStore(path), System(RECIPE, engines_for_workers(RECIPE)())) as library:
        check(library.index_all([(source, None) for source in sources]), len(sources))
    return time.perf_counter() - started, time.process_time() - before


def by_ray(sources: list[str], path: Path, n_workers: int) -> tuple[float, float, float]:
    """Seconds in all, those of a document once workers are ready times the number of documents, processor seconds."""
    import psutil

    opener = engines_for_workers(RECIPE)
    started, before, at, spent = time.perf_counter(), time.process_time(), [], []
    with Library(SqliteStore(path), System(RECIPE, opener())) as library:

        def results():
            for source, result in index_on_ray(library, sources, address=f"local:{n_workers}", open_engines=opener):
                at.append(time.perf_counter())
                if len(at) == len(sources):
                    children = [one.cpu_times() for one in psutil.Process().children(recursive=True)]
                    spent.append(sum(one.user + one.system for one in children))
                yield source, result

        check(results(), len(sources))
    seconds = time.perf_counter() - started
    ready = (at[-1] - at[n_workers - 1]) * len(sources) / (len(sources) - n_workers)
    return seconds, ready, time.process_time() - before + sum(spent)


def by_processes(sources: list[str], folder: Path, n_workers: int) -> tuple[float, float]:
    """Seconds until the last of independent processes ends, and processor seconds."""
    folder.mkdir()
    started, before = time.perf_counter(), os.times()
    running = [
        subprocess.Popen([sys.executable, __file__, "one", str(folder / f"{number}.db"), *sources[number::n_workers]])
        for number in range(n_workers)
    ]
    for process in running:
        assert process.wait() == 0
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - started, spent


def check(results, n_documents: int) -> None:
    assert sum(isinstance(result, IndexReport) for _, result in results) == n_documents


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=3)
    arguments = parser.parse_args()
    n = arguments.workers
    ratios, ready_ratios, limits = [], [], []
    with tempfile.TemporaryDirectory(prefix="treatise-ray-") as name:
        folder = Path(name)
        sources = written(arguments.papers, folder / "texts", arguments.documents)
        for number in range(arguments.pairs):
            one, processor = by_one_process(sources, folder / f"one-{number}.db")
            many, ready, processor_of_ray = by_ray(sources, folder / f"many-{number}.db", n)
            limit, processor_of_limit = by_processes(sources, folder / f"limit-{number}", n)
            ratios.append(one / many)
            ready_ratios.append(one / ready)
            limits.append(one / limit)
            same = stored(folder / f"one-{number}.db") == stored(folder / f"many-{number}.db")
            print(f"{len(sources)} documents, one process {one:.1f} s; the same library: {same}")
            print(f"   {n} workers {many:.1f} s, ratio {one / many:.2f}; when ready {ready:.1f} s, {one / ready:.2f}")
            print(f"   {n} processes without Ray {limit:.1f} s, {one / limit:.2f}")
            spent = f"one process {processor:.1f}, Ray {processor_of_ray:.1f}, without Ray {processor_of_limit:.1f}"
            print(f"   processor seconds: {spent}", flush=True)
    print(f"median ratio {median(ratios):.2f}, when ready {median(ready_ratios):.2f}, without Ray {median(limits):.2f}")


if __name__ == "__main__":
    if sys.argv[1] == "one":
        by_one_process(sys.argv[3:], Path(sys.argv[2]))
    else:
        main()
