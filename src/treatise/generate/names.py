"""Names in questions that the documents never mention.

A name counts as mentioned under its last word, its abbreviation, or an inflected form. What is a name depends on the
language: capitals tell names in most, not in German; Chinese and Japanese questions have Latin letters or katakana.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.names import LINKS, TOKEN, is_name, names_in, spelled_out
from treatise.core.scripts import KANA, UNSPACED
from treatise.generate.texts import Texts, fold

_WORD: Final = re.compile(r"\w+")

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
    is_english = not _ENGLISH.isdisjoint(_WORD.findall(question.casefold()))
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
    return all(texts.mentions(fold(part)) for part in _WORD.findall(word))


def _has_initials(words: Sequence[str], texts: Texts) -> bool:
    """Whether the text has "FSF" for "Free Software Foundation", or the reverse."""
    if len(words) > 1:
        return bool(re.search(rf"\b{re.escape(''.join(word[0] for word in words))}\b", texts.text))
    pattern = spelled_out(words[0].replace(".", ""))  # U.S.
    return pattern is not None and bool(pattern.search(texts.text))


_ROLE: Final = re.compile(
    r"\bwho (?:is|was|are|were) (?:the |its |their |our )?((?:[a-z-]+ ){1,4}(?:officers?|president|directors?|"
    r"chair(?:man|woman|person)?|managers?|secretary|treasurer|counsel|engineer|editor|minister))\b",
    re.IGNORECASE,
)


def unknown_role(question: str, texts: Texts) -> str | None:
    """A role in the question ("chief technology officer") of whose words the documents never have one near the others.

    It is silent if the documents have its initials ("CTO").
    """
    found = _ROLE.search(question)
    words = [word for word in found[1].casefold().split() if word not in LINKS] if found else []
    if len(words) < 2 or _has_initials([word.capitalize() for word in words], texts):
        return None
    near = r"\W+(?:\w+\W+){0,2}?".join(rf"{re.escape(word[: max(4, len(word) - 3)])}\w*" for word in words)
    return None if re.search(rf"\b{near}", texts.text, re.IGNORECASE) else f"never mentions a {' '.join(words)}"
