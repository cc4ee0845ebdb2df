"""Checks statements against the cited text: quotes verbatim, then rules, then a trained judge or words and vectors."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from treatise.claims import compare
from treatise.core.answer import Support
from treatise.core.injection import addresses_a_model
from treatise.core.ports import ClaimJudge, Encoder
from treatise.core.quotation import without_item_mark
from treatise.core.verdict import Verdict

MIN_COSINE: Final = 0.48
MIN_SHARED_WORDS: Final = 0.5

_LIKELY: Final = 0.12  # minimum probability of support by the judge; docs/log/claims.md
FROM_ORDER: Final = "only a passage with an order to a language model says so, which supports nothing"
_NO_WORDS: Final = "the cited text does not say this"
_NO_CITATION: Final = "it cites nothing, and no passage says this"
_WORD: Final = re.compile(r"\w{3,}")
_LETTERS: Final = "0-9A-Za-zÀ-ɏ"  # of scripts that put spaces between words


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of checking one statement.

    Attributes:
        support: Quoted, supported or unverified.
        verdict: Supported, contradicted or not stated.
        reason: Why it is not supported, in one line; empty if it is.
    """

    support: Support
    verdict: Verdict
    reason: str = ""


QUOTED: Final = Finding(Support.QUOTED, Verdict.SUPPORTED)
SUPPORTED: Final = Finding(Support.SUPPORTED, Verdict.SUPPORTED)


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks statements one by one.

    Attributes:
        encoder: The encoder whose cosine is compared without a judge.
        judge: The trained judge of claims, if any.
        known: Text in which names may also stand, such as titles.
        is_english: Whether the texts are; the rules on words are for English.
    """

    encoder: Encoder
    judge: ClaimJudge | None = None
    known: str = ""
    is_english: bool = True

    def check(self, statement: str, texts: Sequence[str]) -> Finding:
        """Whether the texts support the statement; a text with an order to a language model supports nothing.

        *Quoted*: a text contains the statement verbatim, ignoring whitespace. *Supported*: no rule of
        :func:`treatise.claims.compare` objects, and the judge agrees; without a judge, the texts contain half of its
        words, and its cosine with the nearest text is at least ``MIN_COSINE``.
        """
        usable = [text for text in texts if not addresses_a_model(text)]
        found = self._found(statement, usable)
        if found.support is Support.UNVERIFIED and len(usable) < len(texts):
            obeyed = self._found(statement, texts)
            return _not_stated(FROM_ORDER) if obeyed.support is not Support.UNVERIFIED else found
        return found

    def _found(self, statement: str, texts: Sequence[str]) -> Finding:
        if not texts:
            return _not_stated(_NO_CITATION)
        if any(_contains(text, statement) for text in texts):
            return QUOTED
        if difference := compare(without_item_mark(statement), texts, self.known, is_english=self.is_english):
            return Finding(Support.UNVERIFIED, difference.verdict, difference.reason)
        if self.judge is not None:
            return self._judged(statement, texts, self.judge)
        is_near = _shares_words(statement, texts) and _is_near(statement, texts, self.encoder)
        return SUPPORTED if is_near else _not_stated(_NO_WORDS)

    def _judged(self, statement: str, texts: Sequence[str], judge: ClaimJudge) -> Finding:
        odds = judge.verdict(statement, texts)
        if odds.supported >= _LIKELY:
            return SUPPORTED
        if odds.contradicted > odds.not_stated:
            return Finding(Support.UNVERIFIED, Verdict.CONTRADICTED, "the cited text seems to say otherwise")
        return _not_stated(_NO_WORDS)


def shared_words(statement: str, text: str) -> int:
    """Number of distinct common words of at least three letters."""
    return len(set(_WORD.findall(statement.casefold())) & set(_WORD.findall(text.casefold())))


def _not_stated(reason: str) -> Finding:
    return Finding(Support.UNVERIFIED, Verdict.NOT_STATED, reason)


def _plain(text: str) -> str:
    return without_item_mark(" ".join(text.split())).strip(" \"'“”‘’.*_").casefold()


def _contains(text: str, statement: str) -> bool:
    """Whether the text has the statement verbatim, as whole words: "No" does not stand in "know", nor "9" in "1998"."""
    quoted, found = _plain(statement), _plain(text)
    pattern = rf"(?<![{_LETTERS}]){re.escape(quoted)}(?![{_LETTERS}])"
    return bool(quoted) and quoted in found and bool(re.search(pattern, found))


def _shares_words(statement: str, texts: Sequence[str]) -> bool:
    together = " ".join(texts)
    n_words = len(set(_WORD.findall(statement.casefold())))
    return shared_words(statement, together) >= MIN_SHARED_WORDS * n_words


def _is_near(statement: str, texts: Sequence[str], encoder: Encoder) -> bool:
    vectors = encoder.encode([statement, *texts])
    return bool((vectors[1:] @ vectors[0]).max() >= MIN_COSINE)
