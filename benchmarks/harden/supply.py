"""Supply chain: hashes of shipped models, no pickle, licences, a bill of materials, a wheel that is built twice alike.

`pip-audit` needs a network; where it is absent, the bill of materials of `benchmarks.harden.sbom` is checked elsewhere.
"""

import ast
import hashlib
import os
import re
import stat
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Final

from benchmarks.harden.campaign import Campaign
from benchmarks.harden.crashes import library_at
from benchmarks.harden.sbom import bill_of_materials, licence_of
from treatise.compose.places import MODELS
from treatise.engines.hashes import SUMS, model_faults

ROOT: Final = Path(__file__).parents[2]
_FORBIDDEN_MODULES: Final = frozenset(("pickle", "cPickle", "dill", "shelve", "marshal", "joblib"))
_REFUSED: Final = (
    "agpl", "affero", "gpl-3", "gplv3", "gpl-2", "gplv2", "gnu general public", "-nc", "noncommercial", "non-commercial",
    "sspl", "busl", "unknown", "proprietary",
)  # fmt: skip
_PIN: Final = re.compile(r"([\w.-]+)==[\w.!+-]+(?: *;.*)?")


def run(campaign: Campaign) -> None:
    _models(campaign)
    _code(campaign)
    _licences(campaign)
    _pins(campaign)
    _permissions(campaign)
    if campaign.seconds >= 30:
        _wheels(campaign)


def _models(campaign: Campaign) -> None:
    for folder in (path for path in MODELS.iterdir() if path.is_dir()):
        campaign.count("model files hashed", len((folder / SUMS).read_text().splitlines()))
        for name in model_faults(folder):
            campaign.fault(f"{folder.name}/{name} differs from its hash")


def _code(campaign: Campaign) -> None:
    """No module that runs code from data is imported, and no loader is allowed to run any."""
    for file in (ROOT / "src").rglob("*.py"):
        campaign.count("modules searched")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = {alias.name.partition(".")[0] for alias in node.names} if isinstance(node, ast.Import) else set()
            names |= {(node.module or "").partition(".")[0]} if isinstance(node, ast.ImportFrom) else set()
            for name in names & _FORBIDDEN_MODULES:
                campaign.fault(f"{file}: imports {name}")
            is_switch = isinstance(node, ast.keyword) and node.arg in ("allow_pickle", "trust_remote_code")
            if is_switch and not (isinstance(node.value, ast.Constant) and node.value.value is False):
                campaign.fault(f"{file}: {node.arg}")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec"):
                campaign.fault(f"{file}: {node.func.id}")


def _licences(campaign: Campaign) -> None:
    for part in bill_of_materials()["components"]:
        campaign.count("packages in the bill of materials")
        licence = licence_of(metadata.distribution(part["name"])).lower()
        if is_refused(licence):
            campaign.fault(f"{part['name']}: {licence}")


def is_refused(licence: str) -> bool:
    """Whether a licence forbids what Treatise allows: copyleft beyond the library, or no commercial use."""
    return any(name in licence.lower() for name in _REFUSED) and "lesser" not in licence.lower()


def _pins(campaign: Campaign) -> None:
    """CI installs one version of every dependency."""
    lines = (ROOT / "scripts" / "constraints.txt").read_text(encoding="utf-8").split("\n")
    found = [_PIN.fullmatch(line.strip()) for line in lines if line.strip() and not line.startswith("#")]
    if None in found:
        campaign.fault("scripts/constraints.txt: a line is no pin")
    pinned = {re.sub(r"[-_.]+", "-", one[1]).lower() for one in found if one}
    for part in bill_of_materials()["components"]:
        campaign.count("dependencies pinned")
        if re.sub(r"[-_.]+", "-", part["name"]).lower() not in pinned:
            campaign.fault(f"{part['name']} is not in scripts/constraints.txt")


def _permissions(campaign: Campaign) -> None:
    if os.name != "posix":
        return
    before = os.umask(0)
    try:
        with tempfile.TemporaryDirectory() as folder:
            library_at(Path(folder) / "new" / "treatise.db").close()
            for path in Path(folder).rglob("*"):
                campaign.count("modes compared")
                if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                    campaign.fault(f"{path.name} is open to others")
    finally:
        os.umask(before)


def _wheels(campaign: Campaign) -> None:
    """Two builds of the wheel, with different umasks and times, have one hash."""
    hashes = []
    for mask in (0o022, 0o077):
        with tempfile.TemporaryDirectory() as folder:
            before = os.umask(mask)
            try:
                command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
                done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            finally:
                os.umask(before)
            wheels = list(Path(folder).glob("*.whl"))
            if not wheels:
                campaign.count("wheels not built: hatchling is not installed")
                return
            hashes.append(hashlib.sha256(wheels[0].read_bytes()).hexdigest())
            del done
    campaign.count("wheels built", len(hashes))
    if len(set(hashes)) != 1:
        campaign.fault(f"two builds differ: {hashes}")
