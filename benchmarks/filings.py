"""Share of questions on filings with the gold page among the retrieved passages, and reading time per page.

    TREATISE_DATA=FOLDER python benchmarks/filings.py [--only PART] [--recipe NAME] [--jobs 2] [--out FILE]

Needs ``TREATISE_DATA/financebench``: ``pdfs/`` and ``questions.jsonl.gz`` (CC BY-NC 4.0: for measuring only). Each PDF
is read and indexed in memory; each question searches its own document. ``any`` counts a question if a passage overlaps
one of its gold pages, ``all`` if passages overlap all of them. ``*_s_per_page`` is wall time in one process.
"""

import argparse
import gzip
import json
import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from inputs import open_encoder

from treatise.core.errors import DataError
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.ingest import read_bytes
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import recipe_named

BUDGETS = (300, 600, 1_000)
Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="comma-separated parts of file names")
    parser.add_argument("--recipe", default="treatise")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="one JSON object per question")
    options = parser.parse_args()
    by_document = _questions(_folder(), options.only.split(","))
    measured = partial(_measured, recipe_name=options.recipe)
    with ProcessPoolExecutor(options.jobs) as pool:
        filings = []
        for filing in pool.map(measured, by_document.items()):
            filings.append(filing)
            print(_line(filing), file=sys.stderr, flush=True)
    rows = [row for filing in filings for row in filing["questions"]]
    if options.out:
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    print(json.dumps(_summary(filings, rows), indent=1))


def _folder() -> Path:
    root = os.environ.get("TREATISE_DATA")
    if root is None or not (folder := Path(root) / "financebench").is_dir():
        raise DataError("TREATISE_DATA must name a folder that holds financebench/")
    return folder


def _questions(folder: Path, parts: Sequence[str]) -> dict[Path, list[Row]]:
    """Questions by the PDF of their filing."""
    found: dict[Path, list[Row]] = defaultdict(list)
    with gzip.open(folder / "questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            question = json.loads(line)
            if any(part in question["document"] for part in parts):
                found[folder / "pdfs" / f"{question['document']}.pdf"].append(question)
    return dict(sorted(found.items()))


def _measured(filing: tuple[Path, list[Row]], *, recipe_name: str) -> Row:
    path, questions = filing
    recipe, encoder = recipe_named(recipe_name), open_encoder()
    started = time.perf_counter()
    document = read_bytes(path.read_bytes(), name=path.name)
    read_s = time.perf_counter() - started
    indexed = index_document(document, recipe.indexing, encoder=encoder)
    index_s = time.perf_counter() - started - read_s
    rows = [
        {
            "id": question["id"],
            "document": path.stem,
            "gold": question["pages"],
            "found": {
                words: _pages(
                    indexed, retrieve([indexed], question["question"], recipe, encoder=encoder, max_words=words)
                )
                for words in BUDGETS
            },
        }
        for question in questions
    ]
    return {
        "document": path.stem,
        "n_pages": len(document.page_starts),
        "n_units": len(indexed.units),
        "read_s": read_s,
        "index_s": index_s,
        "questions": rows,
    }


def _pages(indexed: IndexedDocument, evidence: Evidence) -> list[int]:
    """1-based pages that the passages overlap, in order."""
    spans = [span for passage in evidence.passages for span in (passage.noted or (passage.span,))]
    ends = [(indexed.document.page_at(span.start), indexed.document.page_at(span.end - 1)) for span in spans]
    return list(dict.fromkeys(page for first, last in ends for page in range(first or 1, (last or 1) + 1)))


def _line(filing: Row) -> str:
    hits = [
        "".join("+" if set(row["gold"]) & set(row["found"][w]) else "-" for w in BUDGETS) for row in filing["questions"]
    ]
    per_page = [1e3 * filing[key] / max(1, filing["n_pages"]) for key in ("read_s", "index_s")]
    return (
        f"{filing['document']}: {filing['n_pages']} pages, {filing['n_units']} units, "
        f"{per_page[0]:.0f} + {per_page[1]:.0f} ms per page: {' '.join(hits)}"
    )


def _summary(filings: Sequence[Row], rows: Sequence[Row]) -> Row:
    n_pages = sum(filing["n_pages"] for filing in filings)
    shares = {
        f"{name}@{words}": _share([test(set(row["gold"]) & set(row["found"][words]), row) for row in rows])
        for name, test in (
            ("any", lambda hit, _: bool(hit)),
            ("all", lambda hit, row: len(hit) == len(set(row["gold"]))),
        )
        for words in BUDGETS
    }
    return {
        "n_filings": len(filings),
        "n_questions": len(rows),
        "n_pages": n_pages,
        "n_units": sum(filing["n_units"] for filing in filings),
        "read_s_per_page": round(sum(filing["read_s"] for filing in filings) / n_pages, 4),
        "index_s_per_page": round(sum(filing["index_s"] for filing in filings) / n_pages, 4),
        **shares,
    }


def _share(hits: Iterable[bool]) -> Row:
    """Percent, and a 95 % bootstrap interval over questions."""
    values = [float(hit) for hit in hits]
    draw = random.Random(0)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(2_000))
    return {
        "percent": round(100 * sum(values) / len(values), 1),
        "interval": [round(100 * means[at], 1) for at in (50, 1_949)],
    }


if __name__ == "__main__":
    main()
