"""Translation of errors when loading a model."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treatise.core.errors import EngineUnavailableError
from treatise.engines.hashes import require_hash


@contextmanager
def loading(what: Path | str) -> Iterator[None]:
    """Translates any error within the block into one that names the model's file or name.

    Raises:
        EngineUnavailableError: For any error: json, safetensors, tokenizer and runtime share no other ancestor.
    """
    try:
        if isinstance(what, Path):
            require_hash(what)
        yield
    except Exception as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else error
        raise EngineUnavailableError(
            f"{what} could not be loaded: {reason}; restore the model's folder, or reinstall Treatise"
        ) from error
