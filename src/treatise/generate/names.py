"""Names in questions that the documents never mention.

A name counts as mentioned under its last word, its abbreviation, or an inflected form. What is a name depends on the
language: capitals tell names in most, not in German; Chinese and Japanese questions have Latin letters or katakana.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.document import Document
from treatise.core.names import LINKS, TOKEN, is_name, names_in, spelled_out
from treatise.core.scripts import KANA, UNSPACED
from treatise.core.words import folded_words
from treatise.generate.texts import Texts, fold, read_texts

_WORD: Final = re.compile(r"\w+")
_IN_WORD: Final = re.compile(r"(?:[A-Z][a-z]+){2,}")
"""One word with capitals in it: "JavaScript"."""

_ENGLISH_WORDS: Final = """
the of what who whose when where which why how is are were did does can could must should would with
"""
_ENGLISH: Final = frozenset(_ENGLISH_WORDS.split())
"""Words of which an English question has at least one; other languages capitalise other words and rename places."""

_LATIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9+#._-]+(?: [A-Za-z][A-Za-z0-9+#._-]+)*")
_KATAKANA: Final = re.compile(r"[ァ-ヴー]{4,}")
_HAS_KANA: Final = re.compile(f"[{KANA}]")


def unknown_name(question: str, texts: Texts, language: str) -> str | None:
    """A name in the question that the documents, which are in that language, do not mention."""
    missing = next(_missing(question, texts, language), None)
    return f"never mentions {missing}" if missing else None


def _missing(question: str, texts: Texts, language: str) -> Iterator[str]:
    is_english = not _ENGLISH.isdisjoint(folded_words(question))
    if UNSPACED.search(question):
        yield from _missing_in_unspaced(question, texts, language)
    elif language == "en" and is_english:
        yield from (" ".join(name) for name in names_in(question) if not _is_mentioned(name, texts))
    elif language == "de" and not is_english:
        yield from _missing_in_german(question, texts)
    elif language not in ("en", "de") and not is_english:
        yield from (" ".join(name) for name in names_in(question) if not _is_partly_mentioned(name, texts))


def _missing_in_unspaced(question: str, texts: Texts, language: str) -> Iterator[str]:
    """Latin words of which the documents lack one; in Japanese also words in katakana."""
    folded = unicodedata.normalize("NFKC", texts.text).casefold()
    for found in _LATIN.finditer(question):
        words = [word for word in found[0].split() if len(word) > 1]
        if not all(_all_mentioned(word, texts) or word.casefold() in folded for word in words):
            yield found[0]
    if language == "ja" and _HAS_KANA.search(question):
        yield from (word for word in _KATAKANA.findall(question) if word.rstrip("ー") not in texts.text)


def _missing_in_german(question: str, texts: Texts) -> Iterator[str]:
    """Words that are names rather than nouns: with a number after them, capitals in them, or as "Fedora-Version"."""
    tokens = [token.strip(".'’‘„") for token in TOKEN.findall(question)]
    for token, following in zip(tokens[1:], [*tokens[2:], ""], strict=True):
        first, _, rest = token.partition("-")
        is_marked = rest[:1].isupper() or following[:1].isdigit() or any(c.isupper() for c in token[1:])
        is_known = _all_mentioned(first, texts) or fold(first) in fold(texts.text)  # as a part of a compound
        if is_marked and is_name(first, is_first=False) and not is_known:
            yield token


def _is_partly_mentioned(name: Sequence[str], texts: Texts) -> bool:
    """Whether any word of a name occurs: translations and word order vary more than in English."""
    return any(_all_mentioned(word, texts) for word in name if word not in LINKS) or _has_initials(name, texts)


def _is_mentioned(name: Sequence[str], texts: Texts) -> bool:
    """Whether its last word occurs, or the one before if the last is a common noun; or its initials, written out or
    short.
    """
    whole = [word for word in name if word not in LINKS]
    if _has_initials(whole, texts):
        return True
    is_common = len(whole) > 1 and whole[-1].casefold() in texts.common
    if not all(_all_mentioned(word, texts) for word in (whole if is_common else whole[-1:])):
        return False
    return len(whole) == 1 or not all(_all_mentioned(word, texts) for word in whole) or _are_near(whole, texts)


def _are_near(words: Sequence[str], texts: Texts) -> bool:
    """Whether any two of the words stand within a few words of each other: "Red Hat" is not a red cap and a hat."""
    one = "|".join(re.escape(word[: max(3, len(word) - 2)]) for word in words)
    return bool(re.search(rf"\b({one})\w*\W+(?:\w+\W+){{0,3}}(?!\1)(?:{one})", texts.text, re.IGNORECASE))


def _all_mentioned(word: str, texts: Texts) -> bool:
    return all(texts.mentions(fold(part)) or _begins_word(part, texts) for part in _WORD.findall(word))


def _begins_word(part: str, texts: Texts) -> bool:
    """Whether it is the first part of a word such as "macOS"."""
    return bool(re.search(rf"(?i:\b{re.escape(part)})(?=[A-Z])", texts.text))


def _has_initials(words: Sequence[str], texts: Texts) -> bool:
    """Whether the text has "FSF" for "Free Software Foundation", or the reverse, or "JS" for "JavaScript"."""
    inside = "".join(filter(str.isupper, words[0])) if _IN_WORD.fullmatch(words[0]) else ""
    initials = "".join(word[0] for word in words) if len(words) > 1 else inside
    if initials:
        return bool(re.search(rf"\b{re.escape(initials)}\b", texts.text))
    pattern = spelled_out(words[0].replace(".", ""))  # U.S.
    return pattern is not None and bool(pattern.search(texts.text))


_OFFICES: Final = (
    r"officers?|president|directors?|chair(?:man|woman|person)?|managers?|secretary|treasurer|counsel|engineer|minister"
)
_ROLES: Final = {
    "maintainer": r"maintainer|maintained (?:\w+ )?by|\bmaint\.|(?-i:\b[A-Z]\w+ )maintains",
    "developer": r"developer|(?:developed|written|created) (?:\w+ )?by\b|(?-i:\b[A-Z]\w+ )(?:develops|wrote)",
    "author": r"\bauthor|\b(?:wrote|writes|written|by)\b|copyright|©",
    "editor": r"\bedit(?:or|s\b|ed\b)",
    "owner": r"\bown(?:er|s\b|ed\b)|\bbelongs?\b|proprietor|possess",
    "coordinator": r"\bco-?ordinat",
    "leader": r"\b(?:leader|leads?|led)\b|head\b|captain|chief",
    "founder": r"\bfound(?:er|ed|ing)\b|(?:started|created|established|set up) by",
    "moderator": r"\bmoderat",
    "translator": r"\btranslat",
    "sponsor": r"\bsponsor",
}
"""Roles of a single word, and what a text has that speaks of one."""
_ROLE: Final = re.compile(
    rf"\bwho (?:is|was|are|were) (?:the |its |their |our )?(?P<role>(?:[a-z-]+ ){{1,4}}(?:{_OFFICES})|"
    rf"(?:[a-z-]+ ){{0,4}}(?P<single>{'|'.join(_ROLES)})s?)\b(?: (?:of|for|at|behind) (?P<of>[\w.+-]+)\W*$)?",
    re.IGNORECASE,
)
_ANY_SUCH_WORDS: Final = "current present new former original main primary principal first official actual real"
_ANY_SUCH: Final = frozenset(_ANY_SUCH_WORDS.split())
"""Words that say which of those in a role is meant; a text may leave them out."""
_IN_OFFICE: Final = frozenset(
    ("acting", "managing", "outgoing", "incoming", "presiding", "founding", "supervising", "training")
)
_BETWEEN: Final = frozenset(("as", "up", "down", "out", "to", "by", "on", "with", "from", "not", "going"))
"""Words that no role has."""


def other_role(question: str, documents: Sequence[Document]) -> str | None:
    """A role in the question that no document has, for the thing that the question names by one word."""
    if not _ROLE.search(question):
        return None
    reasons = [unknown_role(question, read_texts([one])) for one in documents]
    return reasons[0] if all(reasons) else None


def unknown_role(question: str, texts: Texts) -> str | None:
    """A role in the question ("chief technology officer") of whose words the text never has one near the others.

    It is silent if the text has its initials ("CTO"). A single word ("maintainer") may be a verb in the text. The thing
    whose role it is ("of teapot") must occur too.
    """
    found = _ROLE.search(question)
    words = [word for word in found["role"].casefold().split() if word not in LINKS | _ANY_SUCH] if found else []
    if (
        not found
        or not words
        or _says_what_is_done(found["role"].casefold().split())
        or _has_initials([word.capitalize() for word in words], texts)
    ):
        return None
    of = found["of"] or ""
    is_of_other = of and not re.search(rf"\b{re.escape(of)}", texts.text, re.IGNORECASE)
    if is_of_other or not _has_role(words, found["single"], texts.text):
        name = " ".join(words) + f" of {of}" * bool(is_of_other)
        return f"never mentions {'an' if name[0] in 'aeiou' else 'a'} {name}"
    return None


def _says_what_is_done(words: Sequence[str]) -> bool:
    """Whether the words after "who is" are no role but what is done to one: "giving up as chair".

    >>> _says_what_is_done(["replacing", "the", "secretary"]), _says_what_is_done(["managing", "director"])
    (True, False)
    """
    is_doing = words[0].endswith("ing") and words[0] not in _IN_OFFICE
    return is_doing or not _BETWEEN.isdisjoint(words)


def _has_role(words: Sequence[str], single: str | None, text: str) -> bool:
    """Whether a text has the words of a role near each other, or speaks of a role of one word."""
    if len(words) == 1:
        return single is None or bool(re.search(_ROLES[single.casefold()], text, re.IGNORECASE))
    stems = [rf"\b{re.escape(word[: max(4, len(word) - 3)])}\w*" for word in words]
    ways = [stems]
    if single:  # "team leader", "leads the team"
        role = rf"(?:{_ROLES[single.casefold()]})\w*"
        ways = [[*stems[:-1], role], [role, *stems[:-1]]]
    near = "|".join(r"\W+(?:\w+\W+){0,2}?".join(way) for way in ways)
    return bool(re.search(near, text, re.IGNORECASE))
