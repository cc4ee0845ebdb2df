"""The sentences of a model's answer, each with checked citations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from treatise.core.answer import Answer, Statement, Support
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.injection import addresses_a_model
from treatise.core.plurals import counted
from treatise.core.ports import ClaimJudge, Encoder
from treatise.core.verdict import Verdict
from treatise.generate.check import FROM_ORDER, Checker, Finding, shared_words
from treatise.generate.citations import MAX_CITED, cite
from treatise.generate.not_found import refusal
from treatise.generate.reply import WrittenSentence, clean_reply, joined_sentences, refuses, written_sentences

_MAX_READ: Final = 24  # places below a note whose vectors are compared: those with the most common words
_MAX_TRIED: Final = 4  # other passages that a sentence is checked against if those cited do not support it
_LEAD_IN_WORDS: Final = 8
_LEAD_IN: Final = Finding(Support.UNVERIFIED, Verdict.NOT_STATED, "words that introduce a list")
_REMARK: Final = Finding(Support.UNVERIFIED, Verdict.NOT_STATED, "a remark on what the passages do not say")

_Place = tuple[str, Span]
"""A document's id and a span in it."""


def checked_answer(
    written: str,
    evidence: Evidence,
    documents: Sequence[Document],
    encoder: Encoder,
    judge: ClaimJudge | None = None,
) -> Answer:
    """The answer, each sentence checked against the places that it cites, never against a note on them.

    A sentence that these do not support is checked against the other passages with most of its words, and cites what
    supports it. A reply that only says that the passages do not answer is a refusal.
    """
    sentences = written_sentences(clean_reply(written), n_passages=len(evidence.passages))
    once = _once(sentences)
    reading = _Reading(evidence, {document.id: document for document in documents}, encoder, judge)
    checked = [reading.checked(sentence) for sentence in once]
    if once and all(finding is _REMARK for finding, _ in checked):
        note = f"the model replied: “{joined_sentences(once)}”"
        return replace(refusal(evidence, several=len(documents) > 1), notes=(note,))
    answer = _answer(once, checked, reading)
    return replace(answer, notes=notes_on([one for one, _ in checked], n_repeated=len(sentences) - len(once)))


@dataclass(frozen=True, slots=True)
class _Reading:
    """The evidence that the sentences of a reply are checked against.

    Attributes:
        evidence: The passages.
        documents: By id.
        encoder: Compares sentences with places.
        judge: The trained judge of claims, if any.
    """

    evidence: Evidence
    documents: Mapping[str, Document]
    encoder: Encoder
    judge: ClaimJudge | None

    def checked(self, sentence: WrittenSentence) -> tuple[Finding, list[_Place]]:
        """The finding on a sentence, and the places that it cites."""
        cited = [self.evidence.passages[i] for i in sentence.passages]
        places = self._places(sentence.text, cited)
        finding = self._check(sentence.text, places)
        if finding.support is not Support.UNVERIFIED:
            return finding, places
        if refuses(sentence.text):
            return _REMARK, []
        if sentence.text.endswith((":", "：")) and len(sentence.text.split()) <= _LEAD_IN_WORDS:
            return _LEAD_IN, []
        for passage in self._others(sentence.text, cited):
            elsewhere = self._places(sentence.text, [passage])
            if (other := self._check(sentence.text, elsewhere)).support is not Support.UNVERIFIED:
                is_disputed = finding.verdict is Verdict.CONTRADICTED
                reason = f"a cited passage disagrees: {finding.reason}" if is_disputed else ""
                return replace(other, reason=reason), [*(places if is_disputed else []), *elsewhere]
            if other.reason == FROM_ORDER:
                finding = other
            elif finding.verdict is Verdict.NOT_STATED and other.verdict is Verdict.CONTRADICTED:
                finding, places = other, elsewhere
        return finding, places

    def _check(self, text: str, places: Sequence[_Place]) -> Finding:
        is_english = all(self.documents[id_].language.partition("-")[0] == "en" for id_, _ in places)
        judge = self.judge if is_english else None
        checker = Checker(self.encoder, judge, known=self._known(places), is_english=is_english)
        return checker.check(text, [self._text(place) for place in places])

    def _text(self, place: _Place) -> str:
        """The text of a place, a table row with its heads; the order beside it, if its paragraph has one."""
        document, span = self.documents[place[0]], place[1]
        text = document.self_contained(span.start, span.end)
        paragraph = document.paragraph_at(span.start)
        around = document.text[paragraph.start : paragraph.end]
        return around if addresses_a_model(around) and not addresses_a_model(text) else text

    def _known(self, places: Sequence[_Place]) -> str:
        """Titles and paragraphs of the places: names in them may replace pronouns."""
        known: dict[str, None] = {}
        for id_, span in places:
            document = self.documents[id_]
            paragraph = document.paragraph_at(span.start)
            around = document.text[paragraph.start : paragraph.end]
            known |= dict.fromkeys((document.title or "", *document.section_path(span.start), around))
        return "\n".join(text for text in known if not addresses_a_model(text))

    def _others(self, text: str, cited: Sequence[Passage]) -> list[Passage]:
        """The passages with most of the words of a sentence, without those cited."""
        others = [one for one in self.evidence.passages if one not in cited and shared_words(text, one.text)]
        return sorted(others, key=lambda one: -shared_words(text, one.text))[:_MAX_TRIED]

    def _places(self, text: str, passages: Sequence[Passage]) -> list[_Place]:
        return [place for one in passages for place in _places(text, one, self.documents, self.encoder)]


