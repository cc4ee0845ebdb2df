"""Converts Excel files to blocks: a section and a table per sheet."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from lxml import etree

from treatise.core.errors import DamagedSourceError
from treatise.core.plurals import counted
from treatise.ingest.archive import Archive
from treatise.ingest.grids import SourceCell
from treatise.ingest.limits import Limits
from treatise.ingest.ongoing import report
from treatise.ingest.ooxml import R_ID, relations, stated_authorship, stated_title
from treatise.ingest.reading import Reading
from treatise.ingest.sheets import CellCounter, write_sheet
from treatise.ingest.writer import BlockWriter
from treatise.ingest.xml_text import text_of

_S: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_WORKBOOK: Final = "xl/workbook.xml"
_COLUMN: Final = re.compile(r"([A-Z]{1,3})\d+")
_MERGE: Final = re.compile(
    rb"<(?:\w{1,20}:)?mergeCell\s[^>]{0,80}?\bref=[\"']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})[\"']"
)
_ROW: Final = re.compile(rb"<(?:\w{1,20}:)?row[\s>/]")
_MAX_MERGED: Final = 100_000
_MAX_COLUMNS: Final = 16_384
_SPARSE_SHARE: Final = 16  # this many columns, empty ones included, count as one more cell
_DATE_FORMATS: Final = frozenset((*range(14, 23), *range(45, 48)))  # built-in number formats, ECMA-376 18.8.30
_PERCENT_FORMATS: Final = frozenset((9, 10))
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_DAY_ZERO: Final = datetime(1899, 12, 30)
_DAY_ZERO_1904: Final = datetime(1904, 1, 1)
_MAX_DAYS: Final = 2_958_466  # the year 10000


@dataclass(frozen=True, slots=True)
class _Book:
    """Workbook data that cells refer to.

    Attributes:
        strings: Shared strings by number.
        kinds: By cell style: ``"date"``, ``"percent"`` or ``""``.
        day_zero: Day zero of the workbook's dates.
    """

    strings: list[str]
    kinds: list[str]
    day_zero: datetime


def read_xlsx(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of the visible sheets; formulas show their saved values.

    Raises:
        DamagedSourceError: Not an Excel file, encrypted, malformed, a zip bomb or an entity bomb.
        SourceTooLargeError: It unpacks to more than the limits allow, or has too many cells.
    """
    archive = Archive(data, name, limits)
    if _WORKBOOK not in archive:
        raise DamagedSourceError(f"{name}: a zip archive without {_WORKBOOK}, so no Excel file; save it as .xlsx")
    workbook = archive.xml(_WORKBOOK)
    book, parts = _book(archive, workbook), relations(archive, _WORKBOOK)
    writer, counter = BlockWriter(name, limits), CellCounter(name, limits)
    hidden = []
    seen = set()
    for sheet in workbook.iter(f"{_S}sheet"):
        title = sheet.get("name", "")
        kind, path = parts.get(sheet.get(R_ID, ""), ("", ""))
        if sheet.get("state", "visible") != "visible":
            hidden.append(title)
        elif kind == "worksheet" and path in archive and path not in seen:
            seen.add(path)
            write_sheet(writer, title, _rows(archive, path, book, counter))
    notes = [f"left out {len(hidden):,} hidden sheets: {', '.join(hidden):.200}"] if hidden else []
    if counter.n_hidden_rows:
        notes.append(f"read {counted(counter.n_hidden_rows, 'hidden row')}: filters and groups hide them")
    return Reading(
        writer.blocks, "xlsx", title=stated_title(archive), stated=stated_authorship(archive), notes=tuple(notes)
    )


def _book(archive: Archive, workbook: etree._Element) -> _Book:
    properties = workbook.find(f"{_S}workbookPr")
    is_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    return _Book(list(_strings(archive)), list(_kinds(archive)), _DAY_ZERO_1904 if is_1904 else _DAY_ZERO)


def _strings(archive: Archive) -> Iterator[str]:
    path = "xl/sharedStrings.xml"
    if path in archive:
        for element in archive.xml_elements(path, (f"{_S}si",)):
            yield _string(element)
            element.clear(keep_tail=False)


def _string(element: etree._Element) -> str:
    """The text of its runs, without phonetic annotations of East Asian text."""
    return text_of(element, lambda _: "", without=(f"{_S}rPh",), texts=f"{_S}t")


