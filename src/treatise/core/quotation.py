"""A quotation as people read it: as a statement on one line, or in rows with the code that it introduces."""

import re
import textwrap
from typing import Final

from treatise.core.boxes import within_box
from treatise.core.dates import dates_in
from treatise.core.document import Document, ParagraphKind, Span
from treatise.core.markup import without_markup
from treatise.core.patterns import lazy_pattern
from treatise.core.scripts import UNSPACED_CHARACTER

_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n")
_ITEM: Final = re.compile(r"(?:[-*+•]|\d{1,2}[.)])\s+(?=\S)")
_INNER_MARK: Final = lazy_pattern(r"(?<=[:：]) ((?:\(?(?:\d{1,2}|[a-z]|[ivx]{2,5})[.)]|[-*•–]) )(?=\S)")
_PICTURES: Final = re.compile(r"^(?:[\u2600-\u27bf\U0001f000-\U0001faff]\ufe0f?\s*)+(?=[^\W_])")
_LIST_MARK: Final = re.compile(
    rf"^(?:[-*+•‣◦▪]|\(?\d{{1,2}}(?:\.\d{{1,2}})*[.)]|\(?[a-zA-Z]\)|\([ivx]{{2,5}}\))\s+(?=\S+\s|{UNSPACED_CHARACTER})"
)

_MAX_DATE: Final = 40  # characters at the beginning that may be a date
_CODE_SIGNS: Final = ("\n\n", "```", "~~~")
PAIRS: Final = (
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("“", "”"),
    ("«", "»"),
    ("„", "“"),
    ("（", "）"),
    ("「", "」"),
    ("《", "》"),
)
"""Brackets and marks of quotation of which the closing one differs from the opening one."""
_IN_LINES: Final = (ParagraphKind.CODE, ParagraphKind.TABLE, ParagraphKind.VERSE)
"""The kinds of paragraphs that keep their lines."""


def statement_of(document: Document, span: Span) -> str:
    """A quotation as a statement: on one line, without a list marker, marks of quoted lines and markup."""
    return without_mark(without_markup(document.one_line(span.start, span.end)))


def rows_of(document: Document, span: Span) -> list[str]:
    """A quotation in rows: a statement in one; code, tables and verse in their lines, to the letter; a sentence with
    the code that it introduces in one row, and the lines of the code below it.
    """
    quote = document.quote(span.start, span.end)
    if keeps_its_lines(document, span):
        return quoted_rows(without_mark(quote), keeps_lines=True)
    if not introduces_code(quote):
        return [statement_of(document, span)]
    _, *code = quoted_rows(quote)
    prose = _BLANK_LINE.split(quote, maxsplit=1)[0]
    return [without_mark(document.one_line(span.start, span.start + len(prose))), *code]


def keeps_its_lines(document: Document, span: Span) -> bool:
    """Whether a quotation is of a paragraph that keeps its lines: code, a table or verse."""
    return document.paragraph_at(span.start).kind in _IN_LINES


def introduces_code(quote: str) -> bool:
    """Whether a quotation has the code that it introduces."""
    return any(sign in quote for sign in _CODE_SIGNS)


def starts_item(text: str) -> bool:
    """Whether a text is an item of a Markdown list, with its mark."""
    return bool(_ITEM.match(text))


def between(before: str, sentence: str) -> str:
    """What stands between two sentences of an answer: a new line at items of a list, before it and after it.

    >>> between("", "One."), between("One.", "Two."), between("Two.", "- a"), between("- a", "Three.")
    ('', ' ', '\\n', '\\n')
    """
    if not before:
        return ""
    is_list = starts_item(sentence) or starts_item(before) or sentence.endswith((":", "："))
    return "\n" if is_list else " "


def without_item_mark(text: str) -> str:
    """A sentence of a model without the mark or number of a list item."""
    return text[found.end() :] if (found := _ITEM.match(text)) else text


def without_mark(quote: str) -> str:
    """A quotation without the mark of a list item, and without pictures before its first word.

    >>> without_mark("2.1. Amend it."), without_mark("b) Convey it."), without_mark("2.5 million people live there.")
    ('Amend it.', 'Convey it.', '2.5 million people live there.')
    >>> without_mark("A) Convey it."), without_mark("(iv) Convey it."), without_mark("A. Smith is here.")
    ('Convey it.', 'Convey it.', 'A. Smith is here.')
    >>> without_mark("* 🌪 Cliffs are steep.")
    'Cliffs are steep.'
    >>> without_mark("- 茶是热的。"), without_mark("- tea")
    ('茶是热的。', '- tea')
    >>> without_mark("3. März 2025")
    '3. März 2025'
    """
    is_date = any(start == 0 for (start, _), _ in dates_in(quote[:_MAX_DATE]))
    return quote if is_date else _PICTURES.sub("", _LIST_MARK.sub("", quote))


def without_inner_mark(sentence: str) -> str:
    """An item after the sentence that introduces it, without its mark; as it is if there are several.

    >>> without_inner_mark("The Leader may: 3. Make any urgent decision."), without_inner_mark("Two: - tea - milk")
    ('The Leader may: Make any urgent decision.', 'Two: - tea - milk')
    """
    found = _INNER_MARK.search(sentence)
    is_only = found is not None and sentence.count(f" {found[1]}") == 1
    return _INNER_MARK.sub(" ", sentence) if is_only else sentence


def quoted_rows(quote: str, *, keeps_lines: bool = False) -> list[str]:
    r"""The rows of a quotation. Text after a blank line keeps its lines, indented; so does all text if ``keeps_lines``.

    >>> quoted_rows("Two\nlines.")
    ['Two lines.']
    >>> quoted_rows("Stop it:\n\n    # halt\n    # off")
    ['Stop it:', '  # halt', '  # off']
    """
    quote = within_box(quote)
    if keeps_lines:
        return _lines(quote)
    prose, *blocks = _BLANK_LINE.split(quote.strip(), maxsplit=1)
    rows = [" ".join(prose.split())]
    return rows + [f"  {row}" for block in blocks for row in _lines(block)]


def _lines(block: str) -> list[str]:
    """The lines of a block without blank lines and common indent."""
    return [row.rstrip() for row in textwrap.dedent(block.strip("\n")).splitlines() if row.strip()]
