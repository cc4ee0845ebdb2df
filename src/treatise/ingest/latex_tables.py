"""Converts the tables of LaTeX to rows of cells: spans, rules that tell heads from body, repeated heads."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from treatise.ingest.grids import MAX_COLUMNS, SourceCell, grid_of
from treatise.ingest.tables import Grid

_MARK: Final = re.compile(r"\\\\\*?(?:[ \t]*\[[^\]\n]{0,20}\])?|\\tabularnewline\b|\\.|[{}&]", re.DOTALL)
_RULE: Final = re.compile(
    r"\s*\\(?:(?P<line>hline|midrule|hhline\s*\{[^}]{0,80}\})|(?P<end>endfirsthead|endhead|endfoot|endlastfoot)"
    r"|(?:toprule|bottomrule|cmidrule|cline|specialrule|addlinespace|noalign|rowcolor|morecmidrules|firsthline|lasthline)\b"
    r"(?:\([^)]{0,20}\))?(?:\[[^\]]{0,40}\])?(?:\{[^{}]{0,80}\}){0,3})(?![a-zA-Z])(?:\[[^\]]{0,40}\])?"
)
_SPAN: Final = re.compile(r"\s*\\(?P<kind>multicolumn|multirow)\*?\s*(?:\[[^\]]{0,20}\])?\s*\{\s*(?P<n>-?\d{1,4})\s*\}")
_END_OF_HEAD: Final = re.compile(r"(\\end(?:firsthead|head|foot|lastfoot)\b)")
_INNER: Final = re.compile(r"\\begin\{tabular[*xy]?\}|\\end\{tabular[*xy]?\}")
_OPTION: Final = re.compile(r"\s*\[[^\]]{0,80}\]")
_STYLES: Final = re.compile(r"\\(?:makecell|thead|shortstack|textbf|bf|bfseries)\b\s*(?:\[[^\]]{0,20}\])?")
_MAX_HEAD_ROWS: Final = 3
_MAX_ARGUMENT: Final = 4_000


@dataclass(slots=True)
class _Rows:
    """Rows of cells, and the numbers of rows above which rules and ends of heads stand."""

    rows: list[list[SourceCell]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    middle: int = 0  # rows above the first `\\midrule`
    ends: list[tuple[int, str]] = field(default_factory=list)


def tabular_grid(source: str, environment: str, words: Callable[[str], str]) -> Grid | None:
    """The grid of a table's source after ``\\begin{environment}``; None if all cells are blank.

    ``words`` turns source into running text.
    """
    found = _Rows()
    for row in _split(_flat(_END_OF_HEAD.sub(r"\\\\\1", _body(source, environment)))):
        row = _without_rules(row, found)
        cells = list(_in_columns(_cell(cell, words) for cell in _cells(row)))
        if any(cell.text.strip() for cell in cells):
            found.rows.append(cells)
    return grid_of(*_headed(found))


def argument(source: str, at: int) -> int:
    """The offset after the group in braces that begins at ``at``; ``at`` itself if there is none or it is too long."""
    depth = 0
    for mark in re.compile(r"\\.|[{}]", re.DOTALL).finditer(source, at, at + _MAX_ARGUMENT):
        depth += (mark.group() == "{") - (mark.group() == "}")
        if depth <= 0:
            return mark.end() if mark.start() > at or mark.group() == "}" else at
    return at


def _body(source: str, environment: str) -> str:
    """The source after the options and the description of columns."""
    at = 0
    n_groups = 2 if environment in ("tabular*", "tabularx", "tabulary") else 1
    for _ in range(n_groups):
        while option := _OPTION.match(source, at):
            at = option.end()
        start = at + len(source[at:]) - len(source[at:].lstrip())
        if not source.startswith("{", start):
            break
        at = max(at, argument(source, start))
    return source[at:]


def _flat(source: str) -> str:
    """The source with tables within its cells as groups: they only break lines."""
    pieces: list[str] = []
    at = depth = 0
    for mark in _INNER.finditer(source):
        is_begin = mark.group().startswith("\\begin")
        if not is_begin and not depth:
            continue
        pieces += [source[at : mark.start()], "{" if is_begin else "}"]
        depth += 1 if is_begin else -1
        at = mark.end()
        if is_begin:
            while option := _OPTION.match(source, at):
                at = option.end()
            at = argument(source, at) if source.startswith("{", at) else at
    return "".join([*pieces, source[at:]])


def _split(source: str) -> Iterator[str]:
    """Rows: what stands between line breaks outside of groups."""
    return _parts(source, lambda mark: mark.startswith("\\\\") or mark == "\\tabularnewline")


def _cells(row: str) -> Iterator[str]:
    return _parts(row, lambda mark: mark == "&")


def _parts(source: str, is_cut: Callable[[str], bool]) -> Iterator[str]:
    at = depth = 0
    for mark in _MARK.finditer(source):
        depth = max(0, depth + (mark.group() == "{") - (mark.group() == "}"))
        if not depth and is_cut(mark.group()):
            yield source[at : mark.start()]
            at = mark.end()
    yield source[at:]


def _without_rules(row: str, found: _Rows) -> str:
    """The row after the rules at its start, which are noted."""
    at = 0
    while rule := _RULE.match(row, at):
        at = rule.end()
        if rule["end"]:
            found.ends.append((len(found.rows), rule["end"]))
        elif rule["line"] == "midrule":
            found.middle = found.middle or len(found.rows)
        elif rule["line"]:
            found.lines.append(len(found.rows))
    return row[at:]


def _cell(source: str, words: Callable[[str], str]) -> SourceCell:
    """A cell with the columns and rows that it spans."""
    spans = {"multicolumn": 1, "multirow": 1}
    at = 0
    while span := _SPAN.match(source, at):
        spans[span["kind"]] = max(1, int(span["n"]))
        at = span.end()
        while option := _OPTION.match(source, at):
            at = option.end()
        if source.startswith("{", at):
            at = argument(source, at)  # the description of the column, or the width
        if source.startswith("{", at):
            at += 1  # the text, whose closing brace is not text
    text = " ".join(words(_STYLES.sub("", source[at:]).replace("\\\\", " ")).split())
    return SourceCell(text, min(spans["multicolumn"], MAX_COLUMNS), spans["multirow"])


def _in_columns(cells: Iterable[SourceCell]) -> Iterator[SourceCell]:
    """The cells with their columns: one that a cell above covers stands in the source, blank."""
    column = 0
    for cell in cells:
        yield replace(cell, column=column)
        column += cell.n_columns


def _headed(found: _Rows) -> tuple[Sequence[Sequence[SourceCell]], int | None]:
    """The rows without repeated heads and feet, and the number of heads; None if no rule tells it."""
    n = len(found.rows)
    if found.ends:
        first = next((at for at, kind in found.ends if kind in ("endfirsthead", "endhead")), 0)
        return [*found.rows[:first], *found.rows[found.ends[-1][0] :]], first or None
    if 0 < found.middle < n:
        return found.rows, found.middle
    inner = sorted({at for at in found.lines if 0 < at < n})
    is_grid = len(inner) == n - 1 and n > 2
    return found.rows, inner[0] if inner and inner[0] <= _MAX_HEAD_ROWS and not is_grid else None
