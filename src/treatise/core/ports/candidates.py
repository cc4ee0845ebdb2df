"""The protocol of candidate finders, which select the documents of a store that may answer a question."""

from collections.abc import Sequence
from typing import Protocol


class CandidateFinder(Protocol):
    """Selects the documents of a store that are worth searching for a question, before their trees are searched."""

    def find(self, question: str) -> Sequence[str]:
        """Ids of documents in the store, in the order of ``Store.entries``, each once; none for an empty store.

        A finder may leave out documents that cannot answer. It never loads an index to decide that, so its time and
        memory do not depend on the lengths of the documents. The same store and question give the same documents.

        Raises:
            StoreError: If the store cannot be read.
        """
        ...
