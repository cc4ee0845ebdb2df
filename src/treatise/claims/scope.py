"""Rules: exceptions, ends of a period, clauses and the first halves of compounds say the same in statement and text."""

import re
from typing import Final

from treatise.claims.difference import Difference, contradiction
from treatise.claims.opposites import opposite_word
from treatise.claims.words import Text
from treatise.core.patterns import lazy_pattern

_EXCEPT: Final = re.compile(
    r"\b(?:except(?:ing)?(?: for| in| as| that)?|excluding|other than|apart from|save for|with the exception of)\s+"
    r"(?P<what>[^,;.]+)",
    re.IGNORECASE,
)
_LIMITED: Final = re.compile(
    r"\b(?:except\w*|exclu\w+|other than|apart from|unless|not|no|never|without|\w+n['’]t)\b", re.IGNORECASE
)
_FROM_TO: Final = re.compile(
    r"\bfrom\s+(?P<start>[^,;.]{1,40}?)\s+(?:to|until|till)\s+(?P<end>[^,;.]{1,40})", re.IGNORECASE
)
_STARTS: Final = lazy_pattern(r"\b(?:beg[aiu]n\w*|start(?:s|ed)?|open(?:s|ed)?|commenc\w+)\b", re.IGNORECASE)
_ENDS: Final = lazy_pattern(r"\b(?:end(?:s|ed)?|finish(?:es|ed)?|clos(?:es|ed)|conclud\w+|ceas\w+)\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[,;()]|\b(?:while(?:as)?|whereas|but|and)\b", re.IGNORECASE)
_ABOUT: Final = 0.5  # minimum share of a clause's words in the clause of the text about the same
_COMPOUND: Final = re.compile(r"\b([^\W\d_]{2,})-([^\W\d_]{3,})\b")
_LIGHT: Final = Text("case cases event events matter matters part parts").content
_RELATED: Final = 3  # letters at the start of heads that may be forms of one word


def within_exception(claim: Text, sentence: Text) -> Difference | None:
    """The statement applies the text to what the text excepts.

    >>> within_exception(Text("Cats pay rent."), Text("All animals, except cats, pay rent.")).reason
    'the answer says “Cats pay rent.”, the text “except cats”'
    """
    if _LIMITED.search(claim.text):
        return None
    for found in _EXCEPT.finditer(sentence.text):
        what = Text(found["what"]).content - _LIGHT
        rest = Text(sentence.text[: found.start()] + sentence.text[found.end() :]).content
        if what - rest and what - rest <= claim.content:
            return contradiction("exception", claim.text, found[0])
    return None


def other_end(claim: Text, sentence: Text) -> Difference | None:
    """The statement begins something at the end of its period in the text, or ends it at the start.

    >>> other_end(Text("It began on 17 July."), Text("It was held from 10 July to 17 July.")).rule
    'order'
    """
    period = _FROM_TO.search(sentence.text)
    if not period:
        return None
    starts, ends = (Text(period[name]).content for name in ("start", "end"))
    first, last = starts - ends, ends - starts
    for verb, right, wrong in ((_STARTS, first, last), (_ENDS, last, first)):
        if (
            verb.search(claim.text)
            and not _FROM_TO.search(claim.text)
            and wrong & claim.content
            and not right & claim.content
        ):
            return contradiction("order", claim.text, period[0])
    return None


def opposite_in_clause(claim: Text, sentence: Text) -> Difference | None:
    """A clause of the statement says the opposite of the clause of the text that is about the same.

    >>> opposite_in_clause(Text("Green tea was added."), Text("Green tea was removed, while milk was added.")).reason
    'the answer says “added”, the text “removed”'
    """
    there = _clauses(sentence)
    for clause in _clauses(claim) if len(there) > 1 else ():
        nearest = sorted(there, key=lambda one: -one.covers(clause))
        is_about_it = nearest[0].covers(clause) >= _ABOUT and nearest[0].covers(clause) > nearest[1].covers(clause)
        if is_about_it and (found := opposite_word(clause, nearest[0])):
            return found
    return None


def _clauses(text: Text) -> list[Text]:
    parts = (Text(part) for part in _CLAUSE.split(text.text))
    return [part for part in parts if len(part.content) > 1]


def other_compound(claim: Text, sentence: Text) -> Difference | None:
    """A compound of the statement whose second half the text has behind another first half only.

    >>> other_compound(Text("It is full-duplex."), Text("It is a half-duplex protocol.")).reason
    'the answer says “full-duplex”, the text “half-duplex”'
    """
    here, there = ([one.groups() for one in _COMPOUND.finditer(text.text)] for text in (claim, sentence))
    known = {word.lower for word in sentence.words}
    for head, tail in here:
        others = [other for other, same in there if same.casefold() == tail.casefold()]
        is_same = any(other[:_RELATED].casefold() == head[:_RELATED].casefold() for other in others)
        if others and not is_same and head.casefold() not in known:
            return contradiction("opposite", f"{head}-{tail}", f"{others[0]}-{tail}")
    return None
