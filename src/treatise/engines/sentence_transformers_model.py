"""Loading of the two kinds of sentence-transformers models, and splitting of texts to their windows."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, overload

from treatise.core.errors import EngineUnavailableError, MissingExtraError
from treatise.engines.pieces import halves

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder, SentenceTransformer

_MARKS: Final = {"SentenceTransformer": "modules.json", "CrossEncoder": "config.json"}
"""The file that identifies a model of that class in its folder."""


@overload
def load_model(kind: Literal["SentenceTransformer"], folder: Path, threads: int) -> "SentenceTransformer": ...


@overload
def load_model(kind: Literal["CrossEncoder"], folder: Path, threads: int) -> "CrossEncoder": ...


def load_model(
    kind: Literal["SentenceTransformer", "CrossEncoder"], folder: Path, threads: int
) -> "SentenceTransformer | CrossEncoder":
    """The model of that class in a local folder, on the CPU. Nothing is downloaded.

    Args:
        kind: The class's name in the package.
        folder: Written by its ``save``.
        threads: Processor threads for torch, in this process.

    Raises:
        EngineUnavailableError: If the folder does not exist or contains no such model.
        MissingExtraError: If sentence-transformers is not installed.
    """
    if not (folder / _MARKS[kind]).is_file():
        raise EngineUnavailableError(
            f"{folder} is not the folder of a sentence-transformers {kind} (it has no {_MARKS[kind]}). Models are not "
            f"fetched by name: save one with {kind}.save, and give that folder"
        )
    try:
        import sentence_transformers
        import torch
    except ImportError as error:
        raise MissingExtraError(f"the {kind} in {folder}", "sentence-transformers") from error
    torch.set_num_threads(threads)
    try:
        model: SentenceTransformer | CrossEncoder = getattr(sentence_transformers, kind)(
            str(folder), device="cpu", local_files_only=True
        )
    except (OSError, ValueError, KeyError) as error:
        raise EngineUnavailableError(f"the model in {folder} could not be loaded: {error}") from error
    return model


def pieces_within(text: str, n_tokens: Callable[[str], int], max_tokens: int | None) -> Iterator[tuple[str, int]]:
    """The text in pieces of at most this many tokens (by halving), with their numbers of tokens.

    Args:
        text: Of any length.
        n_tokens: Counts the tokens of a piece, including special tokens and the question.
        max_tokens: The model's window; None if unlimited.
    """
    pending = [text.strip()]
    while pending:
        piece = pending.pop()
        n = n_tokens(piece)
        if not max_tokens or n <= max_tokens or len(piece) < 2:
            yield piece, n
        else:
            pending += reversed(halves(piece))
