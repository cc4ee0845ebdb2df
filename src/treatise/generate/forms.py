"""Answers in the form of a data set: short, multiple choice, on a story, in Chinese.

The instructions are those of DISRetrieval's prompts (appendix B.6) in our own words, as files in ``prompts``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from string import ascii_uppercase
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.core.form import Form, FormKind
from treatise.core.ports import LanguageModel, Message
from treatise.core.recipe import ReaderText
from treatise.core.usage import Stage, Usage
from treatise.core.words import clip, n_tokens
from treatise.generate.cited import checked_answer
from treatise.generate.prompted import PLAN_TOKENS, PlanInstructions
from treatise.generate.refined import DraftPrompt, Writer
from treatise.llm.prompts import prompt
from treatise.llm.request import Request, conversation, plain_text, request_key
from treatise.llm.tags import tagged

PROMPT_VERSION: Final = 1

MAX_TOKENS: Final = {
    FormKind.SHORT: 64,
    FormKind.SPAN: 64,
    FormKind.CHOICE: 128,
    FormKind.STORY: 96,
    FormKind.SHORT_ZH: 128,
}

_OVERHEAD_TOKENS: Final = 256  # of a chat template, our instructions and tags
_MIN_ROOM: Final = 64
_REFUSALS: Final = ("unanswerable", "not answerable", "no answer")


@dataclass(frozen=True, slots=True)
class FormPrompt:
    """The prompt of an answer in a form.

    Attributes:
        question: In plain words.
        form: The form of the answer; not ``FormKind.CITED``.
        guidance: The structure in the prompt, and whether the model plans first.
    """

    question: str
    form: Form
    guidance: PlanInstructions = field(default_factory=PlanInstructions)

    @property
    def max_tokens(self) -> int:
        """Longest reply."""
        return MAX_TOKENS[self.form.kind] + (PLAN_TOKENS if self.guidance.plans_first else 0)

    def messages(self, context: str) -> tuple[Message, ...]:
        """The conversation that requests the answer. The context cannot close its own tag."""
        lettered = [f"({letter}) {option}" for letter, option in zip(ascii_uppercase, self.form.options, strict=False)]
        known = [self.guidance.structure] if self.guidance.structure else []
        user = [tagged("context", context), *known, "", f"Question: {self.question}", *lettered]
        return conversation("\n".join(self._rules()), "\n".join(user))

    def fit(self, context: str, model: LanguageModel) -> str:
        """The context, truncated to the model's window."""
        if not model.context_tokens:
            return context
        rest = (self.question, *self.form.options, self.guidance.structure)
        room = model.context_tokens - self.max_tokens - sum(map(n_tokens, rest)) - _OVERHEAD_TOKENS
        return clip(context, max(_MIN_ROOM, room), n_tokens)

    def _rules(self) -> list[str]:
        rules = [prompt("treatise.generate", self.form.kind, PROMPT_VERSION)]
        if self.guidance.structure:
            rules.append(prompt("treatise.generate", "form-structured", 1))
        if self.guidance.plans_first:
            rules.append(prompt("treatise.generate", "form-planned", 1))
        return rules


def answer_in_form(
    asked: FormPrompt, evidence: Evidence, documents: Sequence[Document], writer: Writer, reader_text: ReaderText
) -> Answer:
    """The model's answer in a form, verbatim; its sentences are checked against the nearest passages.

    The model reads ``evidence.context``, numbered by passage if the prompt has structure.

    Raises:
        EngineUnavailableError: If the model cannot be reached.
        ModelReplyError: If its reply is empty.
    """
    guidance = asked.guidance
    is_numbered = guidance.structure and reader_text is ReaderText.EVIDENCE
    context = _numbered(evidence) if is_numbered else evidence.context
    shown = asked.fit(context, writer.model)
    messages = asked.messages(shown)
    runner = writer.runner()
    key = request_key("form", writer.model, messages, asked.max_tokens)
    (reply,) = runner.ask(Request(key, messages, asked.max_tokens, plain_text))
    written = guidance.answer_in(reply)

    def read(text: str) -> Answer:
        said = guidance.answer_in(text)
        answer = checked_answer(said, evidence, documents, writer.encoder, writer.judge)
        return replace(answer, text=said, found=answer.found and said.strip(" .").casefold() not in _REFUSALS)

    answer = writer.answer(written, DraftPrompt(messages, asked.max_tokens, read), runner)
    usage = Usage().with_stage(Stage.ANSWER, model=runner.spending.usage)
    return replace(answer, usage=usage, is_cut=shown != context)


def _numbered(evidence: Evidence) -> str:
    return "\n\n".join(f"[{number}] {passage.text}" for number, passage in enumerate(evidence.passages, 1))
