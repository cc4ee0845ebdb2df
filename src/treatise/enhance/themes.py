"""Sections by a language model (HTSIR): it reads numbered passages and says where a new theme begins."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from statistics import mean
from typing import Final

import numpy as np

from treatise.core.errors import ModelReplyError
from treatise.core.note import Finished, note_key
from treatise.core.ports import Message, Reply, Sectioner
from treatise.core.vectors import Floats
from treatise.core.words import clip, n_tokens, n_words
from treatise.enhance.jobs import Job
from treatise.enhance.replies import NOT_THE_JSON
from treatise.llm.prompts import prompt
from treatise.llm.runner import LlmRunner

_WINDOW: Final = 8_192  # where the model's is unknown
_SHOWN_WORDS: Final = 60
"""Words of a passage that the model sees: enough to tell its theme."""

_REPLY_TOKENS: Final = 1_024
_SCHEMA: Final[dict[str, object]] = {
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


@dataclass(frozen=True, slots=True)
class _Themes(Job):
    """A job whose reply lists the passages at which themes begin; its texts are these numbers, from 0.

    Attributes:
        n_sections: How many are to be expected.
    """

    n_sections: int = 1

    def expected(self, share: float) -> Finished:  # noqa: ARG002  (themes have no length)
        """Sections of equal numbers of passages."""
        n = min(self.n_sections, len(self.sources))
        return self._finished(tuple(str(i * len(self.sources) // n) for i in range(n)))

    def read(self, reply: Reply) -> tuple[str, ...]:
        """The numbers of a reply. Raises ``ModelReplyError`` where they do not ascend within the passages shown."""
        n_passages = len(self.sources)
        try:
            found = [section["first"] for section in json.loads(reply.text)["sections"]]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise ModelReplyError("it is not the JSON that was asked for", NOT_THE_JSON) from error
        if not found or not all(type(number) is int for number in found):
            raise ModelReplyError("it names no section by the number of its first passage")
        if any(a >= b for a, b in pairwise(found)) or found[0] < 1 or found[-1] > n_passages:
            raise ModelReplyError(f"its sections begin at {found}, expected ascending numbers from 1 to {n_passages}")
        return tuple(str(number - 1) for number in found)


class Themes:
    """A ``Sectioner`` that asks a language model; its calls are cached and within the writer's budget.

    What does not fit into the model's window is read in several runs of passages. ``n_sections`` is a hint to the
    model, which finds their number itself.

    Args:
        writer: Asks the model.
        otherwise: Cuts a run for which no reply fits or no call is left.
        prompt_version: Which prompt.
    """

    def __init__(self, writer: LlmRunner, *, otherwise: Sectioner, prompt_version: int = 1) -> None:
        self._writer, self._otherwise, self._version = writer, otherwise, prompt_version

    @property
    def name(self) -> str:
        """Prompt, model, and who stands in."""
        return f"themes-{self._version} {self._writer.model.name}, {self._otherwise.name}"

    def starts(self, texts: Sequence[str], vectors: Floats, n_sections: int, language: str = "en") -> list[int]:
        """See ``Sectioner.starts``."""
        edges = self._runs(texts)
        share = n_sections / len(texts)
        jobs = [self._job(texts[a:b], max(1, round(share * (b - a)))) for a, b in pairwise(edges)]
        outcomes = self._writer.run(jobs)
        found = {0}
        for (a, b), job in zip(pairwise(edges), jobs, strict=True):
            outcome = outcomes[job.key]
            if outcome is not None and outcome.texts:
                # A run's first passage goes on with the theme before it, unless the model says that a new one begins.
                found.update(a + int(number) for number in outcome.texts if int(number))
            else:
                n = max(1, round(share * (b - a)))
                found.update(a + at for at in self._otherwise.starts(texts[a:b], vectors[a:b], n, language))
        return sorted(found)

    def _runs(self, texts: Sequence[str]) -> list[int]:
        """Edges of runs of passages that the model can read at once, of about equal length."""
        room = (self._writer.model.context_tokens or _WINDOW) - _REPLY_TOKENS - 256
        lengths = [n_tokens(_shown(i, text)) for i, text in enumerate(texts)]
        n_runs = max(1, ceil(sum(lengths) / max(1, room)))
        edges, total = [0], 0
        for i, length in enumerate(lengths):
            if i > edges[-1] and total + length > min(room, 1.05 * sum(lengths) / n_runs):
                edges.append(i)
                total = 0
            total += length
        return [*edges, len(texts)]

    def _job(self, texts: Sequence[str], n_sections: int) -> Job:
        rules = prompt("treatise.enhance", "themes", self._version).format(n_sections=n_sections)
        shown = "\n".join(_shown(i, text) for i, text in enumerate(texts, 1))
        model = self._writer.model
        return _Themes(
            key=note_key(f"themes-{self._version}", model.name, str(n_sections), *texts),
            messages=(Message("system", rules), Message("user", shown)),
            max_tokens=_REPLY_TOKENS,
            max_words=_SHOWN_WORDS,
            sources=tuple(texts),
            schema=_SCHEMA,
            n_sections=n_sections,
        )


def words_per_section(samples: Sequence[Sequence[str]], sectioner: Themes, *, guess: int = 1_000) -> int:
    """The mean words of a section that the model finds in sample texts (each a run of passages): the paper's way.

    Then a whole collection of the like is cut into sections of that length without a call: ``Sections.section_words``
    with ``Sectioning.COHESION``, or ``EVEN`` as in the paper. ``guess`` is what the model is told to expect.
    """
    means = []
    for texts in samples:
        words = sum(map(n_words, texts))
        starts = sectioner.starts(texts, np.zeros((len(texts), 1), dtype=np.float32), max(1, round(words / guess)))
        means.append(words / len(starts))
    return max(1, round(mean(means))) if means else guess


def _shown(number: int, text: str) -> str:
    return f"[{number}] {clip(' '.join(text.split()), _SHOWN_WORDS)}"
