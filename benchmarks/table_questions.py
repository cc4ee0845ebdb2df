"""Questions over tables in files: right, wrong and refused answers of the whole path; refusals of what a table lacks.

    python benchmarks/table_questions.py [--half dev|held] [--show 20]
    python benchmarks/table_questions.py --wtq DATA/tables/wtq-dev.jsonl.gz --questions 300

By default our own questions on 24 files (`benchmarks/table_questions`): *dev* may be read while the program is
improved, *held* is only scored. With ``--wtq``, questions of WikiTableQuestions of every kind, evenly spaced, each on a
CSV file of its table. An answer is right if its short form is the gold answer, alone or within four more words; of a
list if it has all items, and at most twice their words. ``--rules`` leaves the trained reader of tables out. Intervals
are 95 %, by bootstrap over tables.
"""

import argparse
import csv
import gzip
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from treatise.compose import open_engines
from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.form import Form, FormKind
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.ingest import read_bytes
from treatise.pipeline.system import System
from treatise.recipes import TREATISE

HERE = Path(__file__).parent / "table_questions"
MORE_WORDS = 4
ROUNDED = 0.006
NUMBER = re.compile(r"[^\d]{0,3}?([-−(]?)[^\d]?(\d[\d,]*(?:\.\d+)?)\)?\s?\S{0,12}")


@dataclass(frozen=True)
class Case:
    """A question, its table as a file, and the answers; without answers the table has none."""

    table: str
    question: str
    answers: list[str]
    kind: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=["dev", "held"], default="dev")
    parser.add_argument("--wtq", type=Path)
    parser.add_argument("--questions", type=int, default=300, help="of WikiTableQuestions")
    parser.add_argument("--rules", action="store_true", help="without the trained reader of tables")
    parser.add_argument("--show", type=int, default=0, help="print so many answers that are not right")
    options = parser.parse_args()
    documents, cases = of_wtq(options.wtq, options.questions) if options.wtq else own(options.half)
    engines = open_engines([TREATISE], llm="")
    system = System(TREATISE, replace(engines, table_reader=None) if options.rules else engines)
    indexed = {name: system.index([document])[0] for name, document in documents.items()}
    answers = [system.answer(case.question, [indexed[case.table]], form=Form(FormKind.STORY)) for case in cases]
    verdicts = [verdict(case, answer) for case, answer in zip(cases, answers, strict=True)]
    report(cases, verdicts)
    wrong = [pair for pair in zip(cases, answers, verdicts, strict=True) if pair[2] not in ("right", "refusal")]
    for case, answer, said in wrong[: options.show]:
        print(f"{said:8} | {case.table} | {case.question} | {case.answers[:3]} | {text_of(answer)[:80]}")


def own(half: str) -> tuple[dict[str, Document], list[Case]]:
    rows = [json.loads(line) for line in (HERE / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()]
    names = {row["file"] for row in rows}
    documents = {name: read_bytes((HERE / "files" / name).read_bytes(), name=name) for name in sorted(names)}
    return documents, [Case(row["file"], row["question"], row["answers"], row["kind"]) for row in rows]


def of_wtq(path: Path, n: int) -> tuple[dict[str, Document], list[Case]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [rows[at * len(rows) // n] for at in range(n)] if n < len(rows) else rows
    documents: dict[str, Document] = {}
    cases = []
    for row in rows:
        content = as_csv(row["table"])
        name = f"{hash(content) % 10**12}.csv"
        documents.setdefault(name, read_bytes(content, name="table.csv"))
        cases.append(Case(name, row["question"], row["answers"], row["kind"]))
    return documents, cases


def as_csv(table: Sequence[Sequence[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(table)
    return out.getvalue().encode()


def text_of(answer: Answer) -> str:
    """The short form of an answer; empty if it was refused."""
    return (answer.direct.text if answer.direct else answer.text) if answer.found else ""


def verdict(case: Case, answer: Answer) -> str:
    """``right``, ``wrong`` or ``refused``; if there is no answer, ``refusal`` or ``made up``."""
    if not case.answers:
        return "made up" if answer.found else "refusal"
    if not answer.found:
        return "refused"
    return "right" if is_right(text_of(answer), case.answers) else "wrong"


def is_right(text: str, answers: Sequence[str]) -> bool:
    said = words(text)
    if len(answers) == 1:
        wanted = words(answers[0])
        runs = (said[at : at + len(wanted)] for at in range(len(said)))
        return is_number(text, answers[0]) or (len(said) <= len(wanted) + MORE_WORDS and wanted in runs)
    wanted = [" ".join(words(one)) for one in answers]
    return all(one in " ".join(said) for one in wanted) and len(said) <= 2 * len(words(" ".join(answers))) + MORE_WORDS


def words(text: str) -> list[str]:
    return re.findall(r"\w+", re.sub(r"(?<=\d),(?=\d{3})", "", text.casefold()))


def is_number(text: str, answer: str) -> bool:
    """Whether both are the same number, but for rounding, separators and a unit."""
    a, b = (NUMBER.fullmatch(one.strip()) for one in (text, answer))
    if a is None or b is None:
        return False
    x, y = (float(match[2].replace(",", "")) * (-1 if match[1] else 1) for match in (a, b))
    return abs(x - y) < (ROUNDED if "." in text or "." in answer else 1e-6) * max(1.0, min(abs(y), 2.0))


def report(cases: Sequence[Case], verdicts: Sequence[str]) -> None:
    for is_answered, kinds in ((True, ("right", "wrong", "refused")), (False, ("refusal", "made up"))):
        chosen = [(case, said) for case, said in zip(cases, verdicts, strict=True) if bool(case.answers) is is_answered]
        if not chosen:
            continue
        tables = np.unique([case.table for case, _ in chosen], return_inverse=True)[1]
        print(f"{'answerable' if is_answered else 'unanswerable'}: {len(chosen)}, {len(set(tables.tolist()))} tables")
        for kind in kinds:
            percent = 100.0 * np.array([said == kind for _, said in chosen])
            low, high = bootstrap_interval(percent, tables)
            print(f"  {kind:8} {percent.mean():5.1f} [{low:.1f}, {high:.1f}]")
    by_kind = Counter((case.kind, said) for case, said in zip(cases, verdicts, strict=True))
    for kind in sorted({case.kind for case in cases}):
        counts = {said: n for (one, said), n in sorted(by_kind.items()) if one == kind}
        print(f"  {kind}: {', '.join(f'{n} {said}' for said, n in counts.items())}", file=sys.stderr)


if __name__ == "__main__":
    main()
