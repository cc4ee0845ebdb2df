"""The seams. Each docstring is the contract that ``treatise.testing`` checks on every implementation."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

from treatise.core.document import Document, Span
from treatise.core.graph import Chunk, ChunkTree, RhetoricalGraph
from treatise.core.indexed import IndexedDocument
from treatise.core.note import Finished
from treatise.core.plan import Plan, Structure
from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats

Progress = Callable[[int, int], None]
"""Called as ``progress(done, total)``, ``done`` rising to ``total``; units are the caller's."""


class Encoder(Protocol):
    """Texts to vectors.

    Attributes:
        name: Identifies model and settings; vectors of two encoders are comparable only if their names are equal.
        dim: Length of a vector.
        reads_context: Whether ``encode_in_context`` looks at the text around a span. Where False, it encodes each
            span's own text.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    @property
    def dim(self) -> int:
        """See the attributes above."""
        ...

    @property
    def reads_context(self) -> bool:
        """See the attributes above."""
        ...

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """One unit row a text, in order. Shape ``(len(texts), dim)``, float32; no texts give zero rows.

        A text longer than the model's window is encoded whole, in pieces whose vectors are averaged by their
        number of tokens: nothing is cut in silence. An empty text gives a valid vector or a zero row, never NaN.
        A text's row does not depend on its neighbours in the batch beyond rounding (1e-2 in cosine).

        Raises:
            EngineError: Where the model failed.
        """
        ...

    def encode_questions(self, questions: Sequence[str]) -> Floats:
        """One unit row a question, in order, to be compared with rows of ``encode``; otherwise as ``encode``.

        Where the model makes no difference between questions and texts, the rows are those of ``encode``.
        """
        ...

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        """One unit row a span, in order over all texts: the mean of its token vectors in the text around it.

        ``spans[i]`` are half-open, ascending, and do not overlap within ``texts[i]``. Shape ``(total spans, dim)``,
        float32. A text longer than the window is read in windows that end at span boundaries.
        """
        ...


class Parser(Protocol):
    """A document to a discourse tree over its sentences.

    Attributes:
        name: Identifies model and settings: the same name on the same document gives the same tree.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def parse(self, document: Document, progress: Progress | None = None) -> DiscourseTree:
        """One tree with one root over all of ``document.readable_sentences()``, in order; ``Join`` nodes only.

        Time and memory are linear in the document's length, but for a bounded window. Nothing is random.

        Raises:
            EmptySourceError: Where the document has no sentence.
        """
        ...

    def parse_runs(self, runs: Sequence[Sequence[str]], language: str) -> list[DiscourseTree]:
        """One tree with one root a run of texts, in order; ``Join`` nodes only. A run has at least one text.

        A run is a paragraph's sentences, or the texts that stand for a document's paragraphs: both phases of
        DISRetrieval are this one call. A run's tree does not depend on the other runs.
        """
        ...


class Sectioner(Protocol):
    """Where one theme ends and the next begins, in text without headings.

    Attributes:
        name: Identifies method, model and settings: the same name on the same texts cuts at the same places.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def starts(self, texts: Sequence[str], vectors: Floats, n_sections: int, language: str = "en") -> list[int]:
        """The places in ``texts`` at which a section begins: ascending, each once, the first 0.

        ``texts`` are sentences or paragraphs in order, at least one; ``vectors`` has a unit row for each. There are
        at most ``n_sections``, which is at least 1, but for a sectioner that finds their number itself. Nothing is
        random.
        """
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat: ``role`` is ``"system"``, ``"user"`` or ``"assistant"``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model said.

    Attributes:
        text: The whole reply.
        prompt_tokens, completion_tokens: As the engine counts them; 0 where it does not say.
        truncated: Whether it ended at ``max_tokens``, not where the model wanted to end.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    truncated: bool = False


class LanguageModel(Protocol):
    """A chat model.

    Attributes:
        name: Identifies engine, model and settings, for caches and records.
        context_tokens: The window, prompt and reply together; 0 where unknown.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    @property
    def context_tokens(self) -> int:
        """See the attributes above."""
        ...

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """Replies to independent conversations as ``(index, reply or error)``, each index once, in any order.

        Temperature 0 and a fixed seed. With a JSON ``schema`` the engine is asked to keep to it; whether the reply
        does is for the caller to check. One conversation's failure does not stop the others: it comes as an
        ``EngineError`` in place of its reply.
        """
        ...

    def stream(self, messages: Sequence[Message], *, max_tokens: int) -> Iterator[str]:
        """The reply to one conversation in pieces as they come; joined, they are the text that ``chat`` gives.

        Raises:
            EngineError: Where the model failed, before or between the pieces.
        """
        ...


class Reranker(Protocol):
    """A question and candidate texts to how well each answers: the second stage of retrieval (HTSIR, "Reranking").

    Attributes:
        name: Identifies model and settings.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One finite score a text, in order, higher is better; no texts give no scores.

        Scores are comparable within one call only. Nothing is random. A text longer than the model's window is not
        cut in silence: it is read in pieces, or the engine says that it was cut. A blank text has a score as well.

        Raises:
            EngineError: Where the model failed, or gave anything but a score for each text.
        """
        ...


