"""Servers on several machines over one library in PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.server.conftest import COFFEE, TEA, running
from tests.servers import psql
from treatise.server.config import ServerConfig


def test_two_servers_share_a_library(postgres_library: str, tmp_path: Path) -> None:
    engines = {"store": postgres_library}
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    with (
        running(folders[0], ServerConfig(), {}, engines) as one,
        running(folders[1], ServerConfig(), {}, engines) as two,
    ):
        assert one.upload(tea_md=TEA)["status"] == "done"
        assert two.upload(coffee_txt=COFFEE)["status"] == "done"
        listed = [server.client.get("/api/v1/documents").json()["documents"] for server in (one, two)]
        assert listed[0] == listed[1]
        assert len(listed[0]) == 2

        def ask(number: int) -> int:
            server = (one, two)[number % 2]
            reply = server.client.post("/api/v1/ask", json={"question": "How hot are coffee beans roasted?"})
            assert "220 degrees" in reply.json()["answer"], reply.text
            return reply.status_code

        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(ask, range(16))) == {200}


def test_a_lost_library_is_503_without_its_address(postgres_library: str, tmp_path: Path) -> None:
    with running(tmp_path, ServerConfig(), {}, {"store": postgres_library}) as server:
        server.upload(tea_md=TEA)
        name = postgres_library.rpartition("schema=")[2]
        psql(postgres_library, f"ALTER SCHEMA {name} RENAME TO {name}_away")
        reply = server.client.get("/api/v1/documents")
        assert reply.status_code >= 500
        assert name not in reply.text
        psql(postgres_library, f"ALTER SCHEMA {name}_away RENAME TO {name}")
        assert server.client.get("/api/v1/documents").status_code == 200
