"""The import contracts name every package; ``lint-imports`` proves them."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]


def test_heavy_packages_are_forbidden_everywhere_but_in_engines_train_and_evaluate() -> None:
    (heavy,) = (contract for contract in CONTRACTS if "torch" in contract.get("forbidden_modules", ()))
    (layers,) = (contract for contract in CONTRACTS if contract["type"] == "layers")
    packages = {name.strip() for layer in layers["layers"] for name in layer.split("|")}
    assert layers["exhaustive"]
    assert {name.removeprefix("treatise.") for name in heavy["source_modules"]} == packages - {
        *("__main__", "engines", "train", "evaluate")
    }
