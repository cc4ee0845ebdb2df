"""The rhetorical graph by a language model: all ordered pairs (the paper's figure 11), or only the related ones."""

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.errors import ModelReplyError
from treatise.core.graph import Edge, Link, RhetoricalGraph
from treatise.core.note import CallOutcome, note_key
from treatise.core.patterns import lazy_pattern
from treatise.core.ports import CallCache, Relator, Reply
from treatise.core.recipe import GraphBy
from treatise.llm.json_reply import json_object
from treatise.llm.prompts import prompt
from treatise.llm.request import Request, Schema, conversation, request_key
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import listed, tagged
from treatise.llm.window import at_most_half, fit_texts
from treatise.plan.codec import pack_edge, unpack_edge
from treatise.plan.relations import BETWEEN, MARKERS, NONE, UNRELATED

PROMPT_VERSION: Final = 1

_TOKENS_PER_PAIR: Final = 14  # per listed pair, with quotes and comma
_RELATED_PER_CHUNK: Final = 4  # pairs per chunk in a sparse reply
_PAIR: Final = lazy_pattern(
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
    """A ``core.ports.Relator`` by a language model, in one reply.

    Lines with unknown chunks or relations, self-links and repeated lines are dropped and counted, and so are missing
    pairs. A reply that is not the requested JSON, or has no valid line, is rejected. Without an accepted reply the
    graph has no edges, and every pair is open.

    Attributes:
        runner: Sends the request.
        form: ``LISTWISE``, ``SPARSE`` or ``MARKERS``. Only the sparse form is limited to the wanted pairs.
    """

    runner: LlmRunner
    form: GraphBy

    @property
    def name(self) -> str:
        """Form, prompt and model."""
        return f"{self.form}-{PROMPT_VERSION} {self.runner.model.name}"

    def relate(self, chunks: Sequence[str], pairs: Pairs | None = None) -> RhetoricalGraph:
        """The graph; see ``core.ports.Relator``."""
        if len(chunks) < 2 or (pairs is not None and not pairs):
            return RhetoricalGraph(len(chunks))
        wanted = set(all_pairs(len(chunks)) if pairs is None or self.form is not GraphBy.SPARSE else pairs)
        request = self._request(chunks, wanted)
        outcome = self.runner.run([request])[request.key]
        if outcome is None or not outcome.texts:
            return RhetoricalGraph(len(chunks), n_open=len(wanted))
        n_refused, n_open, *lines = outcome.texts
        edges = (_edge(line) for line in lines)
        return RhetoricalGraph(len(chunks), tuple(edges), int(n_refused), int(n_open))

    def _request(self, chunks: Sequence[str], wanted: set[tuple[int, int]]) -> Request:
        model, n_pairs = self.runner.model, len(wanted)
        n_lines = min(n_pairs, _RELATED_PER_CHUNK * len(chunks)) if self.form is GraphBy.SPARSE else n_pairs
        max_tokens = at_most_half(model, _TOKENS_PER_PAIR * n_lines + 50)
        system = self._rules(wanted, len(chunks))
        shown = fit_texts(model, system, chunks, max_tokens)
        messages = conversation(system, _shown(shown, self.form))
        schema = _schema(self.form, len(chunks), n_lines)
        return Request(
            key=request_key("plan", model, messages, max_tokens, schema),
            messages=messages,
            max_tokens=max_tokens,
            reader=lambda reply: _read(reply, wanted, len(chunks), self.form),
            schema=schema,
        )

    def _rules(self, wanted: set[tuple[int, int]], n_chunks: int) -> str:
        """The system prompt."""
        only = _only(wanted, n_chunks)
        rules = prompt("treatise.plan", self.form, PROMPT_VERSION)
        return rules.format(relations=_relation_list(self.form), n=n_chunks, n_pairs=len(wanted), only=only)


@dataclass(frozen=True, slots=True)
class CachedRelator:
    """A caching relator: each pair of texts is judged once, for all questions.

    Open pairs are not cached.

    Attributes:
        relator: The relator of pairs that are not cached.
        cache: Edges by the relator's name and the two texts.
    """

    relator: Relator
    cache: CallCache

    @property
    def name(self) -> str:
        """The relator's name."""
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
            self.cache.save(keys[pair], CallOutcome((pack_edge(by_pair.get(pair)),), 0, 0))
        found = [edge for edge in edges if edge] + [edge for pair, edge in by_pair.items() if pair in missing]
        ordered = sorted(found, key=lambda edge: (edge.source, edge.target))
        return RhetoricalGraph(len(chunks), tuple(ordered), fresh.n_refused, fresh.n_open)

    def _key(self, chunks: Sequence[str], source: int, target: int) -> str:
        return note_key("edge", self.relator.name, chunks[source], chunks[target])


def _read(reply: Reply, wanted: set[tuple[int, int]], n_chunks: int, form: GraphBy) -> tuple[str, ...]:
    """The numbers of invalid lines and open pairs, then each edge.

    Raises:
        ModelReplyError: If the reply has no list of pairs, or no valid line.
    """
    lines = json_object(reply).get("pairs")
    if not isinstance(lines, list):
        raise ModelReplyError('it needs "pairs", a list of texts such as "1 SUPPORTS 2"')
    judged: dict[tuple[int, int], Edge | None] = {}
    n_invalid = 0
    for line in lines:
        found = _judged(str(line), form, n_chunks)
        if found is None or found[0] in judged:
            n_invalid += 1
        elif found[0] in wanted:
            judged[found[0]] = found[1]
    if lines and n_invalid == len(lines):
        raise ModelReplyError(f"none of its {n_invalid} lines names two of passages 1 to {n_chunks} and a relation")
    n_open = 0 if form is GraphBy.SPARSE else len(wanted - judged.keys())
    edges = (judged[pair] for pair in sorted(judged))
    return str(n_invalid), str(n_open), *(_line(edge) for edge in edges if edge)


def _judged(line: str, form: GraphBy, n_chunks: int) -> tuple[tuple[int, int], Edge | None] | None:
    """A 0-based pair and its edge; None if the line names no valid pair or relation."""
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
    return "\n".join(tagged("passage", text, i) for i, text in enumerate(chunks, 1))


def _only(wanted: set[tuple[int, int]], n_chunks: int) -> str:
    """A line that names the new passages, if some pairs are already known."""
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


def _relation_list(form: GraphBy) -> str:
    if form is GraphBy.MARKERS:
        return ", ".join(MARKERS)
    if form is GraphBy.SPARSE:
        return ", ".join(Link)
    return "\n".join(f"- {link}: {meaning}" for link, meaning in BETWEEN.items())


def _schema(form: GraphBy, n_chunks: int, n_lines: int) -> Schema:
    """The schema of the reply: existing numbers, known relations, and at most as many lines as wanted pairs."""
    names: Mapping[GraphBy, list[str]] = {
        GraphBy.LISTWISE: [*Link, UNRELATED],
        GraphBy.SPARSE: [*Link],
        GraphBy.MARKERS: [*MARKERS, NONE],
    }
    numbers = "|".join(map(str, range(1, n_chunks + 1)))
    pattern = f"^({numbers}) ({'|'.join(names[form])}) ({numbers})$"
    pairs: Schema = {
        "type": "array",
        "items": {"type": "string", "pattern": pattern},
        "minItems": 0 if form is GraphBy.SPARSE else n_lines,
        "maxItems": n_lines,
    }
    return {"type": "object", "properties": {"pairs": pairs}, "required": ["pairs"], "additionalProperties": False}
