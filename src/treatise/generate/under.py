"""Evidence for a question with a name that is a heading: the sections beside it are about others.

"How many weeks does California offer?" is answered below "California", and not below "Oregon" in the same words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from treatise.core.document import Document, Section, Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.names import is_subject, names_in
from treatise.generate.beside import sentences_below

_ADDED: Final = 12
"""Sentences below the heading that are read in addition."""


def under_named_headings(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """The evidence without passages of the sections beside those whose heading has a name of the question, and with
    the sentences below that heading that share most words with the question.

    A passage that has the name itself stays. The evidence is unchanged if no section is beside such a heading.
    """
    names = [" ".join(words) for words in names_in(evidence.question)]
    named = {one.id: found for one in documents if names and (found := _named(one, names)).sections}
    known = {(one.document, one.span) for one in evidence.passages}
    kept = [one for one in evidence.passages if one.document not in named or not named[one.document].excludes(one)]
    if len(kept) == len(evidence.passages):
        return evidence
    below = sentences_below(evidence, [(one.document, span) for one in named.values() for span in one.sections])
    added = (one for one in below if (one.document, one.span) not in known)
    passages = (*kept, *islice(added, _ADDED))
    return replace(evidence, passages=passages, context="\n\n".join(one.text for one in passages))


@dataclass(frozen=True, slots=True)
class _Named:
    """The sections of a document whose headings have names of the question.

    Attributes:
        document: The document.
        names: Finds one of these names.
        sections: These sections with their subsections.
        beside: Their siblings without a name, with their subsections.
    """

    document: Document
    names: re.Pattern[str]
    sections: list[Span]
    beside: list[Span]

    def excludes(self, passage: Passage) -> bool:
        """Whether a passage is about another name."""
        is_beside = any(span.start <= passage.span.start < span.end for span in self.beside)
        return is_beside and not self.names.search(passage.text)


def _named(document: Document, names: Sequence[str]) -> _Named:
    telling = [name for name in names if not is_subject(name, document)]
    pattern = re.compile("|".join([*(rf"\b{re.escape(name)}\b" for name in telling), "(?!)"]), re.IGNORECASE)
    sections = document.sections
    named = [at for at, one in enumerate(sections) if one.level and pattern.search(one.title)]
    beside = {sibling for at in named for sibling in _siblings(sections, at)} - set(named)
    return _Named(document, pattern, [extent(document, at) for at in named], [extent(document, at) for at in beside])


def _siblings(sections: Sequence[Section], at: int) -> list[int]:
    """The other sections of the same level under the same heading."""
    level = sections[at].level
    found = []
    for steps in (range(at - 1, -1, -1), range(at + 1, len(sections))):
        for other in steps:
            if sections[other].level < level:
                break
            if sections[other].level == level:
                found.append(other)
    return found


def extent(document: Document, at: int) -> Span:
    """A section with its subsections."""
    sections = document.sections
    after = (one.start for one in sections[at + 1 :] if one.level <= sections[at].level)
    return Span(sections[at].start, next(after, len(document.text)))
