"""The source of an inner node's vector."""

from dataclasses import dataclass

from treatise.core.errors import RecipeError
from treatise.core.recipe.no_options import NoOptions


@dataclass(frozen=True, slots=True)
class Pooled:
    """The mean of the vectors of the leaves below, weighted by their place in the tree.

    Attributes:
        nucleus_weight: Weight of a nucleus relative to its satellite; 1 weights all leaves equally.
        satellite_weights: Weight of a leaf under a satellite, by relation, if a leaf of the nucleus counts 1; learned
            by ``benchmarks/pooling.py``. Relations without a weight use ``nucleus_weight``.
    """

    nucleus_weight: float = 1.0
    satellite_weights: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        if self.nucleus_weight <= 0:
            raise RecipeError(f"nucleus_weight is above 0, not {self.nucleus_weight}")
        if any(weight < 0 for _, weight in self.satellite_weights):
            raise RecipeError("satellite_weights are not below 0")


class EncodedNotes(NoOptions):
    """The encoder's vector of the node's note: the paper."""

    __slots__ = ()


class QuotedLeaves(NoOptions):
    """The mean of the vectors of the sentences that the note quotes; a written note is encoded."""

    __slots__ = ()


NodeVectors = Pooled | EncodedNotes | QuotedLeaves
