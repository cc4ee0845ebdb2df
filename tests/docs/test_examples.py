"""Every Python and console block of README and docs runs, and prints what it says.

The blocks of a page run in their order, in a folder of the page with ``examples`` and ``benchmarks``. ``...`` in what a
command prints stands for anything; a text block right after a Python block is what it prints. A comment
``<!-- needs: PACKAGE -->`` skips the blocks of a page where that package is not installed.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

import treatise
from treatise.cli import treatise as command

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"^```(?P<kind>python|console)\n(?P<code>.*?)^```\n(?:\n```text\n(?P<printed>.*?)^```\n)?", re.MULTILINE | re.DOTALL
)
NEEDS = re.compile(r"<!-- needs: (\w+) -->")
NEEDS_A_SHELL = re.compile(r"[|<>$;&\n*]|^(?!treatise )")


@dataclass(frozen=True)
class Block:
    """A block of a page.

    Attributes:
        page: Its file.
        line: Its line.
        kind: ``python`` or ``console``.
        code: Its content.
        printed: What a Python block prints; None if the page does not say.
    """

    page: Path
    line: int
    kind: str
    code: str
    printed: str | None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text[: match.start()].count("\n") + 1, match["kind"], match["code"], match["printed"])
        for match in BLOCK.finditer(text)
    ]


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory: pytest.TempPathFactory):
    """Makes the folder of a page: its home, with the examples and a ``treatise`` command."""

    @cache
    def make(page: Path) -> Path:
        folder = tmp_path_factory.mktemp(page.stem)
        for name in ("examples", "benchmarks"):
            (folder / name).symlink_to(ROOT / name)
        (folder / "bin").mkdir()
        script = folder / "bin" / "treatise"
        script.write_text(f"#!{sys.executable}\nfrom treatise.cli import main\n\nmain()\n")
        script.chmod(0o755)
        return folder

    return make


@pytest.mark.skipif(sys.platform == "win32", reason="the blocks are for a POSIX shell")
@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_a_block_runs_and_prints_what_it_says(block: Block, folder_of, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in NEEDS.findall(block.page.read_text(encoding="utf-8")):
        if find_spec(package) is None:
            pytest.skip(f"the page needs {package}")
    _enter(folder_of(block.page), monkeypatch)
    if block.kind == "python":
        printed = _run_python(block)
        if block.printed is not None:
            _compare(str(block), printed, block.printed)
        return
    for line, expected in _commands(block.code):
        _compare(line, _run(line), expected)


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


def _enter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("TREATISE_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(treatise.__file__).parents[1]))
    monkeypatch.chdir(folder)


def _commands(code: str) -> list[tuple[str, str]]:
    """Each command of a console block with what it prints. Lines of a here-document begin with ``> ``."""
    parts = re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]
    return [_command(part) for part in parts]


def _command(part: str) -> tuple[str, str]:
    first, _, rest = part.partition("\n")
    lines = rest.splitlines(keepends=True)
    n = next((i for i, line in enumerate(lines) if not line.startswith(">")), len(lines)) if "<<" in first else 0
    return "\n".join((first, *(line[2:].rstrip("\n") for line in lines[:n]))), "".join(lines[n:])


def _compare(what: str, printed: str, expected: str) -> None:
    pattern = re.escape(expected).replace("\\.\\.\\.\\\n", "(?:.*\n)?").replace(r"\.\.\.", ".*")
    assert re.fullmatch(pattern, printed, re.DOTALL), f"$ {what}\n{printed}\nexpected:\n{expected}"


def _run(line: str) -> str:
    """What a command prints: without a shell in this process, which need not load the models again."""
    if NEEDS_A_SHELL.search(line):
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
        assert (done.returncode, "error" in done.stderr) == (0, False), done.stderr
        return done.stdout
    result = CliRunner().invoke(command, shlex.split(line)[1:], prog_name="treatise")
    assert (result.exit_code, "error" in result.stderr) == (0, False), result.stderr
    return result.stdout


def _run_python(block: Block) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.code, str(block), "exec"), {"__name__": "__main__"})
    return printed.getvalue()
