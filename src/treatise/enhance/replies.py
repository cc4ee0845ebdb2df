"""Checks of notes by a model. An invalid reply is rejected with a reason, never repaired."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from treatise.core.errors import ModelReplyError
from treatise.core.patterns import lazy_pattern
from treatise.core.ports import Reply
from treatise.core.scripts import UNSPACED
from treatise.core.words import folded_words, n_words
from treatise.llm.json_reply import CUT_OFF, NOT_THE_JSON, json_list

LENIENCE: Final = 1.5
"""Factor by which a note may exceed the requested length: models count words badly."""

MIN_WORDS: Final = 24
"""A note may always have this many words, however short its source."""

TOO_LONG: Final = "too long"

_MIN_SHARED: Final = 0.2  # share of a note's words; invented text, or text in another language, has less
_STEM: Final = 5  # letters compared per word, to ignore inflection and spelling variants
_MIN_STEM: Final = 4  # shorter words are mostly function words
_ECHO_WORDS: Final = 8  # consecutive words of the rules
_OUR_TAG: Final = lazy_pattern(r"</?(?:part|piece|passage|sentence)\b[^<>]*>")
_REFUSAL: Final = lazy_pattern(
    r"^\W*(?:(?:i['’]?m|i am) (?:sorry|unable|not able)|sorry,|as an ai\b|as a (?:large )?language model\b"
    r"|i (?:can ?not|can['’]t|won['’]t) (?:help|assist|provide|do|fulfil|summari[sz]e|comply)"
    r"|(?:很)?抱歉|对不起|我无法|作为(?:一个)?(?:人工智能|AI|语言模型))",
    re.IGNORECASE,
)
_MIN_LETTERS: Final = 8


def read_note(reply: Reply, source: str, max_words: int, rules: str = "") -> str:
    """The note in a reply, on one line; ``rules`` is the system prompt.

    Raises:
        ModelReplyError: If it is empty, cut off, a refusal, far longer than allowed or than ``source``, an echo of the
            request, in another script than ``source``, or shares hardly a word with it: another language, or small
            talk.
    """
    return _checked(reply.text, source, max_words, rules, truncated=reply.truncated)


def read_notes(reply: Reply, sources: Sequence[str], max_words: int, rules: str = "") -> tuple[str, ...]:
    """The notes of a structured reply, one per source, in order; each checked as :func:`read_note` does.

    Raises:
        ModelReplyError: If it is not the requested JSON, or a note is missing, repeated or out of order.
    """
    notes = json_list(reply, "notes")
    try:
        numbers = [int(note["number"]) for note in notes]
        texts = [str(note["text"]) for note in notes]
    except (TypeError, KeyError, ValueError) as error:
        raise ModelReplyError("a note has no number or no text", NOT_THE_JSON) from error
    if numbers != list(range(1, len(sources) + 1)):
        raise ModelReplyError(f"its notes are {numbers}, expected 1 to {len(sources)} in order", NOT_THE_JSON)
    return tuple(_checked(text, source, max_words, rules) for text, source in zip(texts, sources, strict=True))


def _checked(text: str, source: str, max_words: int, rules: str, *, truncated: bool = False) -> str:
    note = " ".join(text.split())
    if not any(map(str.isalnum, note)):
        raise ModelReplyError("it is empty", "empty")
    if truncated:
        raise ModelReplyError("it was cut off", CUT_OFF)
    if _REFUSAL.match(note) and not _REFUSAL.match(source.strip()):
        raise ModelReplyError("it is a refusal", "a refusal")
    if (length := n_words(note)) > LENIENCE * max_words:
        raise ModelReplyError(f"it has {length} words, asked were at most {max_words}", TOO_LONG)
    if length > max(MIN_WORDS, LENIENCE * (n_source := n_words(source))):
        raise ModelReplyError(f"it has {length} words, the text that it stands for only {n_source}", TOO_LONG)
    if _is_echo(note, source, rules):
        raise ModelReplyError("it repeats the request", "an echo of the request")
    if _is_unspaced(note) is not _is_unspaced(source) and None not in (_is_unspaced(note), _is_unspaced(source)):
        raise ModelReplyError("it is in another script than the text", "in another script")
    if _shared(note, source) < _MIN_SHARED:
        reason = "it has hardly a word in common with the text: another language, or not about it"
        raise ModelReplyError(reason, "not about the text")
    return note


def _is_echo(note: str, source: str, rules: str) -> bool:
    """Whether the note contains one of our tags, or a run of words of the rules, that is not in its source."""
    if (tag := _OUR_TAG.search(note)) and tag[0] not in source:
        return True
    in_note, in_rules, in_source = (_runs(folded_words(text)) for text in (note, rules, source))
    repeated = in_note & in_rules
    return bool(repeated) and not repeated <= in_source


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + _ECHO_WORDS]) for i in range(len(words) - _ECHO_WORDS + 1)}


def _shared(note: str, source: str) -> float:
    """The share of the note's stems that are in the source; of all its words if it has only short ones."""
    found = _stems(note, _MIN_STEM) or _stems(note, 1)
    return len(found & _stems(source, 1)) / len(found) if found else 0.0


def _stems(text: str, min_letters: int) -> set[str]:
    """Stems of words of at least ``min_letters`` letters; for unspaced scripts, pairs of characters."""
    runs = UNSPACED.findall(text)
    pairs = {a + b for run in runs for a, b in pairwise(run)} or {run for run in runs if min_letters == 1}
    words = folded_words(UNSPACED.sub(" ", text))
    return pairs | {word[:_STEM] for word in words if len(word) >= min_letters}


def _is_unspaced(text: str) -> bool | None:
    """Whether most letters are of a script without spaces; None if mixed or too short to tell."""
    n_unspaced = sum(len(run) for run in UNSPACED.findall(text))
    n_others = sum(map(str.isalpha, text)) - n_unspaced
    if n_unspaced * 2 + n_others < _MIN_LETTERS or n_unspaced * 2 > n_others > n_unspaced / 4:
        return None
    return n_unspaced * 2 > n_others
