"""Machines of a Ray cluster that are killed: `kill -9` of every process of a node, again and again, during one job.

A cluster of several nodes on this machine indexes documents into a library. After every third document that is stored,
a node is killed and another one joins. Among the documents is one that kills its worker every time, one that uses up
the memory, one whose reader fails and one that is blank. Afterwards the library must be that of one process, to the byte
except times; these four must be listed, and every other document must have been reported once.
"""

import logging
import os
import random
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.harden.campaign import Campaign
from treatise.core.document import Document
from treatise.core.errors import SourceError
from treatise.distribute import index_on_ray
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.sources import read_source
from treatise.pipeline.system import System
from treatise.recipes import recipe_named
from treatise.store import SqliteStore
from treatise.store.stored import StoredDocument

N_KILLS = 20
N_NODES = 3
STORED_PER_KILL = 3
HUNGER = 3 << 30
"""Bytes that a document takes whose reader has no end."""
SPARE = 2 << 30
"""Bytes that all processes may take beyond what is used when the cluster starts."""
BAD = {"02x.txt": "KILL", "05x.txt": "RAISE", "07x.txt": "HUNGRY", "09x.txt": " "}
WORDS = ("rain", "tea", "river", "stone", "letter", "court", "harbour", "answer", "paper", "engine", "because")


def run(campaign: Campaign, n_kills: int = N_KILLS, open_engines: Callable[[], Engines] | None = None) -> None:
    """Runs jobs of so many kills; the last one is finished, however long it takes. By default with the real encoder."""
    from treatise.compose import engines_for_workers

    recipe = recipe_named("treatise")
    open_engines = open_engines or engines_for_workers(recipe)
    system, choice = System(recipe, open_engines()), random.Random(campaign.seed)
    is_first = True
    while is_first or campaign.goes_on:
        is_first = False
        with tempfile.TemporaryDirectory(prefix="treatise-nodes-") as folder:
            _job(campaign, Job(Path(folder), system, open_engines, choice), n_kills)


@dataclass(frozen=True, slots=True)
class Job:
    """The folder of a job, what indexes its documents, and what decides about chance."""

    folder: Path
    system: System
    open_engines: Callable[[], Engines]
    choice: random.Random

    def written(self, n_documents: int) -> tuple[list[str], list[str]]:
        """Documents, and the bad ones among them; the paths of all, sorted, and of the good ones."""
        texts = self.folder / "texts"
        texts.mkdir()
        for number in range(n_documents):
            (texts / f"{number:02}.txt").write_text(_text(number, self.choice), encoding="utf-8")
        good = sorted(map(str, texts.iterdir()))
        for name, text in BAD.items():
            (texts / name).write_text(f"{text} as this is read.\n" if text.strip() else text, encoding="utf-8")
        return sorted(map(str, texts.iterdir())), good


def _job(campaign: Campaign, job: Job, n_kills: int) -> None:
    sources, good = job.written(STORED_PER_KILL * n_kills + 2)
    one, many = job.folder / "one.db", job.folder / "many.db"
    with Library(SqliteStore(one), job.system) as library:
        for _ in library.index_all([(source, None) for source in good]):
            pass
    reported: Counter[str] = Counter()
    failed: dict[str, str] = {}
    started = time.monotonic()
    with nodes(N_NODES) as cluster, Library(SqliteStore(many), job.system) as library:
        n_killed = 0
        for source, result in index_on_ray(library, sources, open_engines=job.open_engines, read=read):
            reported[source] += 1
            if isinstance(result, SourceError):
                failed[Path(source).name] = str(result)
            if n_killed < n_kills and sum(reported.values()) % STORED_PER_KILL == 0:
                kill_node(cluster, job.choice)
                n_killed += 1
    campaign.count("jobs")
    campaign.count("documents", len(sources))
    campaign.count("nodes killed", n_killed)
    campaign.count("seconds of jobs", round(time.monotonic() - started))
    if n_killed < n_kills:
        campaign.fault(f"only {n_killed} nodes were killed")
    if set(failed) != set(BAD):
        campaign.fault(f"failed: {failed}, expected {sorted(BAD)}")
    if reported != Counter(sources):
        campaign.fault(f"reported {reported - Counter(sources)} too often, {Counter(sources) - reported} not at all")
    if stored(many) != stored(one):
        campaign.fault("the library is not that of one process")
    for name, reason in sorted(failed.items()):
        campaign.count(f"{BAD.get(name, name).strip() or 'blank'}: {reason.replace(str(job.folder), '')}")


def _text(number: int, choice: random.Random) -> str:
    sentences = [" ".join(choice.choices(WORDS, k=choice.randint(4, 14))) for _ in range(choice.randint(20, 60))]
    return f"Title {number}\n\n{' '.join(f'{one.capitalize()}.' for one in sentences)}\n"


def read(data: bytes, name: str) -> Document:
    """Reads a document in a worker; bad ones do what they say."""
    if data.startswith(b"KILL"):
        os.kill(os.getpid(), signal.SIGKILL)
    if data.startswith(b"RAISE"):
        raise ZeroDivisionError("a fault of the reader")
    if data.startswith(b"HUNGRY"):
        taken = []
        while sum(map(len, taken)) < HUNGER:
            taken.append(b"x" * (64 << 20))
            time.sleep(0.02)
    return read_source(data, name)


def stored(path: Path) -> list[StoredDocument]:
    """All rows of a library, without the time of indexing."""
    with SqliteStore(path) as store:
        found = list(store.stored())
    for one in found:
        del one.row["indexed_at"]
    return found


@contextmanager
def nodes(n: int) -> Iterator[Any]:
    """A cluster of this process's node, which works on nothing, and others of one processor each."""
    import psutil
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    memory = psutil.virtual_memory()
    share = (memory.total - memory.available + SPARE) / memory.total
    variables = {"RAY_memory_usage_threshold": str(share), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        try:
            for _ in range(n):
                cluster.add_node(num_cpus=1)
            ray.init(address=cluster.address, log_to_driver=False, configure_logging=False)
            yield cluster
        finally:
            ray.shutdown()
            cluster.shutdown()
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


def kill_node(cluster: Any, choice: random.Random) -> None:
    """Kills all processes of a node at once, as a power cut does, and adds another node."""
    import psutil

    node = choice.choice(sorted(cluster.worker_nodes, key=lambda one: one.node_id))
    raylet = psutil.Process(node.all_processes["raylet"][0].process.pid)
    for process in [raylet, *raylet.children(recursive=True)]:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    cluster.remove_node(node, allow_graceful=False)
    cluster.add_node(num_cpus=1)
