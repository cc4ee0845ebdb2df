"""Roll calls: lists of people in which each is marked as one who came or did not, in a table, by check boxes, or in
lines such as "Ann Lee   absent".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.document import Document, ParagraphKind, Span, trim
from treatise.core.injection import addresses_a_model
from treatise.core.lines import FILLED_LINE
from treatise.core.markup import without_markup
from treatise.core.names import first_name_first
from treatise.core.patterns import lazy_pattern
from treatise.core.table import Row, Table, column_texts, head_texts
from treatise.generate.attendance_words import NO_PERSON, PERSON, is_attendance, says

_CAME: Final = lazy_pattern(
    r"(?:present|attended|attending|in attendance|anwesend|présente?)(?: (?:via|by|per|until|from|online|remote).*)?",
    re.IGNORECASE,
)
_MISSED: Final = lazy_pattern(
    r"(?:absent|(?:sent )?apolog(?:y|ies)(?: (?:sent|received|given))?|regrets|excused|not present|did not attend|"
    r"absent with.*|(?:un)?excused absence|abwesend|entschuldigt|absente?|excusée?)",
    re.IGNORECASE,
)
_TICK: Final = lazy_pattern(r"[✓✔☑✅]\ufe0f?")
_CROSS: Final = lazy_pattern(r"[x☒]", re.IGNORECASE)
_YES: Final = lazy_pattern(r"yes|y|ja|oui|p|[✓✔☑✅]\ufe0f?", re.IGNORECASE)
_NO: Final = lazy_pattern(r"no|n|nein|non|a|[✗✘☐⬜❌]\ufe0f?", re.IGNORECASE)
_NOTHING: Final = " *-–—"
_STATE: Final = lazy_pattern(
    r"status|statut|response|rsvp|roll ?call|(?:\w+ )?attendance|anwesenheit|présence", re.IGNORECASE
)
_OF_YES: Final = lazy_pattern(r"rsvp|(?:\w+ )?attendance|anwesenheit|présence", re.IGNORECASE)
"""The states that a yes or no is of; in others it may be a vote."""
_ROLL: Final = lazy_pattern(r"roll ?call|(?:board |committee |council )?members?|mitglieder|appel", re.IGNORECASE)
_SUM: Final = lazy_pattern(r"(?:total|sum|quorum|summe|gesamt)\b", re.IGNORECASE)
_IN_BRACKETS: Final = lazy_pattern(r"(?<!\s)\s*\([^()]*\)")
_BOX: Final = lazy_pattern(
    r"[ \t]*(?:[-*+•][ \t]+)?(?:\[(?P<box>[ xX✓✔])\]|(?P<ticked>[☑☒✅✓✔]\ufe0f?)|[☐⬜✗✘❌]\ufe0f?)"
    r"[ \t]*(?P<name>[^\s(:].*)"
)
_BETWEEN: Final = lazy_pattern(r"[ \t]{2,}|\t|:[ \t]+| [–—-][ \t]+| (?=\()")
_ITEM: Final = lazy_pattern(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_FULL_NAME: Final = lazy_pattern(r"[^\W\d_a-z]\S*(?: [\w.'’-]+)* [^\W\d_a-z]\S*")
_ABOVE: Final = 3  # rows of a table that may be above its heads
_LEAST: Final = 2  # people of a roll call


@dataclass(frozen=True, slots=True)
class Marked:
    """A person of a roll call.

    Attributes:
        name: Of the person, as it stands there.
        span: The row or line.
        is_absent: Whether the person is marked as absent.
    """

    name: str
    span: Span
    is_absent: bool


@dataclass(frozen=True, slots=True)
class RollCall:
    """A roll call.

    Attributes:
        start: Where the first person stands whose mark is known.
        people: At least two; none if it is not clear of everybody whether they came.
    """

    start: int
    people: tuple[Marked, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a roll call: a person, and whether it is marked by a word of attendance, not a box."""

    marked: Marked
    by_word: bool


def roll_calls(document: Document) -> Iterator[RollCall]:
    """The roll calls of a document."""
    for table in document.tables:
        yield from _called(document, list(_of_table(document, table)))
    yield from _of_lines(document)


def is_marked(line: str) -> bool:
    """Whether a line names a person and says whether this one came.

    >>> is_marked("- [x] Ann Lee"), is_marked("Ann Lee: absent"), is_marked("Ann Lee")
    (True, True, False)
    """
    return bool(_BOX.match(line)) or _by_word(line) is not None


def _called(document: Document, people: Sequence[Marked | None]) -> Iterator[RollCall]:
    """The people as one roll call if two are marked; without them if others are not, or give orders to a model."""
    known = tuple(one for one in people if one)
    texts = (document.quote(one.span.start, one.span.end) for one in known)
    if len(known) >= _LEAST:
        is_clear = len(known) == len(people) and not any(map(addresses_a_model, texts))
        yield RollCall(known[0].span.start, known if is_clear else ())


def _of_table(document: Document, table: Table) -> Iterator[Marked | None]:
    """The people of a table, or None for a row that does not say it.

    Empty if no head is of attendance, or if nothing is below those that are.
    """
    texts = [column_texts(document.text, row) for row in table.rows]
    heads = [head_texts(document.text, table), *texts[:_ABOVE]]  # readers of some formats know no heads
    n_above, columns = next(((at, found) for at, one in enumerate(heads) if (found := _columns(one))), (0, {}))
    rows = table.rows[n_above:]
    cells = [{at: _plain(text) for at, text in of_row.items()} for of_row in texts[n_above:]]
    if all(not of_row.get(at) for of_row in cells for at in columns):
        return  # a form
    has_ticks = len(columns) == 1 and any(_TICK.fullmatch(of_row.get(at, "")) for of_row in cells for at in columns)
    for row, of_row in zip(rows, cells, strict=True):
        if not _SUM.match(of_row.get(0, "")):
            name = _in_cell(of_row.get(0, ""))
            is_absent = _in_columns(columns, of_row, has_ticks=has_ticks)
            yield Marked(name, _whole(document, row), is_absent) if name and is_absent is not None else None


