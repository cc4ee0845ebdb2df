"""Right cells of tables of real PDFs: row label, column head and value together, against other libraries alone.

    python benchmarks/tables.py FOLDER... [--split dev|held] [--errors] [--pdfplumber] [--liteparse]

``tables.jsonl`` has cells that one person transcribed from rendered pages: of PDFs of Debian packages (r-cran-coin,
r-cran-pscl, r-cran-lme4, r-cran-vcd, r-cran-sandwich, r-cran-multcomp, zlib1g-dev, gnutls-doc, debian-reference-es,
texlive-latex-recommended-doc), and of filings of FinanceBench (CC BY-NC: for measuring only; the files are not kept
here). A row label ``A > B`` is B below the group A. Only the page of the table is read. A cell is right if a table has
a cell of exactly this text, in a row whose labels hold every part of the row label, below heads that hold the column
head; an empty head asks for none. Intervals are over tables. For pdfplumber and liteparse (no dependencies), any cell
to the left counts as a label, any cell above as a group or a head, and an empty head takes the text to its left.
"""

import argparse
import io
import json
import random
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2 as pdfium

from treatise.core.table import Row, Table, head_texts
from treatise.ingest import read_bytes
from treatise.ingest.limits import Limits

GOLD = Path(__file__).with_suffix(".jsonl")
Gold = dict[str, Any]


class Found(NamedTuple):
    """A cell with all texts that label it."""

    value: str
    labels: str
    heads: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--split", default="", choices=["", "dev", "held"])
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--pdfplumber", action="store_true", help="measure pdfplumber too")
    parser.add_argument("--liteparse", action="store_true", help="measure liteparse too")
    options = parser.parse_args()
    files = {path.name: path for folder in options.folders for path in folder.rglob("*.pdf")}
    gold = [row for row in map(json.loads, GOLD.read_text("utf-8").splitlines()) if options.split in ("", row["split"])]
    systems = {"ours": _ours} | (_plumbers() if options.pdfplumber else {})
    systems |= {"liteparse": _liteparse} if options.liteparse else {}
    shares: dict[str, list[tuple[int, int]]] = {name: [] for name in systems}
    seconds = dict.fromkeys(systems, 0.0)
    for (name, page), tables in groupby(gold, key=lambda row: (row["file"], row["page"])):
        if name not in files:
            print(f"not found: {name}", file=sys.stderr)
            continue
        data, wanted = _page(files[name], page), list(tables)
        for system, read in systems.items():
            started = time.process_time()
            found = list(read(data))
            seconds[system] += time.process_time() - started
            shares[system] += [_score(one, found, show=options.errors and system == "ours") for one in wanted]
    for system, scores in shares.items():
        print(f"{system:20} {_summary(scores)}  {seconds[system]:.1f} s")


def _page(path: Path, page: int) -> bytes:
    stream = io.BytesIO()
    with pdfium.PdfDocument(path) as document:
        one = pdfium.PdfDocument.new()
        one.import_pages(document, [page - 1])
        one.save(stream)
        one.close()
    return stream.getvalue()


def _ours(data: bytes) -> Iterator[Found]:
    document = read_bytes(data, name="page.pdf", limits=Limits(is_isolated=True))
    for at, table in enumerate(document.tables):
        heads = head_texts(document.text, _headed(document.tables, at))
        common = " ".join(document.text[c.start : c.end] for row in table.heads for c in row.cells if c.n_columns > 1)
        for row in table.rows:
            labels = [document.text[c.start : c.end] for c in _label_cells(table, row)]
            labels += [heads.get(column, "") for column in range(table.n_labels)]
            for cell in row.all_cells:
                value = document.text[cell.start : cell.end]
                yield Found(value, " ".join(labels), f"{heads.get(cell.column, '')} {common}")


def _headed(tables: Sequence[Table], at: int) -> Table:
    """The table, or the one that it continues."""
    while tables[at].is_continued and at:
        at -= 1
    return tables[at]


def _label_cells(table: Table, row: Row) -> Iterator[Any]:
    while True:
        yield from (cell for cell in row.all_cells if cell.column < max(1, table.n_labels))
        if row.parent < 0:
            return
        row = table.rows[row.parent]


def _plumbers() -> dict[str, Callable[[bytes], Iterator[Found]]]:
    def read(data: bytes, strategy: str) -> Iterator[Found]:
        import pdfplumber

        with pdfplumber.open(io.BytesIO(data)) as document:
            settings = {"vertical_strategy": strategy, "horizontal_strategy": strategy}
            for table in document.pages[0].extract_tables(settings):
                yield from _of_grid(table)

    return {f"pdfplumber {one}": (lambda data, one=one: read(data, one)) for one in ("lines", "text")}


def _liteparse(data: bytes) -> Iterator[Found]:
    from liteparse import LiteParse

    parsed = LiteParse(ocr_enabled=False, extract_blocks=True, quiet=True).parse(data)
    for block in parsed.pages[0].blocks or ():
        rows = [*((block.header,) if block.header else ()), *(block.rows or ())]
        if rows:
            yield from _of_grid([[cell.text for cell in row] for row in rows])


def _of_grid(rows: Sequence[Sequence[str | None]]) -> Iterator[Found]:
    for at, row in enumerate(rows):
        for column, value in enumerate(row):
            if value:
                above = [_above(other, column) for other in rows[:at]]
                groups = [other[0] or "" for other in rows[:at] if other]
                yield Found(value, " ".join([*groups, *(text or "" for text in row[:column])]), " ".join(above))


def _above(row: Sequence[str | None], column: int) -> str:
    return next((text for text in reversed(row[: column + 1]) if text), "")


def _score(gold: Gold, found: Iterable[Found], *, show: bool) -> tuple[int, int]:
    cells, known = gold["cells"], list(found)
    wrong = [cell for cell in cells if not any(_is_right(cell, one) for one in known)]
    if show and wrong:
        where = f"{gold['split']} {gold['file']} page {gold['page']}, {gold['table']}"
        print(f"{where}: {json.dumps(wrong, ensure_ascii=False)}")
    return len(cells) - len(wrong), len(cells)


def _is_right(cell: Sequence[str], found: Found) -> bool:
    label, head, value = cell
    if _key(value) != _key(found.value):
        return False
    return all(_key(part) in _key(found.labels) for part in label.split(" > ")) and _key(head) in _key(found.heads)


def _key(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-").casefold()
    return re.sub(r"[^\w().,+\-/|<>?]", "", plain.replace("$", "").replace("-\n", "")).rstrip(".:")


def _summary(scores: Sequence[tuple[int, int]]) -> str:
    def share(some: Sequence[tuple[int, int]]) -> float:
        return 100 * sum(right for right, _ in some) / max(1, sum(n for _, n in some))

    generator = random.Random(0)
    draws = sorted(share(generator.choices(scores, k=len(scores))) for _ in range(2_000))
    n_cells = sum(n for _, n in scores)
    whole = sum(right == n for right, n in scores)
    return (
        f"{len(scores)} tables, {n_cells} cells: {share(scores):.1f} % right [{draws[50]:.0f}, {draws[-51]:.0f}], "
        f"{whole} tables without an error"
    )


if __name__ == "__main__":
    main()
