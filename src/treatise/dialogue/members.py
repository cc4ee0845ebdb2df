"""What "the second one", "the other" and "which one" refer to: an answer that was a list, or what was asked for."""

import re
from collections.abc import Sequence
from typing import Final

from treatise.core.conversation import Turn
from treatise.dialogue.mentions import Asked
from treatise.dialogue.referents import Context
from treatise.dialogue.words import AUXILIARY, ORDINAL, WORD

_POSITIONS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NTH: Final = re.compile(
    rf"\bthe (?P<nth>{'|'.join(_POSITIONS)}|last|former|latter)(?: one\b|(?=\s*(?:\?|$|and\b|is\b|was\b|for\b)))",
    re.IGNORECASE,
)
_OTHER: Final = re.compile(r"\bthe other(?: one)?(?=\s*(?:\?|$|[a-z]+\b))(?! \w+s\b)", re.IGNORECASE)
_OTHER_ALONE: Final = re.compile(
    r"(?:(?:and|what about|how about|but)\s+)?(?:\w+ )?the other(?: one)?\s*\??", re.IGNORECASE
)
_WHICH: Final = re.compile(r"^(?:and |so |but )?which (?P<one>ones?|of (?:them|these|those))\b(?=\s+\w)", re.IGNORECASE)
_MAX_WORDS: Final = 5  # of an item of a list
_QUOTED: Final = re.compile(r"[‘“\"`](?P<item>[^‘’“”\"`]{2,40})[’”\"`]")
_TAIL: Final = re.compile(r"\b(?:of|in|on|under|at) (?:the )?[\w/.-]+")
_PLURALS: Final = ((r"ies$", "y"), (r"(ss|x|ch|sh)es$", r"\1"), (r"(?<!s)s$", ""))


def with_members(question: str, turns: Sequence[Turn], context: Context) -> str:
    """The question with members of the last list by name, or with the noun for "one"; unchanged if there are none."""
    if found := _WHICH.match(question):
        noun = _noun(context.asked, is_plural=found["one"].casefold() != "one")
        return f"Which {noun}{question[found.end() :]}" if noun else question
    items = () if ORDINAL.search(context.asked.text) else members(turns)
    if other := _the_other(items, turns[-1].resolved):
        used, left = other
        if _OTHER_ALONE.fullmatch(question.strip()):
            return turns[-1].resolved.replace(used, left)
        question = _OTHER.sub(lambda _: left, question)
    return _NTH.sub(lambda found: _nth(found, items), question)


def lacks_list(question: str, context: Context) -> bool:
    """Whether a question still names a member of a list that nobody gave."""
    if ORDINAL.search(context.asked.text):  # "And the second?" after "the first amendment"
        return False
    return bool(_NTH.search(question) or _OTHER_ALONE.fullmatch(question.strip()))


def members(turns: Sequence[Turn]) -> tuple[str, ...]:
    """The items of the last answer that was a list, or that quoted several terms."""
    for turn in reversed(turns):
        direct = turn.answer.direct
        if direct and direct.kind == "list":
            items = tuple(item.strip() for item in direct.text.split(",") if item.strip())
            return items if all(_is_item(item) for item in items) else ()
        first = turn.answer.statements[0].text if turn.answer.found and turn.answer.statements else ""
        quoted = tuple(dict.fromkeys(found["item"] for found in _QUOTED.finditer(first)))
        if len(quoted) > 1:
            return quoted
    return ()


def _is_item(text: str) -> bool:
    """Whether a part of a list names something, as opposed to a clause that announces it."""
    return len(text.split()) <= _MAX_WORDS and not re.match(r"(?:or|the following)\b", text, re.IGNORECASE)


def _nth(found: re.Match[str], items: Sequence[str]) -> str:
    """The item of that number; the words themselves if there is none."""
    word = found["nth"].casefold()
    at = {"last": len(items) - 1, "former": 0, "latter": 1}.get(word, -1)
    at = _POSITIONS.index(word) if word in _POSITIONS else at
    is_of_two = word not in ("former", "latter") or len(items) == 2
    return items[at] if is_of_two and 0 <= at < len(items) else found.group()


def _the_other(items: Sequence[str], asked: str) -> tuple[str, str] | None:
    """Of two items the one that the question before had, and the one that it had not."""
    if len(items) != 2:
        return None
    used = [item for item in items if item in asked]
    return (used[0], items[1 - items.index(used[0])]) if len(used) == 1 else None


def _noun(asked: Asked, *, is_plural: bool) -> str:
    """What the question before asked for, with the place that it named: "subdirectory of /var"."""
    noun, rest = asked.noun, asked.rest
    if not noun and asked.wh in ("which", "what") and (plural := _plural_after_verb(rest)):
        noun = plural
    if not noun or asked.wh not in ("which", "what", "how"):
        return ""
    tail = _TAIL.search(rest)
    return f"{noun if is_plural else _singular(noun)}{f' {tail.group()}' if tail and tail.group() not in noun else ''}"


def _plural_after_verb(rest: str) -> str:
    """The noun of "are the subdirectories of /var"."""
    words = [word.group() for word in WORD.finditer(rest)]
    if words[:1] and words[0].casefold() in AUXILIARY:
        words = words[1 + (words[1:2] == ["the"]) :]
    plural = [i for i, word in enumerate(words[:3]) if word.endswith("s") and not ORDINAL.fullmatch(word)]
    return " ".join(words[: plural[0] + 1]) if plural else ""


def _singular(noun: str) -> str:
    for pattern, ending in _PLURALS:
        if re.search(pattern, noun):
            return re.sub(pattern, ending, noun)
    return noun
