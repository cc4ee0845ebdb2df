"""A command line with a home and a library of its own."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import treatise as package
from treatise.cli import treatise

TEA = """# Tea

## Making

Water boils at 100 degrees. Green tea wants cooler water, about 70 degrees. Let it stand for two minutes.

## Keeping

Keep the leaves in a tin. Light and air make tea stale within weeks.
"""

COFFEE = "Coffee beans are roasted at 220 degrees. They keep for a month. Grind them just before brewing.\n"

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, with nothing in it, as the working folder."""
    for name in [name for name in os.environ if name.startswith(("TREATISE_", "XDG_"))]:
        monkeypatch.delenv(name)
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("PYTHONPATH", str(Path(package.__file__).parents[1]))  # for commands in processes of their own
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run() -> Run:
    """Runs the command in this process."""

    def invoke(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(treatise, [str(argument) for argument in arguments], input=stdin)

    return invoke


@pytest.fixture(scope="session")
def paper() -> Path:
    """The document that ships as an example."""
    return Path(__file__).parents[2] / "examples" / "forecasting-derailment.md"


@pytest.fixture(scope="session")
def paper_store(paper: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the example: reading it takes a second, so it is read once for all tests."""
    path = tmp_path_factory.mktemp("store") / "library.db"
    result = CliRunner().invoke(treatise, ["index", str(paper), "--store", str(path)])
    assert result.exit_code == 0, result.stderr
    return path


@pytest.fixture
def tea(home: Path) -> Path:
    """A short document."""
    path = home / "tea.md"
    path.write_text(TEA, encoding="utf-8")
    return path


@pytest.fixture
def coffee(home: Path) -> Path:
    """Another one."""
    path = home / "coffee.txt"
    path.write_text(COFFEE, encoding="utf-8")
    return path


@pytest.fixture
def run_json(run: Run) -> Callable[..., dict[str, Any]]:
    """Runs the command with ``--json``, and returns the one object that it prints."""

    def invoke(*arguments: str | Path, stdin: str | bytes | None = None) -> dict[str, Any]:
        result = run(*arguments, "--json", stdin=stdin)
        assert result.exit_code == 0, result.stderr
        record: dict[str, Any] = json.loads(result.stdout)
        return record

    return invoke


@pytest.fixture
def data(home: Path) -> Path:
    """One paper with one question, in the official form of QASPER."""
    evidence = "Water boils at 100 degrees."
    answer = {"unanswerable": False, "extractive_spans": [], "yes_no": None, "free_form_answer": "100"}
    paper = {
        "title": "Tea",
        "abstract": "On tea.",
        "full_text": [{"section_name": "Making", "paragraphs": [evidence, "Keep the leaves in a tin."]}],
        "qas": [
            {
                "question": "When does water boil?",
                "question_id": "q1",
                "answers": [{"answer": answer | {"evidence": [evidence], "highlighted_evidence": [evidence]}}],
            }
        ],
    }
    path = home / "qasper.json"
    path.write_text(json.dumps({"1": paper}), encoding="utf-8")
    return path
