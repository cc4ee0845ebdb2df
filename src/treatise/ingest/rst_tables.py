"""Finds the cells of reStructuredText tables in their source text: grids, simple tables, list tables and CSV tables."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from treatise.core.table import Table
from treatise.ingest.grids import MAX_COLUMNS
from treatise.ingest.text_tables import TextCell, separated_rows, stripped, text_table

TABLE_DIRECTIVE: Final = re.compile(r"[ \t]*\.\. (?P<kind>list-table|csv-table|table)::[ \t]*(?P<title>\S.*?)?[ \t]*$")
GRID_RULE: Final = re.compile(r"[ \t]*\+(?:[-=]+\+)+[ \t]*$")
SIMPLE_RULE: Final = re.compile(r"[ \t]*={2,}(?:[ \t]+={2,})+[ \t]*$")
_GRID_RULE_PART: Final = re.compile(r"\+[-=]+\+")
_GRID_EDGE: Final = re.compile(r"\+(?=[-=]+\+)|(?<=[-=])\+")
_MAX_EDGES: Final = 200  # a bound on time: they are looked up in every line
_BOUND: Final = re.compile(r"[|+]")
_RULED: Final = re.compile(r"[-=+]+")
_SPAN_RULE: Final = re.compile(r"[ \t]*-{2,}(?:[ \t]+-{2,})*[ \t]*$")
_OPTION: Final = re.compile(r"[ \t]*:(?P<name>[\w-]+):[ \t]*(?P<value>.*?)[ \t]*$")
_ITEM: Final = re.compile(r"([ \t]*)(\*[ \t]+)?(-)(?:[ \t]+|$)")
_DELIMITERS: Final = {"tab": "\t", "space": " ", "": ","}
_Line = tuple[int, str]  # offset of a line in the text, and the line without its end


def ruled_table(text: str, caption: tuple[int, int] | None) -> Table | None:
    """The table in a block of lines that begins with a rule of a grid or a simple table; None if no cell has text."""
    lines = list(_lines(text))
    rows, n_heads = _grid_rows(text, lines) if GRID_RULE.match(lines[0][1]) else _simple_rows(text, lines)
    return text_table(text, rows, n_heads, caption=caption)


def directive_table(text: str, kind: str, caption: tuple[int, int] | None) -> Table | None:
    """The table in the body of a directive, which begins with its options; None if no cell has text."""
    lines = list(_lines(text))
    n_options = next((at for at, (_, line) in enumerate(lines) if not _OPTION.match(line)), len(lines))
    options = {match["name"]: match for _, line in lines[:n_options] if (match := _OPTION.match(line))}
    values = {name: match["value"] for name, match in options.items()}
    body = lines[n_options:]
    n_heads, n_labels = (_number(values.get(name, "")) for name in ("header-rows", "stub-columns"))
    if kind == "list-table":
        rows = list(_item_rows(text, body))
    else:
        delimiter = values.get("delim", "")
        delimiter = _DELIMITERS.get(delimiter, delimiter[:1])
        first = body[0][0] if body else len(text)
        rows = [row for row in separated_rows(text, first, len(text), delimiter) if any(cell.spans for cell in row)]
        if "header" in options:
            at = next(start for start, line in lines if (one := _OPTION.match(line)) and one["name"] == "header")
            header = options["header"]
            rows = [*separated_rows(text, at + header.start("value"), at + header.end("value"), delimiter), *rows]
            n_heads += 1
    return text_table(text, rows, n_heads or None, n_labels or None, caption)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, line.rstrip("\r\n")
        at += len(line)


def _places(line: str) -> list[int]:
    """By place on the page, the index of the character there: characters of East Asia take two places."""
    if line.isascii():
        return list(range(len(line) + 1))
    places: list[int] = []
    for at, character in enumerate(line):
        wide = unicodedata.east_asian_width(character) in "WF"
        places += [] if unicodedata.combining(character) else [at] * (2 if wide else 1)
    return [*places, len(line)]


def _signs(line: str) -> Iterator[tuple[int, int]]:
    """Places and indices of the signs that may bound cells."""
    if line.isascii():
        yield from ((sign.start(), sign.start()) for sign in _BOUND.finditer(line))
        return
    yield from ((place, at) for place, at in enumerate(_places(line)) if line[at : at + 1] in ("|", "+"))


def _index(places: list[int], place: int) -> int:
    return places[min(place, len(places) - 1)]


def _simple_rows(text: str, lines: Sequence[_Line]) -> tuple[list[list[TextCell]], int]:
    """Rows of a simple table, and how many of them are heads: those above its second rule, if it has a third."""
    starts = [match.start() for match in re.finditer(r"=+", lines[0][1])][:MAX_COLUMNS]
    rules = {at: n for n, at in enumerate(at for at, (_, line) in enumerate(lines) if SIMPLE_RULE.match(line))}
    rows: list[list[TextCell]] = []
    n_heads = 0
    group: list[_Line] = []
    for at, (start, line) in enumerate(lines):
        if rules.get(at) == 0:
            continue
        if at in rules or (_SPAN_RULE.match(line) and group):
            edges = [match.start() for match in re.finditer(r"[-=]+", line)]
            rows += _simple_group(text, group, starts, starts if at in rules else edges)
            group = []
            n_heads = len(rows) if rules.get(at) == 1 and len(rules) > 2 else n_heads
        elif line.strip():
            group.append((start, line))
    return [*rows, *_simple_group(text, group, starts, starts)], n_heads


def _simple_group(text: str, lines: Sequence[_Line], starts: list[int], edges: list[int]) -> list[list[TextCell]]:
    """Rows between two rules; a line that has nothing in the first column continues the row above it."""
    rows: list[list[list[tuple[int, int]]]] = []
    for start, line in lines:
        places = _places(line)
        cuts = [0, *(_index(places, edge) for edge in edges[1:]), len(line)]
        pieces = [stripped(text, start + a, start + b) for a, b in pairwise(cuts)]
        if not rows or (pieces[0] and text[pieces[0][0][0] : pieces[0][0][1]] != "\\"):
            rows.append([[] for _ in edges])
        for cell, spans in zip(rows[-1], pieces, strict=True):
            cell.extend(spans)
    columns = [bisect_left(starts, edge) for edge in edges]
    widths = [b - a for a, b in pairwise([*columns, len(starts)])]
    return [
        [TextCell(tuple(cell), column, max(1, width)) for cell, column, width in zip(row, columns, widths, strict=True)]
        for row in rows
    ]


def _grid_rows(text: str, lines: Sequence[_Line]) -> tuple[list[list[TextCell]], int | None]:
    """Rows of a grid, and how many of them are heads: those above a rule of equals signs, if it has one."""
    rules = {at: line for at, (_, line) in enumerate(lines) if _GRID_RULE_PART.search(line)}
    edges = sorted({match.start() for line in rules.values() for match in _GRID_EDGE.finditer(line)})
    edges = edges[:_MAX_EDGES]
    numbers = {edge: column for column, edge in enumerate(edges)}
    rows: list[dict[int, TextCell]] = []
    n_heads: int | None = None
    row: dict[int, TextCell] = {}
    origins: dict[int, int] = {}  # by column, the row in which a cell that spans down begins
    for at, (start, line) in enumerate(lines):
        if at in rules and row:
            rows.append(row)
            origins = {
                column: origins.get(column, len(rows) - 1) for column in row if _goes_on(row[column], line, edges)
            }
            for column, origin in origins.items():
                if column in rows[origin]:
                    rows[origin][column] = replace(rows[origin][column], n_rows=len(rows) - origin + 1)
            row = {}
        if GRID_RULE.match(line):
            n_heads = len(rows) if "=" in line and rows else n_heads
            continue
        for cell in _grid_cells(text, start, line, numbers):
            before = row.get(cell.column or 0)
            row[cell.column or 0] = replace(cell, spans=(*before.spans, *cell.spans)) if before else cell
    rows += [row] if row else []
    return [[row[column] for column in sorted(row)] for row in rows], n_heads


def _goes_on(cell: TextCell, rule: str, edges: list[int]) -> bool:
    """Whether the rule below a cell leaves it open."""
    column = cell.column or 0
    below = rule[edges[column] + 1 : edges[min(column + cell.n_columns, len(edges) - 1)]]
    return bool(below.strip("-=+")) or not below


def _grid_cells(text: str, start: int, line: str, numbers: dict[int, int]) -> Iterator[TextCell]:
    """The cells of a line, blank ones too; parts that are ruled off have none."""
    marks = [(numbers[place], at) for place, at in _signs(line) if place in numbers]
    for (column, left), (until, right) in pairwise(marks):
        if not _RULED.fullmatch(line, left + 1, right):
            yield TextCell(stripped(text, start + left + 1, start + right), column, until - column)


def _item_rows(text: str, lines: Sequence[_Line]) -> Iterator[list[TextCell]]:
    """Rows of a list of lists: an item with an asterisk begins a row, one with a dash a cell."""
    row: list[TextCell] = []
    depth = -1  # indent of the dashes
    for start, line in lines:
        match = _ITEM.match(line)
        if match and (match[2] or match.start(3) == depth):
            if match[2] and row:
                yield row
                row = []
            depth = match.start(3)
            if len(row) < MAX_COLUMNS:
                row.append(TextCell(stripped(text, start + match.end(), start + len(line))))
        elif row and line.strip():
            row[-1] = replace(row[-1], spans=(*row[-1].spans, *stripped(text, start, start + len(line))))
    if row:
        yield row
