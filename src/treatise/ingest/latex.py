"""Converts LaTeX to blocks of readable text: sections, paragraphs, lists, listings; formulas stay as written."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.ingest.encoding import decode
from treatise.ingest.latex_tables import argument, tabular_grid
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Block, Reading, Stated
from treatise.ingest.tables import table_block
from treatise.ingest.writer import BlockWriter

_LEVELS: Final = {"part": 1, "chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4}
_VERBATIM: Final = "verbatim|lstlisting|minted|alltt|Verbatim"
_MATH: Final = r"array|equation\*?|align\*?|gather\*?|multline\*?|eqnarray\*?|displaymath|math"
_TABLES: Final = r"tabular[*xy]?|tabulary|longtable|supertabular|xltabular"
_FLOATS: Final = r"table\*?|sidewaystable\*?|wraptable"
_PIECE: Final = re.compile(
    rf"\\begin\{{(?:(?P<code>{_VERBATIM})|(?P<math>{_MATH})|(?P<table>{_TABLES})|(?P<float>{_FLOATS}))\}}"
    r"|\\(?P<heading>part|chapter|section|subsection|subsubsection|paragraph)\*?\s*(?:\[[^\]]{0,200}\])?"
    r"\{(?P<title>(?:[^{}]|\{[^{}]*\})*)\}"
    r"|\\(?P<item>item)\b\s*(?:\[(?P<label>[^\]]{0,200})\])?"
    r"|\\begin\{(?P<abstract>abstract)\}"
    r"|(?P<bound>\\(?:begin|end)\{[^}]{0,40}\}(?:\[[^\]]{0,80}\])?|\n[ \t]*\n\s*)",
    re.DOTALL,
)
_CAPTION: Final = re.compile(r"\\caption\*?\s*(?:\[[^\]]{0,300}\])?\s*\{")
_OPTIONS: Final = re.compile(r"^\s*\*?(?:\[[^\]]{0,80}\]|\{[^{}]{0,80}\})*")
_ROW_END: Final = re.compile(r"\s*(?:\\label\{[^{}]{0,200}\}\s*)?(?:\\\\|\\tabularnewline\b)")
_COMMENT: Final = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*)?")
_TITLE: Final = re.compile(r"\\title\s*(?:\[[^\]]{0,200}\])?\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_AUTHOR: Final = re.compile(r"\\author\s*(?:\[[^\]]{0,200}\])?\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_DATE: Final = re.compile(r"\\date\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_NOT_NAME: Final = re.compile(
    r"\\(?:thanks|thanksref|footnote|footnotemark|inst|institut\w*|orcid\w*|textsuperscript|corref|fnref|email|emailaddress|"
    r"affil\w*)(?![a-zA-Z])\s*(?:\[[^\]]{0,80}\])?"
    r"(?:\{(?:[^{}]|\{[^{}]{0,500}\}){0,2000}\})?"
)
"""What stands beside a title or a name and is no part of it."""
_GONE: Final = re.compile(
    r"\\(?:label|vspace|hspace|includegraphics|bibliographystyle|bibliography|input|include|usepackage|pagestyle|"
    r"thispagestyle|setcounter|addtocounter|newcommand|renewcommand|index|hypersetup|documentclass)\*?"
    r"(?:\[[^\]]{0,200}\])?(?:\{[^{}]{0,300}\}){0,3}"
)
_CITED: Final = re.compile(
    r"\\(?:cite\w*|ref|eqref|autoref|cref|Cref|pageref)\*?(?:\[[^\]]{0,100}\]){0,2}\{([^{}]{0,300})\}"
)
_LINKED: Final = re.compile(r"\\href\{[^{}]{0,500}\}\{([^{}]{0,500})\}")
_NOTE: Final = re.compile(r"\\footnote\{((?:[^{}]|\{[^{}]{0,500}\}){0,2000})\}")
_STYLED: Final = re.compile(r"\\(?:[a-zA-Z]{2,24})\*?\{([^{}\\]*)\}")
_COMMAND: Final = re.compile(r"\\(?:[a-zA-Z]{1,24})\*?[ \t]?(?:\[[^\]]{0,80}\])?")
_ACCENT: Final = re.compile(
    r"\\(?:([`'^\"~=.])\s*(?:\{\\?([a-zA-Zı])\}|\\?([a-zA-Zı]))"
    r"|([uvHcr])(?:\s*\{\\?([a-zA-Zı])\}|[ \t]+\\?([a-zA-Zı])))"
)
_MARKS: Final = dict(
    zip("`'^\"~=.uvHcr", "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u030a", strict=True)
)
_INLINE_MATH: Final = re.compile(
    r"\$\$.{1,2000}?\$\$|\$[^$\n]{1,500}\$|\\\(.{1,500}?\\\)|\\\[.{1,2000}?\\\]", re.DOTALL
)
_PLAIN: Final = (
    ("\\\\", "\n"), ("~", " "), ("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("\\&", "&"), ("\\%", "%"),
    ("\\$", "$"), ("\\#", "#"), ("\\_", "_"), ("\\{", "\ue000"), ("\\}", "\ue001"), ("\\ ", " "), ("\\,", " "),
    ("\\ss", "ß"), ("\\ldots", "…"), ("\\dots", "…"), ("\\-", ""), ("\\/", ""), ("\\@", ""),
)  # fmt: skip
_MAX_NESTED: Final = 8


def read_latex(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of a LaTeX source's body; comments, labels and the preamble are left out, macros are not expanded.

    Raises:
        SourceError: Binary data, broken characters, or more text than the limits allow.
    """
    decoded = decode(data, name)
    text = _COMMENT.sub(r"\1", decoded.text.replace("\r\n", "\n"))
    title = _TITLE.search(text)
    _, begin, body = text.partition("\\begin{document}")
    body = (body if begin else text).partition("\\end{document}")[0]
    writer = BlockWriter(name, limits)
    stated_title = " ".join(_words(_NOT_NAME.sub("", title.group(1))).split()) if title else ""
    if title:
        writer.heading(stated_title, 1)
    for block in _blocks(body, deeper=1 if title else 0):
        writer.extend([block])
    return Reading(writer.blocks, "latex", decoded.encoding, stated_title, stated=_stated(text))


