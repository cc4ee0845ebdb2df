"""What readers look for in a kind of document: the grant and conditions of a licence, the decisions of a meeting."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from treatise.core.patterns import lazy_pattern

_OPENING: Final = 1_000  # characters in which a contract says that it is one
_LOOKED_AT: Final = 400  # sentences
_LEGAL_SHARE: Final = 0.1  # of sentences in legal language
_UNDER_TITLE: Final = 1.0


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that a summary of such a document says.

    Attributes:
        text: Matches a sentence that states it.
        title: Matches the title of a section on it; empty if sections do not tell.
        most: Sentences of a summary on it.
    """

    text: re.Pattern[str]
    title: re.Pattern[str] | None = None
    most: int = 1

    def strength(self, text: str, section: str) -> float | None:
        """More if the section is on it, 0 if the sentence alone states it, None if it does not."""
        if not self.text.search(text):
            return None
        return _UNDER_TITLE * bool(self.title and self.title.search(section))


def _topic(text: str, title: str = "", most: int = 1) -> Topic:
    of_title = lazy_pattern(title, re.IGNORECASE) if title else None
    return Topic(lazy_pattern(text, re.IGNORECASE), of_title, most)


CONTRACT: Final = (
    _topic(
        r"\b(?:hereby )?grants? (?:to )?(?:you|licensee|recipient|the (?:licensee|user|customer|buyer|tenant))\b|"
        r"\bgranted (?:to|a)\b|\bpermission (?:is )?(?:hereby )?granted\b|\bgives? \w+ (?:\w+ )?permission\b|"
        r"affirms your \w+ permission|\byou (?:may|can|are free to) (?:\w+ ){0,3}?(?:copy|use|run|make|distribute|"
        r"reproduce)\b|redistribution and use\b|\bagrees? to (?:sell|lease|provide|let|supply|pay)\b",
        r"\bgrants?\b|permission|rights? granted|copying|licen[cs]e\s*$",
    ),
    _topic(
        r"\b(?:provided|so long as|as long as|on (?:the )?condition|only if)\b.{0,30}\b(?:you|that|the|it)\b|"
        r"\b(?:you|licensee|redistributions?|distribution\b[^.;]{0,99}?) (?:\w+ )?(?:must|shall)\b|\byou may not\b",
        r"redistribut|distribut|convey|condition|obligation|restriction|modif|source|copying",
        2,
    ),
    _topic(
        r"\bno (?:\w+ )?warrant(?:y|ies)\b|\bwithout (?:any )?(?:\w+ ){0,2}warrant|\bas[- ]is\b|"
        r"disclaims? (?:all|any) (?:\w+ )?warrant",
        r"warrant|disclaimer",
    ),
    _topic(
        r"\b(?:in no event|under no circumstances|(?:not|nor) be (?:held )?liable|not (?:be )?liable|"
        r"liability\b.{0,60}\b(?:limited|exceed))\b",
        r"liabil",
    ),
    _topic(
        r"\bterminat(?:es?|ed|ion)\b.{0,80}\b(?:if|upon|notice|under this)\b|\bif\b.{0,300}\bterminat(?:es?|ed)\b|"
        r"\bautomatically terminate\b",
        r"terminat|duration|\bterm\b",
    ),
)
"""Grant, conditions, warranty, liability and end of a licence or contract."""

DECISION: Final = _topic(
    r"\b(?:we(?:['’]ve| have)?|the (?:group|team|committee|board|motion)(?: has| have| is| was)?) (?:\w+ )?"
    r"(?:decided|agreed|resolved|settled|concluded|carried|adopted)\b|\b(?:the|our|a|final) decision (?:is|was)\b|"
    r"\bit (?:was|is|has been) (?:\w+ )?(?:decided|agreed|resolved)\b|\b(?:motion|amendment) (?:is |was )?"
    r"(?:carried|agreed|defeated)|\b(?:so|then|okay|ok)[\s,]+we(?:['’]re| are| will|['’]ll)? (?:going (?:with|for)|"
    r"gonna (?:go (?:with|for)|have|use))\b|\blet['’]s (?:go (?:with|for)|agree|decide)\b|"
    r"\bwe(?:['’]ll| will) (?:go (?:with|for)|keep)\b",
    "",
    2,
)
"""What was decided in a meeting."""

