"""An answer by a trained reader: the answering words, and the sentences that contain them, quoted."""

from collections.abc import Sequence
from dataclasses import replace
from math import log
from typing import Final

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Document
from treatise.core.evidence import Evidence, Passage
from treatise.core.injection import addresses_a_model
from treatise.core.ports import PassageReader
from treatise.core.span_answer import AnswerSpan, SpanAnswer, SpanAnswerKind
from treatise.core.standalone import is_heading
from treatise.generate.citations import as_statement, cite
from treatise.generate.extracted import best_sentences
from treatise.generate.not_found import WEAK, refusal

_MAX_PASSAGES: Final = 20
_MAX_ITEMS: Final = 8
_ITEM_SHARE: Final = 0.25  # minimum score of a further list item, as a share of the best span's
_REFUSE: Final = 0.5
"""Minimum log odds of no answer, by reader and retrieval together, at which the question is refused."""

_EPSILON: Final = 1e-4
_MAX_WORDS: Final = 60
_VERDICTS: Final = (SpanAnswerKind.YES, SpanAnswerKind.NO)


def answer_by_reading(evidence: Evidence, documents: Sequence[Document], reader: PassageReader) -> Answer:
    """The answering words as ``Answer.direct``, and the sentences that contain and support them, quoted and cited.

    The reader gets the best 20 passages; a table row is read with its column heads and labels. The sentence with its
    best span comes first, then the best other sentences within 60 words. If the reader finds no answer, the question is
    refused and nothing is cited.

    Raises:
        EngineError: If the reader failed.
    """
    by_id = {document.id: document for document in documents}
    passages = _readable(evidence, by_id)
    texts = [by_id[one.document].self_contained(one.span.start, one.span.end) for one in passages]
    reading = reader.read(evidence.question, texts)
    if not reading.spans or evidence.confidence < WEAK or _log_odds_of_none(reading, evidence) >= _REFUSE:
        return _refuse(evidence, reading, several=len(documents) > 1)
    spans = _chosen_spans(reading)
    quoted = _with_support([passages[i] for i in dict.fromkeys(span.passage for span in spans)], evidence, by_id)
    citations = tuple(cite(by_id[passage.document], passage.span) for passage in quoted)
    statements = tuple(Statement(as_statement(one.quote), (i,), Support.QUOTED) for i, one in enumerate(citations))
    text = " ".join(statement.text for statement in statements)
    direct = _direct(reading, spans, texts)
    return Answer(evidence.question, text, statements, citations, evidence, found=True, direct=direct)


def _log_odds_of_none(reading: SpanAnswer, evidence: Evidence) -> float:
    """The reader's log odds of no answer minus retrieval's log odds of an answer; the two make different errors."""
    return _log_odds(reading.p_no_answer) - _log_odds(evidence.confidence)


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, _EPSILON), 1 - _EPSILON)
    return log(bounded / (1 - bounded))


def _readable(evidence: Evidence, documents: dict[str, Document]) -> list[Passage]:
    """The best passages, best first, without headings, notes and orders to a language model."""
    ranked = sorted(evidence.passages, key=lambda passage: -passage.score)
    return [one for one in ranked if _is_readable(one, documents[one.document])][:_MAX_PASSAGES]


def _is_readable(passage: Passage, document: Document) -> bool:
    return not passage.noted and not is_heading(document, passage.span) and not addresses_a_model(passage.text)


def _chosen_spans(reading: SpanAnswer) -> list[AnswerSpan]:
    """The best span; for a list, also the others of similar score, in reading order."""
    best = reading.spans[0]
    if reading.kind is not SpanAnswerKind.LIST:
        return [best]
    near = [span for span in reading.spans[:_MAX_ITEMS] if span.score >= _ITEM_SHARE * best.score]
    return sorted(near, key=lambda span: (span.passage, span.start))


def _with_support(found: list[Passage], evidence: Evidence, documents: dict[str, Document]) -> list[Passage]:
    """The passages found, then the best other sentences within the word limit."""
    n_words = sum(len(passage.text.split()) for passage in found)
    for passage in best_sentences(evidence, documents):
        n_words += len(passage.text.split())
        if passage not in found and n_words <= _MAX_WORDS:
            found.append(passage)
    return found


def _direct(reading: SpanAnswer, spans: Sequence[AnswerSpan], texts: Sequence[str]) -> DirectAnswer | None:
    """The answer in a few words; None for yes and no, which the reader does not distinguish reliably."""
    if reading.kind in _VERDICTS:
        return None
    if reading.kind is SpanAnswerKind.SENTENCE:
        text = as_statement(texts[spans[0].passage])
    else:
        text = ", ".join(dict.fromkeys(" ".join(texts[one.passage][one.start : one.end].split()) for one in spans))
    cited = len(dict.fromkeys(span.passage for span in spans))
    return DirectAnswer(text, str(reading.kind), 1 - reading.p_no_answer, tuple(range(cited)))


def _refuse(evidence: Evidence, reading: SpanAnswer, *, several: bool) -> Answer:
    """The refusal, with the reason of retrieval if its confidence is too low, otherwise the reader's."""
    answer = refusal(evidence, several=several)
    if evidence.confidence < WEAK:
        return answer
    note = f"no passage seems to answer this question (probability {1 - reading.p_no_answer:.2f}); `search` shows them"
    return replace(answer, notes=(note,))
