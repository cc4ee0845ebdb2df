"""Times whole commands of the shell, with the start of the interpreter, and compares two versions of the program.

    python benchmarks/shell.py --document FILE --question QUESTION [--library LIBRARY.db] [--before SRC] --runs 20

Commands: ``--help``, ``search`` and ``ask`` with one small document, and ``ask`` in the library. Each runs once before
it counts, so that files are in the page cache, byte code is compiled and documents are indexed. Printed per command:
median and quartiles of wall and processor seconds (user and system, all threads). ``--before`` names the ``src`` folder
of another version: both run in turn, with the median and quartiles of the ratios of pairs.
"""

import json
import os
import resource
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import treatise

Times = tuple[float, float]
"""Wall and processor seconds."""


def main(commands: Mapping[str, Sequence[str]], versions: Mapping[str, Path], n_runs: int, store: Path) -> None:
    for name, arguments in commands.items():
        runs: dict[str, list[Times]] = {version: [] for version in versions}
        for number in range(n_runs + 1):
            for version, source in versions.items():
                took = timed(arguments, source, store)
                if number:
                    runs[version].append(took)
        for version, times in runs.items():
            wall, processor = np.array(times).T
            row = {
                "command": name,
                "version": version,
                "n": n_runs,
                "wall": spread(wall),
                "processor": spread(processor),
            }
            print(json.dumps(row), flush=True)
        if len(runs) > 1:
            before, now = (np.array(times) for times in runs.values())
            wall, processor = (spread(column) for column in (now / before).T)
            print(json.dumps({"command": name, "ratio of wall": wall, "ratio of processor": processor}), flush=True)


def timed(arguments: Sequence[str], source: Path, store: Path) -> Times:
    """One run of the command by the version in that folder.

    Raises:
        CalledProcessError: If it fails.
    """
    environment = {**os.environ, "PYTHONPATH": str(source), "TREATISE_STORE": str(store)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "treatise", *arguments]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def spread(values: np.ndarray) -> list[float]:
    """Median and quartiles."""
    return [round(float(value), 3) for value in np.percentile(values, [50, 25, 75])]


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--document", type=Path, required=True)
    parser.add_argument("--question", required=True)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--runs", type=int, default=20)
    given = parser.parse_args()
    document, question = str(given.document.resolve()), given.question
    now = Path(treatise.__file__).parent.parent
    versions = {"before": given.before, "now": now} if given.before else {"now": now}
    with TemporaryDirectory() as folder:
        commands = {"help": ["--help"], "ask FILE": ["ask", document, question], "search": ["search", question]}
        main(commands, versions, given.runs, Path(folder) / "library.db")
    if given.library:
        main({"ask LIBRARY": ["ask", question]}, versions, given.runs, given.library)
