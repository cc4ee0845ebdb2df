"""The form of an answer: cited sentences, or the form of a data set."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class FormKind(StrEnum):
    """The kind of an answer."""

    CITED = "cited"  # sentences, each with its citations
    SHORT = "short"  # QASPER: a few words, yes, no, or unanswerable
    SPAN = "span"  # PolicyQA: a few words of the text, or unanswerable
    CHOICE = "choice"  # QuALITY: one of several options
    STORY = "story"  # NarrativeQA: a few words on a story
    SHORT_ZH = "short-zh"  # MultiFieldQA-zh: short, in Chinese


@dataclass(frozen=True, slots=True)
class Form:
    """The form of an answer.

    Attributes:
        kind: The kind of answer.
        options: The options of a multiple-choice question, lettered from A; empty for any other kind.
    """

    kind: FormKind = FormKind.CITED
    options: tuple[str, ...] = ()


CITED: Final = Form()
"""Sentences with citations: the form that users read."""
