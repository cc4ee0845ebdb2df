"""Corrects sentence boundaries where a splitter by full stops is wrong.

The lists cover English, and common German, French and Russian abbreviations. Other boundaries stay unchanged.
"""

import re
from collections.abc import Iterator
from typing import Final


def _alternatives(words: str) -> str:
    return "|".join(word.replace(".", r"\.\s?") for word in words.split())


_TITLES: Final = (
    "Mr Mrs Ms Mx Dr Drs Prof Rev Gov Sen Rep Gen Col Capt Cpt Lt Sgt Maj Cmdr Adm Hon Messrs Mme Mlle Fr Sr Attn Mt "
    "Ft St Ste Supt Pres Wm Chas Geo Jas Jos Thos Hr Fam Dipl Ing Cllrs? Ald Amb Atty Insp Brig Cdr Sra? Dra? Lic "
    "Fa Hrn Sres Dña Avda Sig Dott Avv"
)
_STARTS_OF_NOTES: Final = (
    "e.g i.e cf viz vs v approx ca incl excl esp bzw vgl z.B d.h u.a sog evtl ggf Sched App Exh Ex Attn c/o fka dba"
)
_NUMBERED: Final = (
    "eqs? figs? tabs? secs? sects? vols? nos? nr arts? apt pp? chs? chap approx ca cf abb abs kap bd paras? tel fax "
    "ste rm v ver pub pts? regs sched cl jan feb mar apr jun jul aug sept? oct nov dec max min рис табл гл стр см"
)
_SHORT: Final = (
    "resp approx incl excl etc al cf ca vs viz esp eds? vol trans dept est temp press max min avg tel fax ext "
    "km cm mm kg mg ml ft yd lb lbs oz sq hrs? mins? secs? yrs? mos? wks? bldg blvd ave st rd apt univ assn utd "
    "cir ct dist div inc corp ltd co bros jr sr esq intl govt misc orig refs? supp"
)
_SHORT_NAMES: Final = (
    "Mon Tues? Wed Thu Thurs? Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sept? Oct Nov Dec Ala Ariz Ark Calif Colo Conn "
    "Del Fla Ga Ill Ind Kan Ky La Md Mass Mich Minn Miss Mo Mont Neb Nev Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wyo "
    "Ont Que"
)
_ZONES: Final = (
    "Central Eastern Pacific Mountain Atlantic Greenwich Local Daylight Standard London Paris Berlin Tokyo ET CT PT MT "
    "[ECPM][SD]T GMT UTC BST CES?T IST JST Mon(?:day)? Tues?(?:day)? Wed(?:nesday)? Thur?s?(?:day)? Fri(?:day)? "
    "Sat(?:urday)? Sun(?:day)? Jan(?:uary)? Feb(?:ruary)? March April May June July Aug(?:ust)? Sept?(?:ember)? "
    "Oct(?:ober)? Nov(?:ember)? Dec(?:ember)?"
)
_LABELS: Final = (
    "item section sec article art part chapter chap step rule exhibit appendix annex schedule clause theorem lemma "
    "corollary proposition definition example remark figure fig table tab box question q note"
)
_SPEECH: Final = (
    "said says asked asks cried cries replied answered shouted whispered added called exclaimed murmured muttered "
    "thought wondered yelled told"
)
_OPENERS: Final = (
    "It He She They We You This These Those There However But And Its His Her Our Their If When While Although Because "
    "Since After Before Then Thus Therefore Moreover Furthermore Also Later Both Neither Nobody Nothing What Why How "
    "Who Is Are Was Were Do Does Did Can The A An In On At As To For From No Yes Please Bring Costs Some Many Most"
)
_PRONOUNS: Final = "It He She They We You This These There However But Its Their Although Nobody I"

