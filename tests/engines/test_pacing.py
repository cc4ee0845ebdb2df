"""No minute has more than the rate allows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.errors import SettingsError
from treatise.engines.pacing import Pacer, RateLimit


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(1, 500)), max_size=30))
def test_in_no_minute_do_more_begin_than_the_rate_allows(arrivals: list[tuple[float, int]]) -> None:
    limit = RateLimit(requests_per_minute=20, tokens_per_minute=3_000)
    now = 0.0
    pacer = Pacer(limit, clock=lambda: now)
    begins: list[tuple[float, int]] = []
    for pause, tokens in arrivals:
        now += pause
        begins.append((now + pacer.reserve(tokens), tokens))
    for i, (start, _) in enumerate(begins):
        within = [tokens for begin, tokens in begins[i:] if begin < start + 60 - 1e-6]
        assert len(within) <= 20
        assert sum(within[:-1]) <= 3_000


def test_without_a_limit_nobody_waits() -> None:
    pacer = Pacer(RateLimit(), clock=lambda: 0.0)
    assert [pacer.reserve(1_000_000) for _ in range(3)] == [0.0, 0.0, 0.0]


def test_a_rate_below_zero_is_refused() -> None:
    with pytest.raises(SettingsError):
        RateLimit(requests_per_minute=-1)
