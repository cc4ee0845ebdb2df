"""Where the stages meet: a document to an index, a question to evidence and an answer."""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.errors import QuestionError, SourceError, SourceNotFoundError
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder, Entry, LanguageModel, Parser, Progress, SourceState, Store
from treatise.core.recipe import Indexing, Recipe, TreeShape
from treatise.core.tree import DiscourseTree
from treatise.embed import leaf_vectors, node_vectors
from treatise.generate import answer_by_extraction, answer_by_model
from treatise.ingest import read_bytes
from treatise.retrieve import build_lexicon, find_evidence
from treatise.tree import balanced, bisection, flat, leaf_units, random_splits, right_branching

READER_VERSION: Final = 1
"""Counts up when the same bytes give another ``Document``, so that old indexes are made anew."""

MAX_QUESTION_WORDS: Final = 2_000
DEFAULT_WORDS: Final = 300
MAX_NODES_AT_HAND: Final = 200_000
"""Nodes of loaded documents kept in memory between questions: about 200 MB."""

StageProgress = Callable[[str, int, int], None]
"""Called as ``progress(stage, done, total)``."""


class Outcome(StrEnum):
    """What indexing a source came to."""

    NEW = "new"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What indexing one source came to.

    Attributes:
        source: As the store knows it: an absolute path, or ``"-"``.
        document: The document's id.
        outcome: New, updated (the source's content changed, or the recipe is new for it), or unchanged.
        n_words, n_units: Whitespace words and leaves; 0 where nothing had to be read.
        seconds: Wall time.
    """

    source: str
    document: str
    outcome: Outcome
    n_words: int
    n_units: int
    seconds: float


def index_document(
    document: Document,
    indexing: Indexing,
    *,
    encoder: Encoder,
    parser: Parser | None = None,
    progress: StageProgress | None = None,
) -> IndexedDocument:
    """The document with its units, tree, node vectors and lexicon. Nothing is stored.

    Equal arguments give equal bytes. ``parser`` is needed for discourse trees only.
    """
    units, sizes = leaf_units(document, indexing)
    tree = _tree(document, indexing, sizes, parser, _stage(progress, "parse"))
    leaves = leaf_vectors(
        document, units, encoder=encoder, context_weight=indexing.context_weight, progress=_stage(progress, "encode")
    )
    return IndexedDocument(
        document=document,
        units=tuple(units),
        tree=tree,
        vectors=node_vectors(tree, leaves, nucleus_weight=indexing.nucleus_weight),
        lexicon=build_lexicon([document.quote(unit.start, unit.end) for unit in units]),
    )


def retrieve(
    indexed: Sequence[IndexedDocument], question: str, recipe: Recipe, *, encoder: Encoder, max_words: int
) -> Evidence:
    """The best passages of the documents for a question, within exactly ``max_words`` whitespace words.

    Raises:
        QuestionError: Where the question is blank or longer than ``MAX_QUESTION_WORDS``.
    """
    check_question(question)
    return find_evidence(indexed, question, encoder.encode([question])[0], recipe, max_words=max_words)


def check_question(question: str) -> None:
    """Refuses a blank question, and one too long to be a question."""
    n_words = len(question.split())
    if not n_words:
        raise QuestionError('the question is empty: put it last, in quotes, for example "What was measured?"')
    if n_words > MAX_QUESTION_WORDS:
        raise QuestionError(
            f"the question has {n_words:,} words, at most {MAX_QUESTION_WORDS:,} are read: is it a document? "
            "Name a file as the source, and ask a short question last"
        )


class Library:
    """A collection of documents that can be asked questions.

    Args:
        store: Where documents and indexes are kept.
        encoder: Makes the vectors, of documents and of questions.
        recipe: The system to use.
        parser: Needed where the recipe's tree is a discourse tree.
        model: Writes the answers; without one they are quoted from the evidence.
    """

    def __init__(
        self,
        *,
        store: Store,
        encoder: Encoder,
        recipe: Recipe,
        parser: Parser | None = None,
        model: LanguageModel | None = None,
    ) -> None:
        self.store = store
        self.encoder = encoder
        self.recipe = recipe
        self.parser = parser
        self.model = model
        self._at_hand: dict[str, IndexedDocument] = {}  # oldest use first

    @property
    def index_key(self) -> str:
        """Names the index that this library makes: of recipe, models and reader."""
        parser = self.parser.name if self.parser and self.recipe.indexing.tree is TreeShape.DISCOURSE else ""
        return self.recipe.indexing.key(self.encoder.name, parser, f"reader {READER_VERSION}")

    def index(
        self, source: str | Path, *, data: bytes | None = None, progress: StageProgress | None = None
    ) -> IndexReport:
        """Makes a source ready for questions; costs nothing where it already is.

        Args:
            source: A file's path; or any name, with its ``data``.
            data: The bytes, where they do not come from a file.
            progress: Called with the stage and how far it is.

        Raises:
            SourceError: Where the source cannot be read; the store is left as it was.
            StoreError, EngineError: Where the store or the encoder fails; likewise.
        """
        started = time.monotonic()
        name = str(source) if data is not None else str(Path(source).absolute())
        known = self.store.state(name)
        if data is None and known and self._unchanged_on_disk(name, *known):
            return IndexReport(name, known[0], Outcome.UNCHANGED, 0, 0, time.monotonic() - started)
        content, state = (data, _state_of_bytes(name, data)) if data is not None else _read(name)
        if known and known[1].digest == state.digest and self._found(known[0]):
            return IndexReport(name, known[0], Outcome.UNCHANGED, 0, 0, time.monotonic() - started)
        document = read_bytes(content, name=name)
        indexed = self._index_document(document, progress)
        self.store.put(indexed, index_key=self.index_key, state=state)
        outcome = Outcome.UPDATED if known else Outcome.NEW
        n_words = len(document.text.split())
        return IndexReport(name, document.id, outcome, n_words, len(indexed.units), time.monotonic() - started)

    def search(
        self, question: str, *, documents: Sequence[str] | None = None, max_words: int = DEFAULT_WORDS
    ) -> Evidence:
        """The best passages of the documents (ids; all of the library where None)."""
        check_question(question)
        indexed = self._load(documents)
        return retrieve(indexed, question, self.recipe, encoder=self.encoder, max_words=max_words)

    def ask(
        self,
        question: str,
        sources: Sequence[str | Path] = (),
        *,
        documents: Sequence[str] | None = None,
        max_words: int = DEFAULT_WORDS,
        progress: StageProgress | None = None,
    ) -> Answer:
        """An answer with citations, from these sources (indexed first where they are not) or these documents.

        Without sources and documents the whole library is asked.
        """
        check_question(question)
        usage: dict[str, int | float] = {}
        with _timed(usage, "index_s"):
            ids = [self.index(source, progress=progress).document for source in sources]
        with _timed(usage, "retrieve_s"):
            wanted = list(dict.fromkeys([*ids, *(documents or ())]))
            indexed = self._load(wanted if wanted or documents is not None else None)
            evidence = retrieve(indexed, question, self.recipe, encoder=self.encoder, max_words=max_words)
        with _timed(usage, "answer_s"):
            if self.model is None:
                answer = answer_by_extraction(evidence, [one.document for one in indexed])
            else:
                answer = answer_by_model(
                    evidence, [one.document for one in indexed], encoder=self.encoder, model=self.model
                )
        return replace(answer, usage={**usage, **answer.usage, "evidence_words": len(evidence.context.split())})

    def document(self, document_id: str) -> Document:
        """A document by its id or an unambiguous prefix."""
        return self.store.document(document_id)

    def documents(self) -> list[Entry]:
        """What the library holds, oldest first."""
        return self.store.entries()

    def remove(self, document_id: str) -> Entry:
        """Takes a document out."""
        return self.store.remove(document_id)

    def close(self) -> None:
        """Releases the store."""
        self.store.close()

    def _load(self, documents: Sequence[str] | None) -> list[IndexedDocument]:
        """Indexes of these documents under this recipe; made now where a document has none."""
        ids = [entry.id for entry in self.store.entries()] if documents is None else documents
        if not ids:
            raise SourceError("there is no document to ask: name a file, or index one first with `treatise index FILE`")
        return [self._get(document_id) for document_id in ids]

    def _get(self, document_id: str) -> IndexedDocument:
        """An id names content, so what was loaded once stays true; the most recent documents are kept at hand."""
        if (indexed := self._found(document_id)) is None:
            indexed = self._index_document(self.store.document(document_id), None)
            self.store.put(indexed, index_key=self.index_key, state=None)
            self._keep_at_hand(document_id, indexed)
        return indexed

    def _found(self, document_id: str) -> IndexedDocument | None:
        if (indexed := self._at_hand.pop(document_id, None)) is None:
            indexed = self.store.get(document_id, self.index_key)
        if indexed is not None:
            self._keep_at_hand(document_id, indexed)
        return indexed

    def _keep_at_hand(self, document_id: str, indexed: IndexedDocument) -> None:
        self._at_hand[document_id] = indexed
        while sum(len(one.tree.nodes) for one in self._at_hand.values()) > MAX_NODES_AT_HAND and len(self._at_hand) > 1:
            del self._at_hand[next(iter(self._at_hand))]

    def _index_document(self, document: Document, progress: StageProgress | None) -> IndexedDocument:
        return index_document(
            document, self.recipe.indexing, encoder=self.encoder, parser=self.parser, progress=progress
        )

    def _unchanged_on_disk(self, name: str, document_id: str, state: SourceState) -> bool:
        try:
            now = Path(name).stat()
        except OSError:
            return False
        return (now.st_size, now.st_mtime_ns) == (state.size, state.modified_ns) and bool(self._found(document_id))


def _tree(
    document: Document, indexing: Indexing, sizes: Sequence[int], parser: Parser | None, progress: Progress | None
) -> DiscourseTree:
    match indexing.tree:
        case TreeShape.FLAT:
            return flat(sum(sizes))
        case TreeShape.BALANCED:
            return balanced(sizes)
        case TreeShape.BISECTION:
            return bisection(sum(sizes))
        case TreeShape.RANDOM:
            return random_splits(sizes, seed=0)
        case TreeShape.RIGHT_BRANCHING:
            return right_branching(sizes)
        case TreeShape.DISCOURSE:
            if parser is None:
                raise ValueError("a discourse tree needs a parser")
            return parser.parse(document, progress)


def _read(name: str) -> tuple[bytes, SourceState]:
    path = Path(name)
    if path.is_dir():
        raise SourceNotFoundError(
            f"{name} is a folder, expected a file: name the files in it, for example {name}/*.pdf"
        )
    try:
        content = path.read_bytes()
        modified_ns = path.stat().st_mtime_ns
    except FileNotFoundError as error:
        raise SourceNotFoundError(f"{name}: there is no such file") from error
    except OSError as error:
        raise SourceError(f"{name} could not be read: {error.strerror or error}") from error
    return content, replace(_state_of_bytes(name, content), modified_ns=modified_ns)


def _state_of_bytes(name: str, content: bytes) -> SourceState:
    return SourceState(name, len(content), 0, hashlib.sha256(content).hexdigest())


def _stage(progress: StageProgress | None, stage: str) -> Progress | None:
    return None if progress is None else lambda done, total: progress(stage, done, total)


@contextmanager
def _timed(usage: dict[str, int | float], key: str) -> Iterator[None]:
    started = time.monotonic()
    yield
    usage[key] = round(time.monotonic() - started, 4)
