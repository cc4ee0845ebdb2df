"""Evidence for a question with an identifier: only what stands beside it; and for one with an ordinal.

A passage stands beside "release 23" if it has it, or if it is below a heading, or after a beginning of a paragraph or a
sentence of its own paragraph, that has it and no other release.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Final

from treatise.core.document import Document, Paragraph, ParagraphKind, Span, trim
from treatise.core.evidence import Evidence, Passage
from treatise.generate.identifiers import Identifier, identifiers, includes, version
from treatise.generate.listed import pieces
from treatise.generate.ordinals import ordinal

_LABEL: Final = 60  # characters at the beginning of a paragraph that say what it is about
_HEADING: Final = 160  # the same of a heading
_WORDS_BEFORE: Final = 2  # at most, in a label, before the number and its noun
_OTHER: Final = frozenset(
    ("since", "from", "until", "before", "after", "see", "than", "all", "seit", "depuis", "desde")
)
_NAME: Final = re.compile(r"\b[A-Z][a-z]+\b")
_NAME_BEFORE: Final = re.compile(r"\b[^\W\d_][\w+-]*(?=\s+v?$)")
_NUMBERED: Final = re.compile(r"\b[\w+-]+\s+v?\d[\w.]*")  # "Python 3.7" in a question
_VERSION_NOUNS: Final = frozenset(("version", "versions", "release", "releases", "edition", "versión", "ausgabe", "v"))
_HEADED: Final = re.compile(r"[\s#=*\[(]*v?\d+(?:\.\w+)+[\])]*(?=\s*$|[\s(–—-]+\d)", re.MULTILINE)  # "2.4 (2024-10-29)"
_MARKS: Final = re.compile(r"#{1,6}\s+")
_RELEASE: Final = re.compile(r"\W*([A-Z][\w+-]*[a-z]\w*)[ \t]v?(\d+(?:\.\d+)*)[ \t(\"“«]{1,3}([A-Z][a-z]+)\b")
_BEFORE_NAME: Final = re.compile(r"\d[ \t(\"“«]{1,3}\Z")
_SERIES: Final = 3  # releases with different names
_LINE: Final = re.compile(r"[\s#*§(]*(?:\w+\.?\s+)?(\d+(?:\.\d+)*)\b")
_DOTTED: Final = re.compile(r"\s*(\d+(?:\.\d+)+)\.?\s")
_ITEM: Final = re.compile(r"\s*(\d+)[.)]\s")
_SECTION: Final = re.compile(r"\s*[\d.]+\s+[^\W\d]")  # "3.1 Boots"
_ADDED: Final = 12  # sentences below an identifier that are read in addition
_ORDINALS: Final = 6  # sentences with an ordinal that are read in addition
_STRETCH: Final = 20_000  # characters below it that are searched


def beside_identifiers(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """The evidence without passages that stand beside others than the identifiers of the question, and with those
    sentences beside them that share most words with it.

    It is unchanged if the question has no identifier, or if the documents have no others of its sort.
    """
    places = {one.id: [Places(one, each) for each in _asked(evidence.question, one)] for one in documents}
    telling = {name: [one for one in of_one if one.tells] for name, of_one in places.items()}
    if not evidence.passages or not any(telling.values()):
        return evidence
    kept = [one for one in evidence.passages if _holds(telling[one.document], one.span)]
    known = {(one.document, one.span) for one in kept}
    stretches = [
        (place.document, stretch) for of_one in telling.values() for place in of_one for stretch in place.stretches()
    ]
    added = [one for one in sentences_below(evidence, stretches) if (one.document, one.span) not in known][:_ADDED]
    passages = (*kept, *added)
    return replace(evidence, passages=passages, context="\n\n".join(one.text for one in passages))


def with_ordinal(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """The evidence with the sentences that have the ordinal of the question ("the next meeting")."""
    wanted = ordinal(evidence.question)
    if not wanted or not evidence.passages:
        return evidence
    known = {(one.document, one.span) for one in evidence.passages}
    best = max(one.score for one in evidence.passages)
    sentences = ((one, span) for one in documents for span in _sentences(one, Span(0, len(one.text))))
    found = (Passage(one.id, span, one.quote(span.start, span.end), best) for one, span in sentences)
    added = (one for one in found if wanted.is_in(one.text) and (one.document, one.span) not in known)
    passages = (*evidence.passages, *islice(added, _ORDINALS))
    return replace(evidence, passages=passages, context="\n\n".join(one.text for one in passages))


def release_above(document: Document, span: Span, question: str = "") -> Span | None:
    """The sentence or heading that says which version or release a span is about; None if the span has one itself.

    It is the last one before it in its paragraph, else the last heading or, if no heading has a version, the last
    beginning of a paragraph with one. Versions of other things ("Python 3.7") say nothing, nor do the question's.
    """
    labels = release_labels(document)
    names = " ".join(
        (_NUMBERED.sub(" ", question), document.title, *(document.quote(one.start, one.end) for one in labels))
    )
    if _own_releases(document.quote(span.start, span.end), names, question):
        return None
    paragraph = document.paragraph_at(span.start)
    before = [one for one in paragraph.sentences if one.end <= span.start]
    named = [one for one in before if _own_releases(document.quote(one.start, one.end), names, question)]
    if named:
        return trim(document.text, named[-1])
    above = [one for one in labels if one.start <= span.start]
    return above[-1] if above else None


def release_labels(document: Document) -> list[Span]:
    """The headings that say of which version the text below is, else such beginnings of paragraphs, in text order."""
    return Places(document, Identifier("release", "")).of_releases


def _own_releases(text: str, names: str, question: str) -> list[str]:
    """The numbers of releases in a text, without those of the question and of things that are not among the names."""
    found = []
    for at, number in Identifier("release", "").numbers_in(text):
        before = _NAME_BEFORE.search(text[:at])
        is_other = before and before[0].casefold() not in _VERSION_NOUNS and not _has_word(names, before[0])
        is_asked = re.search(rf"(?<![\w.]){re.escape(number)}(?![\w]|\.\d)", question)
        found += [] if is_other or is_asked else [number]
    return found


def _has_word(text: str, word: str) -> bool:
    return bool(re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE))


@dataclass(frozen=True)
class Places:
    """Where a document speaks of an identifier.

    Attributes:
        document: The document.
        identifier: What is looked for.
    """

    document: Document
    identifier: Identifier

    @cached_property
    def tells(self) -> bool:
        """Whether the document has several numbers of this sort, which tell things apart."""
        numbers = [*self.identifier.numbers_in(self.document.text), *self.labels]
        return len({tuple(version(number)) for _, number in numbers}) > 1

    def holds(self, span: Span) -> bool:
        """Whether a span stands beside the identifier."""
        numbers = self.identifier.numbers_in(self.document.self_contained(span.start, span.end))
        if numbers:
            return any(self._is_wanted(number) for _, number in numbers)
        paragraph = self.document.paragraph_at(span.start)
        if before := self.identifier.numbers_in(self.document.text[paragraph.start : span.start]):
            return self._is_wanted(before[-1][1])
        label = bisect_right(self.labels, span.start, key=lambda one: one[0]) - 1
        return label >= 0 and self._is_wanted(self.labels[label][1])

    def stretches(self) -> Iterator[Span]:
        """The stretches of text below the identifier."""
        ends = [*(start for start, _ in self.labels[1:]), len(self.document.text)]
        for (start, number), end in zip(self.labels, ends, strict=False):
            if self._is_wanted(number):
                yield Span(start, min(end, start + _STRETCH))

    @cached_property
    def of_releases(self) -> list[Span]:
        """The headings with a version, else the beginnings of paragraphs with one; without the marks of headings.

        Rows of tables say nothing of what stands below them.
        """
        known = {start for start, _ in self.labels}
        others = (one for one in self.document.paragraphs if one.kind is not ParagraphKind.TABLE)
        paragraphs = [one for one in others if one.start in known or self._is_headed(one)]
        headings = [one for one in paragraphs if one.kind is ParagraphKind.HEADING]
        spans = [trim(self.document.text, one.sentences[0]) for one in headings or paragraphs]
        marks = [_MARKS.match(self.document.text, one.start) for one in spans]
        return [Span(mark.end(), one.end) if mark else one for one, mark in zip(spans, marks, strict=True)]

    def _is_headed(self, paragraph: Paragraph) -> bool:
        """Whether it is a heading that begins with a version: alone, or before a date."""
        is_heading = paragraph.kind is ParagraphKind.HEADING
        return is_heading and bool(_HEADED.match(self.document.text, paragraph.start, paragraph.end))

    def _is_wanted(self, numbers: str) -> bool:
        return includes(numbers, self.identifier.number)

    @cached_property
    def labels(self) -> list[tuple[int, str]]:
        """Headings and beginnings of paragraphs with a number of this sort, and the number, in text order.

        A part is also named by "4.1" at the beginning of a paragraph, and by "4." if no heading has a number.
        """
        found = [(start, number) for start, number in map(self._label, self.document.paragraphs) if number]
        if found or not self.identifier.is_part:
            return found
        texts = ((one.start, self.document.text[one.start : one.start + _LABEL]) for one in self.document.paragraphs)
        return [(start, match[1]) for start, text in texts if (match := _ITEM.match(text))]

    def _label(self, paragraph: Paragraph) -> tuple[int, str]:
        is_heading = paragraph.kind is ParagraphKind.HEADING
        end = min(paragraph.end, paragraph.start + (_HEADING if is_heading else _LABEL))
        text = self.document.text[paragraph.start : end]
        if self.identifier.is_version and _SECTION.match(text):
            return paragraph.start, ""
        if self.identifier.is_part and (numbered := (_LINE if is_heading else _DOTTED).match(text)):
            return paragraph.start, numbered[1]
        at, number = next(iter(self.identifier.numbers_in(text)), (0, ""))
        before = text[:at].split()
        is_label = is_heading or (len(before) <= _WORDS_BEFORE and _OTHER.isdisjoint(map(str.casefold, before)))
        return paragraph.start, number if is_label else ""


def _asked(question: str, document: Document) -> list[Identifier]:
    """The identifiers of the question, and the releases that it names: "Rex" if a paragraph begins "Tea 1.2 Rex"."""
    words = _NAME.findall(question)
    named = _release_names(document) if any(_follows_number(word, document.text) for word in words) else {}
    found = [named[word] for word in words if word in named]
    return list(dict.fromkeys([*identifiers(question), *found]))


def _follows_number(word: str, text: str) -> bool:
    """Whether a word stands after a number, as names of releases do; far faster than to make all paragraphs."""
    return any(_BEFORE_NAME.search(before[-4:]) for before in text.split(word)[:-1])


def _release_names(document: Document) -> dict[str, Identifier]:
    """Releases by their names, of things with at least three named ones; names of several releases are left out."""
    starts = (document.text[one.start : one.start + _LABEL] for one in document.paragraphs)
    matches = [match for match in map(_RELEASE.match, starts) if match]
    series = {noun: {one[3] for one in matches if one[1] == noun} for noun in {one[1] for one in matches}}
    found: dict[str, set[Identifier]] = {}
    for noun, number, name in (one.groups() for one in matches):
        if len(series[noun]) >= _SERIES:
            found.setdefault(name, set()).add(Identifier(noun, number))
    return {name: min(of_one, key=str) for name, of_one in found.items() if len({one.noun for one in of_one}) == 1}


def _holds(places: Sequence[Places], span: Span) -> bool:
    return not places or any(place.holds(span) for place in places)


def sentences_below(evidence: Evidence, stretches: Sequence[tuple[Document, Span]]) -> list[Passage]:
    """The sentences of stretches of documents, those first that share most words with the question.

    Their scores are within those of the evidence, which has a passage at least.
    """
    scores = [one.score for one in evidence.passages]
    low, high = min(scores), max(scores)
    wanted = set(pieces(evidence.question.casefold()))
    found = []
    for document, stretch in stretches:
        for span in _sentences(document, stretch):
            text = document.quote(span.start, span.end)
            share = sum(piece in text.casefold() for piece in wanted) / max(1, len(wanted))
            found.append(Passage(document.id, span, text, low + share * (high - low)))
    return sorted(found, key=lambda one: -one.score)


def _sentences(document: Document, stretch: Span) -> Iterator[Span]:
    at = bisect_right(document.paragraphs, stretch.start, key=lambda one: one.start) - 1
    for paragraph in document.paragraphs[at:]:
        if paragraph.start >= stretch.end:
            return
        yield from (one for one in (trim(document.text, each) for each in paragraph.sentences) if len(one))
