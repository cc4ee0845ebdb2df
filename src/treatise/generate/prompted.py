"""An answer written by a language model from numbered passages, each sentence's citations checked."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from treatise.core.answer import Answer, Statement, Support
from treatise.core.document import Document, Span
from treatise.core.errors import ModelReplyError
from treatise.core.evidence import Evidence, Passage
from treatise.core.ports import Encoder, LanguageModel
from treatise.core.recipe import ReaderText, Recipe, Refinement
from treatise.core.usage import Stage, Usage
from treatise.core.words import n_tokens
from treatise.generate.check import check, shared_words
from treatise.generate.citations import MAX_CITED, cite
from treatise.generate.extracted import refusal
from treatise.generate.refined import DraftPrompt, refine, runner_for
from treatise.llm.prompts import prompt as prompt_file
from treatise.llm.request import Request, conversation, request_key, text_and_ending
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import tagged
from treatise.llm.window import OVERHEAD_TOKENS, window_of

PROMPT_VERSION: Final = "answer-1"

_WHOLE: Final = "The whole text that the passages were copied from, to understand them by; cite passages only:"
_MAX_TOKENS: Final = 600
_SHORT_TOKENS: Final = 160  # of an answer however short the evidence
PLAN_TOKENS: Final = 200
_MAX_READ: Final = 24  # places below a note whose vectors are compared: those that share most words
_MARGIN: Final = 1.1  # our count of tokens is an estimate
_ANSWER: Final = re.compile(r"(?:^|\n)\W*ANSWER\W*:?\s*", re.IGNORECASE)
_CITED: Final = re.compile(r"\s*((?:\[\d+(?:\s*,\s*\d+)*\]\s*)+)([.!?。！？]?)")
_NUMBER: Final = re.compile(r"\d+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“(])|(?<=[。！？])|\n+")


@dataclass(frozen=True, slots=True)
class PlanInstructions:
    """Instructions for an answer beside the passages.

    Attributes:
        structure: Trees, graph and plan, as rendered in the prompt; empty if there is none.
        plans_first: Whether it writes a plan of its own before the answer, in the same reply.
    """

    structure: str = ""
    plans_first: bool = False

    @property
    def system(self) -> str:
        """The system prompt that goes with it."""
        if self.structure:
            return prompt_file("treatise.generate", "structured", 1)
        return prompt_file("treatise.generate", "planned" if self.plans_first else "answer", 1)

    def answer_in(self, reply: str) -> str:
        """The answer of a reply, without the plan before it."""
        return _ANSWER.split(reply)[-1].strip() if self.plans_first else reply.strip()


def answer_by_model(
    evidence: Evidence,
    documents: Sequence[Document],
    *,
    encoder: Encoder,
    model: LanguageModel,
    recipe: Recipe,
    guidance: PlanInstructions = PlanInstructions(),
) -> Answer:
    """What the model writes from the evidence, with every sentence's citations checked; refined where the recipe says.

    Passages that the model's window does not hold are left out from the last on, which a note says.

    Raises:
        EngineUnavailableError: If the model cannot be reached.
        ModelReplyError: If its reply is empty, or without a sentence.
    """
    max_tokens = _longest_reply(evidence, model, guidance)
    shown = _fitting(evidence, guidance, model.context_tokens - max_tokens if model.context_tokens else None)
    user, note = _reading(shown, documents, model, recipe.reader_text, guidance)
    if n_left_out := len(evidence.passages) - len(shown.passages):
        of_all = f"{n_left_out} of {len(evidence.passages)} passages were left out"
        note = (*note, f"{of_all}: {model.name} has no room for them")
    messages = conversation(guidance.system, user)
    runner = runner_for(model, recipe.refinement)
    key = request_key("answer", model, messages, max_tokens)
    reply, ending = runner.ask(Request(key, messages, max_tokens, text_and_ending))
    written = guidance.answer_in(reply)
    if ending:
        note = (*note, f"the model went on after {max_tokens} tokens, and was cut off there")
    if written.upper().startswith("NOT FOUND"):
        answer = refusal(evidence, several=len(documents) > 1)
        return replace(answer, notes=note, usage=_usage(runner), is_cut=n_left_out > 0)

    def read(text: str) -> Answer:
        return replace(checked_answer(guidance.answer_in(text), shown, documents, encoder), evidence=evidence)

    answer = _refined(written, DraftPrompt(messages, max_tokens, read), recipe.refinement, runner)
    if not answer.text:
        raise ModelReplyError(f"{model.name} replied without a sentence: try another model", "empty")
    return replace(answer, notes=(*note, *answer.notes), usage=_usage(runner), is_cut=n_left_out > 0)


def _usage(runner: LlmRunner) -> Usage:
    return Usage().with_stage(Stage.ANSWER, model=runner.spending.usage)


def _longest_reply(evidence: Evidence, model: LanguageModel, guidance: PlanInstructions) -> int:
    """Tokens: an answer is hardly longer than what it rests on, and a weak model goes on as long as it may."""
    needed = _SHORT_TOKENS + sum(n_tokens(passage.text) for passage in evidence.passages)
    needed = min(_MAX_TOKENS, needed + (PLAN_TOKENS if guidance.plans_first else 0))
    return min(needed, model.context_tokens // 4) if model.context_tokens else needed


def _fitting(evidence: Evidence, guidance: PlanInstructions, room: int | None) -> Evidence:
    """The evidence with the first passages that go into so many tokens together with the rest of the prompt."""
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
    """The passages with their numbers, the whole text after them if there is one, their structure, and the question.

    Neither a passage nor a document can end its own tag.
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
    """The prompt; with the whole documents behind the passages where the recipe wants it and they fit the window."""
    passages_only = prompt(evidence, structure=guidance.structure)
    if kind is not ReaderText.EVIDENCE_AND_DOCUMENT:
        return passages_only, ()
    both = prompt(evidence, "\n\n".join(document.text for document in documents), guidance.structure)
    needed = n_tokens(both) + n_tokens(prompt_file("treatise.generate", "answer", 1)) + _MAX_TOKENS
    window = window_of(model)
    if needed > window:
        note = f"passages and whole text take about {needed:,} tokens, {model.name} has {window:,}"
        return passages_only, (f"{note}: it was given the passages alone; llm_window sets how many it has",)
    return both, ()


