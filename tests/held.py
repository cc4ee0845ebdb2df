"""Where tests find what the repository does not hold: in the folder of ``TREATISE_DATA``, or in one above it."""

import os
from pathlib import Path


def held(path: str) -> Path | None:
    """The file or folder of that name, such as ``rst/train``; None without it."""
    named = os.environ.get("TREATISE_DATA")
    if not named:
        return None
    folder = Path(named).resolve()
    return next((above / path for above in (folder, *folder.parents) if (above / path).exists()), None)
