"""The scale of a table ("in thousands"), said beside a number that was taken from it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.patterns import lazy_pattern
from treatise.core.table import Table, caption_text, column_texts, head_texts, table_within
from treatise.generate.asked import Asked, asked

_NUMBER: Final = re.compile(r"[-−–(]{0,2}[$€£¥]?\s?\d[\d.,]*\)?")
_SCALE: Final = lazy_pattern(
    r"\(?(?:[$€£¥]|(?:USD|EUR|GBP|CHF|dollars|euros|pounds|amounts|figures|all amounts)\s)?\s?\bin\s"
    r"(?:thousands|millions|billions)\b(?:\sof\s[^\W\d_]+)?[^()]{0,40}\)?|[$€£¥]\s?['’]?000s?\b|['’]000s?\b|[$€£¥]\s?(?:mn?|bn)\b"
    r"|\((?:[$€£¥]|USD|EUR|GBP|CHF)?\s?(?:thousands|millions|billions)\)",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(r"\d[\d,]* (?:row|different)")
"""A number of rows or values, which has no scale."""
_OF_TIME: Final = (Asked.DATE, Asked.CLOCK, Asked.YEAR)


def with_scale(answer: Answer, documents: Sequence[Document]) -> Answer:
    """The answer with a note of its table's scale, if its short form is a number of such a table; else unchanged.

    A number with a unit of its own, such as a percentage, is not of that scale, nor are a time and a number of rows.
    """
    direct = answer.direct
    if direct is None or not direct.citations or not _NUMBER.fullmatch(direct.text.strip()):
        return answer
    is_count = direct.kind == "computed" and _COUNT.match(answer.text)
    if is_count or asked(answer.question) in _OF_TIME:
        return answer
    cited = answer.citations[direct.citations[0]]
    document = next((one for one in documents if one.id == cited.document), None)
    table = table_within(document.tables, cited.span.start) if document else None
    if document is None or table is None:
        return answer
    heads = head_texts(document.text, table)
    columns = _columns(answer, document, table, heads)
    texts = _stated([caption_text(document.text, table), *(heads[at] for at in columns)])
    scale = next(texts, "")
    return replace(answer, notes=(*answer.notes, f"the table's numbers are “{scale}”")) if scale else answer


def _columns(answer: Answer, document: Document, table: Table, heads: dict[int, str]) -> list[int]:
    """The columns whose heads may state the scale of an answer: that of the rows' names, and those of the number.

    What is computed names the head of its column before the number, and perhaps those of limits after it; what is read
    stands below its head, in one of the rows that are cited. None but the first if it stands below several heads of
    which not all state a scale.
    """
    direct = answer.direct
    assert direct is not None
    if direct.kind == "computed":
        written = re.escape(direct.text.strip())
        named = [at for at in sorted(heads) if heads[at] and heads[at] in answer.text]
        own = [at for at in named if re.search(rf"{re.escape(heads[at])}:? {written}", answer.text)]
        return [min(heads, default=0), *(own or named)] if heads else []
    spans = [answer.citations[at].span for at in direct.citations]
    rows = [row for one in spans if (row := table.row_within(one.start, one.end))]
    cells = [(at, text) for row in rows for at, text in column_texts(document.text, row).items()]
    number = re.compile(rf"(?<![\d.,]){re.escape(direct.text.strip())}(?![.,]?\d)")
    below = {at for at, text in cells if number.search(text)} if rows else {*heads}
    if rows and not all(_SCALE.search(heads.get(at, "")) for at in below):
        below = set()
    return sorted(at for at in heads if at in below or at == min(heads))


def _stated(texts: Sequence[str]) -> Iterator[str]:
    """What texts say of a scale."""
    found = (_SCALE.search(text) for text in texts)
    return (match[0].strip("() ,.;:") for match in found if match)
