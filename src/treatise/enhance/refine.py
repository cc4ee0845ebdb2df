"""Judges and revises the summaries of nodes while a tree is built (HTSIR, "Feedback-Driven Refinement")."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from treatise.core.note import CallOutcome
from treatise.core.ports import Message
from treatise.core.recipe import Refinement
from treatise.llm.prompts import prompt
from treatise.llm.request import ExpectedReply, Request, conversation, request_key
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import tagged
from treatise.llm.verdict import CRITIC_TOKENS, SATISFIED, VERDICT_SCHEMA, read_verdict

PROMPT_VERSION: Final = 1

_CALLS_PER_ROUND: Final = 2
_EXPECTED_REMARK: Final = "Name what it is about first."

Outcomes = dict[str, CallOutcome | None]
"""Outcomes of requests by their keys; None if the budget did not allow one."""


def refine_notes(
    requests: Sequence[Request], outcomes: Mapping[str, CallOutcome | None], refinement: Refinement, runner: LlmRunner
) -> Outcomes:
    """The outcomes, each accepted summary revised until the critic is satisfied or a limit is reached.

    All drafts are judged together, then all revisions are sent together. If the critic's reply or a revision is
    rejected, or the budget ends, the last accepted draft stays. An estimate assumes that the critic is never satisfied.

    Raises:
        EngineError, StoreError: As ``LlmRunner.run``.
    """
    found = dict(outcomes)
    drafted = [request for request in requests if _text(found, request)]
    n_rounds = min(refinement.max_rounds, (refinement.max_calls - 1) // _CALLS_PER_ROUND)
    for _ in range(n_rounds):
        remarks = _remarks(drafted, found, refinement.goal, runner)
        drafted = [request for request in drafted if remarks[request.key]]
        drafted = _revise(drafted, found, remarks, runner)
    return found


def _remarks(drafted: Sequence[Request], found: Outcomes, goal: str, runner: LlmRunner) -> dict[str, tuple[str, ...]]:
    """What the critic asks to change in each draft, by the draft's key; empty if it is satisfied or failed."""
    critics = {request.key: _critique(request, _text(found, request), goal, runner) for request in drafted}
    verdicts = runner.run(critics.values())
    remarks: dict[str, tuple[str, ...]] = {}
    for key, critic in critics.items():
        outcome = verdicts[critic.key]
        verdict, *said = outcome.texts if outcome and outcome.texts else (SATISFIED,)
        remarks[key] = () if verdict == SATISFIED else tuple(said)
    return remarks


def _revise(
    drafted: Sequence[Request], found: Outcomes, remarks: Mapping[str, tuple[str, ...]], runner: LlmRunner
) -> list[Request]:
    """Puts accepted revisions into ``found``; returns the requests that have one."""
    asked = {
        request.key: _revision(request, _text(found, request), remarks[request.key], runner) for request in drafted
    }
    revisions = runner.run(asked.values())
    revised = []
    for request in drafted:
        outcome = revisions[asked[request.key].key]
        if outcome and outcome.texts:
            found[request.key] = outcome
            revised.append(request)
    return revised


def _text(found: Mapping[str, CallOutcome | None], request: Request) -> str:
    """The accepted draft; empty if there is none."""
    outcome = found[request.key]
    return outcome.texts[0] if outcome and outcome.texts else ""


def _critique(request: Request, draft: str, goal: str, runner: LlmRunner) -> Request:
    rules = prompt("treatise.enhance", "critique", PROMPT_VERSION).format(goal=goal)
    messages = conversation(rules, f"{request.messages[-1].content}\n\n{tagged('draft', draft)}")
    return Request(
        key=request_key("critique", runner.model, messages, CRITIC_TOKENS, VERDICT_SCHEMA),
        messages=messages,
        max_tokens=CRITIC_TOKENS,
        reader=read_verdict,
        schema=VERDICT_SCHEMA,
        expectation=lambda _: ExpectedReply(("", _EXPECTED_REMARK), CRITIC_TOKENS // 4),
    )


def _revision(request: Request, draft: str, remarks: Sequence[str], runner: LlmRunner) -> Request:
    """The request again, with the draft and the remarks; its reply is checked as the first draft was."""
    listed = "\n".join(f"- {remark}" for remark in remarks)
    asked = prompt("treatise.enhance", "revise", PROMPT_VERSION).format(feedback=listed)
    longer = request.with_turns(Message("assistant", draft), Message("user", asked))
    return replace(longer, key=request_key("revise", runner.model, tuple(longer.messages), longer.max_tokens))
