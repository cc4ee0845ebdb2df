# ruff: noqa: ARG001  (all edits have one signature)
"""Turns a sentence into claims about it by rules: false ones with one change, and true ones in other words.

For training data (``training_claims.py``) and for measuring the check of claims (``claims.py``). Independent of the
rules of ``treatise.generate``, so that those are not measured by themselves.
"""

import itertools
import random
import re
from collections.abc import Callable, Sequence
from typing import Final

Edit = Callable[[str, Sequence[str], random.Random], str | None]
"""From a sentence, the names of its document and a source of chance to a claim; None if the rule does not apply."""

NUMBER: Final = re.compile(
    r"(?<![\w.,$€£-])[$€£]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.,-])[$€£]?\d+(?:\.\d+)?(?![\w,-]|\.\d)"
)
YEAR: Final = re.compile(r"\b(?:1[5-9]\d\d|20[0-4]\d)\b")
NAME: Final = re.compile(r"(?<!^)(?<![.?!\"“‘'(] )\b[A-Z][a-z]{2,}(?: (?:of |the |de )?[A-Z][a-z]{2,})*\b")
_WRITTEN: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WRITTEN_NUMBER: Final = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
_BE: Final = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must|may|shall|has been|have been|had been)\b"
    r"(?! (?:not|no|never)\b)(?=\s)"
)
_NOT: Final = re.compile(r"\b(?:(is|are|was|were|will|would|should|could|may|must|shall|do|does|did) not|(can)not)\b")
_UNITS: Final = (
    ("million", "billion"), ("thousand", "million"), ("percent", "percentage points"), ("hours", "days"),
    ("days", "weeks"), ("minutes", "hours"), ("seconds", "minutes"), ("months", "years"), ("years", "months"),
    ("weeks", "months"), ("kilometers", "miles"), ("miles", "kilometres"), ("km", "miles"), ("metres", "feet"),
    ("meters", "feet"), ("feet", "metres"), ("kg", "pounds"), ("words", "sentences"), ("sentences", "documents"),
    ("billion", "million"), ("tokens", "characters"), ("acres", "square miles"), ("%", " per mille"),
)  # fmt: skip
_QUANTITIES: Final = (
    ("at least", "at most"), ("at most", "at least"), ("more than", "fewer than"), ("less than", "more than"),
    ("fewer than", "more than"), ("up to", "at least"), ("all", "none of the"), ("every", "no"), ("each", "no"),
    ("most", "few"), ("many", "few"), ("some", "no"), ("several", "no"), ("any", "no"), ("always", "never"),
    ("never", "always"), ("no", "every"), ("both", "neither of the"), ("often", "never"), ("a few", "all"),
    ("only", "not only"), ("none", "all"), ("usually", "never"), ("few", "many"),
)  # fmt: skip
_MODALS: Final = (
    ("may", "must"), ("must", "may"), ("shall", "may"), ("may not", "may"), ("must not", "may"), ("shall not", "may"),
    ("can", "must"), ("should", "need not"), ("will", "will never"), ("required to", "free not to"),
    ("is permitted to", "is obliged to"), ("optional", "mandatory"), ("mandatory", "optional"),
)  # fmt: skip
_ANTONYMS: Final = (
    ("increased", "decreased"), ("increase", "decrease"), ("decreased", "increased"), ("increases", "decreases"),
    ("decrease", "increase"), ("higher", "lower"), ("lower", "higher"), ("larger", "smaller"), ("largest", "smallest"),
    ("elected", "removed"), ("removed", "elected"), ("accepted", "rejected"), ("rejected", "accepted"),
    ("before", "after"), ("after", "before"), ("first", "last"), ("last", "first"), ("best", "worst"),
    ("better", "worse"), ("won", "lost"), ("lost", "won"), ("allows", "forbids"), ("allow", "prevent"),
    ("began", "ended"), ("opened", "closed"), ("rose", "fell"), ("fell", "rose"), ("gained", "lost"),
    ("improves", "worsens"), ("improve", "worsen"), ("outperforms", "underperforms"), ("includes", "excludes"),
    ("included", "excluded"), ("joined", "left"), ("north", "south"), ("south", "north"), ("east", "west"),
    ("western", "eastern"), ("northern", "southern"), ("positive", "negative"), ("negative", "positive"),
    ("major", "minor"), ("old", "new"), ("new", "old"), ("early", "late"), ("late", "early"), ("male", "female"),
    ("public", "private"), ("private", "public"), ("oldest", "youngest"), ("bought", "sold"), ("sold", "bought"),
    ("acquired", "sold"), ("granted", "refused"), ("enabled", "disabled"), ("disabled", "enabled"), ("more", "less"),
    ("less", "more"), ("supports", "opposes"), ("started", "stopped"), ("approved", "rejected"), ("strong", "weak"),
    ("born", "buried"), ("highest", "lowest"), ("longer", "shorter"), ("rich", "poor"), ("sad", "happy"),
    ("supervised", "unsupervised"), ("manually", "automatically"), ("automatically", "manually"), ("earlier", "later"),
)  # fmt: skip
_SYNONYMS: Final = (
    ("in order to", "to"), ("approximately", "about"), ("however, ", ""), ("began", "started"), ("because", "since"),
    ("many", "a lot of"), ("also ", ""), ("such as", "like"), ("often", "frequently"), ("large", "big"),
    ("obtain", "get"), ("purchase", "buy"), ("purchased", "bought"), ("located", "situated"), ("utilize", "use"),
    ("as well as", "and"), ("is able to", "can"), ("are able to", "can"), ("employ", "use"), ("whilst", "while"),
    ("near", "close to"), ("show", "demonstrate"), ("shows", "demonstrates"), ("propose", "suggest"),
    ("major", "important"),
    ("children", "kids"), ("prior to", "before"), ("subsequently", "later"), ("required to", "obliged to"),
    ("shall", "must"), ("must", "has to"), ("famous", "well-known"), ("big", "large"), ("entire", "whole"),
    ("we use", "the authors use"), ("we propose", "the authors propose"), ("our", "their"), ("we", "they"),
    ("more than", "over"), ("at least", "no fewer than"), ("not", "n't"), ("contains", "includes"), ("film", "movie"),
    ("created", "made"), ("built", "constructed"), ("home to", "the home of"), ("wife", "spouse"), ("therefore", "so"),
    ("received", "got"), ("attempt", "try"), ("complete", "finish"), ("assist", "help"), ("initial", "first"),
)  # fmt: skip


