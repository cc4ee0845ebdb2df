"""From a recipe's task to a folder that can be shipped: train, export, write the card."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from treatise.core.ports import Progress
from treatise.train.card import Card, origin
from treatise.train.loop import BEST, LoopOptions, Task, Trainer, digest

MODEL: Final = "model"
"""Where in a run's folder the finished model lies."""

PARSING: Final = (
    "F1 in percent of this folder on the dev files below: Original Parseval, EDU boundaries inside sentences and all."
)
"""What the figures of parsers are."""


@dataclass(frozen=True, slots=True)
class Product:
    """What a recipe makes, for the card.

    Attributes:
        name: Of the model.
        about: What it does.
        measured: What its figures are.
        licence: Of the weights.
        sources: Whom they owe.
        encoder: The encoder that training began from.
        files: Data that was read, below the data folder.
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
    """Where a run works and whom it tells; a run that was stopped goes on in its folder.

    Attributes:
        root: The data folder.
        folder: The run's: checkpoint, log, model.
        command: What starts it, for the card.
        weights: Exported as they are, instead of training; None to train.
        progress: ProgressCallback the number of steps done, and of all.
        report: Given a line for each epoch.
    """

    root: Path
    folder: Path
    command: str
    weights: Path | None = None
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
            recipe: The dataclass that the digest is of.
            task: What is trained.
            loop: How long.
            export: Given the best weights and the folder to write; returns the dev figures of what it wrote.
            product: For the card.

        Raises:
            DataError: If an earlier run in the folder had another recipe.
            MissingExtraError: If a package that exports is not installed.
        """
        settings = digest(recipe)
        when = ""
        if self.weights is None:
            state = Trainer(task, loop, self.folder, settings=settings).run(progress=self.progress, report=self.report)
            when = f" Epoch {state.best_epoch} of {state.epoch}."
        figures = export(self.weights or self.folder / BEST, self.folder / MODEL)
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
