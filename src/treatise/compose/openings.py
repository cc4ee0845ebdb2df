"""What tells the documents of a library apart, by name."""

from functools import partial
from typing import TYPE_CHECKING

from treatise.core.errors import MissingExtraError, SettingsError
from treatise.core.installed import has_large, large_need
from treatise.settings import LARGE, Settings

if TYPE_CHECKING:
    from treatise.core.ports import Encoder
    from treatise.pipeline.openings import Openings


def open_openings(settings: Settings) -> "Openings | None":
    """The openings of documents by the encoder that ``prior`` names; None for the means of their first leaves.

    Raises:
        SettingsError: If the name is unknown.
        MissingExtraError: If it is the large one, and its extra is not installed.
    """
    if not settings.prior:
        return None
    if settings.prior != LARGE:
        raise SettingsError(f"no prior is named {settings.prior!r}: give {LARGE!r}, or nothing for the usual one")
    if not has_large():
        raise MissingExtraError(large_need("the large prior"), LARGE)
    from treatise.engines.trained_tokens import MPNET
    from treatise.pipeline.openings import Openings

    return Openings(MPNET, partial(_mpnet, settings.threads))


def _mpnet(threads: int) -> "Encoder":
    from treatise.engines.mpnet import open_mpnet_encoder

    return open_mpnet_encoder(threads=threads)
