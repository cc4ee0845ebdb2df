"""How a language model chooses the words of its replies."""

from dataclasses import dataclass

from treatise.core.errors import RecipeError


@dataclass(frozen=True, slots=True)
class Decoding:
    """Decoding settings of every call of a recipe, where the engine has them.

    Attributes:
        temperature: 0 for the most probable word each time; at most 2.
        top_p: Words are drawn from the most probable ones of this total probability, above 0, at most 1.
        max_tokens: Longest reply; 0 for what each request needs. A reply is never longer than a request needs.
        seed: Seed of the draws.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.temperature <= 2 and 0 < self.top_p <= 1 and self.max_tokens >= 0 and self.seed >= 0):
            raise RecipeError(
                "decoding needs a temperature from 0 to 2, top_p above 0 and at most 1, max_tokens and seed not below "
                f"0: {self.temperature}, {self.top_p}, {self.max_tokens}, {self.seed}"
            )

    @property
    def suffix(self) -> str:
        """What the name of a model says of these settings: the seed, and others that are not the default."""
        parts = [
            f" temperature {self.temperature:g}" if self.temperature else "",
            f" top-p {self.top_p:g}" if self.top_p < 1 else "",
            f" max-tokens {self.max_tokens}" if self.max_tokens else "",
        ]
        return f"seed {self.seed}{''.join(parts)}"

    def limit(self, max_tokens: int) -> int:
        """The longest reply to a request that needs at most ``max_tokens``."""
        return min(max_tokens, self.max_tokens or max_tokens)


DEFAULT_DECODING = Decoding()
"""The most probable word each time, and a fixed seed."""
