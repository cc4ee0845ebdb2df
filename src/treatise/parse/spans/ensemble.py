"""Several parsers as one: the mean of their scores."""

from collections.abc import Iterator, Sequence
from itertools import chain

from treatise.core.tree import DiscourseTree
from treatise.parse.blas import one_blas_thread
from treatise.parse.rows import Text
from treatise.parse.spans.decode import ReadText, TreeDistribution, distribution
from treatise.parse.spans.parser import SpanParser, check_units, together, tree_of


class SpanEnsemble:
    """``TextParser`` by the mean of the span scores, and of the labels' log probabilities, of several parsers.

    Measured in docs/log/parser.md. Each parser reads the text with its own encoder, so time and memory are their sum.

    Args:
        parsers: At least one.
    """

    def __init__(self, parsers: Sequence[SpanParser]) -> None:
        self._parsers = tuple(parsers)
        self.name = "+".join(parser.name for parser in parsers)

    def parse_texts(self, texts: Sequence[Text]) -> list[DiscourseTree]:
        """One tree per text; see :class:`treatise.parse.parser.TextParser`."""
        check_units(texts)
        with one_blas_thread():
            return [tree_of(read) for some in together(texts) for read in self._read_together(some)]

    def distributions(self, texts: Sequence[Text]) -> Iterator[TreeDistribution | None]:
        """For each text, the probabilities of its trees; None if it has one unit."""
        check_units(texts)
        for some in together(texts):
            with one_blas_thread():
                found = [distribution(read) if read else None for read in self._read_together(some)]
            yield from found

    def _read_together(self, texts: Sequence[Text]) -> Iterator[ReadText | None]:
        """Each text with the readings of all parsers."""
        for reads in zip(*(parser.read_together(texts) for parser in self._parsers), strict=True):
            found = [read for read in reads if read is not None]
            readings = list(chain.from_iterable(read.readings for read in found))
            yield ReadText(found[0].of_paragraphs, found[0].of_sentences, readings) if found else None
