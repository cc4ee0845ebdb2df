"""An answer written by a language model from numbered passages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.errors import ModelReplyError
from treatise.core.evidence import Evidence
from treatise.core.ports import LanguageModel
from treatise.core.recipe import ReaderText
from treatise.core.usage import Stage, Usage
from treatise.core.words import n_tokens
from treatise.generate.cited import checked_answer
from treatise.generate.not_found import refusal
from treatise.generate.refined import DraftPrompt, Writer
from treatise.llm.prompts import prompt as prompt_file
from treatise.llm.request import Request, conversation, request_key, text_and_ending
from treatise.llm.tags import tagged
from treatise.llm.window import OVERHEAD_TOKENS, window_of

_WHOLE: Final = "The whole text that the passages were copied from, to understand them by; cite passages only:"
_MAX_TOKENS: Final = 600
_SHORT_TOKENS: Final = 160  # minimum token limit of an answer, however short the evidence
PLAN_TOKENS: Final = 200
_MARGIN: Final = 1.1  # our count of tokens is an estimate
_ANSWER: Final = re.compile(r"(?:^|\n)\W*ANSWER\W*:?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PlanInstructions:
    """Additions to the passages in a prompt.

    Attributes:
        structure: Trees, graph and plan as text of the prompt; empty without structure.
        plans_first: Whether the model writes its own plan before the answer, in the same reply.
    """

    structure: str = ""
    plans_first: bool = False

    @property
    def system(self) -> str:
        """The matching system prompt."""
        if self.structure:
            return prompt_file("treatise.generate", "structured", 1)
        return prompt_file("treatise.generate", "planned" if self.plans_first else "answer", 1)

    def answer_in(self, reply: str) -> str:
        """The answer of a reply, without the plan before it."""
        return _ANSWER.split(reply)[-1].strip() if self.plans_first else reply.strip()


def answer_by_model(
    evidence: Evidence,
    documents: Sequence[Document],
    writer: Writer,
    *,
    reader_text: ReaderText = ReaderText.EVIDENCE,
    guidance: PlanInstructions = PlanInstructions(),
) -> Answer:
    """The model's answer from the evidence, with checked citations; refined if the writer revises.

    Passages that exceed the model's window are dropped, last ones first, with a note.

    Raises:
        EngineUnavailableError: If the model cannot be reached.
        ModelReplyError: If its reply is empty, or without a sentence.
    """
    if not evidence.passages:
        return refusal(evidence, several=len(documents) > 1)
    model = writer.model
    max_tokens = _longest_reply(evidence, model, guidance)
    shown = _fitting(evidence, guidance, model.context_tokens - max_tokens if model.context_tokens else None)
    user, notes = _reading(shown, documents, model, reader_text, guidance)
    messages = conversation(guidance.system, user)
    runner = writer.runner()
    key = request_key("answer", model, messages, max_tokens)
    reply, ending = runner.ask(Request(key, messages, max_tokens, text_and_ending))
    notes += _cuts(evidence, shown, model, max_tokens if ending else 0)
    written = guidance.answer_in(reply)

    def read(text: str) -> Answer:
        answer = checked_answer(guidance.answer_in(text), shown, documents, writer.encoder, writer.judge)
        return replace(answer, evidence=evidence)

    if written.upper().startswith("NOT FOUND"):
        answer = replace(refusal(evidence, several=len(documents) > 1), notes=())
    else:
        answer = writer.answer(written, DraftPrompt(messages, max_tokens, read), runner)
        if not answer.text:
            raise ModelReplyError(f"{model.name} replied without a sentence: try another model", "empty")
    usage = Usage().with_stage(Stage.ANSWER, model=runner.spending.usage)
    is_cut = len(shown.passages) < len(evidence.passages)
    return replace(answer, notes=(*notes, *answer.notes), usage=usage, is_cut=is_cut)


def _cuts(evidence: Evidence, shown: Evidence, model: LanguageModel, cut_at: int) -> tuple[str, ...]:
    """Notes on dropped passages, and on a reply that reached its token limit (``cut_at``; 0 if it did not)."""
    notes = []
    if n_left_out := len(evidence.passages) - len(shown.passages):
        of_all = f"{n_left_out} of {len(evidence.passages)} passages were left out"
        notes.append(f"{of_all}: {model.name} has no room for them")
    if cut_at:
        notes.append(f"the model went on after {cut_at} tokens, and was cut off there")
    return tuple(notes)


def _longest_reply(evidence: Evidence, model: LanguageModel, guidance: PlanInstructions) -> int:
    """Token limit: an answer is rarely longer than its evidence, and a weak model uses all it may."""
    needed = _SHORT_TOKENS + sum(n_tokens(passage.text) for passage in evidence.passages)
    needed = min(_MAX_TOKENS, needed + (PLAN_TOKENS if guidance.plans_first else 0))
    return min(needed, model.context_tokens // 4) if model.context_tokens else needed


def _fitting(evidence: Evidence, guidance: PlanInstructions, room: int | None) -> Evidence:
    """The evidence with the first passages that fit this many tokens with the rest of the prompt."""
    if room is None:
        return evidence
    left = room / _MARGIN - OVERHEAD_TOKENS
    left -= sum(map(n_tokens, (guidance.system, guidance.structure, evidence.question)))
    n = 0
    for passage in evidence.passages:
        left -= n_tokens(passage.text) + 12  # of its tags
        if left < 0 and n:
            break
        n += 1
    return replace(evidence, passages=evidence.passages[:n])


def prompt(evidence: Evidence, document: str = "", structure: str = "") -> str:
    """The numbered passages, the whole text if there is one, the structure and the question.

    No passage or document can close its own tag.
    """
    passages = [tagged("passage", passage.text, i) for i, passage in enumerate(evidence.passages, 1)]
    whole = ["", _WHOLE, tagged("document", document)] if document else []
    known = [structure] if structure else []
    return "\n".join([*passages, *whole, *known, "", f"Question: {evidence.question}"])


def _reading(
    evidence: Evidence,
    documents: Sequence[Document],
    model: LanguageModel,
    kind: ReaderText,
    guidance: PlanInstructions,
) -> tuple[str, tuple[str, ...]]:
    """The prompt; with the whole documents after the passages if the recipe says so and they fit the window.

    In marked documents the context already has the marks.
    """
    passages_only = prompt(evidence, structure=guidance.structure)
    if kind not in (ReaderText.EVIDENCE_AND_DOCUMENT, ReaderText.MARKED_DOCUMENT):
        return passages_only, ()
    is_marked = kind is ReaderText.MARKED_DOCUMENT
    whole = evidence.context if is_marked else "\n\n".join(document.text for document in documents)
    both = prompt(evidence, whole, guidance.structure)
    needed = n_tokens(both) + n_tokens(prompt_file("treatise.generate", "answer", 1)) + _MAX_TOKENS
    window = window_of(model)
    if needed > window:
        note = f"passages and whole text take about {needed:,} tokens, {model.name} has {window:,}"
        return passages_only, (f"{note}: it was given the passages alone; llm_window sets how many it has",)
    return both, ()
