"""Model cards: sources, training, command and figures of a model."""

import hashlib
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from treatise import __version__

_PACKAGES: Final = ("torch", "onnx", "onnxruntime", "tokenizers", "numpy")


@dataclass(frozen=True, slots=True)
class Origin:
    """The provenance of a model, without details of the machine.

    Attributes:
        command: The command that reproduces it.
        commit: The code's commit; the version if it is not a checkout.
        recipe: The recipe's digest.
        encoder: The encoder that training began from.
        versions: Versions of the packages that affect the figures.
        data: SHA-256 of each data file, by its path below the data folder.
    """

    command: str
    commit: str
    recipe: str
    encoder: str
    versions: Mapping[str, str]
    data: Mapping[str, str]


def origin(*, command: str, recipe: str, encoder: str, root: Path, files: Iterable[str]) -> Origin:
    """The provenance of a model trained now on these files below the data folder."""
    digests = {file: hashlib.sha256((root / file).read_bytes()).hexdigest() for file in files}
    return Origin(command, _commit(), recipe, encoder, dict(_versions()), digests)


@dataclass(frozen=True, slots=True)
class Card:
    """The content of a model card.

    Attributes:
        name: The model's name.
        about: What it does.
        licence: Licence of the weights.
        sources: Attributions.
        figures: Results, by name.
        measured: How the figures were measured.
        origin: Its provenance.
    """

    name: str
    about: str
    licence: str
    sources: tuple[str, ...]
    figures: Mapping[str, float]
    measured: str
    origin: Origin

    def text(self) -> str:
        """The card in Markdown."""
        made = self.origin
        versions = ", ".join(f"{package} {number}" for package, number in made.versions.items())
        owed = [*self.sources, f"The encoder that training began from: {made.encoder}."]
        parts = [
            f"# {self.name}",
            self.about,
            "## Licence and attribution",
            self.licence,
            "\n".join(f"- {source}" for source in owed),
            "## Figures",
            self.measured,
            _table("figure", "%", {name: f"{value:.2f}" for name, value in self.figures.items()}),
            "## How it was made",
            f"```sh\n{made.command}\n```",
            f"Commit {made.commit}, recipe {made.recipe}; {versions}.",
            _table("data", "SHA-256", made.data),
        ]
        return "\n\n".join(parts) + "\n"


def _table(left: str, right: str, rows: Mapping[str, str]) -> str:
    return "\n".join([f"| {left} | {right} |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])


def _commit() -> str:
    """The checkout's commit, marked if files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        found = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return f"of version {__version__}"
    return found.stdout.strip()


def _versions() -> Iterable[tuple[str, str]]:
    for package in _PACKAGES:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            continue
