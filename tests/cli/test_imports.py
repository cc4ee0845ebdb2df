"""A short command does not wait for code that it does not run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WHAT_IS_IMPORTED = """
import sys
from treatise.cli import main

sys.argv = ["treatise", *sys.argv[1:]]
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""

BLAS_THREADS = """
import json
import sys
from treatise.cli import main

sys.argv = ["treatise", *sys.argv[1:]]
try:
    main()
finally:
    import numpy
    from threadpoolctl import threadpool_info

    print(json.dumps([one["num_threads"] for one in threadpool_info() if one["internal_api"] == "openblas"]),
          file=sys.stderr)
"""

NOT_FOR_A_QUOTED_ANSWER = (
    "treatise.distribute",
    "treatise.embed",
    "treatise.enhance",
    "treatise.evaluate",
    "treatise.figures",
    "treatise.generate.prompted",
    "treatise.generate.summarized",
    "treatise.generate.tabular",
    "treatise.ingest.html",
    "treatise.ingest.pdf",
    "treatise.llm.prompts",
    "treatise.llm.runner",
    "treatise.pipeline.estimate",
    "treatise.pipeline.index",
    "treatise.pipeline.summarize",
    "treatise.plan",
    "treatise.programs",
    "treatise.retrieve.server_corpus",
    "treatise.retrieve.sketches",
    "treatise.server",
    "treatise.store.postgres",
    "treatise.train",
    "treatise.tree",
    "asyncio",
    "importlib.metadata",
    "lxml",
    "numpy.ma",
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


def test_a_question_to_several_documents_imports_no_rules_for_a_single_one(tmp_path: Path) -> None:
    for name in ("tea", "coffee"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nWater for {name} boils at 100 degrees. Keep it dry.")
    store = tmp_path / "library.db"
    imported_by("index", str(tmp_path / "tea.md"), str(tmp_path / "coffee.md"), store=store)
    imported = imported_by("ask", "When does water for tea boil?", store=store)
    assert "treatise.generate.direct" in imported
    assert imported.isdisjoint({"treatise.generate.findings", "treatise.generate.motions", "treatise.generate.parties"})


def test_the_help_imports_neither_numbers_nor_models(tmp_path: Path) -> None:
    imported = imported_by("--help", store=tmp_path / "library.db")
    assert imported.isdisjoint({"numpy", "onnxruntime", "tokenizers", "treatise.pipeline", "treatise.compose"})


@pytest.mark.parametrize(("wanted", "threads"), [(None, 1), ("2", 2)])
def test_a_command_runs_one_blas_thread_unless_the_user_wants_more(
    tmp_path: Path, wanted: str | None, threads: int
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment |= {"OPENBLAS_NUM_THREADS": wanted} if wanted else {}
    command = [sys.executable, "-c", BLAS_THREADS, "list"]
    environment["TREATISE_STORE"] = str(tmp_path / "library.db")
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found = json.loads(done.stderr.splitlines()[-1])
    if not found:
        pytest.skip("numpy is built without OpenBLAS")
    assert set(found) == {min(threads, os.cpu_count() or 1)}
