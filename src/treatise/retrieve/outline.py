"""The heading of each leaf."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
    starts, ends = indexed.offsets
    heading_starts, heading_ends = map(np.array, indexed.document.headings())
    if not len(heading_starts):
        return Outline(np.zeros(len(starts), dtype=bool), np.full(len(starts), -1))
    above = np.searchsorted(heading_starts, starts, side="right") - 1
    is_heading = (above >= 0) & (ends <= heading_ends[above])
    heading = np.where(above >= 0, np.searchsorted(starts, heading_starts)[above], -1)
    # A heading inside a chunk is not the heading of any leaf.
    heads = (heading >= 0) & is_heading[np.maximum(heading, 0)]
    return Outline(is_heading, np.where(heads, heading, -1))
