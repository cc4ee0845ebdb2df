"""A parser's recipe: the parser's shape, one run's settings, and the treebanks."""

from dataclasses import dataclass

from treatise.parse.spans.model import ParserConfig
from treatise.train.treebanks import Treebanks


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of one run; the parser's shape is ``ParserConfig``, which is saved with its weights.

    Attributes:
        encoder: Where the encoder comes from; see ``source.encoder_source``.
        frozen: Trains the heads alone, on the vectors that the exported int8 encoder gives.
        frozen_layers: Lowest layers that stay as they are, with the embeddings, where the encoder is trained.
        epochs: Passes over the documents at most.
        seed: Of everything random.
        threads: Processor threads.
        learning_rate, encoder_rate: Highest rate of the heads and of the encoder.
        warm_up: Share of the steps in which the rate rises.
        dropout: Between the layers of the heads.
        average: Decay of the running mean of the weights, which is what is kept; 0 for none.
        masked: Share of tokens hidden from the encoder.
        unmarked: Share of documents read without marks between paragraphs, as the segmenter reads.
        shortest_window: Windows are drawn between this and the parser's own.
        bf16: Computes the encoder in bfloat16.
        patience: Epochs without a better dev score after which the run ends; 0 for never.
        score_every: Epochs between two scorings on dev.
    """

    encoder: str = "minilm"
    frozen: bool = False
    frozen_layers: int = 0
    epochs: int = 12
    seed: int = 1
    threads: int = 1
    learning_rate: float = 1e-3
    encoder_rate: float = 2e-4
    warm_up: float = 0.1
    dropout: float = 0.3
    average: float = 0.995
    masked: float = 0.05
    unmarked: float = 0.2
    shortest_window: int = 160
    bf16: bool = False
    patience: int = 4
    score_every: int = 1


@dataclass(frozen=True, slots=True)
class ParserRecipe:
    """Everything that a parser is made from.

    Attributes:
        parser: Its shape.
        training: The run.
        data: The treebanks.
    """

    parser: ParserConfig
    training: TrainConfig
    data: Treebanks