def _stated(text: str) -> Stated:
    r"""The authors in ``\author``, without what follows a line break, which is an address, and ``\date``."""
    author, date = _AUTHOR.search(text), _DATE.search(text)
    parts = re.split(r"\\(?:and|And|AND)\b", _NOT_NAME.sub("", author.group(1))) if author else []
    names = (part.strip().split("\\\\")[0] for part in parts)
    return Stated(tuple(_words(name).strip() for name in names), _words(date.group(1)) if date else "")


def _blocks(body: str, deeper: int, *, is_float: bool = False) -> Iterator[Block]:
    at = 0
    kind = ParagraphKind.PROSE
    base = 0 if re.search(r"\\(?:part|chapter)\b", body) is None else 1
    unclosed: set[str] = set()
    while match := _PIECE.search(body, at):
        yield from _paragraph(body[at : match.start()], kind)
        at = match.end()
        inside = ""
        float_name = None if is_float else match["float"]  # floats do not stand within each other
        if environment := match["code"] or match["math"] or match["table"] or float_name:
            inside, at = _inside(body, at, environment, unclosed)
        kind = ParagraphKind.LIST if match["item"] else ParagraphKind.PROSE
        if match["heading"]:
            level = _LEVELS[match["heading"]] + (base if match["heading"] not in ("part", "chapter") else 0)
            yield from _heading(_words(match["title"]), level + deeper)
        elif match["abstract"]:
            yield from _heading("Abstract", 1 + deeper)
        elif match["code"]:
            yield from _block(inside.strip("\n"), ParagraphKind.CODE)
        elif match["math"]:
            yield from _block(inside.strip(), ParagraphKind.CODE)
        elif match["table"]:
            yield from _captioned(inside, partial(_table, environment=match["table"]))
        elif float_name:
            source = _OPTIONS.sub("", inside, count=1)
            yield from _captioned(source, partial(_blocks, deeper=deeper, is_float=True))
        elif match["label"]:
            yield from _paragraph(match["label"], ParagraphKind.LIST)
    yield from _paragraph(body[at:], kind)


