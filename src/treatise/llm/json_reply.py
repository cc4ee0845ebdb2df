"""JSON in the replies of language models and their servers."""

import json
import re
from typing import Any, Final

from treatise.core.errors import ModelReplyError
from treatise.core.ports import Reply

CUT_OFF: Final = "cut off"
NOT_THE_JSON: Final = "not the JSON asked for"

_FENCE: Final = re.compile(r"^```\w*\s*(.*?)\s*```$", re.DOTALL)


def parse_json(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: If it is not JSON, or nested too deeply.
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def json_object(reply: Reply) -> dict[str, Any]:
    """The JSON object in a reply, with or without a code fence around it.

    Raises:
        ModelReplyError: If the reply was cut off, or is not a JSON object.
    """
    if reply.truncated:
        raise ModelReplyError("it was cut off", CUT_OFF)
    body = reply.text.strip()
    if not body:
        raise ModelReplyError("it is empty", "empty")
    if fenced := _FENCE.match(body):
        body = fenced.group(1)
    try:
        found = parse_json(body)
    except ValueError as error:
        raise ModelReplyError("it is not the JSON that was asked for", NOT_THE_JSON) from error
    if not isinstance(found, dict):
        raise ModelReplyError("it is not a JSON object", NOT_THE_JSON)
    return found


def json_list(reply: Reply, name: str) -> list[Any]:
    """The list under a name of the JSON object in a reply.

    Raises:
        ModelReplyError: As :func:`json_object`; or if the object has no such list.
    """
    found = json_object(reply).get(name)
    if not isinstance(found, list):
        raise ModelReplyError(f"it needs {name!r}, a list", NOT_THE_JSON)
    return found
