"""The ``treatise`` command: which commands there are, and what becomes of an error."""

import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from treatise import __version__
from treatise.core.errors import TreatiseError

EXIT_FAILED: Final = 1
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as shells have it

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
    """Imports a command when it is asked for, and turns errors into a line and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click calls it so)
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
        except TreatiseError as error:
            _fail(ctx, str(error))
        except KeyboardInterrupt:
            click.echo("treatise: interrupted; what was finished is kept", err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except BrokenPipeError:
            raise  # click ends quietly
        except Exception as error:
            if ctx.params.get("traceback"):
                raise
            reason = f"{type(error).__name__}: {error}"
            _fail(ctx, f"a fault of Treatise, not yours: {reason}; please report it with `treatise --traceback ...`")


def _fail(ctx: click.Context, message: str) -> NoReturn:
    click.echo(f"treatise: error: {message}", err=True)
    ctx.exit(EXIT_FAILED)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Start here:
  treatise ask paper.pdf "What was measured?"     one document, one answer
  treatise index reports/                         read a folder once ...
  treatise ask "Who signed the contract?"         ... and ask all of it
  treatise list                                   what has been read

\b
In scripts:
  treatise ask paper.pdf "What was measured?" --json | jq .answer
  curl -s https://example.org/a.html | treatise ask - "Who wrote it?"

Every command explains itself with examples: treatise COMMAND --help. Exit status: 0 done, 1 failed, 2 wrong usage.
""",
)
@click.version_option(__version__, prog_name="treatise", message="%(prog)s %(version)s")
@click.option("--traceback", is_flag=True, help="Show where in Treatise an unexpected fault arose.")
def treatise(*, traceback: bool) -> None:
    """Ask long documents questions.

    Reads text, Markdown, HTML, DOCX, EPUB and PDF by their structure, finds the passages that answer, and cites each
    to the character. All of it runs on this machine: no network, no key, no language model, unless you name one.
    """


def main() -> None:
    """Runs the command line and exits."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a stream that was replaced may lack it
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    treatise(prog_name="treatise")
