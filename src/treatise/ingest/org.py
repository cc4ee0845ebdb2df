"""Splits Org files into blocks: headings, listings, tables, lists, without the marks that a page does not show."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.lines import LINE
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.org_marks import begins_drawer, ends_drawer, heading_parts, is_unshown, shown
from treatise.ingest.org_tables import org_table
from treatise.ingest.plain_text import prose_blocks
from treatise.ingest.reading import Block, Reading, Stated

_SETTING: Final = re.compile(
    r"^[ \t]*#\+(title|author|date|language):[ \t]*(\S.*?)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE
)
_MAX_HEAD_CHARS: Final = 4_000
_TITLE: Final = re.compile(r"[ \t]*#\+title:[ \t]*(?=\S)", re.IGNORECASE)
_HEADING: Final = re.compile(r"(?P<stars>\*{1,20})[ \t]+(?P<text>\S.*)$")
_COMMENT: Final = re.compile(r"(?:[A-Z]+[ \t]+)?COMMENT(?:[ \t]|$)")
_CAPTION: Final = re.compile(r"[ \t]*#\+caption(?:\[[^\]\n]*\])?:[ \t]*(?=\S)", re.IGNORECASE)
_BEGIN: Final = re.compile(r"[ \t]*#\+begin_(?P<name>\S+)", re.IGNORECASE)
_END: Final = re.compile(r"[ \t]*#\+end_(?P<name>\S+)", re.IGNORECASE)
_CODE: Final = frozenset(("src", "example"))
_LEFT_OUT: Final = frozenset(("comment", "export", "html", "latex"))
_TABLE: Final = re.compile(r"[ \t]*\|")
_FIXED: Final = re.compile(r"[ \t]*:(?:[ \t]|\r?\n?\Z)")
_DATE: Final = re.compile(r"[<\[](\d{4}-\d\d-\d\d)[^>\]]*[>\]]")


def read_org(data: bytes, name: str, _limits: Limits) -> Reading:
    """Blocks of the text that a page shows, else to the letter; settings, comments, drawers and pictures are left out.

    Raises:
        SourceError: Binary data, or broken characters.
    """
    decoded = decode(data, name)
    fields = {match[1].lower(): match[2] for match in _SETTING.finditer(decoded.text[:_MAX_HEAD_CHARS])}
    stated = Stated((fields.get("author", ""),), _DATE.sub(r"\1", fields.get("date", "")))
    return Reading(
        list(_Reader(LINE.findall(decoded.text)).blocks()),
        "org",
        decoded.encoding,
        shown(fields.get("title", "")),
        fields.get("language", "")[:2].lower(),
        stated=stated,
    )


@dataclass(slots=True)
class _Reader:
    """Passes over the lines once; prose is held until something else begins."""

    lines: list[str]
    _at: int = 0
    _prose: list[str] = field(default_factory=list)
    _ends: dict[int, int] = field(default_factory=dict)  # by the first line of a block, its last
    _bounds: list[int] = field(default_factory=list)  # lines of headings and of the ends of drawers
    _levels_above: int = 0  # 1 below a title
    _caption: int = 0  # length of the caption's line, directly above

    def blocks(self) -> Iterator[Block]:
        """The blocks of the file."""
        self._ends = _block_ends(self.lines)
        self._bounds = [at for at, line in enumerate(self.lines) if _HEADING.match(line) or ends_drawer(line)]
        while self._at < len(self.lines):
            before = self._at
            yield from self._special()
            if self._at == before:  # prose
                self._prose.append(self.lines[self._at])
                self._at += 1
        yield from self._flushed()

    def _special(self) -> Iterator[Block]:
        """What begins at this line if it is no prose; the line stays the same if it is."""
        line = self.lines[self._at]
        if heading := _HEADING.match(line.rstrip("\r\n")):
            yield from self._flushed()
            yield from self._heading(heading)
        elif title := _TITLE.match(line):
            yield from self._flushed()
            yield from self._title(line[title.end() :])
        elif caption := _CAPTION.match(line):
            yield from self._flushed()
            yield from self._captioned(line[caption.end() :])
        elif self._at in self._ends:
            yield from self._flushed()
            yield from self._block()
        elif _END.match(line) or is_unshown(line):
            yield from self._flushed()
            self._at += 1
        elif n_lines := self._drawer_lines():
            yield from self._flushed()
            self._at += n_lines
        elif _TABLE.match(line) or _FIXED.match(line):
            yield from self._flushed()
            block = self._table() if _TABLE.match(line) else self._fixed()
            if any(map(str.isalnum, block.text)):
                yield block

    def _drawer_lines(self) -> int:
        """Number of lines of the drawer that begins at this line; 0 if none does, or if it does not end."""
        if not begins_drawer(self.lines[self._at]):
            return 0
        after = bisect_right(self._bounds, self._at)
        end = self._bounds[after] if after < len(self._bounds) else self._at
        return end + 1 - self._at if ends_drawer(self.lines[end]) else 0

    def _flushed(self) -> Iterator[Block]:
        """The prose that is held, which ends here; a caption stays directly above what follows if nothing is held."""
        if self._prose:
            text = shown("".join(self._prose))
            self._prose = []
            self._caption = 0
            yield from prose_blocks(LINE.findall(text))

    def _heading(self, found: re.Match[str]) -> Iterator[Block]:
        level = len(found["stars"])
        self._caption = 0
        if _COMMENT.match(found["text"]):
            self._at += 1
            while self._at < len(self.lines) and not _is_heading_of(self.lines[self._at], level):
                self._at += 1
            return
        line = self.lines[self._at]
        state, title = heading_parts(found["text"])
        end = line[len(line.rstrip("\r\n")) :]
        text = f"{line[: found.start('text')]}{state}{title}{end}"
        self._at += 1
        yield Block(ParagraphKind.HEADING, text, level + self._levels_above, title)

    def _title(self, text: str) -> Iterator[Block]:
        self._at += 1
        if self._levels_above:
            return
        self._levels_above = 1
        title = shown(text)
        yield Block(ParagraphKind.HEADING, title, 1, title.strip())

    def _captioned(self, text: str) -> Iterator[Block]:
        self._at += 1
        caption = shown(text.rstrip()) + "\n"
        if caption.strip():
            yield Block(ParagraphKind.PROSE, caption)
            self._caption = len(caption)

    def _block(self) -> Iterator[Block]:
        """A block of code with its marks, as in AsciiDoc; other blocks are read as what they hold."""
        begin, end = self._at, self._ends[self._at]
        found = _BEGIN.match(self.lines[begin])
        name = found["name"].lower() if found else ""
        self._at = begin + 1
        if name in _LEFT_OUT:
            self._at = end + 1
        elif name in _CODE:
            self._at = end + 1
            self._caption = 0
            yield Block(ParagraphKind.CODE, "".join(self.lines[begin : end + 1]))

    def _table(self) -> Block:
        caption = (-self._caption, -1) if self._caption else None
        text = "".join(shown(line) for line in self._run(_TABLE))
        return Block(ParagraphKind.TABLE, text, table=org_table(text, caption))

    def _fixed(self) -> Block:
        return Block(ParagraphKind.CODE, "".join(self._run(_FIXED)))

    def _run(self, kind: re.Pattern[str]) -> list[str]:
        """The lines from this one on that are of a kind."""
        first = self._at
        while self._at < len(self.lines) and kind.match(self.lines[self._at]):
            self._at += 1
        self._caption = 0
        return self.lines[first : self._at]


def _is_heading_of(line: str, level: int) -> bool:
    """Whether a line is a heading of this level or above it."""
    found = _HEADING.match(line)
    return found is not None and len(found["stars"]) <= level


def _block_ends(lines: list[str]) -> dict[int, int]:
    """The last lines of blocks by their first lines; blocks without an end are left out."""
    begun: dict[str, list[int]] = {}
    ends: dict[int, int] = {}
    for at, line in enumerate(lines):
        if "#+" not in line:
            continue
        if found := _BEGIN.match(line):
            begun.setdefault(found["name"].lower(), []).append(at)
        elif (found := _END.match(line)) and begun.get(found["name"].lower()):
            ends[begun[found["name"].lower()].pop()] = at
    return ends
