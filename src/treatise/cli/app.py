"""The ``treatise`` command: its subcommands, and how errors end it."""

import errno
import gc
import io
import itertools
import os
import re
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from treatise import __version__
from treatise.core.errors import FilterError, QuestionError, RecipeError, SettingsError, TreatiseError, UnknownNameError

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as in shells

_OBJECTS_PER_COLLECTION: Final = 300_000
"""New objects before the interpreter looks for garbage, instead of 700: what a command imports and loads stays, some
100,000 objects with a question to a large library."""

_BLAS_THREADS: Final = "OPENBLAS_NUM_THREADS"
"""What numpy reads when it is imported. One is enough unless the user says otherwise: its products are small here, and
its idle threads spin on the cores that the models run on."""

_AS_JSON: Final = "treatise.as_json"
"""Key of the context's ``meta``: whether the command prints JSON, and so its error too."""

_COMMANDS: Final = {
    "ask": ("treatise.cli.ask", "ask"),
    "chat": ("treatise.cli.chat", "chat"),
    "summarize": ("treatise.cli.summarize", "summarize"),
    "search": ("treatise.cli.search", "search"),
    "index": ("treatise.cli.index", "index"),
    "update": ("treatise.cli.index", "update"),
    "watch": ("treatise.cli.watch", "watch"),
    "list": ("treatise.cli.documents", "list_documents"),
    "show": ("treatise.cli.show", "show"),
    "tag": ("treatise.cli.tag", "tag"),
    "remove": ("treatise.cli.documents", "remove"),
    "export": ("treatise.cli.transfer", "export"),
    "import": ("treatise.cli.transfer", "import_library"),
    "migrate": ("treatise.cli.transfer", "migrate"),
    "parse": ("treatise.cli.parse", "parse"),
    "mcp": ("treatise.cli.mcp", "mcp"),
    "config": ("treatise.cli.config", "config"),
    "doctor": ("treatise.cli.doctor", "doctor"),
    "train": ("treatise.cli.train", "train"),
    "eval": ("treatise.cli.eval.group", "evaluation"),
    "serve": ("treatise.cli.serve", "serve"),
    "keys": ("treatise.cli.keys", "keys"),
    "completion": ("treatise.cli.completion", "completion"),
}
"""Module and name of each command, in the order of the help."""

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Of a full device, and of limits to what a user or a process may write."""


class _Commands(click.Group):
    """Imports a command on first use, and turns errors into a line and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click passes it by name)
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_AS_JSON] = "--json" in itertools.takewhile(lambda argument: argument != "--", args)
        try:
            return super().parse_args(ctx, args)
        except OSError as error:  # the help or the version is printed here
            if error.errno not in _FULL:
                raise
            _fail(ctx, error, f"what was to be written did not fit: {error}")

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            _show_record(ctx, error, error.format_message())
            raise
        except (click.exceptions.Exit, click.Abort):
            raise
        except (FilterError, QuestionError, RecipeError, SettingsError, UnknownNameError) as error:
            _fail(ctx, error, str(error), EXIT_USAGE)
        except TreatiseError as error:
            _fail(ctx, error, str(error))
        except KeyboardInterrupt:
            click.echo("treatise: interrupted; finished work is kept", err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except BrokenPipeError:
            raise  # click ends quietly
        except Exception as error:
            if isinstance(error, OSError) and error.errno in _FULL:
                _fail(ctx, error, f"what was to be written did not fit: {error}")
            if ctx.params.get("traceback"):
                click.echo(_without_secrets("".join(traceback.format_exception(error))), err=True, nl=False)
                ctx.exit(EXIT_FAILED)
            reason = _without_secrets(f"{type(error).__name__}: {error}")
            message = f"a bug in Treatise: {reason}; please report it with the output of `treatise --traceback ...`"
            _fail(ctx, error, message)


def _without_secrets(text: str) -> str:
    """The report of a crash, which users pass on, without the key and the passwords of URLs."""
    from treatise.engines.http_guard import secrets_of
    from treatise.settings import load_settings

    with suppress(Exception):  # the settings may be what crashed it
        text = secrets_of(load_settings().api_key, "").redact(text)
    return re.sub(r"(?<=://)[^/\s@]+@", "***@", text)


def _fail(ctx: click.Context, error: Exception, message: str, status: int = EXIT_FAILED) -> NoReturn:
    _show_record(ctx, error, message)
    from treatise.cli.output import warn

    warn(f"error: {message}")
    ctx.exit(status)


def _show_record(ctx: click.Context, error: Exception, message: str) -> None:
    """Writes the error as the one object of a command with ``--json``."""
    if ctx.meta.get(_AS_JSON):
        from treatise.cli.output import show_json
        from treatise.records import error_record

        with suppress(OSError):  # standard output is full or closed: the exit status says that it failed
            show_json(error_record(error, message))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Start here:
  treatise ask paper.pdf "What was measured?"     one document, one answer
  treatise index reports/                         read a folder once ...
  treatise ask "Who signed the contract?"         ... and ask about all of it
  treatise list                                   list the documents

\b
In scripts:
  treatise ask paper.pdf "What was measured?" --json | jq .answer
  curl -s https://example.org/a.html | treatise ask - "Who wrote it?"

Help with examples: treatise COMMAND --help. Exit status: 0 done, 1 failed, 2 wrong usage.
""",
)
@click.version_option(__version__, prog_name="treatise", message="%(prog)s %(version)s")
@click.option("--traceback", is_flag=True, help="Print the traceback of an unexpected error.")
def treatise(**_: bool) -> None:
    """Ask questions about long documents.

    Reads PDF, Word, HTML, Markdown, EPUB and more (treatise index --formats) with their structure, finds the passages
    that answer a question, and cites each of them exactly. Everything runs on this machine, without network, key or
    language model, unless you name one.
    """


def _open_closed_streams() -> None:
    """Standard streams that the caller has closed are empty: a file that is opened must not take their place."""
    with suppress(OSError):
        while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(descriptor)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  (open to the end)


class _Lossy(io.FileIO):
    """A file whose device may be full: what it refuses is lost."""

    def write(self, data: Any) -> int:
        with suppress(OSError):
            return super().write(data)
        return len(data)


def main() -> None:
    """Runs the command line and exits."""
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    os.environ.setdefault(_BLAS_THREADS, "1")
    _open_closed_streams()
    own = sys.__stderr__
    if os.name == "posix" and own and sys.stderr is own:  # a message that cannot be written is no reason to fail
        sys.stderr = io.TextIOWrapper(_Lossy(2, "w", closefd=False), own.encoding, write_through=True)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a replaced stream may not have it
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        treatise(prog_name="treatise")
    finally:
        gc.freeze()  # the system takes the memory back at once; the interpreter would visit each object first
