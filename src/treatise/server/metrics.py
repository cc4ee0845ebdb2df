"""Prometheus metrics of one worker, or of all workers together in Prometheus's multi-process mode."""

import os
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

MULTIPROCESS: Final = "PROMETHEUS_MULTIPROC_DIR"
MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


class Metrics:
    """Counts of requests, questions, jobs and model calls.

    Attributes:
        requests: By method, route and status.
        seconds: Time to serve a request, by route.
        questions: Questions that run and that wait.
        refused: Requests refused because of overload or a limit.
        jobs: Finished jobs by status.
        tokens: Tokens of the language model by kind.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        own: dict[str, Any] = {"registry": None if MULTIPROCESS in os.environ else self._registry}
        self.requests: Counter = Counter("treatise_requests", "Requests.", ("method", "route", "status"), **own)
        self.seconds: Histogram = Histogram(
            "treatise_request_seconds", "Time of requests.", ("route",), buckets=_SECONDS, **own
        )
        self.questions: Gauge = Gauge(
            "treatise_questions", "Questions now.", ("state",), multiprocess_mode="livesum", **own
        )
        self.refused: Counter = Counter("treatise_refused", "Requests refused with 429.", **own)
        self.jobs: Counter = Counter("treatise_jobs", "Finished jobs.", ("status",), **own)
        self.tokens: Counter = Counter("treatise_model_tokens", "Tokens of the language model.", ("kind",), **own)

    def text(self) -> bytes:
        """All metrics in Prometheus's text format."""
        if MULTIPROCESS not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
