"""Passages that several documents have word for word."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from treatise.core.document import Document
from treatise.core.evidence import Passage
from treatise.core.words import clip

MIN_WORDS: Final = 8
"""Shorter passages ("See below.") may be in several documents by chance."""

_MAX_NAMED: Final = 3
_MAX_QUOTED: Final = 8


def wording_of(text: str) -> str:
    """What repeats of a passage have in common; empty if it is too short to count as one."""
    words = text.casefold().split()
    return " ".join(words) if len(words) >= MIN_WORDS else ""


class Repeats:
    """Remembers the passages of an evidence, and tells which are already there from another document.

    Args:
        documents: Those that are searched; nothing is a repeat in a single one.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._having: dict[str, list[int]] = {}

    def is_repeat(self, document: int, text: str) -> bool:
        """Whether a passage of the document with this number is word for word one of another document before it."""
        wording = wording_of(text)
        if len(self._documents) < 2 or not wording:
            return False
        having = self._having.setdefault(wording, [])
        if document not in having:
            having.append(document)
        return having[0] != document

    def marked(self, passages: Iterable[Passage]) -> list[Passage]:
        """The passages, each with the other documents that were left out because they have it too."""
        return [replace(one, also_in=self._others(one)) for one in passages]

    def _others(self, passage: Passage) -> tuple[str, ...]:
        _, *others = self._having.get(wording_of(passage.text), [0])
        return tuple(self._documents[number].id for number in others)


def repeat_notes(passages: Sequence[Passage], documents: Sequence[Document]) -> tuple[str, ...]:
    """For the user: the first passage that other documents have word for word, these documents, and how many more."""
    shared = [passage for passage in passages if passage.also_in]
    if not shared:
        return ()
    titles = {document.id: document.title or document.source for document in documents}
    others = list(dict.fromkeys(id_ for passage in shared for id_ in passage.also_in))
    names = ", ".join(titles.get(id_, id_) for id_ in others[:_MAX_NAMED])
    more = f" and {len(others) - _MAX_NAMED} more" if len(others) > _MAX_NAMED else ""
    further = f", like {len(shared) - 1} more of these passages" if len(shared) > 1 else ""
    quoted = clip(" ".join(shared[0].text.split()), _MAX_QUOTED)
    return (f"“{quoted}” is word for word in {names}{more} too{further}; shown once",)
