"""Menus of web pages: elements that are named as menus, or labelled as they are, and hold little but links."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

_MENU_NAMES: Final = (
    "nav navbar navheader navfooter nav-panel navigation navlinks sitenav sidenav topnav menu navmenu main-menu "
    "sidebar sphinxsidebar related breadcrumb breadcrumbs pagination pager prev-next prevnext toc table-of-contents "
    "contents tableofcontents social social-links share share-buttons footer site-footer footer-links skip skiplinks"
)
_MENUS: Final = frozenset(_MENU_NAMES.split())
"""Classes and ids."""
_MENU_TAGS: Final = "nav, header, footer, aside, [role=navigation], [role=banner], [role=contentinfo]"
_NAMED: Final = (
    "div[class], div[id], ul[class], ul[id], ol[class], section[class], table[class], table[summary], p[class]"
)
_DOCBOOK: Final = frozenset(("navheader", "navfooter"))
"""Above and below a page; the title of the book stands there as well."""
_SUMMARY: Final = re.compile(r"\s*(?:(?:header|footer) )?navigation(?: (?:header|footer|bar|table))?\s*", re.IGNORECASE)
"""What DocBook says of these tables."""
_MIN_LINKS: Final = 3  # a header with fewer is a title
_MIN_LINKED: Final = 0.6  # share of the text of a menu that is in links
_MIN_LINKED_UNNAMED: Final = 0.9
_LABELLED: Final = (
    "home|homepage|about|about us|contact|contact us|log in|login|sign in|sign up|register|search|site map|sitemap|"
    "news|blog|faq|help|support|careers|jobs|shop|products|services|privacy|privacy policy|terms|terms of use|"
    "terms of service|cookies|legal|imprint|startseite|über uns|kontakt|impressum|datenschutz|accueil|à propos|"
    "contactez-nous|mentions légales|inicio|contacto|aviso legal"
)
_LABELS: Final = frozenset(_LABELLED.split("|"))
"""Labels of links in menus, lower case."""
_MIN_LABELS: Final = 2
_MAX_LABELS: Final = 100  # that are looked at: a bound on time
_MAX_LABEL_CHARS: Final = 20
_MAX_WRAPPERS: Final = 20  # elements around a link that hold nothing else
_MAX_UNNAMED_LINKS: Final = 30
_MAX_LABEL_WORDS: Final = 4  # per link, on average
_LINES: Final = frozenset(("ul", "ol", "p", "div", "center", "tr", "td", "table", "tbody", "section", "span", "font"))
_PRICE: Final = re.compile(r"[$€£¥]\s?\d|\d\s?(?:[$€£¥]|(?:EUR|USD|GBP|CHF)\b)|\b\d{1,4}[.,]\d\d\b")
_MIN_SAID_WORDS: Final = 3  # beside each link: a description
_UNREAD: Final = frozenset(("script", "style", "template", "-comment"))


@dataclass(slots=True)
class _Tally:
    """Counts of an element's text, and of the part of it that is in links."""

    n_chars: int = 0
    n_words: int = 0
    n_prices: int = 0
    n_links: int = 0
    n_linked_chars: int = 0
    n_linked_words: int = 0

    def add(self, other: "_Tally") -> None:
        self.n_chars += other.n_chars
        self.n_words += other.n_words
        self.n_prices += other.n_prices
        self.n_links += other.n_links
        self.n_linked_chars += other.n_linked_chars
        self.n_linked_words += other.n_linked_words

    def is_linked(self, least: float) -> bool:
        """Whether there are links, and most of the text is in them; not if each has a price or is described."""
        has_prices = 2 * self.n_prices >= self.n_links
        is_described = self.n_words - self.n_linked_words >= _MIN_SAID_WORDS * self.n_links
        is_most = self.n_linked_chars >= least * self.n_chars
        return self.n_links >= _MIN_LINKS and is_most and not has_prices and not is_described

    def is_terse(self) -> bool:
        """Whether its links are as few and as short as those of a menu."""
        return self.n_links <= _MAX_UNNAMED_LINKS and self.n_linked_words <= _MAX_LABEL_WORDS * self.n_links


def menu_sizes(parser: LexborHTMLParser) -> dict[int, int]:
    """Number of characters of each menu by ``mem_id``; a menu within another one counts 0."""
    turning = {node.mem_id: node for node in _turning(parser)}
    named = {node.mem_id: node for node in (*parser.css(_MENU_TAGS), *_named(parser))}
    labelled = {node.mem_id: node for node in _labelled(parser)}
    nodes = turning | named | labelled
    tallies = _tallies(nodes)
    menus = {
        at
        for at, tally in tallies.items()
        if at in turning
        or (at in named and tally.is_linked(_MIN_LINKED))
        or (at in labelled and tally.is_linked(_MIN_LINKED_UNNAMED) and tally.is_terse())
    }
    within = _within([nodes[at] for at in menus], menus)
    return {at: 0 if at in within else tallies[at].n_chars for at in menus}


