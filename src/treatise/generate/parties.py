"""Who the parties to a contract are: the names after "between", where the contract begins."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer, DirectAnswer
from treatise.core.document import Document, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.patterns import lazy_pattern
from treatise.generate.quoted import quoted_answer

_CONTRACT: Final = r"(?:this |the |its )?(?:\w+ )?(?:agreement|contract|lease|deed|licence|license|deal)"
_ASKS: Final = lazy_pattern(
    rf"who (?:are|were) the (?:contracting |two )?parties(?: (?:to|of|in) {_CONTRACT})?|"
    rf"(?:name|list) the (?:contracting )?parties(?: (?:to|of) {_CONTRACT})?|"
    rf"(?:between|among) whom (?:is|was) {_CONTRACT}(?: made| concluded| entered into)?|"
    rf"(?:who|which (?:companies|parties)) (?:entered into|concluded|signed|made) {_CONTRACT}|"
    r"wer sind die (?:vertragsparteien|vertragspartner|parteien(?: des vertrage?s)?)|"
    r"qui sont les parties(?: (?:au|du) contrat)?|quiénes son las partes(?: del contrato)?",
    re.IGNORECASE,
)
_WHO_IS: Final = lazy_pattern(
    r"(?:who|wer|qui) (?:is|are|was|were|ist|sind|est|sont) (?:the |der |die |le |la |les )?"
    r"(?P<term>[\w-]+(?: [\w-]+){0,3})",
    re.IGNORECASE,
)
_SURE: Final = 0.95
_AFTER_NAME: Final = lazy_pattern(r"(?:, (?=[a-z])| \().*$")  # "Ann Lee, born in Rye", "Ann Lee (passport no. 1)"
_NAME_WORD: Final = r"(?:[A-Z&][\w.'’&-]*,?|and|of|the|de|der|den|di|la|van|von|for|&)"
_ONLY_NAMES: Final = lazy_pattern(rf"{_NAME_WORD}(?: {_NAME_WORD})*")
_EACH: Final = lazy_pattern(r"\((?:each|either|both)\b", re.IGNORECASE)
_FRONT: Final = 6_000  # characters at the beginning of a contract that name its parties
_BETWEEN: Final = lazy_pattern(r"\b(?:between|among|zwischen|entre)\b:?\s+", re.IGNORECASE)
_GIVES_NAME: Final = lazy_pattern(r"\([^()]*[\"“„«][^()]*\)")
_LINK: Final = lazy_pattern(r"^[\s,;:]*(?:(?:and|und|et|y)\s+)?(?:\(\w\)\s*)?|[\s,;:]+$", re.IGNORECASE)
_DETAILS: Final = lazy_pattern(
    r",? (?:with|having|whose|located|organi[sz]ed|acting|being|residing|of|mit|vertreten|dont|ayant|con)\b|"
    r",? an? (?!.{0,3}$)[\w\s]*\b(?:corporation|company|partnership|individual|limited|entity|citizen)|, (?=\d)",
    re.IGNORECASE,
)
_MOST: Final = 6  # parties
_LONGEST: Final = 80  # characters of a name


def answer_parties(evidence: Evidence, document: Document) -> Answer | None:
    """The names of the parties, with the sentence that names them.

    None if the question asks for something else, or if the document does not begin as a contract does.
    """
    plain = " ".join(evidence.question.split()).strip(" ?？!.¿:")
    if not _ASKS.fullmatch(plain):
        return None
    for sentence in _opening(document):
        names = parties_in(document.one_line(sentence.start, sentence.end))
        if len(names) > 1:
            direct = DirectAnswer(", ".join(names), "list", evidence.confidence, (0,))
            return replace(quoted_answer(evidence, document, [sentence], direct.confidence), direct=direct)
    return None


def answer_party(evidence: Evidence, document: Document) -> Answer | None:
    """The name that a contract calls "the Landlord", if the question asks who that is; else None."""
    match = _WHO_IS.fullmatch(" ".join(evidence.question.split()).strip(" ?？!.¿:"))
    if not match:
        return None
    for sentence in _opening(document):
        if name := party_called(match["term"], document.one_line(sentence.start, sentence.end)):
            direct = DirectAnswer(name, "span", _SURE, (0,))
            return replace(quoted_answer(evidence, document, [sentence], _SURE), direct=direct)
    return None


def party_called(term: str, sentence: str) -> str:
    """The name to which a sentence gives a term in brackets; empty if it gives it to none.

    >>> party_called("tenant", 'This lease is between Ann Lee (the "Landlord") and Oak, Inc., of Rye ("Tenant").')
    'Oak, Inc.'
    """
    text = " ".join(sentence.split())
    found = _BETWEEN.search(text)
    start = found.end() if found else 0
    quoted = re.compile(rf"[\"“„«]{re.escape(term)},?[\"”“»]", re.IGNORECASE)
    for given in _GIVES_NAME.finditer(text, start):
        if quoted.search(given[0]):
            name = _AFTER_NAME.sub("", _name(text[start : given.start()]))
            return name if _is_name(name) and _ONLY_NAMES.fullmatch(name) and not _EACH.match(given[0]) else ""
        start = given.end()
    return ""


def parties_in(sentence: str) -> Sequence[str]:
    """The names that a sentence such as 'made between X, Inc. ("A") and Y, LLC ("B")' gives; empty if it gives none.

    >>> parties_in('This lease is made between Ann Lee, residing in Rye (the "Landlord"), and Oak, Inc. ("Tenant").')
    ['Ann Lee', 'Oak, Inc.']
    """
    text = " ".join(sentence.split())
    found = _BETWEEN.search(text)
    if not found:
        return []
    parts = _GIVES_NAME.split(text[found.end() :])[:-1]
    return [name for name in map(_name, parts) if _is_name(name)][:_MOST]


def _name(part: str) -> str:
    """The name at the beginning of what stands before its brackets."""
    return _LINK.sub("", _DETAILS.split(_LINK.sub("", part), maxsplit=1)[0])


def _is_name(text: str) -> bool:
    return text[:1].isupper() and len(text) <= _LONGEST


def _opening(document: Document) -> Iterator[Span]:
    for sentence in document.sentences():
        if sentence.start > _FRONT:
            return
        whole = trim(document.text, sentence)
        if len(whole):
            yield whole
