"""Fragments such as "And in 2019?" or "Why?", completed from the question before."""

import re
from typing import Final

from treatise.dialogue.mentions import Mention, MentionKind, mentions_in
from treatise.dialogue.referents import Context
from treatise.dialogue.words import (
    ARTICLES,
    AUXILIARY,
    COMMON_VERBS,
    DATE,
    FOREIGN,
    FUNCTION,
    HEAD_NOUNS,
    OPENERS,
    ORDINAL,
    POSSESSIVE,
    PREPOSITION,
    WH,
    WORD,
)

_MAX_WORDS: Final = 8
_BARE: Final = re.compile(
    r"^(?:and |but |so )?(?P<wh>why not|why|when|where|how|who|by whom|since when|until when|for how long|how long|"
    r"how many|how much|how often|which|which ones?)(?: exactly| then| so| was that| is that| is it| was it)?\s*\??$",
    re.IGNORECASE,
)
_OF: Final = re.compile(r"\bof\b", re.IGNORECASE)
_QUOTES: Final = "\"'“”‘’«»"
_THEN: Final = re.compile(r"(?:and |what )?(?:then|after that|afterwards)\s*\??", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<![\w.])v?\d+(?:\.\d+)*(?![\w.]*\w)")
_DATE_IN: Final = re.compile(rf"\b(?:in|on) (?P<date>{DATE.pattern})")
_PASSIVE: Final = re.compile(r"(?P<verb>\w+ed) (?P<object>.+)")


def completed(question: str, context: Context) -> str:
    """The question before with the fragment in it; empty if this is no fragment."""
    plain = question.strip()
    if _THEN.fullmatch(plain) and _DATE_IN.search(context.asked.text):
        return _DATE_IN.sub(lambda found: f"after {found['date']}", context.asked.text)
    if bare := _BARE.match(plain):
        return _with_question_word(bare["wh"], context)
    fragment = _fragment(plain)
    owner, _, owned = fragment.partition(" ")
    if owner.casefold() in POSSESSIVE:  # "its range" after "the resolution of the ADC" is the range of the ADC
        fragment = owned if _OF.search(context.asked.text) else ""
    return _with_fragment(fragment, context) if fragment else ""


def _fragment(question: str) -> str:
    """The words after "and" or "what about"; empty if they are a whole question."""
    rest = OPENERS.sub("", question, count=1)
    rest = re.sub(r"呢(?=[?？]?$)", "", rest).strip(" ?？¿")
    words = [word.group() for word in WORD.finditer(rest)]
    if not 0 < len(words) <= _MAX_WORDS:
        return ""
    plain = [word.casefold() for word in words]
    is_question = any(word in AUXILIARY or word in WH for word in (plain[0], *words[1:3]))
    if is_question:
        return ""
    is_opened = rest != question.strip(" ?？¿")
    starts_short = plain[0] in PREPOSITION or (len(words) <= 3 and not any(word in COMMON_VERBS for word in plain))
    return rest if is_opened or (starts_short and question.strip().endswith(("?", "？"))) else ""


def _with_question_word(wh: str, context: Context) -> str:
    """The question before, asked with another question word."""
    asked, wh = context.asked, wh[0].upper() + wh[1:].casefold()
    if wh.startswith("Which") and asked.wh == "how" and asked.noun:
        return f"Which {asked.noun} {asked.rest}?"
    wh = wh.replace("Which ones", "Which").replace("Which one", "Which")
    if not asked.wh:
        first, _, others = asked.text.strip(" ?").partition(" ")
        if wh == "Why not":
            wh, others = "Why", _negated(others)
        return f"{wh} {first.casefold()} {others}?" if first.casefold() in AUXILIARY else f"{wh}? {asked.text}"
    if not asked.is_subject:
        return f"{wh} {asked.rest}?"
    if passive := _PASSIVE.match(asked.rest):
        return f"{wh} was {passive['object']} {passive['verb']}?"
    subject = context.direct or ("someone" if asked.wh == "who" else f"the {asked.noun}".rstrip())
    return f"{wh} was it that {subject} {asked.rest}?"


def _negated(others: str) -> str:
    subject, _, rest = others.partition(" ")
    return f"{subject} not {rest}"


def _with_fragment(fragment: str, context: Context) -> str:
    question = context.asked.text.strip()
    new = _content(fragment)
    if DATE.search(fragment):
        return _replaced_date(question, fragment)
    if _NUMBER.fullmatch(new) and (numbers := list(_NUMBER.finditer(question))):
        return question[: numbers[-1].start()] + new + question[numbers[-1].end() :]
    if ORDINAL.search(fragment) and (old := ORDINAL.search(question)):
        return question[: old.start()] + _ordinal(fragment, old.group()) + question[old.end() :]
    if place := _with_shared_word(question, new) or _best_place(question, fragment, context):
        start, end = place
        new = new.strip(_QUOTES) if question[start - 1 : start] in _QUOTES else new
        return question[:start] + new + question[end:]
    return f"{question.rstrip(' ?')} {fragment}?"


