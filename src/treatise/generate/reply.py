"""A language model's reply without marks of the prompt, as sentences with citations; and remarks that refuse."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.quotation import between
from treatise.llm.tags import without_tags

_NUMBERS: Final = r"\d+(?:\s*(?:,|and|&|-|–)\s*\d+)*"
_PASSAGE: Final = r"(?:passages?|excerpts?)"
_IN_BRACKETS: Final = lazy_pattern(
    rf"[(\[【]\s*(?:see\s+)?{_PASSAGE}\s+(?:number\s+|no\.\s*)?({_NUMBERS})\s*[)\]】]", re.IGNORECASE
)
_CJK_MARK: Final = lazy_pattern(rf"【\s*({_NUMBERS})\s*】")
_ACCORDING: Final = lazy_pattern(
    rf"\b(?:as (?:stated|described|mentioned|noted|seen|shown) in|according to|based on|per|in) (?:the )?{_PASSAGE}\s+"
    rf"({_NUMBERS}),?\s*(?P<rest>[^\n]*?)(?P<end>[.!?](?=\s|$)|$)",
    re.IGNORECASE | re.MULTILINE,
)
_SAYS: Final = lazy_pattern(
    rf"\b{_PASSAGE}\s+({_NUMBERS})\s+(?:says?|states?|notes?|mentions?|explains?|indicates?|shows?) (?:that\s+)?"
    r"(?P<rest>[^\n]*?)(?P<end>[.!?](?=\s|$)|$)",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL: Final = lazy_pattern(r"\A\W*(?:final )?answer\W*?:\W*?(?=\s)\s*", re.IGNORECASE)
_CITED: Final = lazy_pattern(r"[^\S\n]*((?:\[\d+(?:\s*[,;–-]\s*\d+)*\][^\S\n]*[,;]?[^\S\n]*)+)([.!?。！？]?)")
_SENTENCE_END: Final = lazy_pattern(r"(?<=[.!?])\s+(?=[A-Z\"“(])|(?<=[。！？])|\n+")
_ITEM: Final = lazy_pattern(r"[^\S\n]*(?:[-*+•]|\d{1,2}[.)])[^\S\n]+(?=\S)")
_ONLY_ITEM: Final = lazy_pattern(r"\d{1,2}[.)]")
_INTEGER: Final = lazy_pattern(r"\d+")
_RANGE: Final = lazy_pattern(r"(\d+)\s*[–-]\s*(\d+)")

_TEXT: Final = (
    r"(?:the |these |this |those |any of the |provided |given |cited |above |retrieved |supplied )*"
    r"(?:passages?|excerpts?|context|evidence|texts?|documents?|sources?|materials?|information)"
    r"(?: provided| given| above)?"
)
_FOUND_NOTHING: Final = (
    r"(?:i|we) (?:could|can|was|were|am|are|do|did|have)(?: not|n't|not| unable to| not able to)+ ?(?:been )?"
    r"(?:able to )?(?:find|found|locate|determine|answer|know|tell|see|identify|have)\b"
)
_SAYS_NOTHING: Final = (
    rf"{_TEXT} (?:(?:do|does|did)(?: not|n't)|fails? to|never) (?:contain|mention|say|state|provide|include|specify|"
    r"give|answer|address|discuss|indicate|hold|offer|describe|tell)\b"
    r"|there (?:is|was|are) (?:no|not any) (?:information|mention|answer|indication|evidence|details?|data|passages?)\b"
)
_NOT_THERE: Final = (
    r"(?:it|this|that|the (?:answer|question|information))[^.]{0,60}? (?:is|was|can|could)(?: not|n't|not)(?: be)? "
    rf"(?:mentioned|stated|specified|provided|given|found|available|answered|determined|addressed)\b"
    rf"[^.]{{0,20}}? {_TEXT}"
)
_ELSEWHERE: Final = (
    r"ich (?:konnte|kann)\b[^.]*\bnicht\b[^.]*(?:finden|beantworten)"
    r"|(?:die|der|das) (?:passagen?|texte?|dokumente?)\b[^.]*\b(?:enth|erwähn|nenn)\w* (?:keine|nicht|dazu nichts)"
    r"|je n['’]ai (?:pas|rien) (?:pu )?trouv|les (?:passages|extraits) ne\b[^.]*\bpas\b"
    r"|no (?:he |pude |se )?(?:encontr|menciona|hay informaci)\w*"
    r"|[^。\n]{0,8}(?:未找到|没有(?:提到|找到|相关)|无法回答|見つかりません)"
)
"""Refusals in German, French, Spanish, Chinese and Japanese."""

_REFUSES: Final = lazy_pattern(
    r"\A\W*(?:not found\b|unanswerable\b|no answer\b|no (?:relevant|such|specific) (?:information|passages?|mention)\b"
    r"|(?:unfortunately,? |sorry,? (?:but )?|i(?:'m| am) sorry,? (?:but )?|i apologi[sz]e,? but )?"
    rf"(?:{_FOUND_NOTHING}|{_SAYS_NOTHING}|{_NOT_THERE})|{_ELSEWHERE})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence of a reply.

    Attributes:
        text: Without citations; a list item keeps its mark.
        passages: The 0-based passages that it cites.
        is_item: Whether it begins an item of a list.
    """

    text: str
    passages: tuple[int, ...]
    is_item: bool = False


