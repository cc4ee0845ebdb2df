"""Identifiers in questions: numbers that tell things of one sort apart ("release 23", "section 4", "5.2.5")."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from treatise.core.names import NO_NAMES
from treatise.core.patterns import lazy_pattern

_VERSION_WORDS: Final = "version release edition versión versione ausgabe fassung"
_PART_WORDS: Final = """
section chapter article amendment paragraph clause appendix part rule item step stage level lesson exercise question
abschnitt kapitel artikel absatz paragraf anhang teil schritt punkt sección capítulo artículo apéndice parte
chapitre article annexe partie étape point figure table figura tabla tableau tabelle abbildung
"""
_OTHER_WORDS: Final = "number no. nr. n° day tag día jour room lot gate line port channel model type phase round"
_VERSIONS: Final = tuple(_VERSION_WORDS.split())
_PARTS: Final = frozenset(_PART_WORDS.split())

NUMBER: Final = r"\d+(?:\.\d+)*(?:-?(?:alpha|beta|rc)\d*)?"
_COUNTED: Final = r"\s+(?!(?:was|is|has|does|as)\b)[a-z]{2,}s\b|\s*(?:%|[kMGT]i?B\b|k?m\b|kg\b)"
_END: Final = rf"(?![\w%]|[.,]\d|{_COUNTED})"
_NOUNS: Final = "|".join(map(re.escape, f"{_VERSION_WORDS} {_PART_WORDS} {_OTHER_WORDS}".split()))
_AFTER_NOUN: Final = lazy_pattern(rf"\b({_NOUNS})\s+(?:no\.?\s*)?v?({NUMBER}){_END}", re.IGNORECASE)
_AFTER_NAME: Final = lazy_pattern(rf"\b([A-Z][\w+-]*[a-z]\w*)\s+v?({NUMBER}){_END}")
_ALONE: Final = lazy_pattern(rf"(?<![\w.,$€£¥])()v?(\d+(?:\.\d+){{2,}}(?:-?(?:alpha|beta|rc)\d*)?){_END}")
_CELL: Final = lazy_pattern(r"(?:^|[\t|\n])()[ ]*v?(\d+\.\d+)(?=[ ]*(?:[\t|\n]|$))")
_WORD_BEFORE: Final = lazy_pattern(r"\b([A-Z][\w+-]*[a-z]\w*) +$")
_NO_OWNERS: Final = NO_NAMES | {*_VERSIONS, "since", "until", "before", "after", "with", "as", "see", "fixed", "new"}
_NEAR: Final = 40  # characters before a number in which its name stands
_FEW_PARTS: Final = 2
_YEAR: Final = lazy_pattern(r"1[5-9]\d\d|20\d\d")
_LINE: Final = lazy_pattern(r"^[\s#*§(]*(?:\w+\.?\s+)?(\d+(?:\.\d+)*)\b", re.MULTILINE)
_NUMERALS: Final = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX"
_ORDINAL_WORDS: Final = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth seventeenth eighteenth nineteenth twentieth
"""
_ROMAN: Final = tuple(_NUMERALS.split())
_ORDINALS: Final = tuple(_ORDINAL_WORDS.split())


@dataclass(frozen=True, slots=True)
class Identifier:
    """A thing that a question names by a number.

    Attributes:
        noun: The word before the number, as in the question; empty for a version such as "5.2.5" alone.
        number: As in the question.
    """

    noun: str
    number: str

    def __str__(self) -> str:
        return f"{self.noun} {self.number}".strip()

    @property
    def is_version(self) -> bool:
        """Whether the number alone, or after any name, may mean the same thing."""
        return not self.noun or self.noun.casefold() in _VERSIONS

    @property
    def is_part(self) -> bool:
        """Whether headings have the number without the noun."""
        return self.noun.casefold() in _PARTS

    def numbers_in(self, text: str) -> list[tuple[int, str]]:
        """Numbers of this sort in the text, and their places; several in a row are one: "10, 11 and 12"."""
        word = "" if self.is_version else self.noun
        found = [(one.start(1), one[1]) for one in _beginning_with(word, _pattern(self.noun), text)]
        if self.is_part:
            numerals = _beginning_with(self.noun, _numerals(self.noun), text)
            found += [(one.start(1), str(_ROMAN.index(one[1]) + 1)) for one in numerals if one[1] in _ROMAN]
        if self.is_version:
            others = (one for pattern in (_ALONE, _AFTER_NAME) for one in pattern.finditer(text) if _is_name(one))
            found += [(one.start(2), one[2]) for one in others]
        elif "." in self.number:
            found += [one for one in self._bare(text) if one not in found]
        return sorted(found)

    def _bare(self, text: str) -> Iterator[tuple[int, str]]:
        """Numbers without a name that are versions of the same series as that of a name ("Foxy 3.0.33").

        They have as many parts and begin alike; one of two parts must be all of a cell, since sections are numbered so.
        """
        parts = self.number.split(".")
        pattern = _ALONE if len(parts) > _FEW_PARTS else _CELL
        for one in pattern.finditer(text):
            listed, before = one[2].split("."), _WORD_BEFORE.search(text[max(0, one.start() - _NEAR) : one.start()])
            is_of_other = before and before[1].casefold() not in _NO_OWNERS
            if len(listed) == len(parts) and listed[0] == parts[0] and not is_of_other:
                yield one.start(2), one[2]


