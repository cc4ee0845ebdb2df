"""What a code in a table means, by the legend below or beside the table: "What does the code W mean?"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence
from treatise.core.markup import without_markup
from treatise.core.patterns import lazy_pattern
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.table import Row, column_texts, head_texts
from treatise.generate.not_found import refusal_because
from treatise.generate.quoted import quoted_as
from treatise.generate.tabular.answered import is_tabular
from treatise.generate.tabular.result import NO_LEGEND, listing

_KINDS: Final = "code|letter|symbol|mark|abbreviation|sign|flag|note|key|footnote"
_CODE: Final = r"[\"'“‘]?(?P<code>[A-Z0-9][A-Z0-9/+-]{0,5}|[A-Z][a-z]|[*†‡§#+✓✗]{1,3})[\"'”’]?"
_ASKS: Final = lazy_pattern(
    rf"\s*what (?:does|do|did|is|are)(?: meant by| the meaning of)?(?: the)?(?: [\w-]+){{0,2}}?(?: (?P<kind>{_KINDS}))?"
    rf" (?-i:{_CODE})(?: in [\w ]+)?(?:\W*$| (?:mean|stand for|denote|indicate|represent)\b)",
    re.IGNORECASE,
)
_ASKS_MEANING: Final = lazy_pattern(r"\b(?:mean|meant|meaning|stand for|denote|indicate|represent)\b", re.IGNORECASE)
_EXPLAINS: Final = lazy_pattern(
    r"(?:meanings?|(?:full|long) (?:name|form|text)|in full|descriptions?|explanations?|definitions?|stands for|"
    r"explained|what it means)",
    re.IGNORECASE,
)
_OF_CODES: Final = lazy_pattern(rf"\b(?:{_KINDS}|term)s?\b|^\W*$", re.IGNORECASE)
"""Heads of what a second column explains."""
_OF_CLASSES: Final = lazy_pattern(r"\b(?:class(?:es)?|(?:grade|type|status|category|zone|size)s?)\b", re.IGNORECASE)
"""Heads of what a second column of names explains, but not one of teachers."""
_OF_NAMES: Final = lazy_pattern(r"(?:.* )?(?:names?|labels?|titles?|words?|text)", re.IGNORECASE)
_IN_WORDS: Final = lazy_pattern(r"[^\W\d_]{2}")
_ENDS: Final = (
    r"(?=\s*(?:[;\n|]|$|[,.]?\s+\W{0,2}[^\s=:,;]{1,6}\W{0,2}\s*=\s|[.,]\s+[A-Z0-9*†‡§#+]{1,4}\s*[:–—-]\s|"
    r"(?<=[a-z]{3})\.\s+[A-Z]))"
)
"""Where the entry of a legend ends: with its line or a semicolon, or before the next code."""
_MAX_MEANING_CHARS: Final = 160


def answer_by_legend(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """What a code that a table has means, by the only explanation of it in that document.

    A refusal if there are several, or if a sheet has none of what is called a code. None if the question asks otherwise
    or no table has the code.
    """
    match = _ASKS.match(evidence.question)
    if match is None or not _ASKS_MEANING.search(evidence.question) or (match["code"].isdigit() and not match["kind"]):
        return None
    code = match["code"]
    for document in (one for one in documents if _has_code(one, code)):
        entries = [*_entries(document, code), *_cells(document, code)]
        meanings = list(dict.fromkeys(text for _, text in entries))
        if len(meanings) > 1:
            reason = f"the code {code} has several explanations: {listing(meanings)}"
            return refusal_because(evidence, reason, several=len(documents) > 1)
        if entries:
            return quoted_as(evidence, document, [entries[0][0]], meanings[0], SpanAnswerKind.SPAN)
        if is_tabular(document) and (match["kind"] or _names_row(document, code)):
            return refusal_because(evidence, f"{NO_LEGEND} {code}", several=len(documents) > 1)
    return None


def _has_code(document: Document, code: str) -> bool:
    """Whether a cell of a table has the code as a word, or as a mark at its end: "12 W", "G, N", "9:00*"."""
    is_word = re.compile(rf"(?<![\w-]){re.escape(code)}(?![\w-])" if code[0].isalnum() else rf"{re.escape(code)}\W*$")
    rows = (row for table in document.tables for row in table.rows)
    return any(is_word.search(text) for row in rows for text in column_texts(document.text, row).values())


def _entries(document: Document, code: str) -> Iterator[tuple[Span, str]]:
    """The entries of a legend in words: "W = Wednesdays only"."""
    mark = rf"[*_`\\]*{re.escape(code)}[*_`]*"
    sign = r"(?:=|(?P<weak>:|–|—|-(?=\s)|means\b|stands for\b))"
    meaning = rf"(?P<meaning>[^=\n;|]{{2,{_MAX_MEANING_CHARS}}}?)"
    pattern = re.compile(rf"(?:(?<=[\s(,;])|^)(?P<entry>{mark}\s*{sign}\s*{meaning}){_ENDS}", re.MULTILINE)
    for match in pattern.finditer(document.text):
        line = document.text.rfind("\n", 0, match.start()) + 1
        before = document.text[line : match.start("entry")].strip(" *_-•\t")
        if match["weak"] and before and before[-1] not in ",;:.(":
            continue  # "Route W: 5 km" explains no W
        meaning = without_markup(match["meaning"]).strip(" .,*_)")
        if meaning:
            yield Span(match.start("entry"), match.end("entry")), meaning


def _cells(document: Document, code: str) -> Iterator[tuple[Span, str]]:
    """The explanations beside the code below a head such as "Meaning", or in a table of two columns for codes."""
    for table in document.tables:
        heads = head_texts(document.text, table)
        explaining = [at for at, head in heads.items() if _EXPLAINS.fullmatch(head.strip())]
        if not explaining and table.last_column != 1:
            continue
        column = explaining[0] if explaining else 1
        explains = bool(explaining) or _is_of_codes(heads)
        for row in table.rows:
            meaning = _text(document, row, column)
            explains = explains or _EXPLAINS.fullmatch(meaning) is not None  # a legend below its table
            if explains and _IN_WORDS.search(meaning) and _text(document, row, column - 1) == code:
                cells = [one for one in row.cells if one.column in (column - 1, column)]
                yield Span(cells[0].start, cells[-1].end), meaning


def _is_of_codes(heads: Mapping[int, str]) -> bool:
    """Whether the first of two columns is of codes by its head or has none, or is of classes beside their names."""
    first, second = heads.get(0, ""), heads.get(1, "").strip()
    is_of_class = _OF_CLASSES.search(first) is not None and _OF_NAMES.fullmatch(second) is not None
    return is_of_class or _OF_CODES.search(first) is not None


def _names_row(document: Document, code: str) -> bool:
    """Whether the code is the name of a row in a table of two columns, which is no explanation of it."""
    tables = (one for one in document.tables if one.last_column == 1)
    return any(_text(document, row, 0) == code for table in tables for row in table.rows)


def _text(document: Document, row: Row, column: int) -> str:
    return without_markup(column_texts(document.text, row).get(column, "")).strip()
