"""Synthetic documents for tests of stores."""

from hashlib import blake2b

import numpy as np

from treatise.core.document import Document, Paragraph, ParagraphKind, Section, Span, trim
from treatise.core.indexed import Cluster, IndexedDocument, Lexicon
from treatise.core.note import EXTRACTS, Note, Origin, note_key
from treatise.core.tree import RELATIONS, DiscourseTree, Group, Join, Node, Nuclearity, Unit, concatenate, splice
from treatise.core.words import joined

_TITLE = "A sample\n\n"


def sample_indexed(
    seed: int = 0, *, source: str = "/sample.txt", n_paragraphs: int = 3, n_sentences: int = 4, dim: int = 8
) -> IndexedDocument:
    """An indexed document that depends only on the arguments: a heading, then paragraphs of equal size.

    It contains everything that a store must keep: sections, pages, joins, groups, clusters, notes of every origin,
    characters beyond the basic plane, and whitespace between sentences. Different seeds give different texts.
    """
    document = _document(seed, source, n_paragraphs, n_sentences)
    units = tuple(trim(document.text, sentence) for sentence in document.sentences())
    tree = _tree(document)
    generator = np.random.default_rng(seed)
    clusters = _clusters(tree)
    vectors = generator.standard_normal((len(tree.nodes) + len(clusters), dim)).astype(np.float16)
    notes = _notes(tree, [document.quote(unit.start, unit.end) for unit in units])
    notes += tuple(Note("A note on a cluster.", Origin.SUMMARY, one.units, note_key("cluster")) for one in clusters)
    return IndexedDocument(document, units, tree, vectors, _lexicon(document, units), notes, clusters)


def _document(seed: int, source: str, n_paragraphs: int, n_sentences: int) -> Document:
    text = _TITLE
    paragraphs = [Paragraph(0, len(text), ParagraphKind.HEADING, (Span(0, len(text)),))]
    for p in range(n_paragraphs):
        start, sentences = len(text), []
        for s in range(n_sentences):
            sentence = f"Sentence {s} of paragraph {p} in text {seed} — 文 𝛼. "
            sentences.append(Span(len(text), len(text) + len(sentence)))
            text += sentence
        paragraphs.append(Paragraph(start, len(text), ParagraphKind.PROSE, tuple(sentences)))
    return Document(
        source=source,
        title="A sample",
        language="en",
        text=text,
        sections=(Section("A sample", 1, 0),),
        paragraphs=tuple(paragraphs),
        page_starts=(0, len(_TITLE)),
    )


def _tree(document: Document) -> DiscourseTree:
    """A right-branching chain per paragraph, all in one group."""
    chains = [_chain(len(paragraph.sentences)) for paragraph in document.paragraphs]
    paragraphs = concatenate([DiscourseTree(1, (Unit(0),))] * len(chains))
    root = Group(tuple(range(len(chains))))
    return splice(DiscourseTree(len(chains), (*paragraphs.nodes, root)), chains)


def _chain(n_units: int) -> DiscourseTree:
    nodes: list[Node] = [Unit(i) for i in range(n_units)]
    for i in range(n_units - 1):
        nuclearity = list(Nuclearity)[i % len(Nuclearity)]
        nodes.append(Join(n_units - 2 - i, len(nodes) - 1, nuclearity, RELATIONS[i % len(RELATIONS)]))
    return DiscourseTree(n_units, tuple(nodes))


def _clusters(tree: DiscourseTree) -> tuple[Cluster, ...]:
    """A cluster of every other unit, and one of that cluster and the first unit."""
    if tree.n_units < 3:
        return ()
    leaves = tree.leaf_nodes.tolist()
    every_other = tuple(range(0, tree.n_units, 2))
    below = Cluster(tuple(leaves[unit] for unit in every_other), every_other, layer=1)
    return below, Cluster((leaves[0], len(tree.nodes)), every_other, layer=2)


def _notes(tree: DiscourseTree, units: list[str]) -> tuple[Note, ...]:
    """Notes of every origin in turn on inner nodes; extracts quote the first and the last unit below."""
    notes = []
    for node, (start, end) in enumerate(tree.ranges.tolist()):
        origin = list(Origin)[1 + node % (len(Origin) - 1)] if end - start > 1 else Origin.LEAF
        chosen = tuple(sorted({start, end - 1})) if origin in EXTRACTS else range(start, end)
        text = joined(units[unit] for unit in chosen) if origin in EXTRACTS else f"A note on {start} to {end} — 文 𝛼."
        rejection_reason = "too long" if origin is Origin.REJECTED else ""
        notes.append(Note(text, origin, chosen, note_key(origin, text), rejection_reason))
    return tuple(notes)


def _lexicon(document: Document, units: tuple[Span, ...]) -> Lexicon:
    words = [document.quote(unit.start, unit.end).lower().split() for unit in units]
    postings: dict[int, list[tuple[int, int]]] = {}
    for unit, unit_words in enumerate(words):
        for word in sorted(set(unit_words)):
            term = int.from_bytes(blake2b(word.encode(), digest_size=8).digest())
            postings.setdefault(term, []).append((unit, unit_words.count(word)))
    terms = sorted(postings)
    rows = [row for term in terms for row in postings[term]]
    return Lexicon(
        terms=np.array(terms, dtype=np.uint64),
        starts=np.cumsum([0, *(len(postings[term]) for term in terms)], dtype=np.int64),
        units=np.array([unit for unit, _ in rows], dtype=np.int32),
        counts=np.array([count for _, count in rows], dtype=np.uint16),
        lengths=np.array([len(unit_words) for unit_words in words], dtype=np.int32),
    )
