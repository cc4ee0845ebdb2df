"""Converts web pages and EPUB chapters to blocks of readable text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from selectolax.lexbor import LexborHTMLParser, LexborNode

from treatise.core.document import ParagraphKind
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Block, Reading

_UNREAD_TAGS = (
    "script style noscript template svg annotation annotation-xml iframe object embed head meta link button select "
    "option input textarea canvas audio video dialog -comment !doctype"
)
_BLOCK_TAGS = (
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form "
    "header hgroup hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul"
)
_UNREAD = frozenset(_UNREAD_TAGS.split())
_BOILERPLATE = frozenset(("nav", "footer", "aside"))
_BOILERPLATE_ROLES = frozenset(("navigation", "banner", "contentinfo", "complementary", "search"))
_MAX_BOILERPLATE_SHARE = 0.3  # above this share of the text, <aside> is content
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = _HEADINGS.keys() | frozenset(_BLOCK_TAGS.split())
_MAX_CELL_CHARS = 400  # a longer cell is part of the page layout, not of a table
_MAX_VERSE_CHARS = 65
_BREAK = "\0"  # never in parsed text, so it can represent <br>
_SPACES = re.compile(r"[ \t\r\n\f]+")
_CHARSET = re.compile(
    rb"""<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,100}?encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Page:
    """The content of one HTML file.

    Attributes:
        blocks: In document order, each ending with a blank line.
        title: From ``<title>``; ``""`` if absent.
        language: From ``<html lang>``; ``""`` if absent.
        n_dropped_chars: Number of characters left out with menus, footers and asides.
    """

    blocks: list[Block]
    title: str
    language: str
    n_dropped_chars: int


def read_html_file(data: bytes, name: str, _limits: Limits) -> Reading:
    """A web page saved as a file.

    Raises:
        SourceError: Binary data, or malformed characters.
    """
    decoded = decode(data, name, declared=declared_charset(data))
    page = read_html(decoded.text)
    dropped = page.n_dropped_chars
    notes = (f"left out {dropped:,} characters of menus, footers and asides",) if dropped else ()
    return Reading(page.blocks, "html", decoded.encoding, page.title, page.language, notes=notes)


def declared_charset(data: bytes) -> str:
    """The encoding declared at the start of the file; ``""`` if absent."""
    match = _CHARSET.search(data[:4096])
    return match.group(1).decode("ascii", "replace") if match else ""


def read_html(text: str, *, drops_boilerplate: bool = True) -> Page:
    """Blocks of a page: headings, paragraphs, list items, tables (one row per line) and preformatted text.

    Scripts, styles and forms are dropped. Menus, footers and asides are dropped only if most text is elsewhere,
    and never in a book, where an aside is a footnote.
    """
    parser = LexborHTMLParser(text)
    root = parser.root
    if root is None:
        return Page([], "", "", 0)
    survey = _survey(root)
    drops = drops_boilerplate and survey.n_boilerplate_chars < _MAX_BOILERPLATE_SHARE * survey.n_chars
    builder = _Builder(survey.layout_tables)
    for step, node in _walk(root, drops_boilerplate=drops):
        builder.take(step, node)
    builder.flush()
    title = parser.css_first("head > title")
    return Page(
        blocks=builder.blocks,
        title=" ".join(title.text().split()) if title else "",
        language=(root.attributes.get("lang") or root.attributes.get("xml:lang") or "")[:2].lower(),
        n_dropped_chars=survey.n_boilerplate_chars if drops else 0,
    )


class _Step(Enum):
    ENTER = auto()
    LEAVE = auto()


def _walk(root: LexborNode, *, drops_boilerplate: bool) -> Iterator[tuple[_Step, LexborNode]]:
    """Each node at its start and its end; not recursive, since pages can nest thousands deep."""
    node: LexborNode | None = root
    while node is not None:
        if not (_is_unread(node) or (drops_boilerplate and _is_boilerplate(node))):
            yield _Step.ENTER, node
            if node.child is not None:
                node = node.child
                continue
            yield _Step.LEAVE, node
        while node is not None and node.next is None:
            node = node.parent
            if node is None or node.mem_id == root.mem_id:
                return
            yield _Step.LEAVE, node
        node = node.next if node is not None else None


def _is_unread(node: LexborNode) -> bool:
    return node.tag in _UNREAD or (node.tag != "-text" and "hidden" in node.attributes)


def _is_boilerplate(node: LexborNode) -> bool:
    return node.tag in _BOILERPLATE or (node.tag != "-text" and node.attributes.get("role") in _BOILERPLATE_ROLES)


@dataclass(slots=True)
class _Survey:
    """First pass over a page: how much is boilerplate, and which tables are only layout.

    Attributes:
        layout_tables: ``mem_id`` of tables that contain a table, a heading or a long cell.
    """

    n_chars: int = 0
    n_boilerplate_chars: int = 0
    layout_tables: set[int] = field(default_factory=set)


