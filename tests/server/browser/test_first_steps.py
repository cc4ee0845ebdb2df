"""The way of the handbook from the command to a highlighted citation, click by click."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import treatise
from tests.server.browser.conftest import TEA

pytestmark = pytest.mark.slow

HANDBOOK = Path(__file__).parents[3] / "docs" / "server.md"
MOST_CLICKS = 5


def documented_clicks() -> list[str]:
    """The numbered steps of the handbook."""
    text = HANDBOOK.read_text(encoding="utf-8")
    section = text.partition("## From nothing to a highlighted citation")[2].partition("\n## ")[0]
    return [" ".join(step.split()) for step in re.findall(r"^\d\. (.+(?:\n   .+)*)", section, re.MULTILINE)]


def test_the_way_of_the_handbook_is_one_command_and_its_clicks(open_page: Any, tmp_path: Path) -> None:
    steps = documented_clicks()
    assert [step.lower().count("click ") for step in steps] == [1, 1, 1, 1, 1]
    assert len(steps) <= MOST_CLICKS
    (tmp_path / "tea.md").write_text(TEA)
    with subprocess.Popen(
        [sys.executable, "-m", "treatise", "serve"], env=environment(tmp_path), stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            walk(open_page(printed_address(process)), tmp_path / "tea.md", steps)  # click 1
        finally:
            process.kill()


def walk(page: Any, path: Path, steps: list[str]) -> None:
    """Steps 2 to 5. The dialogue of the system, clicks 3 and 4, is the browser's, not the page's."""
    (label,) = re.findall(r"\*\*(.+?)\*\*", steps[1])
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=label).click()
    chooser.value.set_files(path)
    page.locator("#question:focus").wait_for()
    page.keyboard.type("Why does green tea want cooler water?")
    page.keyboard.press("Enter")
    page.locator(".quote .place").first.click()
    mark = page.locator(".run mark")
    mark.wait_for()
    assert "cooler water" in mark.inner_text()
    assert page.evaluate("window.clicks") == MOST_CLICKS - 3


def environment(folder: Path) -> dict[str, str]:
    """That of a person who has configured nothing, with a library of its own and any free port."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TREATISE_")}
    paths = {name: str(folder / name) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    source = str(Path(treatise.__file__).parents[1])
    return {**kept, **paths, "PYTHONPATH": source, "TREATISE_SERVER_PORT": "0"}


def printed_address(process: "subprocess.Popen[str]") -> str:
    """The address that the server prints first; it listens already."""
    assert process.stderr is not None
    line = process.stderr.readline()
    (address,) = re.findall(r"http://\S+", line)
    return str(address)
