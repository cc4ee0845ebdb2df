"""What changed in a release, and which release is the latest: the items below its line in release notes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer, DirectAnswer
from treatise.core.document import Document, ParagraphKind, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import n_words
from treatise.generate.dated import Releases
from treatise.generate.identifiers import version
from treatise.generate.listed import plain_item
from treatise.generate.quoted import quoted_answer

_ASKS_CHANGES: Final = re.compile(
    r"(?:what(?:['’]s| is| are| was| were|) (?:new|changed|the (?:changes|news|new features))(?: in| with| of)?|"
    r"what (?:has |was |is )?(?:changed|different|added|fixed|new) (?:in|with)|was (?:ist|war) neu in|"
    r"quoi de neuf dans) (?:(?:the )?(?:version|release) |[A-Za-z][\w+-]* (?:version )?)?v?"
    r"(?P<number>\d+(?:\.\w+)+)\W*",
    re.IGNORECASE,
)
_ASKS_LATEST: Final = re.compile(
    r"(?:what|which) (?:is|was) the (?:latest|newest|most recent|current|last) (?:version|release)(?: number)?"
    r"(?: of [\w .+-]{1,40})?\W*",
    re.IGNORECASE,
)
_MOST_WORDS: Final = 60
_LEAST: Final = 2  # release lines
_PATCHES: Final = frozenset(("p", "pl", "patch", "post", "sp"))


def answer_release_notes(evidence: Evidence, document: Document) -> Answer | None:
    """The first items below the line of the release that the question names, or the line of the latest release.

    None if the question asks for something else, or if the document has no release notes of it.
    """
    question = evidence.question.strip()
    releases = Releases(document)
    if found := _ASKS_CHANGES.fullmatch(question):
        spans = next((list(_items(releases, line)) for line in releases.lines_of(found["number"])), [])
        return _changes(evidence, document, spans)
    if _ASKS_LATEST.fullmatch(question):
        return _latest(evidence, releases)
    return None


def _changes(evidence: Evidence, document: Document, spans: list[Span]) -> Answer | None:
    """The items, as many as fit into the limit of words."""
    kept: list[Span] = []
    for span in spans:
        if sum(n_words(document.quote(one.start, one.end)) for one in [*kept, span]) > _MOST_WORDS and kept:
            break
        kept.append(span)
    texts = [plain_item(document.quote(one.start, one.end)).rstrip(" .;") for one in kept]
    if not kept or any(map(addresses_a_model, texts)):
        return None
    direct = DirectAnswer("; ".join(texts), str(SpanAnswerKind.LIST), 1.0, tuple(range(len(kept))))
    return replace(quoted_answer(evidence, document, kept, 1.0), direct=direct)


def _items(releases: Releases, line: Span) -> Iterator[Span]:
    """The sentences and items below a release line, up to the next one, without headings."""
    document, end = releases.document, releases.end_of(line)
    for paragraph in document.paragraphs:
        if paragraph.kind in (ParagraphKind.HEADING, ParagraphKind.CODE):
            continue
        for sentence in paragraph.sentences:
            place = trim(document.text, sentence)
            if line.end <= place.start < end and len(place):
                yield place


def _latest(evidence: Evidence, releases: Releases) -> Answer | None:
    numbered = [(number, line) for number, line in releases.numbered() if number]
    if len(numbered) < _LEAST:
        return None
    number, line = max(numbered, key=lambda one: _order(one[0]))
    direct = DirectAnswer(number, str(SpanAnswerKind.SPAN), 1.0, (0,))
    return replace(quoted_answer(evidence, releases.document, [line], 1.0), direct=direct)


def _order(number: str) -> list[tuple[int, str]]:
    """The parts of a version, so that 2.0rc1 is before 2.0, and 2.0p1 after it."""
    parts = ((1, word) if word in _PATCHES else (n, word) for n, word in version(number))
    return [*parts, (0, "")]
