"""Makes the libraries that ``corpora.py`` measures.

    python benchmarks/corpora_data.py qasper PAPERS.jsonl[.gz] LIBRARY.db
    python benchmarks/corpora_data.py grow LIBRARY.db LARGE.db --documents 1000 --leaves 500
    python benchmarks/corpora_data.py split LIBRARY.db SMALL.db --documents 10000 --leaves 5

``qasper`` indexes every paper as a document of one library. ``grow`` makes a large library of it without encoding: each
document is a run of consecutive papers whose names (capitalised words inside sentences) are replaced, and whose leaves'
vectors are moved by noise of a fixed length, so that no two are equal. Inner nodes are pooled again from these leaves.
``split`` makes a library of many small documents: each is a run of a paper's sentences, with their vectors.
"""

import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice, pairwise
from pathlib import Path

import numpy as np

from treatise.core.document import Document, Paragraph, ParagraphKind, Section, Span
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import SourceState
from treatise.core.tree import DiscourseTree, Group, Join, Node, Unit
from treatise.embed.pooled import node_vectors
from treatise.retrieve import build_lexicon
from treatise.tree import balanced

NOISE = 0.25
"""Length of the noise added to a vector of length 1: the moved one has a cosine of about .97 with it."""


def qasper(papers: Path, library: Path) -> None:
    from treatise.compose import open_library
    from treatise.evaluate.data.loaders.qasper import load_qasper

    opened = open_library(store=library)
    known = {entry.id for entry in opened.documents()}
    for labelled in load_qasper(papers):
        if labelled.document.id in known:
            continue
        (indexed,) = opened.system.index([labelled.document])
        put(opened, indexed, f"{labelled.document.source}#{indexed.document.id}")
        print(indexed.document.id, indexed.n_nodes, flush=True)
    opened.close()


def put(library, indexed: IndexedDocument, source: str = "") -> None:
    name = source or indexed.document.source
    state = SourceState(name, len(indexed.document.text), 0, "0" * 64)
    library.store.put(indexed, index_key=library.system.index_key, state=state)


def grow(library: Path, large: Path, n_documents: int, n_leaves: int) -> None:
    from treatise.compose import open_library

    small, out = open_library(store=library), open_library(store=large)
    key = small.system.index_key
    papers = [small.store.get(entry.id, key) for entry in small.documents()]
    generator = np.random.default_rng(0)
    for number, run in enumerate(islice(runs(cycle(papers), n_leaves), n_documents)):
        put(out, renamed(run, number, generator), f"/generated/{number}.txt")
        if number % 50 == 0:
            print(number, flush=True)
    small.close()
    out.close()


def runs(papers: Iterator[IndexedDocument], n_leaves: int) -> Iterator[list[IndexedDocument]]:
    """Runs of consecutive papers with at least this many leaves."""
    run: list[IndexedDocument] = []
    for paper in papers:
        run.append(paper)
        if sum(len(one.units) for one in run) >= n_leaves:
            yield run
            run = []


def renamed(run: list[IndexedDocument], number: int, generator: np.random.Generator) -> IndexedDocument:
    """The papers as one document with other names, and vectors moved by noise."""
    document, units = together([one.document for one in run], [one.units for one in run], number)
    leaves = np.concatenate([one.vectors[one.tree.leaf_nodes] for one in run]).astype(np.float32)
    noise = generator.standard_normal(leaves.shape, dtype=np.float32)
    leaves += NOISE / np.sqrt(leaves.shape[1]) * noise
    leaves /= np.linalg.norm(leaves, axis=1, keepdims=True)
    texts = [document.quote(unit.start, unit.end) for unit in units]
    tree = joined_trees([one.tree for one in run])
    return IndexedDocument(document, units, tree, node_vectors(tree, leaves), build_lexicon(texts))


def split(library: Path, small: Path, n_documents: int, n_leaves: int) -> None:
    from treatise.compose import open_library

    papers, out = open_library(store=library), open_library(store=small)
    key = papers.system.index_key
    pieces = (piece for entry in papers.documents() for piece in pieces_of(papers.store.get(entry.id, key), n_leaves))
    for piece in islice(pieces, n_documents):
        put(out, piece)
    papers.close()
    out.close()


