"""A parser's recipe: the parser's shape, one run's settings, and the treebanks."""

from dataclasses import dataclass, field

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
class ParserRecipe:
    """The recipe of a parser.

    Attributes:
        parser: Its shape.
        training: The run.
        data: The treebanks.
    """

    parser: ParserConfig
    training: TrainConfig
    data: Treebanks
