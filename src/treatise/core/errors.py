"""Everything Treatise raises on purpose.

::

    TreatiseError
    ├── SourceError            a file, folder, URL or stream that could not be read as a document
    │   ├── SourceNotFoundError
    │   ├── UnsupportedSourceError    the format is not one we read, or an optional reader is missing
    │   ├── DamagedSourceError        truncated, encrypted, malformed, or built to do harm
    │   ├── EmptySourceError          read well, but without any text
    │   └── SourceTooLargeError
    ├── QuestionError          a question that is empty or too long
    ├── TreeError              a discourse tree or treebank file that breaks its rules
    ├── RecipeError            an unknown recipe, or parts of one that do not fit together
    ├── SettingsError          an unknown or ill-typed key in a settings file or the environment
    ├── MissingExtraError      an optional dependency that is not installed
    ├── StoreError             the index on disk
    │   ├── StoreVersionError         written by a newer Treatise
    │   ├── StoreDamagedError
    │   ├── StoreUnwritableError      no permission, or the disk is full
    │   ├── StoreBusyError            another process has held the write lock for too long
    │   └── DocumentNotFoundError
    ├── EngineError            a model, in this process or behind a URL
    │   ├── EngineUnavailableError    no answer: refused, timed out, 5xx, out of quota
    │   └── ModelReplyError           an answer that does not fit what was asked for
    │       └── PromptRefusedError        none, since the prompt is too long or against the server's rules
    └── DataError              a data set or result file for training or evaluation

A message names the document or file, what was found, what was expected, and what to do.
"""


class TreatiseError(Exception):
    """The root of all errors that Treatise raises on purpose; the command line prints it and exits with 1."""


class SourceError(TreatiseError):
    """A source that could not be read as a document; the index is left as it was."""


class SourceNotFoundError(SourceError):
    """No such file, or not a file."""


class UnsupportedSourceError(SourceError):
    """The format is not one that the installed readers understand."""


class DamagedSourceError(SourceError):
    """The source is truncated, encrypted, malformed, or built to exhaust the reader."""


class EmptySourceError(SourceError):
    """The source was read well and holds no text."""


class SourceTooLargeError(SourceError):
    """The source is over a limit that protects memory or time."""


class QuestionError(TreatiseError):
    """A question that is empty or too long to be one."""


class TreeError(TreatiseError):
    """A discourse tree, or a file that holds one, breaks the rules of trees."""


class RecipeError(TreatiseError):
    """An unknown recipe, or one whose parts do not fit together."""


class SettingsError(TreatiseError):
    """An unknown or ill-typed key in a settings file or in the environment."""


class MissingExtraError(TreatiseError):
    """An optional dependency is not installed; the message holds the command that installs it."""

    def __init__(self, need: str, extra: str) -> None:
        super().__init__(f"{need} needs an optional dependency: pip install 'treatise[{extra}]'")


class StoreError(TreatiseError):
    """The index on disk could not be read or written."""


class StoreVersionError(StoreError):
    """The store was written by a newer version of Treatise."""


class StoreDamagedError(StoreError):
    """The store is not a store, or is corrupt."""


class StoreUnwritableError(StoreError):
    """The store cannot be written: permission, read-only file system, or a full disk."""


class StoreBusyError(StoreError):
    """Another process has held the store's write lock for longer than we wait."""


class DocumentNotFoundError(StoreError):
    """The store holds no document of that id."""


class EngineError(TreatiseError):
    """A model, in this process or behind a URL, failed."""


class EngineUnavailableError(EngineError):
    """No usable answer came: connection refused, time-out, server error, quota."""


class ModelReplyError(EngineError):
    """An answer came that does not fit what was asked for.

    Attributes:
        rejection_reason: In what it does not fit, in a few words, to be counted by.
        tokens: What the prompt and the answer cost nevertheless; None where the engine cannot tell.
    """

    def __init__(
        self, message: str, rejection_reason: str = "not what was asked for", tokens: tuple[int, int] | None = None
    ) -> None:
        super().__init__(message)
        self.rejection_reason = rejection_reason
        self.tokens = tokens


class PromptRefusedError(ModelReplyError):
    """The engine takes no such prompt: it is too long for it, or against its rules. Other prompts it may well take."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "refused by the server", (0, 0))


class DataError(TreatiseError):
    """A data set, a training file or a result file is not in the documented form."""
