"""A language model from a GGUF file, in this process: llama.cpp through ``xllamacpp``."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import find_spec
from os import environ
from pathlib import Path
from threading import Lock
from typing import Any

from treatise.core.errors import (
    EngineError,
    EngineUnavailableError,
    MissingExtraError,
    ModelReplyError,
    PromptRefusedError,
)
from treatise.core.ports import Message, Reply
from treatise.engines.openai_chat import read_completion, request_options
from treatise.llm.decoding import SettableDecoding


class LlamaChat(SettableDecoding):
    """A ``LanguageModel`` over a GGUF file, loaded on first use.

    Args:
        path: The file.
        context_tokens: The window of each conversation.
        concurrency: Concurrent conversations; each has its own window in memory.
        threads: Processor threads for all of them together.

    Raises:
        MissingExtraError: If ``xllamacpp`` is not installed.
        EngineUnavailableError: If the file does not exist; on first use, if llama.cpp cannot load it.
    """

    def __init__(self, path: Path, *, context_tokens: int = 4_096, concurrency: int = 2, threads: int = 2) -> None:
        self._path = path
        self._context_tokens = context_tokens
        self._concurrency = concurrency
        self._threads = threads
        self._loading = Lock()
        self._loaded_server: list[Any] = []  # at most one; shared by all decodings
        _check(path)

    @property
    def name(self) -> str:
        """The file's name and size, window and decoding."""
        size, window = self._path.stat().st_size, self._context_tokens
        return f"llama.cpp {self._path.name} {size} window {window} {self._decoding.suffix}"

    @property
    def context_tokens(self) -> int:
        """The window of each conversation."""
        return self._context_tokens

    @property
    def url(self) -> str:
        """URL at which the same model serves OpenAI's protocol on loopback, as long as this object lives."""
        return f"{self._server.listening_address}/v1"

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """Replies as they come; see ``LanguageModel.chat``. Closing the iterator drops conversations not yet
        started.
        """
        pool = ThreadPoolExecutor(self._concurrency)
        try:
            futures = {
                pool.submit(self._reply, messages, max_tokens, schema): index
                for index, messages in enumerate(conversations)
            }
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    @property
    def _server(self) -> Any:
        with self._loading:
            if not self._loaded_server:
                server = _loaded(self._path, self._context_tokens, self._concurrency, self._threads)
                self._loaded_server.append(server)
            return self._loaded_server[0]

    def _reply(
        self, messages: Sequence[Message], max_tokens: int, schema: dict[str, object] | None
    ) -> Reply | EngineError:
        request = {"messages": _turns(messages), **request_options(max_tokens, schema, self._decoding)}
        try:
            body = self._server.handle_chat_completions(request)
        except EngineError as error:
            return error
        except Exception as error:
            return _with_cause(EngineUnavailableError(f"{self._path.name} failed: {error}"), error)
        if "error" in body:
            return PromptRefusedError(f"{self._path.name} refused the prompt: {body['error'].get('message')}")
        try:
            return read_completion(body, self._path.name)
        except ModelReplyError as error:
            return error


def _check(path: Path) -> None:
    """Raises an error for a missing extra or an unusable file, before anything is loaded."""
    try:
        found = find_spec("xllamacpp")
    except ValueError:  # another module has taken its name
        found = None
    if found is None:
        raise MissingExtraError("a language model out of a GGUF file", "local")
    if not path.is_file():
        raise EngineUnavailableError(f"{path}: there is no such file; a language model in this process is a GGUF file")
    with path.open("rb") as file:
        if (head := file.read(4)) != b"GGUF":
            raise EngineUnavailableError(
                f"{path} could not be loaded: it begins with {head!r}, and a GGUF file with b'GGUF'"
            )


def _loaded(path: Path, context_tokens: int, concurrency: int, threads: int) -> Any:
    """The server. Its threads sleep while they wait: busy waiting on two loaded cores is ten times slower."""
    environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when the library loads
    try:
        import xllamacpp
    except ImportError as error:
        raise MissingExtraError("a language model out of a GGUF file", "local") from error
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context_tokens * concurrency
    params.n_parallel = concurrency
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.verbosity = 0
    try:
        return xllamacpp.Server(params)
    except Exception as error:
        raise EngineUnavailableError(f"{path} could not be loaded by llama.cpp: {error}") from error


def _turns(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in messages]


def _with_cause(error: EngineError, cause: Exception) -> EngineError:
    error.__cause__ = cause
    return error
