"""Checks statements against the cited text: quotes verbatim, paraphrases by words, numbers and vectors."""

import re
from collections.abc import Sequence
from typing import Final

from treatise.core.answer import Support
from treatise.core.ports import Encoder

MIN_COSINE: Final = 0.6
MIN_SHARED_WORDS: Final = 0.5

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_WORD: Final = re.compile(r"\w{3,}")


def check(statements: Sequence[str], cited: Sequence[Sequence[str]], encoder: Encoder) -> list[Support]:
    """The support of each statement in its cited texts; without citations it is unverified.

    *Quoted*: a cited text contains it verbatim, ignoring whitespace. *Supported*: the cited texts contain all of its
    numbers and half of its words, and its cosine with the nearest cited text is at least ``MIN_COSINE``.
    """
    results: list[Support] = []
    for statement, texts in zip(statements, cited, strict=True):
        if any(_plain(statement) in _plain(text) for text in texts):
            results.append(Support.QUOTED)
        elif texts and _shares_words(statement, texts) and _is_near(statement, texts, encoder):
            results.append(Support.SUPPORTED)
        else:
            results.append(Support.UNVERIFIED)
    return results


def shared_words(statement: str, text: str) -> int:
    """Number of distinct common words of at least three letters."""
    return len(set(_WORD.findall(statement.casefold())) & set(_WORD.findall(text.casefold())))


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" \"'“”‘’.").casefold()


def _shares_words(statement: str, texts: Sequence[str]) -> bool:
    together = " ".join(texts).casefold()
    numbers_hold = set(_NUMBER.findall(statement)) <= set(_NUMBER.findall(together))
    n_words = len(set(_WORD.findall(statement.casefold())))
    return numbers_hold and shared_words(statement, together) >= MIN_SHARED_WORDS * n_words


def _is_near(statement: str, texts: Sequence[str], encoder: Encoder) -> bool:
    vectors = encoder.encode([statement, *texts])
    return bool((vectors[1:] @ vectors[0]).max() >= MIN_COSINE)
