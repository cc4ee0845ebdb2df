"""Splits MediaWiki text into blocks: headings, listings, tables, lists, without the marks that a page does not show."""

import re
from collections.abc import Iterator
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.lines import LINE
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.mediawiki_marks import PART, Held, listing_in, notes_in, released, shown
from treatise.ingest.mediawiki_tables import ends_table, starts_table, wiki_table
from treatise.ingest.reading import Block, Reading

_HEADING: Final = re.compile(r"(?P<signs>={1,6})[ \t]*(?P<title>[^=\s](?:.*\S)?)[ \t]*(?P=signs)[ \t]*$")
_ITEM: Final = re.compile(r"(?P<mark>[*#:;]+)[ \t]*(?=\S)")
_FIXED: Final = re.compile(r"[ \t]+\S")


def read_mediawiki(data: bytes, name: str, _limits: Limits) -> Reading:
    """Blocks of the text that a page shows, else to the letter; templates and comments are left out, notes stand
    below their paragraphs.

    Raises:
        SourceError: Binary data, or broken characters.
    """
    decoded = decode(data, name)
    text, held = shown(decoded.text)
    return Reading(list(_blocks(LINE.findall(text), held)), "mediawiki", decoded.encoding)


def _blocks(lines: list[str], held: Held) -> Iterator[Block]:
    prose: list[str] = []
    at = 0
    while at < len(lines):
        found, n_lines = _special(lines, at, held)
        if n_lines:
            yield from _prose(prose, held)
            prose = []
            yield from found
            at += n_lines
            continue
        prose.append(lines[at])
        at += 1
        if not lines[at - 1].strip():
            yield from _prose(prose, held)
            prose = []
    yield from _prose(prose, held)


def _prose(lines: list[str], held: Held) -> Iterator[Block]:
    """A paragraph, and its notes below it."""
    text = "".join(lines)
    if text:
        yield Block(ParagraphKind.PROSE, released(text, held))
        yield from _notes(text, held)


def _notes(text: str, held: Held) -> Iterator[Block]:
    return (Block(ParagraphKind.PROSE, f"{note}\n\n") for note in notes_in(text, held))


def _special(lines: list[str], at: int, held: Held) -> tuple[list[Block], int]:
    """A heading, an item, a listing or a table, and the number of its lines; 0 for prose."""
    line = lines[at]
    bare = line.rstrip("\r\n")
    if bare == PART:
        return [], 1
    if heading := _HEADING.match(bare):
        title = released(heading["title"], held)
        return [Block(ParagraphKind.HEADING, released(line, held), len(heading["signs"]), title)], 1
    if (code := listing_in(line, held)) is not None:
        end = line[len(bare) :]
        return [Block(ParagraphKind.CODE, code.strip("\r\n") + end)] if code.strip() else [], 1
    if starts_table(line):
        return _table(lines, at, held)
    if item := _ITEM.match(bare):
        return [_item(line, item, held), *_notes(line, held)], 1
    if _FIXED.match(line):
        n_lines = _n_fixed(lines, at)
        return [Block(ParagraphKind.CODE, released("".join(lines[at : at + n_lines]), held))], n_lines
    return [], 0


def _item(line: str, item: re.Match[str], held: Held) -> Block:
    """An item of a list, indented by its depth; a numbered one is without its sign, since the number is not written."""
    mark = item["mark"]
    kind = ParagraphKind.LIST if mark[0] in "*#" else ParagraphKind.PROSE
    sign = "* " if mark[-1] == "*" else ""
    text = f"{'  ' * (len(mark) - 1)}{sign}{line[item.end() :]}"
    return Block(kind, released(text, held))


def _n_fixed(lines: list[str], at: int) -> int:
    end = at
    while end < len(lines) and _FIXED.match(lines[end]) and not starts_table(lines[end]):
        end += 1
    return end - at


def _table(lines: list[str], at: int, held: Held) -> tuple[list[Block], int]:
    """The table that begins at this line; one without an end goes to the next heading, or to the end of the file."""
    depth = 0
    end = at
    while end < len(lines):
        depth += starts_table(lines[end])
        depth -= ends_table(lines[end])
        end += 1
        if depth == 0 or (end < len(lines) and _HEADING.match(lines[end].rstrip("\r\n"))):
            break
    text = released("".join(lines[at:end]).replace(PART, ""), held)
    return [Block(ParagraphKind.TABLE, text, table=wiki_table(text))], end - at
