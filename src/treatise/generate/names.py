"""Names in questions that the documents never mention.

A name counts as mentioned under its last word, its abbreviation, or an inflected form. What is a name depends on the
language: capitals tell names in most, not in German; Chinese and Japanese questions have Latin letters or katakana.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from treatise.core.scripts import KANA, UNSPACED
from treatise.generate.texts import Texts, fold

_WORD: Final = re.compile(r"\w+")
_TOKEN: Final = re.compile(r"[^\s,;:?!()\"“”«»]+")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_LINK: Final = frozenset(("of", "the", "de", "for", "and"))
_PLAIN_WORDS: Final = """
i a an the who what when where which why how whose whom is are was were do does did can could may must should will would
has have had in on at of for from by to and or if name list give tell describe explain summarize please under according
january february march april may june july august september october november december english yes no section article
chapter table figure page part appendix q1 q2 q3 q4 fy
monday tuesday wednesday thursday friday saturday sunday url ceo cfo usa
"""
NO_NAMES: Final = frozenset(_PLAIN_WORDS.split())
_ENGLISH_WORDS: Final = """
the of what who whose when where which why how is are were did does can could must should would with
"""
_ENGLISH: Final = frozenset(_ENGLISH_WORDS.split())
"""Words of which an English question has at least one; other languages capitalise other words and rename places."""

_MANY_CAPITALS: Final = 0.6  # share of capitalised words from which capitals say nothing
_MIN_NAME: Final = 3
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
        yield from (" ".join(name) for name in _names(question) if not _is_mentioned(name, texts))
    elif language == "de" and not is_english:
        yield from _missing_in_german(question, texts)
    elif language not in ("en", "de") and not is_english:
        yield from (" ".join(name) for name in _names(question) if not _is_partly_mentioned(name, texts))


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
    tokens = [token.strip(".'’‘„") for token in _TOKEN.findall(question)]
    for token, following in zip(tokens[1:], [*tokens[2:], ""], strict=True):
        first, _, rest = token.partition("-")
        is_name = rest[:1].isupper() or following[:1].isdigit() or any(c.isupper() for c in token[1:])
        is_known = _all_mentioned(first, texts) or fold(first) in fold(texts.text)  # as a part of a compound
        if is_name and _is_name(first, is_first=False) and not is_known:
            yield token


def _is_partly_mentioned(name: Sequence[str], texts: Texts) -> bool:
    """Whether any word of a name occurs: translations and word order vary more than in English."""
    return any(_all_mentioned(word, texts) for word in name if word not in _LINK) or _has_initials(name, texts)


def _names(question: str) -> Iterator[list[str]]:
    """Runs of capitalised words ("House of Lords"), without words such as "What" and "March"."""
    tokens = [_POSSESSIVE.sub("", token.strip(".'’‘")) for token in _TOKEN.findall(question)]
    if sum(token[:1].isupper() for token in tokens) > _MANY_CAPITALS * len(tokens):
        return
    run: list[str] = []
    for number, token in enumerate([*tokens, ""]):
        if _is_name(token, is_first=number == 0):
            run.append(token)
        elif not (run and token in _LINK):
            yield from [run] if run else []
            run = []
        elif _is_name(tokens[number + 1] if number + 1 < len(tokens) else "", is_first=False):
            run.append(token)


def _is_name(token: str, *, is_first: bool) -> bool:
    is_plain = token.casefold() in NO_NAMES or len(token) < _MIN_NAME or not token[0].isupper()
    return not is_plain and not (is_first and token[1:].islower())


def _is_mentioned(name: Sequence[str], texts: Texts) -> bool:
    """Whether its last word occurs, or the one before if the last is a common noun; or its initials, written out or
    short.
    """
    whole = [word for word in name if word not in _LINK]
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
    plain = words[0].replace(".", "")  # U.S.
    letters: Iterable[str] = plain if plain.isupper() and plain.isalpha() else ()
    pattern = r"\W+(?:\w{1,3}\W+)?".join(rf"{letter}\w+" for letter in letters)
    return bool(pattern) and bool(re.search(rf"\b{pattern}", texts.text, re.IGNORECASE))