def clean_reply(reply: str) -> str:
    """The reply without tags and labels of a prompt; references to passages in words become citations.

    >>> clean_reply("<answer>ANSWER: It rains (passage 2).</answer>")
    'It rains [2].'
    >>> clean_reply("According to passage 3, it rains.")
    'It rains. [3]'
    """
    text = _LABEL.sub("", without_tags(reply).strip())
    text = _CJK_MARK.sub(r"[\1]", _IN_BRACKETS.sub(r"[\1]", text))
    for pattern in (_ACCORDING, _SAYS):
        text = pattern.sub(_with_citation, text)
    return text.strip()


def refuses(sentence: str) -> bool:
    """Whether a sentence says that the passages do not answer.

    >>> refuses("I could not find this."), refuses("The passages do not mention a fee."), refuses("Not all are free.")
    (True, True, False)
    """
    return bool(_REFUSES.match(sentence.replace("’", "'")))


def written_sentences(reply: str, *, n_passages: int) -> list[WrittenSentence]:
    """The sentences with the passages that each cites; unknown numbers are dropped.

    Citations belong only to the sentence that they end; a sentence without citations at its end cites nothing.
    """
    found: list[WrittenSentence] = []
    at = 0
    for marks in _CITED.finditer(reply):
        valid = tuple(n for n in dict.fromkeys(_cited_numbers(marks.group(1))) if 0 <= n < n_passages)
        sentences = list(_sentences(reply[at : marks.start()].rstrip() + marks.group(2)))
        found += sentences[:-1]
        found += [WrittenSentence(one.text, valid, one.is_item) for one in sentences[-1:]]
        at = marks.end()
    return found + list(_sentences(reply[at:]))


def joined_sentences(sentences: Sequence[WrittenSentence]) -> str:
    """The sentences as one text: items of a list, and what follows a list, on lines of their own.

    >>> joined_sentences([WrittenSentence("Two:", ())] + [WrittenSentence(one, (), True) for one in ("- a", "- b")])
    'Two:\\n- a\\n- b'
    """
    text, before = "", ""
    for sentence in sentences:
        text += between(before, sentence.text) + sentence.text
        before = sentence.text
    return text


def _sentences(text: str) -> Iterator[WrittenSentence]:
    is_item = False
    mark = ""
    for part in (one.strip() for one in _SENTENCE_END.split(text)):
        if _ONLY_ITEM.fullmatch(part):  # "1." of a numbered list, split from its text
            mark = f"{part} "
        elif part.strip("*_#>-\"' "):
            is_item = bool(mark or _ITEM.match(part))
            yield WrittenSentence(mark + part, (), is_item)
            mark = ""


def _cited_numbers(marks: str) -> Iterator[int]:
    """The 0-based numbers in brackets; a range stands for all of its numbers."""
    for first, last in _RANGE.findall(marks):
        yield from range(int(first) - 1, min(int(last), int(first) + 20))
    yield from (int(number) - 1 for number in _INTEGER.findall(marks))


def _with_citation(found: re.Match[str]) -> str:
    rest = found["rest"].strip()
    if not rest:
        return f"[{found.group(1)}]{found['end']}"
    start = found.start() == 0 or found.string[: found.start()].rstrip().endswith((".", "!", "?", "\n", ":", "-", "*"))
    return f"{rest[0].upper() + rest[1:] if start else rest}{found['end']} [{found.group(1)}]"
