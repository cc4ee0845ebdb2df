"""Sentences that belong to a quoted one: its nucleus, an exception to it, and the block or list that it introduces.

Measured in docs/log/answers.md, against the sentence alone, the sentence before it, and random trees.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from treatise.core.document import Document, ParagraphKind, Span, trim
from treatise.core.evidence import Passage
from treatise.core.injection import addresses_a_model
from treatise.core.ports import Parser
from treatise.core.tree import DiscourseTree, Nuclearity
from treatise.core.words import n_words

_MAX_SENTENCES: Final = 40  # of a paragraph that is parsed
_MAX_BLOCK: Final = 600  # characters
_MAX_LISTED: Final = 110  # words of a sentence with the items that it introduces
_SPEAKING: Final = (ParagraphKind.PROSE, ParagraphKind.LIST)

_INSTRUCTION: Final = re.compile(
    r"^[¿\s]*(?:how (?:do|can|should|would) (?:i|you|we|one)\b|how to\b|(?:which|what) (?:command|option)\b|"
    r"what (?:can|must|should|do) i\b|wie (?:kann|muss|soll)|comment\b|cómo\b|con qué\b|如何|怎)",
    re.IGNORECASE,
)
_EXCEPTION: Final = re.compile(
    r"(?:but|however|unless|except|otherwise|in that case|if not|nevertheless|nonetheless|only if|provided that|"
    r"jedoch|aber|allerdings|sonst|ausgenommen|mais|cependant|toutefois|sauf|pero|sin embargo|excepto)\b|"
    r"但|然而|否则|除非",
    re.IGNORECASE,
)


_POINTS_BACK: Final = re.compile(
    r"(?:there|here|then|for (?:this|these|that) reasons?|therefore|thus|hence|that is why|this is why|as a result|"
    r"because of this|dort|da|daher|deshalb|darum|deswegen|là|c'est pourquoi|ainsi|allí|por eso|por ello)\b"
    r"(?! (?:is|are|was|were|has|have) )|因此|所以",
    re.IGNORECASE,
)


def attached(key: Passage, document: Document, question: str, parser: Parser | None) -> list[Passage]:
    """The sentences that belong to ``key``, in text order.

    They are the code after it if the question asks how to do something, the items of the list that it introduces (as
    many as fit into 110 words with it), the next sentence if it begins with a condition
    or contrast, the sentence before if ``key`` points back ("There she …", "For this reason …"), and, if ``parser`` is
    not None, the neighbouring sentence that it is a satellite of.
    """
    around = _paragraph(document, key.span)
    if key.span not in around:
        return []
    at = around.index(key.span)
    spans = set(_block(document, key.span) if _INSTRUCTION.match(question) else ())
    spans |= set(_items(document, key))
    if at + 1 < len(around) and _EXCEPTION.match(_text(document, around[at + 1])):
        spans.add(around[at + 1])
    if at and _POINTS_BACK.match(key.text):
        spans.add(around[at - 1])
    if parser and (nucleus := _nucleus(document, around, at, parser)):
        spans.add(nucleus)
    ordered = sorted(spans, key=lambda span: span.start)
    made = [Passage(document.id, span, _text(document, span), key.score, key.group) for span in ordered]
    return [one for one in made if not addresses_a_model(one.text)]


def with_lead_ins(passages: Sequence[Passage], documents: Mapping[str, Document]) -> list[Passage]:
    """The passages, before each first item of a list the sentence that introduces it."""
    made: list[Passage] = []
    for one in passages:
        lead = documents[one.document].lead_in(one.span.start)
        introduction = lead and replace(one, span=lead, text=_text(documents[one.document], lead))
        if introduction and introduction.span not in [
            before.span for before in made if before.document == one.document
        ]:
            made.append(introduction)
        if one.span not in [before.span for before in made if before.document == one.document]:
            made.append(one)
    return [one for one in made if not addresses_a_model(one.text)]


def _items(document: Document, key: Passage) -> Iterator[Span]:
    """The items that the sentence introduces, as many as fit into the limit of words."""
    n = n_words(key.text)
    if document.text[key.span.end : document.paragraph_at(key.span.start).end].strip():
        return
    for item in document.items_after(key.span.start):
        n += n_words(_text(document, item))
        if n > _MAX_LISTED:
            return
        yield item


def _nucleus(document: Document, sentences: Sequence[Span], at: int, parser: Parser) -> Span | None:
    """The neighbouring sentence of the nucleus that the sentence's part of the paragraph is a satellite of."""
    if not 1 < len(sentences) <= _MAX_SENTENCES:
        return None
    (tree,) = parser.parse_runs([[_text(document, span) for span in sentences]], document.language)
    neighbour = _nuclear_neighbour(tree, at)
    return None if neighbour is None else sentences[neighbour]


def _nuclear_neighbour(tree: DiscourseTree, unit: int) -> int | None:
    """The unit before if a nucleus ends there and the unit begins its satellite; else the unit after, likewise."""
    nuclearity = {split: join.nuclearity for _, split, _, join in tree.joins()}
    if nuclearity.get(unit) is Nuclearity.NS:
        return unit - 1
    return unit + 1 if nuclearity.get(unit + 1) is Nuclearity.SN else None


def _paragraph(document: Document, span: Span) -> list[Span]:
    """The sentences of a passage's paragraph; empty if it is a table, code, verse or a heading."""
    paragraph = document.paragraph_at(span.start)
    if paragraph.kind not in _SPEAKING:
        return []
    return [one for one in (trim(document.text, each) for each in paragraph.sentences) if len(one)]


def _block(document: Document, span: Span) -> Iterator[Span]:
    """The code directly after the sentence's paragraph, if the sentence ends it and the code is short."""
    paragraph = document.paragraph_at(span.start)
    if document.text[span.end : paragraph.end].strip() or paragraph.end >= len(document.text):
        return
    following = document.paragraph_at(paragraph.end)
    if following.kind is ParagraphKind.CODE and following.end - following.start <= _MAX_BLOCK:
        yield trim(document.text, Span(following.start, following.end))


def _text(document: Document, span: Span) -> str:
    return document.quote(span.start, span.end)
