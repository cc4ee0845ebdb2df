"""Runs of a Word document that are marked as hidden, or too small to be seen."""

from typing import Final

from lxml import etree

from treatise.ingest.docx_numbers import W, value, whole_number

_MAX_UNSEEN_HALF_POINTS: Final = 2


def is_hidden_run(run: etree._Element) -> bool:
    """Whether a run is hidden (``w:vanish``) or at most one point high."""
    properties = run.find(f"{W}rPr")
    if properties is None:
        return False
    vanish = properties.find(f"{W}vanish")
    if vanish is not None and vanish.get(f"{W}val", "1") not in ("0", "false", "off"):
        return True
    return 0 < whole_number(value(properties, "sz")) <= _MAX_UNSEEN_HALF_POINTS


def n_hidden_chars(element: etree._Element) -> int:
    """Characters of the hidden runs below an element."""
    hidden = (run for run in element.iter(f"{W}r") if is_hidden_run(run))
    return sum(len(text.text or "") for run in hidden for text in run.iter(f"{W}t"))
