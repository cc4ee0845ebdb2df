"""Converts web pages and EPUB chapters to blocks of readable text."""

import re
from dataclasses import dataclass, field
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from treatise.core.document import ParagraphKind
from treatise.core.plurals import counted
from treatise.ingest.encoding import decode
from treatise.ingest.grids import SourceCell, grid_of
from treatise.ingest.hidden import has_background, hidden_note, hiding_names
from treatise.ingest.html_depth import of_bounded_depth
from treatise.ingest.html_furniture import furniture_of
from treatise.ingest.html_terms import TERM_TAGS, Terms, with_definitions
from treatise.ingest.html_walk import HEADINGS, Step, Walk, survey_of
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Block, Reading, Stated
from treatise.ingest.tables import table_block

_BLOCK_TAGS = (
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form "
    "header hgroup hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul"
)
_MAX_BOILERPLATE_SHARE = 0.3  # above this share of the text, <aside> is content
_BLOCKS = HEADINGS.keys() | frozenset(_BLOCK_TAGS.split())
_MAX_VERSE_CHARS = 65
_LONG_TAG = re.compile(r"<[a-zA-Z][^<>]{8000,}+>")
_ATTRIBUTE = re.compile(r"""[^\s=/>"']++(?:\s*+=\s*+(?:"[^"]*"|'[^']*'|[^\s>]+))?|\S""")
_MAX_ATTRIBUTES = 500  # the parser compares each with all others
_EVERYWHERE = (None, "", "all", "screen")
_BREAK = "\0"  # never in parsed text, so it can represent <br>
_INDENT = "  "  # before an item of an inner list
_MAX_INDENTS = 100  # deeper items stand below one another: a bound on the length of the text
_SPACES = re.compile(r"[ \t\r\n\f]+")
_CHARSET = re.compile(
    rb"""<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,100}?encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE
)


_NOT_STATED = Stated()
_AUTHOR_TAGS = ("citation_author", "dc.creator", "dcterms.creator", "author", "article:author")
_DATE_TAGS = (
    *(
        "citation_publication_date",
        "citation_date",
        "article:published_time",
        "datepublished",
        "dc.date",
        "dcterms.date",
    ),
    *("dc.date.issued", "dcterms.issued", "date", "article:modified_time", "datemodified", "last-modified"),
)


@dataclass(frozen=True, slots=True)
class Page:
    """The content of one HTML file.

    Attributes:
        blocks: In document order, each ending with a blank line.
        title: From ``<title>``; ``""`` if absent.
        language: From ``<html lang>``; ``""`` if absent.
        n_dropped_chars: Number of characters left out with menus, footers and asides.
        n_hidden_chars: Number of characters left out because the page hides them.
        stated: Authors and date from ``<meta>``.
    """

    blocks: list[Block]
    title: str
    language: str
    n_dropped_chars: int
    n_hidden_chars: int = 0
    stated: Stated = _NOT_STATED


def read_html_file(data: bytes, name: str, _limits: Limits) -> Reading:
    """A web page saved as a file.

    Raises:
        SourceError: Binary data, or malformed characters.
    """
    decoded = decode(data, name, declared=declared_charset(data))
    page = read_html(decoded.text)
    dropped = page.n_dropped_chars
    boilerplate = f"left out {counted(dropped, 'character')} of menus, footers and asides" if dropped else ""
    notes = tuple(filter(None, (boilerplate, hidden_note(page.n_hidden_chars))))
    return Reading(page.blocks, "html", decoded.encoding, page.title, page.language, notes=notes, stated=page.stated)


def declared_charset(data: bytes) -> str:
    """The encoding declared at the start of the file; ``""`` if absent."""
    match = _CHARSET.search(data[:4096])
    return match.group(1).decode("ascii", "replace") if match else ""


def read_html(text: str, *, drops_boilerplate: bool = True, css: str = "") -> Page:
    """Blocks of a page: headings, paragraphs, list items, definitions, tables and preformatted text.

    Scripts, styles, forms and hidden text are dropped. Menus, footers and asides are dropped only if most text is
    elsewhere, and never in a book, where an aside is a footnote. ``css`` are style sheets beside the page.
    """
    parser = LexborHTMLParser(of_bounded_depth(_LONG_TAG.sub(_with_few_attributes, text)))
    root = parser.root
    if root is None:
        return Page([], "", "", 0)
    sheets = [node.text() or "" for node in parser.css("style") if node.attributes.get("media") in _EVERYWHERE]
    furniture = furniture_of(parser) if drops_boilerplate else {}
    hiding = hiding_names("\n".join([css, *sheets]))
    walk = Walk(root, on_white=not has_background(text), hiding=hiding, furniture=furniture)
    survey = survey_of(walk)
    drops = drops_boilerplate and survey.n_boilerplate_chars < _MAX_BOILERPLATE_SHARE * survey.n_chars
    builder = _Builder(survey.layout_tables)
    for step, node in walk.steps(drops_boilerplate=drops):
        builder.take(step, node)
    builder.flush()
    title = parser.css_first("head > title")
    return Page(
        blocks=with_definitions(builder.blocks, builder.terms),
        title=" ".join(title.text().split()) if title else "",
        language=(root.attributes.get("lang") or root.attributes.get("xml:lang") or "")[:2].lower(),
        n_dropped_chars=(survey.n_boilerplate_chars if drops else 0) + sum(furniture.values()),
        n_hidden_chars=walk.n_hidden_chars,
        stated=_stated(parser),
    )


def _with_few_attributes(tag: re.Match[str]) -> str:
    """A long tag with its name and first attributes; the name counts as one."""
    kept = list(islice(_ATTRIBUTE.finditer(tag.group(), 1), _MAX_ATTRIBUTES + 1))
    return tag.group() if len(kept) <= _MAX_ATTRIBUTES else f"<{tag.group()[1 : kept[-1].start()]}>"


def _stated(parser: LexborHTMLParser) -> Stated:
    """Authors, and the first of the dates by the order of their names."""
    found: dict[str, list[str]] = {}
    for meta in parser.css("meta[content]"):
        name = meta.attributes.get("name") or meta.attributes.get("property") or meta.attributes.get("itemprop") or ""
        found.setdefault(name.lower(), []).append(meta.attributes.get("content") or "")
    authors = next((found[name] for name in _AUTHOR_TAGS if name in found), [])
    return Stated(tuple(authors), next((found[name][0] for name in _DATE_TAGS if name in found), ""))


@dataclass(slots=True)
class _Builder:
    """Builds blocks from the nodes of a page in document order."""

    layout_tables: set[int]
    blocks: list[Block] = field(default_factory=list)
    terms: Terms = field(default_factory=Terms)
    _pieces: list[str] = field(default_factory=list)
    _numbers: list[int | None] = field(default_factory=list)  # next number per open list, None for bullets
    _marker: str = ""
    _level: int = 0
    _n_pre: int = 0
    _n_items: int = 0
    _table: int = 0  # mem_id of the open data table
    _rows: list[list[SourceCell]] = field(default_factory=list)
    _in_head: bool = False
    _n_caption: int = 0  # length of the caption's block, directly above the table

    def take(self, step: Step, node: LexborNode) -> None:
        """Processes one step of the walk."""
        tag = node.tag or ""
        if tag == "-text":
            if step is Step.ENTER:
                self._pieces.append(node.text_content or "")
        elif self._table:
            self._take_in_table(step, tag, node)
        elif tag == "br":
            self._pieces.append(_BREAK if step is Step.ENTER else "")
        elif tag in _BLOCKS:
            self.flush()
            if step is Step.ENTER:
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
        elif tag in HEADINGS:
            self._level = HEADINGS[tag]
        elif tag in TERM_TAGS:
            self.terms.enter(tag, len(self.blocks))

    def _leave(self, tag: str) -> None:
        if tag in ("ul", "ol") and self._numbers:
            self._numbers.pop()
        elif tag == "li":
            self._n_items -= 1
        elif tag == "pre":
            self._n_pre -= 1
        elif tag in HEADINGS:
            self._level = 0
        elif tag in TERM_TAGS:
            self.terms.leave(tag, len(self.blocks))

    def _next_marker(self) -> str:
        indent = _INDENT * min(self._n_items - 1, _MAX_INDENTS)
        number = self._numbers[-1] if self._numbers else None
        if number is None:
            return f"{indent}- "
        self._numbers[-1] = number + 1
        return f"{indent}{number}. "

    def _take_in_table(self, step: Step, tag: str, node: LexborNode) -> None:
        leaves = step is Step.LEAVE
        if tag == "table" and leaves and node.mem_id == self._table:
            self._close_table()
        elif tag == "thead":
            self._in_head = not leaves
        elif tag == "tr" and not leaves:
            self._rows.append([])
        elif tag in ("td", "th") and leaves:
            self._rows[-1].append(self._cell(tag, node))
        elif tag == "caption" and leaves:
            self._add(ParagraphKind.PROSE, self._drain())
            self._n_caption = len(self.blocks[-1].text) if self.blocks else 0
        elif tag == "br" or tag in _BLOCKS:
            self._pieces.append(" ")

    def _cell(self, tag: str, node: LexborNode) -> SourceCell:
        n_columns, n_rows = (max(1, _whole_number(node, name, 1)) for name in ("colspan", "rowspan"))
        return SourceCell(self._drain(), n_columns, n_rows, is_head=tag == "th" or self._in_head)

    def _close_table(self) -> None:
        grid = grid_of(self._rows)
        caption = (-self._n_caption, -2) if self._n_caption else None
        block = table_block(grid, caption) if grid else None
        if block:
            self.blocks.append(block)
        self._table, self._rows, self._n_caption = 0, [], 0
        self._add(ParagraphKind.PROSE, self._drain())

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
    return _whole_number(node, "start", 1)


def _whole_number(node: LexborNode, name: str, default: int) -> int:
    stated = node.attributes.get(name) or ""
    return int(stated) if stated.isdecimal() and len(stated) < 10 else default
