"""The command as a whole: its help, its statuses, its start, and what a shell sees of it."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from treatise.cli import app

COMMAND = [sys.executable, "-m", "treatise"]
NAMES = ["ask", "search", "index", "update", "list", "show", "remove", "parse", "eval", "completion"]


def test_help_names_every_command_and_each_explains_itself_with_examples(run) -> None:
    listed = run("--help").stdout
    for name in NAMES:
        assert f"\n  {name}" in listed
        result = run(name, "--help")
        assert result.exit_code == 0
        assert f"treatise {name}" in result.stdout


@pytest.mark.parametrize(
    "arguments", [["bogus"], ["--bogus"], ["index"], ["remove"], ["list", "--bogus"], ["completion", "tcsh"]]
)
def test_wrong_usage_ends_with_2(run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_shells_script(run, shell: str) -> None:
    script = run("completion", shell).stdout
    assert "_TREATISE_COMPLETE" in script
    assert "treatise" in script


def test_ids_are_completed(run_json, run, tea: Path) -> None:
    (report,) = run_json("index", tea)["documents"]
    environment = {"COMP_WORDS": "treatise show ", "COMP_CWORD": "2", "_TREATISE_COMPLETE": "bash_complete"}
    done = _command([], environment)
    assert report["document"] in done.stdout


def test_settings_that_are_wrong_are_named(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREATISE_STROE", "x")
    result = run("list")
    assert result.exit_code == 2
    assert "TREATISE_STROE" in result.stderr


def test_the_environment_names_the_store(run, tea: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREATISE_STORE", str(home / "mine.db"))
    assert run("index", tea).exit_code == 0
    assert (home / "mine.db").exists()


def test_a_bug_is_reported_without_a_traceback(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("treatise.compose.open_store", broken)
    result = run("list")
    assert result.exit_code == 1
    assert "a bug in Treatise" in result.stderr
    assert "ZeroDivisionError" in (shown := run("--traceback", "list")).stderr
    assert "Traceback (most recent call last)" in shown.stderr


def test_an_interrupt_ends_with_130(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("treatise.compose.open_store", interrupted)
    result = run("list")
    assert result.exit_code == 130
    assert "Traceback" not in result.stderr


def test_no_command_needs_the_network(run, tea: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was attempted")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for arguments in (["ask", tea, "When does water boil?"], ["search", "water"], ["list"]):
        assert run(*arguments).exit_code == 0


def test_importing_the_package_and_the_command_loads_nothing_heavy() -> None:
    heavy = ["numpy", "onnxruntime", "tokenizers", "lxml", "rich", "docx", "pypdfium2", "openai"]
    program = f"import sys, treatise, treatise.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_question_about_a_known_document_loads_no_reader_and_no_engine_that_it_does_not_use(run, tea: Path) -> None:
    run("index", tea)
    unused = ["charset_normalizer", "markdown_it", "lxml", "selectolax", "docx", "pypdfium2", "openai", "rich"]
    program = f"""
import atexit, sys
atexit.register(lambda: print([name for name in {unused} if name in sys.modules], file=sys.stderr))
sys.argv = ["treatise", "ask", {str(tea)!r}, "When does water boil?"]
from treatise.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "Water boils at 100 degrees." in done.stdout
    assert done.stderr.strip() == "[]"


def test_every_public_name_is_there() -> None:
    import treatise

    for name in treatise.__all__:
        assert getattr(treatise, name) is not None
        assert name in dir(treatise)
    with pytest.raises(AttributeError, match="has no attribute 'bogus'"):
        _ = treatise.bogus


def test_the_installed_way_in_answers_in_a_pipe(tea: Path) -> None:
    done = _command(["ask", str(tea), "When does water boil?", "--json"])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["answer"].startswith("Water boils at 100 degrees.")
    assert done.stderr == ""


def test_a_pipe_that_closes_early_is_no_news(tea: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run([*COMMAND, "--help"], stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert done.stderr == ""


def test_an_output_that_knows_only_ascii_still_gets_json(home: Path) -> None:
    (home / "de.txt").write_text("Grüner Tee braucht 70 Grad.", encoding="utf-8")
    done = _command(["ask", "de.txt", "Tee?", "--json"], {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert any("Grüner" in passage["text"] for passage in json.loads(done.stdout)["evidence"])
    assert _command(["ask", "de.txt", "Tee?"], {"PYTHONIOENCODING": "ascii"}).returncode == 0


def _command(arguments: list[str], environment: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )


def test_a_command_of_ones_own_is_one_file_and_one_row(run, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def hello() -> None:
        """Say hello."""
        click.echo("hello")

    monkeypatch.setitem(sys.modules, "treatise.cli.hello", SimpleNamespace(hello=hello))
    monkeypatch.setitem(app._COMMANDS, "hello", ("treatise.cli.hello", "hello"))
    assert run("hello").output == "hello\n"
    assert "Say hello." in run("--help").output
