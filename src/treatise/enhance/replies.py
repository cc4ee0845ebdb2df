"""Is a model's reply the note that was asked for? What is not is refused with a reason, never mended."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from treatise.core.errors import ModelReplyError
from treatise.core.ports import Reply
from treatise.core.words import UNSPACED, n_words

LENIENCE: Final = 1.5
"""How many times longer than asked a note may be: models count words badly."""

_REFUSAL: Final = re.compile(
    r"^\W*(?:(?:i['’]?m|i am) (?:sorry|unable|not able)|sorry,|as an ai\b|as a (?:large )?language model\b"
    r"|i (?:can ?not|can['’]t|won['’]t) (?:help|assist|provide|do|fulfil|summari[sz]e|comply)"
    r"|(?:很)?抱歉|对不起|我无法|作为(?:一个)?(?:人工智能|AI|语言模型))",
    re.IGNORECASE,
)
_FENCE: Final = re.compile(r"^```\w*\s*(.*?)\s*```$", re.DOTALL)
_MIN_LETTERS: Final = 8


def read_note(reply: Reply, source: str, max_words: int) -> str:
    """The note that the reply is, on one line.

    Raises:
        ModelReplyError: Where it is empty, cut off, a refusal, far too long, or in another script than ``source``.
    """
    return _checked(reply.text, source, max_words, truncated=reply.truncated)


def read_notes(reply: Reply, sources: Sequence[str], max_words: int) -> tuple[str, ...]:
    """The notes of a structured reply, one a source, in order; each checked as :func:`read_note` does.

    Raises:
        ModelReplyError: Where it is not the JSON that was asked for, or a note is missing, doubled or out of order.
    """
    if reply.truncated:
        raise ModelReplyError("it was cut off")
    notes = _notes_in(reply.text)
    try:
        numbers = [int(note["number"]) for note in notes]
        texts = [str(note["text"]) for note in notes]
    except (TypeError, KeyError, ValueError) as error:
        raise ModelReplyError("its notes lack a number or a text") from error
    if numbers != list(range(1, len(sources) + 1)):
        raise ModelReplyError(f"it holds notes {numbers}, expected 1 to {len(sources)} in order")
    return tuple(_checked(text, source, max_words) for text, source in zip(texts, sources, strict=True))


def _notes_in(text: str) -> list[Any]:
    body = text.strip()
    if fenced := _FENCE.match(body):
        body = fenced.group(1)
    try:
        notes = json.loads(body)["notes"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ModelReplyError("it is not the JSON that was asked for") from error
    if not isinstance(notes, list):
        raise ModelReplyError("its notes are not a list")
    return notes


def _checked(text: str, source: str, max_words: int, *, truncated: bool = False) -> str:
    note = " ".join(text.split())
    if not any(map(str.isalnum, note)):
        raise ModelReplyError("it is empty")
    if truncated:
        raise ModelReplyError("it was cut off")
    if _REFUSAL.match(note) and not _REFUSAL.match(source.strip()):
        raise ModelReplyError("it is a refusal")
    if (length := n_words(note)) > LENIENCE * max_words:
        raise ModelReplyError(f"it has {length} words, asked were at most {max_words}")
    if _is_unspaced(note) is not _is_unspaced(source) and None not in (_is_unspaced(note), _is_unspaced(source)):
        raise ModelReplyError("it is in another script than the text")
    return note


def _is_unspaced(text: str) -> bool | None:
    """Whether most letters are of a script without spaces; None where it is mixed or there is too little to tell."""
    n_unspaced = sum(len(run) for run in UNSPACED.findall(text))
    n_others = sum(map(str.isalpha, text)) - n_unspaced
    if n_unspaced * 2 + n_others < _MIN_LETTERS or n_unspaced * 2 > n_others > n_unspaced / 4:
        return None
    return n_unspaced * 2 > n_others
