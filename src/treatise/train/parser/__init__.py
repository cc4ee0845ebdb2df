"""Training of the span parser: ``recipe``, ``task`` for the loop, and ``export`` of the shipped folder."""
