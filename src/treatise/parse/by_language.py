"""Selects the model that was trained for a text's language."""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from treatise.core.once import Once
from treatise.core.tree import DiscourseTree
from treatise.parse.parser import TextParser
from treatise.parse.rows import Text
from treatise.parse.scorer import NullScorer
from treatise.parse.segment import Segmenter

_Model = TypeVar("_Model")

Note = Callable[[str], None]
"""Called with the code of each language that no model knows, once per language."""


class ParsingModel(TextParser, Segmenter, Protocol):
    """A model that parses and segments."""


class _OnFirstUse(Generic[_Model]):
    """A model that is loaded when the first text needs it.

    Args:
        name: The model's name.
        load: Loads it.
    """

    def __init__(self, name: str, load: Callable[[], _Model]) -> None:
        self.name = name
        self._loaded = Once(load)

    @property
    def model(self) -> _Model:
        """The model, loaded now unless it was loaded before."""
        return self._loaded()


class ParserOnFirstUse(_OnFirstUse[TextParser]):
    """A ``TextParser`` that is loaded when the first text needs it."""

    def parse_texts(self, texts: Sequence[Text]) -> list[DiscourseTree]:
        """One tree per text; see :class:`TextParser`."""
        return self.model.parse_texts(texts)


class SegmenterOnFirstUse(_OnFirstUse[Segmenter]):
    """A ``Segmenter`` that is loaded when the first sentence needs it."""

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        """The EDUs of each sentence; see :class:`Segmenter`."""
        return self.model.segment(sentences, lang)


class ParsingModelOnFirstUse(_OnFirstUse[ParsingModel]):
    """A ``ParsingModel`` that is loaded when the first text needs it."""

    def parse_texts(self, texts: Sequence[Text]) -> list[DiscourseTree]:
        """One tree per text; see :class:`TextParser`."""
        return self.model.parse_texts(texts)

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        """The EDUs of each sentence; see :class:`Segmenter`."""
        return self.model.segment(sentences, lang)


class ParserByLanguage:
    """A ``TextParser`` that passes each text to the parser of its language, or to ``other`` if there is none.

    Only the first part of a language code counts, in any case: ``"en-GB"`` and ``"EN"`` are ``"en"``.

    Attributes:
        name: The names of all its parsers.
    """

    def __init__(self, parsers: Mapping[str, TextParser], *, other: TextParser, note: Note | None = None) -> None:
        self._parsers = dict(parsers)
        self._other = other
        self._note = _once(note)
        self.name: str = ",".join([*(f"{lang}={parser.name}" for lang, parser in sorted(parsers.items())), other.name])

    def parse_texts(self, texts: Sequence[Text]) -> list[DiscourseTree]:
        """One tree per text; see :class:`TextParser`."""
        return [self._parser_of(text.lang).parse_texts([text])[0] for text in texts]

    def _parser_of(self, lang: str) -> TextParser:
        found = self._parsers.get(language_code(lang))
        if found is None:
            self._note(lang)
        return found or self._other


class SegmenterByLanguage:
    """A ``Segmenter`` that passes sentences to the segmenter of their language, or to ``other``.

    Attributes:
        name: The names of all its segmenters.
    """

    def __init__(self, segmenters: Mapping[str, Segmenter], *, other: Segmenter, note: Note | None = None) -> None:
        self._segmenters = dict(segmenters)
        self._other = other
        self._note = _once(note)
        self.name: str = ",".join([*(f"{lang}={one.name}" for lang, one in sorted(segmenters.items())), other.name])

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        """The EDUs of each sentence; see :class:`Segmenter`."""
        found = self._segmenters.get(language_code(lang))
        if found is None:
            self._note(lang)
        return (found or self._other).segment(sentences, language_code(lang))


def language_code(lang: str) -> str:
    """The first part of a language tag, in lower case."""
    return lang.replace("_", "-").split("-")[0].strip().lower()


def is_right_branching(name: str, lang: str) -> bool:
    """Whether the parser of this name has no model of the language, and joins each unit to all that follow."""
    *models, other = name.split(",")
    known = {model.partition("=")[0] for model in models}
    return other.startswith(f"transition/{NullScorer.name}") and language_code(lang) not in known


def _once(note: Note | None) -> Note:
    noted: set[str] = set()

    def note_once(lang: str) -> None:
        if note is not None and lang not in noted:
            noted.add(lang)
            note(lang)

    return note_once
