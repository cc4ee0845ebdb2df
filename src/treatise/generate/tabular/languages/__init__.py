"""The words by which each language asks a table and heads its columns: a language is one value."""

from dataclasses import fields
from typing import Final

from treatise.generate.tabular.languages.english import ENGLISH
from treatise.generate.tabular.languages.german import GERMAN
from treatise.generate.tabular.languages.language import Language
from treatise.generate.tabular.languages.romance import FRENCH, ITALIAN, SPANISH

__all__ = ["ALL", "ENGLISH", "LANGUAGES", "Language"]

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN)


def _together(languages: tuple[Language, ...]) -> Language:
    """The words of all languages."""
    names = [one.name for one in fields(Language)]
    return Language(**{name: "|".join(filter(None, (getattr(one, name) for one in languages))) for name in names})


ALL: Final = _together(LANGUAGES)
"""The words of all languages."""
