"""Documents of the library, as people name them."""

from pathlib import Path
from typing import TYPE_CHECKING

from treatise.core.errors import DocumentNotFoundError

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.core.ports import Store


def named_document(store: "Store", name: str) -> "Document":
    """The document with this id, or with the only id that begins so; else the one of this file, by path or name.

    Raises:
        DocumentNotFoundError: If there is none, or several documents come from files of this name.
    """
    try:
        return store.document(name)
    except DocumentNotFoundError:
        found = _ids_of_file(store, name)
        if not found:
            raise
    if len(found) > 1:
        raise DocumentNotFoundError(f"{name!r} could be {found[0]} or {found[1]}: give the id or the whole path")
    return store.document(found[0])


def _ids_of_file(store: "Store", name: str) -> list[str]:
    """The documents of the file at this path; without one, those of files with this name."""
    if state := store.state(name) or store.state(str(Path(name).absolute())):
        return [state[0]]
    return [entry.id for entry in store.entries() if any(Path(source).name == name for source in entry.sources)]
