"""BERTScore (Zhang et al., 2020) with a model on this machine: ``bert-score``'s."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treatise.core.errors import EngineError, MissingExtraError


class BertScore:
    """F1 of matched token vectors.

    Args:
        folder: A model in the form of transformers.
        layer: Whose layer's vectors are compared; 17 for the roberta-large of published figures.

    Raises:
        MissingExtraError: Without ``treatise[eval-models]``.
        EngineError: If the folder holds no such model.
    """

    def __init__(self, folder: Path, layer: int) -> None:
        try:
            from bert_score import BERTScorer
        except ImportError as error:
            raise MissingExtraError("BERTScore", "eval-models") from error
        if not (folder / "config.json").is_file():
            raise EngineError(f"{folder} holds no model in the form of transformers: config.json is missing")
        self._scorer: Any = BERTScorer(model_type=str(folder), num_layers=layer, device="cpu")

    def __call__(self, answers: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
        """One F1 an answer, against the nearest of its references; -1 to 1, not rescaled."""
        _, _, f1 = self._scorer.score(list(answers), [list(of_one) for of_one in references])
        return [float(value) for value in f1]