def identifiers(question: str) -> list[Identifier]:
    """The identifiers in a question.

    >>> [str(one) for one in identifiers("Did release 77 mend what 5.2.5 broke in Debian 11?")]
    ['release 77', 'Debian 11', '5.2.5']
    >>> identifiers("Who paid 30 dollars within 12 days in May 2018?")
    []
    """
    found: dict[str, Identifier] = {}
    for pattern in (_AFTER_NOUN, _AFTER_NAME, _ALONE):
        for one in pattern.finditer(question):
            if pattern is not _AFTER_NAME or (_is_name(one) and question[: one.start()].strip(" ¿\"'«„“")):
                found.setdefault(one[2], Identifier(one[1], one[2]))
    return list(found.values())


def unknown_identifier(question: str, text: str) -> str | None:
    """An identifier in the question that the text lacks, while it has others of its sort.

    >>> unknown_identifier("What came with release 77?", "Release 22 had tea. Release 23 had cups.")
    'release 77'
    """
    for one in identifiers(question):
        numbers = {number for _, number in one.numbers_in(text)} | (set(numbered_lines(text)) if one.is_part else set())
        is_known = any(includes(number, one.number) for number in numbers) or (one.is_part and _in_words(one, text))
        is_bare = one.noun and one.is_version and "." not in one.number  # "version 12" may be one of anything
        has_others = _pattern(one.noun).search(text) if is_bare else len(numbers) > one.is_part
        if has_others and not is_known:
            return str(one)
    return None


def includes(listed: str, number: str) -> bool:
    """Whether a number, a version of it, or a range around it is among the numbers listed.

    >>> includes("10, 11 and 12", "11"), includes("5.2.1", "5.2"), includes("1 to 3", "2"), includes("2", "2.0")
    (True, True, True, True)
    >>> includes("49", "4"), includes("5.0.6", "5.0.0")
    (False, False)
    """
    numbers = [version(one) for one in re.findall(NUMBER, listed)]
    wanted = version(number)
    is_range = bool(re.search(r" to | through |[–-](?=\d)", listed))
    is_listed = any(one[: len(wanted)] == wanted or _rounded(one) == _rounded(wanted) for one in numbers)
    return is_listed or (is_range and bool(numbers) and min(numbers) <= wanted <= max(numbers))


def version(number: str) -> list[tuple[int, str]]:
    """The parts of a number, so that they can be compared."""
    return [(int(one), "") if one.isdigit() else (-1, one) for one in re.findall(r"\d+|[a-z]+", number)]


def is_same_version(number: str, other: str) -> bool:
    """Whether two numbers are equal up to zeros at the end.

    >>> is_same_version("2.0", "2"), is_same_version("2.0.1", "2.0")
    (True, False)
    """
    return _rounded(version(number)) == _rounded(version(other))


def _rounded(parts: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The parts without zeros at the end: 2.0 is 2."""
    kept = list(parts)
    while len(kept) > 1 and kept[-1] == (0, ""):
        kept.pop()
    return kept


def numbered_lines(text: str) -> Iterator[str]:
    """The numbers at the beginning of lines, after at most a word."""
    return (found[1] for found in _LINE.finditer(text))


def _is_name(found: re.Match[str]) -> bool:
    """Whether the number is none of a month, a section or a year."""
    noun = found[1].casefold()
    return noun not in NO_NAMES and noun not in _PARTS and not _YEAR.fullmatch(found[2])


@lru_cache(maxsize=64)
def _pattern(noun: str) -> re.Pattern[str]:
    """The noun or its plural (for a version any such noun), and one or several numbers."""
    is_version = not noun or noun.casefold() in _VERSIONS
    words = "|".join(_VERSIONS) if is_version else re.escape(noun)
    several = rf"v?{NUMBER}(?:(?:,? (?:and|or|to|through|und|bis|et|à|y|a) |, ?|\s?[/–-]\s?)v?{NUMBER})*"
    return re.compile(rf"\b(?:{words})(?:s|en|e)?\s+(?:[^\W\d]+ )?(?:no\.?\s*)?({several})(?![\w%])", re.IGNORECASE)


@lru_cache(maxsize=64)
def _numerals(noun: str) -> re.Pattern[str]:
    """The noun and a Roman numeral."""
    return re.compile(rf"\b{re.escape(noun)}\.?\s+([IVX]+)\b", re.IGNORECASE)


def _beginning_with(word: str, pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """What ``pattern.finditer`` finds, for a pattern that ignores case and begins with this word; blank for any.

    It is tried only where the word is: a pattern that ignores case tries every character of a long text.
    """
    lower, word = text.lower().replace("ſ", "s"), word.lower()  # a long s is an s for such a pattern
    if not word or len(lower) != len(text):  # a letter with two lower-case ones moves all behind it
        yield from pattern.finditer(text)
        return
    at = lower.find(word)
    while at >= 0:
        found = pattern.match(text, at)
        if found:
            yield found
        at = lower.find(word, found.end() if found else at + 1)


def _in_words(part: Identifier, text: str) -> bool:
    """Whether the text numbers a part in Roman numerals or by an ordinal."""
    if not part.number.isdigit():
        return False
    n = int(part.number)
    ordinals = [rf"{n}(?:st|nd|rd|th)", *_ORDINALS[n - 1 : n]]
    numeral = rf"\b{_ROMAN[n - 1]}\b|" if 0 < n <= len(_ROMAN) else ""
    return bool(re.search(rf"{numeral}(?i:\b(?:{'|'.join(ordinals)})\b)", text))
