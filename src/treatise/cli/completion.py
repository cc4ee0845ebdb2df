"""``treatise completion``: the script that makes a shell complete commands, options and document ids."""

import click
from click.shell_completion import get_completion_class


@click.command(
    short_help="Print the completion script of a shell.",
    epilog="""\b
For this shell only:
  eval "$(treatise completion bash)"

\b
For every new one, write the script to
  bash    ~/.local/share/bash-completion/completions/treatise
  zsh     ~/.zfunc/_treatise      (with fpath+=~/.zfunc before compinit)
  fish    ~/.config/fish/completions/treatise.fish
""",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL."""
    from treatise.cli.app import treatise

    script = get_completion_class(shell)
    if script is None:  # click knows all three
        raise click.UsageError(f"no completion for {shell}")
    click.echo(script(treatise, {}, "treatise", "_TREATISE_COMPLETE").source())
