"""What all tests share."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for tests/builders.py: the tests are not a package


with suppress(ImportError):  # environments of single integrations do without it
    from hypothesis import HealthCheck, settings

    # a law holds or not, however busy the machine is
    settings.register_profile("laws", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("laws")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server, which starts when a test first needs it."""
    from tests.servers import postgres_server

    with postgres_server() as url:
        yield url


@pytest.fixture
def postgres_library(postgres: str) -> str:
    """The URL of a library that does not exist yet."""
    from tests.servers import new_library

    return new_library(postgres)
