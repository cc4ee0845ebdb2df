"""Small documents and indexes for tests, made without reading a file or loading a model."""

from dataclasses import replace
from itertools import accumulate

import numpy as np

from treatise.core.document import Document, Paragraph, ParagraphKind, Section, Span
from treatise.core.indexed import IndexedDocument
from treatise.core.tree import DiscourseTree
from treatise.retrieve import build_lexicon
from treatise.testing import HashingEncoder
from treatise.tree import balanced


def make_document(paragraphs: list[list[str]], *, source: str = "test.txt", headings: tuple[int, ...] = ()) -> Document:
    """A document of these sentences; each is followed by a blank. ``headings`` are numbers of heading paragraphs."""
    made, sections, at = [], [], 0
    for number, sentences in enumerate(paragraphs):
        edges = list(accumulate((len(sentence) + 1 for sentence in sentences), initial=at))
        is_heading = number in headings
        if is_heading:
            sections.append(Section(sentences[0], 1, at))
        kind = ParagraphKind.HEADING if is_heading else ParagraphKind.PROSE
        made.append(Paragraph(at, edges[-1], kind, tuple(map(Span, edges, edges[1:]))))
        at = edges[-1]
    if not sections or sections[0].start:
        sections.insert(0, Section("", 0, 0))
    text = "".join(f"{sentence} " for sentences in paragraphs for sentence in sentences)
    return Document(source, "Test", "en", text, tuple(sections), tuple(made))


def make_indexed(
    paragraphs: list[list[str]], *, tree: DiscourseTree | None = None, vectors: np.ndarray | None = None
) -> IndexedDocument:
    """An index with a balanced tree, and one-hot vectors where none are given."""
    document = make_document(paragraphs)
    units = [span for group in document.readable_sentences() for span in group]
    tree = tree or balanced([len(group) for group in paragraphs])
    vectors = np.eye(len(tree.nodes), dtype=np.float16) if vectors is None else vectors.astype(np.float16)
    texts = [document.quote(unit.start, unit.end) for unit in units]
    return IndexedDocument(document, tuple(units), tree, vectors, build_lexicon(texts))


def indexed_documents(n: int, *, seed: int = 0) -> list[IndexedDocument]:
    """Indexed documents of some random sentences each, in two languages, with vectors of their words."""
    generator = np.random.default_rng(seed)
    encoder = HashingEncoder(96)
    found = []
    for number in range(n):
        drawn = generator.choice(_WORDS, (int(generator.integers(2, 7)), 6))
        sentences = [f"{' '.join(words)} number {number}." for words in drawn]
        indexed = make_indexed([sentences])
        language = "de" if number % 5 == 0 else "en"
        document = replace(indexed.document, language=language)
        vectors = encoder.encode([_text_under(indexed, node) for node in range(indexed.n_nodes)]).astype(np.float16)
        found.append(replace(indexed, document=document, vectors=vectors, lexicon=build_lexicon(sentences, language)))
    return found


def _text_under(indexed: IndexedDocument, node: int) -> str:
    spans = (indexed.units[unit] for unit in indexed.units_under(node))
    return " ".join(indexed.document.quote(span.start, span.end) for span in spans)


_WORDS = [
    "water",
    "boils",
    "temperature",
    "degrees",
    "kettle",
    "leaves",
    "steam",
    "pressure",
    "sea",
    "level",
    "iron",
    "copper",
    "rain",
    "river",
    "stone",
    "winter",
    "summer",
    "garden",
    "bridge",
    "letter",
    "music",
    "window",
    "forest",
    "village",
    "engine",
    "paper",
    "market",
    "harbour",
    "glass",
    "silver",
]
