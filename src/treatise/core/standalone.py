"""Whether a sentence is understandable alone in an answer, plan or summary, by its wording, kind and place."""

import re
from typing import Final

from treatise.core.document import Document, ParagraphKind, Span
from treatise.core.injection import addresses_a_model
from treatise.core.patterns import lazy_pattern
from treatise.core.scripts import UNSPACED
from treatise.core.words import n_words

MIN_WORDS: Final = 4
"""Shorter texts are run-in headings, dates or interjections."""

_OPEN_ENDS: Final = ("?", "？", ":", "：")

_PART: Final = r"(?:sections?|sect?\.|chapters?|appendi(?:x|ces)|part|§)\s*(?:\d[\d.]*|[A-Z]\b|[IVX]+\b)"
_TELLS: Final = (
    r"(?:contains?|concludes?|covers?|describes?|details?|discuss(?:es)?|deals?|explains?|gives?|introduces?|outlines?|"
    r"presents?|provides?|reports?|reviews?|summari[sz]es?)\b"
)
_SIGNPOST: Final = lazy_pattern(
    rf"(?:{_PART}\s+(?:then |finally |briefly )?{_TELLS}"
    rf"|(?:finally, )?in {_PART},?\s+we\s+(?:then |finally |briefly )?{_TELLS}"
    r"|(?:most of )?the (?:rest|remainder) of (?:this|the) \w+ (?:is (?:organi[sz]ed|structured)|will|describes)"
    r"|the .{0,90} follow\.$)",
    re.IGNORECASE,
)
_CAPTION: Final = lazy_pattern(r"(?:table|tab\.|figure|fig\.|listing|algorithm)\s*\d[\d.]*\s*[:.]\s", re.IGNORECASE)
_HEADING_MARK: Final = lazy_pattern(r"#{1,6}\s")
_BIBLIOGRAPHY: Final = r"references|bibliography|literature|works cited|参考文献"
_BIBLIOGRAPHY_TITLE: Final = lazy_pattern(rf"[\d.\s]*(?:{_BIBLIOGRAPHY})\s*", re.IGNORECASE)
_BACK_MATTER_TITLE: Final = lazy_pattern(rf"[\d.\s]*(?:{_BIBLIOGRAPHY}|acknowledge?ments?)\s*", re.IGNORECASE)

_CONTENTS_ENTRY: Final = lazy_pattern(r"(?:\s?\.){3,}\s*(?:\d{1,4}|[ivxlc]{1,7})\s*\Z")
_SMALL_WORDS: Final = 0.3  # minimum share of words without capital or digit in prose
_SENTENCE_END: Final = lazy_pattern(r"[.!…。！؟।][\"'”’»」』)\]]*\s*\Z")
_LETTERED_WORD: Final = lazy_pattern(r"\d*[^\W\d_]\w*")  # punctuation and numbers do not count as words
_WHOLE_WORDS: Final = 8


def announces(text: str) -> bool:
    """Whether a text asks a question or ends with a colon: the answer or content is elsewhere."""
    return text.endswith(_OPEN_ENDS)


def is_signpost(text: str) -> bool:
    """Whether a sentence only says where something is described.

    >>> is_signpost("Section 3 describes the data."), is_signpost("We describe the data.")
    (True, False)
    """
    return bool(_SIGNPOST.match(text))


def is_caption(text: str) -> bool:
    """Whether a text is the caption of a table or figure."""
    return bool(_CAPTION.match(text))


def is_marked_heading(text: str) -> bool:
    """Whether a text has a Markdown heading mark."""
    return bool(_HEADING_MARK.match(text))


def is_fragment(text: str, min_words: int = MIN_WORDS) -> bool:
    """Whether a text has too few words or begins in lower case. Neither applies to scripts without spaces."""
    return not UNSPACED.search(text) and (n_words(text) < min_words or text[:1].islower())


def is_prose(text: str) -> bool:
    """Whether enough words have neither capital nor digit; lists of names and rows of numbers have few of them."""
    words = [word for word in text.split() if word[0].isalnum()]
    n_small = sum(not word[0].isupper() and not word[0].isdigit() for word in words)
    return n_small >= _SMALL_WORDS * len(words)


def ends_as_sentence(text: str) -> bool:
    """Whether a text ends with the punctuation of a sentence."""
    return bool(_SENTENCE_END.search(text))


def is_whole(text: str) -> bool:
    """Whether a text ends like a sentence and has enough words."""
    is_long = UNSPACED.search(text) or len(_LETTERED_WORD.findall(text)) >= _WHOLE_WORDS
    return bool(is_long and ends_as_sentence(text))


def in_bibliography(document: Document, span: Span) -> bool:
    """Whether a span is in the list of references."""
    return _is_under(document, span, _BIBLIOGRAPHY_TITLE)


def in_back_matter(document: Document, span: Span) -> bool:
    """Whether a span is in the list of references or the acknowledgements."""
    return _is_under(document, span, _BACK_MATTER_TITLE)


def asserts(text: str) -> bool:
    """Whether a text makes a statement: no question, announcement, entry of contents or order to a language model."""
    return not (announces(text) or is_contents_entry(text) or addresses_a_model(text))


def is_contents_entry(text: str) -> bool:
    """Whether a text ends in dots and a page number.

    >>> is_contents_entry("3.17. /srv ... 16"), is_contents_entry("And then ... 16 of them left.")
    (True, False)
    """
    return bool(_CONTENTS_ENTRY.search(text))


def is_head(document: Document, span: Span) -> bool:
    """Whether a span says what stands below it or beside it: a heading, heads of a table, keys before the text."""
    return is_heading(document, span) or document.is_table_head(span.start, span.end) or is_front_matter(document, span)


def is_front_matter(document: Document, span: Span) -> bool:
    """Whether a span is in the keys and values before the text of a Markdown file."""
    first = document.paragraphs[0]
    is_first = first.kind is ParagraphKind.CODE and document.text.startswith("---")
    return is_first and span.start < first.end


def is_heading(document: Document, span: Span) -> bool:
    """Whether a span is in a heading."""
    return document.paragraph_at(span.start).kind is ParagraphKind.HEADING


def _is_under(document: Document, span: Span, title: re.Pattern[str]) -> bool:
    path = document.section_path(span.start)
    return bool(path and title.fullmatch(path[-1]))
