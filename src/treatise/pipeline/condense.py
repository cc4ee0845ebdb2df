"""Condenses a document that exceeds a model's window to notes that fit, bottom-up through its tree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from treatise.core.document import Span
from treatise.core.evidence import Passage
from treatise.core.indexed import IndexedDocument
from treatise.core.note import CallOutcome, Note, Origin, fallback_reason, note_key
from treatise.core.ports import Progress
from treatise.core.tree import DiscourseTree, children
from treatise.core.vectors import Floats
from treatise.core.words import joined, n_words
from treatise.enhance import NotePrompts
from treatise.generate.salience import FOR_DOCUMENT, salience
from treatise.llm.runner import LlmRunner

PROMPT_VERSION: Final = 1

_PART_WORDS: Final = 1_500  # words of the document per call, if the window allows it
_NOTE_WORDS: Final = 150
_GROUP: Final = 8  # notes condensed per call


@dataclass(frozen=True)
class Condenser:
    """Condenses one document.

    Attributes:
        indexed: The document.
        runner: Calls the language model.
        progress: Called with the replies of a wave so far and the wave's size.
    """

    indexed: IndexedDocument
    runner: LlmRunner
    progress: Progress | None = None

    def condense(self, room: int) -> list[Passage]:
        """Notes on the whole text, in order, of at most ``room`` words in total, or one note."""
        ranges = list(stretches(self.indexed, min(_PART_WORDS, room)))
        notes = self._join([[self._leaf(*at)] for at in ranges])
        while sum(n_words(note.text) for note in notes) > room and len(notes) > 1:
            size = max(2, min(_GROUP, room // _NOTE_WORDS))
            notes = self._join([notes[at : at + size] for at in range(0, len(notes), size)])
        return [self._passage(note, group) for group, note in enumerate(notes)]

    def _leaf(self, start: int, end: int) -> Note:
        text = unit_text(self.indexed, start, end)
        return Note(text, Origin.LEAF, range(start, end), note_key(text))

    def _join(self, groups: Sequence[Sequence[Note]]) -> list[Note]:
        """A note on each group, all requested in one wave; its most salient sentences if the model writes none."""
        prompts = NotePrompts(self.runner.model, _NOTE_WORDS, PROMPT_VERSION)
        requests = [prompts.join(group) for group in groups]
        outcomes = self.runner.run(requests, self.progress)
        return [
            self._note(group, request.key, outcomes.get(request.key))
            for group, request in zip(groups, requests, strict=True)
        ]

    def _note(self, group: Sequence[Note], key: str, outcome: CallOutcome | None) -> Note:
        units = range(group[0].units[0], group[-1].units[-1] + 1)
        if outcome and outcome.texts:
            return Note(outcome.texts[0], Origin.SUMMARY, units, key)
        text = joined(unit_text(self.indexed, unit, unit + 1) for unit in self._most_salient(units))
        origin, rejection_reason = fallback_reason(outcome)
        return Note(text, origin, units, note_key(origin, text), rejection_reason)

    def _most_salient(self, units: range) -> list[int]:
        """The most salient of these units, in text order, up to the length of a note; the first one is never
        truncated.
        """
        kept: list[int] = []
        left = _NOTE_WORDS
        for unit in sorted(units, key=lambda unit: -self._salience[unit]):
            if kept and self._lengths[unit] > left:
                break
            kept.append(unit)
            left -= self._lengths[unit]
        return sorted(kept)

    @cached_property
    def _salience(self) -> Floats:
        return salience(self.indexed, FOR_DOCUMENT)

    @cached_property
    def _lengths(self) -> list[int]:
        return unit_lengths(self.indexed)

    def _passage(self, note: Note, group: int) -> Passage:
        spans: tuple[Span, ...] = tuple(self.indexed.units[unit] for unit in note.units)
        return Passage(self.indexed.document.id, spans[0], note.text, 0.0, group, noted=spans)


def stretches(indexed: IndexedDocument, max_words: int) -> Iterator[tuple[int, int]]:
    """Half-open runs of units that tile the document, each within the word limit, or of one unit.

    Runs end at subtree boundaries: the largest subtrees that fit, joined with their neighbours as long as they fit.
    """
    ends = np.concatenate([[0], np.cumsum(unit_lengths(indexed))])
    start = end = 0
    for first, last in _subtrees(indexed.tree, ends, max_words):
        if end > start and ends[last] - ends[start] > max_words:
            yield start, end
            start = first
        end = last
    if end > start:
        yield start, end


def unit_text(indexed: IndexedDocument, start: int, end: int) -> str:
    """The document's text from one unit up to, but not including, another."""
    return indexed.document.quote(indexed.units[start].start, indexed.units[end - 1].end)


def unit_lengths(indexed: IndexedDocument) -> list[int]:
    """Number of words of each unit."""
    return [n_words(indexed.document.quote(unit.start, unit.end)) for unit in indexed.units]


def _subtrees(tree: DiscourseTree, ends: np.ndarray, max_words: int) -> Iterator[tuple[int, int]]:
    """Unit ranges of the largest subtrees within the word limit, or of one unit, in text order."""
    waiting = list(reversed(tree.roots))
    while waiting:
        node = waiting.pop()
        first, last = tree.ranges[node].tolist()
        below = children(tree.nodes[node])
        if ends[last] - ends[first] <= max_words or not below:
            yield first, last
        else:
            waiting += reversed(below)
