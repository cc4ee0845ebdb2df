"""Reads passages by a trained reader, each as a text that explains itself, with what is known of each passage."""

from collections.abc import Iterable, Sequence
from typing import Final

from treatise.core.document import Document, ParagraphKind, Span
from treatise.core.evidence import Passage
from treatise.core.hyphens import unhyphenated
from treatise.core.markup import blank_quote_marks
from treatise.core.names import names_in
from treatise.core.periods import asked_period
from treatise.core.ports import PassageReader
from treatise.generate.asked import asked, defined_term
from treatise.generate.dated import dates_of, with_date
from treatise.generate.extracted import is_quotable
from treatise.generate.listed import pieces
from treatise.generate.on_day import on_other_days
from treatise.generate.read_alone import by_passage, read_alone
from treatise.generate.reading import Reading
from treatise.generate.releases import below_release, unversioned
from treatise.generate.row_answer import values_of_row
from treatise.generate.suited import DEFINES, opens_section, suitability, without_marks
from treatise.generate.termed import option_named

_NAMELESS: Final = 2.0  # what a row loses if only other rows have a name of the question
_ROWS: Final = (ParagraphKind.TABLE, ParagraphKind.LIST)


def read_passages(
    question: str,
    passages: Sequence[Passage],
    documents: dict[str, Document],
    reader: PassageReader,
    *,
    of_library: bool = False,
) -> Reading:
    """What a reader finds in passages, read as texts that explain themselves.

    Those ``of_library`` are read together, and then the best ones each alone after its title and headings: together
    they come from many documents, and nothing says of which one a sentence speaks.

    Raises:
        EngineError: If the reader failed.
    """
    texts = [_as_read(documents[one.document], one.span) for one in passages]
    opening = _opening(question, passages, documents)
    dates = dates_of(question, passages, documents)
    base = suitability(question, [with_date(*pair) for pair in zip(texts, dates, strict=True)])
    suited = [max(one, DEFINES) if opens else one for one, opens in zip(base, opening, strict=True)]
    values = [values_of_row(documents[one.document], one.span) for one in passages]
    is_below = below_release(question, passages, documents)
    lacking = (
        _unnamed(question, texts, values),
        unversioned(question, texts, is_below),
        on_other_days(question, texts, passages, documents),
    )
    lost = [sum(each) for each in zip(*lacking, strict=True)]
    scores = [sum(parts) for parts in zip((one.score for one in passages), suited, lost, strict=True)]
    reading = reader.read(question, texts)
    if of_library and texts:
        together = list(map(sum, zip(scores, by_passage(reading, len(texts)), strict=True)))
        alone = read_alone(question, passages, texts, documents, reader, together)
        scores = list(map(sum, zip(scores, alone, strict=True)))
    return Reading(
        question=question,
        form=asked(question),
        texts=texts,
        quotable=[is_quotable(one, documents[one.document]) for one in passages],
        lists=[one.document if of_library else "" for one in passages],
        rows=[_row_section(one, documents[one.document]) for one in passages],
        values=values,
        periods=[asked_period(question, documents[one.document]) for one in passages],
        leads=[_lead(one, documents[one.document], text) for one, text in zip(passages, texts, strict=True)],
        scores=scores,
        words=[
            _share(question, text, documents[one.document], one.span.start)
            for one, text in zip(passages, texts, strict=True)
        ],
        options=[option_named(question, documents[one.document], one.span) for one in passages],
        defining=[bool(defined_term(question)) and more >= DEFINES for more in suited],
        dates=dates,
        below_release=is_below,
        reading=reading,
        is_english=all_english(documents.values()),
    )


def _unnamed(question: str, texts: Sequence[str], values: Sequence[Sequence[object]]) -> list[float]:
    """What a row of a table loses that lacks a name of the question, which the caption or label of another row has."""
    names = [" ".join(words).casefold() for words in names_in(question)]
    has = [
        bool(of_row) and any(name in text.casefold() for name in names)
        for text, of_row in zip(texts, values, strict=True)
    ]
    return [-_NAMELESS * (any(has) and bool(of_row) and not one) for one, of_row in zip(has, values, strict=True)]


def _opening(question: str, passages: Sequence[Passage], documents: dict[str, Document]) -> list[bool]:
    """Whether each passage is the first sentence of the section of the term that the question asks for."""
    term = defined_term(question)
    return [bool(term) and opens_section(term, documents[one.document], one.span.start) for one in passages]


def _share(question: str, text: str, document: Document, start: int) -> float:
    """The share of the question's words in a passage, the headings above it and the title."""
    wanted = {*pieces(question.casefold())}
    around = " ".join((text, *document.section_path(start), document.title)).casefold()
    return sum(piece in around for piece in wanted) / max(1, len(wanted))


def _as_read(document: Document, span: Span) -> str:
    """A text that explains itself, on one line without marks; words that quoted lines break are whole only now."""
    text = blank_quote_marks(document.self_contained(span.start, span.end))
    return without_marks(" ".join(unhyphenated(text, document.text).split()))


def _lead(passage: Passage, document: Document, text: str) -> int:
    """How many characters of an item's text are of the sentence or item that introduces it."""
    lead = document.lead_in(passage.span.start)
    words = without_marks(document.one_line(lead.start, lead.end)) if lead else ""
    return len(words) if words and text.startswith(words) else 0


def _row_section(passage: Passage, document: Document) -> int | None:
    """The place of the section of a table row or list item; None for other texts."""
    is_row = document.paragraph_at(passage.span.start).kind in _ROWS
    return document.section_at(passage.span.start).start if is_row else None


def all_english(documents: Iterable[Document]) -> bool:
    """Whether all documents are in English."""
    return all(document.language.partition("-")[0] == "en" for document in documents)
