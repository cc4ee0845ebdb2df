"""Trees of chunks, cached by the parser's name and the chunk's text."""

from collections.abc import Sequence
from dataclasses import dataclass

from treatise.core.graph import Chunk, ChunkTree
from treatise.core.note import CallOutcome, note_key
from treatise.core.ports import CallCache, ChunkParser, Progress
from treatise.plan.codec import pack_tree, unpack_tree


@dataclass(frozen=True, slots=True)
class CachedChunkParser:
    """A caching ``core.ports.ChunkParser``: it parses each chunk once.

    Attributes:
        parser: The parser of chunks that are not cached.
        cache: Trees by chunk, including the chunks that have none.
    """

    parser: ChunkParser
    cache: CallCache

    @property
    def name(self) -> str:
        """The parser's name."""
        return self.parser.name

    def parse_chunks(self, chunks: Sequence[Chunk], progress: Progress | None = None) -> list[ChunkTree | None]:
        """One tree per chunk; see ``core.ports.ChunkParser``."""
        keys = [self._key(chunk) for chunk in chunks]
        known = self.cache.finished(keys)
        new = {key: chunk for key, chunk in zip(keys, chunks, strict=True) if key not in known}
        made = dict(zip(new, self.parser.parse_chunks(list(new.values()), progress), strict=True))
        for key, tree in made.items():
            self.cache.save(key, CallOutcome((pack_tree(tree),) if tree else (), 0, 0))
        return [made[key] if key in made else _tree(known[key]) for key in keys]

    def _key(self, chunk: Chunk) -> str:
        edges = ",".join(f"{span.start}-{span.end}" for span in chunk.sentences)
        return note_key("chunk tree", self.parser.name, chunk.language, chunk.text, edges)


def _tree(outcome: CallOutcome) -> ChunkTree | None:
    return unpack_tree(outcome.texts[0]) if outcome.texts else None
