"""SQuAD's answer normalisation, and bag-of-words overlap."""

import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import Final

_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_ARTICLE: Final = re.compile(r"\b(a|an|the)\b")


def normal_words(text: str) -> list[str]:
    """Words in lower case without ASCII punctuation and articles (Rajpurkar et al., 2016, official evaluator).

    >>> normal_words("The cat's hat, a red one.")
    ['cats', 'hat', 'red', 'one']
    """
    return _ARTICLE.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def overlap(found: Sequence[str], gold: Sequence[str]) -> tuple[float, float, float]:
    """Precision, recall and F1 of one bag of words against another; all 1 if both are empty."""
    if not found and not gold:
        return 1.0, 1.0, 1.0
    common = (Counter(found) & Counter(gold)).total()
    if not common:
        return 0.0, 0.0, 0.0
    precision, recall = common / len(found), common / len(gold)
    return precision, recall, 2 * precision * recall / (precision + recall)
