"""A language model whose server could not be reached when it was opened."""

from collections.abc import Iterator, Sequence

from treatise.core.errors import EngineError
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.recipe import Decoding


class UnavailableChat:
    """A ``LanguageModel`` that fails with the same error each time, so that answers fall back to quotations.

    Args:
        name: Names the server in messages and keys.
        error: Why it is unavailable.
    """

    def __init__(self, name: str, error: EngineError) -> None:
        self._name = name
        self._error = error

    @property
    def name(self) -> str:
        """The constructor's argument."""
        return self._name

    @property
    def context_tokens(self) -> int:
        """0: unknown."""
        return 0

    def with_decoding(self, _decoding: Decoding) -> LanguageModel:
        """Itself: it replies nothing."""
        return self

    def chat(
        self,
        conversations: Sequence[Sequence[Message]],
        *,
        max_tokens: int,  # noqa: ARG002  (of the protocol)
        schema: dict[str, object] | None = None,  # noqa: ARG002
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """The error for each conversation; see ``LanguageModel.chat``."""
        for index in range(len(conversations)):
            yield index, self._error
