"""Splits Markdown into blocks of its source text; markup is kept, so that quotations match the file.

Lines of nothing but markup are left out: comments, tags, directives, commands of templates.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from markdown_it import MarkdownIt
from markdown_it.token import Token

from treatise.core.document import ParagraphKind
from treatise.core.lines import LINE
from treatise.core.metadata import USUAL, Metadata
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.markdown_fields import FRONT_MATTER, front_fields
from treatise.ingest.markdown_html_tables import html_table, table_spans
from treatise.ingest.markdown_tables import pipe_table
from treatise.ingest.reading import Block, Reading, Stated

_OWN = {*USUAL, "authors", "published", "updated"} - {"tags"}
"""Keys that are checked against the text, known otherwise, or the user's: no file chooses its collection."""
_MARKS = re.compile(
    r"!?\[(?P<link>[^\]]*)\]\([^)]*\)|(?P<ticks>`+)(?P<code>.+?)(?P=ticks)"
    r"|[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=[^\s_])_{1,3}(?!\w)|\\(?=[^\w\s])"
    r"|</?(?:a|b|big|br|del|em|font|i|img|ins|kbd|mark|s|small|span|strong|su[bp]|u)\b[^<>]*>"
)
_COMMENT = re.compile(r"^[ \t]*(?:<!--(?:[^<-]|<(?!!--)|-(?!->))*+-->[ \t]*)++(?:\r?\n|\Z)", re.MULTILINE)
_TAG_NAMES = (
    "a|article|aside|b|br|center|col|colgroup|dd|details|div|dl|dt|em|figure|figcaption|footer|h[1-6]|header|hr|iframe|"
    "i|img|li|main|nav|ol|p|picture|section|small|source|span|strong|style|sub|summary|sup|table|tbody|td|tfoot|th|"
    "thead|tr|ul|video"
)
_COMPONENT = r"/[A-Z][\w.]*|[A-Z][\w.]*(?:\s[^<>]*)?/|[A-Z][\w.]*\s[^<>]*=[^<>]*"
_TAGS = rf"(?:<(?:/?(?:{_TAG_NAMES})(?:\s[^<>]*)?/?|{_COMPONENT})>[ \t]*)+"
_LINKED = r"(?:\([^()\n]*\)|\[[^\[\]\n]*\])"
_BADGES = rf"(?:(?:\[!\[[^\[\]\n]*\]{_LINKED}\]{_LINKED}|!\[[^\[\]\n]*\]{_LINKED})[ \t]*){{2,}}"
_CONTAINER = r":{3,}[ \t]*(?:\{[^{}\n]*\}|[\w-]+)?[ \t:]*"
_ATTRIBUTES = r"(?:[*+-][ \t]+)?\{:?[.#][^{}\n]*\}[ \t]*|\{:[^{}\n]*\}[ \t]*"
_TEMPLATE = r"(?:\{%[^{}\n]*%\}[ \t]*|\{\{[<%][^{}\n]*[>%]\}\}[ \t]*)+"
_IMPORT = r"(?:import[ \t][^;\n]*[ \t]from[ \t]+|import[ \t]+)[\"'][^\"'\n]+[\"'];?[ \t]*"
_UNSHOWN = re.compile(rf"[ \t]*(?:{'|'.join((_TAGS, _BADGES, _CONTAINER, _ATTRIBUTES, _TEMPLATE, _IMPORT))})(?:\r?\n)?")
"""A line of nothing but markup."""
_DEFINITION = re.compile(r"^[ ]{0,3}\[[^\[\]^][^\[\]]*\]:[ \t]+\S+(?:[ \t]+[\"'(][^\n]*)?[ \t]*\r?\n?", re.MULTILINE)
_HTML_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_BLANK = re.compile(r"\s*+")
_BOLD_LINE = re.compile(r"\s*(?:\*\*|__)([^*_\n]{2,120})(?:\*\*|__):?\s*")
_MAX_BOLD_WORDS = 12
_MIN_BOLD = 2
_LEAVES = {
    "paragraph_open": ParagraphKind.PROSE,
    "heading_open": ParagraphKind.HEADING,
    "table_open": ParagraphKind.TABLE,
    "fence": ParagraphKind.CODE,
    "code_block": ParagraphKind.CODE,
    "html_block": ParagraphKind.PROSE,
}


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A block's first line and kind; for a heading, its level and text."""

    line: int
    kind: ParagraphKind
    level: int = 0
    title: str | None = None


def read_markdown_file(data: bytes, name: str, _limits: Limits) -> Reading:
    """Reads a Markdown file.

    Raises:
        SourceError: Binary data, or broken characters.
    """
    decoded = decode(data, name)
    blocks, title = read_markdown(decoded.text)
    return Reading(blocks, "markdown", decoded.encoding, title, stated=_stated(front_fields(_front(decoded.text))))


def _front(text: str) -> str:
    front = FRONT_MATTER.match(text)
    return front.group() if front else ""


def _stated(fields: Metadata) -> Stated:
    date = next((fields[key][0] for key in ("date", "published", "updated") if key in fields), "")
    others = {key: values for key, values in fields.items() if key not in _OWN}
    return Stated(fields.get("author", ()) + fields.get("authors", ()), date, fields=others)


def read_markdown(text: str) -> tuple[list[Block], str]:
    """Blocks that reproduce the source verbatim, and the front matter's title (``""`` if absent)."""
    head = _front(text)
    blocks = [Block(ParagraphKind.CODE, head)] if head else []
    body = text[len(head) :]
    blocks += _blocks(body)
    return blocks, " ".join(front_fields(head).get("title", ()))


