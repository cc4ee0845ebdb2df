"""A trained reader as the teacher of a smaller one (Hinton et al., 2015): its logits on the rows of a step."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer

from treatise.core.errors import DataError
from treatise.engines.onnx_reader import HEAD
from treatise.train.bert import TorchTokens
from treatise.train.source import EncoderSource, begun_source, read_weights, shipped

_SPECIAL: Final = ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]")
_MOST_UNKNOWN: Final = 0.01


class SpanReaderTeacher:
    """The logits of a trained reader.

    Args:
        name: Its folder, or the name of one that comes with Treatise.
        pupil: The encoder whose ids the rows contain; it must cut words into the same pieces.
        device: Where it computes.
        n_columns: The pupil's columns; further ones of the teacher, for verdicts, are not used.

    Raises:
        DataError: If there is no such reader, it lacks columns, or more than a hundredth of the pupil's pieces are
            unknown to it.
    """

    def __init__(self, name: str, pupil: EncoderSource, device: str, *, n_columns: int) -> None:
        folder = shipped(name)
        source = begun_source(folder)
        weights = read_weights(folder / HEAD)
        if len(weights["bias"]) < n_columns:
            raise DataError(
                f"{folder} has no columns for verdicts on statements: expected a 'teacher' trained with 'verdicts', as "
                "this recipe has, or 'verdicts' at 0"
            )
        parts = (weights[part][:n_columns] for part in ("weight", "bias"))
        self._weight, self._bias = (torch.from_numpy(part).to(device) for part in parts)
        self._tokens: TorchTokens = TorchTokens(source, dropout=0.0, bf16=True).to(device)
        self._tokens.train()  # without dropout, and in bfloat16
        self._ids = same_pieces(pupil, source)

    def logits(self, rows: Sequence[list[int]]) -> torch.Tensor:
        """Of rows of the pupil's ids. Shape ``(n_rows, longest, n_columns)``; see ``Head`` for the columns."""
        with torch.no_grad():
            vectors = self._tokens.read_together([self._ids[row].tolist() for row in rows])
            return vectors @ self._weight.T + self._bias


def same_pieces(pupil: EncoderSource, teacher: EncoderSource) -> npt.NDArray[np.int64]:
    """The teacher's id of each of the pupil's pieces of words. Shape ``(n_pieces,)``.

    Raises:
        DataError: If more than a hundredth of them are unknown to the teacher.
    """
    theirs = Tokenizer.from_str(teacher.tokenizer).get_vocab()
    unknown = teacher.special_id("[UNK]")
    ids = np.full(len(pupil.weights["embeddings.word_embeddings.weight"]), unknown)
    own = Tokenizer.from_str(pupil.tokenizer).get_vocab()
    n_unknown = len(own.keys() - theirs.keys())
    if n_unknown > _MOST_UNKNOWN * len(own):
        raise DataError(
            f"{teacher.name} does not know {n_unknown} of the {len(own)} pieces of words of {pupil.name}: expected a "
            "'teacher' with the same vocabulary"
        )
    for piece, number in own.items():
        ids[number] = theirs.get(piece, unknown)
    for token in _SPECIAL:
        ids[pupil.special_id(token)] = teacher.special_id(token)
    return ids
