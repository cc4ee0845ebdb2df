"""A follow-up question made to stand alone, by rules over the turn before."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from treatise.core.conversation import Turn
from treatise.dialogue.fragments import completed
from treatise.dialogue.members import lacks_list, with_members
from treatise.dialogue.referents import Context, context_of, person, place, several, thing, time
from treatise.dialogue.words import (
    AUXILIARY,
    COMMON_VERBS,
    EXPLETIVE,
    FUNCTION,
    MANY,
    PERSONS,
    PLACES,
    POSSESSIVE,
    PREPOSITION,
    RELATIONAL,
    THINGS,
    TIMES,
    WORD,
)

_OPENER: Final = re.compile(r"^(?:and|but|so|ok|okay)\b[\s,]+", re.IGNORECASE)
_DEMONSTRATIVE: Final = frozenset({"this", "that", "these", "those"})
_TIME_NOUNS: Final = frozenset({"year", "time", "date", "day", "month", "period"})
_PLACE_NOUNS: Final = frozenset({"place", "city", "country", "town"})
_PERSON_NOUNS: Final = frozenset({"person", "man", "woman"})
_SUBORDINATORS: Final = frozenset({"when", "if", "after", "before", "because", "that", "until", "while", "as"})

_Referent = Callable[[Context], str]

_REFERENTS: Final[tuple[tuple[frozenset[str], _Referent], ...]] = (
    (THINGS, thing),
    (MANY, several),
    (PERSONS, person),
    (PLACES, place),
    (TIMES, time),
)


def resolve(question: str, turns: Sequence[Turn]) -> str:
    """The question, with what it refers to in the last turn; unchanged if it refers to nothing.

    Fragments ("And in 2019?", "Why?") are completed from the question before; pronouns are replaced by what that
    question or its answer mentions.
    """
    if not turns or not question.strip():
        return question
    context = context_of(turns[-1])
    question = with_members(question, turns, context)
    if lacks_list(question, context):
        return question
    return completed(question, context) or _without_pronouns(_without_opener(question), context)


def _without_opener(question: str) -> str:
    """A whole question without "And" before it."""
    rest = _OPENER.sub("", question)
    return rest[:1].upper() + rest[1:]


def _without_pronouns(question: str, context: Context) -> str:
    spared = [match.span() for match in EXPLETIVE.finditer(question)]
    words = list(WORD.finditer(question))
    result, at = "", 0
    known: frozenset[str] = frozenset()  # what has been replaced once is clear
    for i, word in enumerate(words):
        if (
            word.start() < at
            or word.group().casefold() in known
            or any(start <= word.start() < end for start, end in spared)
        ):
            continue
        found = _replacement(question, words, i, context)
        if found:
            text, end = found
            result += question[at : word.start()] + text
            at = end
            known |= _alike(word.group().casefold())
    return result + question[at:]


def _alike(pronoun: str) -> frozenset[str]:
    """The pronouns that refer to the same thing within a question."""
    return next((pronouns for pronouns, _ in _REFERENTS if pronoun in pronouns), frozenset())


def _replacement(question: str, words: list[re.Match[str]], i: int, context: Context) -> tuple[str, int] | None:
    """What replaces the word, and where the replaced text ends; None if it stays."""
    plain = words[i].group().casefold()
    for pronouns, referent in _REFERENTS:
        if plain in pronouns:
            return _pronoun(question, words, i, referent(context))
    if plain in _DEMONSTRATIVE or (plain == "the" and i + 1 < len(words)):
        return _noun_phrase(words, i, context)
    return None


def _pronoun(question: str, words: list[re.Match[str]], i: int, text: str) -> tuple[str, int] | None:
    plain, end = words[i].group().casefold(), words[i].end()
    if not text or _has_antecedent(question, words, i):
        return None
    if plain in TIMES and i == 0:  # "Then who …" is no time
        return None
    is_her = plain == "her" and i + 1 < len(words) and words[i + 1].group().casefold() not in FUNCTION
    return (_possessive(text) if plain in POSSESSIVE or is_her else text), end


def _possessive(text: str) -> str:
    return f"{text}'" if text.endswith("s") else f"{text}'s"


def _has_antecedent(question: str, words: list[re.Match[str]], i: int) -> bool:
    """Whether the question itself says what it means: "When a client connects, what does it do?"."""
    before = [word.group().casefold() for word in words[:i]]
    last_comma = max(question.rfind(mark, 0, words[i].start()) for mark in ",;:")
    if last_comma >= 0:
        before = [word.group().casefold() for word in words[:i] if word.end() <= last_comma]
    elif not (before and before[-1] in _SUBORDINATORS and i + 1 < len(words)):
        return False
    return any(word not in FUNCTION and word not in COMMON_VERBS for word in before)


def _noun_phrase(words: list[re.Match[str]], i: int, context: Context) -> tuple[str, int] | None:
    """ "that release", "the command": what the question before calls so, or its answer."""
    demonstrative = words[i].group().casefold() in _DEMONSTRATIVE
    following = words[i + 1].group() if i + 1 < len(words) else ""
    noun = following.casefold()
    if not noun or noun in FUNCTION or (demonstrative and noun in COMMON_VERBS):
        text = thing(context) if demonstrative and _is_pronoun(words, i) else ""
        return (text, words[i].end()) if text else None
    text = _called(noun, context, demonstrative=demonstrative) or _of_topic(noun, words, i, context)
    is_modified = i + 2 < len(words) and words[i + 2].group().casefold() in ("of", "that", "which", "who")
    return (text, words[i + 1].end()) if text and not is_modified else None


def _of_topic(noun: str, words: list[re.Match[str]], i: int, context: Context) -> str:
    """ "the default" of what the question before was about: a noun that is always one of something."""
    is_known = any(noun in one.text.casefold().split() for one in context.asked.mentions)
    is_alone = i + 2 >= len(words) or words[i + 2].group().casefold() in COMMON_VERBS | AUXILIARY
    topic = thing(context)
    return f"the {noun} of {topic}" if noun in RELATIONAL and is_alone and topic and not is_known else ""


def _is_pronoun(words: list[re.Match[str]], i: int) -> bool:
    """Whether "that" stands for a thing: after a verb or a preposition, or at the beginning."""
    before = words[i - 1].group().casefold() if i else ""
    return not before or before in AUXILIARY or before in PREPOSITION or i + 1 == len(words)


def _called(noun: str, context: Context, *, demonstrative: bool) -> str:
    asked = context.asked
    if demonstrative:
        for nouns, referent in ((_TIME_NOUNS, time), (_PLACE_NOUNS, place), (_PERSON_NOUNS, person)):
            if noun in nouns:
                text = referent(context)
                return text.partition(" ")[2] if text.startswith(("in ", "at ")) else text
    if asked.noun and asked.noun.casefold().split()[-1] == noun and asked.wh in ("which", "what"):
        return thing(context) if asked.is_subject else context.direct and f"the {noun} {context.direct}"
    for mention in asked.mentions:
        if mention.text.casefold().split()[-1] == noun and len(mention.text.split()) > 1:
            return mention.phrase
    if not demonstrative:
        return ""
    singular = noun.rstrip("s")
    same = [one for one in asked.mentions if one.text.casefold().rstrip("s") == singular]
    return "" if same else thing(context)
