"""The rate of requests that a server allows."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from treatise.core.errors import SettingsError


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The rate that a server allows; 0 for no limit.

    Attributes:
        requests_per_minute: Requests that may begin per minute.
        tokens_per_minute: Tokens per minute of prompts and of replies of full length, by our own count.
    """

    requests_per_minute: float = 0.0
    tokens_per_minute: float = 0.0

    def __post_init__(self) -> None:
        if self.requests_per_minute < 0 or self.tokens_per_minute < 0:
            raise SettingsError("rates must not be below 0; 0 means no limit")

    def seconds(self, tokens: int) -> float:
        """Seconds of the rate limit used by a request of this size."""
        of_request = 60 / self.requests_per_minute if self.requests_per_minute else 0.0
        of_tokens = 60 * tokens / self.tokens_per_minute if self.tokens_per_minute else 0.0
        return max(of_request, of_tokens)


class Pacer:
    """Spaces the starts of requests evenly, so that no minute has more than the rate allows.

    Threads and event loops may share one.
    """

    def __init__(self, limit: RateLimit, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._lock = Lock()
        self._free_at = 0.0

    def reserve(self, tokens: int) -> float:
        """Reserves a slot for a request of this size; returns the seconds to wait for it."""
        with self._lock:
            now = self._clock()
            begins = max(now, self._free_at)
            self._free_at = begins + self._limit.seconds(tokens)
            return begins - now
