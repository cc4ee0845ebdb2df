"""Splits AsciiDoc into blocks: headings, listings, tables, lists, without the marks that a page does not show."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.lines import LINE
from treatise.ingest.asciidoc_marks import attributes_in, is_unshown, shown, with_attributions
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
_UNDERLINE: Final = re.compile(r"(?:={2,}|-{2,}|~{2,}|\^{2,}|\+{2,})$")
_LEVELS: Final = "=-~^+"
"""Underlines of headings, from the first level on."""
_TITLE_LINE: Final = re.compile(r"\.(?![. \t])(\S.*?)[ \t]*$")
_ATTRIBUTE_LINE: Final = re.compile(r"\[.*\][ \t]*$")
_MAX_LINES_ABOVE: Final = 4
_PASSED: Final = "++++"
_FENCES: Final = (
    (re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})[ \t]*$|```"), ParagraphKind.CODE),
    (re.compile(r"[|,:!]={3,}[ \t]*$"), ParagraphKind.TABLE),
)


def read_asciidoc(data: bytes, name: str, _limits: Limits) -> Reading:
    """Blocks of the text that a page shows, else to the letter; attributes, conditions and pictures are left out.

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
    attributes = attributes_in(lines)
    at = 0
    while at < len(lines):
        if lines[at].rstrip() == _PASSED:  # HTML as it is
            at = ends.after(at, _PASSED) + 1
            continue
        block = _special(lines, at, ends, attributes)
        if block is None:
            prose.append(lines[at])
            at += 1
            continue
        n_above = len(_lines_above(prose)) if block.kind is ParagraphKind.TABLE else 0
        yield from _prose(prose[: len(prose) - n_above], attributes)
        yield from prose_blocks(prose[len(prose) - n_above :])  # the caption has its place in these
        prose = []
        yield block
        at += (1 + bool(_underline(lines, at))) if block.level else len(LINE.findall(block.text))
    yield from _prose(prose, attributes)


def _prose(lines: list[str], attributes: dict[str, str]) -> Iterator[Block]:
    seen = "".join(line for line in with_attributions(lines) if not is_unshown(line))
    runs = re.split(r"(?<=\n)(?=[ \t]*\r?\n)", seen)
    return prose_blocks(LINE.findall("".join(_shown_run(run, attributes) for run in runs)))


def _shown_run(run: str, attributes: dict[str, str]) -> str:
    start = len(run) - len(run.lstrip())
    return run[:start] + shown(run[start:], attributes)


def _special(lines: list[str], at: int, ends: _FenceEnds, attributes: dict[str, str]) -> Block | None:
    """A heading, marked or underlined, or a fenced block up to its end; None for prose."""
    line = lines[at].rstrip("\r\n")
    if match := _HEADING.match(line):
        title = shown(match.group(2), attributes)
        text = lines[at].replace(match.group(2), title, 1)
        return Block(ParagraphKind.HEADING, text, len(match.group(1)), title)
    if underline := _underline(lines, at):
        title = shown(line.strip(), attributes)
        text = lines[at].replace(line.strip(), title, 1) + lines[at + 1]
        return Block(ParagraphKind.HEADING, text, _LEVELS.index(underline[0]) + 1, title)
    for fence, kind in _FENCES:
        if fence.match(line):
            text = "".join(lines[at : ends.after(at, line) + 1])
            table = fenced_table(text, *_above(lines, at)) if kind is ParagraphKind.TABLE else None
            return Block(kind, text, table=table)
    return None


def _underline(lines: list[str], at: int) -> str:
    """The line below a heading that is as long as it, give or take one character; empty if there is none.

    The heading follows a blank line or the attributes of a block, as one of a listing would not.
    """
    title, below = lines[at].rstrip(), lines[at + 1].rstrip() if at + 1 < len(lines) else ""
    above = lines[at - 1].rstrip() if at else ""
    is_underlined = _UNDERLINE.match(below) and abs(len(title) - len(below)) <= 1
    is_title = any(map(str.isalnum, title)) and not title.startswith((" ", "[", ".", "|", "*", "-"))
    return below if is_underlined and is_title and (not above or _ATTRIBUTE_LINE.match(above)) else ""


def _above(lines: list[str], at: int) -> tuple[str, tuple[int, int] | None]:
    """The attributes of the block at this line, and where its title stands, relative to it; None if it has none."""
    attributes, caption, distance = "", None, 0
    for line in reversed(_lines_above(lines[max(0, at - _MAX_LINES_ABOVE) : at])):
        distance += len(line)
        if match := _TITLE_LINE.match(line.rstrip("\r\n")):
            caption = (match.start(1) - distance, match.end(1) - distance)
        else:
            attributes = line + attributes
    return attributes, caption


def _lines_above(lines: list[str]) -> list[str]:
    """The last lines that are the attributes or the title of the block below them."""
    first = len(lines)
    while first > max(0, len(lines) - _MAX_LINES_ABOVE):
        bare = lines[first - 1].rstrip("\r\n")
        if not (_ATTRIBUTE_LINE.match(bare) or _TITLE_LINE.match(bare)):
            break
        first -= 1
    return lines[first:]
