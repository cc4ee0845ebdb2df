"""Training of the shipped models. Only this package imports torch."""
