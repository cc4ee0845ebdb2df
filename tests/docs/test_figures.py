"""The page on figures names every line and measure."""

from pathlib import Path

from treatise.figures.lines import LINES
from treatise.figures.metrics import METRICS

PAGE = Path(__file__).parents[2] / "docs/how-to/figures.md"


def test_every_line_and_measure_is_named() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split()).casefold()
    assert [name for name in (*LINES, *METRICS) if name.casefold() not in text] == []
