"""Extracts text from XML elements in one pass, without recursion, at any nesting depth."""

from collections.abc import Callable, Collection, Iterator

from lxml import etree


def text_of(
    element: etree._Element, sign: Callable[[etree._Element], str], *, without: Collection[str] = (), texts: str = ""
) -> str:
    """The text of an element and all below it.

    Args:
        element: The root element.
        sign: Maps an element to the characters that it represents: a tab, a line break, or none.
        without: Tags of elements to leave out; the text after them is kept.
        texts: Tag of the elements that contain text; by default all elements.
    """
    return "".join(_pieces(element, sign, frozenset(without), texts))


def _pieces(
    element: etree._Element, sign: Callable[[etree._Element], str], without: frozenset[str], texts: str
) -> Iterator[str]:
    events = etree.iterwalk(element, events=("start", "end"))
    for event, node in events:
        if event == "end":
            yield node.tail or "" if node is not element and not texts else ""
        elif node.tag in without and node is not element:
            events.skip_subtree()
        else:
            yield sign(node)
            yield node.text or "" if texts in ("", node.tag) else ""
