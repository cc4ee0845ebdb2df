"""Passages that several documents have word for word."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from treatise.core.document import Document

MIN_WORDS: Final = 8
"""Shorter passages ("See below.") may be in several documents by chance."""

_MAX_NAMED: Final = 3


class Repeats:
    """Remembers the passages of an evidence, and tells which are already there from another document.

    Args:
        documents: Those that are searched; nothing is a repeat in a single one.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._first_in: dict[str, int] = {}
        self._n_repeats: Counter[int] = Counter()

    def is_repeat(self, document: int, text: str) -> bool:
        """Whether a passage of the document with this number is word for word one of another document before it."""
        if len(self._documents) < 2 or len(words := text.casefold().split()) < MIN_WORDS:
            return False
        found = self._first_in.setdefault(" ".join(words), document) != document
        self._n_repeats[document] += found
        return found

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, for the user."""
        repeated = [self._documents[number] for number, n in self._n_repeats.most_common() if n]
        if not repeated:
            return ()
        n_left_out = self._n_repeats.total()
        names = ", ".join(document.title or document.source for document in repeated[:_MAX_NAMED])
        more = f" and {len(repeated) - _MAX_NAMED} more" if len(repeated) > _MAX_NAMED else ""
        passages = "a passage is" if n_left_out == 1 else f"{n_left_out} passages are"
        return (f"{passages} word for word in other documents too and shown once; left out: those of {names}{more}",)
