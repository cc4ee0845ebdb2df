"""The libraries of a server: one per recipe, over one store, opened when first asked for."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock, get_ident

from treatise.core.ports import Store
from treatise.pipeline.library import Library
from treatise.recipes import recipe_named

LibraryOpener = Callable[[str], Library]
"""Opens a library for the recipe of this name; an empty name is the recipe of the settings."""


@dataclass(eq=False)
class _Slot:
    """The place of one library: whoever needs it first opens it, and only those who need the same one wait."""

    library: Library | None = None
    lock: Lock = field(default_factory=Lock)

    def get(self, open_library: Callable[[], Library]) -> Library:
        with self.lock:
            if self.library is None:
                self.library = open_library()
            return self.library


class Libraries:
    """Libraries that share one store, one encoder and one language model.

    A library is safe for concurrent questions: see ``docs/design/server.md``.

    Args:
        opener: Opens the library of a recipe.
    """

    def __init__(self, opener: LibraryOpener) -> None:
        self._opener = opener
        self._lock = Lock()
        self.default: Library = opener("")
        self._slots: dict[tuple[object, ...], _Slot] = {}

    @property
    def store(self) -> Store:
        """The store of every library."""
        return self.default.store

    def get(self, recipe: str = "", *, use_model: bool = True) -> Library:
        """The library of a recipe, with the language model of the settings or without one.

        Raises:
            RecipeError: If no recipe has that name.
            EngineError, MissingExtraError: If the recipe needs an engine that cannot be loaded.
        """
        named = self._slug(recipe)
        if use_model or self.default.model is None:
            return self._slot("answer", named).get(lambda: self._answering(named))
        return self._slot("quote", named).get(lambda: self.get(named).with_model(None))

    def indexing(self, recipe: str = "") -> Library:
        """The calling thread's library that indexes under a recipe: questions do not wait for its writes, and its
        spending is that of this thread's job.

        Raises:
            RecipeError, EngineError, MissingExtraError: As ``get``.
        """
        named = self._slug(recipe)
        return self._slot("index", named, get_ident()).get(lambda: self._opened(named))

    def close(self) -> None:
        """Releases the stores."""
        with self._lock:
            opened = [slot.library for slot in self._slots.values() if slot.library is not None]
        for library in (self.default, *opened):
            library.close()

    def _slug(self, recipe: str) -> str:
        return recipe_named(recipe).slug if recipe else self.default.recipe.slug

    def _slot(self, *key: object) -> "_Slot":
        with self._lock:
            return self._slots.setdefault(key, _Slot())

    def _answering(self, recipe: str) -> Library:
        return self.default if recipe == self.default.recipe.slug else self._opened(recipe)

    def _opened(self, recipe: str) -> Library:
        """A library whose encoder, reader and language model are those of the default one."""
        opened = self._opener("" if recipe == self.default.recipe.slug else recipe)
        shared = self.default.system.engines
        engines = replace(
            opened.system.engines,
            encoder=shared.encoder,
            reader=shared.reader,
            multilingual_reader=shared.multilingual_reader,
            openings=shared.openings,
            model=shared.model,
        )
        return replace(opened, system=replace(opened.system, engines=engines))
