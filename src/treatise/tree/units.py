"""The leaves of a recipe's tree, as spans of the document's text."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from treatise.core.document import Document, Span, trim
from treatise.core.patterns import lazy_pattern
from treatise.core.ports import TokenCounter
from treatise.core.recipe import Chunks, Sentences, TokenChunks, Units
from treatise.core.words import n_tokens

_CLAUSE_END: Final = lazy_pattern(r"[,;:，；：、]\s*")
_BLANK: Final = lazy_pattern(r"\s+")


def leaf_units(document: Document, units: Units, counter: TokenCounter | None = None) -> tuple[list[Span], list[int]]:
    """The leaves in order, and their number per paragraph; chunks count as one paragraph.

    Sentences are those of ``Document.readable_sentences``. ``Chunks`` are runs of whole sentences, in whitespace words
    (flatten-chunk of DISRetrieval, section 4); a longer sentence is a chunk of its own. ``ClauseChunks`` are counted in
    tokens by our count; a longer sentence is first cut after commas, semicolons and colons (RAPTOR; its official code
    drops these marks, we keep them). ``TokenChunks`` are counted by ``counter``, or by our count if it is
    None; a piece that is still too long is cut between words (between characters, in scripts without spaces), so that
    no chunk is longer.
    """
    groups = document.readable_sentences()
    sentences = [span for group in groups for span in group]
    if isinstance(units, Sentences):
        return sentences, [len(group) for group in groups]
    if isinstance(units, Chunks):
        chunks = list(_packed(document, sentences, units.words, lambda text: len(text.split())))
    elif isinstance(units, TokenChunks):
        count = counter.n_tokens if counter else _estimated
        pieces, sizes = _cut_to(document, sentences, units.tokens, count)
        chunks = list(_packed(document, pieces, units.tokens, sizes.__getitem__))
    else:
        clauses = [clause for sentence in sentences for clause in _clauses(document, sentence, units.tokens)]
        chunks = list(_packed(document, clauses, units.tokens, n_tokens))
    return chunks, [len(chunks)]


def section_sizes(document: Document) -> list[int]:
    """Number of paragraphs per section, in order; empty if the document has only one section."""
    if len(document.sections) < 2:
        return []
    starts = [paragraph.start for paragraph in document.paragraphs]
    edges = [bisect_left(starts, section.start) for section in document.sections]
    return [end - start for start, end in pairwise([*edges, len(starts)])]


def _packed(document: Document, spans: list[Span], limit: int, length: Callable[[str], int]) -> Iterator[Span]:
    """Joins neighbouring spans as long as their total length is within the limit."""
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
    """The sentence; if too long, in pieces that end after a comma, a semicolon or a colon."""
    text = document.quote(sentence.start, sentence.end)
    if n_tokens(text) <= max_tokens:
        return [sentence]
    cuts = [sentence.start + mark.end() for mark in _CLAUSE_END.finditer(text)]
    edges = sorted({sentence.start, *cuts, sentence.end})
    pieces = (trim(document.text, Span(start, end)) for start, end in pairwise(edges))
    return [piece for piece in pieces if len(piece)]


def _estimated(texts: Sequence[str]) -> list[int]:
    return [n_tokens(text) for text in texts]


def _cut_to(
    document: Document, spans: list[Span], limit: int, count: Callable[[Sequence[str]], list[int]]
) -> tuple[list[Span], dict[str, int]]:
    """The spans, with those of more than ``limit`` tokens cut into pieces, and the tokens of each piece's text."""
    while True:
        texts = [document.quote(span.start, span.end) for span in spans]
        sizes = count(texts)
        too_long = [size > limit and len(span) > 1 for span, size in zip(spans, sizes, strict=True)]
        if not any(too_long):
            return spans, dict(zip(texts, sizes, strict=True))
        spans = [
            piece
            for span, is_long in zip(spans, too_long, strict=True)
            for piece in (_halved(document.text, span) if is_long else [span])
        ]


def _halved(text: str, span: Span) -> list[Span]:
    """Two pieces, cut as close to the middle as possible: after a clause, else between words, else within a word."""
    middle, quarter = (span.start + span.end) // 2, len(span) // 4
    for edge in (_CLAUSE_END, _BLANK):
        cuts = [span.start + mark.end() for mark in edge.finditer(text[span.start : span.end])]
        near = [cut for cut in cuts if abs(cut - middle) <= quarter and span.start < cut < span.end]
        if near:
            middle = min(near, key=lambda cut: abs(cut - middle))
            break
    pieces = (trim(text, piece) for piece in (Span(span.start, middle), Span(middle, span.end)))
    return [piece for piece in pieces if len(piece)]
