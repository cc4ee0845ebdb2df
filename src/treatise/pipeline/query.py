"""One run of a system: a question with its documents, the engines, and a meter of their usage."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from treatise.core.answer import Answer
from treatise.core.corpus import CorpusStatistics, OpeningCosines
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.core.form import CITED, Form
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import CallCache
from treatise.core.recipe import Recipe
from treatise.core.usage import Stage, Usage
from treatise.llm.budget import Spending
from treatise.pipeline.engines import Engines
from treatise.pipeline.openings import opening_cosines
from treatise.retrieve.prior import MIN_DOCUMENTS

if TYPE_CHECKING:
    from treatise.llm.runner import LlmRunner


class AnswerListener:
    """Receives the parts of an answer as soon as they exist; this one ignores them.

    If the language model fails, the parts of the quoted answer follow those received before. What a method raises
    ends the question.
    """

    def evidence(self, evidence: Evidence) -> None:
        """The passages are found; the answer is not yet begun."""

    def statement(self, answer: Answer, index: int) -> None:
        """A statement is written and its citations are checked."""


SILENT: Final = AnswerListener()


@dataclass(frozen=True, slots=True)
class Query:
    """A question, the documents to answer it from, and the form of the answer.

    Attributes:
        question: In plain words.
        indexed: The documents, indexed by the system's recipe.
        max_words: Budget of the evidence.
        form: Cited sentences, or what a data set asks for.
        listener: Receives the parts of the answer.
        corpus: Statistics of the library whose candidates the documents are; None if they are all.
        evidence: Evidence to answer from; None to retrieve it.
    """

    question: str
    indexed: tuple[IndexedDocument, ...]
    max_words: int
    form: Form = CITED
    listener: AnswerListener = SILENT
    corpus: CorpusStatistics | None = None
    evidence: Evidence | None = None

    @property
    def documents(self) -> list[Document]:
        """The documents without their indexes."""
        return [one.document for one in self.indexed]

    @property
    def is_of_library(self) -> bool:
        """Whether the evidence is the best of many documents."""
        return self.corpus is not None or len(self.indexed) >= MIN_DOCUMENTS


class Meter:
    """Collects the usage of one run.

    Args:
        spending: The account of the run's calls; None if no language model is used.

    Attributes:
        usage: The usage so far.
    """

    def __init__(self, spending: Spending | None = None) -> None:
        self.usage: Usage = Usage()
        self._spending = spending

    @contextmanager
    def time(self, stage: Stage) -> Iterator[None]:
        """Measures the seconds of a stage."""
        started = time.monotonic()
        yield
        self.usage = self.usage.with_stage(stage, seconds=time.monotonic() - started)

    @contextmanager
    def count(self, stage: Stage) -> Iterator[None]:
        """Counts the calls of a stage."""
        before = self._spending.copy() if self._spending else None
        yield
        if self._spending and before:
            self.usage = self.usage.with_stage(stage, model=self._spending.since(before).usage)

    @contextmanager
    def measure(self, stage: Stage) -> Iterator[None]:
        """Measures the seconds and the calls of a stage."""
        with self.time(stage), self.count(stage):
            yield

    def add(self, usage: Usage) -> None:
        """Adds calls of stages counted elsewhere."""
        for stage, one in usage.stages.items():
            self.usage = self.usage.with_stage(stage, model=one.model)

    def note_lengths(self, *, evidence_words: int, structure_tokens: Mapping[str, int]) -> None:
        """Adds the lengths of the evidence and of the structure in the prompt."""
        self.usage = replace(self.usage, evidence_words=evidence_words, structure_tokens=structure_tokens)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a recipe on a question or document.

    Attributes:
        recipe: The system's recipe.
        engines: The system's engines.
        cache: Keeps finished calls, trees and edges.
        runner: Calls the language model; None to run without a model, even if the engines have one.
        meter: The usage of the run.
    """

    recipe: Recipe
    engines: Engines
    cache: CallCache
    runner: "LlmRunner | None"
    meter: Meter = field(default_factory=Meter)

    def openings(self, question: str, indexed: Sequence[IndexedDocument]) -> OpeningCosines | None:
        """What the larger encoder says of these documents, which are all that are searched; None without one."""
        ids = [one.document.id for one in indexed]
        return opening_cosines(question, ids, recipe=self.recipe, engines=self.engines, cache=self.cache)
