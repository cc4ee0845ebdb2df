"""The examples of docs/integrations.md run where their tools are installed, and are short."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import treatise

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"
BLOCKS = re.findall(r"^```py\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
IMPORTED = re.compile(r"^(?:from|import) (\w+)", re.MULTILINE)
MODULE = re.compile(r"^from (treatise\.integrations\.\w+)", re.MULTILINE)
MOST_LINES = 20


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the library of the page."""
    folder = tmp_path_factory.mktemp("page")
    run(BLOCKS[0], folder)
    return folder


def run(code: str, home: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TREATISE_", "XDG_"))}
    paths = os.pathsep.join([str(Path(treatise.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = kept | {"HOME": str(home), "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=home, env=environment, capture_output=True, text=True, check=False
    )
    if "MissingExtraError" in done.stderr:  # a tool that a function of ours imports
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="the home is set as on POSIX")
@pytest.mark.parametrize("code", BLOCKS, ids=lambda code: "-".join(dict.fromkeys(IMPORTED.findall(code))))
def test_an_example_runs(code: str, home: Path) -> None:
    for module in MODULE.findall(code):
        pytest.importorskip(module)
    if missing := [name for name in IMPORTED.findall(code) if find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    if code.startswith("# needs a server"):
        pytest.skip("needs a server: tests/server")
    run(code, home)


def test_examples_have_at_most_twenty_lines() -> None:
    assert [code for code in BLOCKS if len(code.strip().splitlines()) > MOST_LINES] == []
