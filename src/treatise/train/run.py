"""Runs of recipes: train, export, write the model card."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.numpy import save_file

from treatise.core.errors import DataError
from treatise.core.ports import Progress
from treatise.train.card import Card, origin
from treatise.train.loop import BEST, LoopOptions, Task, Trainer, digest
from treatise.train.source import mean_weights

MODEL: Final = "model"
"""The folder of the finished model within a run's folder."""

MEAN: Final = "mean.safetensors"
"""The mean of the weights of several runs, in a run's folder."""

PARSING: Final = (
    "F1 in percent of this folder on the dev files below: Original Parseval, EDU boundaries inside sentences and all."
)
"""Description of the figures of parsers."""


@dataclass(frozen=True, slots=True)
class Product:
    """The product of a recipe, for the card.

    Attributes:
        name: The model's name.
        about: What it does.
        measured: Description of its figures.
        licence: Licence of the weights.
        sources: Attributions.
        encoder: The encoder that training began from.
        files: Data files, below the data folder.
    """

    name: str
    about: str
    measured: str
    licence: str
    sources: tuple[str, ...]
    encoder: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Folders and callbacks of a run; an interrupted run resumes in its folder.

    Attributes:
        root: The data folder.
        folder: The run's folder: checkpoint, log, model.
        command: The command line, for the card.
        weights: Weights to export instead of training, of several runs their mean; none to train.
        device: Where the encoder is trained, as torch names it: ``cpu``, or ``cuda`` for a graphics card, on which
            figures are not bit-identical. The heads of a parser or segmenter stay on the processor.
        progress: Called with the number of finished steps, and of all.
        report: Called with one line per epoch.
    """

    root: Path
    folder: Path
    command: str
    weights: tuple[Path, ...] = ()
    device: str = "cpu"
    progress: Progress | None = None
    report: Callable[[str], None] | None = None

    def make(
        self,
        recipe: object,
        task: Task[Any],
        loop: LoopOptions,
        export: Callable[[Path, Path], Mapping[str, float]],
        product: Product,
    ) -> Mapping[str, float]:
        """Trains, exports to ``<folder>/model`` with a card, and returns its dev figures.

        Args:
            recipe: The dataclass for the digest.
            task: The task.
            loop: Settings of the loop.
            export: Called with the best weights and the target folder; returns the dev figures of the export.
            product: The description for the card.

        Raises:
            DataError: If an earlier run in the folder had another recipe, or the given weights are of different shapes.
            MissingExtraError: If a package for the export is not installed.
        """
        settings = digest(recipe)
        when = ""
        if not self.weights:
            state = Trainer(task, loop, self.folder, settings=settings).run(progress=self.progress, report=self.report)
            when = f" Epoch {state.best_epoch} of {state.epoch}."
        figures = export(self._best(), self.folder / MODEL)
        card = Card(
            name=product.name,
            about=product.about,
            licence=product.licence,
            sources=product.sources,
            figures=figures,
            measured=product.measured + when,
            origin=origin(
                command=self.command, recipe=settings, encoder=product.encoder, root=self.root, files=product.files
            ),
        )
        (self.folder / MODEL / "README.md").write_text(card.text(), encoding="utf-8")
        return figures

    def _best(self) -> Path:
        """The weights to export; the mean of several is written into the folder."""
        if len(self.weights) < 2:
            return next(iter(self.weights), self.folder / BEST)
        path = self.folder / MEAN
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(dict(mean_weights(self.weights)), path)
        return path


def check_device(device: str) -> None:
    """Checks that encoders can be trained there.

    Raises:
        DataError: If there is no such card.
    """
    if device == "cuda" and not torch.cuda.is_available():
        raise DataError("--device cuda: torch finds no such graphics card; leave it out to train on the processor")
