"""The scale of a table ("in thousands"), said beside a number that was taken from it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.patterns import lazy_pattern
from treatise.core.table import caption_text, head_texts, table_within

_NUMBER: Final = re.compile(r"[-−–(]{0,2}[$€£¥]?\s?\d[\d.,]*\)?")
_SCALE: Final = lazy_pattern(
    r"\(?(?:[$€£¥]|(?:USD|EUR|GBP|CHF|dollars|euros|pounds|amounts|figures|all amounts)\s)?\s?\bin\s"
    r"(?:thousands|millions|billions)\b(?:\sof\s[^\W\d_]+)?[^()]{0,40}\)?|[$€£¥]\s?['’]?000s?\b|['’]000s?\b|[$€£¥]\s?(?:mn?|bn)\b",
    re.IGNORECASE,
)


def with_scale(answer: Answer, documents: Sequence[Document]) -> Answer:
    """The answer with a note of its table's scale, if its short form is a number of such a table; else unchanged.

    A number with a unit of its own, such as a percentage, is not of that scale.
    """
    direct = answer.direct
    if direct is None or not direct.citations or not _NUMBER.fullmatch(direct.text.strip()):
        return answer
    cited = answer.citations[direct.citations[0]]
    document = next((one for one in documents if one.id == cited.document), None)
    table = table_within(document.tables, cited.span.start) if document else None
    if document is None or table is None:
        return answer
    heads = head_texts(document.text, table)
    texts = _stated([caption_text(document.text, table), *(heads[at] for at in sorted(heads))])
    scale = next(texts, "")
    return replace(answer, notes=(*answer.notes, f"the table's numbers are “{scale}”")) if scale else answer


def _stated(texts: Sequence[str]) -> Iterator[str]:
    """What texts say of a scale."""
    found = (_SCALE.search(text) for text in texts)
    return (match[0].strip("() ,.;:") for match in found if match)
