"""The command line: one file per group of commands; heavy imports wait until a command needs them."""

from treatise.cli.app import main, treatise

__all__ = ["main", "treatise"]
