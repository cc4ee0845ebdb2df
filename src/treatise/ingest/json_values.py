"""Parses JSON sources, with errors that name the source."""

import json
from typing import Any

from treatise.core.errors import DamagedSourceError
from treatise.ingest.encoding import decode


def parse_json(data: bytes, name: str) -> Any:
    """The value of a JSON file.

    Raises:
        DamagedSourceError: Not JSON, truncated, or nested too deep.
    """
    return loads(decode(data, name).text, name)


def loads(text: str, where: str) -> Any:
    """The value of a JSON text; ``where`` names it in messages.

    Raises:
        DamagedSourceError: As `parse_json`.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise DamagedSourceError(f"{where}: not complete JSON ({reason}); save or download it again") from error
