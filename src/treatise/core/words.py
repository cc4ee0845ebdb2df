"""How long a text is, in any script: words, and a language model's tokens as far as they can be told without it."""

import re
from collections.abc import Callable, Iterable
from math import ceil
from typing import Final

from treatise.core.scripts import ENDS_UNSPACED, UNSPACED

CHARACTERS_A_WORD: Final = 1.7
"""Characters of an unspaced script that say as much as one English word."""

_WORD: Final = re.compile(r"\S+")
_LONG: Final = 1_000_000  # characters from which on a list of all words is spared

_CHARACTERS_A_TOKEN: Final = 4.0
_TOKENS_A_CHARACTER: Final = 0.8  # of an unspaced script


def n_words(text: str) -> int:
    """Words of a text: runs without white space; in unspaced scripts, characters by ``CHARACTERS_A_WORD``.

    >>> n_words("Two words."), n_words("我们测量了温度。"), n_words("BERT 模型")
    (2, 5, 3)
    """
    if not UNSPACED.search(text):
        return len(text.split()) if len(text) < _LONG else sum(1 for _ in _WORD.finditer(text))
    n_characters = sum(len(run) for run in UNSPACED.findall(text))
    n_others = len([word for word in UNSPACED.sub(" ", text).split() if any(map(str.isalnum, word))])
    return ceil(n_characters / CHARACTERS_A_WORD) + n_others


def n_tokens(text: str) -> int:
    """Tokens that a language model is likely to count: a quarter of the characters, more in unspaced scripts.

    Within about a tenth on English prose with today's vocabularies; it is for estimates and limits, not for bills.
    """
    n_unspaced = sum(len(run) for run in UNSPACED.findall(text))
    return ceil((len(text) - n_unspaced) / _CHARACTERS_A_TOKEN + n_unspaced * _TOKENS_A_CHARACTER)


def clip(text: str, limit: int, length: Callable[[str], int] = n_words) -> str:
    """The text itself where it is no longer than the limit, else its beginning and an ellipsis.

    ``length`` must not fall when a text grows.

    >>> clip("one two three", 2)
    'one two …'
    """
    if length(text) <= limit:
        return text
    low, high = 0, len(text)  # the first fits, the second does not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if length(text[:middle]) <= limit else (low, middle)
    at_word = text[: low + 1].rsplit(maxsplit=1)[0] if " " in text[: low + 1].strip() else text[:low]
    return f"{at_word} …"


def joined(texts: Iterable[str]) -> str:
    """The texts one after another, with a blank between them but after an unspaced script.

    >>> joined(["One.", "Two."]), joined(["一。", "二。"])
    ('One. Two.', '一。二。')
    """
    result = ""
    for text in texts:
        result += ("" if not result or ENDS_UNSPACED.search(result) else " ") + text
    return result
