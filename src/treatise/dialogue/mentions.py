"""What a question asks for and what it mentions, by its words and those of the evidence."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from treatise.dialogue.words import (
    AUXILIARY,
    BE_AND_HAVE,
    COMMON_VERBS,
    DATE,
    FOREIGN,
    FUNCTION,
    HEAD_NOUNS,
    NAME,
    ORDINAL,
    PREPOSITION,
    WH,
    WORD,
)

_ARTICLES: Final = ("the", "a", "an")
_LINKS: Final = (" of ", " of the ", " for ", " in ")
_SUBJECTS: Final = ("i", "we", "you", "it", "they", "he", "she", "there", "one")
_DETERMINERS: Final = (*_ARTICLES, "this", "that", "my", "our", "each")
_COUNTED: Final = ("many", "much", "long", "often", "far", "old", "large", "big", "high")


_AFTER_VERBS: Final = (*_ARTICLES, "if", "when", "after", "before", "to", "this", "that")
"""Words that follow a verb and no noun."""


class MentionKind(StrEnum):
    """The kind of a mention, by its form."""

    NAME = "name"
    DATE = "date"
    TERM = "term"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name, a date or a term in a question.

    Attributes:
        text: Its words, without an article.
        kind: Its kind.
        start, end: Characters of the question.
        article: ``"the"`` if an article stands before it, else empty.
    """

    text: str
    kind: MentionKind
    start: int
    end: int
    article: str = ""

    @property
    def phrase(self) -> str:
        """The words with their article."""
        return f"{self.article} {self.text}".strip()

    @property
    def is_plural(self) -> bool:
        """Whether its last word looks like a plural."""
        return self.text.endswith("s") and not self.text.endswith(("ss", "us", "is"))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in parts: ``Which command | duplicates a bug report``.

    Attributes:
        text: The question.
        wh: Its first word in lower case if that is a question word, else empty.
        noun: The noun that the question word asks for, such as ``command``; else empty.
        end: Where the question phrase ends: 0 without one.
        is_subject: Whether the question phrase is the subject, as in "Who founded Debian?".
        mentions: After the question phrase, in order.
    """

    text: str
    wh: str
    noun: str
    end: int
    is_subject: bool
    mentions: tuple[Mention, ...]

    @property
    def rest(self) -> str:
        """What follows the question phrase, without the question mark."""
        return self.text[self.end :].strip(" ?")


def read_question(text: str, evidence: str) -> Asked:
    """The parts of a question; ``evidence`` is ``words_of`` a text of the documents, which knows the terms."""
    words = list(WORD.finditer(text))
    if words and words[0].group().casefold() in PREPOSITION:
        words = words[1:]
    wh, noun, end, is_subject = _question_phrase(words)
    verb = WORD.search(text, end) if is_subject else None
    start = verb.end() if verb and verb.group().casefold() not in AUXILIARY else end
    mentions = _without_verb(text, end, mentions_in(text, evidence, start))
    return Asked(text, wh, noun, end, is_subject, tuple(mentions))


def _without_verb(text: str, end: int, mentions: list[Mention]) -> list[Mention]:
    """The mentions, less the verb after the subject: "boil" in "does water boil"."""
    first = WORD.search(text, end)
    if len(mentions) < 2 or first is None or first.group().casefold() not in ("do", "does", "did"):
        return mentions
    subject, verb = mentions[:2]
    is_verb = verb.kind is MentionKind.TERM and verb.start == subject.end + 1
    return [subject, *mentions[2:]] if is_verb else mentions


def _question_phrase(words: list[re.Match[str]]) -> tuple[str, str, int, bool]:
    if not words or (wh := words[0].group().casefold()) not in WH:
        return "", "", 0, False
    at = 1
    if wh == "what" and len(words) > 2 and _is_verb(words[1].group(), words[2].group()):
        return wh, "", words[0].end(), True
    is_counted = wh == "how" and at < len(words) and words[at].group().casefold() in _COUNTED
    if is_counted or wh in ("which", "what", "whose"):
        while at < len(words) and words[at].group().casefold() not in AUXILIARY and at < 4 + is_counted:
            if at > 1 + is_counted and not _continues_noun(words, at):
                break
            at += 1
    noun = " ".join(word.group() for word in words[1 + is_counted : at])
    return wh, noun, words[at - 1].end(), _is_predicate(wh, [word.group() for word in words[at:]])


def _is_verb(word: str, following: str) -> bool:
    """Whether the word after "what" is a verb: "What happens if …", "What owns the …"."""
    return word.casefold() not in AUXILIARY and following.casefold() in _AFTER_VERBS


def _is_predicate(wh: str, words: list[str]) -> bool:
    """Whether the question phrase is the subject of these words: ``founded …``, ``was the first …``, ``can vote``."""
    if wh in ("when", "where", "why", "whom"):
        return False
    if not words or (first := words[0].casefold()) not in AUXILIARY:
        return bool(words)
    following = words[1] if len(words) > 1 else "I"
    if following[0].isupper() or following.casefold() in _SUBJECTS or first in ("do", "does", "did"):
        return False
    return first in BE_AND_HAVE or following.casefold() not in _DETERMINERS


def _continues_noun(words: list[re.Match[str]], at: int) -> bool:
    """Whether an auxiliary soon follows: ``Which init system | did``; else the noun has one word."""
    return any(word.group().casefold() in AUXILIARY for word in words[at : at + 3])


def mentions_in(text: str, evidence: str, start: int = 0) -> list[Mention]:
    """The mentions after ``start``, in order, without overlap."""
    found = [_mention(text, m.start(), m.end(), MentionKind.DATE) for m in DATE.finditer(text, start)]
    for match in NAME.finditer(text, start):
        begin = _after_function_words(text, match.start(), match.end())
        if begin < match.end() and not _overlaps(found, begin, match.end()):
            found.append(_mention(text, begin, match.end(), MentionKind.NAME))
    found += _terms(text, evidence, start, found)
    return _with_names(text, sorted(found, key=lambda mention: mention.start))


def _with_names(text: str, mentions: list[Mention]) -> list[Mention]:
    """The mentions, each term joined to a name directly after it: "the name Debian"."""
    joined: list[Mention] = []
    for mention in mentions:
        last = joined[-1] if joined else None
        if (
            last
            and last.kind is MentionKind.TERM
            and mention.kind is MentionKind.NAME
            and last.end + 1 == mention.start
        ):
            joined[-1] = _mention(text, last.start, mention.end, MentionKind.TERM)
        else:
            joined.append(mention)
    return joined


def _after_function_words(text: str, start: int, end: int) -> int:
    """The start of a name without a capitalised function word before it, as in "Does Debian"."""
    for word in WORD.finditer(text, start, end):
        if not _is_function(word.group()):
            return word.start()
    return end


def _terms(text: str, evidence: str, start: int, known: list[Mention]) -> list[Mention]:
    """Runs of other words that stand together in the evidence, joined over "of" if the evidence has that."""
    words = [word for word in WORD.finditer(text, start) if not _overlaps(known, word.start(), word.end())]
    runs: list[tuple[int, int]] = []
    for word in words:
        if _is_content(word.group()):
            last = runs[-1] if runs else None
            is_known = last and _stands(text[last[0] : word.end()], evidence)
            if last and text[last[1] : word.start()] == " " and (is_known or word.group() in HEAD_NOUNS):
                runs[-1] = (last[0], word.end())
            else:
                runs.append((word.start(), word.end()))
    return [_mention(text, *run, MentionKind.TERM) for run in _linked(text, evidence, runs)]


def _linked(text: str, evidence: str, runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for run in runs:
        last = joined[-1] if joined else None
        if last and text[last[1] : run[0]] in _LINKS and _stands(text[last[0] : run[1]], evidence):
            joined[-1] = (last[0], run[1])
        else:
            joined.append(run)
    return joined


def words_of(text: str) -> str:
    """The words of a text in lower case, each between blanks: what ``evidence`` must be."""
    return f" {' '.join(WORD.findall(text.casefold()))} "


def _stands(phrase: str, evidence: str) -> bool:
    return words_of(phrase) in evidence


def _is_content(word: str) -> bool:
    plain = word.casefold()
    return not _is_function(word) and plain not in COMMON_VERBS and (len(plain) > 2 or not plain.isascii())


def _is_function(word: str) -> bool:
    return word.casefold() in FUNCTION or word.casefold() in FOREIGN


def _mention(text: str, start: int, end: int, kind: MentionKind) -> Mention:
    for ordinal in ORDINAL.finditer(text, 0, start):
        start = ordinal.start() if text[ordinal.end() : start].isspace() else start
    before = text[:start].rstrip().rpartition(" ")[2].casefold()
    article = "the" if before in _ARTICLES and kind is not MentionKind.DATE else ""
    return Mention(text[start:end], kind, start, end, article)


def _overlaps(mentions: list[Mention], start: int, end: int) -> bool:
    return any(mention.start < end and start < mention.end for mention in mentions)
