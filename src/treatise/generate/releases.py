"""Questions for a version: which texts name one, and which passages stand below the heading of one."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from treatise.core.document import Document
from treatise.core.evidence import Passage
from treatise.core.patterns import lazy_pattern
from treatise.generate.asked import RELEASE, asks_release
from treatise.generate.beside import release_labels
from treatise.generate.fitting import CODE

_NAMED_RELEASE: Final = lazy_pattern(
    r"\d|(?:version|release)s? [\"“]?[A-Z]|[A-Z]\w+[\"”]? (?:version|release)|"
    r"\b(?i:named|called|codenamed?|hei(?:ß|ss)(?:t|en)|genannt|nommée?|appelée?|llamad[oa])\b|"
    r"\b(?i:latest|newest|oldest|current|stable|any|all|both|every) (?:\w+ ){0,2}(?:version|release)"
)
_WITH_DIGIT: Final = lazy_pattern(r"\w*\d+(?:\.\w+)*")
_VERSIONLESS: Final = 2.0  # what a passage loses without the version that is asked for


def names_release(question: str, text: str) -> bool:
    """Whether a text has what answers a question for a version: a number, or a name beside such a word.

    >>> names_release("Since which version does it run?", "It runs on Windows XP.")
    False
    >>> names_release("Which Windows version does it need?", "It runs on Windows XP.")
    True
    """
    found = RELEASE.match(question.strip())
    of = (found["of"] or "").strip() if found else ""
    is_named = of[:1].isupper() and re.search(rf"\b{re.escape(of)} [A-Z]", text)
    known = "|".join([*map(re.escape, _WITH_DIGIT.findall(question)), "(?!)"])
    own = re.sub(rf"(?<![\w.])(?:{known})(?![\w]|\.\d)", " ", CODE.sub(" ", text))
    return bool(is_named or _NAMED_RELEASE.search(own))


def below_release(question: str, passages: Sequence[Passage], documents: Mapping[str, Document]) -> list[bool]:
    """Whether each passage stands below the version of a release, if the question asks for one."""
    if not asks_release(question):
        return [False] * len(passages)
    firsts = {name: next(iter(release_labels(one)), None) for name, one in documents.items()}
    return [first is not None and first.start <= one.span.start for one in passages for first in [firsts[one.document]]]


def unversioned(question: str, texts: Sequence[str], is_below: Sequence[bool]) -> list[float]:
    """What a passage loses that neither names a version nor stands below one, if the question asks for one."""
    if not asks_release(question):
        return [0.0] * len(texts)
    has = [below or names_release(question, text) for below, text in zip(is_below, texts, strict=True)]
    return [-_VERSIONLESS * (any(has) and not one) for one in has]
