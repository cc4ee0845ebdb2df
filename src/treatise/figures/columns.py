"""Columns of tables with years over them: which year each has, and the numbers below it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.periods import Length, length_of, period_of
from treatise.core.statements import row_label
from treatise.core.table import Row, Table, caption_text, head_texts

_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_SCALE: Final = lazy_pattern(r"\b(thousand|million|billion)s\b", re.IGNORECASE)
_NUMBER: Final = lazy_pattern(
    r"(?P<sign>\()?[-–−]?\s*[$€£]?\s*(?P<minus>[-–−(])?(?P<digits>(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d+)(?:\.\d+)?)\)?\s*[$€£]?"
)
_POINTS_GROUP: Final = lazy_pattern(r"[1-9]\d{0,2}\.\d{3}")  # "1.234": thousands or thousandths
_NOTHING: Final = lazy_pattern(r"[$€£]?\s*[—–-]")
_PART: Final = lazy_pattern(
    r"\b(?:six|nine|6|9) months\b|\b(?:26|39) weeks\b|\b(?:twenty-six|thirty-nine) weeks\b", re.IGNORECASE
)
_SHARE: Final = lazy_pattern(r"%|percent|change|increase|decrease", re.IGNORECASE)
_FOOTNOTE: Final = lazy_pattern(r"\s*\((?:see )?(?:note|notes)\b[^)]*\)|\s*\(\d{1,2}\)|[\s:.$*]+$", re.IGNORECASE)
_ABOVE: Final = 200  # characters above a table that may say in what it counts
_KINDS: Final = ("basic", "diluted", "basic and diluted")  # labels that need their group
_MOST: Final = 0.4  # share of the rows with values from which a column is one of values


def dated(text: str, tables: Iterable[Table]) -> Iterator[tuple[Table, dict[int, int]]]:
    """The parts of a table with the year of each column of values; a part without heads has those of the one before."""
    before: list[int] = []
    for table in tables:
        columns = _value_columns(text, table)
        years = _by_order(text, table, columns, before) or _by_head(text, table, columns)
        before = list(dict.fromkeys(years.values())) or before
        yield table, years


def value_in(text: str, table: Table, row: Row, years: Mapping[int, int], year: int) -> tuple[float, str] | None:
    """The number of a row in the columns of that year, and its digits; None if they have none, or several."""
    cells = (cell for cell in row.cells if cell.column >= table.n_labels and years.get(cell.column) == year)
    found = [value for cell in cells if (value := number(text[cell.start : cell.end]))]
    return found[0] if len({value for value, _ in found}) == 1 else None


def label_of(text: str, table: Table, row: Row) -> str:
    """The label of a row without marks of notes; "Diluted" stands behind its group, "total" before it if blank."""
    label = cleaned(row_label(text, table, row))
    group = group_of(text, table, row)
    if group and (not label or label.casefold() in _KINDS):
        return f"{group} {label}" if label else f"total {group}"
    return label


def group_of(text: str, table: Table, row: Row) -> str:
    """The label of the row that groups this one; empty if none does."""
    return cleaned(row_label(text, table, table.rows[row.parent])) if row.parent >= 0 else ""


def scale_of(text: str, tables: Iterable[Table]) -> float | None:
    """What values count: 1e6 for "in millions"; None if neither the tables nor the lines above them say so."""
    listed = list(tables)
    above = (text[max(0, table.start - _ABOVE) : table.start] for table in listed)
    found = _SCALE.search(" ".join((*(_titles(text, table) for table in listed), *above)))
    return _SCALES[found[1].casefold()] if found else None


def _titles(text: str, table: Table) -> str:
    return " ".join((caption_text(text, table), *head_texts(text, table).values()))


def _value_columns(text: str, table: Table) -> list[int]:
    """The columns in which many rows have a number."""
    counts: dict[int, int] = {}
    n_rows = 0
    for row in table.rows:
        columns = {c.column for c in row.cells if c.column >= table.n_labels and number(text[c.start : c.end])}
        n_rows += bool(columns)
        for column in columns:
            counts[column] = counts.get(column, 0) + 1
    heads = head_texts(text, table)
    most = [column for column, n in counts.items() if n >= _MOST * n_rows]
    return sorted(column for column in most if not _SHARE.search(heads.get(column, "")))


def _by_order(text: str, table: Table, columns: Sequence[int], before: Sequence[int]) -> dict[int, int]:
    """Years in the order of their columns, if there are as many; empty if quarters stand beside years."""
    heads = [head for _, head in sorted(head_texts(text, table).items())]
    if any(_is_of_part(head) for head in (*heads, caption_text(text, table))):
        return {}
    years = _years(heads) or _years([caption_text(text, table)]) or list(before)
    return dict(zip(columns, years, strict=True)) if len(years) == len(columns) else {}


def _by_head(text: str, table: Table, columns: Sequence[int]) -> dict[int, int]:
    """The year of each column whose head names one, unless it or the caption names a quarter."""
    heads = head_texts(text, table)
    is_part = _is_of_part(caption_text(text, table))
    found: dict[int, int] = {}
    for column in columns:
        period = period_of(heads.get(column, ""))
        is_whole = period.length is Length.YEAR or not is_part
        if len(period.years) == 1 and is_whole and not _is_of_part(heads[column]):
            found[column] = next(iter(period.years))
    return found


def _is_of_part(head: str) -> bool:
    """Whether a head names a quarter or several, not a year."""
    return length_of(head) is Length.QUARTER or bool(_PART.search(head))


def _years(texts: Sequence[str]) -> list[int]:
    """The years that texts name, each once, in order."""
    found = (int(year) for text in texts for year in re.findall(r"(?<!\d)((?:19|20)\d\d)(?!\d)", text))
    return list(dict.fromkeys(found))


def cleaned(label: str) -> str:
    """A label without the numbers of its notes and the signs after it."""
    before = None
    while before != label:
        before, label = label, _FOOTNOTE.sub("", label)
    return label.strip()


def number(text: str) -> tuple[float, str] | None:
    """The value and the digits of a cell; None if it is no number."""
    text = " ".join(text.split())
    if _NOTHING.fullmatch(text):
        return 0.0, "0"
    found = _NUMBER.fullmatch(text)
    if not found:
        return None
    digits = found["digits"]
    if _POINTS_GROUP.fullmatch(digits):
        return None
    is_negative = bool(found["sign"] or found["minus"]) or text[:1] in "-–−"
    value = float(digits.replace(",", ""))
    return (-value if is_negative else value), digits
