"""Sections of PDFs found without their bookmarks, against the bookmarks.

    python benchmarks/sections.py FOLDER [--files 40] [--max-pages 400]

Reads each PDF with five bookmarks or more as if it had none. A bookmark counts if a paragraph of its page, or of a page
beside it, consists of its title or begins with it. ``f1`` compares headings with bookmarks on all levels; a heading
without a bookmark counts as wrong, so that a PDF with shallow bookmarks has low precision. ``level`` is the share of
found headings with the right level, up to a shift that all share. ``sentences`` is the share of sentences whose section
path holds the title of the last bookmark before them.
"""

import argparse
import io
import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium

from treatise.core.document import Document
from treatise.core.errors import SourceError
from treatise.ingest import read_bytes

_MIN_BOOKMARKS = 5
_NUMBER = re.compile(r"^(?:(?:chapter|section|part|appendix|kapitel|chapitre)\s+)?[\divxlc]{1,5}(?:\.\d+)*\.?\s+")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A bookmark: its title in lower-case words, its depth from 1, the offset of its heading in the text."""

    title: str
    level: int
    start: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--max-pages", type=int, default=400)
    options = parser.parse_args()
    rows: list[Row] = []
    for path in sorted(options.folder.rglob("*.pdf")):
        if len(rows) < options.files and (row := _measured(path, options.max_pages)):
            print(json.dumps(row), file=sys.stderr, flush=True)
            rows.append(row)
    means = {
        key: round(sum(row[key] for row in rows) / max(1, len(rows)), 1)
        for key in ("precision", "recall", "f1", "level", "sentences")
    }
    print(json.dumps({"n_files": len(rows), "n_bookmarks": sum(row["n_bookmarks"] for row in rows), **means}, indent=1))


def _measured(path: Path, max_pages: int) -> Row | None:
    data = path.read_bytes()
    bookmarks = _bookmarks(data, max_pages)
    if len(bookmarks) < _MIN_BOOKMARKS:
        return None
    document = _without_bookmarks(data, path.name)
    marks = list(_located(document, bookmarks))
    if len(marks) < _MIN_BOOKMARKS:
        return None
    headings = [section for section in document.sections if section.level]
    found = {section.start: section for section in headings}
    hits = [(mark, found[mark.start]) for mark in marks if mark.start in found]
    precision, recall = len(hits) / max(1, len(headings)), len(hits) / len(marks)
    shifts = Counter(section.level - mark.level for mark, section in hits)
    return {
        "file": path.name,
        "n_pages": len(document.page_starts),
        "n_bookmarks": len(marks),
        "n_not_in_text": len(bookmarks) - len(marks),
        "n_headings": len(headings),
        "precision": round(100 * precision, 1),
        "recall": round(100 * recall, 1),
        "f1": round(100 * 2 * precision * recall / max(1e-9, precision + recall), 1),
        "level": round(100 * max(shifts.values(), default=0) / max(1, len(hits)), 1),
        "sentences": _percent(list(_under_right_section(document, marks))),
    }


def _bookmarks(data: bytes, max_pages: int) -> list[tuple[str, int, int]]:
    """Title, depth and page from 0 of each bookmark; none if the PDF is too long or cannot be read."""
    try:
        with pdfium.PdfDocument(data) as document:
            if len(document) > max_pages:
                return []
            found = ((one, one.get_dest()) for one in document.get_toc())
            pages = [(one.get_title(), one.level + 1, to.get_index()) for one, to in found if to is not None]
            return [(title, level, page) for title, level, page in pages if page is not None and title.strip()]
    except pdfium.PdfiumError:
        return []


def _without_bookmarks(data: bytes, name: str) -> Document:
    """The document as read from a PDF of the same pages without its outline."""
    hidden = pdfium.PdfDocument.new()
    with pdfium.PdfDocument(data) as document:
        hidden.import_pages(document)  # no outline, no metadata
    stream = io.BytesIO()
    hidden.save(stream)
    hidden.close()
    return read_bytes(stream.getvalue(), name=name)


def _located(document: Document, bookmarks: Sequence[tuple[str, int, int]]) -> Iterator[_Mark]:
    """The bookmarks whose titles begin a paragraph on their page or beside it, each paragraph once."""
    by_page: dict[int, list[tuple[str, int]]] = {}
    for paragraph in document.paragraphs:
        page = (document.page_at(paragraph.start) or 1) - 1
        by_page.setdefault(page, []).append((_key(document.text[paragraph.start : paragraph.end]), paragraph.start))
    used: set[int] = set()
    for title, level, page in bookmarks:
        wanted = _key(title)
        near = [one for at in (page, page + 1, page - 1) for one in by_page.get(at, [])]
        fits = [start for text, start in near if wanted and _begins(text, wanted) and start not in used]
        if fits:
            used.add(fits[0])
            yield _Mark(wanted, level, fits[0])


def _begins(text: str, wanted: str) -> bool:
    return any(one == wanted or one.startswith(wanted + " ") for one in (text, _NUMBER.sub("", text)))


def _under_right_section(document: Document, marks: Sequence[_Mark]) -> Iterator[bool]:
    """For each sentence after the first bookmark, whether its section path holds the last bookmark's title."""
    ordered = sorted(marks, key=lambda mark: mark.start)
    at = -1
    for sentence in document.sentences():
        while at + 1 < len(ordered) and ordered[at + 1].start <= sentence.start:
            at += 1
        if at >= 0:
            yield any(_begins(_key(title), ordered[at].title) for title in document.section_path(sentence.start))


def _key(text: str) -> str:
    """Lower-case words and numbers."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    words = " ".join(re.findall(r"\w+(?:\.\d+)*", plain))
    return _NUMBER.sub("", words) or words


def _percent(hits: Sequence[bool]) -> float:
    return round(100 * sum(hits) / max(1, len(hits)), 1)


if __name__ == "__main__":
    try:
        main()
    except SourceError as error:
        sys.exit(str(error))
