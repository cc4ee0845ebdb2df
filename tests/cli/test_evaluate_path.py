"""The number of evaluation files that ``treatise eval retrieval`` visits from the command to the figure."""

import os
import sys
from importlib import import_module
from pathlib import Path
from types import FrameType

import treatise
from treatise.cli.eval.retrieval import retrieval

ROOT = Path(treatise.__file__).parent
EXCERPT = Path(__file__).parents[1] / "evaluate" / "data" / "qasper-excerpt.json"
MAX_FILES = 20
"""Of ``cli/eval`` and ``evaluate``: loader, metrics, report and run."""
_IS_FUNCTION = 0x1  # not set for class bodies and modules


def visited(folders: tuple[str, ...], arguments: list[str]) -> set[str]:
    """The files in these folders whose functions run."""
    found: set[str] = set()

    def watch(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & _IS_FUNCTION and code.co_filename.startswith(str(ROOT)):
            found.add(Path(code.co_filename).relative_to(ROOT).as_posix())

    sys.setprofile(watch)
    try:
        retrieval.main(arguments, standalone_mode=False)
    finally:
        sys.setprofile(None)
    return {file for file in found if file.startswith(folders)}


def test_retrieval_is_evaluated_in_few_files(tmp_path: Path, capsys) -> None:
    for module in ("run.retrieval", "data.files"):  # import-time code does not count
        import_module(f"treatise.evaluate.{module}")
    arguments = ["--dataset", "qasper", "--data", os.fspath(EXCERPT), "--recipes", "flat-sentence,balanced"]
    files = visited(("cli/eval/", "evaluate/"), [*arguments, "--budgets", "50", "--out", os.fspath(tmp_path)])
    assert "| balanced | 50 |" in capsys.readouterr().out
    assert len(files) <= MAX_FILES, sorted(files)
