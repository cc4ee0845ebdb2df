"""Detects headings in plain text, only on strong evidence; none is invented."""

import re
from collections import Counter
from dataclasses import dataclass

from treatise.ingest.plain_evidence import (
    Candidate,
    drop_opening_over_all,
    drop_unproven_romans,
    lines_over_text,
    outdented,
    roman,
    starred,
)

_NUMBER = r"(?:\d{1,3}|[IVXLC]{1,7}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_PART = re.compile(
    rf"(?:part|book|volume|teil|partie|parte|часть)\s+{_NUMBER}\b[.:]?(?:\s*[-—:]?\s*\S.*)?", re.IGNORECASE
)
_CHAPTER = re.compile(
    rf"(?:(?:chapter|chapitre|kapitel|cap[ií]tulo|capitolo|глава|appendix|annex|act|lecture)\s+(?:{_NUMBER}|[A-Z])\b"
    r"[.:]?(?:\s*[-—:]?\s*\S.*)?|第\s*[\d一二三四五六七八九十百零〇]+\s*[章回卷部篇讲講].*)",
    re.IGNORECASE,
)
_CHINESE_SECTION = re.compile(r"第\s*[\d一二三四五六七八九十百零〇]+\s*[节節條条].{0,30}")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,3}){0,4})\.?\s+([^\W\d_].*)")
_NAMES = (
    "abstract|introduction|background|related work|methods|materials and methods|results|discussion|conclusion|"
    "conclusions|acknowledgements|acknowledgments|references|bibliography|preface|foreword|prologue|epilogue|"
    "table of contents|contents|glossary|index|summary|zusammenfassung|einleitung|literatur|résumé|введение|"
    "заключение|список литературы|摘要|引言|前言|绪论|结论|参考文献|目录|はじめに|おわりに"
)
_NAMED = frozenset(_NAMES.split("|"))
_BY = frozenset(("by", "von", "par", "por", "di"))
_ENDS = frozenset(("the end", "ende", "fin", "finis"))
_UNDERLINE = re.compile(r"\s*([=\-~^*+#])\1{2,}\s*\Z")
_MAX_CHARS = 80
_MAX_CAPS_WORDS = 9
_STATEMENT_MARKS = (".", ",", ";", ":", "。", "，", "；", "：")
_SENTENCE_MARKS = (*_STATEMENT_MARKS, "!", "?", "！", "？")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at the start of a run of lines: its depth, text, and number of lines."""

    level: int
    title: str
    n_lines: int


def find_headings(runs: list[list[str]]) -> dict[int, Heading]:
    """Headings by the index of their run.

    Evidence, each between blank lines: an underline; "Chapter 3", "Part II", 第三章; a decimal number in a
    sequence; Roman numerals from I on; a line in capitals in a mixed-case text; a name such as
    "References", and along with such names short lines above long paragraphs; questions after stars. Without
    blank lines between: lines that stand out to the left of a text that is indented.
    """
    has_lower_case = _is_mostly_lower(runs)
    repeated = Counter(lines[0].strip() for lines in runs if len(lines) == 1)
    found: dict[int, Candidate] = {}
    for at, lines in enumerate(runs):
        candidate = _underlined(lines) or _chapter(lines) or _numbered(lines) or roman(lines) or _single(lines)
        if candidate is None or (candidate.evidence == "caps" and not has_lower_case):
            continue
        if candidate.evidence == "caps" and (_follows_by(at, runs) or candidate.title.lower() in _ENDS):
            continue
        if candidate.evidence in ("caps", "named") and repeated[lines[0].strip()] > 2:
            continue  # a speaker's name in a play
        found[at] = candidate
    _drop_unproven_numbers(found, runs)
    drop_unproven_romans(found)
    found |= lines_over_text(runs, found)
    found |= {at: one for at, one in outdented(runs).items() if at not in found or found[at].evidence == "caps"}
    drop_opening_over_all(found, runs)
    found |= starred(runs)
    return _with_levels(dict(sorted(found.items())))


def _follows_by(at: int, runs: list[list[str]]) -> bool:
    """Whether the previous line is "by", so that this one is an author."""
    return at > 0 and " ".join(runs[at - 1]).strip().lower() in _BY


def _underlined(lines: list[str]) -> Candidate | None:
    over = len(lines) > 2 and _UNDERLINE.match(lines[0]) is not None
    first = 1 if over else 0
    if len(lines) < first + 2:
        return None
    title, under = lines[first].strip(), _UNDERLINE.match(lines[first + 1])
    if not under or not any(map(str.isalnum, title)):
        return None
    is_framed = over and len(lines) == 3 and lines[0].strip() == lines[2].strip() and len(title) <= _MAX_CHARS
    if abs(len(title) - len(lines[first + 1].strip())) > 3 and not (is_framed and not title.endswith(_SENTENCE_MARKS)):
        return None
    return Candidate("=" + under.group(1) + ("over" if over else ""), 1, title, first + 2)


def _chapter(lines: list[str]) -> Candidate | None:
    """Recognises "CHAPTER I.", alone or with its title on the lines below."""
    if not lines or len(lines) > 3 or max(map(len, lines)) > _MAX_CHARS:
        return None
    first, title = lines[0].strip(), " ".join(line.strip() for line in lines)
    if title.endswith((",", ";")) or (len(lines) == 1 and title.endswith(".") and len(title.split()) > 6):
        return None
    for evidence, pattern in (("part", _PART), ("chapter", _CHAPTER)):
        if pattern.fullmatch(first) and (first[:1].isupper() or not first[:1].isascii()):
            return Candidate(evidence, 1, title, len(lines))
    return None


def _numbered(lines: list[str]) -> Candidate | None:
    """Recognises "2.1 Methods"; with two or more numbers it may be a question or wrap to a second line."""
    if not lines or len(lines) > 2 or max(map(len, lines)) > _MAX_CHARS:
        return None
    title = " ".join(line.strip() for line in lines)
    match = _NUMBERED.fullmatch(title)
    if match is None:
        return None
    number = tuple(map(int, match.group(1).split(".")))
    if title.endswith(_SENTENCE_MARKS if len(number) == 1 else _STATEMENT_MARKS) or len(lines) > len(number):
        return None
    starts_well = match.group(2)[0].isupper() or not match.group(2)[0].isascii()
    return Candidate("number", len(number), title, len(lines), number) if starts_well else None


def _single(lines: list[str]) -> Candidate | None:
    if len(lines) != 1 or len(lines[0]) > _MAX_CHARS:
        return None
    title = lines[0].strip()
    if title.lower().rstrip(":") in _NAMED:
        return Candidate("named", 1, title.rstrip(":"), 1)
    if title.endswith(_SENTENCE_MARKS):
        return None
    if _CHINESE_SECTION.fullmatch(title):
        return Candidate("number", 2, title, 1, (1, 1))
    letters = [c for c in title if c.isalpha()]
    if len(letters) >= 4 and title.upper() == title != title.lower() and len(title.split()) <= _MAX_CAPS_WORDS:
        return Candidate("caps", 1, title, 1)
    return None


def _is_mostly_lower(runs: list[list[str]]) -> bool:
    sample = "".join(line for lines in runs[:2_000] for line in lines[:50])[:200_000]
    n_upper = sum(map(str.isupper, sample))
    return sum(map(str.islower, sample)) > n_upper


def _drop_unproven_numbers(found: dict[int, Candidate], runs: list[list[str]]) -> None:
    """Keeps a lone "3 Methods" only if there is a "3.1 …", or a 2 or 4 that heads another stretch of text."""
    numbers = {c.number for c in found.values() if c.evidence == "number"}
    parents = {number[:1] for number in numbers if len(number) > 1}
    heads = {
        c.number[0]
        for at, c in found.items()
        if c.evidence == "number" and len(c.number) == 1 and _heads_text(at, found, runs)
    }
    for at, candidate in list(found.items()):
        if candidate.evidence != "number" or len(candidate.number) != 1:
            continue
        number = candidate.number[0]
        in_sequence = number in heads and (number - 1 in heads or number + 1 in heads)
        if not (candidate.number in parents or (in_sequence and _heads_text(at, found, runs))):
            del found[at]


def _heads_text(at: int, found: dict[int, Candidate], runs: list[list[str]]) -> bool:
    """Whether the following text is longer than the line and not a similar line."""
    if at + 1 >= len(runs):
        return False
    after = found.get(at + 1)
    longer = sum(map(len, runs[at + 1])) > len(runs[at][0])
    return (after is not None and len(after.number) > 1) or (after is None and longer)


def _with_levels(found: dict[int, Candidate]) -> dict[int, Heading]:
    """Sets levels by type of evidence: parts, chapters, then numbers and capitals; underlines in order of first use."""
    kinds = {candidate.evidence for candidate in found.values()}
    chapter = 1 + ("part" in kinds)
    below = chapter + ("chapter" in kinds)
    underlines = list(dict.fromkeys(c.evidence for c in found.values() if c.evidence.startswith("=")))
    levels = {"part": 1, "chapter": chapter, "caps": below, "roman": below, "letter": below + 1}
    levels["named"] = below if "number" not in kinds else 1
    chapters = {
        c.title.split(".")[0]: 1 + underlines.index(c.evidence) for c in found.values() if c.evidence in underlines
    }
    headings = {}
    for at, candidate in found.items():
        if candidate.evidence.startswith("="):
            level = 1 + underlines.index(candidate.evidence)
        elif candidate.evidence in ("outdent", "stars"):
            level = candidate.depth
        elif candidate.evidence == "number":
            # with chapters, "2.1" is the first section of chapter 2
            over = chapters.get(str(candidate.number[0]), chapter if "chapter" in kinds else 1)
            level = candidate.depth + over - 1
        else:
            level = levels[candidate.evidence]
        headings[at] = Heading(level, candidate.title, candidate.n_lines)
    return headings
