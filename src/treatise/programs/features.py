"""What speaks for each program: named features of its operation, rows, columns and result, given the question.

Features that many programs of a question share are kept once, as parts. Most name words of the question beside an
operation or a head, so that training can learn what is asked with which words; the likeness of words lets what was
learned of "salary" hold for "pay".
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.programs.cells import folded, is_year, number_of
from treatise.programs.conditions import How, Rows
from treatise.programs.likeness import ROLES, Likeness
from treatise.programs.program import Family, Op, Program
from treatise.programs.question import STOP, Question
from treatise.programs.sheet import Column, Sheet
from treatise.programs.vectors import WordVectors

COMPARATIVE: Final = lazy_pattern(r"(?:\w+est|most|least|more|less|fewer|best|worst|first|last|top|\w+er)$")
_OF_CONDITIONS: Final = frozenset(
    (
        "not",
        "no",
        "never",
        "without",
        "only",
        "same",
        "both",
        "either",
        "or",
        "and",
        "other",
        "except",
        "still",
        "yet",
        "than",
    )
)
"""Words of a question that say how rows are meant."""
_NOUNS: Final = 4
"""Tokens after the word that asks among which is what is asked for."""
_SIZES: Final = (4, 7)
_RANK_STEMS: Final = frozenset(("rank", "no", "#", "pos", "posit", "position", "place"))
_COMPARING: Final = """
most least highest lowest largest smallest biggest longest shortest oldest youngest earliest latest best worst first
last fewest greatest tallest maximum minimum top more less fewer higher lower longer older larger bigger better
"""
_COUNTING: Final = "how many number times total count different"
_SUMMING: Final = "total average sum combined difference between most highest mean much altogether all"
_ASKED_BY: Final = {
    Family.EXTREMES: _COMPARING,
    Family.NUMBERS: _COUNTING,
    Family.SUMS: _SUMMING,
    Family.PLACES: "first last earliest latest top bottom final",
    Family.NEIGHBOURS: "next previous before after following preceding",
    Family.VALUES: "most often times frequent common least",
    Family.GROUPS: f"{_COMPARING} {_SUMMING}",
    Family.OF_ROW: f"{_COMPARING} {_SUMMING}",
    Family.COLUMNS: _COMPARING,
    Family.COMPARED: f"{_COMPARING} {_COUNTING}",
    Family.CELLS: "",
}
_WORDS_OF: Final = {family: frozenset(words.split()) for family, words in _ASKED_BY.items()}
"""The words of a question that an operation explains."""
_ALL_ASKING: Final = frozenset().union(*_WORDS_OF.values())


@dataclass(frozen=True)
class Described:
    """The programs of a question with their features; the last one says that the table does not answer.

    Attributes:
        programs: The programs; there is one more row of features.
        parts: Names of features that several programs share.
        of_program: For each program, and for none, the indices of its parts.
        own: For each the names of its own features.
    """

    programs: Sequence[Program]
    parts: list[list[str]] = field(repr=False)
    of_program: list[list[int]] = field(repr=False)
    own: list[list[str]] = field(repr=False)


def describe(
    question: Question, sheet: Sheet, programs: Sequence[Program], conditions: Sequence[Rows], vectors: WordVectors
) -> Described:
    """The features of the programs, and of none of them."""
    return _Describer(question, sheet, conditions, vectors).describe(programs)


@dataclass
class _Describer:
    question: Question
    sheet: Sheet
    conditions: Sequence[Rows]
    vectors: WordVectors
    parts: list[list[str]] = field(default_factory=list)
    places: dict[object, int] = field(default_factory=dict)

    def describe(self, programs: Sequence[Program]) -> Described:
        of_program = [self._parts_of(one) for one in programs]
        own = [list(self._own(one)) for one in programs]
        none = self._part(Op.NONE, self._none)
        return Described(programs, self.parts, [*of_program, [none]], [*own, []])

    def _part(self, key: object, make: Callable[[], Iterable[str]]) -> int:
        if key not in self.places:
            self.places[key] = len(self.parts)
            self.parts.append(list(make()))
        return self.places[key]

    def _parts_of(self, program: Program) -> list[int]:
        op, family, rows = program.name, program.family, program.rows
        found = [
            self._part(("op", op), lambda: [f"op {op} {one}" for one in self._ngrams]),
            self._part(("family", family), lambda: [f"family {family} {one}" for one in self._ngrams]),
            self._part(("rows", id(rows), family), lambda: self._of_rows(rows, family)),
            self._part(("rows of op", id(rows), op), lambda: _of_rows_and_op(rows, op)),
        ]
        if column := program.column:
            part = self._part(("column", column.at, family), lambda: self._of_column(column, family))
            found.append(part)
        if key := program.key:
            found.append(self._part(("key", key.at, op), lambda: self._of_key(key, op)))
        return found

    # --- the question ---

    @cached_property
    def _asking(self) -> str:
        return self.question.asking[0] or "none"

    @cached_property
    def _named(self) -> frozenset[int]:
        """Tokens that are a cell."""
        return frozenset().union(*(one.covered for one in self.conditions if one.how is How.WHOLE))

    @cached_property
    def _ngrams(self) -> list[str]:
        """Words and pairs of the question, with cells and numbers masked."""
        words = self.question.words
        masked = [
            "E" if at in self._named and one not in STOP else "N" if one[0].isdigit() else one
            for at, one in enumerate(words)
        ]
        pairs = [f"{a} {b}" for a, b in pairwise(masked)]
        starts = [f"start {' '.join(masked[:n])}" for n in (1, 2, 3)]
        return list(dict.fromkeys([*masked, *pairs, f"asks {self._asking}", *starts]))

    @cached_property
    def _nouns(self) -> list[int]:
        first = self.question.asking[1] + 1
        return list(range(first, min(first + _NOUNS, len(self.question.words))))

    @cached_property
    def _asks_several(self) -> bool:
        """Whether what is asked for is in the plural."""
        return any(one.endswith("s") and not one.endswith("ss") for one in map(self._word, self._nouns[:2]))

    def _word(self, at: int) -> str:
        return self.question.words[at]

    @cached_property
    def _comparatives(self) -> list[int]:
        return [at for at, one in enumerate(self.question.words) if COMPARATIVE.match(one)]

    @cached_property
    def _likeness(self) -> Likeness:
        words = self.question.words
        content = [at for at in self.question.content if at not in self._named and not words[at][0].isdigit()]
        nouns = [at for at in self._nouns if words[at] not in STOP or at in self._comparatives]
        return Likeness.of(words, (self._comparatives, nouns, content), self.sheet, self.vectors)

    # --- columns ---

    @cached_property
    def _matches(self) -> dict[int, tuple[int, frozenset[int]]]:
        """For each column whether the question has none (0), some (1) or all (2) words of its head, and which."""
        return {column.at: self._match(column) for column in self.sheet.columns}

    def _match(self, column: Column) -> tuple[int, frozenset[int]]:
        stems = [one for one in column.head_stems if one not in STOP]
        words = self.question.words
        covered = frozenset(at for at, one in enumerate(self.question.stems) if one in stems and words[at] not in STOP)
        n = sum(one in self.question.stems for one in stems)
        return (0 if not n else 2 if n == len(stems) else 1), covered

    @cached_property
    def _n_named(self) -> int:
        return min(3, sum(match > 0 for match, _ in self._matches.values()))

    def _common(self, column: Column, role: str, scope: str) -> Iterator[str]:
        """Features of a column in its role, for an operation or family."""
        match, at, asking = self._matches[column.at][0], column.at, self._asking
        yield f"{role} {scope} match {match}"
        yield f"{role} {scope} {column.kind}"
        yield f"{role} {asking} {column.kind}"
        yield f"{role} {scope} {asking} match {match}"
        yield f"{role} {scope} at {min(at, 3)}"
        yield f"{role} {scope} label {column is self.sheet.label} {asking}"
        yield f"{role} {scope} unique {column.is_unique}"
        yield f"{role} {scope} match {match} of {self._n_named}"
        yield f"{role} {scope} last {column is self.sheet.columns[-1]}"
        yield f"{role} {scope} of {column.measure}"
        yield f"{role} {asking} of {column.measure}"
        if column.order:
            yield f"{role} {scope} order {column.order}"
        keys = None if role == "column" else frozenset(one.at for one in self.sheet.keys)
        for kind in ROLES:
            yield from self._likeness.features(column.at, kind, role, scope, keys)

    def _of_column(self, column: Column, family: Family) -> Iterator[str]:
        yield from self._common(column, "column", family)
        words, stems = self.question.words, self.question.stems
        named = [n for n, at in enumerate(self._nouns) if words[at] not in STOP and stems[at] in column.head_stems]
        yield f"column {family} noun {named[0] if named else 'x'}"
        yield f"column {self._asking} noun {bool(named)}"
        for stem in column.head_stems[:5] or ("",):
            yield f"column asks {self._asking} {stem}"
            for at in self._nouns[:3]:
                if words[at] not in STOP:
                    yield f"column noun {words[at]} {stem}"

    def _of_key(self, key: Column, op: str) -> Iterator[str]:
        yield from self._common(key, "key", op)
        yield f"key {op} keys {min(len(self.sheet.keys), 4)}"
        words, stems = self.question.words, self.question.stems
        for stem in key.head_stems[:5] or ("",):
            yield f"key {op} head {stem}"
            yield from (f"key by {words[at]} {stem}" for at in self._comparatives)
            yield from (f"key word {stems[at]} {stem}" for at in self.question.content)
        yield from (f"key by {words[at]} of {key.measure}" for at in self._comparatives)
        yield from (f"key word {stems[at]} of {key.measure}" for at in self.question.content)
        if covered := self._matches[key.at][1]:
            apart = min((abs(a - b) for a in covered for b in self._comparatives), default=9)
            yield f"key {op} apart {min(apart, 4)}"
        yield f"key {op} of ranks {not _RANK_STEMS.isdisjoint(key.head_stems)}"

    # --- rows ---

    def _of_rows(self, rows: Rows, family: Family) -> Iterator[str]:
        name, how = rows.name, rows.how
        yield f"rows {family} {name}"
        yield f"rows {name}"
        yield f"rows {family} n {_size(len(rows.rows))}"
        yield f"rows {self._asking} {name}"
        yield f"rows {family} covered {min(len(rows.covered), 5)}"
        yield from (f"rows with {one} {name}" for one in sorted(_OF_CONDITIONS.intersection(self.question.words)))
        before, after = self._around(rows)
        for at in rows.columns[:3]:
            column = self.sheet.columns[at]
            first = column.head_stems[0] if column.head_stems else ""
            yield f"rows match {self._matches[at][0]} {how}"
            yield f"rows of {column.kind} {how}"
            yield f"rows label {column is self.sheet.label} {how}"
            yield f"rows at {min(at, 3)} {how}"
            yield f"rows before {before} {how}"
            yield f"rows before {before} head {first}"
            yield f"rows after {after} {how}"
            yield f"rows after {after} head {first}"
            if how.is_of_values:
                yield from self._beside_number(rows, first)
        same = sum(one.covered == rows.covered and one.columns != rows.columns for one in self.conditions)
        yield f"rows ambiguous {min(same, 3)} {how}"
        larger = how is not How.ALL and any(one.covered > rows.covered for one in self.conditions)
        yield f"rows in larger {larger}"

    def _around(self, rows: Rows) -> tuple[str, str]:
        if not rows.covered:
            return "^", "$"
        words, first, last = self.question.words, min(rows.covered), max(rows.covered)
        return words[first - 1] if first else "^", words[last + 1] if last + 1 < len(words) else "$"

    def _beside_number(self, rows: Rows, head: str) -> Iterator[str]:
        number = min(rows.covered)
        for at in range(max(0, number - 4), min(len(self.question.words), number + 4)):
            if at != number:
                yield f"rows {rows.name} {at - number} {self.question.words[at]}"
                yield f"rows word {self.question.stems[at]} head {head}"

    # --- the program as a whole ---

    def _own(self, program: Program) -> Iterator[str]:
        yield from self._of_result(program)
        yield from self._of_rest(program)
        column, key, rows, op, family = program.column, program.key, program.rows, program.name, program.family
        if column and key:
            yield f"matches {self._matches[column.at][0]} {self._matches[key.at][0]} {op}"
        if column or key:
            asked = column or key
            assert asked is not None
            match = max((self._matches[at][0] for at in rows.columns), default=9)
            yield f"column in rows {asked.at in rows.columns} {op}"
            yield f"match {self._matches[asked.at][0]} rows {match} {family}"

    def _of_result(self, program: Program) -> Iterator[str]:
        asking, op, value = self._asking, program.name, program.result[0]
        is_number = isinstance(value, float)
        yield f"result {asking} number {is_number}"
        yield f"result {op} size {min(len(program.result), 4)}"
        yield f"result {op} size {min(len(program.result), 2)} asks several {self._asks_several}"
        if isinstance(value, float):
            yield f"result {op} zero {value == 0} one {value == 1}"
            yield f"result {asking} {op}"
            return
        lower = folded(value)
        yield f"result asked {len(lower) > 2 and lower in self.question.lower} {op}"
        yield f"result {asking} digit {lower[:1].isdigit()}"
        yield f"result {asking} {'year' if is_year(lower) else 'number' if _is_number(lower) else 'text'}"
        yield f"result long {min(len(lower) // 12, 4)}"

    def _of_rest(self, program: Program) -> Iterator[str]:
        """How much of the question the program leaves unexplained."""
        family, covered = program.family, set(program.rows.covered)
        columns = {one.at for one in (program.column, program.key) if one} | {*program.rows.columns}
        covered |= frozenset().union(*(self._matches[at][1] for at in columns))
        covered |= {at for at, one in enumerate(self.question.words) if one in _WORDS_OF[family]}
        rest = [at for at in self.question.content if at not in covered]
        digits = {one.at for one in self.question.numbers if one.has_digits}
        n_named = sum(one.how is How.WHOLE and not one.covered & covered for one in self.conditions)
        yield f"rest {_size(len(rest))}"
        yield f"rest {family} {_size(len(rest))}"
        yield f"rest numbers {sum(at in digits for at in rest)}"
        yield f"rest cells {min(n_named, 2)}"
        yield f"rest {family} cells {min(n_named, 2)}"
        if self.question.content:
            yield f"rest share {4 * len(rest) // len(self.question.content)}"

    def _none(self) -> Iterator[str]:
        """Features of the question's having no answer in the table."""
        content = self.question.content
        best = min((sum(at not in one.covered for at in content) for one in self.conditions), default=len(content))
        covered = frozenset().union(*(one.covered for one in self.conditions))
        covered |= frozenset().union(*(one for _, one in self._matches.values()))
        rest = [at for at in content if at not in covered and self.question.words[at] not in _ALL_ASKING]
        digits = {one.at for one in self.question.numbers if one.has_digits}
        yield from (f"none {one}" for one in self._ngrams)
        yield "none"
        yield f"none best {_size(best)}"
        yield f"none best share {4 * best // max(1, len(content))}"
        yield f"none conditions {min(len(self.conditions), 4)}"
        yield f"none heads {self._n_named}"
        yield f"none cells {min(3, sum(one.how is How.WHOLE for one in self.conditions))}"
        yield f"none keys {min(len(self.sheet.keys), 3)}"
        yield f"none rest {_size(len(rest))}"
        yield f"none rest share {5 * len(rest) // max(1, len(content))}"
        yield f"none rest numbers {sum(at in digits for at in rest)}"


def _of_rows_and_op(rows: Rows, op: str) -> list[str]:
    return [f"rows {op} {rows.name}", f"rows {op} n {_size(len(rows.rows))}"]


def _size(n: int) -> int:
    """A number, the large ones together."""
    return n if n < _SIZES[0] else _SIZES[0] if n < _SIZES[1] else _SIZES[0] + 1


def _is_number(text: str) -> bool:
    return number_of(text) is not None and not any(map(str.isalpha, text))
