"""Rule: what a statement negates is negated in the text, and the other way round."""

from collections.abc import Iterator
from typing import Final

from treatise.claims.difference import Difference, contradiction
from treatise.claims.words import Text, Word, particle

_CUES_TEXT: Final = """
not no never none nobody nothing neither nor cannot n't without
"""
_CUES: Final = frozenset(_CUES_TEXT.split())
_HIDDEN_TEXT: Final = """
unable hardly rarely seldom fail fails failed lack lacks lacked refuse refuses refused deny denies denied prohibit
prohibits prohibited forbid forbids forbidden prevent prevents prevented ban bans banned avoid avoids avoided stop
stops stopped cease ceased exclude excludes excluded few little instead rather than except unless false untrue
reject rejects rejected cancel cancelled remove removed absence absent illegal void disable disabled impossible
"""
_HIDDEN: Final = _CUES | frozenset(_HIDDEN_TEXT.split())
"""Words that may express a negation: near one of them, nothing is concluded."""

_PREFIXES: Final = ("un", "in", "im", "ir", "il", "dis", "non", "non-")
_HARMLESS_TEXT: Final = """
only just merely least more less fewer later longer doubt matter surprisingly
"""
_HARMLESS: Final = frozenset(_HARMLESS_TEXT.split())
_LIMITS: Final = frozenset(("only", "unless", "except", "excepting", "excluding", "until"))
_SCOPE: Final = 9
_CLAUSE_ENDS: Final = frozenset(".!?;:()。！？；")


def differing_negation(claim: Text, sentence: Text) -> Difference | None:
    """A word that one of the two negates and the other affirms.

    >>> differing_negation(Text("The rule does not apply to copies."), Text("The rule applies to copies.")).reason
    'the answer says “not apply”, the text “applies”'
    """
    if any(word.lower in _LIMITS for text in (claim, sentence) for word in text.words):
        return None  # "only if" and "not unless" say the same
    for first, second, is_claim in ((claim, sentence, True), (sentence, claim, False)):
        for cue, head in _negated(first.words):
            at = next((i for i, word in enumerate(second.words) if _same(word, head)), None)
            if at is not None and particle(second, second.words[at]) != particle(first, head):
                continue  # who looks past it does not look at it
            if at is not None and not _is_denied(second.words, head) and not _is_affirmed(first.words, head):
                here, there = f"{cue} {head.text}", second.words[at].text
                return contradiction("negation", *((here, there) if is_claim else (there, here)))
    return None


def _negated(words: tuple[Word, ...]) -> Iterator[tuple[str, Word]]:
    """Each cue with the first content word after it."""
    for i, word in enumerate(words):
        if not _is_cue(word):
            continue
        after = words[i + 1 : i + 6]
        if after and after[0].lower in _HARMLESS:
            continue
        heads = [one for one in _until_stop(after) if one.is_content][:1]
        yield from ((word.text, head) for head in heads)


def _is_cue(word: Word) -> bool:
    return word.lower in _CUES or word.lower.endswith("n't")


def _until_stop(words: tuple[Word, ...]) -> Iterator[Word]:
    for word in words:
        if word.is_stop:
            return
        yield word


def _is_denied(words: tuple[Word, ...], head: Word) -> bool:
    """Whether a negation, open or hidden, is near the word at any of its places."""
    places = [i for i, word in enumerate(words) if _same(word, head)]
    near = [word for i in places for word in (*_clause_before(words, i), *_until_stop(words[i + 1 : i + 4]))]
    is_prefixed = any(_has_prefix(words[i], head) for i in places)
    return is_prefixed or any(_is_cue(word) or word.lower in _HIDDEN for word in near)


def _is_affirmed(words: tuple[Word, ...], head: Word) -> bool:
    """Whether the word also stands where nothing negates it."""
    places = [i for i, word in enumerate(words) if word.stem == head.stem]
    return any(not any(_is_cue(word) for word in _clause_before(words, i)) for i in places)


def _clause_before(words: tuple[Word, ...], at: int) -> Iterator[Word]:
    """The words before a place within its clause, the nearest first."""
    for word in reversed(words[max(0, at - _SCOPE) : at]):
        if word.text in _CLAUSE_ENDS:
            return
        yield word


def _same(word: Word, head: Word) -> bool:
    return word.stem == head.stem or _has_prefix(word, head) or _has_prefix(head, word)


def _has_prefix(word: Word, head: Word) -> bool:
    return any(word.lower == prefix + head.lower for prefix in _PREFIXES)
