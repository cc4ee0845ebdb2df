"""Draft, feedback, revision (HTSIR, "Feedback-Driven Refinement", after Self-Refine); every draft is checked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.answer import Answer, Round, Support
from treatise.core.errors import EngineError
from treatise.core.plurals import counted
from treatise.core.ports import ClaimJudge, Encoder, LanguageModel, Message
from treatise.core.recipe import Refinement
from treatise.llm.budget import Budget
from treatise.llm.prompts import prompt
from treatise.llm.request import Request, conversation, plain_text, request_key
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import tagged
from treatise.llm.verdict import CRITIC_TOKENS, SATISFIED, VERDICT_SCHEMA, read_verdict

PROMPT_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class DraftPrompt:
    """The conversation of a first draft, and how drafts are read.

    Attributes:
        messages: The conversation.
        max_tokens: Length limit of a draft.
        read: Turns a draft into an answer with checked citations.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    read: Callable[[str], Answer]


@dataclass(frozen=True, slots=True)
class Writer:
    """The language model that writes an answer, and what checks it.

    Attributes:
        model: Writes the drafts.
        encoder: Compares sentences with their citations.
        judge: The trained judge of claims, if any.
        refinement: How a draft is revised; None if the first one is the answer.
    """

    model: LanguageModel
    encoder: Encoder
    judge: ClaimJudge | None = None
    refinement: Refinement | None = None

    def runner(self) -> LlmRunner:
        """A runner for one answer, limited to the refinement's calls."""
        return LlmRunner(self.model, budget=Budget(self.refinement.max_calls) if self.refinement else None)

    def answer(self, written: str, brief: DraftPrompt, runner: LlmRunner) -> Answer:
        """The answer in the first draft, or in a revision of it."""
        return refine(written, brief, self.refinement, runner) if self.refinement else brief.read(written)


def refine(written: str, brief: DraftPrompt, refinement: Refinement, runner: LlmRunner) -> Answer:
    """The draft, revised until the critic is satisfied and every sentence verified, or a limit is reached.

    The answer is the last of the non-empty drafts with the fewest unverified sentences, so no revision adds a claim
    that the check does not support. If the loop ends early, even by a failing model, a note says why and no draft is
    lost.
    """
    rounds: list[Round] = []
    answers: list[Answer] = []
    drafts: list[str] = []
    note = ""
    while not note:
        drafts.append(written)
        answers.append(brief.read(written))
        judged, note = _judged(written, answers[-1], len(rounds), brief, refinement, runner)
        rounds.append(judged)
        if judged.satisfied:
            break
        if not note:
            written, note = _revised(written, judged, brief, runner, drafts)
    best = min(range(len(rounds)), key=lambda i: (not answers[i].text, rounds[i].n_unverified, -i))
    ending = (f"refinement ended early: {note}",) if note else ()
    return replace(answers[best], rounds=tuple(rounds), notes=(*answers[best].notes, *ending))


def _judged(
    written: str, answer: Answer, n_before: int, brief: DraftPrompt, refinement: Refinement, runner: LlmRunner
) -> tuple[Round, str]:
    """The judged draft, and the reason to stop, if any."""
    unverified = [statement.text for statement in answer.statements if statement.support is Support.UNVERIFIED]
    unjudged = Round(answer.text, len(unverified))
    if n_before == refinement.max_rounds:
        return unjudged, f"the critic did not agree within {counted(refinement.max_rounds, 'revision')}"
    if not runner.allows(2):
        return (
            unjudged,
            f"{counted(runner.spending.n_calls, 'call', 'was', 'were')} made, and another round would pass the limit",
        )
    try:
        satisfied, remarks = _verdict(written, brief, refinement, runner)
    except EngineError as error:
        return unjudged, f"the critic failed: {error}"
    wrong = [
        f"This is not borne out by the passages that it cites; correct it or leave it out: {u}" for u in unverified
    ]
    feedback = (*(() if satisfied else remarks), *wrong)
    judged = replace(unjudged, feedback=feedback, satisfied=satisfied and not unverified)
    return judged, "" if feedback or judged.satisfied else "the critic was not satisfied and named nothing to change"


def _verdict(
    written: str, brief: DraftPrompt, refinement: Refinement, runner: LlmRunner
) -> tuple[bool, tuple[str, ...]]:
    """Whether the critic is satisfied, and its remarks."""
    rules = prompt("treatise.generate", "critique", PROMPT_VERSION).format(goal=refinement.goal)
    messages = conversation(rules, f"{brief.messages[-1].content}\n\n{tagged('draft', written)}")
    key = request_key("critique", runner.model, messages, CRITIC_TOKENS, VERDICT_SCHEMA)
    verdict, *remarks = runner.ask(Request(key, messages, CRITIC_TOKENS, read_verdict, VERDICT_SCHEMA))
    return verdict == SATISFIED, tuple(remarks)


def _revised(
    written: str, judged: Round, brief: DraftPrompt, runner: LlmRunner, drafts: Sequence[str]
) -> tuple[str, str]:
    """The next draft, or the reason why there is none."""
    remarks = "\n".join(f"- {remark}" for remark in judged.feedback)
    remark = prompt("treatise.generate", "revise", PROMPT_VERSION).format(feedback=remarks)
    messages = (*brief.messages, Message("assistant", written), Message("user", remark))
    if not runner.allows(1):
        return "", f"{counted(runner.spending.n_calls, 'call', 'was', 'were')} made, and another would pass the limit"
    key = request_key("revise", runner.model, messages, brief.max_tokens)
    try:
        (revision,) = runner.ask(Request(key, messages, brief.max_tokens, plain_text))
    except EngineError as error:
        return "", f"the revision failed: {error}"
    plain = [" ".join(draft.split()) for draft in drafts]
    return revision, "the revision repeats an earlier draft" if " ".join(revision.split()) in plain else ""
