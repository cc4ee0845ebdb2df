"""Each text to the model that was trained for its language."""

from collections.abc import Mapping, Sequence

from treatise.core.tree import DiscourseTree
from treatise.parse.parser import TextParser
from treatise.parse.rows import Text
from treatise.parse.segment import Segmenter


class ParserByLanguage:
    """A ``TextParser`` that hands each text to the parser of its language, or to ``other`` where there is none.

    Attributes:
        name: Names every parser in it.
    """

    def __init__(self, parsers: Mapping[str, TextParser], *, other: TextParser) -> None:
        self._parsers = dict(parsers)
        self._other = other
        self.name = ",".join([*(f"{lang}={parser.name}" for lang, parser in sorted(parsers.items())), other.name])

    def parse_texts(self, texts: Sequence[Text]) -> list[DiscourseTree]:
        """One tree a text; see :class:`TextParser`."""
        return [self._parsers.get(text.lang, self._other).parse_texts([text])[0] for text in texts]


class SegmenterByLanguage:
    """A ``Segmenter`` that hands sentences to the segmenter of their language, or to ``other``.

    Attributes:
        name: Names every segmenter in it.
    """

    def __init__(self, segmenters: Mapping[str, Segmenter], *, other: Segmenter) -> None:
        self._segmenters = dict(segmenters)
        self._other = other
        self.name = ",".join([*(f"{lang}={one.name}" for lang, one in sorted(segmenters.items())), other.name])

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        """The EDUs of each sentence; see :class:`Segmenter`."""
        return self._segmenters.get(lang, self._other).segment(sentences, lang)
