"""How like the head of each column is to words of a question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from treatise.programs.sheet import Sheet
from treatise.programs.vectors import WordVectors

ROLES: Final = (0, 1, 2)
"""Of words of a question: those that compare, those after the one that asks, those of content."""
_NAMES: Final = ("compared", "noun", "content")
_HEAD_WORDS: Final = 6
_EIGHTHS: Final = 8
_NO_WORDS: Final = frozenset(("of", "the", "in", "no"))


@dataclass(frozen=True)
class Likeness:
    """How like heads are to the words of a question, by the roles of these.

    Attributes:
        best: For each role the likeness of each column to the word that is most like its head; empty without words.
    """

    best: tuple[dict[int, float], ...]

    @classmethod
    def of(cls, words: Sequence[str], roles: Sequence[Sequence[int]], sheet: Sheet, vectors: WordVectors) -> "Likeness":
        """That of the words at these places, for each role."""
        heads = {}
        for column in sheet.columns:
            compared = [one for one in column.head_words if not one[0].isdigit() and one not in _NO_WORDS]
            if compared:
                heads[column.at] = np.stack([vectors.vector(one) for one in compared[:_HEAD_WORDS]])
        best = []
        for places in roles:
            asked = np.stack([vectors.vector(words[at]) for at in places]) if places else None
            best.append({at: float((asked @ head.T).max()) for at, head in heads.items()} if asked is not None else {})
        return cls(tuple(best))

    def features(self, at: int, role: int, part: str, scope: str, among: frozenset[int] | None) -> Iterator[str]:
        """Features of a column: its likeness, its rank and its lead among others, of which only some may count."""
        best, name = self.best[role], _NAMES[role]
        if at not in best:
            return
        others = [value for other, value in best.items() if other != at and (among is None or other in among)]
        rank = sum(value > best[at] for value in others)
        eighths = min(int(best[at] * _EIGHTHS), _EIGHTHS - 1)
        lead = best[at] - max(others, default=0.0)
        yield f"{part} {scope} like {name} {eighths}"
        yield f"{part} {scope} rank {name} {min(rank, 3)}"
        yield f"{part} like {name} {eighths} rank {min(rank, 2)}"
        yield f"{part} {scope} lead {name} {max(-3, min(3, int(lead * 10)))}"
