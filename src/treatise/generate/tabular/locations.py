"""Columns of a table that say where something is: "City", "Room no", "Aisle"."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.words import Head, tokens

ASKS_WHERE: Final = lazy_pattern(rf"\s*(?:{ALL.where})\b", re.IGNORECASE)
_HEAD: Final = lazy_pattern(rf"(?:\w+ )?(?:{ALL.of_places})(?: (?:name|no|number|code))?", re.IGNORECASE)


def asked_locations(question: str, grid: Grid) -> list[int]:
    """The columns of places, without the names of rows that the question names: the place of a room is a floor."""
    named = None if grid.label is None else Head(grid.heads[grid.label])
    is_named = named is not None and any(map(named.means, tokens(question)))
    return [at for at in locations(grid) if not (is_named and at == grid.label)]


def locations(grid: Grid) -> list[int]:
    """The columns of places by their heads, from left to right."""
    columns = sorted(grid.columns.items())
    return [at for at, one in columns if _HEAD.fullmatch(one.plain_head.strip()) and not one.is_of_ranks]
