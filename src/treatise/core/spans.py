"""Many spans of a text as two arrays."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treatise.core.document import Span
from treatise.core.lazy import Lazy

Offsets = npt.NDArray[np.int64]


class Spans(Lazy[Span]):
    """Spans that are made from their offsets when they are first wanted.

    Args:
        starts: Shape ``(n_spans,)``.
        ends: Shape ``(n_spans,)``.

    Attributes:
        starts, ends: The offsets as arrays.

    Raises:
        ValueError: If a span ends before it starts.
    """

    def __init__(self, starts: Offsets, ends: Offsets) -> None:
        if len(starts) != len(ends) or (starts < 0).any() or (ends < starts).any():
            raise ValueError("a span ends before it starts")
        self.starts: Offsets = starts
        self.ends: Offsets = ends
        super().__init__(len(starts), lambda i: Span(int(starts[i]), int(ends[i])))


def offsets_of(spans: Sequence[Span]) -> tuple[Offsets, Offsets]:
    """The starts and the ends of the spans, which are not made for it. Each has shape ``(n_spans,)``."""
    if isinstance(spans, Spans):
        return spans.starts, spans.ends
    starts = np.array([span.start for span in spans], dtype=np.int64)
    return starts, np.array([span.end for span in spans], dtype=np.int64)
