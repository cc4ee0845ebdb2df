"""Who the parties to a contract are: the names after "between", where the contract begins."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Document, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.patterns import lazy_pattern
from treatise.generate.citations import as_statement, cite

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
        names = parties_in(document.quote(sentence.start, sentence.end))
        if len(names) > 1:
            citation = cite(document, sentence)
            statement = Statement(as_statement(citation.quote), (0,), Support.QUOTED)
            direct = DirectAnswer(", ".join(names), "list", evidence.confidence, (0,))
            return Answer(
                evidence.question, statement.text, (statement,), (citation,), evidence, found=True, direct=direct
            )
    return None


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
    names = [_LINK.sub("", _DETAILS.split(_LINK.sub("", part), maxsplit=1)[0]) for part in parts]
    return [name for name in names if name[:1].isupper() and len(name) <= _LONGEST][:_MOST]


def _opening(document: Document) -> Iterator[Span]:
    for sentence in document.sentences():
        if sentence.start > _FRONT:
            return
        whole = trim(document.text, sentence)
        if len(whole):
            yield whole
