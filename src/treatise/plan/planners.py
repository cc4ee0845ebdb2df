"""Plans by a language model: from the structure of what was retrieved (the paper, figure 12), or before retrieval."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.errors import ModelReplyError
from treatise.core.graph import Chunk
from treatise.core.plan import Plan, Structure
from treatise.core.ports import Caller, Reply
from treatise.core.recipe import Format
from treatise.core.words import n_words
from treatise.llm.request import fitted, json_in, listed, request, rules, tagged
from treatise.plan.nuclearity import digest
from treatise.plan.render import render

PROMPT_VERSION: Final = 1
MAX_WORDS: Final = 100
MAX_QUERIES: Final = 4

_LENIENCE: Final = 2.0  # how many times longer than asked a plan may be
_MAX_TOKENS: Final = 320
_SENTENCES: Final[dict[str, object]] = {
    "type": "string",
    "pattern": '^[^"\\\\\\n]{1,800}$',
}  # a grammar must make it end
_QUERY: Final[dict[str, object]] = {"type": "string", "pattern": '^[^"\\\\\\n]{1,160}$'}
_PLAN: Final[dict[str, object]] = {
    "type": "object",
    "properties": {"plan": _SENTENCES},
    "required": ["plan"],
    "additionalProperties": False,
}
_QUERIES: Final[dict[str, object]] = {
    "type": "object",
    "properties": {
        "plan": _SENTENCES,
        "queries": {"type": "array", "items": _QUERY, "maxItems": MAX_QUERIES},
    },
    "required": ["plan", "queries"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class ModelPlanner:
    """Plans by a language model: one paragraph.

    Attributes:
        caller: Asks the model.
        format: How trees and graph are written into its prompt.
        digest_words: Words of each chunk that it reads, those of its most nuclear units, and the graph; 0 for whole
            chunks, trees and graph.
    """

    caller: Caller
    format: Format
    digest_words: int = 0

    def plan(self, question: str, chunks: Sequence[Chunk], structure: Structure) -> Plan | None:
        """The plan; None where there is no chunk, or no reply was one."""
        if not chunks:
            return None
        model = self.caller.model
        is_digest = self.digest_words > 0
        system = rules("plan-digest" if is_digest else "plan", PROMPT_VERSION, max_words=MAX_WORDS)
        trees = () if is_digest else structure.trees  # a digest is what they say
        written = render(Structure(trees, structure.graph), chunks, self.format).text
        shown = fitted(model, system + written, self._shown(chunks, structure), _MAX_TOKENS)
        passages = [(listed if is_digest else tagged)(i, text) for i, text in enumerate(shown, 1)]
        asked = request(
            model,
            system,
            "\n".join([*passages, *([written] if written else []), "", f"Question: {question}"]),
            max_tokens=_MAX_TOKENS,
            schema=_PLAN,
            reader=lambda reply: (_paragraph(json_in(reply).get("plan")),),
        )
        finished = self.caller.run([asked])[asked.key]
        return Plan(finished.texts[0]) if finished and finished.texts else None

    def _shown(self, chunks: Sequence[Chunk], structure: Structure) -> list[str]:
        if not self.digest_words:
            return [chunk.text for chunk in chunks]
        trees = structure.trees or (None,) * len(chunks)
        return [digest(chunk, tree, self.digest_words) for chunk, tree in zip(chunks, trees, strict=True)]


def plan_before_retrieval(question: str, caller: Caller) -> tuple[Plan, tuple[str, ...]] | None:
    """A plan from the question alone, and what to search for (plan-and-retrieve); None where no reply was one."""
    system = rules("queries", PROMPT_VERSION, max_words=MAX_WORDS, max_queries=MAX_QUERIES)
    asked = request(
        caller.model,
        system,
        f"Question: {question}",
        max_tokens=_MAX_TOKENS,
        schema=_QUERIES,
        reader=_plan_and_queries,
    )
    finished = caller.run([asked])[asked.key]
    if finished is None or not finished.texts:
        return None
    return Plan(finished.texts[0]), tuple(json.loads(finished.texts[1]))


def _plan_and_queries(reply: Reply) -> tuple[str, str]:
    found = json_in(reply)
    queries = found.get("queries")
    if not isinstance(queries, list) or not all(isinstance(query, str) for query in queries):
        raise ModelReplyError("it needs queries, a list of texts")
    said = [" ".join(query.split()) for query in queries if query.strip()]
    return _paragraph(found.get("plan")), json.dumps(said[:MAX_QUERIES])


def _paragraph(plan: object) -> str:
    """A plan on one line. Raises ``ModelReplyError`` where it is none."""
    if not isinstance(plan, str) or not any(map(str.isalnum, plan)):
        raise ModelReplyError("it needs a plan, one paragraph of text")
    if (length := n_words(plan)) > _LENIENCE * MAX_WORDS:
        raise ModelReplyError(f"its plan has {length} words, asked were at most {MAX_WORDS}")
    return " ".join(plan.split())
