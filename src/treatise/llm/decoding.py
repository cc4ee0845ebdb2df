"""Sets how a language model decodes."""

from copy import copy
from typing import Self

from treatise.core.errors import RecipeError
from treatise.core.ports import Decodable, LanguageModel
from treatise.core.recipe import DEFAULT_DECODING, Decoding


class SettableDecoding:
    """Base class of language models whose decoding can be set: a copy with other settings shares all the rest."""

    _decoding: Decoding = DEFAULT_DECODING

    def with_decoding(self, decoding: Decoding) -> Self:
        """See ``Decodable``."""
        if decoding == self._decoding:
            return self
        other = copy(self)
        other._decoding = decoding
        return other


def decoded(model: LanguageModel, decoding: Decoding) -> LanguageModel:
    """The model with these decoding settings.

    Raises:
        RecipeError: If they are not the default, and the model's cannot be set.
    """
    if isinstance(model, Decodable):
        return model.with_decoding(decoding)
    if decoding == DEFAULT_DECODING:
        return model
    raise RecipeError(f"the decoding of {model.name} cannot be set: take {decoding.suffix} out of the recipe")
