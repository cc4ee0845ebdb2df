"""What is said of a term in a manual: the item that begins with it, or the section that has it as its heading.

"What is keepAliveTimeout by default?" is answered by the item "**keepAliveTimeout** …", not by one that mentions it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from treatise.core.document import Document, Paragraph, ParagraphKind, Span, trim
from treatise.core.evidence import Evidence, Passage
from treatise.core.options import is_option_list
from treatise.core.patterns import lazy_pattern
from treatise.core.table import column_texts, table_within
from treatise.generate.codes import codes, is_letter
from treatise.generate.under import extent

_NAME: Final = lazy_pattern(r"[A-Za-z_][\w.:-]*\w")
_IN_CODE: Final = lazy_pattern(r"[a-z]+[A-Z]\w*|\w+(?:[-_.:]+\w+)+")
_COMPARES: Final = lazy_pattern(
    r"(?:which|what is the difference|how do(?:es)? .* differ|compare|difference)\b", re.IGNORECASE
)
_ASKS_WHAT: Final = lazy_pattern(r"what (?:does|do|is|are) .*\b(?:do|for|mean|stand for)\W*$", re.IGNORECASE)
_KIND: Final = r"(?:options?|settings?|parameters?|directives?|variables?|keys?|fields?|flags?|properties|property)"
_BESIDE_KIND: Final = lazy_pattern(
    rf"\bthe ([A-Za-z][\w.-]*\w) {_KIND}\b|\b{_KIND} ([A-Za-z][\w.-]*\w)\b|"
    r"\bdefault(?: value| setting)? (?:of|for) (?:the )?([A-Za-z][\w.-]*\w)\W*$",
    re.IGNORECASE,
)
_CODE_NUMBER: Final = lazy_pattern(
    r"\b(?:codes?|status|values?|signals?|errors?|errno|messages?)(?: number)? (\d{1,5})\b"
)
_NUMBER_LEAD: Final = lazy_pattern(r"\s*(?:[-*+•o]\s+)?(?P<number>\d{1,5})(?=\s*(?:[:=]|[–—-]\s|\n)|\t|[ ]{2})")
_LEAD: Final = lazy_pattern(
    r"\s*(?:[-*+•]\s+|\d+[.)]\s+)?(?:(?P<mark>\*\*`?|__`?|`)(?P<marked>[^*`\s]+)(?:`?\*\*|`?__|`)|"
    r"`(?P<typed>\w+)(?:: ?[^`\n]+| ?= ?[^`\n]+)`|"
    r"(?P<plain>[A-Za-z_][\w.:-]*\w)(?=\s*(?:[:(<=]|[–—-]\s)))"
)
_ARGUMENT: Final = r"(?:\[?=[^\s,`*]+|[ ](?:<[^>\n]+>|\[[^\]\n]+\]|[A-Z][A-Z\d_:.-]+\b|N\b))"
_OPTION: Final = rf"[*`_]{{0,3}}--?\w[\w-]*{_ARGUMENT}?[*`_]{{0,3}}"
_AGAIN: Final = rf"{_OPTION} (?P<value>[a-z][\w-]*)(?:\s*(?:,|/|\||\bor\b)\s*{_OPTION}[ =](?P=value)\b)+"
"""The names of an option with the same value in small letters after each: "-o file, --output file"."""
_ALONE: Final = rf"{_OPTION} [a-z][\w-]*(?=[ \t]*\n[ \t]+\S)"
"""An option with a value in small letters on a line of its own, above what is said of it."""
_HEAD: Final = r"\s*(?:[A-Z]{4}[A-Z ]*\n\s*)?(?:[-*+•]\s+)?"
"""The heading of a section of a manual page and the mark of an item, which may stand before the names of an option."""
_OPTIONS: Final = lazy_pattern(
    rf"{_HEAD}(?P<options>{_AGAIN}|{_ALONE}|{_OPTION}(?:(?:\s*(?:,|/|\||\bor\b)\s*|\s*\n\s*){_OPTION})*)"
    r"(?=\s*(?:[:(]|[–—-]\s|\n|\t|[ ]{2}|$))"
)
"""The names of an option before what is said of it: "-o FILE, --output=FILE  …"."""
_USAGE: Final = lazy_pattern(r"\s*usage:", re.IGNORECASE)
"""What names the options of a command and says nothing of them."""
_SPEAKING: Final = (ParagraphKind.PROSE, ParagraphKind.LIST)
_AROUND: Final = "`*_#:.()\"' "
_GAIN: Final = 1.0  # of what is said of the term, over all other passages
_NAMES: Final = lazy_pattern(
    rf"\s*(?:[A-Z]{{4}}[A-Z ]*\s+)?(?:[-*+•]\s+)?"
    rf"(?:{_AGAIN}|{_OPTION}(?:\s*(?:,|/|\||\bor\b|\s)\s*{_OPTION})*)\s*[:–—-]?\s+(?=\S)"
)
_ASKS_NAME: Final = lazy_pattern(
    r"^(?:(?:with|by|through|using) )?(?:which|what) (?:[\w-]+ ){0,2}?"
    r"(?:option|flag|switch|argument|parameter|setting|directive|property|(?:environment |configuration )?variable)s? "
    r"(?!(?:is|are|was|were) (?:the|an?)\b|of\b|in\b)\w",
    re.IGNORECASE,
)
"""A question for the name of an option by what it does."""
_NAMES_ALONE: Final = lazy_pattern(rf"\s*(?P<options>{_OPTION}(?:\s*(?:,|/|\||\bor\b)\s*{_OPTION})*)\s*$")
"""A paragraph of nothing but the names of the option of the paragraphs below it."""
_CODE_CELL: Final = lazy_pattern(r"\W*(?:--?\w[\w-]*|[a-z]\w*(?:[_.-]\w+)+|[a-z]+[A-Z]\w*)\W*")
_SENTENCES: Final = 6  # below a term that are read in addition


def led_by_terms(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """The evidence with what a document says of a term in code that the question names, and without the items and
    sections that are about other terms.

    It is unchanged if nothing begins with such a term, or if the question asks for another ("Which option replaces …").
    What is in a document's title is no term of it.
    """
    wanted = set() if _COMPARES.match(evidence.question.strip()) else _asked(evidence.question)
    asked = [
        (one, {term for term in wanted if term[0] == "-" or term not in one.title.casefold()}) for one in documents
    ]
    found = [_Terms(one, of_one) for one, of_one in asked if of_one and evidence.passages]
    telling = {one.document.id: one for one in found if one.own}
    if not telling:
        return evidence
    best, asks_what = max(one.score for one in evidence.passages), bool(_ASKS_WHAT.match(evidence.question.strip()))
    own = [
        Passage(at, span, terms.quote(span), best + _GAIN * (1 + (is_first and asks_what)))
        for at, terms in telling.items()
        for span, is_first in terms.sentences()
    ]
    known = {(one.document, one.span.start) for one in own}
    kept = [one for one in evidence.passages if (one.document, one.span.start) not in known]
    kept = [one for one in kept if one.document not in telling or not telling[one.document].is_other(one.span)]
    kept = [one for one in kept if one.document not in telling or not _USAGE.match(one.text)]
    passages = (*own, *kept)
    return replace(evidence, passages=passages, context="\n\n".join(one.text for one in passages))


def said_of_option(question: str, text: str) -> str:
    """What a text says of the option whose meaning the question asks for, after its names; empty for other questions.

    >>> said_of_option("What does -q do?", "-q, --quiet Do not write anything.")
    'Do not write anything.'
    >>> said_of_option("What is -o for?", "-o file, --output file Write to a file.")
    'Write to a file.'
    """
    wanted = [code for code in codes(question) if code.startswith("-")]
    names = _NAMES.match(text) if wanted and _ASKS_WHAT.match(question.strip()) else None
    is_of_it = names is not None and any(_key(code) in map(_key, codes(names[0])) for code in wanted)
    return text[names.end() :] if names and is_of_it else ""


def option_named(question: str, document: Document, span: Span) -> str:
    """The names of the option or setting that a document speaks of in a span, if the question asks which one does
    something; empty for other questions and where no entry begins with a name.
    """
    if not _ASKS_NAME.match(question.strip()):
        return ""
    at = bisect_right(document.paragraphs, span.start, key=lambda one: one.start) - 1
    paragraph = document.paragraphs[at]
    if paragraph.kind is ParagraphKind.TABLE:
        return _of_row(document, span)
    places = (Span(paragraph.start, paragraph.end), *paragraph.sentences)
    own = (one for one in places if one.start <= span.start < one.end)
    found = (_OPTIONS.match(document.text, one.start, one.end) for one in own)
    if names := next((match["options"] for match in found if match), ""):
        return " ".join(names.replace("`", "").replace("*", "").split())
    if paragraph.kind is ParagraphKind.LIST and (lead := _LEAD.match(document.text, paragraph.start, paragraph.end)):
        return _lead_name(lead)
    return _above(document, at)


def _lead_name(lead: re.Match[str]) -> str:
    return (lead["marked"] or lead["typed"] or lead["plain"]).strip(_AROUND)


def _of_row(document: Document, span: Span) -> str:
    """The first cell of the row of a table, if it is a name in code."""
    table = table_within(document.tables, span.start)
    row = table.row_within(span.start, span.end) if table else None
    cells = column_texts(document.text, row) if row else {}
    first = cells.get(0, "")
    return first.strip("`*") if _CODE_CELL.fullmatch(first) else ""


def _above(document: Document, at: int) -> str:
    """The option that a paragraph of its own names above a paragraph, in the same section."""
    section = document.section_at(document.paragraphs[at].start)
    for paragraph in reversed(document.paragraphs[max(0, at - _SENTENCES) : at]):
        if paragraph.start < section.start:
            return ""
        if found := _NAMES_ALONE.match(document.text[paragraph.start : paragraph.end].rstrip()):
            return found["options"]
    return ""


def _asked(question: str) -> set[str]:
    """The words of a question that are names in code: "bodyLimit", "buffer-limit", "the maxdelay option", "code 23"."""
    beside = (word for match in _BESIDE_KIND.finditer(question) for word in match.groups() if word)
    in_code = (word for word in _NAME.findall(question) if _IN_CODE.fullmatch(word))
    return set(map(_key, (*codes(question), *in_code, *beside, *_CODE_NUMBER.findall(question.casefold()))))


def _key(name: str) -> str:
    """A name as it is compared: in small letters, but for -v and -V, and without the value of an option."""
    return name if is_letter(name) else name.casefold().partition("=")[0]


@dataclass(frozen=True)
class _Terms:
    """The items and sections of a document that begin with terms."""

    document: Document
    wanted: set[str]

    @cached_property
    def own(self) -> list[Span]:
        """Those of the wanted terms, in text order."""
        return [span for span, terms, _ in self._led if terms & self.wanted]

    def is_other(self, span: Span) -> bool:
        """Whether a span is in an item or section of another term, as marked as those."""
        return any(place.start <= span.start < place.end for place in self._others)

    def sentences(self) -> Iterator[tuple[Span, bool]]:
        """The first sentences of what is said of the wanted terms, without headings, and whether each is the first."""
        for place in self.own:
            inside = (one for one in self.document.paragraphs if one.start < place.end and place.start < one.end)
            said = (one for paragraph in inside if not _is_heading(paragraph) for one in paragraph.sentences)
            own = (trim(self.document.text, one) for one in said if place.start <= one.start < place.end)
            yield from ((one, at == 0) for at, one in zip(range(_SENTENCES), own, strict=False))

    def quote(self, span: Span) -> str:
        """The text of a span."""
        return self.document.quote(span.start, span.end)

    @cached_property
    def _others(self) -> list[Span]:
        kinds = {kind for _, terms, kind in self._led if terms & self.wanted}
        return [span for span, terms, kind in self._led if not terms & self.wanted and kind in kinds and kind]

    @cached_property
    def _led(self) -> list[tuple[Span, set[str], str]]:
        """The place of each item and section that begins with a term, its names, and how it is marked."""
        return [*self._sections(), *self._items(), *self._below_names()]

    def _sections(self) -> Iterator[tuple[Span, set[str], str]]:
        for at, section in enumerate(self.document.sections):
            title = section.title.strip(_AROUND)
            if section.level and _NAME.fullmatch(title):
                yield extent(self.document, at), {title.casefold()}, f"#{section.level}"

    def _below_names(self) -> Iterator[tuple[Span, set[str], str]]:
        """What stands below each paragraph of an option's names, up to the next one or the next heading."""
        text, paragraphs = self.document.text, self.document.paragraphs
        found = [_NAMES_ALONE.match(text[one.start : one.end].rstrip()) for one in paragraphs]
        for at, names in enumerate(found):
            if names:
                rest = range(at + 1, len(paragraphs))
                last = next((one for one in rest if found[one] or _is_heading(paragraphs[one])), len(paragraphs)) - 1
                yield Span(paragraphs[at].end, paragraphs[last].end), set(map(_key, codes(names["options"]))), "--"

    def _items(self) -> Iterator[tuple[Span, set[str], str]]:
        text = self.document.text
        for paragraph in self.document.paragraphs:
            whole = Span(paragraph.start, paragraph.end)
            if paragraph.kind in (ParagraphKind.HEADING, ParagraphKind.TABLE):
                continue
            if is_option_list(text[paragraph.start : paragraph.end]):
                yield from self._entries(paragraph.sentences)
            elif entries := [*self._entries([whole])]:
                yield from entries
            elif paragraph.kind in _SPEAKING and (lead := _LEAD.match(text, paragraph.start, paragraph.end)):
                yield whole, {_lead_name(lead).casefold()}, lead["mark"] or ("`" if lead["typed"] else "")

    def _entries(self, places: Iterable[Span]) -> Iterator[tuple[Span, set[str], str]]:
        """Those places that begin with an option, or with the number of a code."""
        for place in places:
            if found := _OPTIONS.match(self.document.text, place.start, place.end):
                yield place, set(map(_key, codes(found["options"]))), "-"
            elif number := _NUMBER_LEAD.match(self.document.text, place.start, place.end):
                yield place, {number["number"]}, "0"


def _is_heading(paragraph: Paragraph) -> bool:
    return paragraph.kind is ParagraphKind.HEADING
