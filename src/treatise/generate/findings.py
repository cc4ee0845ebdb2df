"""What a paper or report finds: the sentences of its abstract and conclusion that say so, quoted."""

import re
from collections.abc import Iterator
from typing import Final

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.patterns import lazy_pattern
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import joined, n_words
from treatise.generate.about import About, asked_about
from treatise.generate.citations import cite
from treatise.generate.quotable import Quotable

_WORDS: Final = 60
_MIN_WORDS: Final = 6
_CONCLUSIONS: Final = lazy_pattern(
    r"[\d.\sIVX]*(?:.{0,40}\b)?(?:conclusions?|concluding remarks|(?:main |key )findings|summary of .{1,40}|fazit|"
    r"schlussfolgerung(?:en)?|conclusiones|conclusión|结论|結論)\b.{0,40}",
    re.IGNORECASE,
)
_ABSTRACTS: Final = lazy_pattern(
    r"[\d.\s]*(?:abstract|(?:executive )?summary|zusammenfassung|kurzfassung|résumé|resumen|摘要|要旨)\W*",
    re.IGNORECASE,
)
_PLANS: Final = lazy_pattern(
    r"\b(?:we|I) (?:\w+ )?(?:plan|hope|intend|aim|believe|will)\b|\bfuture (?:work|research)\b", re.IGNORECASE
)


def answer_findings(evidence: Evidence, indexed: IndexedDocument) -> Answer | None:
    """The sentences that state findings, from the conclusion first, then the abstract, in at most 60 words.

    None if the question does not ask for them, or if the document has neither part.
    """
    if asked_about(evidence.question) is not About.FINDINGS:
        return None
    quotable = Quotable(indexed, _MIN_WORDS)
    chosen = _chosen(quotable)
    if not chosen:
        return None
    texts = [quotable.shown(unit) for unit in chosen]
    statements = tuple(Statement(text, (i,), Support.QUOTED) for i, text in enumerate(texts))
    citations = tuple(cite(indexed.document, indexed.units[unit]) for unit in chosen)
    direct = DirectAnswer(texts[0], str(SpanAnswerKind.SENTENCE), evidence.confidence, (0,))
    return Answer(evidence.question, joined(texts), statements, citations, evidence, found=True, direct=direct)


def _chosen(quotable: Quotable) -> list[int]:
    """The units that say most, as many as fit, best first."""
    candidates = [unit for part in (_CONCLUSIONS, _ABSTRACTS) for unit in _units(quotable, part)]
    ranked = sorted(candidates, key=lambda unit: -quotable.bonus(unit))
    kept: list[int] = []
    left = _WORDS
    for unit in ranked:
        words = n_words(quotable.shown(unit))
        if words <= left or not kept:
            kept.append(unit)
            left -= words
    return kept


def _units(quotable: Quotable, part: re.Pattern[str]) -> Iterator[int]:
    """The sentences of that part that can be quoted alone and speak of no plans."""
    document = quotable.indexed.document
    for unit, span in enumerate(quotable.indexed.units):
        titles = document.section_path(span.start)
        is_inside = any(part.fullmatch(title.strip()) for title in titles[-2:])
        is_statement = quotable.can_quote(unit) and not _PLANS.search(quotable.text(unit))
        if is_inside and is_statement and quotable.needed(unit) is None:
            yield unit