def _within(nodes: Iterable[LexborNode], around: Container[int]) -> set[int]:
    """Those of the nodes, by ``mem_id``, that are within one of some elements; each parent is looked at once."""
    known: dict[int, bool] = {}
    found: set[int] = set()
    for node in nodes:
        path: list[int] = []
        outer = node.parent
        while outer is not None and outer.mem_id not in around and outer.mem_id not in known:
            path.append(outer.mem_id)
            outer = outer.parent
        is_within = outer is not None and (outer.mem_id in around or known[outer.mem_id])
        known.update(dict.fromkeys(path, is_within))
        if is_within:
            found.add(node.mem_id)
    return found


def _names(node: LexborNode) -> list[str]:
    return f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}".lower().split()


def _named(parser: LexborHTMLParser) -> Iterator[LexborNode]:
    return (node for node in parser.css(_NAMED) if not _MENUS.isdisjoint(_names(node)))


def _turning(parser: LexborHTMLParser) -> Iterator[LexborNode]:
    """Lines above and below a page that lead to others, as DocBook names them."""
    for node in parser.css(_NAMED):
        if not _DOCBOOK.isdisjoint(_names(node)) or _SUMMARY.fullmatch(node.attributes.get("summary") or ""):
            yield node


def _labelled(parser: LexborHTMLParser) -> Iterator[LexborNode]:
    """Lists and lines of links, two or more of which are labelled as in menus: "Home | About | Contact"."""
    n_labels: dict[int, int] = {}
    links = (link for link in parser.css("a[href]") if _label(link) in _LABELS)
    for link in islice(links, _MAX_LABELS):
        line = _line_of(link)
        if line is None or line.tag not in _LINES:
            continue
        n_labels[line.mem_id] = n_labels.get(line.mem_id, 0) + 1
        if n_labels[line.mem_id] == _MIN_LABELS:
            yield line


def _label(node: LexborNode) -> str:
    text = node.text() or ""
    return " ".join(text.lower().split()) if len(text) <= 5 * _MAX_LABEL_CHARS else ""


def _line_of(link: LexborNode) -> LexborNode | None:
    """The innermost element that holds more than a link; None if it is not near."""
    label, line = _label(link), link.parent
    for _ in range(_MAX_WRAPPERS):
        if line is None or line.tag == "body" or _label(line) != label:
            return line
        line = line.parent
    return None


def _tallies(nodes: Mapping[int, LexborNode]) -> dict[int, _Tally]:
    """The counts of elements by ``mem_id``; each part of the page is passed once, however deep they nest."""
    found: dict[int, _Tally] = {}
    within = _within(nodes.values(), nodes)
    for at, node in nodes.items():
        if at not in within:
            _tally(node, nodes, found)
    return found


def _tally(root: LexborNode, nodes: Mapping[int, LexborNode], found: dict[int, _Tally]) -> None:
    """Adds the counts of an element, and of those of the nodes that are within it."""
    open_ones: list[tuple[int, _Tally]] = []
    n_links = 0  # that are open
    for node, enters in _steps(root):
        if node.tag == "-text":
            _count(node.text_content or "", open_ones[-1][1], is_linked=n_links > 0)
            continue
        if node.tag == "a":
            n_links += 1 if enters else -1
            open_ones[-1][1].n_links += enters
        if node.mem_id not in nodes:
            continue
        if enters:
            open_ones.append((node.mem_id, _Tally()))
            continue
        at, tally = open_ones.pop()
        found[at] = tally
        if open_ones:
            open_ones[-1][1].add(tally)


def _count(text: str, tally: _Tally, *, is_linked: bool) -> None:
    words = [word for word in text.split() if any(map(str.isalnum, word))]  # no bars between links
    n_chars = sum(map(len, words)) + len(words)
    tally.n_chars += n_chars
    tally.n_words += len(words)
    tally.n_prices += len(_PRICE.findall(text))
    if is_linked:
        tally.n_linked_chars += n_chars
        tally.n_linked_words += len(words)


def _steps(root: LexborNode) -> Iterable[tuple[LexborNode, bool]]:
    """Each node of an element at its start and its end, texts once."""
    node: LexborNode | None = root
    while node is not None:
        if node.tag not in _UNREAD:
            yield node, True
            if node.child is not None:
                node = node.child
                continue
            if node.tag != "-text":
                yield node, False
        while node is not None and node.mem_id != root.mem_id and node.next is None:
            node = node.parent
            if node is not None:
                yield node, False
        if node is None or node.mem_id == root.mem_id:
            return
        node = node.next