def _blocks(text: str) -> list[Block]:
    lines = LINE.findall(text)
    leaves = _leaves(_parse(text), len(lines))
    starts = [0, *(leaf.line for leaf in leaves[1:])]
    ends = [*starts[1:], len(lines)]
    if not leaves:
        return list(_shown(Block(ParagraphKind.PROSE, text)))
    blocks = [_block(leaf, "".join(lines[a:b])) for leaf, a, b in zip(leaves, starts, ends, strict=True)]
    blocks = list(_with_html_tables(blocks)) if _HTML_TABLE.search(text) else blocks
    return _with_bold_headings([shown for block in blocks for shown in _shown(block)])


def _with_html_tables(blocks: list[Block]) -> Iterator[Block]:
    """The blocks, in which a table of HTML outside of code is one, however many blank lines it has."""
    text = "".join(block.text for block in blocks)
    outside = "".join(" " * len(one.text) if one.kind is ParagraphKind.CODE else one.text for one in blocks)
    tables = iter(
        (start, _after_blank(text, end), table)
        for start, end in table_spans(outside)
        if (table := html_table(text[start:end]))
    )
    start, end, table = next(tables, (len(text), len(text), None))
    at = 0
    for block in blocks:
        after = at + len(block.text)
        while at < after:
            if at < start:
                piece = text[at : min(after, start)]
                yield block if piece == block.text else replace(block, text=piece, table=None)
                at += len(piece)
            elif at < end:
                if at == start:
                    yield Block(ParagraphKind.TABLE, text[start:end], table=table)
                at = min(after, end)
            else:
                start, end, table = next(tables, (len(text), len(text), None))


def _after_blank(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _shown(block: Block) -> Iterator[Block]:
    """A block without lines of nothing but markup, in parts that stand in the file to the letter; the definitions of
    links at the end of a part are code.
    """
    if block.kind not in (ParagraphKind.PROSE, ParagraphKind.LIST) or block.text.isspace():
        yield block
        return
    for text in _parts_shown(block.text):
        definition = _DEFINITION.search(text)
        end = definition.start() if definition and _only_defines(text[definition.start() :]) else len(text)
        if text[:end].strip():
            yield replace(block, text=text[:end])
        if text[end:].strip():
            yield Block(ParagraphKind.CODE, text[end:])


def _parts_shown(text: str) -> Iterator[str]:
    """What stands between comments and lines of nothing but markup."""
    for part in _COMMENT.split(text) if "<!--" in text else [text]:
        for is_shown, lines in groupby(LINE.findall(part), lambda line: line.isspace() or not _UNSHOWN.fullmatch(line)):
            if is_shown:
                yield "".join(lines)


def _only_defines(text: str) -> bool:
    return not _DEFINITION.sub("", text).strip()


def _block(leaf: _Leaf, text: str) -> Block:
    table = pipe_table(text) if leaf.kind is ParagraphKind.TABLE else None
    return Block(leaf.kind, text, leaf.level, leaf.title, table)


def _with_bold_headings(blocks: list[Block]) -> list[Block]:
    """Marks fully bold lines as headings below the others, if there are several; one alone may be emphasis."""
    bold = {at: match for at, block in enumerate(blocks) if (match := _is_bold_line(block, blocks[at + 1 : at + 2]))}
    if len(bold) < _MIN_BOLD:
        return blocks
    level = 0
    found = []
    for at, block in enumerate(blocks):
        level = block.level or level
        is_heading = at in bold
        title = _plain(bold[at].group(1)).rstrip(":") if is_heading else block.title
        found.append(Block(ParagraphKind.HEADING, block.text, min(level, 5) + 1, title) if is_heading else block)
    return found


def _is_bold_line(block: Block, after: list[Block]) -> re.Match[str] | None:
    """The match if the block is a bold line followed by text."""
    match = _BOLD_LINE.fullmatch(block.text)
    if match is None or block.kind is not ParagraphKind.PROSE or not after or after[0].level:
        return None
    is_short = len(match.group(1).split()) <= _MAX_BOLD_WORDS
    return match if is_short and not match.group(1).endswith((".", ",", ";", "!", "?")) else None


def _parse(text: str) -> list[Token]:
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])  # only blocks are parsed; inline markup is kept
    return parser.parse(text.replace("\0", " "))


def _leaves(tokens: list[Token], n_lines: int) -> list[_Leaf]:
    """One leaf per first line, in order; if two share a line (an empty item), the inner one."""
    leaves = {leaf.line: leaf for leaf in _walk(tokens) if leaf.line < n_lines}
    return [leaves[line] for line in sorted(leaves)]


def _walk(tokens: list[Token]) -> Iterator[_Leaf]:
    n_lists = 0
    item: int | None = None
    for at, token in enumerate(tokens):
        n_lists += (token.type == "list_item_open") - (token.type == "list_item_close")
        if token.map is None or not (token.type in _LEAVES or token.type == "list_item_open"):
            continue
        if token.type == "list_item_open":
            item = token.map[0]  # the item's first block begins at its marker
            continue
        kind = _LEAVES[token.type]
        if kind is ParagraphKind.PROSE and n_lists:
            kind = ParagraphKind.LIST
        line, item = (item if item == token.map[0] else token.map[0]), None
        if kind is ParagraphKind.HEADING:
            yield _Leaf(line, kind, int(token.tag[1]), _plain(tokens[at + 1].content))
        else:
            yield _Leaf(line, kind)


def _plain(title: str) -> str:
    """A heading's text without links, emphasis and tags."""
    return _MARKS.sub(lambda mark: _plain(mark["link"] or "") or mark["code"] or "", title)
