"""Asks whole libraries of real files, as their users would: right, wrong or refused.

    PYTHONPATH=src:benchmarks python -m libraries LIBRARY --clones FOLDER [--store FILE] [--answers FILE]

``libraries.json`` names the repositories of each library, their commits, licences and files. FOLDER has a clone of each
at that commit, in ``OWNER+NAME``. Each question of ``questions.jsonl`` is put to the whole library; fields and score as
in ``benchmarks/questions``. Intervals are 95 %, bootstrapped over questions.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from answers import Asked, Outcome, Question, json_line, parse_question, score, show_progress

from treatise import open_library
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.pipeline.library import Library

HERE = Path(__file__).parent


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or Path(folder) / "store.db"
        index(files(options.library, options.clones), store)
        with open_library(store=store) as library:
            asked = [show_progress(one) for one in ask_all(library, questions(options.library))]
    if options.answers:
        options.answers.write_text("".join(map(json_line, asked)), encoding="utf-8")
    print(table(asked))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=described())
    parser.add_argument("--clones", type=Path, required=True, help="the folder with the clones")
    parser.add_argument("--store", type=Path, help="keeps the index for the next run")
    parser.add_argument("--answers", type=Path, help="one JSON object per answer")
    return parser.parse_args()


def described() -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = json.loads((HERE / "libraries.json").read_text(encoding="utf-8"))
    return found


def files(library: str, clones: Path) -> list[Path]:
    """The files and folders of a library.

    Raises:
        SystemExit: If a clone is missing.
    """
    found: list[Path] = []
    for one in described()[library]:
        clone = clones / one["repository"].replace("/", "+")
        if not clone.is_dir():
            sys.exit(f"{clone} is missing: clone https://github.com/{one['repository']} there, at {one['commit']}")
        found += sorted(path for path in clone.glob(one["files"]) if not path.name.startswith("."))
    return found


def index(paths: list[Path], store: Path) -> None:
    """Indexes files and folders as a user does; files that cannot be read are reported and skipped."""
    command = [sys.executable, "-m", "treatise", "index", *map(str, paths), "--store", str(store)]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)


def questions(library: str) -> list[Question]:
    lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [one for one in map(parse_question, lines) if one.document == library]


def ask_all(library: Library, asked: list[Question]) -> Iterator[Asked]:
    for question in asked:
        answer = library.ask(question.question)
        direct = answer.direct.text if answer.direct else ""
        shown = answer.text if answer.text.startswith(direct) else f"{direct}\n\n{answer.text}"
        yield Asked(question, score(question, shown, is_found=answer.found), shown, direct)


def table(asked: list[Asked]) -> str:
    answerable = [one for one in asked if one.question.is_answerable]
    others = [one for one in asked if not one.question.is_answerable]
    rows = [(str(outcome), answerable, [one.outcome is outcome for one in answerable]) for outcome in Outcome]
    rows.append(("right in 25 words", answerable, [one.is_direct for one in answerable]))
    rows.append(("unanswerable: refused", others, [one.outcome is Outcome.REFUSED for one in others]))
    lines = [f"| {name} | {len(of)} | {share(hits)} |" for name, of, hits in rows]
    return "\n".join(["| | n | % |", "|---|--:|---|", *lines])


def share(hits: list[bool]) -> str:
    values = np.array(hits, dtype=float) * 100
    low, high = bootstrap_interval(values, np.arange(len(values)))
    return f"{values.mean():.0f} [{low:.0f}, {high:.0f}]"


if __name__ == "__main__":
    main()
