"""Right, wrong and refused answers to questions on the figures of companies, through ``Library.ask``.

    TREATISE_DATA=FOLDER python benchmarks/figures.py --store FILE [--errors]

Needs ``TREATISE_DATA/financebench`` (CC BY-NC 4.0: for measuring only): ``pdfs/``, ``questions.jsonl.gz``. Three sets:
``figures.jsonl``, questions of our own on these filings with a pattern of the right direct answer (null: the filing has
none), in a first and a second set, which was written to break the answers; and FinanceBench's questions whose answer is
a number, right within one percent or its rounding.
Filings that the store lacks are indexed first. Intervals are 95 %, over filings.
"""

import argparse
import gzip
import json
import os
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import treatise
from treatise.core.answer import Answer
from treatise.pipeline.library import Library

OWN = Path(__file__).with_suffix(".jsonl")
NUMBER = re.compile(r"[-−]?[$]?[-−]?\d[\d,]*(?:\.\d+)?")
WITHIN = 0.01
DRAWS = 2_000


class Asked(NamedTuple):
    """A question and the test of its direct answer; ``test`` is None if it cannot be answered."""

    document: str
    question: str
    gold: str
    test: Callable[[str], bool] | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", required=True)
    parser.add_argument("--errors", action="store_true", help="print each answer that is not right")
    options = parser.parse_args()
    folder = Path(os.environ["TREATISE_DATA"]) / "financebench"
    library = treatise.open_library(store=options.store)
    sets = {"own": _own("first"), "second": _own("second"), "financebench, numbers": _financebench(folder)}
    for name, asked in ((name, list(questions)) for name, questions in sets.items()):
        _index(library, folder, asked)
        rows = [(one, _outcome(library, one, show_errors=options.errors)) for one in asked]
        print(json.dumps(_summary(name, rows)))


def _own(name: str) -> Iterator[Asked]:
    for line in OWN.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("set", "first") != name:
            continue
        pattern = row["pattern"]
        test = None if pattern is None else (lambda text, pattern=pattern: re.search(pattern, text) is not None)
        yield Asked(row["document"], row["question"], str(pattern), test)


def _financebench(folder: Path) -> Iterator[Asked]:
    with gzip.open(folder / "questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if re.fullmatch(r"[-$\d,.%]+", row["answer"]):
                gold = _number(row["answer"])
                decimals = len(row["answer"].rstrip("%").partition(".")[2])
                test = lambda text, gold=gold, decimals=decimals: _is_near(text, gold, decimals)  # noqa: E731
                yield Asked(row["document"], row["question"], row["answer"], test)


def _is_near(text: str, gold: float, decimals: int) -> bool:
    found = NUMBER.search(text)
    return found is not None and abs(_number(found[0]) - gold) <= max(WITHIN * abs(gold), 0.51 * 10**-decimals)


def _number(text: str) -> float:
    return float(re.sub(r"[$,%]", "", text).replace("−", "-"))


def _index(library: Library, folder: Path, asked: Sequence[Asked]) -> None:
    stored = {Path(source).stem for one in library.documents() for source in one.sources}
    for name in sorted({one.document for one in asked} - stored):
        print(f"indexing {name}", file=sys.stderr, flush=True)
        library.index(folder / "pdfs" / f"{name}.pdf")


def _outcome(library: Library, asked: Asked, *, show_errors: bool) -> str:
    ids = [one.id for one in library.documents() if asked.document in {Path(source).stem for source in one.sources}]
    answer = library.ask(asked.question, documents=ids)
    outcome = _judged(answer, asked)
    is_right = outcome == "right" or (asked.test is None and outcome == "refused")
    if show_errors and not is_right:
        said = answer.direct.text if answer.direct else answer.notes
        print(
            f"{outcome}: {asked.document}: {asked.question[:150]}\n    gold {asked.gold}, said {said}", file=sys.stderr
        )
    return outcome


def _judged(answer: Answer, asked: Asked) -> str:
    if not answer.found:
        return "refused"
    text = answer.direct.text if answer.direct else answer.text
    return "right" if asked.test and asked.test(text) else "wrong"


def _summary(name: str, rows: Sequence[tuple[Asked, str]]) -> dict[str, Any]:
    answerable = [(one.document, outcome) for one, outcome in rows if one.test]
    others = [(one.document, outcome) for one, outcome in rows if one.test is None]
    shares = {outcome: _share(answerable, outcome) for outcome in ("right", "wrong", "refused")}
    return {
        "set": name,
        "n": len(answerable),
        **shares,
        "n_unanswerable": len(others),
        "of_them": _share(others, "refused"),
    }


def _share(rows: Sequence[tuple[str, str]], outcome: str) -> list[float] | None:
    """The percentage with that outcome, and its 95 % interval over filings."""
    if not rows:
        return None
    groups = [[one == outcome for _, one in group] for _, group in groupby(sorted(rows), key=lambda row: row[0])]
    drawn = random.Random(1)
    means = sorted(_mean(drawn.choices(groups, k=len(groups))) for _ in range(DRAWS))
    return [round(100 * one, 1) for one in (_mean(groups), means[DRAWS // 40], means[-DRAWS // 40])]


def _mean(groups: Sequence[Sequence[bool]]) -> float:
    values = [one for group in groups for one in group]
    return sum(values) / len(values)


if __name__ == "__main__":
    main()
