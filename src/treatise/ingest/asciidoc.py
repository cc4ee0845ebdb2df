"""Splits AsciiDoc into blocks of its source text: headings, listings, tables, lists."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.lines import LINE
from treatise.ingest.asciidoc_tables import fenced_table
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.plain_text import prose_blocks
from treatise.ingest.reading import Block, Reading, Stated

_HEADER: Final = re.compile(
    r"^=[ \t]+\S.*\r?\n(?P<author>[^\W\d_].*?)[ \t]*(?:\r?\n(?P<revision>(?:v?\d).*?)[ \t]*)?\r?$", re.MULTILINE
)
_ATTRIBUTE: Final = re.compile(r"^:(author|revdate|date):[ \t]*(\S.*?)[ \t]*\r?$", re.MULTILINE)
_MAX_HEAD_CHARS: Final = 4_000
_HEADING: Final = re.compile(r"(={1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*$")
_TITLE_LINE: Final = re.compile(r"\.(?![. \t])(\S.*?)[ \t]*$")
_ATTRIBUTE_LINE: Final = re.compile(r"\[.*\][ \t]*$")
_MAX_LINES_ABOVE: Final = 4
_FENCES: Final = (
    (re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})[ \t]*$|```"), ParagraphKind.CODE),
    (re.compile(r"[|,:!]={3,}[ \t]*$"), ParagraphKind.TABLE),
)


def read_asciidoc(data: bytes, name: str, _limits: Limits) -> Reading:
    """Blocks that reproduce the source verbatim.

    Raises:
        SourceError: Binary data, or broken characters.
    """
    decoded = decode(data, name)
    blocks = list(_blocks(LINE.findall(decoded.text)))
    title = next((block.title for block in blocks if block.level == 1 and block.title), "")
    return Reading(blocks, "asciidoc", decoded.encoding, title, stated=_stated(decoded.text[:_MAX_HEAD_CHARS]))


def _stated(head: str) -> Stated:
    """The lines of author and revision below the title, or the attributes with these names."""
    header = _HEADER.search(head)
    fields = {match[1]: match[2] for match in _ATTRIBUTE.finditer(head)}
    author, revision = (header["author"], header["revision"] or "") if header else ("", "")
    return Stated((fields.get("author", author),), fields.get("revdate", fields.get("date", revision)))


class _FenceEnds:
    """Where fenced blocks end, found in one pass over the lines."""

    def __init__(self, lines: list[str]) -> None:
        self._by_fence: dict[str, list[int]] = {}
        for at, line in enumerate(lines):
            if any(fence.match(bare := line.rstrip("\r\n")) for fence, _ in _FENCES):
                self._by_fence.setdefault(_fence_key(bare), []).append(at)

    def after(self, at: int, line: str) -> int:
        """The index of the line that closes the block opened by ``line`` at ``at``; ``at`` itself if none does."""
        found = self._by_fence[_fence_key(line)]
        after = bisect_right(found, at)
        return found[after] if after < len(found) else at


def _fence_key(line: str) -> str:
    """The delimiter shared by a block's first and last line: the whole line, or the backticks before a language."""
    return "```" if line.startswith("```") else line.rstrip()


def _blocks(lines: list[str]) -> Iterator[Block]:
    prose: list[str] = []
    ends = _FenceEnds(lines)
    at = 0
    while at < len(lines):
        block = _special(lines, at, ends)
        if block is None:
            prose.append(lines[at])
            at += 1
            continue
        yield from prose_blocks(prose)
        prose = []
        yield block
        at += len(LINE.findall(block.text))
    yield from prose_blocks(prose)


def _special(lines: list[str], at: int, ends: _FenceEnds) -> Block | None:
    """A heading, or a fenced block up to its end; None for prose."""
    line = lines[at].rstrip("\r\n")
    if match := _HEADING.match(line):
        return Block(ParagraphKind.HEADING, lines[at], len(match.group(1)), match.group(2))
    for fence, kind in _FENCES:
        if fence.match(line):
            text = "".join(lines[at : ends.after(at, line) + 1])
            table = fenced_table(text, *_above(lines, at)) if kind is ParagraphKind.TABLE else None
            return Block(kind, text, table=table)
    return None


def _above(lines: list[str], at: int) -> tuple[str, tuple[int, int] | None]:
    """The attributes of the block at this line, and where its title stands, relative to it; None if it has none."""
    attributes, caption, distance = "", None, 0
    for line in reversed(lines[max(0, at - _MAX_LINES_ABOVE) : at]):
        distance += len(line)
        if _ATTRIBUTE_LINE.match(line.rstrip("\r\n")):
            attributes = line + attributes
        elif match := _TITLE_LINE.match(line.rstrip("\r\n")):
            caption = (match.start(1) - distance, match.end(1) - distance)
        else:
            break
    return attributes, caption
