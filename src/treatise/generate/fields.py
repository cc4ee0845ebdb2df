"""Answers from fields such as "Liefertermin: KW 27" if a question in another language than English names the label.

English ones are left to the reader; the reader of other languages is an extra.
"""

import re
from collections.abc import Iterator
from typing import Final

from treatise.claims.words import stem
from treatise.core.answer import Answer, DirectAnswer
from treatise.core.document import Document, ParagraphKind, Span
from treatise.core.evidence import Evidence
from treatise.core.patterns import lazy_pattern
from treatise.generate.quoted import quoting
from treatise.generate.tabular.words import languages_of, light_of

_CONFIDENCE: Final = 0.8
_MAX_LABEL: Final = 3  # words
_MAX_VALUE: Final = 100
_COLON: Final = lazy_pattern(r"(?<=[^\W\d_]|\.)[ \u00a0]?:\s+(?=\S)")
_NEXT: Final = lazy_pattern(r"\s+(?:[^\W\d_][\w./-]*)[ \u00a0]?:\s|\n")
_ASKS_FOR_FIELD: Final = lazy_pattern(
    r"\W*(?:(?:wie|was|wer|wo|wann|welche[rsmn]?) (?:lautet|ist|sind|beträgt|heißt|steht|war)\b|"
    r"wie (?:hoch|lang|groß|schwer) (?:ist|sind)\b|(?:bis|ab|seit) wann\b|welche[rsmn]?\b|"
    r"quel|qu['’]est|qui est\b|quand est|où est|cuál|quién es\b|cuándo es\b|dónde está\b|"
    r"qual|chi è\b|quando è\b|dov['’]è\b)",
    re.IGNORECASE,
)
_WHEN: Final = lazy_pattern(r"\W*(?:(?:bis |ab |seit )?wann|quand|cuándo|quando)\b", re.IGNORECASE)
_NO_VALUE: Final = lazy_pattern(
    r"[.!?]$|\b(?:siehe|s\.|noch offen|auf Anfrage|voir|à définir|véase|pendiente|vedi|da definire|"
    r"gilt|ist|sind|est|es)\b",
    re.IGNORECASE,
)
"""A sentence, or where or when the value will be."""
_WORD: Final = lazy_pattern(r"[^\W_]+")
_ASKS_TEXT: Final = (
    "wann wer wo wie was welche welcher welches welchen wohin lautet heißt hoch lang bis seit quand qui où quel "
    "quelle quels quelles est-ce cuándo quién dónde cuál quando chi dove quale angebot rechnung auftrag vertrag"
)
_ASKS: Final = frozenset(_ASKS_TEXT.split())


def answer_from_fields(evidence: Evidence, document: Document) -> Answer | None:
    """The value of the only field whose label has the words of the question, and no others; else None."""
    question = evidence.question
    if not languages_of(question) or not _ASKS_FOR_FIELD.match(question):
        return None
    light = light_of(question) | _ASKS
    asked = _meanings(question, light)
    found = list(_fields(document, asked, light)) if asked else []
    values = {document.quote(value.start, value.end) for _, value in found}
    if len(values) != 1 or not _is_value(next(iter(values)), question):
        return None
    whole, value = found[0]
    direct = DirectAnswer(document.one_line(value.start, value.end), "span", _CONFIDENCE, (0,))
    return quoting(evidence, [(document, whole)], direct)


def _fields(document: Document, asked: frozenset[str], light: frozenset[str]) -> Iterator[tuple[Span, Span]]:
    """The fields with this label: label and value, and the value alone."""
    for paragraph in document.paragraphs:
        if paragraph.kind in (ParagraphKind.CODE, ParagraphKind.TABLE):
            continue
        text = document.text[paragraph.start : paragraph.end].rstrip()
        for colon in _COLON.finditer(text):
            start = _label_start(text[: colon.start()], asked, light)
            ends = _NEXT.search(text, colon.end())
            end = ends.start() if ends else len(text)
            if start >= 0 and _begins_field(text[:start]) and end - colon.end() <= _MAX_VALUE:
                at = paragraph.start
                yield Span(at + start, at + end), Span(at + colon.end(), at + end)


def _is_value(text: str, question: str) -> bool:
    """Whether a value can be what the question asks for: no sentence, no reference elsewhere, and of a kind."""
    return not _NO_VALUE.search(text) and bool(not _WHEN.match(question) or re.search(r"\d", text))


def _begins_field(before: str) -> bool:
    """Whether a field may begin after this text: in a line of its own, or after the value of another field."""
    line = before.rpartition("\n")[2].strip(" \t•*-–")
    return not line or ":" in line


def _label_start(before: str, asked: frozenset[str], light: frozenset[str]) -> int:
    """Where a label with the words asked for begins that ends a text; -1 if none does."""
    words = list(_WORD.finditer(before))[-_MAX_LABEL:]
    for word in reversed(words):
        if _meanings(before[word.start() :], light) == asked:
            return word.start()
    return -1


def _meanings(text: str, without: frozenset[str]) -> frozenset[str]:
    words = (one[0].casefold() for one in _WORD.finditer(text))
    return frozenset(stem(one) for one in words if one not in without)
