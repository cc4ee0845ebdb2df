"""The sentence that says what a document is: its purpose, or a definition of what its title names."""

import re
from collections.abc import Sequence
from typing import Final

from treatise.core.patterns import lazy_pattern

_KIND: Final = (
    r"(?:papers?|work|study|article|document|documentation|report|licen[cs]e|agreement|contract|manual|guide|handbook|"
    r"howto|vignette|chapter|book|constitution|thesis|survey|tutorial|specification|standard|act|law|policy|notice|note|filing|"
    r"faq|text|release|program|software|tool|project|meeting|annual report|form)"
)
_AIMS: Final = (
    r"(?:present|propose|introduce|describe|investigate|study|examine|explore|address|develop|report|analy[sz]e|"
    r"evaluate|"
    r"show|compare|discuss|explain|aim|provide|offer|outline|give|cover|define|set|establish|grant|govern|contain|"
    r"summari[sz]e|apply|specif|document|review|deal|focus|argue|demonstrate|create|release|build|tackle|consider|"
    r"is (?:intended|meant|designed|about|a|an|the|written|for|to)|was (?:written|made))"
)
_STRONG: Final = lazy_pattern(
    rf"(?:in )?(?:this|the present|the current|our) (?:\w+ )?{_KIND}\b[^.]{{0,30}}?\b(?:we )?{_AIMS}|"
    rf"the (?:\w+ )?(?:paper|document|chapter|report|study|article|manual|guide) at hand\b|"
    r"the (?:main |primary |overall )?(?:purpose|goal|aim|objective|object) of (?:this|the|our)\b|"
    r"(?:this is|it['’]?s) (?:\w+ ){0,4}(?:meeting|document|guide|manual|report)\b|"
    r"(?:dieses|diese|dieser|das vorliegende|die vorliegende|der vorliegende) (?:dokument|kapitel|handbuch|anleitung|"
    r"arbeit|"
    r"bericht|buch|vertrag|gesetz|lizenz|text|faq)|in (?:diesem|dieser) (?:dokument|kapitel|handbuch|arbeit|bericht|"
    r"buch)|"
    r"(?:ce|cet|cette|le présent) (?:document|chapitre|manuel|guide|livre|article|rapport)|"
    r"(?:este|esta) (?:documento|capítulo|manual|guía|libro|artículo|informe)|"
    r"(?:本|这篇|这份|该)(?:文|章|文档|手册|书|报告|文件|论文|指南|协议|许可)|この(?:文書|章|本|マニュアル|論文)|"
    r"本(?:書|章|文書|稿)",
    re.IGNORECASE,
)
_AUTHORS: Final = lazy_pattern(
    r"(?:in (?:this|the present) (?:paper|work|study|article|report|chapter),? )?we (?:\w+ )?"
    r"(?:present|propose|introduce|describe|investigate|study|examine|explore|address|develop|analy[sz]e|evaluate)\b",
    re.IGNORECASE,
)
_MEETING: Final = lazy_pattern(
    r"\b(?:first|second|third|last|kick-?off|today['’]s|design|this) (?:\w+ ){0,3}meeting\b|\bagenda\b|"
    r"\bpurpose of (?:this|the|today)",
    re.IGNORECASE,
)
_IS_A: Final = lazy_pattern(
    r"\b(?:is|are|was|were) (?:an?|the|one of)\b|\bist (?:ein|eine|der|die|das)\b|\best (?:un|une|le|la)\b|"
    r"\bes (?:un|una|el|la)\b|是|とは",
)
_NOT: Final = lazy_pattern(r"\b(?:not|no|never|nicht|kein\w*|pas)\b", re.IGNORECASE)
_WORD: Final = lazy_pattern(r"[^\W\d_]{3,}")
_TITLE_WORDS: Final = 0.5
_SMALL: Final = frozenset(("the", "and", "for", "with", "from", "into", "about", "over", "this", "that", "its", "our"))

STATED: Final = 3.0
BY_AUTHORS: Final = 2.0
DEFINED: Final = 2.0


def purpose(text: str, title: str, *, is_transcript: bool = False) -> float:
    """How clearly a sentence says what the document is: 3 by name, 2 as its authors' aim or by its title, else 0.

    >>> purpose("This document describes tea.", ""), purpose("Green tea is a drink.", "Green Tea")
    (3.0, 2.0)
    >>> purpose("Tea is hot.", ""), purpose("This license does not grant any rights.", "")
    (0.0, 0.0)
    """
    if is_transcript:
        return STATED if _MEETING.search(text) else 0.0
    stated = _STRONG.match(text.lstrip("“\"' "))
    if stated and not _NOT.search(stated[0]):
        return STATED
    if _AUTHORS.match(text):
        return BY_AUTHORS
    found = _IS_A.search(text)
    return DEFINED if found and _names(text[: found.start()], title) else 0.0


def _names(before: str, title: str) -> bool:
    """Whether the words before "is a" are mostly those of the title, and have half of it."""
    wanted, found = words_of([title]), words_of([before])
    shared = wanted & found
    return bool(shared) and len(shared) >= _TITLE_WORDS * len(wanted) and len(shared) >= _TITLE_WORDS * len(found)


def words_of(texts: Sequence[str]) -> frozenset[str]:
    """The words of these texts with at least three letters, in lower case, without the commonest."""
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text)) - _SMALL
