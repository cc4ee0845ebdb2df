"""The leaves of a tree."""

from dataclasses import dataclass

from treatise.core.errors import RecipeError


@dataclass(frozen=True, slots=True)
class Sentences:
    """Every sentence is a leaf.

    Attributes:
        context_weight: Share of the contextual vector in a leaf's vector, 0 to 1; the rest is the vector of the
            leaf's own text. 0 encodes no contexts; 1 encodes no leaf by itself.
    """

    context_weight: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.context_weight <= 1:
            raise RecipeError(f"context_weight is a share, 0 to 1, not {self.context_weight}")


@dataclass(frozen=True, slots=True)
class Chunks:
    """Runs of whole sentences, of at most ``words`` words; a longer sentence is a chunk of its own."""

    words: int = 100

    def __post_init__(self) -> None:
        _check("words", self.words)


@dataclass(frozen=True, slots=True)
class ClauseChunks:
    """RAPTOR's leaves: runs of at most ``tokens`` tokens by our count. A longer sentence is cut after clauses."""

    tokens: int = 100

    def __post_init__(self) -> None:
        _check("tokens", self.tokens)


@dataclass(frozen=True, slots=True)
class TokenChunks:
    """Disco-RAG's chunks: runs of at most ``tokens`` tokens of the encoder's tokenizer, never longer."""

    tokens: int = 100

    def __post_init__(self) -> None:
        _check("tokens", self.tokens)


Units = Sentences | Chunks | ClauseChunks | TokenChunks


def _check(name: str, length: int) -> None:
    if length < 1:
        raise RecipeError(f"a chunk has at least 1 of its {name}, not {length}")
