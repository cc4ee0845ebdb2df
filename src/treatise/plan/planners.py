"""Plans by a language model: from the structure of the retrieved chunks (the paper, figure 12), or before retrieval."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.errors import ModelReplyError
from treatise.core.graph import Chunk
from treatise.core.plan import Plan, Structure
from treatise.core.ports import LanguageModel, Reply
from treatise.core.recipe import Format
from treatise.core.words import n_words
from treatise.llm.json_reply import json_object
from treatise.llm.prompts import prompt
from treatise.llm.request import ReplyReader, Request, Schema, conversation, request_key
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import listed, tagged
from treatise.llm.window import fit_texts
from treatise.plan.nuclearity import digest
from treatise.plan.render import render

PROMPT_VERSION: Final = 1
MAX_WORDS: Final = 100
MAX_QUERIES: Final = 4

_LENIENCE: Final = 2.0  # factor by which a plan may exceed the requested length
_MAX_TOKENS: Final = 320
_SENTENCES: Final[Schema] = {
    "type": "string",
    "pattern": '^[^"\\\\\\n]{1,800}$',
}  # bounds the reply of a constrained decoder
_QUERY: Final[Schema] = {"type": "string", "pattern": '^[^"\\\\\\n]{1,160}$'}
_PLAN: Final[Schema] = {
    "type": "object",
    "properties": {"plan": _SENTENCES},
    "required": ["plan"],
    "additionalProperties": False,
}
_QUERIES: Final[Schema] = {
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
        runner: Sends the request.
        format: How trees and graph are written into the prompt.
        digest_words: If not 0, the prompt has the graph and this many words of each chunk, from its most nuclear units;
            0 for whole chunks, trees and graph.
    """

    runner: LlmRunner
    format: Format
    digest_words: int = 0

    def plan(self, question: str, chunks: Sequence[Chunk], structure: Structure) -> Plan | None:
        """The plan; None without chunks or an accepted reply."""
        if not chunks:
            return None
        request = self._request(question, chunks, structure)
        outcome = self.runner.run([request])[request.key]
        return Plan(outcome.texts[0]) if outcome and outcome.texts else None

    def _request(self, question: str, chunks: Sequence[Chunk], structure: Structure) -> Request:
        is_digest = self.digest_words > 0
        name = "plan-digest" if is_digest else "plan"
        system = prompt("treatise.plan", name, PROMPT_VERSION).format(max_words=MAX_WORDS)
        trees = () if is_digest else structure.trees  # the digest replaces the trees
        written = render(Structure(trees, structure.graph), chunks, self.format).text
        shown = fit_texts(self.runner.model, system + written, self._shown(chunks, structure), _MAX_TOKENS)
        passages = [listed(i, text) if is_digest else tagged("passage", text, i) for i, text in enumerate(shown, 1)]
        user = "\n".join([*passages, *([written] if written else []), "", f"Question: {question}"])
        return _request(self.runner.model, system, user, _PLAN, _read_plan)

    def _shown(self, chunks: Sequence[Chunk], structure: Structure) -> list[str]:
        if not self.digest_words:
            return [chunk.text for chunk in chunks]
        trees = structure.trees or (None,) * len(chunks)
        return [digest(chunk, tree, self.digest_words) for chunk, tree in zip(chunks, trees, strict=True)]


def plan_before_retrieval(question: str, runner: LlmRunner) -> tuple[Plan, tuple[str, ...]] | None:
    """A plan from the question alone, and search queries (plan-and-retrieve); None without an accepted reply."""
    rules = prompt("treatise.plan", "queries", PROMPT_VERSION)
    system = rules.format(max_words=MAX_WORDS, max_queries=MAX_QUERIES)
    request = _request(runner.model, system, f"Question: {question}", _QUERIES, _plan_and_queries)
    outcome = runner.run([request])[request.key]
    if outcome is None or not outcome.texts:
        return None
    return Plan(outcome.texts[0]), tuple(json.loads(outcome.texts[1]))


def _request(model: LanguageModel, system: str, user: str, schema: Schema, reader: ReplyReader) -> Request:
    messages = conversation(system, user)
    key = request_key("plan", model, messages, _MAX_TOKENS, schema)
    return Request(key, messages, _MAX_TOKENS, reader, schema)


def _read_plan(reply: Reply) -> tuple[str, ...]:
    return (_paragraph(json_object(reply).get("plan")),)


def _plan_and_queries(reply: Reply) -> tuple[str, str]:
    found = json_object(reply)
    queries = found.get("queries")
    if not isinstance(queries, list) or not all(isinstance(query, str) for query in queries):
        raise ModelReplyError("it needs queries, a list of texts")
    texts = [" ".join(query.split()) for query in queries if query.strip()]
    return _paragraph(found.get("plan")), json.dumps(texts[:MAX_QUERIES])


def _paragraph(plan: object) -> str:
    """The plan on one line. Raises ``ModelReplyError`` if it is empty or too long."""
    if not isinstance(plan, str) or not any(map(str.isalnum, plan)):
        raise ModelReplyError("it needs a plan, one paragraph of text")
    if (length := n_words(plan)) > _LENIENCE * MAX_WORDS:
        raise ModelReplyError(f"its plan has {length} words, asked were at most {MAX_WORDS}")
    return " ".join(plan.split())
