"""What a run's language model says while it answers: its failures, and the prompts whose attention is measured."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from treatise.core.errors import EngineUnavailableError
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.recipe import Decoding
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.evaluate.run.spec import RunSpec
from treatise.llm.decoding import decoded
from treatise.llm.dry_run import DryRunModel


@dataclass(slots=True)
class Heard:
    """The latest calls of a model.

    Attributes:
        messages, reply: The latest reply in plain words, and what it was given for; empty before the first.
        failure: Why a call got no reply, although the question went on without it; None if all did.
    """

    messages: Sequence[Message] = ()
    reply: str = ""
    failure: EngineUnavailableError | None = None

    def forget(self) -> None:
        """Empties it before the next question."""
        self.messages, self.reply, self.failure = (), "", None

    def check(self) -> None:
        """Raises the failure: users keep a draft that the critic could not read, but it is another system's answer.

        Raises:
            EngineUnavailableError: If a call got no reply.
        """
        if self.failure:
            raise self.failure


@dataclass(frozen=True, slots=True)
class OverheardModel:
    """A ``LanguageModel`` that passes everything to another one, and remembers what it says."""

    model: LanguageModel
    heard: Heard = field(default_factory=Heard)

    @property
    def name(self) -> str:
        """The model's."""
        return self.model.name

    @property
    def context_tokens(self) -> int:
        """The model's."""
        return self.model.context_tokens

    def with_decoding(self, decoding: Decoding) -> "OverheardModel":
        """See ``Decodable``; the memory is shared."""
        return OverheardModel(decoded(self.model, decoding), self.heard)

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """See ``LanguageModel.chat``."""
        for index, reply in self.model.chat(conversations, max_tokens=max_tokens, schema=schema):
            if isinstance(reply, EngineUnavailableError):
                self.heard.failure = reply
            elif isinstance(reply, Reply) and schema is None:
                self.heard.messages, self.heard.reply = conversations[index], reply.text
            yield index, reply


def overheard(spec: RunSpec) -> tuple[RunSpec, Heard]:
    """The spec with a model, if it has one, whose latest calls are remembered."""
    heard, engines = Heard(), spec.opened_engines()
    if engines.model is None or isinstance(engines.model, DryRunModel):
        return spec, heard
    return replace(spec, engines=replace(engines, model=OverheardModel(engines.model, heard))), heard


def mean_entropies(
    documents: Sequence[LabelledDocument], cells: Sequence[tuple[str, int, Mapping[str, float]]]
) -> list[dict[str, object]]:
    """Mean entropy in nats by recipe and budget, with its 95 % interval over documents.

    Args:
        documents: With all questions.
        cells: Recipe, budget, and the entropies by question id; a question without an answer is left out.
    """
    return [_mean(documents, *cell) for cell in cells if cell[2]]


def _mean(
    documents: Sequence[LabelledDocument], slug: str, budget: int, entropies: Mapping[str, float]
) -> dict[str, object]:
    places = [(at, question.id) for at, one in enumerate(documents) for question in one.questions]
    found = [(at, entropies[question]) for at, question in places if question in entropies]
    values = np.array([value for _, value in found])
    low, high = bootstrap_interval(values, np.array([at for at, _ in found]))
    return {"recipe": slug, "budget": budget, "n": len(found), "mean": float(values.mean()), "low": low, "high": high}
