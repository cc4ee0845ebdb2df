"""The tables and figures of the three papers by name, such as ``disretrieval:table2``.

Each is reproduced with our recipes in place of the paper's systems, on the available data sets. Compare
differences between rows with the paper's, not decimals. Other authors' systems that a paper only quotes are left out.
"""

from difflib import get_close_matches
from importlib.resources import files
from typing import Final

from treatise.core.errors import UnknownNameError
from treatise.evaluate.papers import disco_rag, disretrieval, htsir
from treatise.evaluate.papers.item import Item

PAPERS: Final[dict[str, Item]] = {
    f"{paper}:{item.name}": item
    for paper, items in (("disretrieval", disretrieval.ITEMS), ("htsir", htsir.ITEMS), ("disco-rag", disco_rag.ITEMS))
    for item in items
}
"""All tables and figures, by paper and number."""


def item_named(name: str) -> Item:
    """The table or figure of that name.

    Raises:
        UnknownNameError: If there is none; the message names the nearest.
    """
    if name in PAPERS:
        return PAPERS[name]
    near = get_close_matches(name, PAPERS, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise UnknownNameError(f"no table or figure is named {name!r}{hint} (treatise eval paper --list shows all)")


def items_named(name: str) -> dict[str, Item]:
    """The table or figure of that name, or all of a paper if the name is the paper's.

    Raises:
        DataError: As :func:`item_named`.
    """
    of_paper = {full: item for full, item in PAPERS.items() if full.startswith(f"{name}:")}
    return of_paper or {name: item_named(name)}


def published(name: str) -> str:
    """The published figures of the table, in Markdown; empty if not included."""
    file = files(__package__) / "published" / f"{name.replace(':', '-')}.md"
    return file.read_text(encoding="utf-8") if file.is_file() else ""
