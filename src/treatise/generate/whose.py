"""Whose figures a report gives: a question about one company is not answered by the report of another."""

import re
from typing import Final

from treatise.core.document import Document
from treatise.core.names import is_company_report, is_subject, names_in

_OWN: Final = re.compile(r"\b(?:we|our|us|the company|the registrant|the group|the corporation)\b", re.IGNORECASE)
_AUXILIARY: Final = r"\b(?:do|does|did|has|have|had|is|was|will|can)"


def whose(question: str, text: str, document: Document, *, is_row: bool) -> str | None:
    """Why the text is about another than the one that the question names, or None.

    Reports say "we" and "the Company" for the company whose report it is; rows of their tables do not even say so.
    """
    if not (is_row or _OWN.search(text)) or not is_company_report(document):
        return None
    for name in (" ".join(words) for words in names_in(question)):
        is_asked = re.search(rf"{_AUXILIARY} {re.escape(name)}\b(?!['’])|\b{re.escape(name)}['’]s? ", question)
        if is_asked and name.casefold() not in text.casefold() and not is_subject(name, document):
            return f"the document does not say this of {name}"
    return None
