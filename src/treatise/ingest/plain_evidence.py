"""Headings in plain text that need support from other headings and paragraphs."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_ROMAN: Final = re.compile(r"(?P<roman>[IVX]{1,5})\.\s+(?P<title>[^\W\d_a-z].*)")
_LETTER: Final = re.compile(r"(?P<letter>[A-Z])\.\s+(?P<title>[^\W\d_a-z].*)")
_VALUES: Final = {"I": 1, "V": 5, "X": 10}
_STARRED: Final = re.compile(r"(?P<stars>\*{1,6}) +(?P<title>[^\s*].*)")
_LINE: Final = re.compile(r"[A-Z][\w'’()/&,\- ]{2,70}[\w)]")
_SENTENCE_END: Final = re.compile(r"[.!?:…][\"'”’»)\]\d]*\s*$")
_ENDS: Final = (".", ",", ";", ":", "!", "?")
_OPENINGS: Final = frozenset(("abstract", "introduction", "background", "summary", "preface", "foreword"))
_OUTDENTED: Final = re.compile(r"[A-Z](?:[^\s.;:!?]|[ ]{1,2}(?=\S)|[.:](?=\S)){2,70}")
_MIN_INDENTED: Final = 0.6
_MIN_PROSE: Final = 45  # characters that half of the indented lines have
_MIN_BODY: Final = 0.1  # of the lines, which begin where the text does
_MAX_CHARS: Final = 80
_MAX_WORDS: Final = 8
_MIN_CHAIN: Final = 3
_MIN_TEXT_CHARS: Final = 200
_MAX_SHARE: Final = 0.6
_MIN_LONG_CHARS: Final = 8_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A run of lines that looks like a heading.

    Attributes:
        evidence: Type of evidence: ``"part"``, ``"number"``, ``"caps"``, …
        depth: Depth within that type of evidence.
        title: Its text on one line.
        n_lines: Number of lines of the run that it covers.
        number: Number of a numbered heading.
    """

    evidence: str
    depth: int
    title: str
    n_lines: int
    number: tuple[int, ...] = ()


def roman(lines: Sequence[str]) -> Candidate | None:
    """Recognises "IV. Results" and "B. Data" on their own line."""
    if len(lines) != 1 or len(lines[0]) > _MAX_CHARS or lines[0].rstrip().endswith(_ENDS):
        return None
    title = lines[0].strip()
    if (match := _ROMAN.fullmatch(title)) and (value := _value(match["roman"])):
        return Candidate("roman", 1, title, 1, (value,))
    if match := _LETTER.fullmatch(title):
        return Candidate("letter", 2, title, 1, (ord(match["letter"]) - ord("A") + 1,))
    return None


def starred(runs: Sequence[Sequence[str]]) -> dict[int, Candidate]:
    """Recognises questions after stars over their answers, "** What is it?", and the line with fewer stars over one.

    Only questions: stars begin items, notes and news as well, which say what somebody asks for.
    """
    lines = {at: one for at, of_run in enumerate(runs) if of_run and (one := _starred(of_run[0]))}
    asked = {
        at: one
        for at, one in lines.items()
        if one.title.endswith("?") and (len(runs[at]) > 1 or (at + 1 < len(runs) and at + 1 not in lines))
    }
    over = {
        at: one
        for at, one in lines.items()
        if len(runs[at]) == 1 and not one.title.endswith(_ENDS) and at + 1 in asked and one.depth < asked[at + 1].depth
    }
    return asked | over if len(asked) > 1 else {}


def _starred(line: str) -> Candidate | None:
    match = _STARRED.fullmatch(line.rstrip()) if len(line) <= _MAX_CHARS else None
    return Candidate("stars", len(match["stars"]), match["title"], 1) if match else None


def _value(numeral: str) -> int:
    values = [_VALUES[sign] for sign in numeral]
    return sum(-one if one < after else one for one, after in pairwise([*values, 0]))


def drop_unproven_romans(found: dict[int, Candidate]) -> None:
    """Keeps numerals only in sequences of three or more from I on, and letters only from A on below a numeral."""
    values = [c.number[0] for c in found.values() if c.evidence == "roman"]
    is_proven = values[:_MIN_CHAIN] == [1, 2, 3]
    expected = 1
    for at, candidate in sorted(found.items()):
        if candidate.evidence == "roman":
            expected = 1
            if not is_proven:
                del found[at]
        elif candidate.evidence == "letter":
            if is_proven and candidate.number[0] == expected:
                expected += 1
            else:
                del found[at]


