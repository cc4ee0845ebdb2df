"""Engines load their vendor's package when they are used, not when they are imported."""

import os
import subprocess
import sys
from pathlib import Path

IMPORT_ALL = """
import pkgutil, sys
from importlib import import_module
import treatise.engines, treatise.settings, treatise.store, treatise.testing

for module in pkgutil.iter_modules(treatise.engines.__path__):
    import_module(f"treatise.engines.{module.name}")
print([name for name in ("openai", "torch", "sentence_transformers", "onnxruntime") if name in sys.modules])
"""


def test_importing_the_engines_loads_no_vendor() -> None:
    printed = subprocess.run([sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True, check=True).stdout
    assert printed == "[]\n"


def test_the_runtime_leaves_nothing_in_the_home_folder_and_reports_to_nobody(tmp_path: Path) -> None:
    script = "from treatise.compose import open_encoder; open_encoder().encode(['a'])"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    subprocess.run([sys.executable, "-c", script], env=environment | {"HOME": str(tmp_path)}, check=True)
    assert not list(tmp_path.iterdir())
