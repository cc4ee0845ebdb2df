"""A rectangle on a page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page as it is shown, in points from its upper left corner; ``y`` runs downwards.

    Attributes:
        page: 1-based.
        x0, y0, x1, y1: Left, upper, right and lower edge.
    """

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
