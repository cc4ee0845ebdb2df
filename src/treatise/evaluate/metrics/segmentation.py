"""Pk and WindowDiff: errors of a segmentation against the gold one. Definitions as in nltk.metrics."""

from collections.abc import Sequence


def pk(gold: Sequence[bool], found: Sequence[bool], *, window: int | None = None) -> float:
    """Share of windows in which exactly one of the two has a boundary (Beeferman et al., 1999); 0 is best.

    Args:
        gold, found: Whether each unit is a boundary; of equal length.
        window: Window size in units; if None, half the mean segment length of ``gold``, rounded half to even.

    Raises:
        ValueError: If the lengths differ, or the window does not fit in.
    """
    size = _window(gold, found, window)
    places = range(len(gold) - size + 1)
    return sum(any(gold[i : i + size]) != any(found[i : i + size]) for i in places) / len(places)


def window_diff(gold: Sequence[bool], found: Sequence[bool], *, window: int | None = None) -> float:
    """Share of windows in which the numbers of boundaries differ (Pevzner & Hearst, 2002); 0 is best.

    Arguments and errors are those of :func:`pk`.
    """
    size = _window(gold, found, window)
    places = range(len(gold) - size + 1)
    return sum(sum(gold[i : i + size]) != sum(found[i : i + size]) for i in places) / len(places)


def _window(gold: Sequence[bool], found: Sequence[bool], window: int | None) -> int:
    if len(gold) != len(found):
        raise ValueError(f"both segmentations cover the same units, found {len(gold)} and {len(found)}")
    size = round(len(gold) / (2 * max(1, sum(gold)))) if window is None else window
    if not 1 <= size <= len(gold):
        raise ValueError(f"a window of 1 to {len(gold)} units fits in, found {size}")
    return size
