"""The heading of each leaf."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treatise.core.document import ParagraphKind
from treatise.core.indexed import IndexedDocument


@dataclass(frozen=True, slots=True)
class Outline:
    """One row per leaf.

    Attributes:
        is_heading: Whether the leaf is a heading. Shape ``(n_units,)``.
        heading: The heading of its section, -1 if absent; of a heading, itself. Shape ``(n_units,)``.
    """

    is_heading: npt.NDArray[np.bool_]
    heading: npt.NDArray[np.int64]


def outline(indexed: IndexedDocument) -> Outline:
    """The headings among a document's leaves. A chunk that contains more than a heading is not one."""
    document = indexed.document
    starts = np.array([unit.start for unit in indexed.units], dtype=np.int64)
    ends = np.array([unit.end for unit in indexed.units], dtype=np.int64)
    headings = [p for p in document.paragraphs if p.kind is ParagraphKind.HEADING]
    heading_ends = np.array([p.end for p in headings], dtype=np.int64)
    above = np.searchsorted([p.start for p in headings], starts, side="right") - 1
    is_heading = (above >= 0) & (ends <= heading_ends[above]) if headings else np.zeros(len(starts), dtype=bool)
    first_leaf = np.searchsorted(starts, [p.start for p in headings])
    heading = np.where(above >= 0, first_leaf[above], -1) if headings else np.full(len(starts), -1)
    # A heading inside a chunk is not the heading of any leaf.
    heads = (heading >= 0) & is_heading[np.maximum(heading, 0)]
    return Outline(is_heading, np.where(heads, heading, -1))