def lines_over_text(runs: Sequence[list[str]], found: Mapping[int, Candidate]) -> dict[int, Candidate]:
    """Short lines in sentence case, each between a complete paragraph and a long one.

    Only if the text's other headings are names such as "Introduction", and only if there are three or more.
    """
    if not found or any(candidate.evidence != "named" for candidate in found.values()):
        return {}
    repeated = Counter(lines[0].strip() for lines in runs if len(lines) == 1)
    lines = {
        at: run[0].strip()
        for at, run in enumerate(runs)
        if at and at not in found and _is_line(run) and repeated[run[0].strip()] == 1 and _heads_text(runs, at, found)
    }
    if len(lines) < _MIN_CHAIN or len(lines) > len(runs) // 3:
        return {}
    return {at: Candidate("named", 1, title, 1) for at, title in lines.items()}


def _is_line(run: list[str]) -> bool:
    if len(run) != 1 or run[0][:1].isspace():
        return False
    return _LINE.fullmatch(run[0].strip()) is not None and len(run[0].split()) <= _MAX_WORDS


def _heads_text(runs: Sequence[list[str]], at: int, found: Mapping[int, Candidate]) -> bool:
    """Whether a complete sentence or a heading precedes, and a long paragraph follows."""
    if at + 1 >= len(runs) or at + 1 in found:
        return False
    is_after_end = at - 1 in found or _SENTENCE_END.search(runs[at - 1][-1]) is not None
    return is_after_end and sum(map(len, runs[at + 1])) >= _MIN_TEXT_CHARS


def outdented(runs: Sequence[list[str]]) -> dict[int, Candidate]:
    """Lines that stand out to the left over indented text, as in manual pages that ``man`` prints.

    Only if most of the text is indented, and if there are three or more, most of the lines that are not. Lines less
    indented than the text are headings below them.
    """
    depths = Counter(_indent(line) for lines in runs for line in lines)
    n_lines = depths.total()
    body = min((depth for depth, n in depths.items() if depth and n >= _MIN_BODY * n_lines), default=0)
    lengths = sorted(len(line.strip()) for lines in runs for line in lines if _indent(line) >= max(body, 1))
    if not body or n_lines - depths[0] < _MIN_INDENTED * n_lines:
        return {}
    repeated = Counter(lines[0].strip() for lines in runs if lines)
    below = [_indent(line) for lines in [*runs[1:], []] for line in lines[:1] or [""]]
    found: dict[int, Candidate] = {}
    for at, lines in enumerate(runs):
        depth, title = _indent(lines[0]) if lines else body, lines[0].strip() if lines else ""
        next_depth = _indent(lines[1]) if len(lines) > 1 else below[at]
        is_over = depth < body <= next_depth and repeated[title] == 1
        if is_over and _OUTDENTED.fullmatch(title) and len(title.split()) <= _MAX_WORDS:
            found[at] = Candidate("outdent", 1 + bool(depth), title, 1)
    first = [one.title for one in found.values() if one.depth == 1]
    is_verse = 2 * sum(map(str.isupper, first)) < len(first) and lengths[len(lengths) // 2] < _MIN_PROSE
    n_runs = sum(bool(lines) and not _indent(lines[0]) for lines in runs)
    return found if len(first) >= max(_MIN_CHAIN, _MAX_SHARE * n_runs) and not is_verse else {}


def _indent(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())


def drop_opening_over_all(found: dict[int, Candidate], runs: Sequence[list[str]]) -> None:
    """Drops an "Introduction" that spans most of a long text: the headings after it were missed."""
    starts = sorted(found)
    sizes = [sum(map(len, run)) for run in runs]
    total = sum(sizes)
    for at, end in pairwise([*starts, len(runs)]):
        n_chars = sum(sizes[at:end])
        is_opening = found[at].evidence == "named" and found[at].title.lower() in _OPENINGS
        if is_opening and total > _MIN_LONG_CHARS and n_chars > _MAX_SHARE * total:
            del found[at]
