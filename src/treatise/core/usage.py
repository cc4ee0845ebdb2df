"""Usage of an answer: seconds, calls of a language model and tokens, by stage."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Stage(StrEnum):
    """A stage between a question and its answer."""

    INDEX = "index"
    LOAD = "load"
    RETRIEVE = "retrieve"
    QUERIES = "queries"  # the plan made before retrieval, and its queries
    TREES = "trees"
    GRAPH = "graph"
    PLAN = "plan"
    RULES = "rules"  # a plan by rules, and conflicts
    ANSWER = "answer"
    SUMMARY = "summary"
    FAILED = "failed"  # calls of an attempt that ended because the model failed


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Calls of a language model.

    Attributes:
        n_calls: Requests sent.
        n_reused: Calls answered from the cache.
        prompt_tokens, completion_tokens: As the engine counts them.
        n_rejected_replies: Replies not of the requested form.
        n_given_up: Calls without any accepted reply, reused ones included.
    """

    n_calls: int = 0
    n_reused: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    n_rejected_replies: int = 0
    n_given_up: int = 0

    def __add__(self, other: "ModelUsage") -> "ModelUsage":
        return ModelUsage(
            self.n_calls + other.n_calls,
            self.n_reused + other.n_reused,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.n_rejected_replies + other.n_rejected_replies,
            self.n_given_up + other.n_given_up,
        )


@dataclass(frozen=True, slots=True)
class StageUsage:
    """The cost of one stage.

    Attributes:
        seconds: Wall time; None if not measured.
        model: Calls of a language model; None if the stage made none.
    """

    seconds: float | None = None
    model: ModelUsage | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of an answer or a summary.

    Attributes:
        stages: By stage; stages that did not run are absent.
        structure_tokens: Tokens of the prompt's ``"trees"``, ``"graph"`` and ``"plan"``, by our own count.
        evidence_words: Length of the reader's input text; None for a summary.
        summary_words: Length of a summary; None for an answer.
    """

    stages: Mapping[Stage, StageUsage] = field(default_factory=dict)
    structure_tokens: Mapping[str, int] = field(default_factory=dict)
    evidence_words: int | None = None
    summary_words: int | None = None

    def seconds(self, stage: Stage) -> float:
        """Wall time of a stage; 0 if it did not run."""
        return self.stages.get(stage, StageUsage()).seconds or 0.0

    def model(self, stage: Stage) -> ModelUsage:
        """Calls of a stage; zeros if it made none."""
        return self.stages.get(stage, StageUsage()).model or ModelUsage()

    def model_of(self, stages: Iterable[Stage]) -> ModelUsage:
        """Calls of several stages together."""
        return sum(map(self.model, stages), ModelUsage())

    @property
    def total_seconds(self) -> float:
        """Wall time of all stages."""
        return sum(map(self.seconds, self.stages))

    @property
    def total_model(self) -> ModelUsage:
        """Calls of all stages that led to the answer; those of a failed attempt are left out."""
        return self.model_of(stage for stage in self.stages if stage is not Stage.FAILED)

    def with_stage(self, stage: Stage, *, seconds: float | None = None, model: ModelUsage | None = None) -> "Usage":
        """This usage with the seconds or the calls of one stage replaced; None keeps the current value."""
        known = self.stages.get(stage, StageUsage())
        merged = StageUsage(known.seconds if seconds is None else seconds, known.model if model is None else model)
        return replace(self, stages={**self.stages, stage: merged})

    def after(self, before: "Usage") -> "Usage":
        """This usage together with that of earlier stages."""
        return replace(self, stages={**before.stages, **self.stages})
