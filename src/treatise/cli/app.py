"""The ``treatise`` command: its subcommands, and how errors end it."""

import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from treatise import __version__
from treatise.core.errors import QuestionError, RecipeError, TreatiseError

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as in shells

_COMMANDS: Final = {
    "ask": ("treatise.cli.ask", "ask"),
    "summarize": ("treatise.cli.summarize", "summarize"),
    "search": ("treatise.cli.search", "search"),
    "index": ("treatise.cli.index", "index"),
    "update": ("treatise.cli.index", "update"),
    "list": ("treatise.cli.documents", "list_documents"),
    "show": ("treatise.cli.show", "show"),
    "remove": ("treatise.cli.documents", "remove"),
    "parse": ("treatise.cli.parse", "parse"),
    "train": ("treatise.cli.train", "train"),
    "eval": ("treatise.cli.eval.group", "evaluation"),
    "completion": ("treatise.cli.completion", "completion"),
}
"""Module and name of each command, in the order of the help."""


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

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except (QuestionError, RecipeError) as error:
            _fail(ctx, str(error), EXIT_USAGE)
        except TreatiseError as error:
            _fail(ctx, str(error))
        except KeyboardInterrupt:
            click.echo("treatise: interrupted; finished work is kept", err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except BrokenPipeError:
            raise  # click ends quietly
        except Exception as error:
            if ctx.params.get("traceback"):
                raise
            reason = f"{type(error).__name__}: {error}"
            _fail(ctx, f"a bug in Treatise: {reason}; please report it with the output of `treatise --traceback ...`")


def _fail(ctx: click.Context, message: str, status: int = EXIT_FAILED) -> NoReturn:
    click.echo(f"treatise: error: {message}", err=True)
    ctx.exit(status)


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
def treatise(*, traceback: bool) -> None:
    """Ask questions about long documents.

    Reads PDF, Word, HTML, Markdown, EPUB and more (treatise index --formats) with their structure, finds the passages
    that answer a question, and cites each of them exactly. Everything runs on this machine, without network, key or
    language model, unless you name one.
    """


def main() -> None:
    """Runs the command line and exits."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a replaced stream may not have it
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    treatise(prog_name="treatise")
