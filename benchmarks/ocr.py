"""Character error rate and seconds per page of OCR on rendered pages of PDFs whose text is known.

    python benchmarks/ocr.py FOLDER [--pages 2] [--files 10]

Needs the extra ``ocr``. Pages are drawn at 144 pixels per inch, as `ingest.pdf_scans` draws them. The words of the PDF
and those of the picture are put in one order of lines by the same layout rules and compared without white space;
columns, tables and formulas that are read in another order count as errors.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import pypdfium2 as pdfium

from treatise.ingest.ocr import confidence_of, picture_lines, words_of
from treatise.ingest.pdf import laid_out
from treatise.ingest.pdf_pictures import page_pixels
from treatise.ingest.pdf_words import Word, WordReader

_SCALE = 2.0
_MIN_CHARS = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=2, help="pages per file, spread over it")
    parser.add_argument("--files", type=int, default=10)
    options = parser.parse_args()
    rows = []
    for path in sorted(options.folder.rglob("*.pdf"))[: options.files]:
        for row in _measured(path, options.pages):
            print(json.dumps(row), file=sys.stderr, flush=True)
            rows.append(row)
    n_chars = sum(row["n_chars"] for row in rows)
    total = {
        "n_pages": len(rows),
        "n_chars": n_chars,
        "cer_percent": round(100 * sum(row["n_errors"] for row in rows) / max(1, n_chars), 2),
        "cpu_s_per_page": round(sum(row["cpu_s"] for row in rows) / max(1, len(rows)), 1),
    }
    print(json.dumps(total, indent=1))


def _measured(path: Path, n_pages: int) -> list[dict[str, object]]:
    data = path.read_bytes()
    with pdfium.PdfDocument(data) as document:
        n = len(document)
        numbers = sorted({1 + (at + 1) * n // (n_pages + 1) for at in range(n_pages)} & set(range(1, n + 1)))
        known = {number: _flat(WordReader().words(document[number - 1])) for number in numbers}
    rows: list[dict[str, object]] = []
    for number, text in known.items():
        if len(text) < _MIN_CHARS:
            continue
        pixels, height, scale = page_pixels(data, number, name=path.name, scale=_SCALE)
        started = time.process_time()
        lines = picture_lines(pixels)
        spent = time.process_time() - started
        errors = _distance(text, _flat(words_of(lines, height, scale)))
        rows.append(
            {
                "file": path.name,
                "page": number,
                "n_chars": len(text),
                "n_errors": errors,
                "confidence": round(confidence_of(lines), 3),
                "cpu_s": round(spent, 1),
            }
        )
    return rows


def _flat(words: list[Word]) -> str:
    blocks, _, _ = laid_out([words])
    return "".join("".join(block.text.split()) for block in blocks)


def _distance(a: str, b: str) -> int:
    """Levenshtein's distance."""
    before = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        row = [i]
        for j, y in enumerate(b, start=1):
            row.append(min(row[-1] + 1, before[j] + 1, before[j - 1] + (x != y)))
        before = row
    return before[-1]


if __name__ == "__main__":
    main()
