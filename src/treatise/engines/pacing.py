"""Keeping to the rate that a server allows."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from treatise.core.errors import SettingsError


@dataclass(frozen=True, slots=True)
class RateLimit:
    """What a server allows; 0 for any rate.

    Attributes:
        requests_per_minute: Requests that may begin in a minute.
        tokens_per_minute: Tokens of prompts and of the longest replies allowed, by our own count.
    """

    requests_per_minute: float = 0.0
    tokens_per_minute: float = 0.0

    def __post_init__(self) -> None:
        if self.requests_per_minute < 0 or self.tokens_per_minute < 0:
            raise SettingsError("rates are not below 0; 0 stands for any")

    def seconds(self, tokens: int) -> float:
        """How long a request of this many tokens occupies the rate."""
        of_request = 60 / self.requests_per_minute if self.requests_per_minute else 0.0
        of_tokens = 60 * tokens / self.tokens_per_minute if self.tokens_per_minute else 0.0
        return max(of_request, of_tokens)


class Pacer:
    """Hands out times to begin, evenly: in no minute do more begin than the rate allows.

    Threads and event loops may share one.
    """

    def __init__(self, limit: RateLimit, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._lock = Lock()
        self._free_at = 0.0

    def reserve(self, tokens: int) -> float:
        """Seconds to wait before a request of this many tokens; its place is taken from now on."""
        with self._lock:
            now = self._clock()
            begins = max(now, self._free_at)
            self._free_at = begins + self._limit.seconds(tokens)
            return begins - now
