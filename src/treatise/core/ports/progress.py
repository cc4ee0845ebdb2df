"""The protocol of progress callbacks."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called as ``progress(done, total)``, with ``done`` rising to ``total``; the unit depends on the function called."""
