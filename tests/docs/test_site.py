"""The documentation site: its links, its pictures, and words that must agree between pages."""

import re
import runpy
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)
PICTURES = sorted((DOCS / "pictures").glob("*.svg"))
SCREENSHOTS = sorted((DOCS / "pictures").glob("*.png"))
MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def faults() -> Callable[[Path], list[str]]:
    return runpy.run_path(str(ROOT / "scripts" / "check-links"))["faults"]


@pytest.mark.parametrize(
    ("markup", "fault"),
    [
        ('<a href="b.html">', ""),
        ('<a href="b.html#there">', ""),
        ('<a href="#here">', ""),
        ('<a href="https://example.org/x">', ""),
        ('<a href="c.html">', "links to c.html, which does not exist"),
        ('<a href="b.html#gone">', "links to b.html#gone, where the page has no such anchor"),
        ('<script src="https://example.org/t.js">', "loads https://example.org/t.js"),
        ('<img src="//example.org/t.gif">', "loads //example.org/t.gif"),
    ],
)
def test_a_dead_link_and_a_file_of_another_server_are_found(
    markup: str, fault: str, faults: Callable[[Path], list[str]], tmp_path: Path
) -> None:
    (tmp_path / "a.html").write_text(f'<p id="here">{markup}</p>', "utf-8")
    (tmp_path / "b.html").write_text('<p id="there">There.</p>', "utf-8")
    assert faults(tmp_path) == ([f"a.html: {fault}"] if fault else [])


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.name)
def test_a_picture_is_whole_and_loads_nothing(picture: Path) -> None:
    root = ElementTree.fromstring(picture.read_text("utf-8"))
    assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert not re.search(r"url\(|@import|@font-face|xlink:href|<script|<image", picture.read_text("utf-8"))
    assert any(picture.name in page.read_text("utf-8") for page in PAGES)


@pytest.mark.parametrize("picture", SCREENSHOTS, ids=lambda path: path.name)
def test_a_screenshot_is_small_and_shown_with_words_for_it(picture: Path) -> None:
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size < MOST_BYTES
    shown = re.compile(rf"!\[[^\]]{{20,}}\]\([^)]*{re.escape(picture.name)}\)")
    assert any(shown.search(page.read_text("utf-8")) for page in PAGES)


def test_pages_name_extras_as_an_index_does_and_the_readme_as_a_clone_does() -> None:
    for page in PAGES:
        if page != DOCS / "how-to" / "install.md":
            assert "pip install '.[" not in page.read_text("utf-8"), f"{page}: write pip install 'treatise[...]'"
    for line in re.findall(r"pip install '[^']*'", (ROOT / "README.md").read_text("utf-8")):
        assert line.startswith("pip install '.["), f"README.md: {line}: the readme installs from a clone"


def test_every_cell_about_another_tool_has_its_source() -> None:
    page = (DOCS / "comparison.md").read_text("utf-8")
    table, _, below = page.partition("## Features")[2].partition("## Measured")[0].partition('\nA "no"')
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
    listed = set(re.findall(r"\[(\d\w?)\]", below)) | {f"{n}w" for n in range(1, 6)}
    for name, _ours, *theirs in rows[2:]:
        for cell in theirs:
            marks = re.findall(r"\[(\d\w?)\]", cell)
            assert marks, f"{name}: {cell} has no source"
            assert set(marks) <= listed
