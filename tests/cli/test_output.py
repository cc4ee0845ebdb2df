"""What a terminal shows, and what a pipe gets."""

import io
import os
import pty
import re
import sys
import time
from pathlib import Path

import pytest

from treatise.cli import progress
from treatise.cli.progress import waiting_line
from treatise.testing import ScriptedModel

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")

COMMAND = [sys.executable, "-c", "from treatise.cli import main; main()"]


def _in_terminal(arguments: list[str], columns: int, **environment: str) -> str:
    """What the command writes to a terminal of that width."""
    import subprocess

    ours, theirs = pty.openpty()
    size = {"COLUMNS": str(columns), "LINES": "40", "TERM": "xterm-256color"}
    with subprocess.Popen([*COMMAND, *arguments], stdout=theirs, env={**os.environ, **size, **environment}) as process:
        os.close(theirs)
        written = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    assert process.returncode == 0
    return written.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # Linux ends a terminal so
        return b""


@pytest.mark.parametrize("columns", [20, 80, 200])
def test_a_terminal_gets_colours_and_no_line_beyond_its_edge(tea: Path, columns: int) -> None:
    shown = _in_terminal(["ask", str(tea), "What makes tea stale?"], columns)
    plain = _in_terminal(["ask", str(tea), "What makes tea stale?", "--no-color"], columns)
    assert "\x1b[1mLight and air\x1b[0m" in shown  # the direct answer
    assert "\x1b[1;36m" in _in_terminal(["list"], columns)
    assert "36m" not in plain + _in_terminal(["list", "--no-color"], columns)
    rows = "".join(part.partition("m")[2] if i else part for i, part in enumerate(plain.split("\x1b["))).split("\n")
    assert max(map(len, rows)) <= columns


def test_no_color_in_the_environment_is_heard(tea: Path) -> None:
    assert "36m" not in _in_terminal(["ask", str(tea), "When does water boil?"], 80, NO_COLOR="1")


def test_settings_can_want_colours_in_a_pipe(run, tea: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in run("ask", tea, "When does water boil?").stdout
    monkeypatch.setenv("TREATISE_COLOUR", "always")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[" in run("ask", tea, "When does water boil?").stdout


def test_a_document_cannot_drive_the_terminal(run, home: Path) -> None:
    (home / "evil.txt").write_text("Water boils \x1b]0;owned\x07 at 100 degrees.")
    result = run("ask", "evil.txt", "When does water boil?")
    assert "\x1b" not in result.stdout


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_model_that_is_waited_for_is_named_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    written = Terminal()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setattr(progress, "_WAITING_EVERY_S", 0.01)
    with waiting_line(None):
        time.sleep(0.05)
    assert not written.getvalue()
    with waiting_line(ScriptedModel(["yes"])):
        deadline = time.monotonic() + 10
        while "waiting for scripted" not in written.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert "waiting for scripted" in written.getvalue()
    assert written.getvalue().endswith("\r\x1b[K")


HOSTILE = "a\nforged row\x1b[31m\x07\x9b\u202etxt.md"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        ["list", "--json"],
        ["ask", "When does water boil?"],
        ["ask", "When does water boil?", "--json"],
        ["search", "boil"],
        ["search", "boil", "--json"],
        ["parse", "FILE", "--format", "dis"],
        ["parse", "FILE", "--format", "brackets"],
        ["parse", "FILE", "--json"],
        ["index", "FILE", "--explain"],
        ["index", "FILE.missing"],
        ["index", "FILE.missing", "--json"],
    ],
)
def test_no_control_character_reaches_an_output(run, tmp_path: Path, arguments: list[str]) -> None:
    file = tmp_path / HOSTILE
    file.write_bytes("# Tea \x1b]0;title\x07 \x9b2J \u202e\n\nWater\x7f boils at 100 degrees\x1b[31m.\n".encode())
    run("index", file)
    done = run(*(one.replace("FILE", str(file)) for one in arguments))
    shown = done.stdout + done.stderr
    assert shown
    assert CONTROLS.search(shown) is None
    assert not any(row.startswith("forged row") for row in shown.split("\n"))
