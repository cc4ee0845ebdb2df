"""How well texts suit a question by their form, and what in them says nothing."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from treatise.claims import turned_around
from treatise.core.document import Document, ParagraphKind
from treatise.core.markup import without_markup
from treatise.core.periods import length_of
from treatise.core.quotation import PAIRS
from treatise.generate.abbreviations import spells_out
from treatise.generate.asked import Asked, asked, defined_term, defines, given_name, introduces, serves
from treatise.generate.codes import codes, has_code
from treatise.generate.fitting import can_answer
from treatise.generate.opposite import says_when_it_begins, says_when_signed
from treatise.generate.ordinals import ordinal
from treatise.generate.people import people_in

DEFINES: Final = 3.0
_UNSUITED: Final = -2.0
"""What is added to the retrieval score, which counts standard deviations; docs/log/answers.md has the trials."""

_SPELLED_OUT: Final = 1.0  # more, for what has the words of the abbreviation that is to be defined

_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD: Final = re.compile(r"[^\W_]+")
_SIGNS: Final = ("{", "[", "*", "<")
_MARKS: Final = re.compile(r"\{[a-z_]{2,}\}|\[(?:noise|laughter|inaudible|crosstalk|pause)\]")
_FILLER_WORDS: Final = """
um uh uhm huh hm hmm mm mmm mhm aha ah oh er eh okay ok kay yeah yep right well so and but
"""
_FILLERS: Final = frozenset(_FILLER_WORDS.split())
_LINKS: Final = frozenset(("so", "and", "but", "right", "well"))
_PERSONS: Final = frozenset(("i", "me", "he", "him", "she", "her", "we", "us", "you", "they", "them"))
_NEXT_NAME: Final = re.compile(r" ([^\W\d_a-z][^\W\d_]{3,})")
"""A capitalised word that follows at once."""
_WHO: Final = re.compile(r"\bwho\b", re.IGNORECASE)
_ASKS_WHAT: Final = re.compile(r"\W*what\b", re.IGNORECASE)
_ASKS_WHO_IT_IS: Final = re.compile(r"\W*who(?:['’]s| (?:is|was|are|were)) (?:the|our|your|their|its)\b", re.IGNORECASE)
_UNNAMED: Final = re.compile(r"an? [a-z]+", re.IGNORECASE)
_ASKS_PURPOSE: Final = re.compile(
    r"\W*(?=what\b.*\bfor\W*$|for what\b)(?:for )?what (?:do|does|did|is|are|was|were|will|would|has|have|had)\b"
    r".*\b(?:needs?|needed|used?|wants?|wanted|bought|borrow(?:ed)?|spent)\b",
    re.IGNORECASE,
)
"""Asks for a purpose; "What company did he work for?" and "What is he known for?" may be answered by a name."""
_IN_ORDER: Final = re.compile(
    r"\b(?:place|rank|position|order|number|ordinal|edition|round|grade|class|level|floor|century|birthday|"
    r"anniversary|name|title|word|day|date|month|year)s?\b",
    re.IGNORECASE,
)
"""Things that an ordinal may be."""
_BARE: Final = re.compile(
    r"(?:(?:his|her|its|their|our|my|your|the|an?|this|that)\s+)?(?:first|second|third|fourth|fifth|sixth|seventh|"
    r"eighth|ninth|tenth|eleventh|twelfth|\w+teenth|\w+tieth|\d+(?:st|nd|rd|th)|last|next|own)|"
    r"his|hers?|its|theirs?|ours?|mine|my|yours?",
    re.IGNORECASE,
)
_THINGS: Final = frozenset(("it", "them", "this", "that", "these", "those"))
_SMALL_WORDS: Final = """
the a an der die das ein eine le la les un une el los i you he she it we they ll ve re m s d do does did is are was were
be been will would have has had
"""
_SMALL: Final = frozenset(_SMALL_WORDS.split())
"""Words that add nothing to others of the question: "I'll do the cake"."""
_AFTER_AMOUNT: Final = re.compile(r"(?<=[€$£¥%])\.$|(?<=\d[.,]\d\d)\.$|^([$€£¥]\s?\d[\d.,]*\d)\.$")
"""The full stop of a sentence that ends with an amount."""
_LEADING: Final = re.compile(r"^(?:[ ,;:，；：、–—]|-+(?= |$|[A-Z][a-z]))+")
"""Marks before an answer; a hyphen before a word belongs to an option, unless the word is capitalised."""
_HALF_ADDRESS: Final = re.compile(r"<(?=[^\s<>]*(?:@|://)[^\s<>]*$)|>$")
_HALF_QUOTED: Final = re.compile(r'^"|(?<!\d)"$')
_IS_QUESTION: Final = re.compile(r"(?:q|question|frage|f)\s?\d*[:.)]\s", re.IGNORECASE)
_SPEAKER: Final = re.compile(r"^[A-Z][\w .'-]{1,40}:(?: |$)")


def suitability(question: str, texts: Sequence[str]) -> list[float]:
    """For each text, what to add to its retrieval score.

    A definition gains if the question asks for one; a text without a number or time loses if the question needs one,
    and one without the numbers in the question if another text has them ("kettle number 63"). So does a text about the
    opposite ("begins" for "ends"), one that says when a paper was signed if another text says when something begins,
    and one without the question's ordinal ("the second meeting") or name in code if another text has it.
    """
    form, term, name = asked(question), defined_term(question), given_name(question)
    turned = [form is not Asked.YES_NO and turned_around(question, text) for text in texts]
    lacks = [sum(each) for each in zip(*(_lacking(texts, has, loss) for has, loss in _tests(question)), strict=True)]
    begins = any(map(says_when_it_begins, texts))
    signed = [begins and says_when_signed(question, text) for text in texts]
    return [
        _form(text, form, term) + DEFINES * bool(name and introduces(name, text)) + _UNSUITED * (turn + 3 * sign) + lack
        for text, lack, turn, sign in zip(texts, lacks, turned, signed, strict=True)
    ]


def _tests(question: str) -> list[tuple[Callable[[str], bool], float]]:
    """What a text should have of the question (its numbers, ordinal, names in code, period), and the loss without."""
    numbers, place, names = set(_NUMBER.findall(question)), ordinal(question), codes(question)
    length = length_of(question)
    return [
        (lambda text: numbers <= set(_NUMBER.findall(text)), _UNSUITED),
        (lambda text: place is None or place.is_in(text), 3 * _UNSUITED),
        (lambda text: not names or any(has_code(text, name) for name in names), _UNSUITED),
        (lambda text: length is None or length_of(text) in (length, None), _UNSUITED),
    ]


def _lacking(texts: Sequence[str], has: Callable[[str], bool], loss: float) -> list[float]:
    """The loss of each text that lacks something which another one has."""
    found = [has(text) for text in texts]
    return [loss * (any(found) and not one) for one in found]


def is_question(text: str) -> bool:
    """Whether a text is marked as a question, as in lists of questions and answers.

    >>> is_question("Q: Why does it open port 53."), is_question("The default mode is wildcard.")
    (True, False)
    """
    return bool(_IS_QUESTION.match(text))


def repeats_question(question: str, text: str) -> bool:
    """Whether words are all in the question, but for articles, pronouns and auxiliaries.

    >>> repeats_question("When was version 5.2.5 released?", "version 5.2.5")
    True
    >>> repeats_question("What kind of cake is it?", "I'll do the cake"), repeats_question("Who is it?", "he")
    (True, False)
    """
    asked_words, words = (set(_WORD.findall(one.casefold())) for one in (question, text))
    return words <= asked_words or (bool(words - _SMALL) and words - _SMALL <= asked_words)


_BULLETS: Final = frozenset("*+•‣▪◦")


def opens_section(term: str, document: Document, start: int) -> bool:
    """Whether the first sentence of a section begins at ``start`` whose heading, or one above it, is the term's.

    That is the term alone, numbered or not, or the term before a colon or dash: ``3.17. /srv : Data for services``.
    """
    named = re.compile(rf"(?:[\dA-Z]{{1,3}}(?:\.\d+)*\.?\s+)?{re.escape(term)}(?:\s*[:：–—-]\s.*)?", re.IGNORECASE)
    at = bisect_right(document.paragraphs, start, key=lambda one: one.start) - 1
    if document.text[document.paragraphs[at].start : start].strip():
        return False
    for before in reversed(document.paragraphs[:at]):
        if before.kind is not ParagraphKind.HEADING:
            return False
        if named.fullmatch(document.section_at(before.start).title):
            return True
    return False


def without_marks(text: str) -> str:
    """The text without the marks of transcripts and of Markdown.

    >>> without_marks("{vocalsound} See **the** [guide](https://example.org/guide).")
    'See the guide.'
    >>> without_marks("A <p> has x**2 + y**2, f(**a, **b) and __init__.")
    'A <p> has x**2 + y**2, f(**a, **b) and __init__.'
    """
    if not any(sign in text for sign in _SIGNS):
        return text
    return " ".join(_MARKS.sub(" ", without_markup(text)).split())


def tidied(text: str) -> str:
    """The words of an answer without fillers and bullets at its beginning and marks at its ends.

    >>> tidied("um I like dogs ,"), tidied("(May 4th, 2013"), tidied("* Ann"), tidied("`4e3` ms")
    ('I like dogs', 'May 4th, 2013', 'Ann', '4e3 ms')
    >>> tidied("--no-ff -"), tidied("- Ann"), tidied("-Ann"), tidied("— so")
    ('--no-ff', 'Ann', 'Ann', 'so')
    >>> tidied("<ann@example.org"), tidied("ann@example.org>"), tidied("<5 mg"), tidied("<ann@example.org>")
    ('ann@example.org', 'ann@example.org', '<5 mg', '<ann@example.org>')
    >>> tidied('"the tub'), tidied('no rain"'), tidied('wheels of 28"')
    ('the tub', 'no rain', 'wheels of 28"')
    >>> tidied("£350."), tidied("61.840,22 €."), tidied("5 p.m.")
    ('£350', '61.840,22 €', '5 p.m.')
    """
    words = text.replace("`", "").split()
    while len(words) > 1 and words[0] in _BULLETS:
        words.pop(0)
    while len(words) > 1 and words[0].casefold().strip(".,-'") in _FILLERS - _LINKS:
        words.pop(0)
    kept = _LEADING.sub("", " ".join(words)).rstrip(" ,;:，；：、-–—")
    for opening, closing in PAIRS:
        if kept.count(opening) > kept.count(closing) and kept.startswith(opening):
            kept = kept[1:]
        elif kept.count(closing) > kept.count(opening) and kept.endswith(closing):
            kept = kept[:-1]
    if kept.count('"') == 1:
        kept = _HALF_QUOTED.sub("", kept)
    if kept.count("<") != kept.count(">") and ("@" in kept or "://" in kept) and " " not in kept:
        kept = _HALF_ADDRESS.sub("", kept)
    return _AFTER_AMOUNT.sub(r"\1", kept.removesuffix(" .").strip()) or text


def says_something(text: str) -> bool:
    """Whether a turn of a conversation has a word besides "um", "okay" and the like; True for other texts.

    >>> says_something("Industrial Designer: {gap}"), says_something("Project Manager: I'm Jen .")
    (False, True)
    """
    words = _WORD.findall(_SPEAKER.sub("", without_marks(text)).casefold())
    return any(word not in _FILLERS for word in words)


def without_speaker(text: str) -> str:
    """A turn of a conversation without the name of its speaker.

    >>> without_speaker("Project Manager: We need a plan."), without_speaker("We need a plan.")
    ('We need a plan.', 'We need a plan.')
    """
    return _SPEAKER.sub("", text)


def points_elsewhere(question: str, words: str) -> bool:
    """Whether words are an English pronoun alone, which names nobody and nothing.

    Capitals name a department, a state, a helium: they only count where a person is asked for.

    >>> points_elsewhere("Who did it?", "I"), points_elsewhere("In which schedule is it?", "I")
    (True, False)
    >>> points_elsewhere("What was sold?", "it"), points_elsewhere("Which department is hers?", "IT")
    (True, False)
    >>> points_elsewhere("Who prepared it?", "we"), points_elsewhere("Who won?", "US")
    (True, False)
    """
    last = words.rpartition(", ")[2]  # "As you told us, we"
    is_person = last.casefold() in _PERSONS and (last == "I" or not last.isupper())
    return words in _THINGS or (is_person and _WHO.search(question) is not None)


def is_bare(question: str, words: str) -> bool:
    """Whether words are an English possessive, an ordinal or both, without the noun that they belong to, and the
    question asks what something is, not for a place in an order.

    >>> is_bare("What did the boy get?", "his tenth"), is_bare("What was his place?", "the third")
    (True, False)
    >>> is_bare("What did the boy get?", "his tenth coin"), is_bare("Which one won?", "the third")
    (False, False)
    """
    return _ASKS_WHAT.match(question) is not None and not _IN_ORDER.search(question) and bool(_BARE.fullmatch(words))


def names_person(question: str, words: str) -> bool:
    """Whether words may be names of people, where the question asks what something is needed or used for.

    >>> names_person("What did she need the money for?", "Ann Lee"), names_person("Who was it for?", "Ann Lee")
    (True, False)
    >>> names_person("What company does she work for?", "Ash Elm"), names_person("What is it named for?", "Ann Lee")
    (False, False)
    """
    return _ASKS_PURPOSE.match(question) is not None and bool(people_in(words))


def is_unnamed(question: str, words: str) -> bool:
    """Whether words are an indefinite noun alone, where the question asks who somebody is.

    >>> is_unnamed("Who is the project manager?", "a gecko"), is_unnamed("Who is the project manager?", "Jen")
    (True, False)
    >>> is_unnamed("Who rang?", "a neighbour"), is_unnamed("Who is the founder?", "a Danish engineer")
    (False, False)
    """
    return _ASKS_WHO_IT_IS.match(question) is not None and bool(_UNNAMED.fullmatch(words))


def is_of_other_sort(question: str, words: str) -> bool:
    """Whether English words are an ordinal or possessive alone, a person's name for what something is for, or an
    indefinite noun for who somebody is.
    """
    return is_bare(question, words) or names_person(question, words) or is_unnamed(question, words)


def stands_before_noun(question: str, text: str, end: int) -> bool:
    """Whether what ends at ``end`` is the beginning of the name of an office or thing that the question asks for.

    >>> text = "Ann Lee, Chartered Tax Accountant, signed."
    >>> stands_before_noun("Who is the accountant?", text, 22), stands_before_noun("Who signed?", text, 22)
    (True, False)
    """
    found = _NEXT_NAME.match(text, end)
    return found is not None and found[1].casefold().removesuffix("s") in _singular(question)


def _singular(question: str) -> set[str]:
    """The words of a question without a plural ending."""
    return {word.casefold().removesuffix("s") for word in _WORD.findall(question)}


def _form(text: str, form: Asked, term: str) -> float:
    if term:
        is_spelled_out = spells_out(term, text)
        is_defined = is_spelled_out or defines(term, text) or serves(term, text)
        return DEFINES * is_defined + _SPELLED_OUT * is_spelled_out
    return 0.0 if can_answer(form, text) else _UNSUITED
