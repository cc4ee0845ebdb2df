"""How long work reports its progress."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called as ``progress(done, total)``, ``done`` rising to ``total``; units are the caller's."""
