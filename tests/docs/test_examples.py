"""Every Python and console block of README and docs runs, and prints what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import treatise

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)

BLOCKS = [
    pytest.param(kind, code, id=f"{page.relative_to(ROOT)}:{page.read_text(encoding='utf-8')[:at].count(chr(10)) + 1}")
    for page in PAGES
    for kind, code, at in (
        (match[1], match[2], match.start()) for match in BLOCK.finditer(page.read_text(encoding="utf-8"))
    )
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the examples and a ``treatise`` command; one home for the blocks of all pages, in their order."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "bin").mkdir()
    command = folder / "bin" / "treatise"
    command.write_text(f"#!{sys.executable}\nfrom treatise.cli import main\n\nmain()\n")
    command.chmod(0o755)
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="the blocks are for a POSIX shell")
@pytest.mark.parametrize(("kind", "code"), BLOCKS)
def test_a_block_runs_and_prints_what_it_says(place: Path, kind: str, code: str) -> None:
    if kind == "python":
        _run([sys.executable, "-c", code], place)
        return
    for command, expected in _commands(code):
        printed = _run(["bash", "-c", command], place).stdout
        pattern = re.escape(expected).replace("\\.\\.\\.\\\n", "(?:.*\n)?").replace(r"\.\.\.", ".*")
        assert re.fullmatch(pattern, printed, re.DOTALL), f"$ {command}\n{printed}\nexpected:\n{expected}"


def test_the_readme_is_short_and_its_links_lead_somewhere() -> None:
    assert len(PAGES[0].read_text(encoding="utf-8").splitlines()) <= 150
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_test_that_a_page_names_is_there() -> None:
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    there = {name for text in files for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)}
    for page in PAGES:
        named = set(re.findall(r"`(test_[a-z0-9_]+)`", page.read_text(encoding="utf-8")))
        assert named <= there, f"{page.name} names {named - there}"


def _commands(code: str) -> list[tuple[str, str]]:
    """Each command of a console block with what it prints; ``...`` stands for anything."""
    parts = re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]
    return [(command, expected) for command, _, expected in (part.partition("\n") for part in parts)]


def _run(command: list[str], place: Path) -> "subprocess.CompletedProcess[str]":
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TREATISE_", "XDG_"))}
    environment = kept | {
        "HOME": str(place),
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(treatise.__file__).parents[1]),
    }
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done