MEETING: Final = (
    DECISION,
    _topic(
        r"\baction (?:item|point)s?\b|\b(?:you|i|he|she|they|[A-Z][a-z]+)(?:['’]ll| will| am going to| are going to|"
        r"['’](?:m|re) (?:gonna|going to)) (?:\w+ )?(?:work on|send|write|prepare|look into|talk to|email|"
        r"contact|find out|finish|present|report|circulate|arrange|organi[sz]e|focus|provide|update)\b|"
        r"\b(?:can|could|would) you (?:please )?(?:send|prepare|write|circulate|find out)\b|"
        r"\b(?:by|before|until) (?:the )?next (?:week|meeting|month|monday|tuesday|wednesday|thursday|friday)\b|"
        r"\byour (?:task|job|homework) (?:is|will)\b|\bto[- ]do (?:list|item)\b",
        "",
        2,
    ),
    _topic(r"\bnext (?:meeting|session|time we meet|agenda)\b|\bmeet again\b|\bin (?:thirty|\d+) minutes\b"),
)
"""Decisions, tasks and the next date of a meeting."""

_CONTRACT_NAME: Final = lazy_pattern(
    r"\b(?:licen[cs]es?|agreement|contract|terms (?:and conditions|of (?:use|service))|lease)\b|copyright \(c\)",
    re.IGNORECASE,
)
_LEGAL: Final = lazy_pattern(
    r"\b(?:hereby|herein|thereof|hereunder|pursuant to|shall|notwithstanding|provided that|warrant(?:y|ies)|liable|"
    r"are permitted|licensees?|licensors?|(?:you|licensee) (?:may|must)|the parties|"
    r"(?:(?:under|of|with|by) )?this (?:licen[cs]e|agreement|contract))\b",
    re.IGNORECASE,
)
_DEFINES: Final = lazy_pattern(
    r"\W{0,3}(?:\d+[\d.]*\W+)?(?:the |each |an? )?(?:[\"“][^\"”]{2,60}[\"”](?: \(or [^)]+\))?|"
    r"to [\"“][^\"”]+[\"”](?: \w+){1,5}) (?:shall mean|means?|refers? to|is (?:a|an|the|any)|includes?)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = lazy_pattern(
    r"(?:\(?[\da-z]{1,2}[.)]\s*)?(?:you|licensee|redistributions?|each \w+|the \w+)\s(?:[\w,]+\s){0,6}?"
    r"(?:must|shall|may|will)\b",
    re.IGNORECASE,
)


def is_contract(title: str, opening: str, sentences: Iterable[str]) -> bool:
    """Whether a text is a licence or a contract: it says so at its beginning, and is in legal language.

    >>> is_contract("Tea License", "", ["You may drink this tea under this License.", "This License shall end."])
    True
    >>> is_contract("On licenses", "", ["Many people know licenses.", "They are long.", "We read them."])
    False
    """
    if not _CONTRACT_NAME.search(f"{title}\n{opening[:_OPENING]}"):
        return False
    looked_at = [sentence for sentence, _ in zip(sentences, range(_LOOKED_AT), strict=False)]
    n_legal = sum(bool(_LEGAL.search(sentence)) for sentence in looked_at)
    return n_legal >= max(2, _LEGAL_SHARE * len(looked_at))


def is_definition(text: str) -> bool:
    """Whether a sentence of a contract says only what it means by a term.

    >>> is_definition('1.2. "Contributor" means a person.'), is_definition('"Tea" is not a trade mark.')
    (True, False)
    """
    return bool(_DEFINES.match(text))


def is_clause(text: str) -> bool:
    """Whether an item of a list in a contract is a sentence of its own: "(a) You must give a copy …; and"."""
    return bool(_CLAUSE.match(text))
