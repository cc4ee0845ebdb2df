"""Section trees of documents: the units of each section, and the nodes that are passages without a summary."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Final

import numpy as np

from treatise.core.document import Document, Section, Span
from treatise.core.note import Note, Origin, note_key
from treatise.core.ports import Parser, Progress, Sectioner
from treatise.core.recipe import Notes, Sectioning, Sections
from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats, unit_rows
from treatise.core.words import joined, n_words
from treatise.enhance import Themes
from treatise.llm.runner import LlmRunner
from treatise.tree import Cohesion, DiscourseCuts, Even, leaves_of

_ABSTRACTS: Final = frozenset({"abstract", "summary", "executive summary", "zusammenfassung", "résumé", "摘要"})
_FINE: Final = 4
"""Sections by theme begin at paragraphs if these are this many times smaller, else at sentences."""


def open_sectioner(
    settings: Sections,
    *,
    parser: Parser | None = None,
    runner: LlmRunner | None = None,
    progress: Progress | None = None,
) -> Sectioner:
    """The sectioner for text without headings. Without a ``runner``, cohesion replaces the language model."""
    match settings.sectioning:
        case Sectioning.EVEN:
            return Even()
        case Sectioning.DISCOURSE if parser is not None:
            return DiscourseCuts(parser)
        case Sectioning.DISCOURSE:
            raise ValueError("sections by discourse need a parser")
        case Sectioning.LLM if runner is not None:
            return Themes(runner, fallback=Cohesion(), progress=progress)
        case _:
            return Cohesion()


def units_in_sections(
    document: Document,
    units: Sequence[Span],
    sizes: Sequence[int],
    *,
    settings: Sections,
    sectioner: Sectioner,
    vectors: Floats | None,
) -> list[int]:
    """The number of units of each section, in order: those under a heading, divided by theme if there are too many.

    ``sizes`` are the units of each paragraph. Without ``vectors`` of the units, cohesion divides evenly, which is
    enough to count notes.
    """
    starts = [unit.start for unit in units]
    edges = sorted({0, *(bisect_left(starts, section.start) for section in document.sections), len(units)})
    paragraphs = list(accumulate(sizes, initial=0))
    texts = [document.quote(unit.start, unit.end) for unit in units]
    found: list[int] = []
    for start, end in pairwise(edges):
        lengths = [n_words(text) for text in texts[start:end]]
        n_sections = max(1, int(sum(lengths) / settings.section_words + 0.5))
        if n_sections == 1:
            found.append(start)
            continue
        blocks = _blocks(paragraphs, start, end, lengths, n_sections)
        of_blocks = [joined(texts[a:b]) for a, b in pairwise(blocks)]
        rows = np.zeros((len(of_blocks), 1), dtype=np.float32) if vectors is None else _means(vectors, texts, blocks)
        themes = [blocks[at] for at in sectioner.starts(of_blocks, rows, n_sections, document.language)]
        found += _at_leaves(themes, range(start, end), lengths, settings) if settings.leaves_first else themes
    return [end - start for start, end in pairwise([*found, len(units)])]


def _at_leaves(starts: Sequence[int], units: range, lengths: Sequence[int], settings: Sections) -> list[int]:
    """The first unit of the leaf nearest to each start; ``lengths`` are the words of the units."""
    running = list(accumulate(lengths, initial=0))
    leaves = [leaf.start for leaf in leaves_of(range(len(units)), lengths, settings.leaf_words)]
    nearest = (min(leaves, key=lambda leaf: abs(running[leaf] - running[start - units.start])) for start in starts)
    return sorted({units.start + leaf for leaf in nearest})


def passages(
    document: Document, units: Sequence[Span], texts: Sequence[str], tree: DiscourseTree, notes: Notes
) -> Mapping[int, Note]:
    """The notes of the nodes of a section tree whose note is their own text, by node.

    These are leaves, nodes shorter than tau, and an abstract, which already is a summary.
    """
    running = list(accumulate(map(n_words, texts), initial=0))
    of_abstract = np.array([_is_abstract(document, document.section_at(unit.start)) for unit in units])
    found: dict[int, Note] = {}
    for node, (start, end) in enumerate(tree.ranges.tolist()):
        is_short = running[end] - running[start] < notes.tau.words
        if tree.heights[node] == 1 or (tree.heights[node] > 1 and (is_short or of_abstract[start:end].all())):
            whole = texts[start:end]
            key = note_key(Origin.WHOLE, *whole)
            found[node] = Note(joined(whole), Origin.WHOLE, range(start, end), key)
    return found


def _blocks(paragraphs: list[int], start: int, end: int, lengths: Sequence[int], n_sections: int) -> list[int]:
    """Edges of the blocks from ``start`` to ``end``, in units: paragraphs if they are small enough, else sentences."""
    edges = sorted({start, *(edge for edge in paragraphs if start < edge < end), end})
    running = list(accumulate(lengths, initial=0))
    longest = max(running[b - start] - running[a - start] for a, b in pairwise(edges))
    if longest * n_sections * _FINE <= running[-1]:
        return edges
    return list(range(start, end + 1))


def _means(vectors: Floats, texts: Sequence[str], edges: Sequence[int]) -> Floats:
    lengths = np.array([max(1, len(text)) for text in texts], dtype=np.float32)[:, None]
    return unit_rows(np.stack([(vectors[a:b] * lengths[a:b]).sum(axis=0) for a, b in pairwise(edges)]))


def _is_abstract(document: Document, section: Section) -> bool:
    """Whether the section has such a title, or is the text directly under the document's title."""
    title = section.title.casefold().strip(" .:")
    first = document.sections[0]
    is_titled = section is first and section.level > 0 and section.title == document.title
    return title in _ABSTRACTS or (is_titled and len(document.sections) > 1)
