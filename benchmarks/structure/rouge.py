"""ROUGE-1 as ``rouge-score`` computes it, with the words of each text kept: curves score thousands of extracts."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any


def rouge1(text: str, references: Sequence[str]) -> float:
    """F-measure, 0 to 1, with the nearest reference."""
    found = Counter(_words(text))
    return max(_f1(found, stems(reference)) for reference in references)


@cache
def stems(text: str) -> Counter[str]:
    """How often each stem occurs."""
    return Counter(_words(text))


@cache
def stem(word: str) -> str:
    """Porter's stem of a word in lower case; words of up to three letters stay."""
    word = word.lower()
    return str(_stemmer().stem(word)) if len(word) > 3 else word


@cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


def _words(text: str) -> list[str]:
    return [stem(word) for word in re.findall(r"[a-z0-9]+", text.lower())]


def _f1(found: Counter[str], wanted: Counter[str]) -> float:
    hits = (found & wanted).total()
    return 2 * hits / (found.total() + wanted.total()) if hits else 0.0
