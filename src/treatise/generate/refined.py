"""Draft, feedback, revision (HTSIR, "Feedback-Driven Refinement", after Self-Refine); every draft is checked."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.answer import Answer, Round, Support
from treatise.core.errors import EngineError, ModelReplyError
from treatise.core.ports import Message
from treatise.core.recipe import Refinement
from treatise.llm.conversation import Calls
from treatise.llm.prompts import prompt

PROMPT_VERSION: Final = 1

_CRITIC_TOKENS: Final = 500
_MAX_REMARKS: Final = 8
_REMARK_WORDS: Final = 80
_FENCE: Final = re.compile(r"^```\w*\s*(.*?)\s*```$", re.DOTALL)
_SCHEMA: Final[dict[str, object]] = {
    "type": "object",
    "properties": {
        "satisfied": {"type": "boolean"},
        "feedback": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["satisfied", "feedback"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Brief:
    """What drafts are written from, and how they are read.

    Attributes:
        messages: The conversation that asked for the first draft.
        max_tokens: Longest draft.
        read: A draft as it was written to an answer with its citations checked.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    read: Callable[[str], Answer]


def refine(written: str, brief: Brief, refinement: Refinement, calls: Calls) -> Answer:
    """The draft, revised until the critic is satisfied and every sentence verified, or a limit is reached.

    Of all drafts that say anything the last with the fewest unverified sentences is the answer: no revision brings in
    a claim that the check does not bear out. What ends the loop early, a failing model too, is told in the notes; no
    draft is lost.
    """
    rounds: list[Round] = []
    answers: list[Answer] = []
    drafts: list[str] = []
    note = ""
    while not note:
        drafts.append(written)
        answers.append(brief.read(written))
        judged, note = _judged(written, answers[-1], len(rounds), brief, refinement, calls)
        rounds.append(judged)
        if judged.satisfied:
            break
        if not note:
            written, note = _revised(written, judged, brief, calls, drafts)
    best = min(range(len(rounds)), key=lambda i: (not answers[i].text, rounds[i].n_unverified, -i))
    ending = (f"refinement ended early: {note}",) if note else ()
    return replace(answers[best], rounds=tuple(rounds), notes=(*answers[best].notes, *ending))


def _judged(
    written: str, answer: Answer, n_before: int, brief: Brief, refinement: Refinement, calls: Calls
) -> tuple[Round, str]:
    """The draft with what there is to change, and why the loop ends here, if it does."""
    unverified = [statement.text for statement in answer.statements if statement.support is Support.UNVERIFIED]
    unjudged = Round(answer.text, len(unverified))
    if n_before == refinement.max_rounds:
        return unjudged, f"the critic did not agree within {refinement.max_rounds} revisions"
    if not calls.allow(2):
        return unjudged, f"{calls.n_calls} calls were made, and another round would pass the limit"
    try:
        satisfied, remarks = _verdict(written, brief, refinement, calls)
    except EngineError as error:
        return unjudged, f"the critic failed: {error}"
    wrong = [
        f"This is not borne out by the passages that it cites; correct it or leave it out: {u}" for u in unverified
    ]
    feedback = (*(() if satisfied else remarks), *wrong)
    judged = replace(unjudged, feedback=feedback, satisfied=satisfied and not unverified)
    return judged, "" if feedback or judged.satisfied else "the critic was not satisfied and named nothing to change"


def _verdict(written: str, brief: Brief, refinement: Refinement, calls: Calls) -> tuple[bool, tuple[str, ...]]:
    rules = prompt("treatise.generate", "critique", PROMPT_VERSION).format(goal=refinement.goal)
    draft = written.replace("</draft", "< /draft")
    asked = f"{brief.messages[-1].content}\n\n<draft>\n{draft}\n</draft>"
    messages = [Message("system", rules), Message("user", asked)]
    reply = calls.ask(messages, max_tokens=_CRITIC_TOKENS, schema=_SCHEMA).text
    try:
        return _read(reply)
    except ModelReplyError as error:
        if not calls.allow(2):
            raise
        remark = prompt("treatise.generate", "critique-again", PROMPT_VERSION).format(reason=error)
        messages += [Message("assistant", reply[:2_000]), Message("user", remark)]
        return _read(calls.ask(messages, max_tokens=_CRITIC_TOKENS, schema=_SCHEMA).text)


def _revised(written: str, judged: Round, brief: Brief, calls: Calls, drafts: Sequence[str]) -> tuple[str, str]:
    """The next draft, and why there is none."""
    remarks = "\n".join(f"- {remark}" for remark in judged.feedback)
    wish = prompt("treatise.generate", "revise", PROMPT_VERSION).format(feedback=remarks)
    messages = [*brief.messages, Message("assistant", written), Message("user", wish)]
    if not calls.allow(1):
        return "", f"{calls.n_calls} calls were made, and another would pass the limit"
    try:
        revision = calls.ask(messages, max_tokens=brief.max_tokens).text.strip()
    except EngineError as error:
        return "", f"the revision failed: {error}"
    plain = [" ".join(draft.split()) for draft in drafts]
    return revision, "the revision repeats an earlier draft" if " ".join(revision.split()) in plain else ""


def _read(reply: str) -> tuple[bool, tuple[str, ...]]:
    """Whether the critic is satisfied, and its remarks."""
    body = reply.strip()
    if fenced := _FENCE.match(body):
        body = fenced.group(1)
    try:
        found = json.loads(body)
        satisfied, remarks = found["satisfied"], found["feedback"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ModelReplyError("it is not the JSON that was asked for") from error
    if not isinstance(satisfied, bool) or not isinstance(remarks, list) or not all(isinstance(r, str) for r in remarks):
        raise ModelReplyError("satisfied is no truth value, or feedback no list of texts")
    texts = (" ".join(remark.split()[:_REMARK_WORDS]) for remark in remarks)
    return satisfied, tuple(dict.fromkeys(text for text in texts if text))[:_MAX_REMARKS]
