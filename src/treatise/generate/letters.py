"""Letters: who wrote one and to whom, by the names below its closing line and above its salutation; its date, its
subject, and who was copied.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from treatise.core.answer import Answer
from treatise.core.dates import dates_in, without_dates
from treatise.core.document import Document, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.letters import CLOSING, SALUTATION
from treatise.core.span_answer import SpanAnswerKind
from treatise.generate.message_heads import (
    Field,
    MessagePart,
    answer_from_head,
    asked_of_message,
    field_in,
    is_mentioned,
    message_head,
    names_other_sender,
)
from treatise.generate.quoted import quoted_as

_NAME: Final = re.compile(r"[^\W\d_a-z][\w.'’,& -]{2,60}")
_TITLES: Final = frozenset(
    ("mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir", "madam", "herr", "frau", "esq", "madame", "monsieur",
     "mademoiselle", "mesdames", "messieurs", "mme")
)  # fmt: skip
_LETTER: Final = re.compile(r"letter|brief|lettre")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LINE: Final = re.compile(r"[^\n]*\S[^\n]*")
_TO: Final = (MessagePart.RECIPIENT, MessagePart.RECEIVED)
_FOR: Final = re.compile(r"(?:(?:i\. ?[av]\.|ppa?\.|p\. ?[ap]\.|gez\.|im auftrag|p/o) )?", re.IGNORECASE)
"""Before the name of somebody who signs for another."""
_BELOW: Final = 4  # lines below the closing among which the name is
_ABOVE: Final = 25  # lines above the salutation among which the addressee is
_PLACE: Final = 3  # words beside a date: "Lyon, le"
_SUBJECT: Final = 200  # characters below the salutation in which the subject may stand
_FIRST: Final = 4_000  # characters in which a letter addresses somebody


def answer_letter(evidence: Evidence, document: Document) -> Answer | None:
    """What a letter says below its closing and above its salutation, and an e-mail or memo in its head.

    None if the question asks for something else, or if the document is none of these. A letter has a salutation at its
    beginning, and below it a line that takes leave, with a name under it.
    """
    part = asked_of_message(evidence.question)
    if part is None:
        return None
    if head := message_head(document):
        return answer_from_head(evidence, document, head, part)
    name = _in_letter(evidence.question, document, part)
    if name is None or addresses_a_model(text := document.one_line(name.start, name.end)):
        return None
    return quoted_as(evidence, document, [name], text, SpanAnswerKind.SPAN)


def asks_subject(question: str, document: Document) -> bool:
    """Whether the question asks for the subject of a document that is a message, or a letter that states it."""
    asks = asked_of_message(question) is MessagePart.SUBJECT
    return asks and bool(message_head(document) or _in_letter(question, document, MessagePart.SUBJECT))


def _in_letter(question: str, document: Document, part: MessagePart) -> Span | None:
    """The name below the closing, or what else is asked for, of a text that has a salutation and a closing.

    None if the question names another sender or a message that the letter mentions, or if another letter follows.
    """
    salutation = SALUTATION.search(document.text, 0, _FIRST)
    closing = CLOSING.search(document.text, salutation.end()) if salutation else None
    if not (salutation and closing) or _has_letter(document.text, closing.end()):
        return None
    if is_mentioned(question, document.text[salutation.end() : closing.start()], own=_LETTER):
        return None
    sender = _sender(document, closing.end())
    if names_other_sender(question, document.quote(sender.start, sender.end) if sender else ""):
        return None
    if part is MessagePart.SENDER:
        return sender
    if part is MessagePart.COPIED:
        return field_in(document, Field.COPY, closing.end(), len(document.text))
    if part is MessagePart.SUBJECT:
        return field_in(document, Field.SUBJECT, 0, min(closing.start(), salutation.end() + _SUBJECT))
    if part is MessagePart.DATE:
        return _date(document, salutation.start())
    return _addressee(document, salutation) if part in _TO else None


def _has_letter(text: str, start: int) -> bool:
    """Whether another letter is below."""
    salutation = SALUTATION.search(text, start)
    return bool(salutation and CLOSING.search(text, salutation.end()))


def _date(document: Document, salutation: int) -> Span | None:
    """The only date above the salutation that stands in a line with at most a place."""
    found = []
    for line in [*_lines(document.text, 0, salutation)][-_ABOVE:]:
        text = document.quote(line.start, line.end)
        dates = [place for place, _ in dates_in(text)]
        if len(dates) == 1 and len(_WORD.findall(without_dates(text))) <= _PLACE:
            found.append(Span(line.start + dates[0][0], line.start + dates[0][1]))
    return found[0] if len(found) == 1 else None


def _sender(document: Document, closing: int) -> Span | None:
    """The first line below the closing that is a name."""
    lines = islice(_lines(document.text, closing, len(document.text)), _BELOW)
    below = (Span(_after(_FOR, document.text, line.start), line.end) for line in lines)
    return next((line for line in below if _is_name(document, line)), None)


def _after(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Where what the pattern matches there ends."""
    found = pattern.match(text, start)
    return found.end() if found else start


def _addressee(document: Document, salutation: re.Match[str]) -> Span | None:
    """The last line above the salutation with the name in it, else that name."""
    at = next((group for group in ("en", "de", "fr", "es") if (salutation[group] or "").strip()), None)
    if at is None:
        return None
    words = [word for word in _WORD.findall(salutation[at]) if word.casefold() not in _TITLES and word[0].isupper()]
    above = [*_lines(document.text, 0, salutation.start())][-_ABOVE:]
    named = [line for line in above if words and words[-1] in _WORD.findall(document.quote(line.start, line.end))]
    own = trim(document.text, Span(*salutation.span(at)))
    return next((line for line in reversed(named) if _is_name(document, line)), own if words else None)


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    yield from (trim(text, Span(*found.span())) for found in _LINE.finditer(text, start, end))


def _is_name(document: Document, line: Span) -> bool:
    text = document.quote(line.start, line.end)
    return bool(_NAME.fullmatch(text)) and all(word[0].isupper() or len(word) <= len("von") for word in text.split())
