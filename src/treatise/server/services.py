"""What the endpoints share: made once per worker, closed at its end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import TypeVar

from treatise.core.document import Document
from treatise.core.installed import shown_commands
from treatise.core.ports import Entry
from treatise.pipeline.library import Library
from treatise.pipeline.metadata import satisfying
from treatise.server.admission import QuestionPool
from treatise.server.audit import AuditLog
from treatise.server.config import ServerConfig
from treatise.server.conversations import Conversations
from treatise.server.documents import DocumentShelf
from treatise.server.drawing import Drawing
from treatise.server.isolated import Isolation
from treatise.server.job_table import JobTable
from treatise.server.jobs import JobRunner
from treatise.server.keys import Key, Keys
from treatise.server.libraries import Libraries, LibraryOpener
from treatise.server.limits import LimitCounter
from treatise.server.metrics import Metrics
from treatise.server.originals import Originals
from treatise.server.problems import ProblemError, not_found
from treatise.server.replies import Redactor
from treatise.server.retention import Retention
from treatise.server.state import State

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Services:
    """The parts of one worker.

    Attributes:
        config: The settings of the server.
        state: Its database.
        libraries: Libraries by recipe.
        shelf: Documents by id, for reading them.
        questions: The threads that answer.
        originals: Uploaded files.
        drawing: Draws pages of PDFs.
        retention: Removes what is too old.
        jobs: Indexes them.
        conversations: Kept for follow-up questions.
        keys, limits, audit, metrics: What each caller may do, and what was done.
        redactor: Hides places of the server in messages.
        budget: Words of evidence of a search that names none.
        stopping: Set when the server begins to stop: streams and jobs end.
    """

    config: ServerConfig
    state: State
    libraries: Libraries
    shelf: DocumentShelf
    questions: QuestionPool
    originals: Originals
    drawing: Drawing
    retention: Retention
    jobs: JobRunner
    conversations: Conversations
    keys: Keys
    limits: LimitCounter
    audit: AuditLog
    metrics: Metrics
    redactor: Redactor
    budget: int = 300
    stopping: Event = field(default_factory=Event)

    def library(self, recipe: str = "", *, use_model: bool = True) -> Library:
        """The library of a recipe; see ``Libraries.get``. It may load models: call it in a thread."""
        return self.libraries.get(recipe, use_model=use_model)

    async def answer(self, work: Callable[[], _Result]) -> _Result:
        """Runs a question in a thread; 429 if too many wait."""
        return await self.questions.run(work)

    def entries(self, key: Key, collection: str = "", where: str = "") -> list[Entry]:
        """The documents that a key may read, oldest first; of one collection, or that satisfy a filter.

        Raises:
            FilterError: If the filter is not valid.
        """
        readable = [shown_to(key, entry) for entry in self.libraries.store.entries() if may_read(key, entry)]
        found = satisfying(readable, where)
        return [entry for entry in found if not collection or collection in collections_of(entry)]

    def collections(self, key: Key) -> dict[str, list[Entry]]:
        """The documents of each collection that a key opens, by name in alphabetical order."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries(key):
            for name in collections_of(entry):
                found.setdefault(name, []).append(entry)
        return dict(sorted(found.items()))

    def entry(self, key: Key, document_id: str) -> Entry:
        """The whole entry of a document that a key may read, with what the key is not shown.

        Raises:
            ProblemError: 404 if there is none.
        """
        entries = {entry.id: entry for entry in self.libraries.store.entries() if may_read(key, entry)}
        return entries[_resolved(document_id, list(entries))]

    def resolve(self, key: Key, document_id: str) -> str:
        """The full id of a document that a key may read, by its id or an unambiguous prefix.

        Raises:
            ProblemError: 404 if there is none.
        """
        return _resolved(document_id, [entry.id for entry in self.entries(key)])

    def scope_of(self, key: Key, documents: Sequence[str], collection: str = "", where: str = "") -> list[str] | None:
        """The documents that a question searches: those named, or all that the key may read; None for the library.

        Raises:
            ProblemError: 404 for an unknown document, 422 if no document is left.
            FilterError: If the filter is not valid.
        """
        if not (documents or collection or where or key.collections):
            return None
        found = [entry.id for entry in self.entries(key, collection, where)]
        if documents:
            readable, chosen = [entry.id for entry in self.entries(key)], set(found)
            named = dict.fromkeys(_resolved(one, readable) for one in documents)
            found = [one for one in named if one in chosen]
        if not found:
            detail = "no document that this key may read is in the collection and satisfies the filter"
            raise ProblemError(422, "no-documents", detail)
        return found

    def document(self, key: Key, document_id: str) -> Document:
        """A document that a key may read; 404 if there is none."""
        return self.shelf.get(self.resolve(key, document_id))

    def close(self) -> None:
        """Releases threads and files."""
        self.stopping.set()
        self.questions.close()
        self.jobs.stop()
        self.libraries.close()
        self.state.close()


