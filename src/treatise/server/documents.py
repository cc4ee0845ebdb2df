"""Documents kept in memory for reading: a page of text must not unpack a book each time."""

from collections import OrderedDict
from threading import Lock
from typing import Final

from treatise.core.document import Document
from treatise.core.ports import Store

_MAX_CHARACTERS: Final = 64_000_000


class DocumentShelf:
    """The documents read last, by id, up to so many characters. Ids name content, so none of them goes stale.

    Args:
        store: Where they come from.
        max_characters: Kept in memory together; one document always stays.
    """

    def __init__(self, store: Store, max_characters: int = _MAX_CHARACTERS) -> None:
        self._store = store
        self._max = max_characters
        self._lock = Lock()
        self._documents: OrderedDict[str, Document] = OrderedDict()

    def get(self, document_id: str) -> Document:
        """The document with this full id.

        Raises:
            DocumentNotFoundError: If the store has none.
        """
        with self._lock:
            if (known := self._documents.get(document_id)) is not None:
                self._documents.move_to_end(document_id)
                return known
        document = self._store.document(document_id)
        with self._lock:
            self._documents[document_id] = document
            while len(self._documents) > 1 and sum(len(one.text) for one in self._documents.values()) > self._max:
                self._documents.popitem(last=False)
        return document
