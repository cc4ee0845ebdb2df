"""Times whole commands of the shell, with the start of the interpreter, and compares two versions of the program.

    VENV/bin/python benchmarks/shell.py --document FILE --question QUESTION [--library LIBRARY.db] [--before PYTHON]
        [--runs 20]

The version is the one installed for this interpreter: a wheel in an environment of its own, as users have it, whose
modules are compiled. A source tree is slower if its byte code cannot be written (PYTHONDONTWRITEBYTECODE).
Commands: ``--help``, ``search`` and ``ask`` with one small document, and ``ask`` in the library. Each runs once before
it counts, so that files are in the page cache and documents are indexed. Printed per command: median and quartiles of
wall and processor seconds (user and system, all threads). ``--before`` names the interpreter of an environment with
another version: both run in turn, each with its own index of the document, with the median and quartiles of the ratios
of pairs.
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

Times = tuple[float, float]
"""Wall and processor seconds."""


def main(commands: Mapping[str, Sequence[str]], versions: Mapping[str, str], n_runs: int, store: Path) -> None:
    """Times the commands in the versions, by their interpreters; each has a store of its name if that is a folder."""
    for name, arguments in commands.items():
        runs: dict[str, list[Times]] = {version: [] for version in versions}
        for number in range(n_runs + 1):
            for version, python in versions.items():
                took = timed(arguments, python, store / f"{version}.db" if store.is_dir() else store)
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


def timed(arguments: Sequence[str], python: str, store: Path) -> Times:
    """One run of the command by the version that is installed for that interpreter.

    Raises:
        CalledProcessError: If it fails.
    """
    others = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**others, "TREATISE_STORE": str(store)}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [python, "-P", "-m", "treatise", *arguments]
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
    parser.add_argument("--before", metavar="PYTHON")
    parser.add_argument("--runs", type=int, default=20)
    given = parser.parse_args()
    document, question = str(given.document.resolve()), given.question
    versions = {"before": given.before} if given.before else {}
    versions["now"] = sys.executable
    with TemporaryDirectory() as folder:
        commands = {"help": ["--help"], "ask FILE": ["ask", document, question], "search": ["search", question]}
        main(commands, versions, given.runs, Path(folder))
    if given.library:
        main({"ask LIBRARY": ["ask", question]}, versions, given.runs, given.library)
