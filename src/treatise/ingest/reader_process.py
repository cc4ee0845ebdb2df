"""The process that reads sources for another one: it may run out of memory, crash or be killed without harm.

Messages on both pipes are a length of eight bytes and that many bytes. A request is two messages: its options as JSON,
and the source's bytes. A reply is one message of ``ingest.wire``, after any number of messages of progress. The process
ends with its standard input.
"""

import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import asdict, fields
from typing import Any, BinaryIO, Final

from treatise.core.errors import DamagedSourceError, SourceError, SourceTooLargeError
from treatise.ingest.formats import FORMATS
from treatise.ingest.limits import Limits
from treatise.ingest.ongoing import SCANNED_PAGES, ReadingProgress, listening
from treatise.ingest.wire import pack_error, pack_reading

READY: Final = b"ready"
_PROGRESS: Final = b"progress "
_LENGTH_BYTES: Final = 8
_CHUNK_BYTES: Final = 2**20
_EVERY_S: Final = 0.1


def write_message(stream: BinaryIO, message: bytes) -> None:
    """Writes a message."""
    stream.write(len(message).to_bytes(_LENGTH_BYTES, "little"))
    stream.write(message)
    stream.flush()


def read_message(stream: BinaryIO) -> bytes:
    """Reads a message.

    Raises:
        EOFError: The other process has ended.
    """
    left = int.from_bytes(_exactly(stream, _LENGTH_BYTES), "little")
    chunks = []
    while left:
        chunks.append(_exactly(stream, min(left, _CHUNK_BYTES)))
        left -= len(chunks[-1])
    return b"".join(chunks)


def pack_request(format_name: str, name: str, limits: Limits) -> bytes:
    """The options of a request as JSON."""
    values = {key: value for key, value in asdict(limits).items() if key != "allowance"}
    return json.dumps({"format": format_name, "name": name, "limits": values}).encode()


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answers requests until the input ends."""
    write_message(replies, READY)
    with suppress(EOFError):
        while True:
            options, data = json.loads(read_message(requests)), read_message(requests)
            with listening(_writer_of_progress(replies)):
                reply = _reply(options, data)
            write_message(replies, reply)


def progress_of(message: bytes) -> tuple[str, int, int] | None:
    """The stage, what is done and the total, if the message is one of progress; None for a reply."""
    if not message.startswith(_PROGRESS):
        return None
    done, total, stage = message.removeprefix(_PROGRESS).split(maxsplit=2)
    return stage.decode(), int(done), int(total)


def main() -> None:
    """Serves on standard input and output; whatever else writes to standard output is discarded."""
    replies = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    from treatise.ingest import pdf  # noqa: F401  (loaded before the first request, while the caller does other work)

    serve(sys.stdin.buffer, replies)


def _writer_of_progress(replies: BinaryIO) -> ReadingProgress:
    """Writes every scanned page, since each has a time limit of its own, and other progress now and then."""
    last = 0.0

    def write(stage: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if stage == SCANNED_PAGES or now - last >= _EVERY_S:
            last = now
            write_message(replies, _PROGRESS + f"{done} {total} {stage}".encode())

    return write


def _reply(options: dict[str, Any], data: bytes) -> bytes:
    limits, name = _limits(options["limits"]), options["name"]
    try:
        _bound_memory(limits.max_memory_bytes)
        return pack_reading(FORMATS[options["format"]].read_here(data, name, limits))
    except SourceError as error:
        return pack_error(error)
    except MemoryError:
        return pack_error(SourceTooLargeError(out_of_bounds(name, limits)))
    except Exception as error:  # the caller has no other way to learn of it
        return pack_error(DamagedSourceError(f"{name}: its reader failed ({type(error).__name__}: {error})"))


def out_of_bounds(name: str, limits: Limits) -> str:
    """The message for a source that cannot be read within the bounds of the process."""
    return (
        f"{name}: reading it takes more than {limits.max_memory_bytes // 2**20:,} MB of memory, or crashes the reader; "
        "it may be damaged, or built to do harm: get it from its publisher, or save it again"
    )


def _limits(values: dict[str, Any]) -> Limits:
    known = {field.name for field in fields(Limits)}
    return Limits(**{key: value for key, value in values.items() if key in known})


def _bound_memory(n_bytes: int) -> None:
    """Bounds the address space, on systems that can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (n_bytes, most))


def _exactly(stream: BinaryIO, n_bytes: int) -> bytes:
    data = stream.read(n_bytes)
    if len(data) < n_bytes:
        raise EOFError
    return data