def pieces_of(paper: IndexedDocument, n_leaves: int) -> Iterator[IndexedDocument]:
    """Documents of so many consecutive units of a paper."""
    leaves = paper.vectors[paper.tree.leaf_nodes].astype(np.float32)
    for first in range(0, len(paper.units) - n_leaves + 1, n_leaves):
        texts = [paper.document.quote(unit.start, unit.end) for unit in paper.units[first : first + n_leaves]]
        text, source = "\n\n".join(texts), f"/generated/{paper.document.id}-{first}.txt"
        ends = np.cumsum([len(one) + 2 for one in texts]).tolist()
        ends[-1] -= 2
        spans = [Span(start, end) for start, end in pairwise([0, *ends])]
        paragraphs = tuple(Paragraph(span.start, span.end, ParagraphKind.PROSE, (span,)) for span in spans)
        units = tuple(Span(span.start, span.start + len(one)) for span, one in zip(spans, texts, strict=True))
        document = Document(source, texts[0], "en", text, (Section("", 0, 0),), paragraphs)
        tree = balanced([1] * n_leaves)
        vectors = node_vectors(tree, leaves[first : first + n_leaves])
        yield IndexedDocument(document, units, tree, vectors, build_lexicon(texts))


def together(
    documents: list[Document], units: list[tuple[Span, ...]], number: int
) -> tuple[Document, tuple[Span, ...]]:
    text, sections, paragraphs, spans = "", [], [], []
    for document, of_one in zip(documents, units, strict=True):
        at = len(text)
        text += rename(document.text, number)
        sections += [Section(one.title, max(1, one.level), one.start + at) for one in document.sections]
        paragraphs += [
            Paragraph(p.start + at, p.end + at, p.kind, tuple(Span(s.start + at, s.end + at) for s in p.sentences))
            for p in document.paragraphs
        ]
        spans += [Span(unit.start + at, unit.end + at) for unit in of_one]
    sections[0] = replace(sections[0], start=0)
    title = f"{documents[0].title} ({number})"
    return Document(f"/generated/{number}.txt", title, "en", text, tuple(sections), tuple(paragraphs)), tuple(spans)


def rename(text: str, number: int) -> str:
    """Capitalised words inside sentences become other words of equal length, different in each document."""

    def other(match: re.Match[str]) -> str:
        word = match.group()
        shift = 1 + (number * 7 + sum(map(ord, word))) % 25
        return "".join(chr((ord(c) - 97 + shift) % 26 + 97) if c.islower() else c for c in word)

    return re.sub(r"(?<=[a-z,] )[A-Z][a-z]{3,}", other, text)


def joined_trees(trees: list[DiscourseTree]) -> DiscourseTree:
    if len(trees) == 1:
        return trees[0]
    nodes: list[Node] = []
    roots, n_units = [], 0
    for tree in trees:
        at = len(nodes)
        roots += [at + int(root) for root in tree.roots]
        nodes += [moved(node, at, n_units) for node in tree.nodes]
        n_units += tree.n_units
    return DiscourseTree(n_units, (*nodes, Group(tuple(roots))))


def moved(node: Node, at: int, n_units: int) -> Node:
    match node:
        case Unit():
            return Unit(node.index + n_units)
        case Join():
            return replace(node, left=node.left + at, right=node.right + at)
        case Group():
            return Group(tuple(child + at for child in node.children))


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["qasper", "grow", "split"])
    parser.add_argument("source", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("--documents", type=int, default=1_000)
    parser.add_argument("--leaves", type=int, default=500)
    given = parser.parse_args(sys.argv[1:])
    if given.what == "qasper":
        qasper(given.source, given.library)
    elif given.what == "split":
        split(given.source, given.library, given.documents, given.leaves)
    else:
        grow(given.source, given.library, given.documents, given.leaves)
