"""Every store keeps the contract."""

from itertools import count
from pathlib import Path

from treatise.store import SqliteStore
from treatise.testing import check_store


def test_the_sqlite_store_keeps_the_contract(tmp_path: Path) -> None:
    numbers = count()
    check_store(lambda: SqliteStore(tmp_path / f"{next(numbers)}.db"))
