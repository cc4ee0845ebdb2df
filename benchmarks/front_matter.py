"""Titles, authors and dates of real documents against what their first pages print, or else their metadata.

    python benchmarks/front_matter.py FOLDER... [--errors dev|held]

``front_matter.jsonl`` names files of Debian packages (texlive-latex-base-doc, texlive-latex-recommended-doc, r-doc-pdf,
r-cran-*, glpk-doc, octave-doc, asymptote-doc, bsdgames, zlib1g-dev), filings of FinanceBench, papers and the documents
of ``questions/``; files that no folder holds are skipped. Rules were written while looking at the ``dev`` files; the
``held`` ones were transcribed from their first pages before they were read. A title is right if its letters and digits
are those of an accepted one, authors if the set of names is the same, a date if it begins as it should or is its
beginning; where a document states none, nothing is right. ``alone`` is the PDF's own metadata.
"""

import argparse
import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2 as pdfium

from treatise.core.document import Document
from treatise.ingest import read_document

GOLD = Path(__file__).with_suffix(".jsonl")
FIELDS = ("title", "author", "date")
Row = dict[str, Any]


class Found(NamedTuple):
    """What was found for a document."""

    title: str
    author: tuple[str, ...]
    date: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--errors", default="", choices=["", "dev", "held"])
    options = parser.parse_args()
    files = {path.name: path for folder in options.folders for path in folder.rglob("*") if path.is_file()}
    hits: dict[tuple[str, str], list[list[bool]]] = {}
    for row in map(json.loads, GOLD.read_text("utf-8").splitlines()):
        if (path := files.get(row["file"])) is None:
            print(f"not found: {row['file']}", file=sys.stderr)
            continue
        ours = _ours(read_document(path))
        hits.setdefault((row["split"], "ours"), []).append(list(_right(ours, row)))
        hits.setdefault((row["split"], "alone"), []).append(list(_right(_alone(path), row)))
        if row["split"] == options.errors and not all(_right(ours, row)):
            print(json.dumps({"file": row["file"], "found": ours, "gold": [row[field] for field in FIELDS]}))
    for (split, system), rights in hits.items():
        shares = " ".join(
            f"{field} {_percent(column)}" for field, column in zip(FIELDS, zip(*rights, strict=True), strict=True)
        )
        print(f"{split:5} {system:6} n {len(rights):3}  {shares}")


def _ours(document: Document) -> Found:
    metadata = document.metadata
    return Found(document.title, metadata.get("author", ()), next(iter(metadata.get("date", ())), ""))


def _alone(path: Path) -> Found:
    """A PDF's metadata as they are; nothing for other files."""
    if path.suffix != ".pdf":
        return Found("", (), "")
    with pdfium.PdfDocument(path) as document:
        stated = document.get_metadata_dict()
    day = re.match(r"D:(\d{4})(\d\d)(\d\d)", stated.get("CreationDate", ""))
    authors = re.split(r"[,;]| and ", stated.get("Author", ""))
    return Found(stated.get("Title", ""), tuple(filter(None, authors)), "-".join(day.groups()) if day else "")


def _right(found: Found, row: Row) -> Iterator[bool]:
    yield _key(found.title) in map(_key, row["title"])
    yield set(map(_key, found.author)) == set(map(_key, row["author"]))
    shorter, longer = sorted((found.date, row["date"]), key=len)
    yield longer.startswith(shorter) and bool(shorter) == bool(longer)


def _key(text: str) -> str:
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", text).casefold())


def _percent(rights: Iterable[bool]) -> str:
    rights = list(rights)
    return f"{100 * sum(rights) / len(rights):.0f}"


if __name__ == "__main__":
    main()
