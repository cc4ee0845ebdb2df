"""Figures of a span reader: F1 of spans, refusals, yes and no."""

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from treatise.core.span_answer import SpanAnswer
from treatise.core.verdict import VerdictOdds
from treatise.read.decoding import Head
from treatise.train.span_reader_data import KINDS

_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_ARTICLE: Final = re.compile(r"\b(a|an|the)\b")


@dataclass(frozen=True, slots=True)
class Gold:
    """The gold answers of an example; see ``span_reader_data.Example``."""

    passages: tuple[str, ...]
    answers: tuple[tuple[int, int, int], ...]
    kind: Head


def figures_of(read: Sequence[tuple[Gold, SpanAnswer]]) -> Mapping[str, float]:
    """The figures in percent; figures without examples are left out."""
    by_name: dict[str, list[float]] = {
        "span F1": [span_f1(gold, found) for gold, found in read if gold.kind in (Head.SPAN, Head.LIST)],
        "no answer AUC": _refusals(read),
        "yes or no": [
            float((found.p_yes >= 0.5) == (gold.kind is Head.YES))
            for gold, found in read
            if gold.kind in (Head.YES, Head.NO)
        ],
    }
    return {name: 100 * float(np.mean(values)) for name, values in by_name.items() if values}


def verdict_figures(judged: Sequence[tuple[Head, VerdictOdds]]) -> Mapping[str, float]:
    """Share of right verdicts on statements, in percent; empty without statements."""
    right = [KINDS[found.likeliest] is gold for gold, found in judged]
    return {"verdicts": 100 * float(np.mean(right))} if right else {}


def span_f1(gold: Gold, reading: SpanAnswer) -> float:
    """Token F1 of the best span with the nearest answer; for a list, with all answers joined."""
    texts = [gold.passages[passage][start:end] for passage, start, end in gold.answers]
    if gold.kind is Head.LIST:
        texts = [" ".join(dict.fromkeys(texts))]
    if not reading.spans:
        return 0.0
    best = reading.spans[0]
    found = gold.passages[best.passage][best.start : best.end]
    return max(token_f1(found, text) for text in texts)


def token_f1(found: str, gold: str) -> float:
    """F1 of words in lower case without punctuation and articles (Rajpurkar et al., 2016)."""
    bags = [Counter(_ARTICLE.sub(" ", text.lower().translate(_PUNCTUATION)).split()) for text in (found, gold)]
    common = (bags[0] & bags[1]).total()
    return 2 * common / (bags[0].total() + bags[1].total()) if common else float(bags[0] == bags[1])


def area_under_roc(scores: Sequence[float], is_positive: Sequence[bool]) -> float:
    """Probability that a positive scores above a negative; ties count one half."""
    order = np.asarray(scores, dtype=np.float64)
    positive = np.asarray(is_positive)
    above = (order[positive][:, None] > order[~positive][None]).mean()
    equal = (order[positive][:, None] == order[~positive][None]).mean()
    return float(above + equal / 2)


def _refusals(read: Sequence[tuple[Gold, SpanAnswer]]) -> list[float]:
    is_none = [gold.kind is Head.NONE for gold, _ in read]
    if all(is_none) or not any(is_none):
        return []
    return [area_under_roc([reading.p_no_answer for _, reading in read], is_none)]
