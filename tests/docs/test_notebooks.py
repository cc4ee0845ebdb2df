"""The notebooks of the documentation run top to bottom, and what they show is what a run gives."""

import os
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

import treatise

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))

nbformat = pytest.importorskip("nbformat", reason="notebooks run with the group dev")
pytest.importorskip("nbclient", reason="notebooks run with the group dev")
pytest.importorskip("ipykernel", reason="notebooks run with the group dev")


def kinds(notebook: Any) -> list[list[str]]:
    """What each cell returns, by its form."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [sorted({form for one in cell.outputs for form in one.get("data", {one.output_type: ""})}) for cell in cells]


def test_there_are_notebooks_and_the_site_has_them() -> None:
    assert len(NOTEBOOKS) >= 2
    listed = (ROOT / "docs" / "tutorials" / "index.md").read_text("utf-8")
    for path in NOTEBOOKS:
        assert f"\n../notebooks/{path.stem}\n" in listed


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_as_it_ran_and_names_no_folder_of_a_machine(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1)), f"run scripts/notebooks {path.name}"
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
            assert not [form for form in output.get("data", {}).values() if "/home/" in form or str(ROOT) in form]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the command is made for a POSIX shell")
@pytest.mark.filterwarnings("default")  # of Jupyter's event loop and sockets
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_top_to_bottom(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("examples", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    folder = tmp_path / "docs" / "notebooks"
    folder.mkdir(parents=True)
    (folder / path.name).write_bytes(path.read_bytes())
    command = tmp_path / "bin" / "treatise"
    command.parent.mkdir()
    command.write_text(f"#!{sys.executable}\nfrom treatise.cli import main\n\nmain()\n")
    command.chmod(0o755)
    for name in [name for name in os.environ if name.startswith(("TREATISE_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(treatise.__file__).parents[1]))
    ran = runpy.run_path(str(ROOT / "scripts" / "notebooks"))["run"](folder / path.name)
    assert kinds(ran) == kinds(nbformat.read(path, as_version=4)), f"run scripts/notebooks {path.name}"
