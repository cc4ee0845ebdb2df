"""Treatise: ask long documents questions, by their discourse structure, offline.

>>> import treatise
>>> folder = getfixture("tmp_path")
>>> _ = (folder / "tea.txt").write_text("Water boils at 100 degrees. Keep the leaves dry.")
>>> library = treatise.open_library(store=folder / "library.db")
>>> library.ask("When does water boil?", [folder / "tea.txt"]).text
'Water boils at 100 degrees.'
>>> library.close()
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from treatise.compose import open_library
    from treatise.core.answer import Answer, Citation
    from treatise.core.document import Document
    from treatise.core.errors import TreatiseError
    from treatise.core.evidence import Evidence
    from treatise.core.recipe import Recipe
    from treatise.integrations.parsing import parse_text
    from treatise.parse.parsed import ParsedText
    from treatise.pipeline.conversation import Conversation
    from treatise.pipeline.library import Library
    from treatise.recipes import RECIPES, recipe_named
    from treatise.settings import Settings

__version__ = "0.2.0"

_HOME_OF: Final = {
    "Answer": "treatise.core.answer",
    "Citation": "treatise.core.answer",
    "Conversation": "treatise.pipeline.conversation",
    "Document": "treatise.core.document",
    "Evidence": "treatise.core.evidence",
    "Library": "treatise.pipeline.library",
    "ParsedText": "treatise.parse.parsed",
    "RECIPES": "treatise.recipes",
    "Recipe": "treatise.core.recipe",
    "Settings": "treatise.settings",
    "TreatiseError": "treatise.core.errors",
    "open_library": "treatise.compose",
    "parse_text": "treatise.integrations.parsing",
    "recipe_named": "treatise.recipes",
}
"""Where each public name is defined: it is imported when it is first asked for, so that the command starts quickly."""

__all__ = [
    "RECIPES",
    "Answer",
    "Citation",
    "Conversation",
    "Document",
    "Evidence",
    "Library",
    "ParsedText",
    "Recipe",
    "Settings",
    "TreatiseError",
    "open_library",
    "parse_text",
    "recipe_named",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
