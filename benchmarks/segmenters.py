"""Segmenters on treebanks, side by side: F1 of the first, differences of the others to it.

    python benchmarks/segmenters.py --treebank data/rst/dev/gcdt --treebank data/rst/dev/rrg:ru \
        parser-multi segmenter-multi

A treebank is named as for ``benchmarks/parsers.py``; ``--written`` removes the spaces that it puts around marks. A
segmenter is a folder or the name of a shipped model. Three F1 in percent, with 95 % intervals over documents, paired
for differences:

- ``inside``: boundaries inside sentences. Where a treebank does not mark sentences (RRG, PCC, RRT, PRSTC), they end
  with an EDU that ends in closing punctuation; no end inside an EDU is found, so this flatters.
- ``starts``: the same with the first EDU of each sentence.
- ``own``: all EDU starts of the running text, each paragraph cut into sentences by Treatise, as for users.

With ``--parser``, also ``span`` and ``full``: inner nodes of its trees over the EDUs of ``own``, by their place in the
text, and those of them that have the relation and nuclearity of the treebank.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt
from parsers import converted

from treatise.core.document import ParagraphKind
from treatise.core.tree import DiscourseTree, Nuclearity
from treatise.engines.span_parser import load_segmenter, load_span_parser
from treatise.ingest.sentences import sentence_lengths
from treatise.parse.parser import TextParser
from treatise.parse.rows import Text
from treatise.parse.segment import Segmenter
from treatise.train.source import shipped
from treatise.train.treebanks import TreebankDocument, sentence_text, sentences_of_edus, without_spaces_at_marks

Counts = npt.NDArray[np.int64]
"""Hits, starts or nodes of the treebank and those found, by figure. Shape ``(n_documents, n_figures, 3)``."""

FIGURES: Final = ("inside", "starts", "own", "span", "full")
N_DRAWS: Final = 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebank", action="append", required=True)
    parser.add_argument("--written", action="store_true")
    parser.add_argument("--parser")
    parser.add_argument("segmenters", nargs="+")
    options = parser.parse_args()
    of_trees = load_span_parser(shipped(options.parser)) if options.parser else None
    for treebank in options.treebank:
        documents = [TreebankDocument(found.edus, found.sentences) for found in converted(treebank)]
        if options.written:
            documents = [without_spaces_at_marks(document) for document in documents]
        print(f"\n{treebank}: {len(documents)} documents")
        first: Counts | None = None
        for name in options.segmenters:
            segmenter = opened(name)
            counts = np.array([document_counts(segmenter, document, of_trees) for document in documents])
            first = counts if first is None else first
            show(name, counts, first)


def opened(name: str) -> Segmenter:
    folder = shipped(name)
    return load_segmenter(folder) if (folder / "segmenter.json").is_file() else load_span_parser(folder).segmenter


def document_counts(segmenter: Segmenter, document: TreebankDocument, parser: TextParser | None) -> list[list[int]]:
    sentences, lang = sentences_of_edus(document), document.lang
    found = segmenter.segment([sentence_text(edus, lang) for edus in sentences], lang)
    pairs = [(starts(wanted), starts(cut)) for wanted, cut in zip(sentences, found, strict=True)]
    of_starts = [sum(len(a & b) for a, b in pairs), sum(len(a) for a, _ in pairs), sum(len(b) for _, b in pairs)]
    inside = [count - len(sentences) for count in of_starts]
    own = own_edus(segmenter, document)
    of_own = own_counts(document, own)
    return [inside, of_starts, of_own, *(node_counts(parser, document, own) if parser else [])]


def own_edus(segmenter: Segmenter, document: TreebankDocument) -> list[list[str]]:
    """The EDUs of the running text, by paragraph."""
    lang = document.lang
    texts = [sentence_text(edus, lang) for edus in document.rows[0].text.paragraphs]
    found = [segmenter.segment(own_sentences(text, lang), lang) for text in texts]
    return [[edu for sentence in sentences for edu in sentence] for sentences in found]


def own_counts(document: TreebankDocument, own: Sequence[Sequence[str]]) -> list[int]:
    """The counts of the running text; a paragraph's first EDU counts, as a sentence's does."""
    pairs = [(starts(a), starts(b)) for a, b in zip(document.rows[0].text.paragraphs, own, strict=True)]
    return [sum(len(a & b) for a, b in pairs), sum(len(a) for a, _ in pairs), sum(len(b) for _, b in pairs)]


def node_counts(parser: TextParser, document: TreebankDocument, own: Sequence[Sequence[str]]) -> list[list[int]]:
    """The counts of inner nodes by place, and by place, relation and nuclearity."""
    gold = document.rows[0]
    text = replace(gold.text, paragraphs=tuple(map(tuple, own)))
    (tree,) = parser.parse_texts([text])
    wanted, found = nodes(gold.text, gold.tree), nodes(text, tree)
    places = wanted.keys() & found.keys()
    n_full = sum(wanted[place] == found[place] for place in places)
    return [[n_hits, len(wanted), len(found)] for n_hits in (len(places), n_full)]


def nodes(text: Text, tree: DiscourseTree) -> dict[tuple[int, int], tuple[Nuclearity, str]]:
    """Nuclearity and relation of the inner nodes, by start and end in characters other than white space."""
    at = list(accumulate((len("".join(unit.split())) for unit in text.units), initial=0))
    return {(at[start], at[end]): (join.nuclearity, join.relation) for start, _, end, join in tree.joins()}


def own_sentences(text: str, lang: str) -> list[str]:
    lengths = sentence_lengths(text, ParagraphKind.PROSE, lang)
    ends = list(accumulate(lengths))
    pieces = [text[end - length : end].strip() for length, end in zip(lengths, ends, strict=True)]
    return [piece for piece in pieces if piece]


def starts(edus: Sequence[str]) -> set[int]:
    """Where the EDUs begin, in characters other than white space."""
    return set(accumulate((len("".join(edu.split())) for edu in edus[:-1]), initial=0))


def show(name: str, counts: Counts, first: Counts) -> None:
    draws = np.random.default_rng(0).integers(len(counts), size=(N_DRAWS, len(counts)))
    reached, before = f1(counts.sum(0)), f1(first.sum(0))
    bounds = np.percentile([f1(counts[draw].sum(0)) for draw in draws], [2.5, 97.5], axis=0).T
    print(f"{name:30} " + "  ".join(map(line, FIGURES, reached, bounds)))
    if counts is not first:
        paired = [f1(counts[draw].sum(0)) - f1(first[draw].sum(0)) for draw in draws]
        bounds = np.percentile(paired, [2.5, 97.5], axis=0).T
        print(f"{'less first':30} " + "  ".join(map(line, FIGURES, reached - before, bounds)))


def line(figure: str, value: float, bound: Sequence[float]) -> str:
    return f"{figure} {value:4.1f} [{bound[0]:.1f}, {bound[1]:.1f}]"


def f1(counts: Counts) -> npt.NDArray[np.float64]:
    """By figure, in percent. Shape ``(n_figures,)``, from ``(n_figures, 3)``."""
    hits, wanted, found = counts.T
    reached: npt.NDArray[np.float64] = 200 * hits / np.maximum(1, wanted + found)
    return reached


if __name__ == "__main__":
    main()
