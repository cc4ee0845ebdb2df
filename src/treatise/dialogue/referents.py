"""What pronouns of a follow-up question refer to: mentions of the question before, and its answer."""

from dataclasses import dataclass
from typing import Final

from treatise.core.conversation import Turn
from treatise.dialogue.mentions import Asked, Mention, MentionKind, mentions_in, read_question, words_of
from treatise.dialogue.words import ARTICLES, AUXILIARY, DATE, NAME, WORD

_MAX_WORDS: Final = 8  # of an answer that can stand for a pronoun
_VALUES: Final = ("yes", "no", "list", "sentence", "computed")


@dataclass(frozen=True, slots=True)
class Context:
    """The turn before a follow-up question.

    Attributes:
        asked: Its question, in parts.
        direct: Its direct answer, if that has few words; else empty.
        key: The first sentence of its answer; empty if it was refused.
        evidence: The words of its evidence; see ``words_of``.
    """

    asked: Asked
    direct: str
    key: str
    evidence: str

    @property
    def names(self) -> list[Mention]:
        """The names in the question."""
        return [one for one in self.asked.mentions if one.kind is MentionKind.NAME]

    @property
    def terms(self) -> list[Mention]:
        """The terms in the question."""
        return [one for one in self.asked.mentions if one.kind is MentionKind.TERM]


def context_of(turn: Turn) -> Context:
    """What a follow-up question may refer to."""
    answer = turn.answer
    evidence = words_of(" ".join(passage.text for passage in answer.evidence.passages))
    direct = answer.direct
    is_short = direct is not None and direct.kind not in _VALUES and len(direct.text.split()) <= _MAX_WORDS
    key = answer.statements[0].text if answer.found and answer.statements else ""
    return Context(read_question(turn.resolved, evidence), direct.text if direct and is_short else "", key, evidence)


def thing(context: Context) -> str:
    """What "it" and "that" refer to."""
    asked = context.asked
    if asked.is_subject and asked.wh in ("which", "what") and asked.noun:
        return _asked_for(context)
    found = [one for one in asked.mentions if one.kind is not MentionKind.DATE]
    if found and _is_subject(asked, found[0]):
        return found[0].phrase
    if found:
        return (context.names or found)[0].phrase
    return context.direct or asked.noun


def _is_subject(asked: Asked, mention: Mention) -> bool:
    """Whether nothing but an auxiliary and an article stands between the question phrase and the mention."""
    between = WORD.findall(asked.text[asked.end : mention.start].casefold())
    return all(word in AUXILIARY or word in ARTICLES for word in between)


def several(context: Context) -> str:
    """What "they" refers to: a plural, else a name, else what "it" refers to."""
    plural = [one for one in context.asked.mentions if one.kind is not MentionKind.DATE and one.is_plural]
    if plural:
        return plural[0].phrase
    if context.asked.wh == "who":
        return person(context)
    if context.asked.noun.endswith("s"):
        return context.asked.noun
    return context.names[-1].phrase if context.names else thing(context)


def person(context: Context) -> str:
    """What "he" and "she" refer to: the person asked for, else a name in the question."""
    asked = context.asked
    if asked.wh in ("who", "whom"):
        return _name_in(context.direct) or _new_name(context, min_words=2) or _described(asked, "the person who")
    if context.names:
        return max(context.names, key=lambda one: len(one.text.split())).phrase
    return context.direct or (context.terms[0].phrase if context.terms else "")


def _name_in(direct: str) -> str:
    """The name that a short answer begins with: "Ben Collins led Debian"; else the whole of it."""
    names = [one for one in mentions_in(direct, "") if one.kind is MentionKind.NAME]
    return names[0].text if names and not names[0].start and " " in names[0].text else direct


def place(context: Context) -> str:
    """What "there" refers to, with its preposition."""
    asked = context.asked
    if asked.wh == "where":
        if context.direct:
            return context.direct if context.direct.casefold().startswith(("in ", "at ")) else f"in {context.direct}"
        return _place_in(context.key, asked.text) or f"where {asked.rest}"
    return _place_in(asked.text, "") or (f"in {thing(context)}" if thing(context) else "")


def time(context: Context) -> str:
    """What "then" and "that year" refer to, with its preposition."""
    for text in (context.asked.text, context.direct, context.key):
        if found := DATE.search(text):
            return f"in {found.group()}"
    return ""


def _asked_for(context: Context) -> str:
    """The answer to "which command …": the direct answer with the noun, else the question as a description."""
    asked = context.asked
    if context.direct:
        return (
            context.direct
            if asked.noun.casefold() in context.direct.casefold()
            else f"the {asked.noun} {context.direct}"
        )
    return _described(asked, f"the {asked.noun} that")


def _described(asked: Asked, beginning: str) -> str:
    return f"{beginning} {asked.rest}"


def _new_name(context: Context, *, min_words: int) -> str:
    """The first name in the answer's first sentence that the question does not have."""
    known = {word.group().casefold() for word in WORD.finditer(context.asked.text)}
    for mention in mentions_in(context.key, ""):
        words = mention.text.split()
        is_new = not known & {word.casefold() for word in words}
        if mention.kind is MentionKind.NAME and is_new and len(words) >= min_words:
            return mention.text
    return ""


def _place_in(text: str, known: str) -> str:
    """The first name after "in" or "at", with the preposition."""
    for preposition in (" in ", " at "):
        at = text.find(preposition)
        while at >= 0:
            name = NAME.match(text, at + len(preposition))
            if name and name.group() not in known and not DATE.fullmatch(name.group()):
                return f"{preposition.strip()} {name.group()}"
            at = text.find(preposition, at + 1)
    return ""
