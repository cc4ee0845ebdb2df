"""``treatise completion``: the script that makes a shell complete commands, options and document ids."""

import click
from click.shell_completion import get_completion_class


@click.command(
    epilog="""\b
For every new shell:
  bash    treatise completion bash > ~/.local/share/bash-completion/completions/treatise
  zsh     treatise completion zsh > ~/.zfunc/_treatise      (with fpath+=~/.zfunc before compinit)
  fish    treatise completion fish > ~/.config/fish/completions/treatise.fish

\b
For this one:
  eval "$(treatise completion bash)"
"""
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL."""
    from treatise.cli.app import treatise

    script = get_completion_class(shell)
    if script is None:  # click knows all three
        raise click.UsageError(f"no completion for {shell}")
    click.echo(script(treatise, {}, "treatise", "_TREATISE_COMPLETE").source())
