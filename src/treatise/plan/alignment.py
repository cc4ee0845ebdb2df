"""Aligns the units in a model's reply with their source text."""

import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from typing import Final

from treatise.core.document import Span, trim
from treatise.core.errors import ModelReplyError

MAX_DIFFERING: Final = 0.04
"""Maximum share of characters, ignoring whitespace, in which units and text may differ. Paraphrases differ in far
more.
"""

_ALIKE: Final = str.maketrans("“”„«»’‘`–—−", '"""""' + "'''" + "---")


def align(units: Sequence[str], text: str) -> tuple[Span, ...]:
    """The spans of the units in the text, ascending, with only whitespace outside them.

    Whitespace may differ freely. Other characters may differ in width, case, quotation mark or dash; beyond that, up to
    ``MAX_DIFFERING`` of them may differ if the beginning of each unit is found in the text.

    Raises:
        ModelReplyError: If the units do not add up to the text.
    """
    if not units or not all(unit.strip() for unit in units):
        raise ModelReplyError("it has no units, or an empty one")
    places = [i for i, character in enumerate(text) if not character.isspace()]
    wanted = "".join(map(_plain, (text[i] for i in places)))
    pieces = ["".join(_plain(c) for c in unit if not c.isspace()) for unit in units]
    joined_units = "".join(pieces)
    edges = list(accumulate(map(len, pieces), initial=0))
    if joined_units != wanted:
        edges = _moved(edges, joined_units, wanted)
    bounds = (Span(places[start], places[end - 1] + 1) for start, end in pairwise(edges))
    return tuple(trim(text, span) for span in bounds)


def _plain(character: str) -> str:
    """Maps a character to its canonical form: width, case, quotation mark, dash."""
    folded = unicodedata.normalize("NFKC", character.translate(_ALIKE)).casefold()
    return folded if len(folded) == 1 else character


def _moved(edges: Sequence[int], joined_units: str, wanted: str) -> list[int]:
    """The unit boundaries of ``joined_units``, as offsets in ``wanted``."""
    matcher = SequenceMatcher(None, joined_units, wanted, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    n_same = sum(block.size for block in blocks)
    if max(len(joined_units), len(wanted)) - n_same > MAX_DIFFERING * len(wanted):
        raise ModelReplyError("its units are not the text cut up: copy the text to the letter, leave nothing out")
    place_of = {block.a + i: block.b + i for block in blocks for i in range(block.size)}
    moved = [0]
    for edge in edges[1:-1]:
        before, after = place_of.get(edge - 1), place_of.get(edge)
        if after is None or (before is not None and after <= before) or after <= moved[-1]:
            raise ModelReplyError(f"a unit's beginning is not in the text: {joined_units[edge : edge + 20]!r}")
        moved.append(after)
    return [*moved, len(wanted)]
