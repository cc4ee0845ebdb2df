"""The second request after a rejected reply, with the reason. ``LlmRunner`` sends one at most.

Transport failures (no connection, 429, 5xx) are not retried here: engines have their own policy.
"""

from typing import Final

from treatise.core.errors import ModelReplyError
from treatise.core.ports import Message, Reply
from treatise.llm.prompts import prompt
from treatise.llm.request import Request

_SHOWN_OF_CUT: Final = 400  # characters of a truncated reply: its beginning shows what went wrong
_CHARACTERS_PER_TOKEN: Final = 4


def with_reason(request: Request, reply: Reply, error: ModelReplyError) -> Request:
    """The request with the rejected reply and the reason. At temperature 0 the same prompt would only
    repeat the reply.
    """
    reason = error if reply.text else "it is empty"  # an engine's error message is meant for people
    remark = prompt("treatise.llm", "again", 1).format(reason=reason)
    return request.with_turns(Message("assistant", _shown(request, reply) or "…"), Message("user", remark))


def _shown(request: Request, reply: Reply) -> str:
    if reply.truncated:
        return f"{reply.text[:_SHOWN_OF_CUT]} …"
    return reply.text[: _CHARACTERS_PER_TOKEN * request.max_tokens]
