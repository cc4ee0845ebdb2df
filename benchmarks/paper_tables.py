"""Seconds of a table of each paper over four documents, with the shipped models and a scripted language model.

    PYTHONPATH=src:. python benchmarks/paper_tables.py --data FOLDER [--tables disretrieval:table5,…] [--out DIR]

Each table is run by ``treatise eval paper`` in a process of its own, against a server of OpenAI's protocol that
replies at once: first to its end, then with ``kill -9`` at half of the requests, and again to its end. Printed are the
seconds by the clock and of the processor, the requests, and how many were sent more often than without the kill. Data
sets that are not in FOLDER are those of the tests, in the form of the published ones.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.evaluate.paper_data import write_all
from tests.evaluate.scripted_server import ScriptedServer, scripted_server

TABLES = "disretrieval:table5,htsir:table4,disco-rag:table4"
N_DOCUMENTS = 4


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory() as folder, scripted_server() as server:
        data = _data(options.data, Path(folder))
        for table in options.tables.split(","):
            out = (options.out or Path(folder)) / table.replace(":", "-")
            print(json.dumps({"table": table, **measured(table, data, out, server)}), flush=True)


def measured(table: str, data: Path, out: Path, server: ScriptedServer) -> dict[str, object]:
    """Seconds and requests of a table: whole, until it is killed, and afterwards."""
    server.speak_again()
    server.answered.clear()
    before_s = _processor_s()
    whole_s = _run(table, data, out / "whole", server)
    processor_s = _processor_s() - before_s
    whole, n_calls = Counter(server.answered), len(server.answered)
    server.answered.clear()
    process = _started(table, data, out / "killed", server)
    server.fall_silent(n_calls // 2, process.kill)
    assert process.wait() == -signal.SIGKILL
    n_before = len(server.answered)
    server.speak_again()
    rest_s = _run(table, data, out / "killed", server)
    return {
        "seconds": round(whole_s, 1),
        "processor_seconds": round(processor_s, 1),
        "requests": n_calls,
        "killed_after": n_before,
        "seconds_after_kill": round(rest_s, 1),
        "requests_after_kill": len(server.answered) - n_before,
        "repeated": (Counter(server.answered) - whole).total(),
    }


def _run(table: str, data: Path, out: Path, server: ScriptedServer) -> float:
    started = time.monotonic()
    process = _started(table, data, out, server)
    if process.wait():
        raise SystemExit(f"{table} failed: run it by hand")
    return time.monotonic() - started


def _processor_s() -> float:
    """Processor seconds of all ended children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _started(table: str, data: Path, out: Path, server: ScriptedServer) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "treatise", "eval", "paper", table, "--data", str(data), "--out", str(out)]
    options = ["--llm", server.url, "--llm-model", "scripted", "--reranker", "late-interaction"]
    environment = {**os.environ, "NO_PROXY": "127.0.0.1"}
    limit = ["--limit", str(N_DOCUMENTS)]
    return subprocess.Popen([*command, *options, *limit], env=environment, stdout=subprocess.DEVNULL)


def _data(folder: Path, temporary: Path) -> Path:
    """The user's sets, and the tests' own in place of missing ones."""
    data = write_all(temporary / "data")
    for own in [path for path in data.iterdir() if path.name != "rst"]:
        real = next((place for place in (folder / own.name, folder / "qa" / own.name) if place.is_dir()), None)
        if real:
            own.rename(temporary / f"unused-{own.name}")
            own.symlink_to(real.resolve())
    return data


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tables", default=TABLES)
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
