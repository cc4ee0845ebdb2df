"""``treatise completion``: shell completion of commands, options and document ids."""

import click
from click.shell_completion import get_completion_class


@click.command(
    short_help="Print a completion script for your shell.",
    epilog="""\b
For this shell only:
  eval "$(treatise completion bash)"

\b
For every new shell, write the script to
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
    if script is None:  # click supports all three
        raise click.UsageError(f"no completion for {shell}")
    click.echo(script(treatise, {}, "treatise", "_TREATISE_COMPLETE").source())