def _resolved(document_id: str, ids: Sequence[str]) -> str:
    """The only one of the ids that begins so; 404 if there is none or several."""
    wanted = document_id.lower()
    found = [id_ for id_ in ids if id_.startswith(wanted)] if wanted else []
    if len(found) != 1:
        raise not_found("document", document_id)
    return found[0]


def collections_of(entry: Entry) -> tuple[str, ...]:
    """The collections of a document."""
    return tuple(entry.metadata.get("collection", ()))


def may_read(key: Key, entry: Entry) -> bool:
    """Whether a key opens a document."""
    return not key.collections or not set(key.collections).isdisjoint(collections_of(entry))


def is_shared(key: Key, entry: Entry) -> bool:
    """Whether a document is also in collections that the key does not open."""
    return bool(key.collections) and not set(collections_of(entry)) <= set(key.collections)


def shown_to(key: Key, entry: Entry) -> Entry:
    """The entry as a key sees it: of a shared document only those collections that the key opens, and no metadata."""
    if not is_shared(key, entry):
        return entry
    own = tuple(name for name in collections_of(entry) if name in key.collections)
    return replace(entry, metadata={"collection": own})


def make_services(
    config: ServerConfig, opener: LibraryOpener, state_folder: Path, secrets: Mapping[str, str] | None = None
) -> Services:
    """The parts of a worker. ``secrets`` are texts that no message to a client may contain, and what replaces them.

    Raises:
        TreatiseError: If the store, an engine or the server's folder cannot be opened.
    """
    state = State(state_folder)
    libraries, metrics, originals = Libraries(opener), Metrics(), Originals(state)
    redactor = redactor_of(libraries.default, state_folder, secrets or {})
    isolation = Isolation(config.read_timeout_s, config.read_memory_mb)
    limits = LimitCounter(state, metrics, libraries.default.system.budget.price)
    return Services(
        config=config,
        state=state,
        libraries=libraries,
        shelf=DocumentShelf(libraries.store),
        questions=QuestionPool(config.question_threads, config.max_waiting, metrics),
        originals=originals,
        drawing=Drawing(isolation),
        retention=Retention(config, state, originals, lambda: {one.id for one in libraries.store.entries()}),
        jobs=JobRunner(JobTable(state), originals, libraries.indexing, isolation, redactor, limits, metrics),
        conversations=Conversations(state),
        keys=Keys(state),
        limits=limits,
        audit=AuditLog(state),
        metrics=metrics,
        redactor=redactor,
    )


def redactor_of(library: Library, state_folder: Path, secrets: Mapping[str, str]) -> Redactor:
    """Hides the folders of the store, of the server and of the program, the home folder, and the secrets."""
    store = Path(getattr(library.store, "path", state_folder)).absolute()
    server = {name: "the library"} if (name := getattr(library.store, "name", "")) else {}
    return Redactor(
        {
            str(store): "the library",
            str(store.parent): "…",
            str(state_folder.absolute()): "the server's folder",
            str(Path.home()): "~",
            **server,
            **shown_commands(),
            **secrets,
        }
    )
