"""The exceptions that Treatise raises deliberately.

::

    TreatiseError
    ├── SourceError            a file, folder, URL or stream that could not be read as a document
    │   ├── SourceNotFoundError
    │   ├── UnsupportedSourceError    unknown format, or a missing optional reader
    │   ├── DamagedSourceError        truncated, encrypted, malformed, or malicious
    │   ├── EmptySourceError          readable, but without text
    │   ├── SourceTooLargeError
    │   └── EmptyLibraryError         no source was named, and the library has no document
    ├── QuestionError          an empty or overlong question
    ├── FilterError            a filter over documents, or a key or value of their metadata, that is not valid
    ├── TreeError              an invalid discourse tree or treebank file
    ├── RecipeError            an unknown recipe, or incompatible parts of one
    ├── SettingsError          an unknown or ill-typed key in a settings file or the environment
    ├── MissingExtraError      an optional dependency that is not installed
    ├── StoreError             the index on disk
    │   ├── StoreVersionError         written by a newer Treatise
    │   ├── StoreDamagedError
    │   ├── StoreUnwritableError      no permission, or the disk is full
    │   ├── StoreBusyError            another process has held the write lock for too long
    │   ├── StoreUnavailableError     the database server cannot be reached, or closed the connection
    │   └── DocumentNotFoundError
    ├── EngineError            a model, in this process or behind a URL
    │   ├── EngineUnavailableError    no answer: refused, timed out, 5xx, out of quota
    │   └── ModelReplyError           a reply in another form than requested
    │       └── PromptRefusedError        the prompt is too long or violates the server's rules
    └── DataError              a data set or result file for training or evaluation
        └── UnknownNameError          no data set has this name

A message names the document or file, what was found, what was expected, and what to do.
"""


class TreatiseError(Exception):
    """Base class of all deliberate errors. The command line prints the message and exits with 1 or 2."""


class SourceError(TreatiseError):
    """A source could not be read as a document; the index is unchanged."""


class SourceNotFoundError(SourceError):
    """No such file, or not a file."""


class UnsupportedSourceError(SourceError):
    """No installed reader supports the format."""


class DamagedSourceError(SourceError):
    """The source is truncated, encrypted, malformed, or designed to exhaust the reader."""


class EmptySourceError(SourceError):
    """The source is readable and contains no text."""


class SourceTooLargeError(SourceError):
    """The source exceeds a limit that protects memory or time."""


class EmptyLibraryError(SourceError):
    """There is no document to ask."""


class QuestionError(TreatiseError):
    """The question is empty or too long."""


class FilterError(TreatiseError):
    """A filter over documents, or a key or value of their metadata, is not valid."""


class TreeError(TreatiseError):
    """A discourse tree, or a file with one, is invalid."""


class RecipeError(TreatiseError):
    """The recipe is unknown, or its parts are incompatible."""


class SettingsError(TreatiseError):
    """An unknown or ill-typed key in a settings file or in the environment."""


class MissingExtraError(TreatiseError):
    """An optional dependency is not installed; the message contains the command to install it."""

    def __init__(self, need: str, extra: str) -> None:
        from treatise.core.installed import install_command  # errors are imported at every start

        super().__init__(f"{need} needs an optional dependency: {install_command(extra)}")


class StoreError(TreatiseError):
    """The index on disk could not be read or written."""


class StoreVersionError(StoreError):
    """The store was written by a newer version of Treatise."""


class StoreDamagedError(StoreError):
    """The file is not a store, or is corrupt."""


class StoreUnwritableError(StoreError):
    """The store cannot be written: permission, read-only file system, or a full disk."""


class StoreBusyError(StoreError):
    """Another process held the store's write lock until the time-out."""


class StoreUnavailableError(StoreError):
    """The server of the store cannot be reached, refuses the user, or closed the connection."""


class DocumentNotFoundError(StoreError):
    """The store contains no document with this id."""


class EngineError(TreatiseError):
    """A model, in this process or behind a URL, failed."""


class EngineUnavailableError(EngineError):
    """The engine did not reply: connection refused, time-out, server error, quota."""


class ModelReplyError(EngineError):
    """The reply does not have the requested form.

    Attributes:
        rejection_reason: Why it was rejected, in a few words, for counting.
        tokens: Tokens of prompt and reply; None if the engine does not report them.
    """

    def __init__(
        self, message: str, rejection_reason: str = "not what was asked for", tokens: tuple[int, int] | None = None
    ) -> None:
        super().__init__(message)
        self.rejection_reason = rejection_reason
        self.tokens = tokens


class PromptRefusedError(ModelReplyError):
    """The engine refused this prompt as too long or against its rules; it may accept others."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "refused by the server", (0, 0))


class DataError(TreatiseError):
    """A data set, a training file or a result file does not have the documented form."""


class UnknownNameError(DataError):
    """No data set has this name: wrong usage, unlike a file that cannot be read."""
