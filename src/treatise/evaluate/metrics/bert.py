"""BERTScore (Zhang et al., 2020) with a local model, using ``bert-score``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treatise.core.errors import EngineError, MissingExtraError


class BertScore:
    """BERTScore F1.

    Args:
        folder: A model in transformers format.
        layer: The layer of the compared vectors; 17 for roberta-large, as in published results.

    Raises:
        MissingExtraError: Without ``treatise[eval-models]``.
        EngineError: If the folder contains no such model.
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
        """One F1 per answer, against the best-matching reference; -1 to 1, not rescaled."""
        _, _, f1 = self._scorer.score(list(answers), [list(of_one) for of_one in references])
        return [float(value) for value in f1]
