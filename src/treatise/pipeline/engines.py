"""The engines that recipes run on, as one value."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from treatise.core.errors import EngineError
from treatise.core.ports import (
    ChunkParser,
    ClaimJudge,
    Encoder,
    LanguageModel,
    Parser,
    PassageReader,
    Relator,
    Reranker,
    TableReader,
)
from treatise.core.recipe import Indexing, ParsedBy
from treatise.pipeline.openings import Openings


@dataclass(frozen=True, slots=True)
class Engines:
    """The engines that recipes run on; an engine that no recipe needs may be None.

    Attributes:
        encoder: The encoder of documents and questions.
        parser: Needed if the recipe's tree is a discourse tree.
        papers_parsers: The parsers of recipes that ask for one by name.
        model: Writes answers and notes; without one, answers are quoted and nucleus text replaces notes.
        reranker: The second stage of retrieval, if the recipe has one.
        chunk_parser: The parser of retrieved chunks, unless a language model parses them.
        paragraph_parser: Parses the paragraph of a quoted sentence, so that its nucleus is quoted too; None for the
            sentence alone.
        reader: Finds the direct answer in the evidence if no language model writes; None quotes the best sentences.
        multilingual_reader: The same for documents that are not all in English.
        table_reader: Answers English questions from tables if no language model writes; None leaves them to the rules.
        judge: Judges whether the evidence supports what a language model wrote; None compares words and vectors.
        openings: Reads the openings of documents for the prior; None for the means of their first leaves.
        relator: Relates retrieved chunks unless a language model does; None for the rules over the encoder's vectors.
    """

    encoder: Encoder
    parser: Parser | None = None
    model: LanguageModel | None = None
    reranker: Reranker | None = None
    chunk_parser: ChunkParser | None = None
    relator: Relator | None = None
    reader: PassageReader | None = None
    multilingual_reader: PassageReader | None = None
    table_reader: TableReader | None = None
    paragraph_parser: Parser | None = None
    judge: ClaimJudge | None = None
    openings: Openings | None = None
    papers_parsers: Mapping[ParsedBy, Parser] = field(default_factory=dict)

    def load_reader(self) -> None:
        """Loads what quotes an answer from English documents now, by a trial, so that no question waits for it.

        An error is left to the first question, which raises it.
        """
        with suppress(EngineError):
            if self.reader:
                self.reader.read("Who?", ["Nobody."])
            if self.paragraph_parser:
                self.paragraph_parser.parse_runs([["It rains.", "So we stay."]], "en")

    def parser_for(self, indexing: Indexing) -> Parser | None:
        """The parser of documents that are indexed in this way; None if absent."""
        by_name = indexing.parsed_by is not ParsedBy.SETTINGS
        return self.papers_parsers.get(indexing.parsed_by) if by_name else self.parser
