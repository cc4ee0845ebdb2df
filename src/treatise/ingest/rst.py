"""Splits reStructuredText into blocks of its source text: underlined headings, literal blocks, tables, lists."""

import re
from collections.abc import Iterator
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.plain_text import read_plain_text
from treatise.ingest.reading import Block, Reading, Stated

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_FIELD: Final = re.compile(r"^:(authors?|date):[ \t]*(\S.*?)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_MAX_HEAD_CHARS: Final = 4_000
_RULE: Final = re.compile(r"([=\-`:.'\"~^_*+#<>])\1{2,}[ \t]*$")
_TABLE_RULE: Final = re.compile(r"[ \t]*(?:\+[-=+]{3,}\+|={2,}(?:[ \t]+={2,})+)[ \t]*$")
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
    return Reading(list(_blocks(_LINE.findall(decoded.text))), "rst", decoded.encoding, stated=stated)


def _blocks(lines: list[str]) -> Iterator[Block]:
    styles: list[str] = []
    prose: list[str] = []
    at = 0
    while at < len(lines):
        n_lines, block = _special(lines, at, styles)
        if block is None:
            prose.append(lines[at])
            at += 1
            continue
        yield from _prose(prose)
        prose = []
        yield block
        at += n_lines
    yield from _prose(prose)


def _prose(lines: list[str]) -> Iterator[Block]:
    """The lines read as plain text, but only with underlined headings, the only ones in this format."""
    for block in read_plain_text("".join(lines)) if lines else ():
        yield Block(ParagraphKind.PROSE, block.text) if block.level else block


def _special(lines: list[str], at: int, styles: list[str]) -> tuple[int, Block | None]:
    """A heading, table or indented block, and its number of lines; None for prose."""
    if (n_lines := _heading_lines(lines, at)) and (style := _style(lines, at, n_lines)):
        if style not in styles:
            styles.append(style)
        title = lines[at + n_lines - 2].strip()
        text = "".join(lines[at : at + n_lines])
        return n_lines, Block(ParagraphKind.HEADING, text, styles.index(style) + 1, title)
    if _TABLE_RULE.match(lines[at]) and (n_lines := _table_lines(lines, at)):
        return n_lines, Block(ParagraphKind.TABLE, "".join(lines[at : at + n_lines]))
    if _CODE_DIRECTIVE.match(lines[at]) or _UNSEEN.match(lines[at]):
        n_lines = 1 + _n_indented(lines, at + 1, _depth(lines[at]))
        return n_lines, Block(ParagraphKind.CODE, "".join(lines[at : at + n_lines]))
    before = next((line for line in reversed(lines[max(0, at - 2) : at]) if line.strip()), "")
    if before.rstrip().endswith("::") and lines[at].strip() and (n_lines := _n_indented(lines, at, _depth(before))):
        return n_lines, Block(ParagraphKind.CODE, "".join(lines[at : at + n_lines]))
    return 0, None


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


def _table_lines(lines: list[str], at: int) -> int:
    """Number of lines of a table, up to the first blank line; 0 if it is not a table."""
    end = next((i for i in range(at, len(lines)) if not lines[i].strip()), len(lines))
    rules = [i for i in range(at, end) if _TABLE_RULE.match(lines[i])]
    return end - at if len(rules) > 1 else 0


def _n_indented(lines: list[str], at: int, depth: int) -> int:
    """Number of lines indented deeper than `depth`, including blank lines among and after them."""
    end = last = at
    while end < len(lines) and (not lines[end].strip() or _depth(lines[end]) > depth):
        last = end + 1
        end += 1
    return last - at


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
