"""Engines load their vendor's package when they are used, not when they are imported."""

import subprocess
import sys

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
