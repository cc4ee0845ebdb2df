"""The public names: a change of this list is a change for users."""

import inspect
import warnings

import pytest

import treatise

NAMES = [
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
"""Add a name here when it becomes public; remove one only after its deprecation (docs/how-to/python.md)."""

LIBRARY = {
    *("add", "ask", "ask_async", "close", "document", "documents", "index", "index_all", "index_async", "indexed"),
    *("remove", "search", "search_async", "stream", "structure", "summarize", "summarize_async", "tag", "update"),
    *("with_model", "with_recipe"),
}
"""Methods that are promised; others may be added."""


def test_the_public_names_are_these() -> None:
    assert treatise.__all__ == NAMES
    assert set(NAMES) <= set(dir(treatise))


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_can_be_used_and_explains_itself(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = getattr(treatise, name)
    if inspect.isclass(found) or inspect.isfunction(found):
        assert inspect.getdoc(found)


def test_a_library_has_its_promised_methods_and_each_is_explained() -> None:
    public = {name: member for name, member in inspect.getmembers(treatise.Library) if not name.startswith("_")}
    assert set(public) >= LIBRARY
    for name, member in public.items():
        if inspect.isfunction(member):
            assert inspect.getdoc(member), f"Library.{name} has no docstring"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        treatise.nonsense  # noqa: B018
