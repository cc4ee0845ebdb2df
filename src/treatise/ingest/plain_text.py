"""Plain text becomes blocks: paragraphs by blank lines, indents or line ends, whichever the text shows.

Nothing is moved or removed: the blocks' texts, one after the other, are the file's text to the letter.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from treatise.core.document import ParagraphKind
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.plain_headings import Heading, find_headings
from treatise.ingest.reading import Block, Reading

T = TypeVar("T")

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BULLET = re.compile(r"\s*(?:[-*+•‣◦▪])\s+\S")
_NUMBERED = re.compile(r"\s*\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,5})[.)]\s+\S")
_INDENT = re.compile(r"[ \t\xa0\u3000]*")
_SPEAKER = re.compile(r"\s*(?:\[?\d[\d:.]+\]?\s*)?[^\W\d_a-z][^:：.!?\n]{0,40}[:：]\s*\S")
_DASH = re.compile(r"\s*[—–―]\s*\S")  # a turn of speech in French, Spanish, Russian
_SENTENCE_END = re.compile(r"[.!?…。！？؟।][\"'”’»」』)\]]*\s*\Z")
_MAX_WRAPPED = 130  # a wider line was not broken by hand or by an editor
_MAX_VERSE = 65
_MAX_PARAGRAPH_LINES = 15  # in a longer run paragraphs stand without blank lines, so that line ends tell them apart


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring lines without a blank one between them, and the blank lines that follow."""

    lines: list[str]
    blank: str

    @property
    def text(self) -> str:
        """The lines and the blank ones after them, to the letter."""
        return "".join(self.lines) + self.blank


@dataclass(frozen=True, slots=True)
class Shape:
    """How a whole text is set.

    Attributes:
        width: Length that lines are broken at; 0 where they are as long as their paragraphs.
    """

    width: int


def read_text(data: bytes, name: str, _limits: Limits) -> Reading:
    """A plain-text file.

    Raises:
        SourceError: Binary data, or broken characters.
    """
    decoded = decode(data, name)
    return Reading(read_plain_text(decoded.text), "text", decoded.encoding)


def read_plain_text(text: str) -> list[Block]:
    """Blocks of a plain text; headings only where the text leaves no doubt (see `find_headings`)."""
    runs = list(_runs(text))
    shape = _shape(runs)
    headings = find_headings([run.lines for run in runs])
    blocks: list[Block] = []
    for at, run in enumerate(runs):
        blocks += _with_heading(run, headings[at], shape) if at in headings else _blocks(run, shape)
    return blocks


def _runs(text: str) -> Iterator[Run]:
    lines: list[str] = []
    blank: list[str] = []
    for match in _LINE.finditer(text):
        line = match.group()
        if line.isspace():
            blank.append(line)
            continue
        if blank:
            yield Run(lines, "".join(blank))
            lines, blank = [], []
        lines.append(line)
    if lines or blank:
        yield Run(lines, "".join(blank))


