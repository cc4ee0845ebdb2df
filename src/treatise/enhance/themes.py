"""Sections by a language model (HTSIR), which reads numbered passages and names where new themes begin."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import ceil
from typing import Final

import numpy as np

from treatise.core.errors import ModelReplyError
from treatise.core.note import note_key
from treatise.core.ports import Progress, Reply, Sectioner
from treatise.core.vectors import Floats
from treatise.core.words import clip, n_tokens, n_words
from treatise.llm.json_reply import NOT_THE_JSON, json_list
from treatise.llm.prompts import prompt
from treatise.llm.request import ExpectedReply, Request, Schema, conversation
from treatise.llm.runner import LlmRunner
from treatise.llm.window import window_of

_SHOWN_WORDS: Final = 60
"""Words shown of a passage: enough to recognise its theme."""

_REPLY_TOKENS: Final = 1_024
_PROMPT_OVERHEAD: Final = 256  # of the system prompt and a chat template
_TOKENS_PER_SECTION: Final = 7  # of the JSON around each number
_SCHEMA: Final[Schema] = {
    "type": "object",
    "properties": {
        "sections": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"theme": {"type": "string"}, "first": {"type": "integer"}},
                "required": ["theme", "first"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sections"],
    "additionalProperties": False,
}


class Themes:
    """A ``Sectioner`` that asks a language model; its requests are cached and within the runner's budget.

    Texts that exceed the model's window are read in several runs of passages. ``n_sections`` is only a
    hint to the model.

    Args:
        runner: Sends the requests.
        fallback: Divides a run if no reply is accepted or the budget is exhausted.
        prompt_version: Number of the prompt.
        progress: Counts replies.
    """

    def __init__(
        self, runner: LlmRunner, *, fallback: Sectioner, prompt_version: int = 1, progress: Progress | None = None
    ) -> None:
        self._runner, self._fallback = runner, fallback
        self._version, self._progress = prompt_version, progress

    @property
    def name(self) -> str:
        """Prompt, model, and the fallback."""
        return f"themes-{self._version} {self._runner.model.name}, {self._fallback.name}"

    def starts(self, texts: Sequence[str], vectors: Floats, n_sections: int, language: str = "en") -> list[int]:
        """See ``Sectioner.starts``."""
        edges = self._runs(texts)
        share = n_sections / len(texts)
        requests = [self._request(texts[a:b], max(1, round(share * (b - a)))) for a, b in pairwise(edges)]
        outcomes = self._runner.run(requests, self._progress)
        found = {0}
        for (a, b), request in zip(pairwise(edges), requests, strict=True):
            outcome = outcomes[request.key]
            if outcome is not None and outcome.texts:
                # A run's first passage continues the previous theme, unless the model says that a new one begins.
                found.update(a + int(number) for number in outcome.texts if int(number))
            else:
                n = max(1, round(share * (b - a)))
                found.update(a + at for at in self._fallback.starts(texts[a:b], vectors[a:b], n, language))
        return sorted(found)

    def _runs(self, texts: Sequence[str]) -> list[int]:
        """Edges of runs of passages of about equal length, each of which fits one prompt."""
        room = window_of(self._runner.model) - _REPLY_TOKENS - _PROMPT_OVERHEAD
        lengths = [n_tokens(_shown(i, text)) for i, text in enumerate(texts)]
        n_runs = max(1, ceil(sum(lengths) / max(1, room)))
        edges, total = [0], 0
        for i, length in enumerate(lengths):
            if i > edges[-1] and total + length > min(room, 1.05 * sum(lengths) / n_runs):
                edges.append(i)
                total = 0
            total += length
        return [*edges, len(texts)]

    def _request(self, texts: Sequence[str], n_sections: int) -> Request:
        rules = prompt("treatise.enhance", "themes", self._version).format(n_sections=n_sections)
        shown = "\n".join(_shown(i, text) for i, text in enumerate(texts, 1))
        return Request(
            key=note_key(f"themes-{self._version}", self._runner.model.name, str(n_sections), *texts),
            messages=conversation(rules, shown),
            max_tokens=_REPLY_TOKENS,
            reader=partial(_read_starts, len(texts)),
            schema=_SCHEMA,
            expectation=partial(_equal_sections, len(texts), n_sections),
        )


def _read_starts(n_passages: int, reply: Reply) -> tuple[str, ...]:
    """The 0-based passages at which the themes of a reply begin.

    Raises:
        ModelReplyError: If it is not the requested JSON, or its numbers are not ascending numbers of the passages
            shown.
    """
    try:
        found = [section["first"] for section in json_list(reply, "sections")]
    except (TypeError, KeyError) as error:
        raise ModelReplyError("a section has no number of its first passage", NOT_THE_JSON) from error
    if not found or not all(type(number) is int for number in found):
        raise ModelReplyError("it names no section by the number of its first passage")
    if any(a >= b for a, b in pairwise(found)) or found[0] < 1 or found[-1] > n_passages:
        raise ModelReplyError(f"its sections begin at {found}, expected ascending numbers from 1 to {n_passages}")
    return tuple(str(number - 1) for number in found)


def _equal_sections(n_passages: int, n_sections: int, share: float) -> ExpectedReply:  # noqa: ARG001  (no summary)
    """Sections of equal numbers of passages."""
    n = min(n_sections, n_passages)
    texts = tuple(str(i * n_passages // n) for i in range(n))
    return ExpectedReply(texts, sum(map(n_tokens, texts)) + _TOKENS_PER_SECTION * n)


def words_per_section(samples: Sequence[Sequence[str]], sectioner: Themes, *, guess: int = 1_000) -> int:
    """The mean section length, in words, that the model finds in sample texts (runs of passages), as in the paper.

    A whole collection of similar texts can then be cut into sections of that length without a call:
    ``Sections.section_words`` with ``Sectioning.COHESION``, or ``EVEN`` as in the paper. ``guess`` is the expected
    length in the prompt.
    """
    from statistics import mean  # slow: it imports fractions and random numbers

    means = []
    for texts in samples:
        words = sum(map(n_words, texts))
        starts = sectioner.starts(texts, np.zeros((len(texts), 1), dtype=np.float32), max(1, round(words / guess)))
        means.append(words / len(starts))
    return max(1, round(mean(means))) if means else guess


def _shown(number: int, text: str) -> str:
    return f"[{number}] {clip(' '.join(text.split()), _SHOWN_WORDS)}"
