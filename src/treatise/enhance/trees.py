"""Notes for the nodes of trees, bottom-up (DISRetrieval, section 3.1.2 and equation 1), in waves over all trees."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from treatise.core.note import CallOutcome, Note, Origin, fallback_reason, note_key
from treatise.core.ports import Progress
from treatise.core.recipe import LengthOf, Notes, Refinement, Summaries, Tau
from treatise.core.tree import DiscourseTree, Unit, children
from treatise.core.words import joined, n_words
from treatise.enhance.nuclei import promote, units_of
from treatise.enhance.refine import refine_notes
from treatise.enhance.requests import NotePrompts
from treatise.llm.request import Request
from treatise.llm.runner import LlmRunner

_MOST_NOTES: Final = 16
"""Maximum notes per call: models lose count, and a rejected reply loses all its notes."""


@dataclass(frozen=True, slots=True)
class NoteRequest:
    """A tree or forest whose nodes need notes.

    Attributes:
        tree: Its nodes.
        units: The text of each unit.
        known: Existing notes by node; every node below one of these nodes has one too.
        from_text: Whether summaries are made from the text below if it fits the model's window (HTSIR, Algorithm 1),
            not from the children's notes (DISRetrieval).
    """

    tree: DiscourseTree
    units: Sequence[str]
    known: Mapping[int, Note] = field(default_factory=dict)
    from_text: bool = False


def write_notes(
    unwritten: Sequence[NoteRequest], notes: Notes, runner: LlmRunner | None, progress: Progress | None = None
) -> list[tuple[Note, ...]]:
    """One note per node, for each tree.

    Notes that need no model are written first. Then the requests of all nodes with finished children are sent together,
    over all trees, and so on up to the roots. Without a runner, nucleus text replaces every summary. ``progress``
    counts the replies of each wave.

    Raises:
        EngineError, StoreError: As ``LlmRunner.run``; earlier outcomes are in its cache.
    """
    builders = [_NoteBuilder(one, notes, has_runner=runner is not None) for one in unwritten]
    for builder in builders:
        builder.settle()
    if runner is not None:
        prompts = NotePrompts(runner.model, notes.max_words, notes.prompt_version)
        while _run_wave(builders, prompts, runner, notes.refinement, progress):
            pass
    return [builder.notes() for builder in builders]


def thresholds(tree: DiscourseTree, units: Sequence[str], tau: Tau) -> list[float]:
    """Tau per node: see ``core.recipe.Tau``."""
    missing = tau.full_sentence - sum(map(n_words, units)) / max(1, len(units)) if tau.full_sentence else 0.0
    base = tau.words + tau.per_missing_word * max(0.0, missing)
    return [min(tau.at_most, base + tau.per_level * int(height)) for height in tree.heights]


def _run_wave(
    builders: Sequence["_NoteBuilder"],
    prompts: NotePrompts,
    runner: LlmRunner,
    refinement: Refinement | None,
    progress: Progress | None,
) -> bool:
    """Sends every request that is ready, and refines the replies; returns whether there was one."""
    calls = [(builder, call) for builder in builders for call in builder.calls(prompts)]
    outcomes = runner.run((call.request for _, call in calls), progress)
    if refinement:
        outcomes = refine_notes([call.request for _, call in calls], outcomes, refinement, runner)
    for builder, call in calls:
        builder.take(call, outcomes[call.request.key])
    for builder in builders:
        builder.settle()
    return bool(calls)


@dataclass(frozen=True, slots=True)
class _Call:
    """A request, and the nodes that its notes are for."""

    request: Request
    nodes: tuple[int, ...]


class _NoteBuilder:
    """The notes of one tree while they are being written."""

    def __init__(self, unwritten: NoteRequest, notes: Notes, *, has_runner: bool) -> None:
        self._recipe, self._has_runner = notes, has_runner
        self._units, self._tree = unwritten.units, unwritten.tree
        self._from_text = unwritten.from_text
        lengths = [n_words(unit) for unit in unwritten.units]
        self._below = _words_below(unwritten.tree, lengths)
        self._promoted = promote(unwritten.tree, lengths, notes.nucleus_words)
        self._tau = thresholds(unwritten.tree, unwritten.units, notes.tau)
        self._notes: list[Note | None] = [None] * len(unwritten.tree.nodes)
        self._words = [0] * len(unwritten.tree.nodes)  # of the note, or of the notes below while it is unfinished
        self._alone: set[int] = set()  # nodes of a failed batch, which get one request each
        self._unfinished = self._started(unwritten.known)

    def settle(self) -> None:
        """Writes every note that is ready and needs no model."""
        self._unfinished = [node for node in self._unfinished if not self._written_alone(node)]

    def calls(self, prompts: NotePrompts) -> list[_Call]:
        """The requests that are ready."""
        return list(self._rewrites(prompts) if self._recipe.summaries is Summaries.HYBRID else self._joins(prompts))

    def take(self, call: _Call, outcome: CallOutcome | None) -> None:
        """Stores the notes of an outcome, or nucleus text if it has none."""
        if outcome is not None and outcome.texts:
            keys = _keys(call)
            for node, text, key in zip(call.nodes, outcome.texts, keys, strict=True):
                self._put(node, Note(text, Origin.SUMMARY, self._covered(node), key))
        elif outcome is not None and len(call.nodes) > 1:
            self._alone.update(call.nodes)
        else:
            for node in call.nodes:
                self._put(node, self._extract(node, *fallback_reason(outcome)))

    def notes(self) -> tuple[Note, ...]:
        """All notes, after the last call."""
        return tuple(note for note in self._notes if note is not None)

    def _started(self, known: Mapping[int, Note]) -> list[int]:
        unfinished = []
        for i, node in enumerate(self._tree.nodes):
            if i in known:
                self._put(i, known[i])
            elif isinstance(node, Unit):
                text = self._units[node.index]
                self._put(i, Note(text, Origin.LEAF, (node.index,), note_key(Origin.LEAF, text)))
            else:
                unfinished.append(i)
        return unfinished

    def _written_alone(self, node: int) -> bool:
        """Writes a note that needs no model, if possible; returns whether the node now has a note."""
        if self._notes[node] is not None:
            return True
        below = self._notes_below(node)
        if below is None:
            return False
        if self._length(node) < self._tau[node]:
            key = note_key(Origin.MERGED, *(note.key for note in below))
            self._put(node, Note(joined(n.text for n in below), Origin.MERGED, self._covered(node), key))
        elif not (self._has_runner and self._recipe.summaries is Summaries.LLM):
            self._put(node, self._extract(node, Origin.NUCLEUS))
        return self._notes[node] is not None

    def _length(self, node: int) -> int:
        if self._recipe.tau.length_of is LengthOf.LEAVES:
            return self._below[node]
        return sum(self._words[child] for child in children(self._tree.nodes[node]))

    def _joins(self, prompts: NotePrompts) -> Iterator[_Call]:
        """Batches of the largest allowed unfinished subtrees, and single nodes outside them that are ready."""
        in_batch: set[int] = set()
        for nodes in self._batches(prompts) if self._recipe.batch_words else ():
            in_batch.update(nodes)
            yield self._batch(prompts, nodes)
        for node in self._unfinished:
            if node not in in_batch and (below := self._notes_below(node)) is not None:
                yield _Call(prompts.join(self._text_below(node, prompts) or below), (node,))

    def _batches(self, prompts: NotePrompts) -> list[tuple[int, ...]]:
        """The unfinished nodes of each largest subtree whose notes so far have at most ``batch_words`` words.

        Subtrees are smaller if text and notes would exceed the model's window: no piece is truncated.
        """
        waiting: dict[int, tuple[int, ...]] = {}
        for node in self._unfinished:
            below = children(self._tree.nodes[node])
            self._words[node] = sum(self._words[child] for child in below)
            small = all(self._notes[child] is not None or child in waiting for child in below)
            inner = [*(n for child in below for n in waiting.get(child, ())), node]
            fits = self._words[node] <= self._recipe.batch_words and len(inner) <= _MOST_NOTES
            if small and fits and prompts.fits_batch(self._words[node], len(inner)) and node not in self._alone:
                for child in below:
                    waiting.pop(child, None)
                waiting[node] = tuple(inner)
        return [nodes for nodes in waiting.values() if len(nodes) > 1]

    def _batch(self, prompts: NotePrompts, nodes: tuple[int, ...]) -> _Call:
        """One call for a subtree. Its pieces are the finished notes directly below its nodes, in text order."""
        pieces = [c for node in nodes for c in children(self._tree.nodes[node]) if self._notes[c] is not None]
        pieces.sort()
        starts = {int(self._tree.ranges[piece, 0]): i for i, piece in enumerate(pieces)}
        ends = {int(self._tree.ranges[piece, 1]): i + 1 for i, piece in enumerate(pieces)}
        covers = [(starts[int(start)], ends[int(end)]) for start, end in self._tree.ranges[list(nodes)]]
        notes = [note for piece in pieces if (note := self._notes[piece]) is not None]
        return _Call(prompts.batch(notes, covers), nodes)

    def _rewrites(self, prompts: NotePrompts) -> Iterator[_Call]:
        """Every long extract at once: none depends on another."""
        for node, note in enumerate(self._notes):
            if note and note.origin is Origin.NUCLEUS and self._below[node] >= self._recipe.rewrite_words:
                yield _Call(prompts.rewrite([self._units[unit] for unit in note.units]), (node,))

    def _text_below(self, node: int, prompts: NotePrompts) -> list[Note]:
        """The text of a node as one note, if it is to be summarised and fits the model's window."""
        covered = self._covered(node)
        text = joined(self._units[unit] for unit in covered) if self._from_text else ""
        return [Note(text, Origin.WHOLE, covered, note_key(Origin.WHOLE, text))] if text and prompts.fits(text) else []

    def _notes_below(self, node: int) -> list[Note] | None:
        below = [self._notes[child] for child in children(self._tree.nodes[node])]
        ready = [note for note in below if note is not None]
        return ready if len(ready) == len(below) else None

    def _extract(self, node: int, origin: Origin, rejection_reason: str = "") -> Note:
        units = units_of(self._promoted[node])
        texts = [self._units[unit] for unit in units]
        return Note(joined(texts), origin, units, note_key(origin, *texts), rejection_reason)

    def _covered(self, node: int) -> range:
        start, end = self._tree.ranges[node]
        return range(int(start), int(end))

    def _put(self, node: int, note: Note) -> None:
        self._notes[node] = note
        self._words[node] = n_words(note.text)


def _keys(call: _Call) -> list[str]:
    if len(call.nodes) == 1:
        return [call.request.key]
    return [note_key(call.request.key, str(i)) for i in range(len(call.nodes))]


def _words_below(tree: DiscourseTree, lengths: Sequence[int]) -> list[int]:
    running = [0, *accumulate(lengths)]
    return [running[end] - running[start] for start, end in tree.ranges.tolist()]
