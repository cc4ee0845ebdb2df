"""What is said of a term in a manual: the item that begins with it, or the section that has it as its heading.

"What is keepAliveTimeout by default?" is answered by the item "**keepAliveTimeout** …", not by one that mentions it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from treatise.core.document import Document, Paragraph, ParagraphKind, Span, trim
from treatise.core.evidence import Evidence, Passage
from treatise.generate.codes import codes
from treatise.generate.under import extent

_NAME: Final = re.compile(r"[A-Za-z_][\w.:-]*\w")
_IN_CODE: Final = re.compile(r"[a-z]+[A-Z]\w*|\w+(?:[-_.:]+\w+)+")
_COMPARES: Final = re.compile(
    r"(?:which|what is the difference|how do(?:es)? .* differ|compare|difference)\b", re.IGNORECASE
)
_KIND: Final = r"(?:options?|settings?|parameters?|directives?|variables?|keys?|fields?|flags?|properties|property)"
_BESIDE_KIND: Final = re.compile(rf"\bthe ([A-Za-z][\w.-]*\w) {_KIND}\b|\b{_KIND} ([A-Za-z][\w.-]*\w)\b", re.IGNORECASE)
_LEAD: Final = re.compile(
    r"\s*(?:[-*+•]\s+|\d+[.)]\s+)?(?:(?P<mark>\*\*`?|__`?|`)(?P<marked>[^*`\s]+)(?:`?\*\*|`?__|`)|"
    r"(?P<plain>[A-Za-z_][\w.:-]*\w)(?=\s*(?:[:(<=]|[–—-]\s)))"
)
_AROUND: Final = "`*_#:.()\"' "
_GAIN: Final = 1.0  # of what is said of the term, over all other passages
_SENTENCES: Final = 6  # below a term that are read in addition


def led_by_terms(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """The evidence with what a document says of a term in code that the question names, and without the items and
    sections that are about other terms.

    It is unchanged if nothing begins with such a term, or if the question asks for another ("Which option replaces …").
    What is in a document's title is no term of it.
    """
    wanted = set() if _COMPARES.match(evidence.question.strip()) else _asked(evidence.question)
    asked = [(one, {term for term in wanted if term not in one.title.casefold()}) for one in documents]
    found = [_Terms(one, of_one) for one, of_one in asked if of_one and evidence.passages]
    telling = {one.document.id: one for one in found if one.own}
    if not telling:
        return evidence
    best = max(one.score for one in evidence.passages)
    own = [
        Passage(at, span, terms.quote(span), best + _GAIN)
        for at, terms in telling.items()
        for span in terms.sentences()
    ]
    known = {(one.document, one.span.start) for one in own}
    kept = [one for one in evidence.passages if (one.document, one.span.start) not in known]
    kept = [one for one in kept if one.document not in telling or not telling[one.document].is_other(one.span)]
    passages = (*own, *kept)
    return replace(evidence, passages=passages, context="\n\n".join(one.text for one in passages))


def _asked(question: str) -> set[str]:
    """The words of a question that are names in code: "bodyLimit", "buffer-limit", "the maxdelay option"."""
    beside = (word for match in _BESIDE_KIND.finditer(question) for word in match.groups() if word)
    in_code = (word for word in _NAME.findall(question) if _IN_CODE.fullmatch(word))
    return {word.casefold() for word in (*codes(question), *in_code, *beside)}


@dataclass(frozen=True)
class _Terms:
    """The items and sections of a document that begin with terms."""

    document: Document
    wanted: set[str]

    @cached_property
    def own(self) -> list[Span]:
        """Those of the wanted terms, in text order."""
        return [span for span, term, _ in self._led if term in self.wanted]

    def is_other(self, span: Span) -> bool:
        """Whether a span is in an item or section of another term, as marked as those."""
        return any(place.start <= span.start < place.end for place in self._others)

    def sentences(self) -> Iterator[Span]:
        """The first sentences of what is said of the wanted terms, without headings."""
        for place in self.own:
            inside = (one for one in self.document.paragraphs if place.start <= one.start < place.end)
            said = (one for paragraph in inside if not _is_heading(paragraph) for one in paragraph.sentences)
            yield from (trim(self.document.text, one) for one, _ in zip(said, range(_SENTENCES), strict=False))

    def quote(self, span: Span) -> str:
        """The text of a span."""
        return self.document.quote(span.start, span.end)

    @cached_property
    def _others(self) -> list[Span]:
        kinds = {kind for span, term, kind in self._led if term in self.wanted}
        return [span for span, term, kind in self._led if term not in self.wanted and kind in kinds and kind]

    @cached_property
    def _led(self) -> list[tuple[Span, str, str]]:
        """The place of each item and section that begins with a term, the term, and how it is marked."""
        return [*self._sections(), *self._items()]

    def _sections(self) -> Iterator[tuple[Span, str, str]]:
        for at, section in enumerate(self.document.sections):
            title = section.title.strip(_AROUND)
            if section.level and _NAME.fullmatch(title):
                yield extent(self.document, at), title.casefold(), f"#{section.level}"

    def _items(self) -> Iterator[tuple[Span, str, str]]:
        for paragraph in self.document.paragraphs:
            if paragraph.kind not in (ParagraphKind.LIST, ParagraphKind.PROSE):
                continue
            if lead := _LEAD.match(self.document.text, paragraph.start, paragraph.end):
                term = (lead["marked"] or lead["plain"]).strip(_AROUND).casefold()
                yield Span(paragraph.start, paragraph.end), term, lead["mark"] or ""


def _is_heading(paragraph: Paragraph) -> bool:
    return paragraph.kind is ParagraphKind.HEADING