class Call(Protocol):
    """One thing to ask of a language model.

    Attributes:
        key: Hash of what is asked of whom; equal keys are asked once.
        messages: The conversation.
        max_tokens: Longest reply.
        schema: JSON schema of the reply; None where it is plain text.
        prompt_tokens: Tokens of the conversation, by our own count.
    """

    @property
    def key(self) -> str:
        """See the attributes above."""
        ...

    @property
    def messages(self) -> tuple[Message, ...]:
        """See the attributes above."""
        ...

    @property
    def max_tokens(self) -> int:
        """See the attributes above."""
        ...

    @property
    def schema(self) -> dict[str, object] | None:
        """See the attributes above."""
        ...

    @property
    def prompt_tokens(self) -> int:
        """See the attributes above."""
        ...

    def read(self, reply: Reply) -> tuple[str, ...]:
        """What is kept of a reply, one text at least. Raises ``ModelReplyError`` where it does not fit."""
        ...

    def expected(self, share: float) -> Finished:
        """What is likely to come of it, for estimates, by our own count; a summary has that share of its source."""
        ...

    def again(self, turns: Sequence[Message]) -> Self:
        """The same call with further turns of the conversation."""
        ...


class Caller(Protocol):
    """Makes calls to a language model: none that an earlier run has finished, none beyond its budget.

    Attributes:
        model: Whom it asks.
    """

    @property
    def model(self) -> LanguageModel:
        """See the attributes above."""
        ...

    def run(self, jobs: Iterable[Call]) -> dict[str, Finished | None]:
        """What came of each call, by its key: without texts where no reply fitted; None where the budget ended it.

        Raises:
            EngineError: Where the model failed for good.
        """
        ...


class ChunkParser(Protocol):
    """Chunks to discourse trees over their elementary discourse units: by the trained parser, or by a model.

    Attributes:
        name: Identifies model and settings, for caches: the same name on the same chunk gives the same tree.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def parse_chunks(self, chunks: Sequence[Chunk]) -> list[ChunkTree | None]:
        """One tree a chunk, in order; None where it is blank, or a model's replies gave no valid tree."""
        ...


class Relator(Protocol):
    """Retrieved chunks to the rhetorical graph between them.

    Attributes:
        name: Identifies model and settings, for caches.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def relate(self, chunks: Sequence[str], pairs: Collection[tuple[int, int]] | None = None) -> RhetoricalGraph:
        """The graph over the chunks, in their order; without an edge for one chunk or none.

        ``pairs`` are the ordered pairs that are wanted, all where None; edges of others may be left out, or not.
        """
        ...


class Planner(Protocol):
    """A question, chunks and what is known of their structure to a plan for the answer."""

    def plan(self, question: str, chunks: Sequence[Chunk], structure: Structure) -> Plan | None:
        """The plan. Parts of the structure that are off are empty or None, and not drawn on.

        None where there is nothing to plan, or a model gave no plan.
        """
        ...


@runtime_checkable
class TokenCounter(Protocol):
    """An encoder that can tell how many tokens of its own a text has."""

    def n_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones not counted."""
        ...


class CallCache(Protocol):
    """Finished calls to language models, by the hash of what was asked of whom.

    Several processes may use one at the same time. What ``save`` has returned from is there after ``kill -9``.
    """

    def finished(self, keys: Sequence[str]) -> dict[str, Finished]:
        """Those of the calls that are finished; keys that are not are left out."""
        ...

    def save(self, key: str, finished: Finished) -> None:
        """Keeps a finished call; of two under one key the first stays.

        Raises:
            StoreError: Where it cannot be kept.
        """
        ...


@dataclass(frozen=True, slots=True)
class SourceState:
    """What a source looked like when it was indexed, to see without reading it whether it has changed.

    Attributes:
        source: Absolute path, URL or ``"-"``.
        size: Bytes.
        modified_ns: Modification time in nanoseconds; 0 where the source has none.
        digest: SHA-256 of the bytes, hexadecimal.
    """

    source: str
    size: int
    modified_ns: int
    digest: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list of documents.

    Attributes:
        id: The document's id.
        title, language: The document's.
        sources: Every source that holds this content, sorted.
        n_words, n_units: Words (``core.words.n_words``); units of its newest index.
        indexed_at: Seconds since the epoch, UTC.
        index_keys: Keys of the indexes that it has, sorted.
    """

    id: str
    title: str
    language: str
    sources: tuple[str, ...]
    n_words: int
    n_units: int
    indexed_at: float
    index_keys: tuple[str, ...]


class Store(CallCache, Protocol):
    """Documents and their indexes, and finished calls to language models.

    A document becomes visible whole or not at all.

    Readers never wait for writers. Every method raises a ``StoreError``, and nothing else, where the disk, a lock,
    a permission or damage stands in the way.
    """

    def put(
        self, indexed: IndexedDocument, *, index_key: str, state: SourceState | None, made_from: str = "{}"
    ) -> None:
        """Saves a document with one index, in one transaction. An equal (id, key) is replaced; other keys stay.

        ``made_from`` is what the key is a hash of, as JSON: kept with the index for people, read by no code.

        With ``state`` the source points at this document from now on; a document that no source points at any more
        is removed in the same transaction.
        """
        ...

    def document(self, document_id: str) -> Document:
        """The document. Raises ``DocumentNotFoundError`` where it is not there; an unambiguous prefix will do."""
        ...

    def get(self, document_id: str, index_key: str) -> IndexedDocument | None:
        """The document with that index, or None where the document has no such index."""
        ...

    def state(self, source: str) -> tuple[str, SourceState] | None:
        """Document id and state of a source when it was last indexed, or None for an unknown source."""
        ...

    def entries(self) -> list[Entry]:
        """Every document, oldest first."""
        ...

    def remove(self, document_id: str) -> Entry:
        """Takes a document, its indexes and its sources out. Raises ``DocumentNotFoundError``."""
        ...

    def forget_rejected(self) -> int:
        """Takes out the calls of which no reply fitted, so that they are made again; how many there were."""
        ...

    def close(self) -> None:
        """Releases the files; harmless when called twice."""
        ...