def _kinds(archive: Archive) -> Iterator[str]:
    path = "xl/styles.xml"
    if path not in archive:
        return
    styles = archive.xml(path)
    codes = {element.get("numFmtId", ""): element.get("formatCode", "") for element in styles.iter(f"{_S}numFmt")}
    for style in styles.iterfind(f"{_S}cellXfs/{_S}xf"):
        number = style.get("numFmtId", "0")
        yield _kind(int(number) if number.isdecimal() and len(number) < 7 else 0, codes.get(number, ""))


def _kind(number: int, code: str) -> str:
    code = _LITERAL.sub("", code).lower()
    if number in _PERCENT_FORMATS or "%" in code:
        return "percent"
    is_date = number in _DATE_FORMATS or (re.search(r"[ymdh]", code) is not None and "general" not in code)
    return "date" if is_date else ""


def _rows(archive: Archive, path: str, book: _Book, counter: CellCounter) -> Iterator[list[SourceCell]]:
    sheet = archive.read(path)
    merged, n_rows = _merged(sheet), len(_ROW.findall(sheet))
    for at, row in enumerate(archive.xml_elements(path, (f"{_S}row",)), start=1):
        report("read rows", at, n_rows)
        stated = row.get("r", "")
        number = int(stated) if stated.isdecimal() and len(stated) < 10 else at
        cells: list[SourceCell] = []
        found = row.findall(f"{_S}c")
        counter.add(len(found))
        counter.n_hidden_rows += bool(found) and row.get("hidden") in ("1", "true")
        column = -1
        for cell in found:
            column = _column(cell.get("r", ""), column + 1)
            if text := _value(cell, book):
                cells.append(SourceCell(text, *merged.get((number, column), (1, 1)), column=column))
        counter.add((column + 1) // _SPARSE_SHARE)
        yield cells
        row.clear(keep_tail=False)
        while row.getprevious() is not None:
            del row.getparent()[0]


def _merged(data: bytes) -> dict[tuple[int, int], tuple[int, int]]:
    """By row and column of their first cell, the numbers of columns and rows of merged cells, stated after the rows."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for match in islice(_MERGE.finditer(data), _MAX_MERGED):
        (left, top), (right, bottom) = (
            (_column(match[letters].decode() + "1", 0), int(match[number])) for letters, number in ((1, 2), (3, 4))
        )
        found[top, left] = max(1, right - left + 1), max(1, bottom - top + 1)
    return found


def _column(reference: str, next_column: int) -> int:
    """The 0-based column of a cell; cells are in order, and one without a reference follows the previous."""
    match = _COLUMN.fullmatch(reference)
    if match is None:
        return next_column
    number = 0
    for letter in match.group(1):
        number = number * 26 + ord(letter) - ord("A") + 1
    return min(max(number - 1, next_column), _MAX_COLUMNS)


def _value(cell: etree._Element, book: _Book) -> str:
    kind, value = cell.get("t", "n"), cell.findtext(f"{_S}v") or ""
    if kind == "inlineStr":
        return _string(cell)
    if kind == "s":
        at = int(value) if value.isdecimal() and len(value) < 10 else -1
        return book.strings[at] if 0 <= at < len(book.strings) else ""
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE"
    if kind in ("str", "e", "d"):
        return value
    style = cell.get("s", "0")
    at = int(style) if style.isdecimal() and len(style) < 7 else 0
    return _number(value, book.kinds[at] if at < len(book.kinds) else "", book.day_zero)


def _number(value: str, kind: str, day_zero: datetime) -> str:
    """A number in readable form: dates in ISO 8601, percentages, others without binary noise."""
    try:
        number = float(value)
    except ValueError:
        return value
    if kind == "percent":
        return f"{100 * number:.12g}%"
    if kind == "date" and 0 <= number < _MAX_DAYS - 1_500:
        return _date(number, day_zero)
    return value if value.lstrip("-").isdecimal() else f"{number:.15g}"


def _date(days: float, day_zero: datetime) -> str:
    seconds = round(days * 86_400)
    moment = day_zero + timedelta(seconds=seconds)
    if days < 1:
        return moment.strftime("%H:%M:%S")
    return moment.strftime("%Y-%m-%d" if seconds % 86_400 == 0 else "%Y-%m-%d %H:%M:%S")
