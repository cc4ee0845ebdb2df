"""Runs a table with a scripted model that logs its prompts, and kills its process before a call: a child of tests.

``python -m tests.evaluate.interrupted DATA OUT LOG N_CALLS`` (0 calls: to the end)
"""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.evaluate.scripted_engines import speak
from treatise.compose import library
from treatise.core.ports import Message
from treatise.evaluate.run.experiment import Experiment, Task
from treatise.evaluate.run.run_experiments import ExperimentOptions, run_experiments
from treatise.testing import HashingEncoder, ScriptedModel

TABLE = Experiment(
    "table", Task.GENERATION, ("qasper",), ("flat-sentence", "bisection-tau-300", "retrieve-and-plan"), (100, 200)
)


def main(data: str, out: str, log: str, n_calls: str) -> None:
    """Runs the table."""
    model = ScriptedModel(logged(Path(log), int(n_calls)))
    library.open_encoder = lambda *_: HashingEncoder(16)  # type: ignore[assignment]
    library.open_language_model = lambda *_: model  # type: ignore[assignment]
    outcome = run_experiments([TABLE], ExperimentOptions(Path(data), models=("scripted",)), Path(out))
    assert outcome.results, outcome.skipped


def logged(log: Path, n_calls: int):
    """A script that appends the hash of each answered prompt, and kills the process at the call after ``n_calls``."""

    def say(messages: Sequence[Message]) -> str:
        done = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        if n_calls and len(done) == n_calls:
            os.kill(os.getpid(), signal.SIGKILL)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{' '.join(message.content for message in messages)!r}\n")
        return speak(messages)

    return say


if __name__ == "__main__":
    main(*sys.argv[1:])
