"""The files of the DISRPT shared tasks: ``.tok`` and ``.conllu`` with segments, ``.rels`` with relations between units.

The tree is written as dependencies (:mod:`treatise.parse.dependencies`), in the form of the treebank GUM: the parts
of an interrupted unit (``same-unit``) are one unit, with ``<*>`` for the gap.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from treatise.core.document import Span
from treatise.parse.dependencies import Dependency, dependencies
from treatise.parse.parsed import ParsedText

RELS_HEADER: Final = (
    "doc unit1_toks unit2_toks unit1_txt unit2_txt u1_raw u2_raw s1_toks s2_toks unit1_sent unit2_sent dir rel_type "
    "orig_label label"
).replace(" ", "\t")
"""The columns of ``.rels`` in 2025."""

LABELS: Final[Mapping[str, str]] = {
    "adversative": "contrast",
    "context": "frame",
    "contingency": "condition",
    "evaluation": "comment",
    "joint": "conjunction",
    "restatement": "reformulation",
    "topic": "query",
}
"""The most frequent of the 17 labels of 2025 for each of our relations that is not such a label itself."""

_SAME_UNIT: Final = "same-unit"
_GAP: Final = " <*> "


def write_tok(parsed: ParsedText) -> str:
    """``.tok``: a token per line, numbered through the document; ``Seg=B-seg`` where a unit begins."""
    rows = (_row(number, parsed, at, begins) for number, (at, begins) in enumerate(_segments(parsed), 1))
    return "".join([f"# newdoc id = {parsed.source.name}\n", *rows])


def write_conllu(parsed: ParsedText) -> str:
    """``.conllu``: as ``.tok``, by sentences and paragraphs, with ``SpaceAfter=No``; tags and syntax stay empty."""
    segments = list(_segments(parsed))
    sentences = iter(zip(parsed.source.sentences, parsed.source.tokens_of_sentences(), strict=True))
    parts = [f"# newdoc id = {parsed.source.name}\n"]
    n_sentences = 0
    for paragraph in parsed.source.paragraphs:
        parts.append("# newpar\n")
        for _ in paragraph:
            sentence, (first, last) = next(sentences)
            n_sentences += 1
            text = _line(parsed.source.quote(sentence))
            parts.append(f"# sent_id = {parsed.source.name}-{n_sentences}\n# text = {text}\n")
            parts += [
                _row(number, parsed, *segment, space=True) for number, segment in enumerate(segments[first:last], 1)
            ]
            parts.append("\n")
    return "".join(parts)


def write_rels(parsed: ParsedText, labels: Mapping[str, str] = LABELS) -> str:
    """``.rels``: a line per dependency between units, by the place of the dependent one.

    ``orig_label`` is the relation of the tree, ``label`` that of the shared task; ``rel_type`` is ``none``.
    """
    units = _Units(parsed)
    rows = (
        _relation(units, one, labels.get(one.relation, one.relation))
        for one in dependencies(parsed.tree)
        if one.relation != _SAME_UNIT
    )
    return "".join(f"{row}\n" for row in (RELS_HEADER, *rows))


def token_ranges(numbers: Sequence[tuple[int, int]]) -> str:
    """Half-open ranges of tokens, counted from 0, as the files write them: closed, counted from 1, neighbours joined.

    >>> token_ranges([(0, 3), (3, 5), (8, 9)])
    '1-5,9'
    """
    merged: list[list[int]] = []
    for first, last in numbers:
        if merged and merged[-1][1] == first:
            merged[-1][1] = last
        else:
            merged.append([first, last])
    return ",".join(str(last) if last - first == 1 else f"{first + 1}-{last}" for first, last in merged)


def _segments(parsed: ParsedText) -> Iterator[tuple[int, bool]]:
    """Every token, and whether a unit begins with it."""
    begins = {span.start for span in parsed.spans}
    for at, token in enumerate(parsed.source.tokens):
        yield at, token.start in begins


def _row(number: int, parsed: ParsedText, at: int, begins: bool, space: bool = False) -> str:
    source = parsed.source
    token = source.tokens[at]
    glued = space and at + 1 < len(source.tokens) and source.tokens[at + 1].start == token.end
    segment = "Seg=B-seg" if begins else "Seg=O"
    misc = f"{segment}|SpaceAfter=No" if glued else segment
    return "\t".join([str(number), _line(source.quote(token)), *"_______", misc]) + "\n"


class _Units:
    """Tokens, texts and sentences of units, of which the parts of an interrupted one are one."""

    def __init__(self, parsed: ParsedText) -> None:
        self.source = parsed.source
        self.tokens = _tokens_of(parsed)
        self._sentences = parsed.source.tokens_of_sentences()
        self._sentence_of = _sentences_of(parsed.spans, parsed.source.sentences)
        self.first_part = _first_parts(parsed)
        self._parts = defaultdict[int, list[int]](list)
        for unit, first in enumerate(self.first_part):
            self._parts[first].append(unit)

    def columns(self, unit: int) -> tuple[str, str, str, str, str]:
        """Tokens, text, raw text, tokens of the sentence, text of the sentence."""
        ranges = [self.tokens[part] for part in self._parts[unit]]
        sentence = self._sentences[self._sentence_of[unit]]
        return (
            token_ranges(ranges),
            self._text(ranges, self._spaced),
            self._text(ranges, self._raw),
            token_ranges([sentence]),
            self._spaced(*sentence),
        )

    def _text(self, ranges: Sequence[tuple[int, int]], of: Callable[[int, int], str]) -> str:
        parts: list[str] = []
        for (first, last), (_, before) in zip(ranges, [(0, -1), *ranges], strict=False):
            parts += ([" " if before == first else _GAP] if parts else []) + [of(first, last)]
        return "".join(parts)

    def _spaced(self, first: int, last: int) -> str:
        return " ".join(_line(self.source.quote(token)) for token in self.source.tokens[first:last])

    def _raw(self, first: int, last: int) -> str:
        return _line(self.source.quote(Span(self.source.tokens[first].start, self.source.tokens[last - 1].end)))


def _relation(units: _Units, one: Dependency, label: str) -> str:
    child, head = units.first_part[one.child], units.first_part[one.head]
    direction = "1>2" if child < head else "1<2"
    first, second = (units.columns(unit) for unit in sorted((child, head)))
    pairs = [column for both in zip(first, second, strict=True) for column in both]
    return "\t".join([units.source.name, *pairs, direction, "none", one.relation, label])


def _first_parts(parsed: ParsedText) -> list[int]:
    """The first part of each unit; a unit is its own unless it continues an interrupted one."""
    first = list(range(parsed.tree.n_units))
    for one in dependencies(parsed.tree):
        if one.relation == _SAME_UNIT:
            first[max(one.child, one.head)] = first[min(one.child, one.head)]
    return first


def _tokens_of(parsed: ParsedText) -> list[tuple[int, int]]:
    """The numbers of the tokens of each unit, half-open."""
    counts = accumulate(begins for _, begins in _segments(parsed))
    ranges: dict[int, tuple[int, int]] = {}
    for at, count in enumerate(counts):
        ranges[count - 1] = (ranges.get(count - 1, (at, at))[0], at + 1)
    return [ranges[unit] for unit in range(len(parsed.spans))]


def _sentences_of(units: Sequence[Span], sentences: Sequence[Span]) -> list[int]:
    found: list[int] = []
    at = 0
    for unit in units:
        while sentences[at].end <= unit.start:
            at += 1
        found.append(at)
    return found


def _line(text: str) -> str:
    return " ".join(text.split())


WRITERS: Final[Mapping[str, Callable[[ParsedText], str]]] = {
    "rels": write_rels,
    "tok": write_tok,
    "conllu": write_conllu,
}
"""Writers of the shared task's files, by suffix."""
