"""Discourse trees by a language model: of chunks (Disco-RAG, figure 10), checked against their text, or over units."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from treatise.core.document import Span
from treatise.core.errors import ModelReplyError, TreeError
from treatise.core.graph import Chunk, ChunkTree
from treatise.core.note import CallOutcome
from treatise.core.ports import Progress, Reply
from treatise.core.tree import DiscourseTree, Nuclearity, build_tree
from treatise.core.words import n_tokens, n_words
from treatise.llm.json_reply import json_object
from treatise.llm.prompts import prompt
from treatise.llm.request import ExpectedReply, Request, Schema, conversation, request_key
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import tagged
from treatise.llm.window import at_most_half, fit_texts
from treatise.plan.alignment import align
from treatise.plan.codec import pack_tree, unpack_tree
from treatise.plan.relations import COARSE, INSIDE

PROMPT_VERSION: Final = 2
UNITS_PROMPT_VERSION: Final = 1

_TOKENS_PER_JOIN: Final = 16
_Branch = tuple[int, int, int, Nuclearity, str]
_TOKENS_PER_TOKEN: Final = 4  # of the reply per token of the text: the units repeated, and a join per ten tokens
_WORDS_PER_UNIT: Final = 6.8  # per EDU in GUM; in GCDT too, by our count of Chinese words
_NUCLEI: Final[Mapping[str, Nuclearity]] = {"left": Nuclearity.NS, "right": Nuclearity.SN, "both": Nuclearity.NN}
_WORDS: Final = re.compile(r"[^\s,]+")
_PARTS: Final = ("first", "right", "last", "nucleus", "relation")
_NAMES: Final = [name.upper() for name in INSIDE]

_LIST_OF_JOINS: Final[Schema] = {
    "type": "array",
    "items": {
        "type": "string",
        "pattern": f"^([0-9]{{1,3}} ){{3}}({'|'.join(_NUCLEI)}) ({'|'.join(_NAMES)})$",
    },
}
_SCHEMA: Final[Schema] = {
    "type": "object",
    "properties": {
        "units": {"type": "array", "items": {"type": "string"}},
        "joins": _LIST_OF_JOINS,
    },
    "required": ["units", "joins"],
    "additionalProperties": False,
}
_JOINS: Final[Schema] = {
    "type": "object",
    "properties": {"joins": _LIST_OF_JOINS},
    "required": ["joins"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class ModelChunkParser:
    """A ``core.ports.ChunkParser`` by a language model.

    A reply is rejected if its units do not add up to the chunk's text, its joins do not form one binary tree over them,
    or a relation is not one of the 24. Units that differ from the text in whitespace or single characters are corrected
    if their alignment is unique.
    """

    runner: LlmRunner

    @property
    def name(self) -> str:
        """Model and prompt."""
        return f"tree-{PROMPT_VERSION} {self.runner.model.name}"

    def parse_chunks(self, chunks: Sequence[Chunk], progress: Progress | None = None) -> list[ChunkTree | None]:
        """One tree per chunk; see ``core.ports.ChunkParser``. All requests are sent together."""
        requests = {chunk.text: self._request(chunk) for chunk in chunks if chunk.text.strip()}
        outcomes = self.runner.run(requests.values(), progress)
        trees: list[ChunkTree | None] = []
        for chunk in chunks:
            outcome = outcomes[requests[chunk.text].key] if chunk.text in requests else None
            trees.append(unpack_tree(outcome.texts[0]) if outcome and outcome.texts else None)
        return trees

    def _request(self, chunk: Chunk) -> Request:
        model, text = self.runner.model, chunk.text
        system = prompt("treatise.plan", "tree", PROMPT_VERSION).format(relations=_definitions())
        max_tokens = at_most_half(model, _TOKENS_PER_TOKEN * n_tokens(text) + 200)
        (shown,) = fit_texts(model, system, [text], max_tokens)
        messages = conversation(system, tagged("passage", shown, 1))
        return Request(
            key=request_key("plan", model, messages, max_tokens, _SCHEMA),
            messages=messages,
            max_tokens=max_tokens,
            reader=lambda reply: (pack_tree(read_tree(reply, text)),),
            schema=_SCHEMA,
            expectation=lambda _: _expected_tree(chunk),
        )


@dataclass(frozen=True, slots=True)
class ModelUnitParser:
    """Trees over given units by a language model, to measure it on a treebank (the paper's table 7).

    Relations are the coarse classes of the 24. A text that does not fit into half the model's window has no tree.
    """

    runner: LlmRunner

    def parse_texts(self, texts: Sequence[Sequence[str]]) -> list[DiscourseTree | None]:
        """One tree per text, given as its units; None without an accepted reply. All requests are sent together.

        Raises:
            EngineUnavailableError: If the model failed; finished replies are kept.
        """
        requests = [self._request(units) for units in texts]
        outcomes = self.runner.run(request for request in requests if request)
        found = [outcomes[request.key] if request else None for request in requests]
        return [_tree_of(one, len(units)) for one, units in zip(found, texts, strict=True)]

    def _request(self, units: Sequence[str]) -> Request | None:
        """None for a text of one unit, and for one that is too long."""
        n, model = len(units), self.runner.model
        rules = prompt("treatise.plan", "tree-of-units", UNITS_PROMPT_VERSION)
        system = rules.format(n=n, n_joins=n - 1, relations=_definitions())
        user = tagged("text", "\n".join(f"{number} {' '.join(unit.split())}" for number, unit in enumerate(units, 1)))
        max_tokens = _TOKENS_PER_JOIN * n + 50
        window = model.context_tokens
        if n < 2 or (window and n_tokens(system) + n_tokens(user) + max_tokens > window):
            return None
        messages = conversation(system, user)
        key = request_key("plan", model, messages, max_tokens, _JOINS)
        return Request(key, messages, max_tokens, lambda reply: (_read_joins(reply, n),), _JOINS)


def _tree_of(outcome: CallOutcome | None, n_units: int) -> DiscourseTree | None:
    if n_units == 1:
        return build_tree(1, [])
    return unpack_tree(outcome.texts[0]).tree if outcome and outcome.texts else None


def _read_joins(reply: Reply, n_units: int) -> str:
    """The tree of a reply over so many units, packed, with coarse relations."""
    joins = json_object(reply).get("joins")
    if not isinstance(joins, list):
        raise ModelReplyError("it needs joins, a list of texts")
    found = (_branch(join, n_units) for join in joins)
    branches = [(start, split, end, nuclearity, COARSE[name]) for start, split, end, nuclearity, name in found]
    spans = tuple(Span(unit, unit + 1) for unit in range(n_units))
    return pack_tree(ChunkTree(spans, _binary_tree(branches, n_units)))


def _binary_tree(branches: Sequence[_Branch], n_units: int) -> DiscourseTree:
    if len({(start, end) for start, _, end, _, _ in branches}) < len(branches):
        raise ModelReplyError("two joins cover the same units")
    try:
        return build_tree(n_units, branches)
    except TreeError as error:
        raise ModelReplyError(f"its joins are not one binary tree: {error}") from error


def read_tree(reply: Reply, text: str) -> ChunkTree:
    """The tree of a reply, over exactly this text.

    Raises:
        ModelReplyError: If it is invalid, with a reason that the model can act on.
    """
    found = json_object(reply)
    units, joins = found.get("units"), found.get("joins")
    if not isinstance(units, list) or not isinstance(joins, list) or not all(isinstance(one, str) for one in units):
        raise ModelReplyError("it needs units and joins, both lists of texts")
    spans = align(units, text)
    return ChunkTree(spans, _binary_tree([_branch(join, len(spans)) for join in joins], len(spans)))


def expected_reply(chunk: Chunk) -> str:
    """A reply of the expected length: units of typical length, each joined to all that follow."""
    units = [piece for sentence in chunk.sentences for piece in _cut(chunk.quote(sentence))]
    joins = [f"{i} {i + 1} {len(units)} left ELABORATION" for i in range(1, len(units))]
    return json.dumps({"units": units, "joins": joins}, ensure_ascii=False)


def _expected_tree(chunk: Chunk) -> ExpectedReply:
    text = expected_reply(chunk)
    return ExpectedReply((pack_tree(read_tree(Reply(text, 0, 0), chunk.text)),), n_tokens(text))


def _cut(sentence: str) -> list[str]:
    """Equal pieces, about as many as an annotator would make."""
    size = ceil(len(sentence) / max(1, round(n_words(sentence) / _WORDS_PER_UNIT)))
    return [piece for i in range(0, len(sentence), size) if (piece := sentence[i : i + size].strip())]


def _branch(join: Any, n_units: int) -> _Branch:
    """``(start, split, end, nuclearity, relation)``, 0-based and half-open, from a list or an object with these
    keys.
    """
    parts: list[Any] = [join.get(key) for key in _PARTS] if isinstance(join, dict) else _WORDS.findall(str(join))
    try:
        numbers, (nucleus, relation) = parts[:3], (str(part).lower() for part in parts[3:])
        first, right, last = map(int, numbers)
    except (TypeError, ValueError) as error:
        raise ModelReplyError(f"a join is not {', '.join(_PARTS)}: {json.dumps(join)}") from error
    if not 1 <= first < right <= last <= n_units:
        raise ModelReplyError(f"a join needs 1 <= first < right <= last <= {n_units}, found {first}, {right}, {last}")
    if relation not in INSIDE or nucleus not in _NUCLEI:
        raise ModelReplyError(f"there is no relation {relation.upper()} with the nucleus {nucleus!r}")
    return first - 1, right - 1, last, _NUCLEI[nucleus], relation


def _definitions() -> str:
    return "\n".join(f"- {name.upper()}: {meaning}" for name, meaning in INSIDE.items())
