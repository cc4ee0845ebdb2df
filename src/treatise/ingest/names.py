"""Names of authors in metadata and bylines: what programs put there is left out."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

_SENSELESS: Final = re.compile(
    r"(?:unknown|unbekannt|anonymous|anonym|author|autor|owner|user|benutzer|usuario|utilisateur|admin|administrator|"
    r"root|guest|nobody|default|none|null|n/?a|test|microsoft(?: office)?(?: user)?|windows(?:[- ]\w+)?|hp|dell|lenovo|"
    r"preferred customer|authorized user|company|debian|ubuntu|python-docx|openpyxl|apache poi|pandoc|libreoffice|"
    r"adobe\b.*|acrobat\b.*|pdf ?tex\b.*|latex(?: with\b.*)?|docbook\b.*|sphinx\b.*|workiva\b.*|wdesk\b.*|edgar\b.*|"
    r"kaleidoscope\b.*|donnelley\b.*|toppan\b.*|certent\b.*|.*\bkscope\.io|.*\.(?:docx?|tex|pdf|html?|com|org|net))"
    r"|(?:some|several) .*|.*[©\\`{}<>=#%|_].*|copyright\b.*|all rights reserved.*|\(c\)\b.*|.*https?:.*|.*\d{3}.*"
    r"|.*\b(?:of|the|and|for|in)",
    re.IGNORECASE,
)
_SPLIT: Final = re.compile(
    r"\s*(?:[;\n•·|]|\s&\s|[,(]?\s?\b(?:and|und|et|y|e|en|with)\s(?=[^a-z]|the\s)"
    r"|\b(?:updated|edited|revised|maintained|translated)\sby\s)\s*|\s*(?:,?\s\\and\s)\s*"
)
_MARKS: Final = re.compile(
    r"\^\{[^{}]*\}|\^[^\s,]+|[∗*†‡§¶∥#◦⋆¹²³⁰-⁹^$~]+|(?<=[^\W\d_])\d[\d,]*(?=\s|,|$)|\{[^{}]*\}|\[[^\[\]]*\]"
)
_IN_BRACKETS: Final = re.compile(r"\((?!and |with )[^()]*\)|<[^<>]*>|\S+@\S+")
_ROLE: Final = re.compile(
    r",?\s*(?:(?:ph\.?\s?d|m\.?d|esq|jr|sr|ed|eds|editors?|maintainers?|deceased)\b\.?\s*)+$"
    r"|^(?:dr|prof|professor|mr|mrs|ms|by|von|par|por|written by|updated by|edited by|compiled by)\b\.?:?\s+",
    re.IGNORECASE,
)
_POST: Final = re.compile(
    r"(?:(?:lead|chief|main|head|former|current|original|senior|project|core)\s+|co-?)*"
    r"(?:developer|maintainer|author|programmer|editor|translator|writer|architect|founder|manager|coordinator)",
    re.IGNORECASE,
)
"""What stands after a name: "lead developer"."""
_GROUP: Final = re.compile(
    r"(?:[\w.&’'-]+\s+){1,7}(?:team|group|project|society|foundation|committee|workgroup|working group|consortium|"
    r"association|council|commission|developers|contributors|maintainers|inc\.?|ltd\.?|gmbh|corporation)",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"[\s,]*\b(?:department|dept|universit\w*|institut\w*|laborator\w*|labs?|school|college|faculty|center|centre|division|"
    r"academy|hospital|ministry|fakultät|abteilung|universidad|université|research)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_EMPLOYER: Final = re.compile(
    r"[^,]*\b(?:universit\w*|institute|college|school|laboratory|academy|hospital|labs?)\b(?!\s+(?:of|for|at|de|di|zu)\b)",
    re.IGNORECASE,
)
_NO_NAME: Final = re.compile(
    r"\b(?:the|an|of|in|for|on|to|is|are|this|by|report|contents|introduction|version|edition|chapter|part|guide|"
    r"manual|notes?|page|volume|draft|confidential|states|abstract|summary|appendix|index|license|release|printed|"
    r"table|article|preamble|section|figure|draft|user|users|reference|copyright|overview|annual|quarterly|press|street|avenue|"
    r"issues|menu|configuration|installation|requirements|documentation|website|features|usage)\b",
    re.IGNORECASE,
)
_WORD: Final = (
    r"(?:[A-ZÀ-ÖØ-ÞĀ-Ž][\w’'.-]*|(?:de|del|della|der|den|di|da|dos|du|la|le|van|von|vom|zu|zur|ter|ten|bin|al|el|y)\b)"
)
_PERSON: Final = re.compile(rf"[A-ZÀ-ÖØ-ÞĀ-Ž][\w’'.-]*(?:\s+{_WORD}){{1,4}}")
_ADDRESS: Final = re.compile(r"(?<!\w)\d{2,}")
_MAX_CHARS: Final = 80
_MAX_NAMES: Final = 100
_MIN_PAIRED: Final = 4


def stated_names(text: str) -> tuple[str, ...]:
    """The names in metadata or after a word such as "Author:"; placeholders, logins and programs are left out.

    >>> stated_names("Torsten Hothorn, Kurt Hornik and Achim Zeileis"), stated_names("root")
    (('Torsten Hothorn', 'Kurt Hornik', 'Achim Zeileis'), ())
    >>> stated_names("Knuth, Donald")
    ('Donald Knuth',)
    """
    listed = takewhile(lambda piece: not _ADDRESS.search(piece), _pieces(text))
    names = (name for piece in listed if (name := _cleaned(piece)) and _is_sensible(name))
    return tuple(dict.fromkeys(names))[:_MAX_NAMES]


def byline_names(line: str) -> tuple[str, ...]:
    """The names of a line that consists of names of persons or groups; empty for any other line.

    >>> byline_names("Eric Allman University of California"), byline_names("The R Core Team"), byline_names("Step one")
    (('Eric Allman',), ('The R Core Team',), ())
    """
    if _EMPLOYER.match(line):
        return ()
    named = _PLACE.sub("", line) if not _GROUP.fullmatch(line.strip()) else line
    pieces = [name for piece in _pieces(named) if (name := _cleaned(piece))]
    names = _paired(pieces[0]) if len(pieces) == 1 else pieces
    return tuple(dict.fromkeys(names)) if names and all(map(_is_name, names)) else ()


def _pieces(text: str) -> Iterator[str]:
    """The parts of a list of names; a comma also stands between family name and first name."""
    for part in _SPLIT.split(_IN_BRACKETS.sub(" ", _MARKS.sub(" ", text))):
        names = [name.strip() for name in (part or "").split(",")]
        is_turned = len(names) == 2 and all(name and " " not in name.rstrip(". ") for name in names)
        yield from [" ".join(reversed(names))] if is_turned else names


def _cleaned(name: str) -> str:
    before = ""
    while before != name:
        before, name = name, _ROLE.sub("", name).strip(" ,;:()-–—." if len(name) > 4 else " ,;:()")
    return "" if _POST.fullmatch(name) else " ".join(unicodedata.normalize("NFC", name).split())


def _is_sensible(name: str) -> bool:
    """Whether it may be a name: a login in lower-case Latin letters is none."""
    is_readable = 2 <= len(name) <= _MAX_CHARS and all(char.isprintable() for char in name)
    is_login = name.isascii() and name.islower() and " " not in name
    letters = sum(char.isalpha() or char in " .-'’" for char in name)
    return is_readable and not is_login and letters > 0.8 * len(name) and not _SENSELESS.fullmatch(name)


def _paired(piece: str) -> list[str]:
    """Names side by side without a sign between them, as columns of a title page; else the piece itself."""
    if group := _GROUP.match(piece):
        return [part for part in (group.group(), piece[group.end() :].strip()) if part]
    words = piece.split()
    is_row = (
        len(words) >= _MIN_PAIRED
        and len(words) % 2 == 0
        and all(word[0].isupper() and word[-1] != "." for word in words)
    )
    return [" ".join(words[at : at + 2]) for at in range(0, len(words), 2)] if is_row else [piece]


def _is_name(name: str) -> bool:
    if not _is_sensible(name):
        return False
    return bool(_GROUP.fullmatch(name)) or (_PERSON.fullmatch(name) is not None and not _NO_NAME.search(name))
