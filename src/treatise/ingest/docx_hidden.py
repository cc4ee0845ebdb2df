"""Runs of a Word document that nobody sees: marked as hidden, too small, or white on a white page."""

from collections.abc import Collection, Mapping
from typing import Final

from lxml import etree

from treatise.ingest.docx_numbers import W, value, whole_number

_MAX_UNSEEN_HALF_POINTS: Final = 2
_MAX_PARENTS: Final = 50
_COLOURED: Final = (f"{W}tc", f"{W}txbxContent")
"""Cells and boxes may have a colour that a style or a drawing gives."""


def is_hidden_run(run: etree._Element) -> bool:
    """Whether a run is hidden (``w:vanish``) or at most one point high."""
    properties = run.find(f"{W}rPr")
    if properties is None:
        return False
    return _vanishes(properties) or 0 < whole_number(value(properties, "sz")) <= _MAX_UNSEEN_HALF_POINTS


def hidden_styles(styles: Mapping[str, etree._Element]) -> frozenset[str]:
    """The ids of styles, from their elements by id, whose text is hidden."""
    return frozenset(name for name in styles if _hides(name, styles))


def empty_hidden(element: etree._Element, styles: Collection[str]) -> int:
    """Empties the hidden runs below an element, and returns the number of their characters.

    Args:
        element: A part of the body.
        styles: Ids of styles whose text is hidden.
    """
    n_chars = 0
    for run in element.iter(f"{W}r"):
        if is_hidden_run(run) or _is_of(run, styles) or _is_white_on_white(run):
            n_chars += sum(len(text.text or "") for text in run.iter(f"{W}t"))
            for child in list(run):
                run.remove(child)
    return n_chars


def _hides(name: str, styles: Mapping[str, etree._Element]) -> bool:
    for _ in range(_MAX_PARENTS):
        if (style := styles.get(name)) is None:
            return False
        properties = style.find(f"{W}rPr")
        if properties is not None and properties.find(f"{W}vanish") is not None:
            return _vanishes(properties)
        name = value(style, "basedOn")
    return False


def _vanishes(properties: etree._Element) -> bool:
    vanish = properties.find(f"{W}vanish")
    return vanish is not None and vanish.get(f"{W}val", "1") not in ("0", "false", "off")


def _is_of(run: etree._Element, styles: Collection[str]) -> bool:
    """Whether its style, or that of its paragraph, is hidden; its own properties come first."""
    own = run.find(f"{W}rPr")
    if not styles or (own is not None and own.find(f"{W}vanish") is not None):
        return False
    of_paragraph = _paragraph_properties(run)
    names = [value(found, tag) for found, tag in ((own, "rStyle"), (of_paragraph, "pStyle")) if found is not None]
    return any(name in styles for name in names)


def _is_white_on_white(run: etree._Element) -> bool:
    """Whether it is white in a paragraph of the page itself that has neither a style nor a shade."""
    own = run.find(f"{W}rPr")
    if own is None or value(own, "color").upper() != "FFFFFF":
        return False
    of_paragraph = _paragraph_properties(run)
    shades = [found for found in (own, of_paragraph) if found is not None]
    return (
        not any(
            found.find(f"{W}{tag}") is not None for found in shades for tag in ("shd", "highlight", "pStyle", "rStyle")
        )
        and next(run.iterancestors(*_COLOURED), None) is None
        and next(run.getroottree().iter(f"{W}background"), None) is None
    )


def _paragraph_properties(run: etree._Element) -> etree._Element | None:
    paragraph = next(run.iterancestors(f"{W}p"), None)
    return None if paragraph is None else paragraph.find(f"{W}pPr")
