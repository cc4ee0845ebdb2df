"""Motions in minutes: whether one was carried, and which were; from "Motion to buy tea: carried 5-2" and the like."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final, Self

from treatise.core.answer import Answer
from treatise.core.document import Document, Section, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.markup import without_markup
from treatise.core.patterns import lazy_pattern
from treatise.core.span_answer import SpanAnswerKind
from treatise.generate.not_found import refusal_because
from treatise.generate.quoted import quoted_as


class Result(StrEnum):
    """How a motion ended."""

    CARRIED = "was carried"
    FAILED = "failed"
    POSTPONED = "was postponed"
    TABLED = "was tabled"
    REFERRED = "was referred"
    WITHDRAWN = "was withdrawn"
    DIED = "died"


_WORDS: Final = {
    Result.CARRIED: r"carr(?:ied|ies|y)|pass(?:ed|es)?|approved|adopted|agreed|accepted|succeed(?:ed)?",
    Result.FAILED: r"fail(?:ed|s)?|defeated|lost|rejected|denied|voted down",
    Result.POSTPONED: r"postponed|deferred",
    Result.TABLED: r"tabled",
    Result.REFERRED: r"referred",
    Result.WITHDRAWN: r"withdrawn",
    Result.DIED: r"died",
}
_DECIDED: Final = (Result.CARRIED, Result.FAILED)
_NOT: Final = r"(?:not|did not|does not|was not|didn['’]t|wasn['’]t)"
_OUTCOME: Final = rf"(?:{_NOT} )?(?:duly |unanimously )?(?:{'|'.join(_WORDS.values())})\b"
_MOTION: Final = r"(?:motion|resolution|proposal)"
_OF_MATTER: Final = r"(?:to|that|for|on|of|about|regarding|concerning) (?P<matter>.+?)"
_ASKS_WHETHER: Final = lazy_pattern(
    rf"(?:did|does|has|have|was|is|were) (?:the |a |this )?{_MOTION} {_OF_MATTER} (?:been )?(?P<end>{_OUTCOME})\W*",
    re.IGNORECASE,
)
_ASKS_WHICH: Final = lazy_pattern(
    rf"(?:which|what) {_MOTION}s? (?:(?:was|were|have|has) )?(?:been )?(?P<end>{_OUTCOME})\W*", re.IGNORECASE
)
_PUTS: Final = lazy_pattern(
    rf"\W{{0,20}}(?:(?:(?:\d{{1,2}}|[a-z])[.)]|x\])\W{{1,9}})?"
    rf"(?:(?:a |an |the )?(?:motion|resolution)\b(?!\W+(?:(?:was|is|has|been|then) )*(?:{_OUTCOME}|seconded))|"
    r"(?P<mover>[^\n:;]{2,60}?)\b(?:made (?:a|the) motion|moved) (?:to|that|for)\b|it was (?:\w+ )?moved\b)",
    re.IGNORECASE,
)
"""How a sentence begins that puts a motion."""
_ENDS: Final = lazy_pattern(
    rf"(?:[:;,–—(]|\s-)\W{{0,9}}(?P<end>{_OUTCOME})|"
    rf"\b(?:motion|vote|question)(?: (?:was|is|has been))? (?P<voted>{_OUTCOME})",
    re.IGNORECASE,
)
"""The outcome in the sentence that puts the motion."""
_SAYS: Final = lazy_pattern(
    rf"(?!.*\b(?:if|whether|would|unless|until|last|previous|earlier)\b)(?:"
    rf"\W{{0,20}}(?:(?:result|outcome|vote|decision)\W{{1,9}}|it (?:was |has been )?)?(?P<end>{_OUTCOME})"
    r"(?! (?:to|that)\b)|"
    rf".*\b(?:motion|vote|question|resolution)(?: (?:was|is|has been|then))* (?P<voted>{_OUTCOME}))",
    re.IGNORECASE | re.DOTALL,
)
"""The outcome in a sentence after it."""
_WHAT: Final = lazy_pattern(r"\b(?:motion\W*:\W*|(?=(?:to|that)\b))(?P<matter>.+)", re.IGNORECASE | re.DOTALL)
_BY: Final = lazy_pattern(r",? (?:(?:was )?(?:moved|made|seconded|second) )?by [^\W\d_a-z].*", re.DOTALL)
_BREAK: Final = lazy_pattern(
    rf"\n(?=\s{{0,20}}[^\w\s]{{0,9}}[^\W\d_a-z])(?i:(?={_PUTS.pattern}|\W{{0,20}}(?:vote|result|{_OUTCOME})))"
)
"""A line that begins with a capital, and puts a motion or says how one ended."""
_UNCLEAR: Final = lazy_pattern(rf"(?<!\bbe )(?<!\bto )\b{_OUTCOME}", re.IGNORECASE)
"""Of a sentence that may say how its motion ended, in words that :data:`_ENDS` does not know."""
_ANOTHER: Final = lazy_pattern(r"\bmoved (?!by\b|and\b|to\b)\w|\b(?:up)?on (?:a |the )?motion\b", re.IGNORECASE)
"""In a sentence that puts a motion in other words than :data:`_PUTS`: "Lee moved approval of the minutes"."""
_TELLS: Final = lazy_pattern(rf"^{_SAYS.pattern}|{_ANOTHER.pattern}|\bmotion\b.*{_OUTCOME}", re.IGNORECASE | re.DOTALL)
"""In a sentence that tells of a motion or an outcome."""
_AMENDS: Final = lazy_pattern(r"\b(?:amend|substitut|reconsider)", re.IGNORECASE)
_UNDONE: Final = lazy_pattern(
    r"\b(?:rescinded|reversed|overturned|repealed|revoked|annulled|reconsidered)\b", re.IGNORECASE
)
"""Of an outcome that did not last."""
_REVERSES: Final = lazy_pattern(
    r"\b(?:not|no|never|den(?:y|ied)|reject|disapprov|table|postpone|defer|refer|reconsider|rescind|repeal|amend|"
    r"withdraw|strike)",
    re.IGNORECASE,
)
"""Words that make it a different motion, such as one to reject."""
_UNDOES: Final = lazy_pattern(r"\b(?:reconsider|rescind|repeal)", re.IGNORECASE)
_LEAVES: Final = lazy_pattern(r"\b(?:table|postpone|defer|refer|withdraw)", re.IGNORECASE)
_WORD: Final = lazy_pattern(r"\b(?!(?:the|and|for|our|its|with|from|that|this)\b)(?:\d+(?:[.,]\d+)*|\w{3,})")
_ENDING: Final = lazy_pattern(r"(?<=\w{3})(?:ing|ied|ie|ed|al|ion|e|y)$")
_AFTER: Final = 4  # sentences after a motion that may say how it ended


@dataclass(frozen=True, slots=True)
class Motion:
    """A motion.

    Attributes:
        span: The sentence that puts it.
        outcome: The sentence that says how it ended; the same one, or a later one.
        matter: What is moved.
        result: How it ended; None if the text does not say it, or says several things.
    """

    span: Span
    outcome: Span
    matter: str
    result: Result | None


def answer_motion(evidence: Evidence, document: Document) -> Answer | None:
    """Whether a motion was carried or failed, or which motions were or did.

    None if the question asks for something else, or if the document has no such motion, several, or does not say how it
    ended. If it says so of all motions and none ended as the question asks, that is the reason for a refusal.
    """
    question = evidence.question.strip()
    if asked := _ASKS_WHETHER.fullmatch(question):
        return _whether(evidence, document, asked)
    asked = _ASKS_WHICH.fullmatch(question)
    return _which(evidence, document, asked) if asked else None


def _which(evidence: Evidence, document: Document, asked: re.Match[str]) -> Answer | None:
    """The motions that ended so, if the document says how each ended, and speaks of no other motion."""
    sentences = _Sentences.of(document)
    motions, wanted = list(_motions(sentences)), _result(asked["end"])
    known = {span for one in motions for span in (one.span, one.outcome)}
    others = (text for span, text in zip(sentences.spans, sentences.texts, strict=True) if span not in known)
    is_unsure = any(map(_TELLS.search, others)) or any(one.result is None or _is_unsure(wanted, one) for one in motions)
    if not motions or is_unsure:
        return None
    if re.match(rf"{_NOT} ", asked["end"], re.IGNORECASE) and any(one.result not in _DECIDED for one in motions):
        return None  # a motion that was tabled was not carried, and did not fail
    chosen = [one for one in motions if one.result is wanted]
    if not chosen:
        return refusal_because(evidence, f"no motion is found that {wanted}", several=False)
    text = ("; " if any("," in one.matter for one in chosen) else ", ").join(one.matter for one in chosen)
    return quoted_as(evidence, document, _places(chosen), text, SpanAnswerKind.LIST)


def _is_unsure(wanted: Result, motion: Motion) -> bool:
    """Whether another may have ended so by this motion: to table or to rescind one."""
    return bool(_UNDOES.search(motion.matter)) or (wanted not in _DECIDED and bool(_LEAVES.search(motion.matter)))


def _whether(evidence: Evidence, document: Document, asked: re.Match[str]) -> Answer | None:
    """Yes or no, if exactly one motion has all words of the question, none that reverse it, and a known end."""
    wanted, of_question = _stems(asked["matter"]), _result(asked["end"])
    motions = _motions(_Sentences.of(document)) if wanted else ()
    found = [one for one in motions if wanted <= _stems(document.quote(one.span.start, one.span.end))]
    if len(found) != 1:
        return None
    motion, result = found[0], found[0].result
    is_reversed = _reversing(motion.matter) != _reversing(asked["matter"])
    is_other_end = result is not of_question and not (result in _DECIDED and of_question in _DECIDED)
    if result is None or is_reversed or (is_other_end and of_question is not Result.CARRIED):
        return None
    kind = SpanAnswerKind.YES if result is of_question else SpanAnswerKind.NO
    return quoted_as(evidence, document, _places([motion]), str(kind).capitalize(), kind)


def _stems(text: str) -> set[str]:
    """The words of a text without their endings, and its numbers."""
    return {_ENDING.sub("", word.removesuffix("s")) for word in _WORD.findall(text.casefold())}


def _reversing(text: str) -> set[str]:
    return {word.casefold()[:3] for word in _REVERSES.findall(text)}


def _places(motions: list[Motion]) -> list[Span]:
    """The sentences of the motions and of their ends, each once."""
    return list(dict.fromkeys(span for one in motions for span in (one.span, one.outcome)))


@dataclass(frozen=True, slots=True)
class _Sentences:
    """The sentences of a document, cut where a line begins with a motion or an outcome.

    Attributes:
        spans: Where each is.
        texts: Each on one line, without markup.
        sections: The section of each.
    """

    spans: list[Span]
    texts: list[str]
    sections: list[Section]

    @classmethod
    def of(cls, document: Document) -> Self:
        spans = [span for one in document.sentences() for span in _lines(document, one)]
        texts = [without_markup(document.one_line(span.start, span.end)) for span in spans]
        return cls(spans, texts, [document.section_at(span.start) for span in spans])


def _motions(sentences: _Sentences) -> Iterator[Motion]:
    """The motions of a document, without those that give orders to a language model."""
    for at, text in enumerate(sentences.texts):
        put = _PUTS.match(text)
        if not put or addresses_a_model(text):
            continue
        within = [*_ENDS.finditer(text)]
        own = [*_own(sentences, at)]
        later = ((i, _SAYS.match(sentences.texts[i])) for i in own)
        ends = [(at, one) for one in within] or [*islice(((i, one) for i, one in later if one), 1)]
        if put["mover"] and not ends:
            continue  # people move to other towns too
        matter = _matter(text[: within[0].start()] if within else text)
        end = ends[0][0] if ends else at
        results = {_result(one["end"] or one["voted"]) for _, one in ends}
        is_clear = len(results) == 1 and (within or not _UNCLEAR.search(text))
        is_same = not any(_AMENDS.search(sentences.texts[i]) for i in own if i <= end)
        lasts = not any(_UNDONE.search(sentences.texts[i]) for i in (at, *own))
        result = results.pop() if is_clear and is_same and lasts else None
        yield Motion(sentences.spans[at], sentences.spans[end], matter, result)


def _own(sentences: _Sentences, at: int) -> Iterator[int]:
    """The sentences after a motion up to the next one, or to the next section."""
    for i in range(at + 1, min(at + 1 + _AFTER, len(sentences.texts))):
        text = sentences.texts[i]
        if sentences.sections[i] != sentences.sections[at] or _PUTS.match(text) or _ANOTHER.search(text):
            return
        yield i


def _lines(document: Document, sentence: Span) -> Iterator[Span]:
    """The sentence, or its parts if lines in it begin with a motion or an outcome; none if it is blank."""
    start = sentence.start
    for found in (*_BREAK.finditer(document.text, sentence.start, sentence.end), None):
        part = trim(document.text, Span(start, found.start() if found else sentence.end))
        if len(part):
            yield part
        start = found.end() if found else sentence.end


def _matter(text: str) -> str:
    """What a sentence moves, on one line: "to buy tea"."""
    found = _WHAT.search(text)
    return _BY.sub("", found["matter"] if found else text).strip(" *_.,;:()–—-")


def _result(words: str) -> Result:
    """How a motion ended by the words that say it: not carried is failed, and not failed is carried."""
    result = next(one for one, pattern in _WORDS.items() if re.search(rf"\b(?:{pattern})\b", words, re.IGNORECASE))
    if not re.match(rf"{_NOT} ", words, re.IGNORECASE):
        return result
    return Result.CARRIED if result is Result.FAILED else Result.FAILED
