"""Outcomes and errors of the requests of one run."""

from dataclasses import dataclass, field

from treatise.core.errors import EngineError, EngineUnavailableError, ModelReplyError, PromptRefusedError
from treatise.core.note import CallOutcome
from treatise.core.ports import Reply
from treatise.llm.request import Request, Texts
from treatise.llm.retry import with_reason


@dataclass(slots=True)
class Results:
    """The results so far of the requests of one run.

    Attributes:
        keys: Of all requests, in order.
        outcomes: By key; failed and unsent requests have none.
        errors: Why a request has no texts, by key, from the engine or the reader.
        again: Requests to repeat, with the reason of the rejection.
        failure: The error that ends the run.
        refusal: The last prompt that the engine refused.
    """

    keys: list[str]
    outcomes: dict[str, CallOutcome]
    errors: dict[str, EngineError] = field(default_factory=dict)
    again: dict[str, Request] = field(default_factory=dict)
    failure: EngineError | None = None
    refusal: PromptRefusedError | None = None

    def fail(self, key: str, error: Exception) -> None:
        """Records a failed request; the first failure counts."""
        translated = error if isinstance(error, EngineError) else EngineUnavailableError(str(error))
        translated.__cause__ = translated.__cause__ or (error if translated is not error else None)
        self.errors[key] = translated
        self.failure = self.failure or translated

    def add(self, request: Request, reply: Reply, read: Texts | ModelReplyError) -> None:
        """Adds a reply to its request's outcome, which counts the tokens of all its replies."""
        before = self.outcomes.get(request.key, CallOutcome((), 0, 0))
        cost = before.prompt_tokens + reply.prompt_tokens, before.completion_tokens + reply.completion_tokens
        if not isinstance(read, ModelReplyError):
            self.errors.pop(request.key, None)
            self.outcomes[request.key] = CallOutcome(read, *cost)
            return
        self.errors[request.key] = read
        self.outcomes[request.key] = CallOutcome((), *cost, read.rejection_reason)
        self.again[request.key] = with_reason(request, reply, read)
        if isinstance(read, PromptRefusedError):
            self.refusal = read

    def texts_or_error(self, key: str, model: str) -> Texts | EngineError:
        """The texts of a request, or the error in place of them."""
        outcome = self.outcomes.get(key)
        if outcome is not None and outcome.texts:
            return outcome.texts
        if key in self.errors:
            return self.errors[key]
        if outcome is not None:
            return ModelReplyError(
                f"an earlier reply was rejected: {outcome.rejection_reason}", outcome.rejection_reason
            )
        return self.failure or EngineError(f"{model} was not called: the limit on calls or cost is reached")
