"""Every finder of candidates keeps the contract of its port."""

from pathlib import Path

from treatise.pipeline.candidates import AllDocuments
from treatise.store import SqliteStore
from treatise.testing import check_candidate_finder


def test_all_documents_keep_the_contract(tmp_path: Path) -> None:
    check_candidate_finder(AllDocuments, lambda: SqliteStore(tmp_path / "a.db"))