def _inside(body: str, at: int, environment: str, unclosed: set[str]) -> tuple[str, int]:
    """The source from ``at`` to the end of an environment, and the offset after it; ``("", at)`` if it has no end.

    Unclosed environments are remembered in ``unclosed``, so that the rest is searched only once for each.
    """
    mark = f"\\end{{{environment}}}"
    end = -1 if environment in unclosed else _end(body, at, environment)
    if end < 0:
        unclosed.add(environment)
        return "", at
    return body[at:end], end + len(mark)


def _end(body: str, at: int, environment: str) -> int:
    """Where the environment that began before ``at`` ends, after those of the same name within it; -1 if nowhere."""
    depth = 1
    for mark in re.compile(rf"\\(begin|end)\{{{re.escape(environment)}\}}").finditer(body, at):
        depth += 1 if mark[1] == "begin" else -1
        if not depth:
            return mark.start()
    return body.find(f"\\end{{{environment}}}", at)


def _heading(words: str, level: int) -> Iterator[Block]:
    if title := " ".join(words.split()):
        yield Block(ParagraphKind.HEADING, title + "\n\n", level)


def _paragraph(source: str, kind: ParagraphKind) -> Iterator[Block]:
    text = "\n".join(line.strip() for line in _words(source).split("\n") if line.strip())
    yield from _block(f"- {text}" if kind is ParagraphKind.LIST and text else text, kind)


def _block(text: str, kind: ParagraphKind) -> Iterator[Block]:
    if text.strip():
        yield Block(kind, text + "\n\n")


def _captioned(source: str, read: Callable[[str], Iterable[Block]]) -> Iterator[Block]:
    """The caption, then the blocks of the source without it; the caption names the tables among them."""
    caption = _CAPTION.search(source)
    end = argument(source, caption.end() - 1) if caption else 0
    text = ""
    if caption and end >= caption.end():
        text = " ".join(_words(source[caption.end() : end - 1]).split())
        after = _ROW_END.match(source, end)
        source = source[: caption.start()] + source[after.end() if after else end :]
    yield from _block(text, ParagraphKind.PROSE)
    distance = len(text) + 2
    for block in read(source):
        if block.table and text and block.table.caption is None:
            block = replace(block, table=replace(block.table, caption=(-distance, len(text) - distance)))
        yield block
        distance += len(block.text)


def _table(source: str, environment: str) -> list[Block]:
    grid = tabular_grid(source, environment, _words)
    block = table_block(grid) if grid else None
    return [block] if block else []


def _accented(match: re.Match[str]) -> str:
    mark, letter = (one for one in match.groups() if one)
    return letter.replace("ı", "i") + _MARKS[mark]


def _words(source: str) -> str:
    """Running text without its commands; inline formulas stay as written."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match.group())
        return f"\ue002{len(kept) - 1}\ue003"

    text = _INLINE_MATH.sub(keep, source)
    text = _NOTE.sub(r" (\1)", _LINKED.sub(r"\1", _CITED.sub(r"[\1]", _GONE.sub("", text))))
    text = _ACCENT.sub(_accented, text)
    for mark, plain in _PLAIN:
        text = text.replace(mark, plain)
    for _ in range(_MAX_NESTED):
        if (shorter := _STYLED.sub(r"\1", text)) == text:
            break
        text = shorter
    text = _COMMAND.sub("", text).replace("{", "").replace("}", "").replace("\ue000", "{").replace("\ue001", "}")
    text = unicodedata.normalize("NFC", text)
    return re.sub(r"\ue002(\d{1,9})\ue003", lambda m: kept[int(m[1])] if int(m[1]) < len(kept) else "", text)
