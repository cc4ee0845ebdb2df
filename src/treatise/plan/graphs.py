"""The rhetorical graph by a language model: every ordered pair (the paper, figure 11), or the related ones alone."""

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.errors import ModelReplyError
from treatise.core.graph import Edge, Link, RhetoricalGraph
from treatise.core.note import Finished, note_key
from treatise.core.ports import CallCache, Caller, Relator, Reply
from treatise.core.recipe import GraphBy
from treatise.llm.request import Request, fitted, json_in, listed, request, rules, tagged, within_window
from treatise.plan.codec import pack_edge, unpack_edge
from treatise.plan.relations import BETWEEN, MARKERS, NONE, UNRELATED

PROMPT_VERSION: Final = 1

_TOKENS_A_PAIR: Final = 14  # of a listed pair, with quotes and comma
_RELATED_A_CHUNK: Final = 4  # pairs that a sparse reply may name for each chunk
_PAIR: Final = re.compile(
    r"\W*(?P<source>\d+)\W+(?P<label>[a-z][a-z_ -]*?)\W+(?P<target>\d+)\W*"  # ours: 1 SUPPORTS 2
    r"|\W*chunk\W*(?P<from>\d+)\W*chunk\W*(?P<to>\d+)\W*:\W*(?P<said>[a-z][a-z_ -]*?)\W*",  # the paper's
    re.IGNORECASE,
)

Pairs = Collection[tuple[int, int]]


def all_pairs(n_chunks: int) -> list[tuple[int, int]]:
    """Every ordered pair of two different chunks, by source, then target."""
    return [(source, target) for source in range(n_chunks) for target in range(n_chunks) if source != target]


@dataclass(frozen=True, slots=True)
class ModelRelator:
    """``core.ports.Relator`` by a language model, in one reply.

    What a reply says of chunks or relations that do not exist, of a chunk and itself, or a second time, is dropped and
    counted; so are pairs that it was to judge and did not. A reply that is not the JSON that was asked for, or in which
    no line holds, is asked for once more and then given up: the graph has no edge then, and every pair is open.

    Attributes:
        caller: Asks the model.
        form: ``LISTWISE``, ``SPARSE`` or ``MARKERS``. Only the sparse form keeps to the pairs that are wanted.
    """

    caller: Caller
    form: GraphBy

    @property
    def name(self) -> str:
        """Form, prompt and model."""
        return f"{self.form}-{PROMPT_VERSION} {self.caller.model.name}"

    def relate(self, chunks: Sequence[str], pairs: Pairs | None = None) -> RhetoricalGraph:
        """The graph; see ``core.ports.Relator``."""
        if len(chunks) < 2 or (pairs is not None and not pairs):
            return RhetoricalGraph(len(chunks))
        wanted = set(all_pairs(len(chunks)) if pairs is None or self.form is not GraphBy.SPARSE else pairs)
        asked = self._request(chunks, wanted)
        finished = self.caller.run([asked])[asked.key]
        if finished is None or not finished.texts:
            return RhetoricalGraph(len(chunks), n_open=len(wanted))
        n_refused, n_open, *lines = finished.texts
        edges = (_edge(line) for line in lines)
        return RhetoricalGraph(len(chunks), tuple(edges), int(n_refused), int(n_open))

    def _request(self, chunks: Sequence[str], wanted: set[tuple[int, int]]) -> Request:
        model, n_pairs = self.caller.model, len(wanted)
        system = rules(
            self.form,
            PROMPT_VERSION,
            relations=_listed(self.form),
            n=len(chunks),
            n_pairs=n_pairs,
            only=_only(wanted, len(chunks)),
        )
        n_lines = min(n_pairs, _RELATED_A_CHUNK * len(chunks)) if self.form is GraphBy.SPARSE else n_pairs
        max_tokens = within_window(model, _TOKENS_A_PAIR * n_lines + 50)
        shown = fitted(model, system, chunks, max_tokens)
        return request(
            model,
            system,
            _shown(shown, self.form),
            max_tokens=max_tokens,
            schema=_schema(self.form, len(chunks), n_lines),
            reader=lambda reply: _read(reply, wanted, len(chunks), self.form),
        )


@dataclass(frozen=True, slots=True)
class CachedRelator:
    """A relator that is asked only for pairs that it has not judged yet, whatever they were retrieved with.

    A pair of equal texts is one pair, in any question. A graph with open pairs is kept but for those.

    Attributes:
        relator: Judges.
        cache: Keeps, by the relator's name and the two texts.
    """

    relator: Relator
    cache: CallCache

    @property
    def name(self) -> str:
        """The relator's."""
        return self.relator.name

    def relate(self, chunks: Sequence[str], pairs: Pairs | None = None) -> RhetoricalGraph:
        """The graph; see ``core.ports.Relator``."""
        keys = {pair: self._key(chunks, *pair) for pair in (all_pairs(len(chunks)) if pairs is None else pairs)}
        known = self.cache.finished(list(keys.values()))
        missing = {pair for pair, key in keys.items() if key not in known}
        edges = [unpack_edge(known[key].texts[0], *pair) for pair, key in keys.items() if key in known]
        fresh = self.relator.relate(chunks, missing) if missing else RhetoricalGraph(len(chunks))
        by_pair = {(edge.source, edge.target): edge for edge in fresh.edges}
        for pair in missing if not fresh.n_open else missing & by_pair.keys():
            self.cache.save(keys[pair], Finished((pack_edge(by_pair.get(pair)),), 0, 0))
        found = [edge for edge in edges if edge] + [edge for pair, edge in by_pair.items() if pair in missing]
        ordered = sorted(found, key=lambda edge: (edge.source, edge.target))
        return RhetoricalGraph(len(chunks), tuple(ordered), fresh.n_refused, fresh.n_open)

    def _key(self, chunks: Sequence[str], source: int, target: int) -> str:
        return note_key("edge", self.relator.name, chunks[source], chunks[target])


