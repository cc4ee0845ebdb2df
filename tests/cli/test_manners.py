"""Manners of the command line: statuses, what is created, what a pipe and a terminal get."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LINES = '{"id": "1", "lang": "en", "level": "sentence", "paragraphs": [["It rained.", "So we stayed in."]]}\n'
COMMAND = [sys.executable, "-c", "from treatise.cli import main; main()"]
UNTIDY = [
    ["ask"],
    ["ask", "tea.md", ""],
    ["ask", "tea.md", "Why?", "--recipe", "nope"],
    ["ask", "tea.md", "Why?", "--budget", "-3"],
    ["ask", "tea.md", "Why?", "--encoder", "nope"],
    ["ask", "tea.md", "Why?", "--llm", "nope://"],
    ["ask", "tea.md", "Why?", "--where", "year >"],
    ["ask", "tea.md", "Why?", "--store", "none/library.db"],
    ["config", "get", "nope"],
    ["config", "set", "budget", "many"],
    ["eval", "retrieval", "--dataset", "nope", "--data", "tea.md", "--recipes", "bm25", "--out", "out"],
    ["eval", "retrieval", "--dataset", "spans", "--data", "tea.md", "--recipes", "nope", "--out", "out"],
    ["index"],
    ["nonsense"],
    ["parse", "tea.md", "--segment"],
    ["parse", "--input", "lines.jsonl", "--units", "edu"],
    ["parse", "--input", "lines.jsonl", "--format", "rels"],
    ["parse", "--segment", "--input", "lines.jsonl", "--format", "rs3"],
    ["search", "tea", "--budget", "many"],
    ["search", "tea", "--store", "none.db"],
    ["summarize", "tea.md", "--words", "0"],
    ["tag"],
]


@pytest.mark.parametrize("arguments", UNTIDY, ids=" ".join)
def test_wrong_usage_ends_with_two_and_no_traceback(run, tea: Path, arguments: list[str]) -> None:
    Path("lines.jsonl").write_text(LINES, "utf-8")
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert "rror" in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("arguments", [each for each in UNTIDY if each[0] in ("ask", "search", "index", "summarize")])
def test_wrong_usage_with_json_is_one_object(run, tea: Path, arguments: list[str]) -> None:
    result = run(arguments[0], "--json", *arguments[1:])
    assert result.exit_code == 2
    assert set(json.loads(result.stdout)["error"]) == {"type", "message"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "x"],
        ["show", "abc"],
        ["remove", "abc"],
        ["update"],
        ["tag", "abc", "--add", "x"],
        ["export", "x.lib"],
    ],
    ids=" ".join,
)
def test_a_mistyped_store_is_named_and_not_created(run, home: Path, arguments: list[str]) -> None:
    result = run(*arguments, "--store", "none.db")
    assert result.exit_code == 2
    assert "none.db does not exist yet: treatise index FILE --store none.db" in result.stderr
    assert list(home.iterdir()) == []


def test_a_list_of_a_store_that_does_not_exist_is_empty_and_creates_nothing(run, home: Path) -> None:
    assert (run("list", "--store", "none.db").exit_code, list(home.iterdir())) == (0, [])


@pytest.mark.parametrize("form", ["brackets", "rs3", "rs4", "dis"])
def test_lines_get_the_format_that_was_asked_for(run, home: Path, form: str) -> None:
    (home / "lines.jsonl").write_text(LINES, "utf-8")
    (home / "text.txt").write_text("It rained. So we stayed in.\n", "utf-8")
    row = json.loads(run("parse", "--input", "lines.jsonl", "--format", form).stdout)
    assert row["formatted"] == run("parse", "text.txt", "--format", form).stdout
    assert row["tree"] == json.loads(run("parse", "--input", "lines.jsonl").stdout)["tree"]


@pytest.mark.parametrize("more", [[], ["--format", "json"]])
def test_lines_without_another_format_have_the_tree_alone(run, home: Path, more: list[str]) -> None:
    (home / "lines.jsonl").write_text(LINES, "utf-8")
    assert set(json.loads(run("parse", "--input", "lines.jsonl", *more).stdout)) == {"id", "tree"}


def test_unchanged_files_are_reported_with_their_words(run_json, tea: Path) -> None:
    (new,) = run_json("index", tea)["documents"]
    (unchanged,) = run_json("index", tea)["documents"]
    os.utime(tea, ns=(1, 1))
    (touched,) = run_json("index", tea)["documents"]
    assert unchanged["outcome"] == touched["outcome"] == "unchanged"
    assert new["words"] == unchanged["words"] == touched["words"] > 0
    assert new["units"] == unchanged["units"] == touched["units"] > 0


def test_a_settings_file_that_cannot_be_read_is_named(run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREATISE_CONFIG", str(home))
    result = run("list")
    assert result.exit_code == 2
    assert f"{home} cannot be read" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
class TestPaging:
    """What is longer than the screen goes to the pager, in a terminal only."""

    def test_a_long_list_is_paged(self) -> None:
        assert _in_terminal(["list", "--recipes"], lines=10) == "paged\n"

    def test_a_short_list_is_not(self) -> None:
        assert "disretrieval" in _in_terminal(["list", "--recipes"], lines=1_000)

    def test_a_pipe_is_not(self, run) -> None:
        assert "disretrieval" in run("list", "--recipes").stdout

    def test_json_is_not(self) -> None:
        assert json.loads(_in_terminal(["list", "--recipes", "--json"], lines=10))["recipes"]


def _in_terminal(arguments: list[str], *, lines: int) -> str:
    """What the command writes to a terminal with that many lines, with a pager that writes one word."""
    import pty

    ours, theirs = pty.openpty()
    pager = Path("pager")
    pager.write_text("#!/bin/sh\ncat >/dev/null\necho paged\n", "utf-8")
    pager.chmod(0o755)
    size = {"COLUMNS": "80", "LINES": str(lines), "TERM": "xterm", "PAGER": str(pager.absolute())}
    with subprocess.Popen([*COMMAND, *arguments], stdin=theirs, stdout=theirs, env={**os.environ, **size}) as process:
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


def _in_shell(tea: Path, rest: str) -> "subprocess.CompletedProcess[str]":
    line = f'"{sys.executable}" -c "from treatise.cli import main; main()" {rest}'
    return subprocess.run(["sh", "-c", line], cwd=tea.parent, capture_output=True, input="", text=True, check=False)


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", ["list --store own.db", "index tea.md --store own.db", "index - --store own.db"])
def test_closed_streams_are_empty_ones(tea: Path, closed: str, arguments: str) -> None:
    done = _in_shell(tea, f"{arguments} {closed}")
    assert done.returncode == (1 if " - " in arguments else 0), done.stderr  # standard input is empty here
    assert "a bug in Treatise" not in done.stdout + done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
class TestFullDevices:
    """A message that cannot be written changes neither the result nor the exit status."""

    @pytest.mark.parametrize(
        ("arguments", "status"),
        [("ask tea.md 'When does water boil?'", 0), ("ask none.md 'Who?'", 1), ("ask tea.md 'Who?' --nope", 2)],
    )
    def test_json_is_the_same_without_standard_error(self, tea: Path, arguments: str, status: int) -> None:
        lost, kept = (_in_shell(tea, f"{arguments} --json {where}") for where in ("2>/dev/full", ""))
        assert (lost.returncode, lost.stderr) == (status, "")
        assert {**json.loads(lost.stdout), "usage": 0} == {**json.loads(kept.stdout), "usage": 0}

    @pytest.mark.parametrize("arguments", ["list --recipes", "list --recipes --json", "--help", "--version"])
    def test_a_result_that_cannot_be_written_is_no_bug(self, tea: Path, arguments: str) -> None:
        done = _in_shell(tea, f"{arguments} >/dev/full")
        assert done.returncode == 1
        assert done.stderr.startswith("treatise: error: what was to be written did not fit: ")
        assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="other systems keep a folder that is in use")
def test_a_working_folder_that_is_deleted_is_no_fault(tmp_path: Path) -> None:
    (gone := tmp_path / "gone").mkdir()
    (file := tmp_path / "tea.txt").write_text("Water boils at 100 degrees.")
    program = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); from treatise.cli import main; main()"
    arguments = ["ask", str(file), "When does water boil?", "--store", str(tmp_path / "a.db")]
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert str(file) in done.stdout