def _answer(
    sentences: Sequence[WrittenSentence], checked: Sequence[tuple[Finding, list[_Place]]], reading: _Reading
) -> Answer:
    used = list(dict.fromkeys(place for _, places in checked for place in places))
    statements = tuple(
        Statement(
            sentence.text,
            tuple(dict.fromkeys(map(used.index, places))),
            finding.support,
            verdict=finding.verdict,
            reason=finding.reason,
            is_claim=finding not in (_REMARK, _LEAD_IN),
        )
        for sentence, (finding, places) in zip(sentences, checked, strict=True)
    )
    return Answer(
        question=reading.evidence.question,
        text=joined_sentences(sentences),
        statements=statements,
        citations=tuple(cite(reading.documents[document], span) for document, span in used),
        evidence=reading.evidence,
        found=True,
    )


def notes_on(findings: Sequence[Finding], *, n_repeated: int = 0) -> tuple[str, ...]:
    """Notes on sentences that could not be verified, each reason once, and on repeats."""
    checked = [one for one in findings if one is not _REMARK and one is not _LEAD_IN]
    unverified = [one for one in checked if one.support is Support.UNVERIFIED]
    reasons = "; ".join(dict.fromkeys(one.reason for one in unverified if one.reason))
    notes = []
    if unverified:
        notes.append(
            f"{len(unverified)} of {counted(len(checked), 'sentence')} could not be verified: {reasons}".rstrip(": ")
        )
    notes += dict.fromkeys(one.reason for one in checked if one.reason and one not in unverified)
    if n_repeated:
        notes.append(f"the model repeated itself: {counted(n_repeated, 'sentence', 'was', 'were')} left out")
    return tuple(notes)


def _once(sentences: Sequence[WrittenSentence]) -> list[WrittenSentence]:
    """Each sentence once, in order of first use: weak models repeat themselves."""
    first: dict[str, WrittenSentence] = {}
    for sentence in sentences:
        first.setdefault(sentence.text, sentence)
    return list(first.values())


def _places(statement: str, passage: Passage, documents: Mapping[str, Document], encoder: Encoder) -> list[_Place]:
    """The place of a passage; for a note, the places below it nearest to the statement, in text order."""
    spans = list(passage.noted or (passage.span,))
    if len(spans) > MAX_CITED:
        document = documents[passage.document]
        texts = [document.quote(span.start, span.end) for span in spans]
        alike = sorted(range(len(spans)), key=lambda i: -shared_words(statement, texts[i]))[:_MAX_READ]
        vectors = encoder.encode([statement, *(texts[i] for i in alike)])
        order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:MAX_CITED]
        spans = [spans[i] for i in sorted(alike[k] for k in order)]
    return [(passage.document, span) for span in spans]
