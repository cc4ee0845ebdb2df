"""Discourse trees of chunks over their EDUs, by a segmenter and a text parser."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.document import Span
from treatise.core.graph import Chunk, ChunkTree
from treatise.core.ports import Progress
from treatise.parse.parser import TextParser
from treatise.parse.rows import Level, Text
from treatise.parse.segment import Segmenter

_BETWEEN_PARAGRAPHS: Final = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class EduChunkParser:
    """``core.ports.ChunkParser`` that splits sentences into EDUs and parses them; blank lines separate paragraphs.

    Attributes:
        segmenter: Splits sentences.
        parser: Parses texts of EDUs.
    """

    segmenter: Segmenter
    parser: TextParser

    @property
    def name(self) -> str:
        """Names both."""
        return f"{self.segmenter.name} {self.parser.name}"

    def parse_chunks(
        self,
        chunks: Sequence[Chunk],
        progress: Progress | None = None,  # noqa: ARG002  (no replies to count)
    ) -> list[ChunkTree | None]:
        """One tree per chunk; see ``core.ports.ChunkParser``."""
        return [self._tree(chunk) for chunk in chunks]

    def _tree(self, chunk: Chunk) -> ChunkTree | None:
        if not chunk.sentences:
            return None
        sentences = [chunk.quote(sentence) for sentence in chunk.sentences]
        paragraphs: list[list[Span]] = [[]]
        ends = [0, *(sentence.end for sentence in chunk.sentences)]
        for sentence, before, edus in zip(
            chunk.sentences, ends, self.segmenter.segment(sentences, chunk.language), strict=False
        ):
            if paragraphs[-1] and _BETWEEN_PARAGRAPHS.search(chunk.text[before : sentence.start]):
                paragraphs.append([])
            paragraphs[-1] += _places(chunk.text, sentence, edus)
        units = tuple(span for paragraph in paragraphs for span in paragraph)
        texts = tuple(tuple(chunk.quote(span) for span in paragraph) for paragraph in paragraphs)
        (tree,) = self.parser.parse_texts([Text("chunk", chunk.language, Level.EDU, texts)])
        return ChunkTree(units, tree)


def _places(text: str, sentence: Span, edus: Sequence[str]) -> list[Span]:
    """Spans of the EDUs of a sentence, stripped of whitespace."""
    spans: list[Span] = []
    at = sentence.start
    for edu in edus:
        start = text.index(edu, at, sentence.end)
        spans.append(Span(start, start + len(edu)))
        at = start + len(edu)
    return spans
