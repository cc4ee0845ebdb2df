"""Starts the server: one process, or several that share the store."""

import errno
import json
import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from uvicorn.supervisors import Multiprocess

from treatise.compose import open_library
from treatise.core.errors import SettingsError
from treatise.engines.http_guard import secrets_of
from treatise.server.app import create_app
from treatise.server.config import ServerConfig
from treatise.server.connections import ImpatientProtocol
from treatise.server.guard import Guard
from treatise.server.keys import Keys
from treatise.server.liveness import health_process
from treatise.server.logs import configure_logs
from treatise.server.metrics import MULTIPROCESS
from treatise.server.services import Services, make_services
from treatise.server.state import State, state_folder
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.pipeline.library import Library

_BACKLOG: Final = 2_048

_SWITCH_S: Final = 0.0005
"""How long a thread that answers may hold Python's lock while the event loop waits. Python's own 5 ms add up in a
request, which takes the lock anew after each call of the system."""

_CONFIG: Final = "TREATISE_SERVE_WORKER"
"""Variable that hands the configuration to a worker process."""


def check_keys(config: ServerConfig, settings: Settings) -> None:
    """Raises ``SettingsError`` if the server needs a key and has none."""
    state = State(state_folder(config.state, settings))
    try:
        if config.needs_key and not Keys(state).has_any():
            raise SettingsError(
                f"{config.host} is reachable from other machines (or a key is required), and there is no key yet: make "
                "one with `treatise keys add NAME`, or with `treatise serve --new-key NAME`"
            )
    finally:
        state.close()


def services_maker(config: ServerConfig, settings: Settings) -> Callable[[], Services]:
    """Makes the services of a worker."""

    def opened(recipe: str) -> "Library":
        return open_library(settings, recipe=recipe or None)

    def make() -> Services:
        secrets = {settings.llm: "the language model's server", settings.api_key: "the key"}
        services = make_services(config, opened, state_folder(config.state, settings), secrets)
        return replace(services, budget=settings.budget)

    return make


def serve(config: ServerConfig, settings: Settings) -> None:
    """Serves until a signal to stop.

    Raises:
        SettingsError: If a key is needed and absent.
    """
    check_keys(config, settings)
    with bound_socket(config.host, config.port) as listening, _health(config):
        port = listening.getsockname()[1]
        print(f"treatise: serving on http://{_url_host(config.host)}:{port}", file=sys.stderr, flush=True)
        configure_logs(config.log_format, config.log_level, secrets_of(settings.api_key, settings.llm))
        if config.workers == 1:
            _serve_here(config, settings, listening)
        else:
            _serve_in_workers(config, settings, listening)


def _health(config: ServerConfig) -> AbstractContextManager[None]:
    """The process that answers for the server's health on a port of its own, if there is one."""
    return health_process(bound_socket(config.host, config.health_port)) if config.health_port else nullcontext()


def _serve_here(config: ServerConfig, settings: Settings, listening: socket.socket) -> None:
    sys.setswitchinterval(_SWITCH_S)
    server = uvicorn.Server(uvicorn.Config(create_app(services_maker(config, settings)), **server_options(config)))
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if not server.started:
        sys.exit(1)


def _serve_in_workers(config: ServerConfig, settings: Settings, listening: socket.socket) -> None:
    with TemporaryDirectory(prefix="treatise-metrics-") as folder:
        os.environ.setdefault(MULTIPROCESS, folder)
        os.environ[_CONFIG] = _to_json(config, settings)
        app = uvicorn.Config(f"{__name__}:worker_app", factory=True, workers=config.workers, **server_options(config))
        Multiprocess(app, sockets=[listening]).run()


def worker_app() -> Guard:
    """The application of a worker process."""
    config, settings = _from_json(os.environ[_CONFIG])
    configure_logs(config.log_format, config.log_level, secrets_of(settings.api_key, settings.llm))
    sys.setswitchinterval(_SWITCH_S)
    Thread(target=_end_with_parent, name="parent", daemon=True).start()
    return create_app(services_maker(config, settings))


def _end_with_parent() -> None:
    """Stops this worker once the process that started it is gone: a killed server must leave its port."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _to_json(config: ServerConfig, settings: Settings) -> str:
    """Both configurations for a worker; the key of the language model's server stays in its own variable."""
    found = {key: value for key, value in asdict(settings).items() if key != "api_key"}
    store = str(settings.store) if settings.store else None
    return json.dumps({"server": config.to_json(), "settings": {**found, "store": store}})


def _from_json(text: str) -> tuple[ServerConfig, Settings]:
    both = json.loads(text)
    found = both["settings"]
    store = found["store"]
    if store and "://" not in store:
        store = Path(store)
    prices = tuple((model, prompt, completion) for model, prompt, completion in found["prices"])
    settings = replace(load_settings(), **{**found, "store": store, "prices": prices})
    return ServerConfig.from_json(both["server"]), settings


def _url_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that listens on an address, so that all workers share it and clients may connect at once.

    Raises:
        SettingsError: If the address is not of this machine, or the port is in use or not allowed.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:
        if getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES):
            raise SettingsError(f"port {port} of {host} cannot be used ({error}): choose another --port") from error
        raise SettingsError(f"{host} is no address of this machine ({error}): choose another --host") from error
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # or a reply waits 40 ms for its second part's turn
    listening.set_inheritable(True)
    return listening


def server_options(config: ServerConfig) -> dict[str, Any]:
    """The options of uvicorn."""
    return {
        "http": ImpatientProtocol,
        "ws": "none",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "date_header": True,
        "timeout_graceful_shutdown": int(config.stop_timeout_s),
        "timeout_keep_alive": 75,
        "h11_max_incomplete_event_size": 64 * 1024,
        "proxy_headers": False,
    }
