"""What indexing would cost: ``treatise index --estimate``."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Unpack

from treatise.cli.explain import read_named
from treatise.cli.options import LibraryOptions, opened_library
from treatise.cli.output import Line, line, show, show_json
from treatise.cli.places import short_source
from treatise.cli.progress import duration
from treatise.cli.records import Record
from treatise.cli.sources import Named, data_of, find

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.pipeline import Library

_SAMPLE: Final = 32
"""Paragraphs that are timed, spread over the document."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one source would cost.

    Attributes:
        n_words, n_sentences: Of the whole document.
        seconds: Time to index it on this machine, from a sample of its paragraphs.
    """

    source: str
    n_words: int
    n_sentences: int
    seconds: float
