"""The leaves of a recipe's tree, as spans of the document's text."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from treatise.core.document import Document, Span, trim
from treatise.core.recipe import Indexing, Units
from treatise.core.words import n_tokens

_CLAUSE_END: Final = re.compile(r"[,;:，；：、]\s*")


def leaf_units(document: Document, indexing: Indexing) -> tuple[list[Span], list[int]]:
    """The leaves in order, and how many of them each paragraph holds; chunks count as one paragraph.

    Sentences are those of ``Document.readable_sentences``. A chunk is a run of whole sentences of at most
    ``indexing.chunk_words`` whitespace words (flatten-chunk of DISRetrieval, section 4); a longer sentence is a chunk
    of its own. A run of tokens has at most ``indexing.chunk_tokens`` by our count; a longer sentence is cut after
    commas, semicolons and colons first (RAPTOR; its official code loses the marks that it cuts at, we keep them).
    """
    groups = document.readable_sentences()
    sentences = [span for group in groups for span in group]
    if indexing.units is Units.SENTENCE:
        return sentences, [len(group) for group in groups]
    if indexing.units is Units.CHUNK:
        chunks = list(_packed(document, sentences, indexing.chunk_words, lambda text: len(text.split())))
    else:
        clauses = [clause for sentence in sentences for clause in _clauses(document, sentence, indexing.chunk_tokens)]
        chunks = list(_packed(document, clauses, indexing.chunk_tokens, n_tokens))
    return chunks, [len(chunks)]


def section_sizes(document: Document) -> list[int]:
    """How many paragraphs each section holds, in order; empty where the document has but one section."""
    if len(document.sections) < 2:
        return []
    starts = [paragraph.start for paragraph in document.paragraphs]
    edges = [bisect_left(starts, section.start) for section in document.sections]
    return [end - start for start, end in pairwise([*edges, len(starts)])]


def _packed(document: Document, spans: list[Span], limit: int, length: Callable[[str], int]) -> Iterator[Span]:
    """Neighbouring spans together as long as their lengths add up to no more than the limit."""
    start: int | None = None
    end = total = 0
    for span in spans:
        n = length(document.quote(span.start, span.end))
        if start is not None and total + n > limit:
            yield Span(start, end)
            start, total = None, 0
        start = span.start if start is None else start
        end, total = span.end, total + n
    if start is not None:
        yield Span(start, end)


def _clauses(document: Document, sentence: Span, max_tokens: int) -> list[Span]:
    """The sentence, in pieces that end after a comma, a semicolon or a colon where it is too long."""
    text = document.quote(sentence.start, sentence.end)
    if n_tokens(text) <= max_tokens:
        return [sentence]
    cuts = [sentence.start + mark.end() for mark in _CLAUSE_END.finditer(text)]
    edges = sorted({sentence.start, *cuts, sentence.end})
    pieces = (trim(document.text, Span(start, end)) for start, end in pairwise(edges))
    return [piece for piece in pieces if len(piece)]