def _shape(runs: list[Run]) -> Shape:
    lengths = sorted(len(line.rstrip()) for run in runs for line in run.lines)
    if not lengths:
        return Shape(0)
    width = lengths[min(len(lengths) - 1, len(lengths) * 98 // 100)]
    return Shape(width if width <= _MAX_WRAPPED else 0)


def _with_heading(run: Run, heading: Heading, shape: Shape) -> list[Block]:
    lines = run.lines[: heading.n_lines]
    rest = Run(run.lines[heading.n_lines :], run.blank)
    text = "".join(lines) if rest.lines else run.text
    block = Block(ParagraphKind.HEADING, text, heading.level, heading.title)
    return [block, *_blocks(rest, shape)] if rest.lines else [block]


def _blocks(run: Run, shape: Shape) -> list[Block]:
    """One run's paragraphs: the first reading that its lines bear out."""
    lines = run.lines
    if len(lines) < 2:
        kind = ParagraphKind.LIST if lines and _BULLET.match(lines[0]) else ParagraphKind.PROSE
        return [Block(kind, run.text)]
    if _is_table(lines):
        return [Block(ParagraphKind.TABLE, run.text)]
    if not shape.width or max(map(len, lines)) > 2 * shape.width:
        return _line_by_line(run)
    if _list_starts(lines):
        return _list_items(run)
    for starts in (_speaker_starts(lines), _indent_starts(lines)):
        if starts:
            return _split(run, starts, ParagraphKind.PROSE)
    return _by_line_ends(run, shape)


def _line_by_line(run: Run) -> list[Block]:
    """A paragraph a line, as word processors write them."""
    blocks = _split(run, range(1, len(run.lines)), ParagraphKind.PROSE)
    return [
        Block(ParagraphKind.LIST, block.text) if _BULLET.match(block.text) or _NUMBERED.match(block.text) else block
        for block in blocks
    ]


def _by_line_ends(run: Run, shape: Shape) -> list[Block]:
    lines = run.lines
    if _is_capitalised(lines) or not _is_wrapped(lines, shape.width):
        if _share(lines, lambda line: _SENTENCE_END.search(line) is not None) >= 0.7:
            return _split(run, range(1, len(lines)), ParagraphKind.PROSE)
        if max(len(line.rstrip()) for line in lines) <= _MAX_VERSE:
            return [Block(ParagraphKind.VERSE, run.text)]
    if len(lines) > _MAX_PARAGRAPH_LINES:
        return _split(run, _early_ends(lines, shape.width), ParagraphKind.PROSE)
    return [Block(ParagraphKind.PROSE, run.text)]


def _split(run: Run, starts: Iterable[int], kind: ParagraphKind) -> list[Block]:
    """Blocks of a run that begin at its first line and at the lines `starts`."""
    cuts = sorted({0, *starts, len(run.lines)})
    texts = ["".join(run.lines[a:b]) for a, b in pairwise(cuts)]
    texts[-1] += run.blank
    return [Block(kind, text) for text in texts]


def _is_table(lines: list[str]) -> bool:
    """Each line has as many tabs, or as many bars, as the first."""
    return any(
        (n_cells := lines[0].strip().count(mark)) and all(line.strip().count(mark) == n_cells for line in lines)
        for mark in ("\t", "|")
    )


def _list_starts(lines: list[str]) -> list[int]:
    """Lines that begin a list's item; numbers count only where a list visibly begins."""
    starts = [at for at, line in enumerate(lines) if _BULLET.match(line)]
    if not starts:
        starts = [at for at, line in enumerate(lines) if _NUMBERED.match(line)]
    if not starts or (starts[0] > 0 and not lines[starts[0] - 1].rstrip().endswith((":", "："))):
        return []
    return starts if len(starts) > 1 or starts[0] == 0 else []


def _list_items(run: Run) -> list[Block]:
    starts = _list_starts(run.lines)
    blocks = _split(run, starts, ParagraphKind.LIST)
    if starts[0] > 0:
        blocks[0] = Block(ParagraphKind.PROSE, blocks[0].text)
    return blocks


def _speaker_starts(lines: list[str]) -> list[int]:
    """Lines that begin a turn: ``Name: …`` or a dash; a transcript has them often."""
    for mark in (_SPEAKER, _DASH):
        starts = [at for at, line in enumerate(lines) if mark.match(line)]
        if len(starts) >= 2 and starts[0] == 0 and len(starts) >= 0.2 * len(lines):
            return starts
    return []


def _indent_starts(lines: list[str]) -> list[int]:
    """Lines that an indent, or a hanging one, marks as the first of their paragraph."""
    depths = [_depth(line) for line in lines]
    least = min(depths)
    deeper = [at for at, depth in enumerate(depths) if depth > least]
    if not deeper or deeper == [0]:
        return []
    flush = [at for at, depth in enumerate(depths) if depth == least]
    return deeper if len(deeper) <= len(lines) / 2 else flush


def _depth(line: str) -> int:
    """Columns of white space at a line's beginning; an ideographic space takes two."""
    indent = _INDENT.match(line.replace("\t", "    "))
    return sum(1 + (c == "\u3000") for c in indent.group()) if indent else 0


def _is_wrapped(lines: list[str], width: int) -> bool:
    """Lines end where the next word had no more room."""
    return _share(list(pairwise(lines)), lambda pair: not _has_room(*pair, 0.85 * width)) >= 0.6


def _has_room(line: str, after: str, width: float) -> bool:
    words = after.split(maxsplit=1)
    word = words[0] if words and words[0].isascii() else after[:1]  # Chinese lines break after any character
    return len(line.rstrip()) + 1 + len(word) < width


def _is_capitalised(lines: list[str]) -> bool:
    """Each line begins with a capital letter, as in verse."""
    firsts = [line.lstrip(" \t\"'“‘«(")[:1] for line in lines]
    short = max(len(line.rstrip()) for line in lines) <= _MAX_VERSE
    return short and len(lines) >= 3 and _share(firsts, str.isupper) >= 0.8


def _early_ends(lines: list[str], width: int) -> list[int]:
    """Lines after one that ends a sentence and left room: without blank lines, a paragraph begins there."""
    return [
        at
        for at, (line, after) in enumerate(pairwise(lines), start=1)
        if _SENTENCE_END.search(line) and _has_room(line, after, 0.95 * width)
    ]


def _share(items: list[T], holds: Callable[[T], bool]) -> float:
    return sum(map(holds, items)) / max(len(items), 1)
