"""A parser's recipe: the parser's shape, one run's settings, and the treebanks."""

from dataclasses import dataclass, field
from math import inf

from treatise.core.errors import DataError
from treatise.parse.spans.model import ParserConfig
from treatise.train.loop import LoopOptions
from treatise.train.readers import EncoderConfig
from treatise.train.treebanks import Treebanks


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of one run; the parser's shape is ``ParserConfig``, which is saved with its weights.

    Attributes:
        learning_rate: Peak rate of the heads.
        warm_up: Share of the steps in which rates rise.
        dropout: Between the layers of the heads.
        unmarked: Share of documents read without paragraph marks, like the segmenter's input.
        shortest_window: Minimum window, up to the parser's own, drawn per text if the encoder is trained.
        heads: A parser's folder, or the name of a shipped parser, whose heads initialise training; it must have the
            same shape and a similar encoder. Empty for random heads.
        encoder: The encoder.
        loop: Epochs, seed, early stopping.
    """

    heads: str = ""
    learning_rate: float = 1e-3
    warm_up: float = 0.1
    dropout: float = 0.3
    unmarked: float = 0.2
    shortest_window: int = 160
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    loop: LoopOptions = field(default_factory=LoopOptions)


@dataclass(frozen=True, slots=True)
class Teaching:
    """Texts without trees, with the probabilities that other parsers give to their spans and labels.

    Attributes:
        parsers: Folders of trained parsers, or names of shipped ones; the mean of their scores is learned.
        segmenter: Folder of a trained segmenter, or the name of a shipped one.
        texts: Files in the form of ``treatise parse --input``, by sentence; paths are below the data folder. Each text
            is read in one epoch of the run.
        n_texts: Number of texts that are read, from the first; 0 for all.
        weight: Weight of a text's loss; a document of the treebanks counts 1.
    """

    parsers: tuple[str, ...] = ()
    segmenter: str = ""
    texts: tuple[str, ...] = ()
    n_texts: int = 0
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.texts and not (self.parsers and self.segmenter):
            raise DataError("'texts' under [teaching] need 'parsers' and a 'segmenter' that say what is to be learned")
        _check_texts(self.n_texts, self.weight)


@dataclass(frozen=True, slots=True)
class BoundaryTeaching:
    """Texts without EDUs, with the probabilities that other segmenters give to their boundaries.

    Attributes:
        segmenters: Folders of trained segmenters or parsers, or names of shipped ones; the mean of their scores is
            learned.
        texts, n_texts, weight: As for :class:`Teaching`.
    """

    segmenters: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    n_texts: int = 0
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.texts and not self.segmenters:
            raise DataError("'texts' under [teaching] need 'segmenters' that say what is to be learned")
        _check_texts(self.n_texts, self.weight)


def _check_texts(n_texts: int, weight: float) -> None:
    if n_texts < 0:
        raise DataError(f"'n_texts' under [teaching] is {n_texts}: expected 0 for all texts, or how many")
    if not 0 < weight < inf:
        raise DataError(f"'weight' under [teaching] is {weight}: expected a number above 0")


@dataclass(frozen=True, slots=True)
class ParserRecipe:
    """The recipe of a parser.

    Attributes:
        parser: Its shape.
        training: The run.
        data: The treebanks.
        teaching: Texts without trees.
    """

    parser: ParserConfig
    training: TrainConfig
    data: Treebanks
    teaching: Teaching = field(default_factory=Teaching)
