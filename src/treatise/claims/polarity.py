"""What a sentence negates and how it is limited, to compare two sentences about the same thing.

A word is negated if it is in the scope of a negation: from the cue to the end of the clause, unless a second cue
cancels the first. Opposites ("increase", "reduce") and words with a negative prefix ("unsafe") count as the other word,
negated. Any wording of a difference ("less often") affirms "difference", and "no effect" negates it. The word lists are
English, with the most common Chinese cues. Words are compared by their stems.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.patterns import lazy_pattern

LIMITS: Final = lazy_pattern(
    r"(?<!\bthe )(?<!['’]s )(?<!\ban )(?<!\bits )(?<!\bhis )(?<!\bher )(?<!\btheir )\bonly\b|"  # not "only child"
    r"\b(?:unless|except(?:ing)?|provided|if|as long as|so long as|on condition|limited to|restricted to|"
    r"confined to|subject to|among|appl(?:y|ies|ied) to|in those|for those|without)\b"
    r"|只有|仅|除非|如果|除外|前提|条件|至少",
    re.IGNORECASE,
)
"""Words that limit a statement."""

_WORD: Final = lazy_pattern(r"[^\W\d_]+(?:['’]t\b)?|\d+(?:[.,:]\d+)*|[.,;:!?()—。，；：！？]")
_CUE: Final = lazy_pattern(
    r"not|no|never|none|nobody|nothing|neither|nor|cannot|without|hardly|fail(?:s|ed|ing)?|lack(?:s|ed|ing)?|unable|"
    r"den(?:y|ies|ied)|refute[sd]?|disprove[sdn]?|excluding|except|false|untrue|ceased|\w+n['’]t|不|没有|并非",
    re.IGNORECASE,
)
_NO_CUE: Final = lazy_pattern(
    r"\b(?:not|no) (?:only|just|merely|least|doubt|matter)\b|\bnot\b(?=[^.,;]{1,40}\buntil\b)", re.IGNORECASE
)
_OUTDATES: Final = lazy_pattern(r"\b(?:no longer|not? any ?more|ceased to)\b|不再", re.IGNORECASE)
_CLAUSE_ENDS: Final = frozenset(".,;:!?()—。，；：！？") | frozenset(
    ("but", "however", "although", "though", "while", "whereas", "because", "since", "which", "when", "where", "than")
)

_OPPOSITES: Final = (
    "more/less/fewer", "higher/lower", "greater/smaller", "increase/decrease/reduce/lower", "rise/fall", "rose/fell",
    "raise/cut", "improve/worsen", "better/worse", "longer/shorter", "earlier/later", "before/after", "above/below",
    "open/closed", "win/lose", "won/lost", "gain/loss", "success/failure", "succeed/fail", "accept/reject",
    "approve/refuse", "allow/forbid", "permit/prohibit", "support/oppose", "cause/prevent", "safe/dangerous/harmful",
    "alive/dead", "present/absent", "true/false", "first/last", "oldest/youngest", "largest/smallest", "male/female",
)  # fmt: skip
_GRADED: Final = 10  # the first rows are gradable: they state a difference
_DIFFERENCE: Final = ("difference", "effect", "change", "association", "impact", "influence")
_PREFIXES: Final = ("un", "in", "im", "ir", "il", "dis", "non")
_ENDINGS: Final = (
    "ations", "ation", "ingly", "ings", "ing", "edly", "ied", "ies", "ed", "es", "ly", "s", "d", "e", "y",
)  # fmt: skip
_SCOPE: Final = 10  # longest scope of a cue, in words
_SHORT: Final = 3  # shorter words are ignored, except capitals, numbers and opposites
_COVERED: Final = 0.4  # minimum share of the shorter sentence's words that are in the other


@dataclass(frozen=True, slots=True)
class Claim:
    """The content of a sentence that can be compared with another sentence.

    Attributes:
        denied: Whether each stem is negated.
        limits: Its limiting words.
        outdates: Whether it says that something is no longer so.
    """

    denied: dict[str, bool]
    limits: frozenset[str]
    outdates: bool

    @property
    def denies(self) -> bool:
        """Whether it negates anything."""
        return any(self.denied.values())

    def narrows(self, other: "Claim") -> bool:
        """Whether this sentence is limited and the other is not."""
        return bool(self.limits - other.limits) and self.limits >= other.limits


def claim_in(sentence: str) -> Claim:
    """What a sentence affirms and negates, and how it is limited.

    >>> claim_in("The drug is not safe for children.").denied
    {'drug': False, 'saf': True, 'children': True}
    """
    plain = _NO_CUE.sub(" ", sentence)
    denied: dict[str, bool] = {}
    for stem, is_denied in _words(plain):
        denied[stem] = denied.get(stem, False) or is_denied
    limits = frozenset(found.casefold() for found in LIMITS.findall(plain))
    return Claim(denied, limits, bool(_OUTDATES.search(sentence)))


def are_of_one_thing(one: Claim, other: Claim) -> bool:
    """Whether two sentences share at least two words, and two in five of the shorter one's."""
    first, second = _same_words(one.denied, other.denied), _same_words(other.denied, one.denied)
    n_shared = len(first.keys() & second.keys())
    return n_shared >= max(2, _COVERED * min(len(first), len(second)))


