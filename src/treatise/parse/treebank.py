"""Conversion of treebanks to rows: EDU trees and sentence trees with paragraphs and coarse relations.

Three layouts are read: GUM (``rs4/`` and ``conllu/``), GCDT (``rs3/``, ``tokenized/`` and ``xml/``) and rs3 files
alone, without sentences (RRG and others). ``docs/design/treebanks.md`` gives the rules, and the
differences from the published conversion.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree, Join, build_tree
from treatise.parse.analysis import Analysis
from treatise.parse.nary import Branch
from treatise.parse.relations import GUM
from treatise.parse.rows import Level, Text, TreeRow
from treatise.parse.rs3 import read_rs3

Paragraphs = Sequence[Sequence[str]]
"""The sentences of each paragraph."""

_TAG_LINE = re.compile(r"\s*<[^>]*>\s*")


@dataclass(frozen=True, slots=True)
class Conversion:
    """One treebank document: its tree over EDUs and, where the treebank marks sentences, over sentences."""

    edus: TreeRow
    sentences: TreeRow | None


def read_gum(folder: Path) -> Iterator[Conversion]:
    """The English documents of ``rs4/*.rs4`` with the sentences and paragraphs of ``conllu/*.conllu``, by name.

    Raises:
        TreeError: If a file is invalid, or the two differ in their text.
    """
    for path in sorted((folder / "rs4").glob("*.rs4")):
        conllu = folder / "conllu" / f"{path.stem}.conllu"
        yield convert(path.stem, "en", _read(path), read_conllu(conllu.read_text("utf-8")))


def read_gcdt(folder: Path) -> Iterator[Conversion]:
    """The Chinese documents of ``rs3/*.rs3``, sentences by ``tokenized/*.txt``, paragraphs by ``xml/*.xml``, by name.

    Raises:
        TreeError: If a file is invalid, or the three differ in their text.
    """
    for path in sorted((folder / "rs3").glob("*.rs3")):
        lines = (folder / "tokenized" / f"{path.stem}.txt").read_text("utf-8").split("\n")
        sentences = [_solid(line) for line in lines if line.strip()]
        blocks = _blocks((folder / "xml" / f"{path.stem}.xml").read_text("utf-8").split("\n"))
        yield convert(path.stem, "zh", _read(path), in_blocks(sentences, blocks, path.stem))


def read_edus(folder: Path, lang: str, *, inventory: Mapping[str, str] = GUM) -> Iterator[Conversion]:
    """The documents of ``*.rs3``, by name: EDUs in one paragraph, for treebanks that mark nothing above them.

    For RRG and, with the classical inventory, PCC, RRT and PRSTC. PCC leaves headlines outside its trees: several roots
    are joined.

    Raises:
        TreeError: If a file is invalid, or has a relation that is not in the inventory.
    """
    for path in sorted(folder.glob("*.rs3")):
        analysis = _read(path, join_roots="joint")
        text = Text(path.stem, lang, Level.EDU, (analysis.units,))
        yield Conversion(TreeRow(text, coarse_tree(analysis.tree, path.name, inventory)), None)


def convert(name: str, lang: str, analysis: Analysis, paragraphs: Paragraphs) -> Conversion:
    """Both rows of a document: the sentences' texts, split where the EDUs of the analysis begin.

    Raises:
        TreeError: If the EDUs and the sentences differ in their text, an EDU crosses a sentence boundary, or a relation
            is not one of GUM's.
    """
    tree = coarse_tree(analysis.tree, name)
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph]
    edus = cut(sentences, analysis.units, name)
    paragraph_of = [at for at, paragraph in enumerate(paragraphs) for _ in paragraph]
    edu_paragraphs: list[list[str]] = [[] for _ in paragraphs]
    for sentence, edu in edus:
        edu_paragraphs[paragraph_of[sentence]].append(edu)
    sentence_of = tuple(sentence for sentence, _ in edus)
    edu_text = Text(name, lang, Level.EDU, tuple(map(tuple, edu_paragraphs)))
    sentence_text = Text(name, lang, Level.SENTENCE, tuple(map(tuple, paragraphs)))
    return Conversion(TreeRow(edu_text, tree, sentence_of), TreeRow(sentence_text, sentence_tree(tree, sentence_of)))


def coarse_tree(tree: DiscourseTree, source: str, inventory: Mapping[str, str] = GUM) -> DiscourseTree:
    """The tree with each relation, such as ``joint-list``, replaced by its coarse one.

    Raises:
        TreeError: If a relation is not in the inventory.
    """
    branches: list[Branch] = []
    for start, split, end, join in tree.joins():
        if join.relation not in inventory:
            raise TreeError(f"{source}: units {start + 1} to {end}: relation {join.relation!r} is not in the inventory")
        branches.append((start, split, end, join.nuclearity, inventory[join.relation]))
    return build_tree(tree.n_units, branches)


def sentence_tree(tree: DiscourseTree, sentence_of_unit: Sequence[int]) -> DiscourseTree:
    """The tree over sentences that an EDU tree implies, even if a sentence is not a subtree of it.

    Each binary node is the boundary between two EDUs. The nodes at sentence boundaries are kept; each run of sentences
    is split at its shallowest boundary, the leftmost of ties, with that node's nuclearity and relation.

    Args:
        tree: Over EDUs.
        sentence_of_unit: The sentence of each EDU, ascending from 0 without gaps.
    """
    inside = [i for i in range(1, tree.n_units) if sentence_of_unit[i] != sentence_of_unit[i - 1]]
    edges = [0, *inside, tree.n_units]
    number = {edge: i for i, edge in enumerate(edges)}
    branches = _regroup(_boundaries(tree), edges)
    return build_tree(len(edges) - 1, ((number[a], number[b], number[c], nuc, rel) for a, b, c, nuc, rel in branches))


def paragraph_first(tree: DiscourseTree, sizes: Sequence[int]) -> DiscourseTree:
    """The tree with every paragraph made a subtree, by the rule of :func:`sentence_tree` within and over paragraphs.

    It is the training data of a two-phase parser, and the best that such a parser can produce.

    Args:
        tree: Binary, over units.
        sizes: Units of each paragraph; a paragraph of 0 units is skipped.
    """
    edges = sorted(set(accumulate(sizes, initial=0)))
    boundaries = _boundaries(tree)
    branches = _regroup(boundaries, edges)
    for start, end in pairwise(edges):
        branches += _regroup(boundaries, range(start, end + 1))
    return build_tree(tree.n_units, branches)


def cut(sentences: Sequence[str], edus: Sequence[str], source: str) -> list[tuple[int, str]]:
    """``(sentence, text)`` of each EDU: its part of the sentence's text, stripped of whitespace.

    Texts are matched by the number of characters other than whitespace, so that tokenised EDUs fit running text.

    Raises:
        TreeError: If the texts differ in length, or an EDU is empty or crosses a sentence boundary.
    """
    sentence_edges = list(accumulate((len(_solid(sentence)) for sentence in sentences), initial=0))
    edu_edges = list(accumulate((len(_solid(edu)) for edu in edus), initial=0))
    if sentence_edges[-1] != edu_edges[-1]:
        raise TreeError(f"{source}: the sentences have {sentence_edges[-1]} characters, the EDUs {edu_edges[-1]}")
    solid_ends = [_solid_ends(sentence) for sentence in sentences]
    found: list[tuple[int, str]] = []
    for number, (start, end) in enumerate(pairwise(edu_edges), 1):
        at = bisect_right(sentence_edges, start) - 1
        first, last = start - sentence_edges[at], end - sentence_edges[at]
        if not first < last <= len(solid_ends[at]):
            found_text = f"{edus[number - 1]!r:.80}"
            raise TreeError(f"{source}: EDU {number} is empty or crosses the end of sentence {at + 1}: {found_text}")
        begin = solid_ends[at][first - 1] if first else 0
        found.append((at, sentences[at][begin : solid_ends[at][last - 1]].strip()))
    return found


def read_conllu(text: str) -> list[list[str]]:
    """The sentences of each paragraph: ``# text`` lines, a new paragraph at each ``# newpar``."""
    paragraphs: list[list[str]] = []
    for line in text.split("\n"):
        if line.rstrip() == "# newpar" or (line.startswith("# text = ") and not paragraphs):
            paragraphs.append([])
        if line.startswith("# text = "):
            paragraphs[-1].append(line.removeprefix("# text = ").strip())
    return [paragraph for paragraph in paragraphs if paragraph]


def in_blocks(sentences: Sequence[str], blocks: Sequence[str], source: str) -> list[list[str]]:
    """The sentences in paragraphs; a paragraph begins where a sentence and a block begin together.

    Raises:
        TreeError: If the sentences and the blocks differ in length, not counting whitespace.
    """
    starts = list(accumulate((len(_solid(block)) for block in blocks), initial=0))
    begins = list(accumulate((len(_solid(sentence)) for sentence in sentences), initial=0))
    if starts[-1] != begins[-1]:
        raise TreeError(f"{source}: the sentences have {begins[-1]} characters, the paragraphs {starts[-1]}")
    edges = set(starts)
    paragraphs: list[list[str]] = []
    for sentence, begin in zip(sentences, begins[:-1], strict=True):
        if begin in edges or not paragraphs:
            paragraphs.append([])
        paragraphs[-1].append(sentence)
    return paragraphs


def _read(path: Path, join_roots: str = "") -> Analysis:
    analysis = read_rs3(path.read_bytes(), str(path), join_roots=join_roots)
    return Analysis(tuple(unit.strip() for unit in analysis.units), analysis.tree)


def _blocks(lines: Sequence[str]) -> list[str]:
    """Runs of lines between blank lines and lines with only a tag, entities resolved."""
    blocks = [""]
    for line in lines:
        if not line.strip() or _TAG_LINE.fullmatch(line):
            blocks.append("")
        else:
            blocks[-1] += html.unescape(line)
    return [block for block in blocks if block]


def _solid(text: str) -> str:
    return "".join(text.split())


def _solid_ends(text: str) -> list[int]:
    """Offset after each character that is not whitespace."""
    return [i for i, character in enumerate(text, 1) if not character.isspace()]


def _boundaries(tree: DiscourseTree) -> dict[int, tuple[int, Join]]:
    """Depth and node of the boundary before each unit but the first."""
    depths = _depths(tree)
    inner = np.flatnonzero(tree.heights).tolist()
    return {split: (depths[at], join) for at, (_, split, _, join) in zip(inner, tree.joins(), strict=True)}


def _regroup(boundaries: Mapping[int, tuple[int, Join]], edges: Sequence[int]) -> list[Branch]:
    """Binary nodes over items with these boundaries: the shallowest boundary splits first."""
    kept = [boundaries[edge] for edge in edges[1:-1]]
    runs = _runs([depth for depth, _ in kept])
    return [
        (edges[start], edges[split], edges[end], join.nuclearity, join.relation)
        for split, ((start, end), (_, join)) in enumerate(zip(runs, kept, strict=True), 1)
    ]


def _depths(tree: DiscourseTree) -> list[int]:
    """Depth of each node."""
    depths = [0] * len(tree.nodes)
    for at in range(len(tree.nodes) - 2, -1, -1):
        depths[at] = depths[tree.parents[at]] + 1
    return depths


def _runs(depths: Sequence[int]) -> list[tuple[int, int]]:
    """The run of items that each boundary splits; the shallowest splits first, ties go to the left.

    Boundary ``i`` lies between items ``i`` and ``i + 1``; its run is bounded by the nearest shallower ones.
    """
    starts, ends = [0] * len(depths), [len(depths) + 1] * len(depths)
    deeper: list[int] = []
    for i, depth in enumerate(depths):
        while deeper and depths[deeper[-1]] > depth:
            ends[deeper.pop()] = i + 1
        starts[i] = deeper[-1] + 1 if deeper else 0
        deeper.append(i)
    return list(zip(starts, ends, strict=True))
