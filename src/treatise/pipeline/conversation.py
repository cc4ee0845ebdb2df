"""A conversation over a library: follow-up questions are made to stand alone, then answered like any other."""

from dataclasses import dataclass, replace
from typing import Final

from treatise.core.answer import Answer
from treatise.core.conversation import Turn
from treatise.core.errors import EngineError
from treatise.core.usage import Stage, Usage
from treatise.dialogue import resolve, rewrite_request
from treatise.generate.on_topic import asked_topic
from treatise.llm.runner import LlmRunner
from treatise.pipeline.library import Library
from treatise.pipeline.query import SILENT, AnswerListener, Meter
from treatise.pipeline.retrieve import check_question

MAX_TURNS: Final = 6


@dataclass(frozen=True, slots=True)
class Conversation:
    """Questions and answers over a library, each question read with the turns before it. It is a value:

    >>> import treatise
    >>> folder = getfixture("tmp_path")
    >>> _ = (folder / "tea.txt").write_text("Green tea is brewed at 70 degrees. Black tea is brewed at 95 degrees.")
    >>> library = treatise.open_library(store=folder / "library.db")
    >>> tea = library.index(folder / "tea.txt").document
    >>> conversation = Conversation(library, (tea,)).ask("How hot is green tea brewed?").ask("And black tea?")
    >>> conversation.turns[-1].resolved
    'How hot is black tea brewed?'
    >>> library.close()

    Attributes:
        library: Answers the questions, with its language model if it has one.
        documents: Ids of the documents to search; empty for the whole library.
        turns: The last ``max_turns`` turns, oldest first.
        max_turns: Turns that are kept, at least 1; a model reads all of them, the rules read the last.
        max_words: Budget of evidence per question; 0 for the recipe's own.
    """

    library: Library
    documents: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    max_turns: int = MAX_TURNS
    max_words: int = 0

    def __post_init__(self) -> None:
        if self.max_turns < 1:
            raise ValueError(f"a conversation keeps at least one turn, found max_turns={self.max_turns}")

    def ask(self, question: str, *, listener: AnswerListener = SILENT) -> "Conversation":
        """The conversation with one more turn: the question, as resolved, and its answer.

        With a language model the question is rewritten by it, and by rules if that fails; a note then says why.
        ``listener`` receives the parts of the answer.

        Raises:
            QuestionError: If the question is blank or too long.
            SourceError: If there is no document to ask.
            EngineError: If an engine other than the language model fails.
        """
        check_question(question)
        meter = Meter()
        with meter.time(Stage.QUERIES):
            resolved, calls, notes = self._resolved(question)
        answer = self._answered(resolved, listener)
        if not answer.found and self._may_be_topic(question, resolved):
            on_topic = self._answered(question, listener)
            resolved, answer = (question, on_topic) if on_topic.found else (resolved, answer)
        usage = answer.usage.after(meter.usage.with_stage(Stage.QUERIES, model=calls.model(Stage.QUERIES)))
        answer = replace(answer, usage=usage, notes=(*notes, *answer.notes))
        turns = (*self.turns, Turn(question, resolved, answer))[-self.max_turns :]
        return replace(self, turns=turns)

    def _answered(self, question: str, listener: AnswerListener) -> Answer:
        return self.library.ask(question, documents=self.documents or None, max_words=self.max_words, listener=listener)

    def _may_be_topic(self, question: str, resolved: str) -> bool:
        """Whether "What about pets?" was completed by rules, and may ask what is said of pets instead."""
        return self.library.model is None and question != resolved and bool(asked_topic(question))

    def _resolved(self, question: str) -> tuple[str, Usage, tuple[str, ...]]:
        """The question that stands alone, the calls made for it, and notes."""
        model = self.library.model
        if model is None or not self.turns:
            return resolve(question, self.turns), Usage(), ()
        runner = LlmRunner(model, cache=self.library.store)
        try:
            (text,) = runner.ask(rewrite_request(question, self.turns, model))
        except EngineError as error:
            note = f"the question was read by rules, because the language model failed: {error}"
            return resolve(question, self.turns), _counted(runner), (note,)
        return text, _counted(runner), ()


def _counted(runner: LlmRunner) -> Usage:
    return Usage().with_stage(Stage.QUERIES, model=runner.spending.usage)