_BEFORE_NUMBER: Final = re.compile(rf"(?:^|[\s(\[])(?:{_alternatives(_NUMBERED)})\.\s*$", re.IGNORECASE)
_BEFORE_ROMAN: Final = re.compile(r"(?:^|[\s(\[])(?:vols?|nos?|pt|art|ch|chap|bd|kap|sched|app)\.\s*$", re.IGNORECASE)
_ROMAN: Final = re.compile(r"(?:[IVXLC]{1,6}|[A-Z])\b")
_BEFORE_WORD: Final = re.compile(
    rf"(?:^|[\s(\[\-–])(?:(?i:{_alternatives(_SHORT)})|{_alternatives(_SHORT_NAMES)}|\w\.\s?\w|(?<=\d )in)\.\s*$"
)
_BEFORE_CAPITAL: Final = re.compile(
    rf"(?:^|[\s(\[\"'“‘])(?:(?:{_alternatives(_TITLES)})|(?i:{_alternatives(_STARTS_OF_NOTES)}))\.\s*$"
)
_TIME: Final = re.compile(r"\d\s?[ap]\.\s?m\.\s*$", re.IGNORECASE)
_ZONE: Final = re.compile(rf"(?:{_alternatives(_ZONES)})\b")
_LABEL: Final = re.compile(
    rf"\s*[(\[]?(?:(?:{_alternatives(_LABELS)})\.?)\s+(?:\d[\w.()\-]*|[IVXLC]+|[A-Z])\.\s*", re.IGNORECASE
)
_LABEL_END: Final = re.compile(rf"\b(?:{_alternatives(_LABELS)})\.?\s+(?:\d[\w.]*|[IVXLC]+)\.\s*$", re.IGNORECASE)
_LABEL_START: Final = re.compile(rf"(?:{_alternatives(_LABELS)})\s+(?:\d|[IVXLC]+\b)", re.IGNORECASE)
_MID_SENTENCE: Final = re.compile(r"\w[!?][\"'”’»]?\s*$")  # "When to panic! and when not", "Is it so? he asked"
_QUOTED: Final = re.compile(r"[!?…][\"”’»]\s*$")
_SPOKEN: Final = re.compile(rf"[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?\s(?:{_alternatives(_SPEECH)})\b")
_FIRM: Final = re.compile(r"(?:Inc|Corp|Ltd|LLC|Holdings)\b")
_LOST_SPACE: Final = re.compile(r"[^\W\d_A-Z]{2}[\])\"”’]?[.!?]+[\"”’)]?$")
_WORD: Final = re.compile(r"[\w'’]+")
_OPENS: Final = frozenset(_OPENERS.split())
_STANDS_FIRST: Final = frozenset(_PRONOUNS.split())
_TAIL_CHARS: Final = 40
_MISSED: Final = re.compile(
    r"(?:\b(?:etc|[ap]\.m|Inc|Corp|Ltd|Co|Jr|Sr|St|Ave|Rd|Blvd|Ph\.D|M\.D|B\.A|M\.A|U\.S|U\.K|D\.C|al|\d|[A-Z])"
    r"|(?<!\S)\S{0,200}[\w)][./]\w+)\.[\"”’)]*(?P<gap>\s+)(?=(?P<word>[A-Z][\w'’]*)[\s,])"
)
_WHOLE_ANSWER: Final = re.compile(r"\s*(?:No|Yes)\.(?P<gap>\s+)(?=[A-Z])")
"""A full stop after an abbreviation, a single letter, or a name with dots, which a splitter misses as a boundary."""


def goes_on(before: str, after: str) -> bool:
    """Whether a sentence continues past the splitter's boundary between ``before`` and ``after``.

    >>> goes_on("It begins at 9:15 a.m. ", "Central time.")
    True
    >>> goes_on("It begins at 9:15 a.m. ", "Bring tea.")
    False
    """
    tail = before[-_TAIL_CHARS:]
    first = after[:1]
    if tail and not tail[-1].isspace() and (first.isalnum() or first in "-/_") and first.isascii():
        return tail[-1] == "." and not (_LOST_SPACE.search(tail) and first.isupper())
    if first.isdigit():
        return _BEFORE_NUMBER.search(tail) is not None
    if first.islower():
        begins_as_one = before.lstrip(" \t\n\"'“‘«(")[:1].isupper()
        return _BEFORE_WORD.search(tail) is not None or (begins_as_one and _MID_SENTENCE.search(tail) is not None)
    return first.isupper() and _goes_on_with_capital(before, tail, after)


def _goes_on_with_capital(before: str, tail: str, after: str) -> bool:
    if _TIME.search(tail):
        return _ZONE.match(after) is not None
    if _LABEL.fullmatch(before) or (_LABEL_END.search(tail) and _LABEL_START.match(after)):
        return True
    if _BEFORE_ROMAN.search(tail) and _ROMAN.match(after):
        return True
    if _BEFORE_CAPITAL.search(tail):
        word = _WORD.match(after)
        return word is None or word.group() not in _STANDS_FIRST
    if tail.rstrip().endswith("!") and _FIRM.match(after):
        return True
    return _QUOTED.search(tail) is not None and _SPOKEN.match(after) is not None


def likely_ends(sentence: str) -> Iterator[int]:
    """Possible boundaries that a splitter missed: before words that typically begin a sentence.

    >>> list(likely_ends("They met at 3 p.m. It was brief."))
    [19]
    """
    if match := _WHOLE_ANSWER.match(sentence):
        yield match.end()
    yield from (match.end() for match in _MISSED.finditer(sentence) if match["word"] in _OPENS)