def _columns(heads: Mapping[int, str]) -> dict[int, str]:
    """The heads that are of attendance."""
    texts = {at: _plain(head) for at, head in heads.items() if at}
    return {at: head for at, head in texts.items() if is_attendance(head) or _STATE.fullmatch(head)}


def _plain(cell: str) -> str:
    return without_markup(cell).strip(_NOTHING)


def _in_cell(text: str) -> str:
    """The name in a cell such as "Ann Lee, Chair" or "Lee, Ann"; empty if it is none."""
    before = text.partition(",")[0]
    return _person(before if " " in before else first_name_first(text))


def _in_columns(columns: Mapping[int, str], cells: Mapping[int, str], *, has_ticks: bool) -> bool | None:
    """Whether the cells of a row mark an absence; None if they do not say it, or both. Beside ticks a cross is a no.

    A no alone does not say it among several columns: it may be the mark of the column.
    """
    found, has_mark = set(), len(columns) == 1
    for at, head in columns.items():
        word, is_of_absent = cells.get(at, ""), says(head, is_absent=True)
        is_of_yes = is_attendance(head) or bool(_OF_YES.fullmatch(head))
        is_yes = is_of_yes and bool(_YES.fullmatch(word) or (not has_ticks and _CROSS.fullmatch(word)))
        is_no = is_of_yes and bool(_NO.fullmatch(word) or _CROSS.fullmatch(word))
        is_unmarked = not word and len(columns) == 1 and is_attendance(head)
        has_mark |= is_yes or _state(word) is not None
        if (state := _state(word)) is not None:
            found.add(state)
        elif is_yes or is_no or is_unmarked:
            found.add(is_of_absent is is_yes)
        elif word:
            return None
    return found.pop() if len(found) == 1 and has_mark else None


def _whole(document: Document, row: Row) -> Span:
    return trim(document.text, Span(row.start, row.end))


def _of_lines(document: Document) -> Iterator[RollCall]:
    """The roll calls in lines that follow each other; boxes count below a heading, label or head of attendance."""
    above, run = "", list[_Line]()
    end = 0
    for line in FILLED_LINE.finditer(document.text):
        is_apart = document.text.count("\n", end, line.start()) > 1
        is_of_table = document.paragraph_at(line.start()).kind is ParagraphKind.TABLE
        found = None if is_of_table else _line(document, line)
        if run and (is_apart or not found):
            yield from _run(document, above, run, is_cut=not (is_apart or is_of_table))
            run = []
        if found:
            run.append(found)
        else:
            above = line[0]
        end = line.end()
    yield from _run(document, above, run, is_cut=False)


def _run(document: Document, above: str, run: Sequence[_Line], *, is_cut: bool) -> Iterator[RollCall]:
    """The lines as one roll call; it is not clear if a line that is not marked follows at once.

    What a box says below "Absent" is not clear either.
    """
    if not run:
        return
    label = without_markup(above).strip(" #*_:-=")
    section = document.section_at(run[0].marked.span.start).title
    labels = (label, section, *_BETWEEN.split(label))
    is_roll = any(is_attendance(one) or _ROLL.fullmatch(one) for one in labels)
    is_of_absent = not all(one.by_word for one in run) and any(says(one, is_absent=True) for one in labels)
    if is_roll or all(one.by_word and _FULL_NAME.fullmatch(one.marked.name) for one in run):
        yield from _called(document, [*(one.marked for one in run), *([None] if is_cut or is_of_absent else [])])


def _line(document: Document, line: re.Match[str]) -> _Line | None:
    """The person of a line with a box or a word of attendance; None for other lines."""
    span = trim(document.text, Span(*line.span()))
    if box := _BOX.match(line[0]):
        first, *others = _BETWEEN.split(box["name"])
        name = _in_cell(first)
        is_absent = not (box["ticked"] or (box["box"] or " ").strip())
        is_clear = name and (not is_absent) not in _states(others)
        return _Line(Marked(name, span, is_absent), by_word=False) if is_clear else None
    found = _by_word(line[0])
    return _Line(Marked(found[0], span, found[1]), by_word=True) if found else None


def _by_word(line: str) -> tuple[str, bool] | None:
    """The person of a line such as "Ann Lee   Chair   absent", and whether it says absent; None for others."""
    first, *others = _BETWEEN.split(without_markup(_ITEM.sub("", line, count=1)).strip(" *|"))
    states = _states(others)
    name = _person(first) if len(states) == 1 else ""
    return (name, states[0]) if name else None


def _states(texts: Sequence[str]) -> list[bool]:
    """What those of the texts say that are words of attendance."""
    return [state for one in texts if (state := _state(one.strip(" ()*."))) is not None]


def _state(words: str) -> bool | None:
    """Whether words say that somebody was absent; None if they are no words of attendance."""
    plain = _IN_BRACKETS.sub("", words).strip(" .")
    return True if _MISSED.fullmatch(plain) else False if _CAME.fullmatch(plain) else None


def _person(text: str) -> str:
    """The name in a text without its brackets; empty if it is none."""
    plain = _IN_BRACKETS.sub("", without_markup(text)).strip(" *_.,;:")
    return plain if PERSON.fullmatch(plain) and not NO_PERSON.search(plain) and _state(plain) is None else ""