def _refined(written: str, brief: DraftPrompt, refinement: Refinement | None, runner: LlmRunner) -> Answer:
    return refine(written, brief, refinement, runner) if refinement else brief.read(written)


def checked_answer(written: str, evidence: Evidence, documents: Sequence[Document], encoder: Encoder) -> Answer:
    """The answer, each sentence checked against the places that it cites, never against a note on them.

    One that cites nothing is held against the passage with most of its words, and cites it if that bears it out.
    """
    written_sentences = cited_sentences(written, n_passages=len(evidence.passages))
    sentences = _once(written_sentences)
    by_id = {document.id: document for document in documents}
    places = [
        [place for passage in cited for place in _places(text, passage, by_id, encoder)]
        for text, numbers in sentences
        for cited in [[evidence.passages[i] for i in numbers] or _nearest(text, evidence.passages)]
    ]
    quotes = [[by_id[document].quote(span.start, span.end) for document, span in of_one] for of_one in places]
    support = check([text for text, _ in sentences], quotes, encoder)
    places = [
        of_one if numbers or found is not Support.UNVERIFIED else []
        for (_, numbers), of_one, found in zip(sentences, places, support, strict=True)
    ]
    used = list(dict.fromkeys(place for of_one in places for place in of_one))
    statements = tuple(
        Statement(text, tuple(dict.fromkeys(map(used.index, of_one))), found)
        for (text, _), of_one, found in zip(sentences, places, support, strict=True)
    )
    n_unverified = sum(found is Support.UNVERIFIED for found in support)
    notes = [f"{n_unverified} of {len(support)} sentences could not be verified"] if n_unverified else []
    if n_repeated := len(written_sentences) - len(sentences):
        notes.append(f"the model repeated itself: {n_repeated} sentences were left out")
    return Answer(
        question=evidence.question,
        text=" ".join(statement.text for statement in statements),
        statements=statements,
        citations=tuple(cite(by_id[document], span) for document, span in used),
        evidence=evidence,
        found=True,
        notes=tuple(notes),
    )


def _nearest(statement: str, passages: Sequence[Passage]) -> list[Passage]:
    """The passage with most of the statement's words; none where no passage has any."""
    best = max(passages, key=lambda passage: shared_words(statement, passage.text), default=None)
    return [best] if best and shared_words(statement, best.text) else []


def _once(sentences: Sequence[tuple[str, list[int]]]) -> list[tuple[str, list[int]]]:
    """Each sentence once, in the order of first use: a weak model repeats itself."""
    first: dict[str, list[int]] = {}
    for text, numbers in sentences:
        first.setdefault(text, numbers)
    return list(first.items())


def _places(
    statement: str, passage: Passage, documents: Mapping[str, Document], encoder: Encoder
) -> list[tuple[str, Span]]:
    """The place of a passage; of a note the places below it that are nearest to the statement, in text order."""
    spans = list(passage.noted or (passage.span,))
    if len(spans) > MAX_CITED:
        document = documents[passage.document]
        texts = [document.quote(span.start, span.end) for span in spans]
        alike = sorted(range(len(spans)), key=lambda i: -shared_words(statement, texts[i]))[:_MAX_READ]
        vectors = encoder.encode([statement, *(texts[i] for i in alike)])
        order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:MAX_CITED]
        spans = [spans[i] for i in sorted(alike[k] for k in order)]
    return [(passage.document, span) for span in spans]


def cited_sentences(written: str, *, n_passages: int) -> list[tuple[str, list[int]]]:
    """The sentences and the passages (from 0) that each cites; a number of no passage is dropped.

    Citations belong to the one sentence that they end; a sentence that ends without any cites nothing.
    """
    found: list[tuple[str, list[int]]] = []
    at = 0
    for marks in _CITED.finditer(written):
        numbers = [int(n) - 1 for n in _NUMBER.findall(marks.group(1))]
        valid = [n for n in dict.fromkeys(numbers) if 0 <= n < n_passages]
        texts = _split(written[at : marks.start()].rstrip() + marks.group(2))
        found += [(text, []) for text in texts[:-1]] + [(text, valid) for text in texts[-1:]]
        at = marks.end()
    return found + [(text, []) for text in _split(written[at:])]


def _split(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]
