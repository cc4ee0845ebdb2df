"""The page of systems names every recipe, and only recipes."""

import re
from pathlib import Path

from treatise.recipes import RECIPES

PAGE = Path(__file__).parents[2] / "docs" / "systems.md"


def test_the_page_of_systems_names_every_recipe() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## All recipes")[2].partition("\n## ")[0]
    first_column = " ".join(line.split("|")[1] for line in section.splitlines() if line.startswith("|"))
    named = set(re.findall(r"`([a-z0-9-]+)`", section.partition("|")[2]))
    suffixes = {name for name in named if name.startswith("-")}
    whole = {name for name in re.findall(r"`([a-z0-9-]+)`", first_column) if name not in suffixes}
    assert whole <= set(RECIPES)
    assert set(RECIPES) <= whole | {name + suffix for name in whole for suffix in suffixes}
    assert all(any(name.endswith(suffix) for name in RECIPES) for suffix in suffixes)
