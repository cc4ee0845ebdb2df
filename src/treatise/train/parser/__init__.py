"""Training of the span parser: ``recipe`` (what), ``task`` (how), ``export`` (the folder that is shipped)."""