def _survey(root: LexborNode) -> _Survey:
    survey = _Survey()
    tables: list[int] = []
    n_boilerplate = n_cell_chars = 0
    for step, node in _walk(root, drops_boilerplate=False):
        tag, enters = node.tag, step is _Step.ENTER
        if tag == "-text":
            n_chars = len((node.text_content or "").strip()) if enters else 0
            survey.n_chars += n_chars
            survey.n_boilerplate_chars += n_chars if n_boilerplate else 0
            n_cell_chars += n_chars
        elif _is_boilerplate(node):
            n_boilerplate += 1 if enters else -1
        elif tag in ("td", "th"):
            if tables and n_cell_chars > _MAX_CELL_CHARS and not enters:
                survey.layout_tables.add(tables[-1])
            n_cell_chars = 0
        elif tables and (tag in _HEADINGS or (tag == "table" and enters)):
            survey.layout_tables.add(tables[-1])
        if tag == "table":
            if enters:
                tables.append(node.mem_id)
            else:
                tables.pop()
    return survey


@dataclass(slots=True)
class _Builder:
    """Builds blocks from the nodes of a page in document order."""

    layout_tables: set[int]
    blocks: list[Block] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    _numbers: list[int | None] = field(default_factory=list)  # next number per open list, None for bullets
    _marker: str = ""
    _level: int = 0
    _n_pre: int = 0
    _n_items: int = 0
    _table: int = 0  # mem_id of the open data table
    _rows: list[list[str]] = field(default_factory=list)

    def take(self, step: _Step, node: LexborNode) -> None:
        """Processes one step of the walk."""
        tag = node.tag or ""
        if tag == "-text":
            if step is _Step.ENTER:
                self._pieces.append(node.text_content or "")
        elif self._table:
            self._take_in_table(step, tag, node)
        elif tag == "br":
            self._pieces.append(_BREAK if step is _Step.ENTER else "")
        elif tag in _BLOCKS:
            self.flush()
            if step is _Step.ENTER:
                self._enter(tag, node)
            else:
                self._leave(tag)

    def _enter(self, tag: str, node: LexborNode) -> None:
        if tag == "table" and node.mem_id not in self.layout_tables:
            self._table = node.mem_id
        elif tag in ("ul", "ol"):
            self._numbers.append(_first_number(node) if tag == "ol" else None)
        elif tag == "li":
            self._n_items += 1
            self._marker = self._next_marker()
        elif tag == "pre":
            self._n_pre += 1
        elif tag in _HEADINGS:
            self._level = _HEADINGS[tag]

    def _leave(self, tag: str) -> None:
        if tag in ("ul", "ol") and self._numbers:
            self._numbers.pop()
        elif tag == "li":
            self._n_items -= 1
        elif tag == "pre":
            self._n_pre -= 1
        elif tag in _HEADINGS:
            self._level = 0

    def _next_marker(self) -> str:
        number = self._numbers[-1] if self._numbers else None
        if number is None:
            return "- "
        self._numbers[-1] = number + 1
        return f"{number}. "

    def _take_in_table(self, step: _Step, tag: str, node: LexborNode) -> None:
        leaves = step is _Step.LEAVE
        if tag == "table" and leaves and node.mem_id == self._table:
            self._close_table()
        elif tag == "tr" and not leaves:
            self._rows.append([])
        elif tag in ("td", "th") and leaves:
            self._rows[-1].append(self._drain())
        elif tag == "caption" and leaves:
            self._add(ParagraphKind.PROSE, self._drain())
        elif tag == "br" or tag in _BLOCKS:
            self._pieces.append(" ")

    def _close_table(self) -> None:
        lines = [" | ".join(cells) for cells in self._rows if any(cells)]
        self._table, self._rows = 0, []
        rest = self._drain()
        self._add(ParagraphKind.TABLE, "\n".join([*lines, rest] if rest else lines))

    def _drain(self) -> str:
        """Returns the buffered text on one line and clears the buffer."""
        text = " ".join("".join(self._pieces).split())
        self._pieces.clear()
        return text

    def flush(self) -> None:
        """Ends the current block, if any."""
        raw = "".join(self._pieces)
        self._pieces.clear()
        if not raw.strip(" \t\r\n\f\0"):
            return
        if self._n_pre:
            self._add(ParagraphKind.CODE, raw.replace(_BREAK, "\n").strip("\r\n").rstrip())
        elif self._level:
            self._add(ParagraphKind.HEADING, " ".join(raw.replace(_BREAK, " ").removesuffix("¶").split()))
        else:
            self._add_prose(raw)

    def _add_prose(self, raw: str) -> None:
        lines = [line.strip() for line in _SPACES.sub(" ", raw).split(_BREAK)]
        for text in re.split(r"\n{2,}", "\n".join(lines)):
            marker, self._marker = self._marker, ""
            kind = ParagraphKind.LIST if self._n_items else _prose_or_verse(text)
            self._add(kind, marker + text.strip("\n"))

    def _add(self, kind: ParagraphKind, text: str) -> None:
        if text.strip():
            self.blocks.append(Block(kind, text + "\n\n", self._level if kind is ParagraphKind.HEADING else 0))


def _prose_or_verse(text: str) -> ParagraphKind:
    lines = text.split("\n")
    short = len(lines) > 2 and max(map(len, lines)) <= _MAX_VERSE_CHARS
    return ParagraphKind.VERSE if short else ParagraphKind.PROSE


def _first_number(node: LexborNode) -> int:
    start = node.attributes.get("start") or ""
    return int(start) if start.isdecimal() and len(start) < 10 else 1
