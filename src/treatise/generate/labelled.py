"""Rows of tables whose label is what a question names ("/opt", "the package fish"), instead of other rows."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.names import is_subject, names_in
from treatise.core.table import Row, Table, caption_text

_TOKEN: Final = re.compile(r"[^\s,;:?!()\"“”«»‘’„`]+")
_SMALL_WORDS: Final = "is are was in of the a an de del en la el le les der die das im has have does do and or on for"
_SMALL: Final = frozenset(_SMALL_WORDS.split())
_GAIN: Final = 1.0  # of a row that the question names, over all other passages
_ARTICLES: Final = frozenset(("the", "of", "el", "la", "del", "le", "du", "der", "die", "das", "dem", "den"))
_MARK: Final = re.compile(r"(?:\s*\((?:\d{1,2}|[a-z])\))+\s*$")  # of a footnote
_OWNER: Final = "'s"
_MAX_TABLES: Final = 3  # with the same label, of which the question names none
_MIN_HEAD: Final = 3  # letters of a head that names the labels below it


def labelled_rows(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """The evidence with the rows whose label the question names, and without the other rows of their tables.

    If the question names a label by the head of its column ("the package fish") and no row has it, the rows of these
    tables are left out. Of rows with the same label, those remain whose tables have most words of the question in their
    captions ("the default value of buffer-limit"); a label of many tables of which it names none says nothing.
    """
    asked = _Asked(evidence.question)
    found = [(one, table) for one in documents for table in one.tables if asked.is_about(one, table)]
    asked = replace(asked, common=_common_labels(asked, found))
    found = [(one, table) for one, table in found if asked.is_about(one, table)]
    if not found or not evidence.passages:
        return evidence
    best = max(one.score for one in evidence.passages)
    rows = [
        Passage(one.id, span, one.quote(span.start, span.end), best + _GAIN * asked.names(label))
        for one, label, span in _best_captioned(asked, found)
    ]
    inside = [(one.id, *_whole(one, table)) for one, table in found]
    others = (one for one in evidence.passages if not any(_is_within(one, *place) for place in inside))
    passages = (*rows, *others)
    return replace(evidence, passages=passages, context="\n\n".join(one.text for one in passages))


def _best_captioned(asked: "_Asked", found: Sequence[tuple[Document, Table]]) -> Iterator[tuple[Document, str, Span]]:
    """The rows whose label the question has; of those with the same label, the rows whose captions it has most of."""
    rows = [
        (one, label, span, asked.n_named(caption_text(one.text, table)))
        for one, table in found
        for label, span in asked.rows(one, table)
    ]
    shorter = asked.within_longer({label for _, label, _, _ in rows})
    rows = [row for row in rows if row[1] not in shorter]
    most: dict[str, int] = {}
    for _, label, _, n in rows:
        most[label.casefold()] = max(n, most.get(label.casefold(), 0))
    yield from ((one, label, span) for one, label, span, n in rows if n == most[label.casefold()])


def _common_labels(asked: "_Asked", found: Sequence[tuple[Document, Table]]) -> frozenset[str]:
    """Labels of many tables if the question has no word of their captions."""
    n_tables: Counter[str] = Counter()
    named: set[str] = set()
    for one, table in found:
        labels = {label.casefold() for label, _ in asked.rows(one, table)}
        n_tables.update(labels)
        named |= labels if asked.n_named(caption_text(one.text, table)) else set()
    return frozenset(label for label, n in n_tables.items() if n > _MAX_TABLES and label not in named)


@dataclass(frozen=True)
class _Asked:
    """The words of a question, as labels have them, and the labels that are too common to be meant."""

    question: str
    common: frozenset[str] = frozenset()

    @cached_property
    def tokens(self) -> list[str]:
        return [token.strip(".'") for token in _TOKEN.findall(self.question)]

    @cached_property
    def text(self) -> str:
        """The words in lower case, as they are and without the "'s" of owners."""
        words = [token.casefold() for token in self.tokens]
        return f" {' '.join((*words, '|', *(word.removesuffix(_OWNER) for word in words)))} "

    @cached_property
    def called(self) -> set[str]:
        """The names in the question."""
        return {" ".join(words) for words in names_in(self.question)}

    def is_about(self, document: Document, table: Table) -> bool:
        """Whether the question names a label of the table, or by the head of its labels one that it lacks."""
        names = self._after_head(document, table)
        return bool(names) or any(True for _ in self.rows(document, table))

    def rows(self, document: Document, table: Table) -> Iterator[tuple[str, Span]]:
        """The rows whose label the question has, and the label.

        A plain word counts only after the head of the labels, and the name of what the document is about never does.
        """
        names = self._after_head(document, table)
        for row in table.rows if table.n_labels else ():
            label = _label(document, row)
            is_plain = label.isdigit() or (label.isalpha() and label.islower() and label not in names)
            is_asked = len(label) > 1 and f" {label.casefold()} " in self.text and not is_plain
            is_asked = is_asked and label.casefold() not in self.common
            if is_asked and not (label in self.called and is_subject(label, document)):
                yield label, Span(row.start, row.end)

    def within_longer(self, labels: set[str]) -> set[str]:
        """Those that the question has only within longer ones: "Georgia" in "Georgia Tech"."""
        places = {label: self._places(label) for label in labels}
        every = [place for own in places.values() for place in own]
        return {label for label, own in places.items() if all(_is_within_longer(place, every) for place in own)}

    def _places(self, label: str) -> list[tuple[int, int]]:
        """Where the words without owners have the label; if they do not, where the others have it."""
        pattern = re.compile(rf"(?<!\S){re.escape(label.casefold())}(?!\S)")
        without_owners = pattern.finditer(self.text, self.text.index("|"))
        return [match.span() for match in without_owners] or [match.span() for match in pattern.finditer(self.text)]

    def names(self, label: str) -> bool:
        """Whether the question names it rather than has it by chance: several words, or one with a capital."""
        return " " in label or label in self.tokens[1:]

    def n_named(self, caption: str) -> int:
        """How many of the question's words a caption has."""
        words = {token.casefold().strip(".'") for token in _TOKEN.findall(caption)} - _SMALL
        return len(words & {token.casefold() for token in self.tokens})

    def _after_head(self, document: Document, table: Table) -> set[str]:
        """The words of the question after the head of the table's labels; not "code" if "Error codes" is a head too."""
        cells = (cell for row in table.heads for cell in row.cells if table.n_labels and cell.covers(0))
        heads = {document.text[cell.start : cell.end].strip().casefold() for cell in cells}
        words = {head for head in heads if len(head) >= _MIN_HEAD and head.isalpha()}
        runs = zip(self.tokens, self.tokens[1:], self.tokens[2:], strict=False)
        named = {name for the, head, name in runs if the.casefold() in _ARTICLES and head.casefold() in words}
        others = {document.text[cell.start : cell.end].strip().casefold() for row in table.heads for cell in row.cells}
        return {name for name in named if name.casefold() not in _SMALL and not _is_in_head(name, words, others)}


def _is_in_head(name: str, heads: set[str], others: set[str]) -> bool:
    """Whether a head and the word after it are another head, or begin one."""
    return any(other.startswith(f"{head} {name.casefold()}") for head in heads for other in others)


def _is_within_longer(place: tuple[int, int], places: list[tuple[int, int]]) -> bool:
    start, end = place
    return any(a <= start and end <= b and b - a > end - start for a, b in places)


def _whole(document: Document, table: Table) -> tuple[int, int]:
    """Start and end of all parts of a table."""
    at = document.tables.index(table)
    first = next(n for n in range(at, -1, -1) if not document.tables[n].is_continued or n == 0)
    after = range(at + 1, len(document.tables))
    end = next((n for n in after if not document.tables[n].is_continued), len(document.tables))
    return document.tables[first].start, document.tables[end - 1].end


def _label(document: Document, row: Row) -> str:
    cell = next((cell for cell in row.all_cells if cell.covers(0)), None)
    return " ".join(_TOKEN.findall(_MARK.sub("", document.text[cell.start : cell.end]))) if cell else ""


def _is_within(passage: Passage, document: str, start: int, end: int) -> bool:
    return passage.document == document and start <= passage.span.start < end
