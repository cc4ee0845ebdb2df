"""Building blocks of the drawings: escaped rows of text, colours, and the SVG frame."""

from collections.abc import Iterable, Sequence
from html import escape
from textwrap import shorten, wrap
from typing import Final

ROW: Final = 17
"""Height of a text row in pixels."""

CHARACTER: Final = 6.6
"""Width of a character in pixels, slightly above average."""

_STYLE: Final = """
.page{fill:#fff}text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2430}
.label{font-size:10px;paint-order:stroke;stroke:#fff;stroke-width:3px}.dim{fill:#6b7280}
.line{fill:none;stroke:#64748b;stroke-width:1}.nucleus{stroke-width:2.4}.strong{font-weight:600}
@media(prefers-color-scheme:dark){.page{fill:#14171f}text{fill:#e5e7eb}.label{stroke:#14171f}.dim{fill:#9ca3af}}
"""

_FAMILIES: Final = {
    "#b91c1c": ("adversative", "CONTRADICTS", "CONTRASTS_WITH", "REPLACES", "PREVENTS"),
    "#1d4ed8": ("causal", "explanation", "purpose", "CAUSES", "RESULTS_FROM", "ENABLES", "MOTIVATES", "JUSTIFIES"),
    "#047857": ("elaboration", "restatement", "SUPPORTS", "ELABORATES", "EXEMPLIFIES", "SPECIFIES", "GENERALIZES"),
    "#a16207": ("contingency", "context", "mode", "BACKGROUND_FOR"),
    "#7e22ce": ("attribution", "evaluation", "COMPARES_WITH", "SUPPLEMENTS"),
}
_COLOURS: Final = {relation: colour for colour, relations in _FAMILIES.items() for relation in relations}
_GREY: Final = "#64748b"


def colour_of(relation: str) -> str:
    """Opposition red, causes blue, support green, conditions and background amber, stance violet, the rest grey."""
    return _COLOURS.get(relation, _GREY)


def one_line(text: str) -> str:
    """The text without line breaks and without characters that XML forbids."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


def rows_of(text: str, width: int, at_most: int) -> list[str]:
    """The text in at most ``at_most`` rows of ``width`` characters; truncated text ends in an ellipsis."""
    rows = wrap(one_line(text), width) or [""]
    return (
        rows
        if len(rows) <= at_most
        else [*rows[: at_most - 1], shorten(rows[at_most - 1] + " …" * 9, width, placeholder=" …")]
    )


def text_rows(rows: Sequence[str], x: float, y: float, *, style: str = "", title: str = "") -> str:
    """Rows of text, the first with its baseline at ``y``; ``title`` is the tooltip."""
    spans = "".join(f'<tspan x="{x:.0f}" y="{y + i * ROW:.0f}">{escape(row)}</tspan>' for i, row in enumerate(rows))
    hint = f"<title>{escape(one_line(title))}</title>" if title else ""
    return f'<text class="{style}">{hint}{spans}</text>'


def picture(parts: Iterable[str], width: float, height: float, title: str) -> str:
    """A self-contained SVG file."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img"><title>{escape(one_line(title))}</title><style>{_STYLE}</style>'
        f'<rect class="page" width="100%" height="100%"/>{"".join(parts)}</svg>\n'
    )
