"""Sectioners by name."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treatise.compose.language_models import open_budget, open_language_model
from treatise.compose.parsers import open_parser
from treatise.core.errors import SettingsError
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import Sectioner
    from treatise.llm.runner import LlmRunner


def open_sectioners(
    names: Sequence[str], *, llm: str | None = None, llm_model: str | None = None
) -> "dict[str, Sectioner]":
    """Sectioners by the names of ``core.recipe.Sectioning``; ``llm`` is needed for one of them.

    Raises:
        SettingsError: If a name is unknown, or a language model is needed and none is named.
        EngineError: If a model cannot be loaded.
    """
    from treatise.core.recipe import Sectioning, Sections
    from treatise.pipeline.sections import open_sectioner

    settings = load_settings()
    found: dict[str, Sectioner] = {}
    for name in names:
        if name not in list(Sectioning):
            raise SettingsError(f"no sectioner is named {name!r} (there are: {', '.join(Sectioning)})")
        found[name] = open_sectioner(
            Sections(sectioning=Sectioning(name)),
            parser=open_parser(settings) if name == Sectioning.DISCOURSE else None,
            runner=_runner(llm or settings.llm, llm_model, settings) if name == Sectioning.LLM else None,
        )
    return found


def _runner(llm: str, llm_model: str | None, settings: Settings) -> "LlmRunner":
    from treatise.llm.runner import LlmRunner

    if not llm:
        raise SettingsError("sections by a language model need one: name it with --llm")
    return LlmRunner(open_language_model(llm, llm_model, settings), budget=open_budget(settings))
