"""Limits of prompts and replies by a model's context window."""

from collections.abc import Sequence
from typing import Final

from treatise.core.ports import LanguageModel
from treatise.core.words import clip, n_tokens

UNKNOWN_WINDOW: Final = 8_192
"""The assumed window, in tokens, if a model does not report one.

The smallest window among today's chat models in common use. It bounds prompts whose size we choose: notes of a
subtree in one call, passages per ranking, whole documents behind the evidence. Passages of a plan or graph are not
truncated to it (see :func:`fit_texts`): the user's word budget bounds them, and a server that refuses them reports it.
"""

OVERHEAD_TOKENS: Final = 128
"""Tokens of a chat template and our tags."""

_MIN_TOKENS: Final = 16  # minimum per text, however small the window


def window_of(model: LanguageModel) -> int:
    """The model's window in tokens, or ``UNKNOWN_WINDOW``."""
    return model.context_tokens or UNKNOWN_WINDOW


def at_most_half(model: LanguageModel, max_tokens: int) -> int:
    """The length limit of a reply, at most half of the model's window if that is known."""
    return min(max_tokens, model.context_tokens // 2) if model.context_tokens else max_tokens


def fit_texts(model: LanguageModel, system: str, texts: Sequence[str], max_tokens: int) -> list[str]:
    """The texts, clipped if they do not fit a known window with the system prompt and the reply."""
    if not model.context_tokens:
        return list(texts)
    return clip_evenly(texts, model.context_tokens - max_tokens - n_tokens(system) - OVERHEAD_TOKENS)


def clip_evenly(texts: Sequence[str], n_tokens_left: int) -> list[str]:
    """The texts if they fit together, else each clipped to an equal share."""
    if sum(map(n_tokens, texts)) <= n_tokens_left:
        return list(texts)
    return [clip(text, max(_MIN_TOKENS, n_tokens_left // len(texts)), n_tokens) for text in texts]
