"""A question in the words of the documents: abbreviations written out, and the words that tell their parts apart."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from treatise.core.document import Document
from treatise.core.names import TOKEN, is_company_report, is_subject, names_in, spelled_out
from treatise.retrieve.lexical import terms

_LONG_FORMS: Final = {
    "hq": "headquarters",
    "capex": "capital expenditures",
    "opex": "operating expenses",
    "ipo": "initial public offering",
    "r&d": "research and development",
    "sg&a": "selling, general and administrative",
    "pp&e": "property, plant and equipment",
    "d&a": "depreciation and amortization",
    "go public": "initial public offering",
    "went public": "initial public offering",
}
"""What initials do not find, or questions say otherwise than reports."""
_MIN_LETTERS: Final = 3


def in_words_of(question: str, documents: Sequence[Document]) -> str:
    """The question with abbreviations that no document has written out as the documents do.

    "Who is the CEO?" becomes "Who is the chief executive officer?" if they have these words and no "CEO".
    """
    for short in dict.fromkeys(_abbreviations(question)):
        used = re.compile(rf"(?<!\w){re.escape(short)}(?!\w)", re.IGNORECASE)
        if not any(used.search(one.text) for one in documents) and (long := _long_form(short, documents)):
            question = re.sub(rf"(?<!\w){re.escape(short)}(?!\w)", long, question)
    return question


def telling_words(question: str, documents: Sequence[Document]) -> str:
    """The question without the name of the company whose report the only document is, which tells no parts apart.

    Unchanged if nothing would be left to look for. In papers and manuals names do tell parts apart.
    """
    if len(documents) != 1 or not is_company_report(documents[0]):
        return question
    kept = question
    for name in (" ".join(words) for words in names_in(question)):
        if is_subject(name, documents[0]):
            kept = re.sub(rf"\b{re.escape(name)}(?:['’]s)?(?!\w)", " ", kept)
    return kept if terms(kept, documents[0].language) else question


def _abbreviations(question: str) -> list[str]:
    """Words in capitals, and short forms, as the question has them."""
    capitals = [token.strip(".'’‘") for token in TOKEN.findall(question)]
    listed = re.findall(rf"\b(?:{'|'.join(_LONG_FORMS)})(?!\w)", question, re.IGNORECASE)
    return [*listed, *(one for one in capitals if len(one) >= _MIN_LETTERS and one.isalpha() and one.isupper())]


def _long_form(short: str, documents: Sequence[Document]) -> str:
    """The most frequent words of the documents that it stands for; empty if they have none."""
    listed = _LONG_FORMS.get(short.casefold())
    pattern = re.compile(re.escape(listed), re.IGNORECASE) if listed else spelled_out(short)
    matches = (one[0] for document in documents for one in pattern.finditer(document.text)) if pattern else ()
    found = Counter(" ".join(one.casefold().split()) for one in matches)
    whole = (one for one in found if listed or len(terms(one)) >= len(short))  # "for developing a" is no FDA
    return max(whole, key=lambda one: (found[one], one), default="")