def _read(reply: Reply, wanted: set[tuple[int, int]], n_chunks: int, form: GraphBy) -> tuple[str, ...]:
    """How many lines were refused, how many pairs are open, and each edge.

    Raises:
        ModelReplyError: Where the reply holds no list of pairs, or not one line of it holds.
    """
    listed = json_in(reply).get("pairs")
    if not isinstance(listed, list):
        raise ModelReplyError('it needs "pairs", a list of texts such as "1 SUPPORTS 2"')
    judged: dict[tuple[int, int], Edge | None] = {}
    n_refused = n_beside = 0
    for line in listed:
        found = _judged(str(line), form, n_chunks)
        if found is None or found[0] in judged:
            n_refused += 1
        elif found[0] not in wanted:
            n_beside += 1
        else:
            judged[found[0]] = found[1]
    if listed and n_refused == len(listed):
        raise ModelReplyError(f"none of its {n_refused} lines names two of passages 1 to {n_chunks} and a relation")
    n_open = 0 if form is GraphBy.SPARSE else len(wanted - judged.keys())
    edges = (judged[pair] for pair in sorted(judged))
    return str(n_refused), str(n_open), *(_line(edge) for edge in edges if edge)


def _judged(line: str, form: GraphBy, n_chunks: int) -> tuple[tuple[int, int], Edge | None] | None:
    """A pair, counted from 0, and its edge; None where the line names no pair or no relation."""
    match = _PAIR.fullmatch(line)
    if not match:
        return None
    source, target = int(match["source"] or match["from"]) - 1, int(match["target"] or match["to"]) - 1
    said = (match["label"] or match["said"]).strip()
    if source == target or not (0 <= source < n_chunks and 0 <= target < n_chunks):
        return None
    label = re.sub(r"[ -]+", "_", said).upper()
    if label in (UNRELATED, NONE):
        return (source, target), None
    if form is GraphBy.MARKERS:
        marker = " ".join(said.lower().split())
        return ((source, target), Edge(source, target, MARKERS[marker], 1.0, marker)) if marker in MARKERS else None
    return ((source, target), Edge(source, target, Link(label))) if label in Link.__members__ else None


def _line(edge: Edge) -> str:
    return json.dumps([edge.source, edge.target, pack_edge(edge)])


def _edge(line: str) -> Edge:
    source, target, packed = json.loads(line)
    edge = unpack_edge(packed, source, target)
    assert edge is not None
    return edge


def _shown(chunks: Sequence[str], form: GraphBy) -> str:
    if form is GraphBy.SPARSE:
        lines = (listed(i, text) for i, text in enumerate(chunks, 1))
        return "\n".join(["<passages>", *lines, "</passages>"])
    return "\n".join(tagged(i, text) for i, text in enumerate(chunks, 1))


def _only(wanted: set[tuple[int, int]], n_chunks: int) -> str:
    """What to say where some pairs are known already: the passages that are new."""
    if len(wanted) == n_chunks * (n_chunks - 1):
        return ""
    new: list[int] = []
    left = set(wanted)
    while left:
        (chunk, _), *_ = Counter(i for pair in left for i in pair).most_common(1)
        new.append(chunk)
        left = {pair for pair in left if chunk not in pair}
    numbers = ", ".join(str(chunk + 1) for chunk in sorted(new))
    return f"\nOnly pairs with one of these passages are wanted: {numbers}."


def _listed(form: GraphBy) -> str:
    if form is GraphBy.MARKERS:
        return ", ".join(MARKERS)
    if form is GraphBy.SPARSE:
        return ", ".join(Link)
    return "\n".join(f"- {link}: {meaning}" for link, meaning in BETWEEN.items())


def _schema(form: GraphBy, n_chunks: int, n_lines: int) -> dict[str, object]:
    """Bounded in all that a grammar can bound: numbers that exist, known names, and as many lines as are wanted."""
    names: Mapping[GraphBy, list[str]] = {
        GraphBy.LISTWISE: [*Link, UNRELATED],
        GraphBy.SPARSE: [*Link],
        GraphBy.MARKERS: [*MARKERS, NONE],
    }
    numbers = "|".join(map(str, range(1, n_chunks + 1)))
    pattern = f"^({numbers}) ({'|'.join(names[form])}) ({numbers})$"
    pairs: dict[str, object] = {
        "type": "array",
        "items": {"type": "string", "pattern": pattern},
        "minItems": 0 if form is GraphBy.SPARSE else n_lines,
        "maxItems": n_lines,
    }
    return {"type": "object", "properties": {"pairs": pairs}, "required": ["pairs"], "additionalProperties": False}
