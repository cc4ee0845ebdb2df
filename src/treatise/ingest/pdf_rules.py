"""The ruling lines of a PDF page: thin paths across and down, with touching ones joined."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from treatise.ingest.pdf_objects import bounds_of, objects_of

_MAX_THICK_PT: Final = 6.5  # bounds are wider than a stroke
_MIN_LONG_PT: Final = 8.0
_MIN_ACROSS_PT: Final = 30.0
_TOUCH_PT: Final = 4.0
_SAME_PT: Final = 1.5
_MAX_ACROSS: Final = 500


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line: from ``start`` to ``end`` along its direction, ``at`` on the other axis; in points."""

    start: float
    end: float
    at: float


@dataclass(frozen=True, slots=True)
class Rules:
    """The lines of a page; ``y`` grows upwards.

    Attributes:
        across: Horizontal ones, from the top.
        down: Vertical ones.
    """

    across: tuple[Rule, ...] = ()
    down: tuple[Rule, ...] = ()


def rules_of(page: pdfium.PdfPage) -> Rules:
    """The ruling lines of a page; none if the page is shown turned."""
    if page.get_rotation():
        return Rules()
    paths = objects_of(page, (pdfium_c.FPDF_PAGEOBJ_PATH,))
    bounds = [found for path, _ in paths if (found := bounds_of(path))]
    across = [Rule(x0, x1, (y0 + y1) / 2) for x0, y0, x1, y1 in bounds if _is_thin(y1 - y0, x1 - x0)]
    down = [Rule(y0, y1, (x0 + x1) / 2) for x0, y0, x1, y1 in bounds if _is_thin(x1 - x0, y1 - y0)]
    joined = [rule for rule in _joined(across) if rule.end - rule.start >= _MIN_ACROSS_PT]
    return Rules(tuple(sorted(joined, key=lambda rule: -rule.at)[:_MAX_ACROSS]), tuple(_joined(down)))


def _is_thin(thick: float, long: float) -> bool:
    return thick <= _MAX_THICK_PT and long >= max(_MIN_LONG_PT, 2 * thick)


def _joined(rules: Iterable[Rule]) -> list[Rule]:
    """Rules on one line that touch as one rule."""
    found: list[Rule] = []
    for rule in sorted(rules, key=lambda one: (round(one.at / _SAME_PT), one.start)):
        last = found[-1] if found else None
        if last and abs(last.at - rule.at) < _SAME_PT and rule.start <= last.end + _TOUCH_PT:
            found[-1] = Rule(last.start, max(last.end, rule.end), last.at)
        else:
            found.append(rule)
    return found
