"""Questions of one caller, as records."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

from pydantic import BaseModel, ConfigDict, Field

from treatise.core.answer import Answer
from treatise.core.errors import RecipeError
from treatise.core.evidence import Evidence
from treatise.core.usage import Stage, Usage
from treatise.pipeline.library import Library
from treatise.pipeline.query import SILENT, AnswerListener
from treatise.records import (
    answer_record,
    citation_record,
    graph_record,
    page_and_section,
    search_record,
    summary_record,
)
from treatise.server.keys import Key
from treatise.server.replies import public
from treatise.server.services import Services

GRAPH_RECIPE: Final = "disco-rag"
SUMMARY_RECIPE: Final = "summary"

Ids = Annotated[list[Annotated[str, Field(max_length=12)]], Field(max_length=1000)]


class Asked(BaseModel):
    """What every question says."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"question": "When does water boil?"}]}
    )

    question: str = Field(min_length=1, max_length=40_000)
    documents: Ids = Field([], description="Ids of the documents to search; empty for all.")
    collection: str = Field("", max_length=200, description="Search this collection only.")
    where: str = Field("", max_length=4_000, description="A filter over metadata, such as `year >= 2020`.")
    recipe: str = Field("", max_length=100, description="A name of GET /recipes; empty for the server's own.")
    max_words: int = Field(0, ge=0, le=100_000, description="Words of evidence; 0 for the server's own budget.")


class AskRequest(Asked):
    """A question to answer."""

    llm: bool = Field(True, description="Whether the server's language model, if any, may write the answer.")


class SummaryRequest(BaseModel):
    """A document to summarize."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"document": "3f2a", "max_words": 100}]}
    )

    document: str = Field(max_length=12, min_length=1)
    question: str = Field("", max_length=40_000, description="What the summary is about; empty for all.")
    recipe: str = Field("", max_length=100)
    max_words: int = Field(200, ge=1, le=5_000)
    llm: bool = True


@dataclass(frozen=True, slots=True)
class Asking:
    """Questions of one caller. Its methods take as long as a question does: call them in a thread.

    Attributes:
        services: Of the worker.
        key: The caller's.
    """

    services: Services
    key: Key

    def answer(self, asked: AskRequest, listener: AnswerListener = SILENT) -> dict[str, Any]:
        """The record of an answer; the listener receives its parts."""
        library, documents = self.prepared(asked)
        answer = library.ask(asked.question, documents=documents, max_words=asked.max_words, listener=listener)
        return self.record(answer)

    def library(self, asked: AskRequest) -> Library:
        """The library that answers."""
        return self.services.library(asked.recipe, use_model=asked.llm)

    def prepared(self, asked: AskRequest) -> tuple[Library, list[str] | None]:
        """The library that answers, and the documents that it searches, within what the key allows."""
        library = self.library(asked)
        documents = self._scope(asked)
        self.check_model(library)
        return library, documents

    def record(self, answer: Answer) -> dict[str, Any]:
        """The record of an answer for this caller; its tokens are counted."""
        self.count(answer.usage)
        return self.services.redactor.answer(answer_record(answer, answer.evidence.documents))

    def search(self, asked: Asked) -> dict[str, Any]:
        """The record of passages."""
        library = self.services.library(asked.recipe)
        documents = self._scope(asked)
        max_words = asked.max_words or self.services.budget
        return self.passages(library.search(asked.question, documents=documents, max_words=max_words))

    def passages(self, evidence: Evidence) -> dict[str, Any]:
        """The record of passages for this caller."""
        return self.services.redactor.answer(search_record(evidence, evidence.documents))

    def summary(self, asked: SummaryRequest) -> dict[str, Any]:
        """The record of a summary."""
        library = self.services.library(asked.recipe or SUMMARY_RECIPE, use_model=asked.llm)
        document = self.services.resolve(self.key, asked.document)
        self.check_model(library)
        summary = library.summarize(question=asked.question.strip(), document=document, max_words=asked.max_words)
        self.count(summary.usage)
        return self.services.redactor.answer(summary_record(summary, summary.evidence.documents))

    def graph(self, asked: Asked) -> dict[str, Any]:
        """The record of a graph."""
        library = self.services.library(asked.recipe or GRAPH_RECIPE)
        documents = self._scope(asked)
        self.check_model(library)
        made = library.structure(asked.question, documents=documents, max_words=asked.max_words)
        self.count(made.usage)
        evidence, graph = made.evidence, made.structure.graph
        if graph is None:
            raise RecipeError(f"the recipe {library.recipe.slug} builds no graph: use {GRAPH_RECIPE}")
        found = evidence.documents
        document = next(iter(found)) if len(found) == 1 else ""
        record = graph_record(asked.question, document, evidence.passages, graph, evidence.notes)
        passages = [
            {
                "start": one.span.start,
                "end": one.span.end,
                "text": one.text,
                "document": one.document,
                **page_and_section(found[one.document], one.span.start),
            }
            for one in evidence.passages
        ]
        return {**record, "passages": passages, "notes": self.services.redactor.texts(evidence.notes)}

    def _scope(self, asked: Asked) -> list[str] | None:
        return self.services.scope_of(self.key, asked.documents, asked.collection, asked.where)

    def check_model(self, library: Library) -> None:
        """Raises 429 if the library uses a language model and the caller's limits are reached."""
        if library.model is not None:
            self.services.limits.check_model(self.key)

    def count(self, usage: Usage) -> None:
        """Counts the tokens of a question for the caller, those of a failed attempt included."""
        self.services.limits.model(self.key.id, usage.total_model + usage.model(Stage.FAILED))


class StreamListener(AnswerListener):
    """Emits the parts of an answer as events.

    Args:
        asking: Makes their records.
        emit: Sends an event.
    """

    def __init__(self, asking: Asking, emit: Callable[[str, Any], None]) -> None:
        self._asking = asking
        self._emit = emit

    def evidence(self, evidence: Evidence) -> None:
        """Emits the passages."""
        self._emit("evidence", self._asking.passages(evidence))

    def statement(self, answer: Answer, index: int) -> None:
        """Emits a statement with its citations."""
        statement = answer.statements[index]
        citations = [citation_record(answer.citations[number]) for number in statement.citations]
        self._emit(
            "statement",
            {
                "index": index,
                "text": statement.text,
                "support": str(statement.support),
                "role": statement.role,
                "verdict": str(statement.verdict),
                "reason": statement.reason,
                "is_claim": statement.is_claim,
                "citations": [public(one) for one in citations],
            },
        )
