"""Errors of loading a model, by the file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treatise.core.errors import EngineUnavailableError


@contextmanager
def loading(what: Path | str) -> Iterator[None]:
    """Within it, a model's file (or a model of that name) is read, and an error names it.

    Raises:
        EngineUnavailableError: For any error: json, safetensors, tokenizer and runtime share no other ancestor.
    """
    try:
        yield
    except Exception as error:
        lacks = f"it lacks {error}" if isinstance(error, KeyError) else error
        raise EngineUnavailableError(
            f"{what} could not be loaded: {lacks}; take the model's folder anew, or install Treatise again"
        ) from error
