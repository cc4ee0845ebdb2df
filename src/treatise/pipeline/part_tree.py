"""The discourse tree of a part of a document, without an index of the whole."""

from dataclasses import dataclass

from treatise.core.document import Document, Paragraph, Section, Span
from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree
from treatise.pipeline.index_drafts import draft_documents
from treatise.pipeline.system import System


@dataclass(frozen=True, slots=True)
class PartTree:
    """A tree over the sentences of some paragraphs.

    Attributes:
        units: The sentences, as offsets of the whole document.
        tree: Over the units.
    """

    units: tuple[Span, ...]
    tree: DiscourseTree


def part_tree(system: System, document: Document, span: Span) -> PartTree:
    """The discourse tree over the paragraphs that begin within a span, parsed now.

    Args:
        system: Its recipe has discourse trees over sentences, so that it has a parser.
        document: The document.
        span: The part. A section of a page takes about a second; the whole document takes as long as its index.

    Raises:
        TreeError: No paragraph begins within the span.
    """
    paragraphs = [one for one in document.paragraphs if span.start <= one.start < span.end]
    if not paragraphs:
        raise TreeError(f"{document.id}: no paragraph begins within characters {span.start:,} to {span.end:,}")
    part = _part(document, paragraphs)
    (draft,) = draft_documents([part], system.recipe.indexing, parser=system.engines.parser_for(system.recipe.indexing))
    offset = paragraphs[0].start
    return PartTree(tuple(_moved(unit, offset) for unit in draft.units), draft.tree)


def _part(document: Document, paragraphs: list[Paragraph]) -> Document:
    """The paragraphs as a document of their own."""
    start, end = paragraphs[0].start, paragraphs[-1].end
    moved = (
        Paragraph(one.start - start, one.end - start, one.kind, tuple(_moved(s, -start) for s in one.sentences))
        for one in paragraphs
    )
    sections = (Section("", 0, 0),)
    return Document(
        document.source, document.title, document.language, document.text[start:end], sections, tuple(moved)
    )


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
