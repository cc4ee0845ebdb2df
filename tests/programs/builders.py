"""A table, word vectors and the programs of a question, for tests."""

import numpy as np
import numpy.typing as npt

from treatise.programs import Op, Program, Question, Sheet, programs_of

STAFF = Sheet(
    ["Name", "Team", "Salary (£)", "Start", "Driver?"],
    [
        ["Ana Reyes", "Sales", "31,000", "2019-03-01", "yes"],
        ["Ben Okoro", "Sales", "28,500", "2021-06-14", "no"],
        ["Cara Lund", "Workshop", "35,250", "2017-09-01", "yes"],
        ["Dev Patel", "Office", "28,500", "2020-01-06", ""],
    ],
)


class Unlike:
    """Vectors by which no two words are alike."""

    def vector(self, word: str) -> npt.NDArray[np.float32]:
        """Zeros."""
        return np.zeros(2, np.float32)


class Alike(Unlike):
    """Vectors by which some words are alike."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def vector(self, word: str) -> npt.NDArray[np.float32]:
        """One direction for these words, zeros for others."""
        return np.array([1.0 if word in self.words else 0.0, 0.0], np.float32)


def programs(question: str, sheet: Sheet = STAFF) -> list[Program]:
    """All programs of a question."""
    return programs_of(Question(question), sheet, Unlike())[0]


def results(question: str, op: Op, sheet: Sheet = STAFF, *, column: str = "", key: str = "") -> list[list[str | float]]:
    """The results of an operation with these columns, without repeats."""
    found = [
        list(one.result)
        for one in programs(question, sheet)
        if one.op is op
        and (not column or (one.column and one.column.head == column))
        and (not key or (one.key and one.key.head == key))
    ]
    return [one for at, one in enumerate(found) if one not in found[:at]]
