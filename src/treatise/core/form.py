"""The form of an answer: cited sentences, or what a data set asks for."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class FormKind(StrEnum):
    """How an answer is worded."""

    CITED = "cited"  # sentences, each with its citations
    SHORT = "short"  # QASPER: a few words, yes, no, or unanswerable
    CHOICE = "choice"  # QuALITY: one of several options
    STORY = "story"  # NarrativeQA: a few words on a story
    SHORT_ZH = "short-zh"  # MultiFieldQA-zh: short, in Chinese


@dataclass(frozen=True, slots=True)
class Form:
    """The form that an answer is to have.

    Attributes:
        kind: How it is worded.
        options: The options of a multiple-choice question, lettered from A; empty for any other kind.
    """

    kind: FormKind = FormKind.CITED
    options: tuple[str, ...] = ()


CITED: Final = Form()
"""Sentences with citations: the form that users read."""
