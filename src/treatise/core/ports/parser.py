"""The protocols of parsers: of documents, and of retrieved chunks."""

from collections.abc import Sequence
from typing import Protocol

from treatise.core.document import Document
from treatise.core.graph import Chunk, ChunkTree
from treatise.core.ports.progress import Progress
from treatise.core.tree import DiscourseTree


class Parser(Protocol):
    """Parses a document to a discourse tree over its sentences.

    Attributes:
        name: Identifies model and settings: the same name on the same document gives the same tree.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def parse(self, document: Document, progress: Progress | None = None) -> DiscourseTree:
        """One tree with one root over all of ``document.readable_sentences()``, in order; ``Join`` nodes only.

        Time and memory are linear in the document's length, except within a bounded window. The result is
        deterministic.

        Raises:
            EmptySourceError: If the document has no sentence.
        """
        ...

    def parse_runs(self, runs: Sequence[Sequence[str]], language: str) -> list[DiscourseTree]:
        """One tree with one root per run of texts, in order; ``Join`` nodes only. A run has at least one text.

        A run is a paragraph's sentences, or the notes of a document's paragraphs: both phases of DISRetrieval use this
        call. A run's tree does not depend on the other runs.
        """
        ...


class ChunkParser(Protocol):
    """Parses chunks to discourse trees over their elementary discourse units, by a trained parser or a language model.

    Attributes:
        name: Identifies model and settings, for caches: the same name on the same chunk gives the same tree.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def parse_chunks(self, chunks: Sequence[Chunk], progress: Progress | None = None) -> list[ChunkTree | None]:
        """One tree per chunk, in order; None if the chunk is blank or no reply of a model was a valid tree.

        ``progress`` counts the replies of a language model; other parsers do not call it.
        """
        ...
