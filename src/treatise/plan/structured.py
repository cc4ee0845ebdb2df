"""Rule-based plans from trees and graph: claim, conditions, support, conflict, background."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.claims.polarity import LIMITS, claim_in, is_denied_by
from treatise.core.document import Span
from treatise.core.graph import Chunk, ChunkTree, Edge, Link, RhetoricalGraph
from treatise.core.plan import Part, Plan, Role, Step, Structure
from treatise.core.tree import Nuclearity
from treatise.core.words import n_words
from treatise.plan.contradiction import open_slot
from treatise.plan.rated_sentences import RatedSentences
from treatise.plan.relations import coarse

MAX_WORDS: Final = 180
MAX_PARTS: Final = 7
MAX_CONFLICTS: Final = 4
MAX_OF_ONE: Final = 3  # supporting sentences per document, without their conditions

_NEAR: Final = 0.75  # minimum relevance of support, as a share of the claim's
_RELATED: Final = 0.6  # the same, if the graph links the chunk to the claim's
_EQUAL: Final = 0.9  # the same, if the graph has no such link
_BEARS: Final = 0.5  # minimum relevance in a conflict, as a share of the best sentence's
_ABOUT_THE_SAME: Final = 0.48  # minimum cosine of two contradicting sentences
_BESIDE: Final = 2  # longest distance from a claim to its condition, in sentences
_SHOWS: Final = 0.3  # bonus of a pair with a visible difference
_SAME: Final = 0.97  # minimum cosine of two sentences that say the same

_LIMITING: Final = frozenset({"contingency", "adversative"})
_AGAINST: Final = frozenset({Link.CONTRADICTS, Link.CONTRASTS_WITH, Link.COMPARES_WITH})
_BEHIND: Final = frozenset({Link.BACKGROUND_FOR, Link.GENERALIZES, Link.MOTIVATES, Link.ENABLES, Link.CAUSES})
_FIRST: Final = (Role.CLAIM, Role.CONDITION, Role.CONFLICT, Role.SUPPORT, Role.BACKGROUND)
"""Roles in order of priority, if there are too many sentences."""
_BESIDES: Final = (Role.SUPPORT, Role.BACKGROUND)

_SAYS: Final = {
    Role.CLAIM: "State the main claim of {at}.",
    Role.CONDITION: "Keep the condition in {at} with it.",
    Role.SUPPORT: "Support it by {at}.",
    Role.CONFLICT: "Show beside it, without deciding, what {at} says against it.",
    Role.BACKGROUND: "Give the background in {at}.",
}


@dataclass(frozen=True, slots=True)
class StructuredPlanner:
    """A rule-based planner.

    The claim is the sentence most relevant to the question; if the graph says that it is replaced, its replacement is
    the claim. Conditions are sentences that the chunk's tree attaches to a planned sentence as a contingency or a
    contrast, or that limit it right next to it, and sentences of other chunks that limit the claim. The role of every
    other chunk follows from its edges with the claim's chunk: conflict, background or support. Without a graph, chunks
    support the claim if they are relevant enough; without trees, conditions in the same chunk are not found.

    Attributes:
        reading: The sentences of the chunks, rated by relevance to the question.
    """

    reading: RatedSentences

    def plan(self, question: str, chunks: Sequence[Chunk], structure: Structure) -> Plan | None:  # noqa: ARG002
        """The plan; None if no sentence of the chunks is usable."""
        rows = {i: row for i in range(len(chunks)) if (row := self.reading.best_in(i)) is not None}
        if not rows:
            return None
        opposed = opposing_rows(self.reading, structure.graph)
        claim = self._claim(rows, structure.graph, opposed)
        against = {self._chunk(row): row for pair in opposed if claim in pair for row in pair if row != claim}
        roles: dict[int, Role] = {claim: Role.CLAIM}
        roles |= dict(self._of_others(claim, rows, structure.graph, against))
        limits = {row: list(self._conditions(row, chunks, structure)) for row in roles}
        said_with = {condition for of_one in limits.values() for condition in of_one}
        for row in self.reading.rows_of(self._chunk(claim)):
            if self._share(row, claim) >= _NEAR and row not in said_with:
                roles.setdefault(row, Role.SUPPORT)
        kept = self._kept(claim, roles, limits, chunks)
        steps = (
            Step(Role.CLAIM, (self.reading.parts[claim],)),
            Step(
                Role.CONDITION,
                self._parts([claim], limits)[1:]
                + self._parts(self._ordered(Role.CONDITION, kept, structure.graph), limits),
            ),
            *(
                Step(role, self._parts(self._ordered(role, kept, structure.graph), limits))
                for role in (Role.CONFLICT, Role.SUPPORT, Role.BACKGROUND)
            ),
        )
        used = tuple(step for step in steps if step.parts)
        return Plan(plan_text(used), used)

    def _claim(self, rows: dict[int, int], graph: RhetoricalGraph | None, opposed: Sequence[tuple[int, int]]) -> int:
        """The most relevant sentence, a similarly relevant one that another source contradicts, or its replacement."""
        claim = max(rows.values(), key=lambda row: (float(self.reading.relevance[row]), -row))
        disputed = [row for pair in opposed for row in pair if self._share(row, claim) >= _NEAR]
        claim = max(disputed, key=lambda row: float(self.reading.relevance[row]), default=claim)
        seen = {claim}
        while newer := [
            rows[edge.source]
            for edge in _edges(graph)
            if edge.link is Link.REPLACES and edge.target == self._chunk(claim) and edge.source in rows
        ]:
            claim = newer[0]
            if claim in seen:  # two chunks that replace each other
                return max(seen, key=lambda row: float(self.reading.relevance[row]))
            seen.add(claim)
        return claim

    def _conditions(self, claim: int, chunks: Sequence[Chunk], structure: Structure) -> Iterator[int]:
        part = self.reading.parts[claim]
        tree = structure.trees[part.chunk] if structure.trees else None
        if tree is None:
            return
        for span, limits in attached_spans(tree, part.span):
            for row in self.reading.rows_of(part.chunk):
                other = self.reading.parts[row].span
                if row == claim or not _overlap(other, span):
                    continue
                if (limits and abs(row - claim) <= _BESIDE) or LIMITS.search(chunks[part.chunk].quote(other)):
                    yield row

    def _of_others(
        self, claim: int, rows: dict[int, int], graph: RhetoricalGraph | None, against: dict[int, int]
    ) -> Iterator[tuple[int, Role]]:
        """One sentence of every other chunk that belongs in the answer, and its role: the sentence in ``against`` that
        contradicts the claim, else the best one.
        """
        mine = self._chunk(claim)
        for chunk, row in rows.items():
            if chunk == mine:
                continue
            edges = [edge for edge in _edges(graph) if {edge.source, edge.target} == {mine, chunk}]
            role = _role(edges, chunk)
            if chunk in against:
                yield against[chunk], Role.CONFLICT
                continue
            if role is Role.CONFLICT and all(edge.score < 1 for edge in edges):
                role = Role.SUPPORT  # the two sentences show no difference
            if role is Role.CONDITION:
                limited = self._limited_in(chunk)
                row, role = (row, Role.SUPPORT) if limited is None else (limited, role)
            least = _NEAR if graph is None else _RELATED if edges else _EQUAL
            if self._share(row, claim) >= least:
                yield row, role

    def _limited_in(self, chunk: int) -> int | None:
        """The most relevant sentence of a chunk that contains a limit."""
        rows = [row for row in self.reading.rows_of(chunk) if LIMITS.search(self.reading.texts[row])]
        return max(rows, key=lambda row: float(self.reading.relevance[row]), default=None)

    def _kept(
        self, claim: int, roles: dict[int, Role], limits: dict[int, list[int]], chunks: Sequence[Chunk]
    ) -> dict[int, Role]:
        """As many sentences as fit, each with its conditions or not at all: by priority of role, then by relevance, and
        at most the allowed number per document. No sentence or condition is repeated.
        """
        kept: dict[int, Role] = {}
        shown: list[int] = []
        words = 0
        for row in sorted(roles, key=lambda row: (_FIRST.index(roles[row]), -float(self.reading.relevance[row]))):
            source = chunks[self._chunk(row)].document
            has_said = sum(chunks[self._chunk(one)].document == source for one in kept if kept[one] in _BESIDES)
            if roles[row] in _BESIDES and has_said >= MAX_OF_ONE:
                continue
            if any(self._says_the_same(row, other) for other in shown):
                continue
            limits[row] = [one for one in limits.get(row, ()) if one not in shown]
            group = [row, *limits[row]]
            n = sum(n_words(self.reading.texts[one]) for one in group)
            if row == claim or (len(shown) + len(group) <= MAX_PARTS and words + n <= MAX_WORDS):
                kept[row] = roles[row]
                shown += group
                words += n
        return kept

    def _ordered(self, role: Role, kept: dict[int, Role], graph: RhetoricalGraph | None) -> list[int]:
        """The sentences of a role: in order of time if the graph has it, else by chunk and place."""
        rows = sorted((row for row, own in kept.items() if own is role), key=self._place)
        chunks = {self._chunk(row) for row in rows}
        n_before = {chunk: sum(after == chunk for _, after in _in_time(graph, chunks)) for chunk in chunks}
        return sorted(rows, key=lambda row: n_before[self._chunk(row)])

    def _parts(self, rows: Iterable[int], limits: dict[int, list[int]]) -> tuple[Part, ...]:
        """The sentences, each followed by its conditions."""
        return tuple(self.reading.parts[one] for row in rows for one in (row, *limits.get(row, ())))

    def _says_the_same(self, row: int, other: int) -> bool:
        return _nearness(self.reading, row, other) >= _SAME and not _shows(self.reading, row, other)

    def _share(self, row: int, claim: int) -> float:
        return float(self.reading.relevance[row]) / max(1e-6, float(self.reading.relevance[claim]))

    def _chunk(self, row: int) -> int:
        return self.reading.parts[row].chunk

    def _place(self, row: int) -> tuple[int, int]:
        return self._chunk(row), self.reading.parts[row].span.start


def plan_text(steps: Iterable[Step]) -> str:
    """A structured plan as text, for a language model."""
    return " ".join(
        _SAYS[step.role].format(at=_listed(sorted({part.chunk + 1 for part in step.parts}))) for step in steps
    )


def attached_spans(tree: ChunkTree, claim: Span) -> Iterator[tuple[Span, bool]]:
    """The spans that the tree attaches to the units of a span, nearest first, and whether the relation limits.

    These are the satellites of any node above the claim with a contingency or contrast relation, and the nearest
    neighbour outside the claim with any relation.
    """
    inside = [i for i, unit in enumerate(tree.units) if _overlap(unit, claim)]
    if not inside:
        return
    first, last, is_nearest = inside[0], inside[-1] + 1, True
    for start, split, end, join in sorted(tree.tree.joins(), key=lambda node: node[2] - node[0]):
        if not (start <= first and last <= end) or (first < split < last):
            continue
        left = last <= split
        other = (split, end) if left else (start, split)
        is_satellite = join.nuclearity is (Nuclearity.NS if left else Nuclearity.SN)
        limits = coarse(join.relation) in _LIMITING and (is_satellite or join.nuclearity is Nuclearity.NN)
        if limits or is_nearest:
            yield Span(tree.units[other[0]].start, tree.units[other[1] - 1].end), limits
        is_nearest = False


def conflicts(reading: RatedSentences, graph: RhetoricalGraph | None) -> tuple[tuple[Part, Part], ...]:
    """For each contradiction in the graph, the two sentences most likely to cause it, if relevant to the question."""
    return tuple((reading.parts[a], reading.parts[b]) for a, b in opposing_rows(reading, graph))


def opposing_rows(reading: RatedSentences, graph: RhetoricalGraph | None) -> list[tuple[int, int]]:
    """The rows of :func:`conflicts`, the most certain first.

    If the graph is uncertain, the two must be similar and visibly differ: by words in one slot, or by a negation.
    """
    sure = {_unordered(edge): edge.score >= 1 for edge in _contradictions(graph)}
    best = max((float(r) for r, usable in zip(reading.relevance, reading.usable, strict=True) if usable), default=0.0)
    found: list[tuple[float, int, int]] = []
    for (left, right), is_sure in sorted(sure.items()):
        here, there = (
            [row for row in reading.rows_of(chunk) if reading.relevance[row] >= _BEARS * best]
            for chunk in (left, right)
        )
        options = [
            (float(reading.relevance[a] + reading.relevance[b]) + _nearness(reading, a, b) + _SHOWS * shows, a, b)
            for a in here
            for b in there
            if _differ(reading, a, b) and (is_sure or _nearness(reading, a, b) >= _ABOUT_THE_SAME)
            if (shows := _shows(reading, a, b)) or is_sure
        ]
        if options:
            found.append(max(options))
    found.sort(key=lambda one: -one[0])
    return [(a, b) for _, a, b in found[:MAX_CONFLICTS]]


def _shows(reading: RatedSentences, a: int, b: int) -> bool:
    """Whether two sentences differ in a slot, or one negates the other."""
    one, other = reading.texts[a], reading.texts[b]
    return is_denied_by(claim_in(one), claim_in(other)) or open_slot(one, other) is not None


def _nearness(reading: RatedSentences, a: int, b: int) -> float:
    return float(reading.vectors[a] @ reading.vectors[b])


def _unordered(edge: Edge) -> tuple[int, int]:
    return min(edge.source, edge.target), max(edge.source, edge.target)


def _differ(reading: RatedSentences, a: int, b: int) -> bool:
    return " ".join(reading.texts[a].split()).casefold() != " ".join(reading.texts[b].split()).casefold()


def _contradictions(graph: RhetoricalGraph | None) -> list[Edge]:
    return [edge for edge in _edges(graph) if edge.link is Link.CONTRADICTS]


def _role(edges: Sequence[Edge], chunk: int) -> Role:
    """The role of a chunk by its edges with the claim's chunk; the most serious one counts."""
    if any(edge.link in _AGAINST for edge in edges):
        return Role.CONFLICT
    if any(edge.link is Link.SPECIFIES and edge.source == chunk for edge in edges):
        return Role.CONDITION
    if any((edge.link in _BEHIND and edge.source == chunk) or edge.link is Link.REPLACES for edge in edges):
        return Role.BACKGROUND
    return Role.SUPPORT


def _in_time(graph: RhetoricalGraph | None, chunks: set[int]) -> set[tuple[int, int]]:
    """Pairs of these chunks that the graph orders in time, the earlier first."""
    edges = [edge for edge in _edges(graph) if {edge.source, edge.target} <= chunks]
    before = {(edge.source, edge.target) for edge in edges if edge.link is Link.PRECEDES}
    return before | {(edge.target, edge.source) for edge in edges if edge.link is Link.FOLLOWS}


def _edges(graph: RhetoricalGraph | None) -> tuple[Edge, ...]:
    return graph.edges if graph else ()


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _listed(numbers: Sequence[int]) -> str:
    marks = [f"[{number}]" for number in numbers]
    return marks[0] if len(marks) == 1 else f"{', '.join(marks[:-1])} and {marks[-1]}"
