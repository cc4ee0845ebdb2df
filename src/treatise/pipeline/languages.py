"""Questions in another language than their documents: they need an encoder that knows both."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Final

from treatise.core.ports import Encoder
from treatise.pipeline.system import System

MAX_DOCUMENTS: Final = 20
"""Documents of a question that are encoded again for it, at most: more would take too long to wait for."""

EncoderOpener = Callable[[], Encoder]


def with_encoder(system: System, opener: EncoderOpener) -> System:
    """The system with another encoder, which is opened once per process."""
    return replace(system, engines=replace(system.engines, encoder=_opened(opener)))


@cache
def _opened(opener: EncoderOpener) -> Encoder:
    return opener()
