"""Splits reStructuredText into blocks: underlined headings, literal blocks, tables, lists, without unshown marks."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.lines import LINE
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.plain_text import prose_blocks
from treatise.ingest.reading import Block, Reading, Stated
from treatise.ingest.rst_marks import Known, is_code_line, is_option, known_in, plain, plain_in_place, shown_line
from treatise.ingest.rst_tables import GRID_RULE, SIMPLE_RULE, TABLE_DIRECTIVE, directive_table, ruled_table

_FIELD: Final = re.compile(r"^:(authors?|date):[ \t]*(\S.*?)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_MAX_HEAD_CHARS: Final = 4_000
_RULE: Final = re.compile(r"([=\-`:.'\"~^_*+#<>])\1{2,}[ \t]*$")
_MAX_LINES_TO_TITLE: Final = 6
_MIN_RULE: Final = 4  # of a title between two rules, which may be longer than they are


def read_rst(data: bytes, name: str, _limits: Limits) -> Reading:
    """Blocks of the text that a page shows, else to the letter; comments, pictures, lines of directives are left out.

    Raises:
        SourceError: Binary data, or broken characters.
    """
    decoded = decode(data, name)
    fields = {match[1].lower(): match[2] for match in _FIELD.finditer(decoded.text[:_MAX_HEAD_CHARS])}
    stated = Stated((fields.get("author", fields.get("authors", "")),), fields.get("date", ""))
    return Reading(list(_blocks(LINE.findall(decoded.text))), "rst", decoded.encoding, stated=stated)


def _blocks(lines: list[str]) -> Iterator[Block]:
    styles: list[str] = []
    prose: list[str] = []
    ends = _table_ends(lines)
    known = known_in(lines)
    at = 0
    while at < len(lines):
        if (found := _unshown(lines, at)) is not None:
            shown, n_lines = found
            prose.append(shown)
            at += n_lines
            continue
        blocks, n_lines = _special(lines, at, styles, ends, known)
        if not n_lines:
            prose.append(lines[at])
            at += 1
            continue
        yield from _prose(prose, known)
        prose = []
        yield from blocks
        at += n_lines
    yield from _prose(prose, known)


def _prose(lines: list[str], known: Known) -> Iterator[Block]:
    text = plain("".join(lines), known)
    return prose_blocks(LINE.findall(text))


def _unshown(lines: list[str], at: int) -> tuple[str, int] | None:
    """What a page shows of lines that begin with two dots, and their number; None if all of it is read elsewhere."""
    found = shown_line(lines[at]) if ".." in lines[at] else None
    if found is None:
        return None
    shown, has_content = found
    if not has_content:
        n_indented = _n_indented(lines, at + 1, _depth(lines[at]))
        return shown + ("\n" if n_indented else ""), 1 + n_indented
    n_lines = 1 + _n_options(lines, at + 1)
    has_text = at + n_lines < len(lines) and _depth(lines[at + n_lines]) > _depth(lines[at])
    return shown if has_text or not shown.rstrip().endswith(":") else f"{shown.rstrip()[:-1]}.\n", n_lines


def _n_options(lines: list[str], at: int) -> int:
    """Number of lines with options that begin at this line."""
    end = at
    while end < len(lines) and is_option(lines[end]):
        end += 1
    return end - at


def _special(lines: list[str], at: int, styles: list[str], ends: list[int], known: Known) -> tuple[list[Block], int]:
    """A heading, table or indented block, and the number of its lines; 0 for prose."""
    if (n_lines := _heading_lines(lines, at)) and (style := _style(lines, at, n_lines)):
        if style not in styles:
            styles.append(style)
        title = lines[at + n_lines - 2].strip()
        text = "".join(lines[at : at + n_lines])
        return [Block(ParagraphKind.HEADING, text, styles.index(style) + 1, plain(title, known))], n_lines
    if n_lines := _table_lines(lines, at, ends):
        text = plain_in_place("".join(lines[at : at + n_lines]), known)
        return [Block(ParagraphKind.TABLE, text, table=ruled_table(text, _title_above(lines, at)))], n_lines
    if directive := TABLE_DIRECTIVE.match(lines[at].rstrip("\r\n")):
        return _directive(lines, at, directive, known)
    if is_code_line(lines[at]):
        return _listing(lines, at)
    before = next((line for line in reversed(lines[max(0, at - 2) : at]) if line.strip()), "")
    if before.rstrip().endswith("::") and lines[at].strip() and (n_lines := _n_indented(lines, at, _depth(before))):
        return [Block(ParagraphKind.CODE, "".join(lines[at : at + n_lines]))], n_lines
    return [], 0


def _listing(lines: list[str], at: int) -> tuple[list[Block], int]:
    """The code of a directive without its line and options."""
    n_lines = 1 + _n_indented(lines, at + 1, _depth(lines[at]))
    first = at + 1
    while first < at + n_lines and (is_option(lines[first]) or not lines[first].strip()):
        first += 1
    text = "".join(lines[first : at + n_lines])
    return [Block(ParagraphKind.CODE, text)] if text else [], n_lines


def _directive(lines: list[str], at: int, directive: re.Match[str], known: Known) -> tuple[list[Block], int]:
    """The line of a directive for a table, and the table in it; a table drawn with signs is read after the line."""
    if directive["kind"] == "table":
        n_lines = 1 + _n_options(lines, at + 1)
        return [Block(ParagraphKind.CODE, "".join(lines[at : at + n_lines]))], n_lines
    head = Block(ParagraphKind.CODE, lines[at])
    n_lines = _n_indented(lines, at + 1, _depth(lines[at]))
    if not n_lines:
        return [head], 1
    text = plain_in_place("".join(lines[at + 1 : at + 1 + n_lines]), known)
    table = directive_table(text, directive["kind"], _span_before(directive, len(lines[at])))
    return [head, Block(ParagraphKind.TABLE if table else ParagraphKind.CODE, text, table=table)], 1 + n_lines


def _span_before(directive: re.Match[str], distance: int) -> tuple[int, int] | None:
    """The title of a directive, relative to the offset that is `distance` after its line begins."""
    return (directive.start("title") - distance, directive.end("title") - distance) if directive["title"] else None


def _title_above(lines: list[str], at: int) -> tuple[int, int] | None:
    """Where the title of a ``table`` directive stands above the table at this line; None if it has none."""
    distance = 0
    for line in reversed(lines[max(0, at - _MAX_LINES_TO_TITLE) : at]):
        distance += len(line)
        if directive := TABLE_DIRECTIVE.match(line.rstrip("\r\n")):
            return _span_before(directive, distance)
        if line.strip() and not line.lstrip().startswith(":"):
            return None
    return None


def _heading_lines(lines: list[str], at: int) -> int:
    """Number of lines: 2 with an underline, 3 with an overline as well, 0 if not a heading."""
    over = _RULE.match(lines[at])
    title = at + 1 if over else at
    if title + 1 >= len(lines) or not lines[title].strip() or (title == at and lines[title][:1].isspace()):
        return 0
    under = _RULE.match(lines[title + 1])
    if not under or (over and over.group(1) != under.group(1)) or _RULE.match(lines[title]):
        return 0
    blank_before = at == 0 or not lines[at - 1].strip()
    least = _MIN_RULE if over else len(lines[title].strip())
    is_long_enough = len(under.group().rstrip()) >= least
    return (title + 2 - at) if blank_before and is_long_enough else 0


def _style(lines: list[str], at: int, n_lines: int) -> str:
    return lines[at + n_lines - 1][0] + ("over" if n_lines == 3 else "")


def _table_ends(lines: list[str]) -> list[int]:
    """Rules of simple tables that a blank line or the end of the file follows: a table ends there."""
    rules = [at for at, line in enumerate(lines) if SIMPLE_RULE.match(line)]
    return [at for at in rules if at + 1 == len(lines) or not lines[at + 1].strip()]


def _table_lines(lines: list[str], at: int, ends: list[int]) -> int:
    """Number of lines of a table that begins with this rule; 0 if it is not a table."""
    if SIMPLE_RULE.match(lines[at]):
        after = bisect_right(ends, at)
        return ends[after] + 1 - at if after < len(ends) and ends[after] - at > 1 else 0
    if GRID_RULE.match(lines[at]):
        end = next((i for i in range(at, len(lines)) if not lines[i].lstrip().startswith(("+", "|"))), len(lines))
        return end - at if end - at > 2 else 0
    return 0


def _n_indented(lines: list[str], at: int, depth: int) -> int:
    """Number of lines indented deeper than `depth`, including blank lines among and after them."""
    end = last = at
    while end < len(lines) and (not lines[end].strip() or _depth(lines[end]) > depth):
        last = end + 1
        end += 1
    return last - at


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