def is_denied_by(one: Claim, other: Claim) -> bool:
    """Whether two sentences about the same thing differ in a negation and share none."""
    first, second = _same_words(one.denied, other.denied), _same_words(other.denied, one.denied)
    pairs = [(first[word], second[word]) for word in first.keys() & second.keys()]
    return are_of_one_thing(one, other) and any(a != b for a, b in pairs) and not any(a and b for a, b in pairs)


def _words(sentence: str) -> Iterator[tuple[str, bool]]:
    left = 0  # of the scope
    for word in _WORD.findall(sentence):
        lower = word.casefold()
        stem = stemmed(lower)
        is_denied = left > 0
        left = max(0, left - 1)
        if lower in _CLAUSE_ENDS:
            left = 0
        elif _CUE.fullmatch(lower):
            left = 0 if is_denied else _SCOPE
        else:
            if stem in _GRADED_WORDS:
                yield _DIFFERENCE[0], is_denied
            if stem in _FIRST_OF:
                yield _FIRST_OF[stem], is_denied != (_FIRST_OF[stem] != stem)
            elif stem in _DIFFERENCE_STEMS:
                yield _DIFFERENCE[0], is_denied
            elif len(lower) > _SHORT or word.isupper() or word[0].isdigit():
                yield stem, is_denied


def _same_words(denied: dict[str, bool], others: dict[str, bool]) -> dict[str, bool]:
    """The words; a negative prefix is removed if the other sentence has the word without it."""
    return dict(_bare(word, is_denied, others) for word, is_denied in denied.items())


def _bare(word: str, is_denied: bool, others: dict[str, bool]) -> tuple[str, bool]:
    for prefix in _PREFIXES:
        if word.startswith(prefix) and word not in others and word.removeprefix(prefix) in others:
            return word.removeprefix(prefix), not is_denied
    return word, is_denied


def stemmed(word: str) -> str:
    """A word without its ending, by rules without a dictionary.

    >>> stemmed("reduces"), stemmed("reduced"), stemmed("reducing"), stemmed("bus")
    ('reduc', 'reduc', 'reduc', 'bus')
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORT:
            return word.removesuffix(ending)
    return word


def _stems(lines: Sequence[str]) -> list[list[str]]:
    return [[stemmed(word) for word in line.split("/")] for line in lines]


_FIRST_OF: Final = {word: words[0] for words in reversed(_stems(_OPPOSITES)) for word in words}
_GRADED_WORDS: Final = frozenset(word for words in _stems(_OPPOSITES[:_GRADED]) for word in words)
_DIFFERENCE_STEMS: Final = frozenset(map(stemmed, _DIFFERENCE))
