"""Removes the parts of an OpenDocument file that nobody sees: hidden styles, sections, paragraphs and sheets.

White text is read: what lies behind it is not known. So are hidden rows and columns: filters and groups hide them.
"""

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from treatise.ingest.archive import Archive
from treatise.ingest.odf import TABLE, TEXT, element_text

_STYLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_FO: Final = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_STYLED: Final = (f"{TEXT}span", f"{TEXT}p", f"{TEXT}h")
_TINY: Final = re.compile(r"0*(?:0|1|0?\.\d+)(?:\.0*)?pt")
_MAX_PARENTS: Final = 50


def remove_hidden(archive: Archive, content: etree._Element) -> int:
    """Empties the elements of the content that are hidden; returns the number of characters in them."""
    styles = _Styles([content, *([archive.xml("styles.xml")] if "styles.xml" in archive else [])])
    n_chars = 0
    for element in list(_hidden(content, styles)):
        n_chars += len(" ".join(element_text(element).split()))
        element.clear(keep_tail=True)
    return n_chars


def _hidden(content: etree._Element, styles: "_Styles") -> Iterator[etree._Element]:
    for element in content.iter(*_STYLED):
        if styles.hides(element.get(f"{TEXT}style-name", "")):
            yield element
    for section in content.iter(f"{TEXT}section"):
        if section.get(f"{TEXT}display") == "none" or section.get(f"{TEXT}is-hidden") == "true":
            yield section
    for mark in content.iter(f"{TEXT}hidden-paragraph"):
        paragraph = next(mark.iterancestors(f"{TEXT}p", f"{TEXT}h"), None)
        if paragraph is not None and mark.get(f"{TEXT}is-hidden") == "true":
            yield paragraph
    for table in content.iter(f"{TABLE}table"):
        if styles.hides(table.get(f"{TABLE}style-name", "")):
            yield table


class _Styles:
    """The styles of a file, by name.

    Args:
        roots: The parts that define them.
    """

    def __init__(self, roots: list[etree._Element]) -> None:
        self._styles = {one.get(f"{_STYLE}name", ""): one for root in roots for one in root.iter(f"{_STYLE}style")}
        self._known: dict[str, bool] = {}

    def hides(self, name: str) -> bool:
        """Whether text or tables of this style, or of one that it inherits from, are hidden or a point high."""
        if name not in self._known:
            self._known[name] = self._found(name)
        return self._known[name]

    def _found(self, name: str) -> bool:
        for _ in range(_MAX_PARENTS):
            if (style := self._styles.get(name)) is None:
                return False
            text, table = style.find(f"{_STYLE}text-properties"), style.find(f"{_STYLE}table-properties")
            if text is not None:
                if display := text.get(f"{TEXT}display"):
                    return bool(display == "none")
                if size := text.get(f"{_FO}font-size"):
                    return _TINY.fullmatch(size) is not None
            if table is not None and (shown := table.get(f"{TABLE}display")):
                return bool(shown == "false")
            name = style.get(f"{_STYLE}parent-style-name", "")
        return False
