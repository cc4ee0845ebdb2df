"""Every store keeps the contract."""

from itertools import count
from pathlib import Path

from tests.servers import new_library
from treatise.compose import open_store
from treatise.store import SqliteStore
from treatise.testing import check_store


def test_the_sqlite_store_keeps_the_contract(tmp_path: Path) -> None:
    numbers = count()
    check_store(lambda: SqliteStore(tmp_path / f"{next(numbers)}.db"))


def test_the_postgres_store_keeps_the_contract(postgres: str) -> None:
    check_store(lambda: open_store(new_library(postgres)))
