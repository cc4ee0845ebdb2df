"""Splits reStructuredText into blocks of its source text: underlined headings, literal blocks, tables, lists."""

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
from treatise.ingest.rst_tables import GRID_RULE, SIMPLE_RULE, TABLE_DIRECTIVE, directive_table, ruled_table

_FIELD: Final = re.compile(r"^:(authors?|date):[ \t]*(\S.*?)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_MAX_HEAD_CHARS: Final = 4_000
_RULE: Final = re.compile(r"([=\-`:.'\"~^_*+#<>])\1{2,}[ \t]*$")
_MAX_LINES_TO_TITLE: Final = 6
_CODE_DIRECTIVE: Final = re.compile(r"[ \t]*\.\. (?:code|code-block|sourcecode|literalinclude|math|parsed-literal)::")
_UNSEEN: Final = re.compile(r"[ \t]*\.\. (?![\w-]+::|\[|_)|[ \t]*\.\. (?:image|raw|toctree|highlight|index|_[^:]*)::?")


def read_rst(data: bytes, name: str, _limits: Limits) -> Reading:
    """Blocks that reproduce the source verbatim; directives and comments are code.

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
    at = 0
    while at < len(lines):
        blocks = _special(lines, at, styles, ends)
        if not blocks:
            prose.append(lines[at])
            at += 1
            continue
        yield from prose_blocks(prose)
        prose = []
        yield from blocks
        at += sum(len(LINE.findall(block.text)) for block in blocks)
    yield from prose_blocks(prose)


def _special(lines: list[str], at: int, styles: list[str], ends: list[int]) -> list[Block]:
    """A heading, table or indented block; none for prose."""
    if (n_lines := _heading_lines(lines, at)) and (style := _style(lines, at, n_lines)):
        if style not in styles:
            styles.append(style)
        title = lines[at + n_lines - 2].strip()
        text = "".join(lines[at : at + n_lines])
        return [Block(ParagraphKind.HEADING, text, styles.index(style) + 1, title)]
    if n_lines := _table_lines(lines, at, ends):
        text = "".join(lines[at : at + n_lines])
        return [Block(ParagraphKind.TABLE, text, table=ruled_table(text, _title_above(lines, at)))]
    if directive := TABLE_DIRECTIVE.match(lines[at].rstrip("\r\n")):
        return _directive(lines, at, directive)
    if _CODE_DIRECTIVE.match(lines[at]) or _UNSEEN.match(lines[at]):
        n_lines = 1 + _n_indented(lines, at + 1, _depth(lines[at]))
        return [Block(ParagraphKind.CODE, "".join(lines[at : at + n_lines]))]
    before = next((line for line in reversed(lines[max(0, at - 2) : at]) if line.strip()), "")
    if before.rstrip().endswith("::") and lines[at].strip() and (n_lines := _n_indented(lines, at, _depth(before))):
        return [Block(ParagraphKind.CODE, "".join(lines[at : at + n_lines]))]
    return []


def _directive(lines: list[str], at: int, directive: re.Match[str]) -> list[Block]:
    """The line of a directive for a table, and the table in it; a table drawn with signs is read after the line."""
    head = Block(ParagraphKind.CODE, lines[at])
    n_lines = _n_indented(lines, at + 1, _depth(lines[at]))
    if directive["kind"] == "table" or not n_lines:
        return [head]
    text = "".join(lines[at + 1 : at + 1 + n_lines])
    table = directive_table(text, directive["kind"], _span_before(directive, len(lines[at])))
    return [head, Block(ParagraphKind.TABLE if table else ParagraphKind.CODE, text, table=table)]


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
    is_long_enough = len(under.group().rstrip()) >= len(lines[title].strip())
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
