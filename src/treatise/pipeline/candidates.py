"""Finding the documents of a store that may answer a question."""

from collections.abc import Sequence
from dataclasses import dataclass

from treatise.core.ports import Store


@dataclass(frozen=True, slots=True)
class AllDocuments:
    """A ``CandidateFinder`` that returns every document: exact, and suitable for small libraries.

    Attributes:
        store: The store with the documents.
    """

    store: Store

    def find(self, question: str) -> Sequence[str]:  # noqa: ARG002  (every document is a candidate)
        """See ``CandidateFinder.find``."""
        return [entry.id for entry in self.store.entries()]
