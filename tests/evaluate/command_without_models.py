"""``treatise`` with an encoder and parsers that load nothing: a child of tests."""

from tests.evaluate.scripted_engines import RandomChunkParser, RandomParser
from treatise.cli import main
from treatise.compose import library
from treatise.testing import HashingEncoder, ScriptedReranker


def scripted() -> None:
    """Replaces the models of this process."""
    library.open_encoder = lambda *_: HashingEncoder(16)  # type: ignore[assignment]
    library.open_parser = lambda *_: RandomParser()  # type: ignore[assignment]
    library.open_chunk_parser = lambda *_: RandomChunkParser()  # type: ignore[assignment]
    library.open_reader = lambda *_, **__: None  # type: ignore[assignment]
    library.open_reranker = lambda *_: ScriptedReranker()  # type: ignore[assignment]


if __name__ == "__main__":
    scripted()
    main()
