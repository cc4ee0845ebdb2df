"""Similarity to reference texts: ROUGE, BLEU, METEOR and SARI, by their reference implementations.

All need ``treatise[eval]``, except SARI, which no maintained library provides.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from treatise.core.errors import MissingExtraError
from treatise.core.scripts import UNSPACED, UNSPACED_CHARACTER

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics.bleu import BLEU

ROUGES: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")

_SARI_ORDERS: Final = (1, 2, 3, 4)


def rouge(answer: str, references: Sequence[str], kind: str = "rougeL") -> float:
    """ROUGE F-measure, 0 to 1, against the best reference (Lin, 2004), by ``rouge-score`` with Porter stemming.

    ``kind`` is one of ``ROUGES``; ``rougeLsum`` takes line ends as sentence ends. In scripts without spaces each
    character counts as a word; ``rouge-score`` alone would drop them.

    Raises:
        MissingExtraError: Without ``treatise[eval]``.
    """
    apart = [spaced(reference) for reference in references]
    return float(_rouge(kind, any(map(UNSPACED.search, references))).score_multi(apart, spaced(answer))[kind].fmeasure)


def bleu(answer: str, references: Sequence[str], order: int = 4) -> float:
    """BLEU of one answer, 0 to 1, with n-grams of up to ``order`` words (Papineni et al., 2002), by ``sacrebleu``.

    Smoothed, with the order capped at the answer's length, as in sacrebleu's sentence BLEU; case is ignored.

    Raises:
        MissingExtraError: Without ``treatise[eval]``.
    """
    return _share(_bleu(order, _tokenizer(references)).sentence_score(answer, list(references)).score)


def meteor(answer: str, references: Sequence[str]) -> float:
    """METEOR, 0 to 1, against the best reference (Banerjee & Lavie, 2005), by ``nltk``.

    Words match exactly and by stem, not by WordNet, which would have to be downloaded: scores are slightly lower.

    Raises:
        MissingExtraError: Without ``treatise[eval]``.
    """
    try:
        from nltk.tokenize import NLTKWordTokenizer
        from nltk.translate.meteor_score import meteor_score
    except ImportError as error:
        raise MissingExtraError("METEOR", "eval") from error
    tokens = NLTKWordTokenizer().tokenize
    gold = [tokens(spaced(reference)) for reference in references]
    return float(meteor_score(gold, tokens(spaced(answer)), wordnet=_NoSynonyms()))


def sari(answer: str, source: str, references: Sequence[str]) -> float:
    """SARI, 0 to 1 (Xu et al., 2016): quality of a simplification by n-grams correctly kept, deleted and added.

    The mean, over n of 1 to 4, of keep F1, add F1 and delete precision; 0 / 0 is 1. Keep recall is over n-grams, as
    corrected in the later implementations. Words are those of sacrebleu's ``13a`` in lower case.

    Raises:
        MissingExtraError: Without ``treatise[eval]``.
    """
    before, after, *gold = (_words_13a(text) for text in (source, answer, *references))
    scores = [_sari_of_order(n, before, after, gold) for n in _SARI_ORDERS]
    return sum(sum(of_order) for of_order in scores) / (3 * len(scores))


def spaced(text: str) -> str:
    """The text with spaces around each character of a script without spaces, so that words can be counted.

    >>> spaced("BERT 模型")
    'BERT  模 型 '
    """
    return UNSPACED.sub(lambda run: f" {' '.join(run.group())} ", text)


def _sari_of_order(n: int, before: Sequence[str], after: Sequence[str], gold: Sequence[Sequence[str]]) -> list[float]:
    """The keep, delete and add scores. Source and answer counts are multiplied by the number of references."""
    source, answer = (
        Counter({gram: count * len(gold) for gram, count in _grams(words, n).items()}) for words in (before, after)
    )
    wanted = Counter(gram for words in gold for gram in _grams(words, n).elements())
    kept, deleted = source & answer, source - answer
    keep_precision = _mean_share(kept & wanted, kept)
    keep_recall = _ratio((kept & wanted).total(), (source & wanted).total())
    delete_precision = _mean_share(deleted - wanted, deleted)
    added, to_add = answer.keys() - source.keys(), wanted.keys() - source.keys()
    add_precision, add_recall = _ratio(len(added & to_add), len(added)), _ratio(len(added & to_add), len(to_add))
    return [_harmonic(keep_precision, keep_recall), delete_precision, _harmonic(add_precision, add_recall)]


def _grams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def _mean_share(part: Counter[tuple[str, ...]], whole: Counter[tuple[str, ...]]) -> float:
    return sum(part[gram] / count for gram, count in whole.items()) / len(whole) if whole else 1.0


def _share(percent: float) -> float:
    """A hundredth, and 1 if rounding went beyond it."""
    return min(1.0, float(percent) / 100)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0


def _words_13a(text: str) -> list[str]:
    try:
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    except ImportError as error:
        raise MissingExtraError("SARI", "eval") from error
    return str(Tokenizer13a()(spaced(text).lower())).split()


class _NoSynonyms:
    """An empty WordNet."""

    def synsets(self, _word: str) -> list[Any]:
        return []


class _CharactersToo:
    """The tokens of ``rouge-score``, and each character of scripts without spaces."""

    _WORD: Final = re.compile(rf"[a-z0-9]+|{UNSPACED_CHARACTER}")

    def tokenize(self, text: str) -> list[str]:
        return self._WORD.findall(text.lower())


@cache
def _rouge(kind: str, characters: bool) -> "RougeScorer":
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as error:
        raise MissingExtraError("ROUGE", "eval") from error
    return RougeScorer([kind], use_stemmer=True, tokenizer=_CharactersToo() if characters else None)


@cache
def _bleu(order: int, tokenizer: str) -> "BLEU":
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise MissingExtraError("BLEU", "eval") from error
    return BLEU(max_ngram_order=order, effective_order=True, lowercase=True, tokenize=tokenizer)


def _tokenizer(references: Sequence[str]) -> str:
    return "zh" if any(map(UNSPACED.search, references)) else "13a"
