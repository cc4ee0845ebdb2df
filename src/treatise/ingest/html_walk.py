"""Passes over the nodes of a web page: what is readable, and how much of it is boilerplate."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from selectolax.lexbor import LexborNode

from treatise.core.injection import addresses_a_model
from treatise.ingest.hidden import is_hidden, names_of

HEADINGS = {f"h{level}": level for level in range(1, 7)}
"""Level by tag."""

_UNREAD_TAGS = (
    "script style noscript template svg annotation annotation-xml iframe object embed head meta link button select "
    "option input textarea canvas audio video dialog -comment !doctype"
)
_UNREAD = frozenset(_UNREAD_TAGS.split())
_BOILERPLATE = frozenset(("nav", "footer", "aside"))
_BOILERPLATE_ROLES = frozenset(("navigation", "banner", "contentinfo", "complementary", "search"))
_BOILERPLATE_CLASSES = frozenset(("navheader", "navfooter", "related", "sphinxsidebar", "footer"))
"""Of pages made from DocBook and by Sphinx."""
_MAX_CELL_CHARS = 400  # a longer cell is part of the page layout, not of a table
_MAX_ORDER_CHARS = 1_000_000  # of text hidden by style sheets that is searched for orders, per page


class Step(Enum):
    """Whether a node begins or ends."""

    ENTER = auto()
    LEAVE = auto()


class Walk:
    """Passes over the readable nodes of a page.

    Args:
        root: The page.
        on_white: Whether white text cannot be seen.
        hiding: Classes and ids that style sheets hide.
        furniture: Number of characters of elements that are no text of the page, by ``mem_id``.
    """

    def __init__(
        self, root: LexborNode, *, on_white: bool, hiding: Collection[str], furniture: Mapping[int, int]
    ) -> None:
        self._root = root
        self._furniture = furniture
        self._on_white = on_white
        self._hiding = hiding
        self._n_searched = 0
        self._hidden: dict[int, int] = {}  # characters by mem_id

    @property
    def n_hidden_chars(self) -> int:
        """Characters of hidden text that was passed over."""
        return sum(self._hidden.values())

    def steps(self, *, drops_boilerplate: bool) -> Iterator[tuple[Step, LexborNode]]:
        """Each node at its start and its end; not recursive, since pages can nest thousands deep."""
        root = self._root
        node: LexborNode | None = root
        while node is not None:
            if not (self._is_unread(node) or (drops_boilerplate and _is_boilerplate(node))):
                yield Step.ENTER, node
                if node.child is not None:
                    node = node.child
                    continue
                yield Step.LEAVE, node
            while node is not None and node.next is None:
                node = node.parent
                if node is None or node.mem_id == root.mem_id:
                    return
                yield Step.LEAVE, node
            node = node.next if node is not None else None

    def _is_unread(self, node: LexborNode) -> bool:
        if node.tag in _UNREAD or node.mem_id in self._furniture:
            return True
        if node.tag == "-text" or not (
            is_hidden(node.attributes, on_white=self._on_white) or self._is_hidden_order(node)
        ):
            return False
        if node.mem_id not in self._hidden:
            self._hidden[node.mem_id] = len(" ".join((node.text() or "").split()))
        return True

    def _is_hidden_order(self, node: LexborNode) -> bool:
        """Whether a style sheet hides the element, and it gives orders to a language model: scripts show other text."""
        if not self._hiding or self._n_searched > _MAX_ORDER_CHARS:
            return False
        if names_of(node.attributes).isdisjoint(self._hiding):
            return False
        text = node.text() or ""
        self._n_searched += len(text)
        return addresses_a_model(text)


def _is_boilerplate(node: LexborNode) -> bool:
    if node.tag in _BOILERPLATE:
        return True
    if node.tag == "-text":
        return False
    names = node.attributes
    return names.get("role") in _BOILERPLATE_ROLES or names.get("class") in _BOILERPLATE_CLASSES


def _is_alone(cell: LexborNode) -> bool:
    """Whether no other element is in the row of a cell."""
    before, after = cell.prev, cell.next
    while before is not None and before.tag == "-text":
        before = before.prev
    while after is not None and after.tag == "-text":
        after = after.next
    return before is None and after is None


@dataclass(slots=True)
class Survey:
    """First pass over a page: how much is boilerplate, and which tables are only layout.

    Attributes:
        n_chars: Characters of readable text.
        n_boilerplate_chars: Those in menus, footers and asides.
        layout_tables: ``mem_id`` of tables that contain a table, a heading, a long cell, or code in a single column.
    """

    n_chars: int = 0
    n_boilerplate_chars: int = 0
    layout_tables: set[int] = field(default_factory=set)


def survey_of(walk: Walk) -> Survey:
    """The survey of a page."""
    survey = Survey()
    tables: list[int] = []
    coded: set[int] = set()
    wide: set[int] = set()
    n_boilerplate = n_cell_chars = 0
    for step, node in walk.steps(drops_boilerplate=False):
        tag, enters = node.tag, step is Step.ENTER
        if tag == "-text":
            n_chars = len((node.text_content or "").strip()) if enters else 0
            survey.n_chars += n_chars
            survey.n_boilerplate_chars += n_chars if n_boilerplate else 0
            n_cell_chars += n_chars
        elif _is_boilerplate(node):
            n_boilerplate += 1 if enters else -1
        elif tag in ("td", "th"):
            if tables and n_cell_chars > _MAX_CELL_CHARS and not enters:
                survey.layout_tables.add(tables[-1])
            if tables and enters and not _is_alone(node):
                wide.add(tables[-1])
            n_cell_chars = 0
        elif tables and enters and tag == "pre":
            coded.add(tables[-1])
        elif tables and (tag in HEADINGS or (tag == "table" and enters)):
            survey.layout_tables.add(tables[-1])
        if tag == "table":
            if enters:
                tables.append(node.mem_id)
            else:
                tables.pop()
    survey.layout_tables |= coded - wide
    return survey
