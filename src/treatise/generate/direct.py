"""An answer by a trained reader: the words that answer, and the sentences that contain them, quoted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Document, ParagraphKind
from treatise.core.evidence import Evidence, Passage
from treatise.core.injection import addresses_a_model
from treatise.core.ports import PassageReader
from treatise.core.reading import AnswerSpan, Reading, ReadingKind
from treatise.generate.citations import as_statement, cite

NOT_FOUND: Final = "Not found in the document."
NOT_FOUND_IN_SEVERAL: Final = "Not found in the documents."

_MAX_PASSAGES: Final = 20
_MAX_ITEMS: Final = 8
_ITEM_SHARE: Final = 0.25  # of the best span's score, for a further item of a list
_UNLIKELY: Final = 0.5  # probability of no answer from which on the reader refuses


def answer_by_reading(evidence: Evidence, documents: Sequence[Document], reader: PassageReader) -> Answer:
    """The reader's answer in a few words, and the sentences or table rows that contain it, each quoted and cited.

    The reader gets the best 20 passages; a table row is read with its heads and labels. If it finds no answer the
    question is refused, and nothing is cited.

    Raises:
        EngineError: If the reader failed.
    """
    by_id = {document.id: document for document in documents}
    passages = _readable(evidence, by_id)
    texts = [by_id[one.document].self_contained(one.span.start, one.span.end) for one in passages]
    reading = reader.read(evidence.question, texts)
    if not reading.spans or reading.p_no_answer >= _UNLIKELY:
        return _refusal(evidence, reading, several=len(documents) > 1)
    found = _Found(reading, passages, texts)
    return found.answer(evidence, by_id)


@dataclass(frozen=True, slots=True)
class _Found:
    """A reading and the passages that it is of."""

    reading: Reading
    passages: Sequence[Passage]
    texts: Sequence[str]

    def answer(self, evidence: Evidence, documents: dict[str, Document]) -> Answer:
        spans = self._chosen()
        cited = list(dict.fromkeys(span.passage for span in spans))
        citations = tuple(cite(documents[self.passages[i].document], self.passages[i].span) for i in cited)
        quotes = [Statement(as_statement(one.quote), (i,), Support.QUOTED) for i, one in enumerate(citations)]
        statements = (*self._verdict(len(citations)), *quotes)
        direct = DirectAnswer(
            text=self._text(spans),
            kind=str(self.reading.kind),
            confidence=1 - self.reading.p_no_answer,
            citations=tuple(range(len(citations))),
        )
        text = " ".join(statement.text for statement in statements)
        return Answer(evidence.question, text, statements, citations, evidence, found=True, direct=direct)

    def _chosen(self) -> list[AnswerSpan]:
        """The best span; for a list also the others that are about as good, in reading order."""
        best = self.reading.spans[0]
        if self.reading.kind is not ReadingKind.LIST:
            return [best]
        near = [span for span in self.reading.spans[:_MAX_ITEMS] if span.score >= _ITEM_SHARE * best.score]
        return sorted(near, key=lambda span: (span.passage, span.start))

    def _text(self, spans: Sequence[AnswerSpan]) -> str:
        match self.reading.kind:
            case ReadingKind.YES:
                return "Yes"
            case ReadingKind.NO:
                return "No"
            case ReadingKind.SENTENCE:
                return as_statement(self.texts[spans[0].passage])
            case _:
                pieces = (" ".join(self.texts[one.passage][one.start : one.end].split()) for one in spans)
                return ", ".join(dict.fromkeys(pieces))

    def _verdict(self, n_citations: int) -> tuple[Statement, ...]:
        """Yes or no as a sentence before its support."""
        if self.reading.kind not in (ReadingKind.YES, ReadingKind.NO):
            return ()
        text = f"{self._text(())}."
        return (Statement(text, tuple(range(n_citations)), Support.SUPPORTED),)


def _readable(evidence: Evidence, documents: dict[str, Document]) -> list[Passage]:
    """The best passages, best first, without headings, notes and orders to a language model."""
    ranked = sorted(evidence.passages, key=lambda passage: -passage.score)
    return [one for one in ranked if _is_readable(one, documents[one.document])][:_MAX_PASSAGES]


def _is_readable(passage: Passage, document: Document) -> bool:
    kind = document.paragraph_at(passage.span.start).kind
    return kind is not ParagraphKind.HEADING and not passage.noted and not addresses_a_model(passage.text)


def _refusal(evidence: Evidence, reading: Reading, *, several: bool) -> Answer:
    text = NOT_FOUND_IN_SEVERAL if several else NOT_FOUND
    note = f"no passage seems to answer this (probability {1 - reading.p_no_answer:.2f}); `search` shows the nearest"
    evidence = replace(evidence, confidence=min(evidence.confidence, 1 - reading.p_no_answer))
    return Answer(evidence.question, text, (), (), evidence, found=False, notes=(note,))
