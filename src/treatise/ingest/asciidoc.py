"""AsciiDoc becomes blocks of its own source: headings, listings, tables, lists."""

import re
from collections.abc import Iterator
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.plain_text import read_plain_text
from treatise.ingest.reading import Block, Reading

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_HEADING: Final = re.compile(r"(={1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*$")
_FENCES: Final = (
    (re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})[ \t]*$|```"), ParagraphKind.CODE),
    (re.compile(r"[|,:!]={3,}[ \t]*$"), ParagraphKind.TABLE),
)


def read_asciidoc(data: bytes, name: str, _limits: Limits) -> Reading:
    """Blocks that hold the source to the letter.

    Raises:
        SourceError: Binary data, or broken characters.
    """
    decoded = decode(data, name)
    blocks = list(_blocks(_LINE.findall(decoded.text)))
    title = next((block.title for block in blocks if block.level == 1 and block.title), "")
    return Reading(blocks, "asciidoc", decoded.encoding, title)


def _blocks(lines: list[str]) -> Iterator[Block]:
    prose: list[str] = []
    at = 0
    while at < len(lines):
        block = _special(lines, at)
        if block is None:
            prose.append(lines[at])
            at += 1
            continue
        yield from _prose(prose)
        prose = []
        yield block
        at += len(_LINE.findall(block.text))
    yield from _prose(prose)


def _prose(lines: list[str]) -> Iterator[Block]:
    for block in read_plain_text("".join(lines)) if lines else ():
        yield Block(ParagraphKind.PROSE, block.text) if block.level else block


def _special(lines: list[str], at: int) -> Block | None:
    """A heading, or a fenced block up to its end; None for prose."""
    line = lines[at].rstrip("\r\n")
    if match := _HEADING.match(line):
        return Block(ParagraphKind.HEADING, lines[at], len(match.group(1)), match.group(2))
    for fence, kind in _FENCES:
        if fence.match(line):
            end = next((i for i in range(at + 1, len(lines)) if lines[i].rstrip() == line.rstrip()[:80]), None)
            if line.startswith("```"):
                end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("```")), None)
            return Block(kind, "".join(lines[at : (end if end is not None else at) + 1]))
    return None