def _with_shared_word(question: str, new: str) -> tuple[int, int] | None:
    """The words of the question that end or begin like the fragment: "clone command" for "reassign command"."""
    words, parts = list(WORD.finditer(question)), WORD.findall(new)
    if len(parts) < 2:
        return None
    for i, word in enumerate(words):
        shared, step = word.group().casefold(), 0
        if shared == parts[-1].casefold():
            step = -1
        elif shared == parts[0].casefold():
            step = 1
        end = i + step * (len(parts) - 1)
        if step and 0 <= end < len(words) and not _has_function_word(words[min(i, end) : max(i, end) + 1]):
            return words[min(i, end)].start(), words[max(i, end)].end()
    return None


def _has_function_word(words: list[re.Match[str]]) -> bool:
    return any(word.group().casefold() in FUNCTION or word.group().casefold() in FOREIGN for word in words)


def _content(fragment: str) -> str:
    """A fragment without preposition and article."""
    words = fragment.split()
    while len(words) > 1 and (words[0].casefold() in PREPOSITION or words[0].casefold() in ARTICLES):
        words = words[1:]
    return " ".join(words)


def _replaced_date(question: str, fragment: str) -> str:
    old, new = list(DATE.finditer(question)), list(DATE.finditer(fragment))
    if len(old) == len(new):
        dates = fragment[new[0].start() : new[-1].end()]
        return question[: old[0].start()] + dates + question[old[-1].end() :]
    words = fragment if fragment.split()[0].casefold() in PREPOSITION or " " in fragment else f"in {fragment}"
    return f"{question.rstrip(' ?')} {words}?"


def _ordinal(fragment: str, old: str) -> str:
    new = ORDINAL.search(fragment)
    assert new is not None  # the caller found one
    return new.group().capitalize() if old[:1].isupper() else new.group().casefold()


def _best_place(question: str, fragment: str, context: Context) -> tuple[int, int] | None:
    """The mention that the fragment replaces: of its kind, and best beside its neighbours in the evidence."""
    kind = next((one.kind for one in mentions_in(_content(fragment), context.evidence)), MentionKind.TERM)
    old = [*context.asked.mentions]
    if context.asked.noun and kind is MentionKind.TERM:
        start = question.find(context.asked.noun)
        old.append(Mention(context.asked.noun, MentionKind.TERM, start, start + len(context.asked.noun)))
    old = [one for one in old if one.kind is not MentionKind.DATE]
    places = [span for one in old for span in _parts(one, question, fragment)]
    if not places:
        return None
    kinds = {span: one.kind for one in old for span in _parts(one, question, fragment)}
    return max(places, key=lambda span: _fit(question, span, fragment, kinds[span] is kind, context))


def _parts(mention: Mention, question: str, fragment: str) -> list[tuple[int, int]]:
    """The mention, and each word of a term of several words, which a fragment of one word may replace."""
    whole = [(mention.start, mention.end)]
    if mention.kind is MentionKind.NAME or len(_content(fragment).split()) > 1 or " " not in mention.text:
        return whole
    *modifiers, head = WORD.finditer(question, mention.start, mention.end)
    if head.group().casefold() in HEAD_NOUNS:
        return [(mention.start, modifiers[-1].end())]
    return whole + [word.span() for word in WORD.finditer(question, mention.start, mention.end)]


def _fit(
    question: str, span: tuple[int, int], fragment: str, same_kind: bool, context: Context
) -> tuple[float, float, float, int]:
    """Preposition, kind, fit to the neighbours in the evidence, and a late place."""
    start, end = span
    new = _content(fragment).casefold()
    left = [word.group().casefold() for word in WORD.finditer(question, 0, start)][-1:]
    right = [word.group().casefold() for word in WORD.finditer(question, end)][:1]
    begins = fragment.split()[0].casefold()
    same_preposition = begins in PREPOSITION and _preposition_before(question, start) == begins
    beside = sum(f"{word} {new}" in context.evidence for word in left) + sum(
        f"{new} {word}" in context.evidence for word in right
    )
    old = question[start:end].casefold()
    shared = len(set(old.split()) & set(new.split())) + (len(old.split()) == len(new.split())) / 2
    return float(same_preposition), float(same_kind), beside + shared, start


def _preposition_before(question: str, start: int) -> str:
    words = [word.group().casefold() for word in WORD.finditer(question, 0, start)]
    while words and words[-1] in ("the", "a", "an"):
        words.pop()
    return words[-1] if words and words[-1] in PREPOSITION else ""
