"""Answers from fields such as "Liefertermin: KW 27" if a question in another language than English names the label.

English ones are left to the reader; the reader of other languages is an extra.
"""

from collections.abc import Iterator
from typing import Final

from treatise.claims.words import stem
from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Document, ParagraphKind, Span
from treatise.core.evidence import Evidence
from treatise.core.patterns import lazy_pattern
from treatise.generate.citations import as_statement, cite
from treatise.generate.tabular.words import languages_of, light_of

_CONFIDENCE: Final = 0.8
_MAX_LABEL: Final = 3  # words
_MAX_VALUE: Final = 100
_COLON: Final = lazy_pattern(r"(?<=[^\W\d_]|\.)[ \u00a0]?:\s+(?=\S)")
_NEXT: Final = lazy_pattern(r"\s+(?:[^\W\d_][\w./-]*)[ \u00a0]?:\s|\n")
_WORD: Final = lazy_pattern(r"[^\W_]+")
_ASKS_TEXT: Final = (
    "wann wer wo wie was welche welcher welches welchen wohin lautet heißt hoch lang bis seit quand qui où quel "
    "quelle quels quelles est-ce cuándo quién dónde cuál quando chi dove quale angebot rechnung auftrag vertrag"
)
_ASKS: Final = frozenset(_ASKS_TEXT.split())


def answer_from_fields(evidence: Evidence, document: Document) -> Answer | None:
    """The value of the only field whose label has the words of the question, and no others; else None."""
    question = evidence.question
    if not languages_of(question):
        return None
    light = light_of(question) | _ASKS
    asked = _meanings(question, light)
    found = list(_fields(document, asked, light)) if asked else []
    values = {document.quote(value.start, value.end) for _, value in found}
    if len(values) != 1:
        return None
    whole, value = found[0]
    citation = cite(document, whole)
    text = as_statement(citation.quote)
    statement = Statement(text, (0,), Support.QUOTED)
    direct = DirectAnswer(document.quote(value.start, value.end), "span", _CONFIDENCE, (0,))
    return Answer(question, text, (statement,), (citation,), evidence, found=True, direct=direct)


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
            if start >= 0 and end - colon.end() <= _MAX_VALUE:
                at = paragraph.start
                yield Span(at + start, at + end), Span(at + colon.end(), at + end)


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