def swap_number(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """Another number of the same form, in digits or words."""
    digits = [found for found in NUMBER.finditer(sentence) if not YEAR.fullmatch(found.group())]
    written = list(_WRITTEN_NUMBER.finditer(sentence))
    if not digits + written:
        return None
    found = chance.choice(digits + written)
    return _put(sentence, found, _other_number(found.group(), chance))


def swap_year(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """Another year, 1 to 30 years away."""
    return _changed(
        sentence, YEAR, lambda year: str(int(year) + chance.choice((-1, 1)) * chance.randint(1, 30)), chance
    )


def swap_name(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """Another name of the document with as many words."""
    found = list(NAME.finditer(sentence))
    if not found:
        return None
    old = chance.choice(found)
    fits = [one for one in names if len(one.split()) == len(old.group().split()) and not _overlap(one, sentence)]
    return _put(sentence, old, chance.choice(fits)) if fits else None


def exchange_names(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """Two names exchanged around an active verb or a comparison: who did what to whom."""
    found = list(NAME.finditer(sentence))
    for first, second in itertools.pairwise(found):
        between = sentence[first.end() : second.start()]
        is_relation = re.search(r"\b(?:than|by|from|to|before|after|over|against|defeated|gave|told|\w+ed)\b", between)
        if is_relation and not re.search(r"\b(?:and|or|between)\b|[,;]", between) and first.group() != second.group():
            middle = sentence[first.end() : second.start()]
            return sentence[: first.start()] + second.group() + middle + first.group() + sentence[second.end() :]
    return None


def reorder(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """The order of two events reversed: ``A before B`` to ``B before A``."""
    found = re.fullmatch(r"([A-Z][^,;]{15,}?) (before|after) ((?:he|she|they|it|the|his|her|a) [^,;]{12,})\.", sentence)
    if not found:
        return None
    other = "after" if found.group(2) == "before" else "before"
    return f"{found.group(1)} {other} {found.group(3)}."


def negate(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """A negation inserted after the first auxiliary, or removed."""
    if found := _NOT.search(sentence):
        return _put(sentence, found, found.group(1) or found.group(2))
    if found := _BE.search(sentence):
        word = found.group(1)
        first, _, rest = word.partition(" ")
        return _put(sentence, found, f"{first} not {rest}".strip() if first != "can" else "cannot")
    return None


def swap_unit(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """Another unit or scale after a number."""
    return _swapped(sentence, _UNITS, chance, before=r"(?<=\d )|(?<=\d)|(?<=hundred )|(?<=two )|(?<=three )|(?<=four )")


def swap_quantity(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """Another quantifier."""
    return _swapped(sentence, _QUANTITIES, chance)


def swap_modal(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """Another modality."""
    return _swapped(sentence, _MODALS, chance)


def swap_antonym(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """A word replaced by its opposite."""
    return _swapped(sentence, _ANTONYMS, chance)


def condense(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """Without a parenthesis, an opening phrase or a closing clause that does not limit the statement."""
    short = re.sub(r" ?\([^()]*\)| ?\[[^\[\]]*\]", "", sentence)
    short = re.sub(r"^(?:In addition|Moreover|Furthermore|However|Finally|Also|Thus|Therefore|Indeed), ", "", short)
    short = re.sub(r", (?:which|who|where|while|whereas|as well as|including|such as)\b[^,;]{12,}\.$", ".", short)
    short = re.sub(r", (?:who|which) [^,;]{8,80},(?= \w)", "", short)
    short = re.sub(r"^(?:In|During|Since|By|On) [^,;]{3,30}, (?=[a-z])", "", short)
    short = short[:1].upper() + short[1:]
    return short if short != sentence and len(short.split()) >= 5 else None


def reword(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """With synonyms, and numbers in the other notation."""
    changed = sentence
    for old, new in chance.sample(_SYNONYMS, len(_SYNONYMS)):
        if old == "not":
            changed = re.sub(r"\b(is|are|was|were|does|did|do) not\b", r"\1n't", changed)
        else:
            changed = _like(changed, old, new)
    changed = re.sub(r"(\d) ?%", r"\1 percent", changed)
    changed = re.sub(r"(?<=\d),(?=\d{3}\b)", "", changed)
    changed = re.sub(rf"\b({'|'.join(_WRITTEN[1:])})\b", lambda m: str(_WRITTEN.index(m.group()) + 1), changed)
    return changed if changed.casefold() != sentence.casefold() else None


def condense_and_reword(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """Both."""
    short = condense(sentence, names, chance)
    return reword(short, names, chance) if short else None


def verbatim(sentence: str, names: Sequence[str], chance: random.Random) -> str | None:
    """Unchanged."""
    return sentence


FALSE: Final[dict[str, Edit]] = {
    "number": swap_number, "year": swap_year, "name": swap_name, "roles": exchange_names, "order": reorder,
    "negation": negate, "unit": swap_unit, "quantity": swap_quantity, "modality": swap_modal, "antonym": swap_antonym,
}  # fmt: skip
TRUE: Final[dict[str, Edit]] = {
    "verbatim": verbatim, "condensed": condense, "reworded": reword, "condensed and reworded": condense_and_reword,
}  # fmt: skip


def names_of(text: str) -> list[str]:
    """The names of a text, each once."""
    return list(dict.fromkeys(NAME.findall(text)))


def _changed(sentence: str, kind: re.Pattern[str], new: Callable[[str], str], chance: random.Random) -> str | None:
    found = list(kind.finditer(sentence))
    if not found:
        return None
    old = chance.choice(found)
    return _put(sentence, old, new(old.group()))


def _put(sentence: str, old: re.Match[str], new: str) -> str:
    return sentence[: old.start()] + new + sentence[old.end() :]


def _swapped(
    sentence: str, pairs: Sequence[tuple[str, str]], chance: random.Random, before: str = r"(?<![\w-])"
) -> str | None:
    for old, new in chance.sample(list(pairs), len(pairs)):
        end = r"(?![\w-])" if old[-1].isalnum() else ""
        if found := re.search(rf"(?:{before}){re.escape(old)}{end}", sentence, re.IGNORECASE):
            return _put(sentence, found, new.capitalize() if found.group()[0].isupper() else new)
    return None


def _like(sentence: str, old: str, new: str) -> str:
    end = r"\b" if old[-1].isalnum() else ""
    return re.sub(rf"\b{re.escape(old)}{end}", lambda m: new.capitalize() if m.group()[0].isupper() else new,
                  sentence, count=1, flags=re.IGNORECASE)  # fmt: skip


def _other_number(number: str, chance: random.Random) -> str:
    if number in _WRITTEN:
        return chance.choice([word for word in _WRITTEN[1:] if word != number])
    digits = [i for i, char in enumerate(number) if char.isdigit()]
    at = chance.choice(digits[: max(1, len(digits) - number.count("."))])
    low = "1" if at == digits[0] and len(digits) > 1 else "0"
    return number[:at] + chance.choice([d for d in "0123456789" if d >= low and d != number[at]]) + number[at + 1 :]


def _overlap(name: str, sentence: str) -> bool:
    return any(word in sentence for word in name.split())
