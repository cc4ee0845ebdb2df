"""The leaves of a recipe's tree, as spans of the document's text."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from treatise.core.document import Document, Span
from treatise.core.recipe import Indexing, Units


def leaf_units(document: Document, indexing: Indexing) -> tuple[list[Span], list[int]]:
    """The leaves in order, and how many of them each paragraph holds; chunks count as one paragraph.

    Sentences are those of ``Document.readable_sentences``. A chunk is a run of whole sentences of at most
    ``indexing.chunk_words`` whitespace words (flatten-chunk of DISRetrieval, section 4); a longer sentence is a chunk
    of its own.
    """
    groups = document.readable_sentences()
    sentences = [span for group in groups for span in group]
    if indexing.units is Units.SENTENCE:
        return sentences, [len(group) for group in groups]
    chunks = list(_chunks(document, sentences, indexing.chunk_words))
    return chunks, [len(chunks)]


def section_sizes(document: Document) -> list[int]:
    """How many paragraphs each section holds, in order; empty where the document has but one section."""
    if len(document.sections) < 2:
        return []
    starts = [paragraph.start for paragraph in document.paragraphs]
    edges = [bisect_left(starts, section.start) for section in document.sections]
    return [end - start for start, end in pairwise([*edges, len(starts)])]


def _chunks(document: Document, sentences: list[Span], max_words: int) -> Iterator[Span]:
    start: int | None = None
    end = n_words = 0
    for sentence in sentences:
        n = len(document.quote(sentence.start, sentence.end).split())
        if start is not None and n_words + n > max_words:
            yield Span(start, end)
            start, n_words = None, 0
        start = sentence.start if start is None else start
        end, n_words = sentence.end, n_words + n
    if start is not None:
        yield Span(start, end)
