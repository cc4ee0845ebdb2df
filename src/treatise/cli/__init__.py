"""The command line: one file a group of commands, and nothing heavy imported before it is needed."""

from treatise.cli.app import main, treatise

__all__ = ["main", "treatise"]
