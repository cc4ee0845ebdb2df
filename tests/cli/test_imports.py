"""A short command does not wait for code that it does not run."""

import os
import subprocess
import sys
from pathlib import Path

WHAT_IS_IMPORTED = """
import sys
from treatise.cli import main

sys.argv = ["treatise", *sys.argv[1:]]
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""

NOT_FOR_A_QUOTED_ANSWER = (
    "treatise.distribute",
    "treatise.embed",
    "treatise.enhance",
    "treatise.evaluate",
    "treatise.generate.prompted",
    "treatise.generate.summarized",
    "treatise.ingest.html",
    "treatise.ingest.pdf",
    "treatise.llm.prompts",
    "treatise.llm.runner",
    "treatise.pipeline.estimate",
    "treatise.pipeline.index",
    "treatise.pipeline.summarize",
    "treatise.plan",
    "treatise.retrieve.server_corpus",
    "treatise.retrieve.sketches",
    "treatise.server",
    "treatise.store.postgres",
    "treatise.train",
    "treatise.tree",
    "asyncio",
    "importlib.metadata",
    "lxml",
    "openai",
    "rich",
    "torch",
)


def imported_by(*arguments: str, store: Path) -> set[str]:
    command = [sys.executable, "-c", WHAT_IS_IMPORTED, *arguments]
    environment = os.environ | {"TREATISE_STORE": str(store)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return set(done.stderr.splitlines()[-1].split())


def test_a_quoted_answer_from_an_indexed_document_imports_what_it_runs(tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text("Water boils at 100 degrees. Keep the leaves dry.")
    ask = "ask", str(tmp_path / "tea.md"), "When does water boil?"
    imported_by(*ask, store=tmp_path / "library.db")  # indexes it
    imported = imported_by(*ask, store=tmp_path / "library.db")
    assert "treatise.generate.direct" in imported
    assert imported.isdisjoint(NOT_FOR_A_QUOTED_ANSWER), imported & {*NOT_FOR_A_QUOTED_ANSWER}


def test_the_help_imports_neither_numbers_nor_models(tmp_path: Path) -> None:
    imported = imported_by("--help", store=tmp_path / "library.db")
    assert imported.isdisjoint({"numpy", "onnxruntime", "tokenizers", "treatise.pipeline", "treatise.compose"})
