"""The verdict of a critic on a draft: satisfied, or remarks on what to change."""

from typing import Final

from treatise.core.errors import ModelReplyError
from treatise.core.ports import Reply
from treatise.llm.json_reply import NOT_THE_JSON, json_object
from treatise.llm.request import Schema

CRITIC_TOKENS: Final = 500
SATISFIED: Final = "satisfied"
VERDICT_SCHEMA: Final[Schema] = {
    "type": "object",
    "properties": {
        "satisfied": {"type": "boolean"},
        "feedback": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["satisfied", "feedback"],
    "additionalProperties": False,
}

_MAX_REMARKS: Final = 8
_REMARK_WORDS: Final = 80


def read_verdict(reply: Reply) -> tuple[str, ...]:
    """``SATISFIED`` or an empty text, and the critic's remarks. A ``ReplyReader``.

    Raises:
        ModelReplyError: If the reply is not the JSON of ``VERDICT_SCHEMA``.
    """
    found = json_object(reply)
    satisfied, remarks = found.get("satisfied"), found.get("feedback")
    if not isinstance(satisfied, bool) or not isinstance(remarks, list) or not all(isinstance(r, str) for r in remarks):
        raise ModelReplyError("it needs satisfied, true or false, and feedback, a list of texts", NOT_THE_JSON)
    texts = (" ".join(remark.split()[:_REMARK_WORDS]) for remark in remarks)
    kept = tuple(dict.fromkeys(text for text in texts if text))[:_MAX_REMARKS]
    return (SATISFIED if satisfied else "", *kept)
