"""Where questions, documents and keys go: certificates, redirects, private addresses, process lists, crash reports."""

import datetime
import ipaddress
import os
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final
from unittest import mock

from click.testing import CliRunner

from benchmarks.harden.campaign import Campaign
from treatise.cli import treatise

CERTIFICATES: Final = ("trusted", "self-signed", "wrong host", "expired")
QUESTION: Final = "When does water boil?"
PUBLIC: Final = "documents.example.org"
"""A public name that leads to a private address."""

_PAGE: Final = b"<html><body><p>The secret of the machine next door is 42.</p></body></html>"


class _Handler(BaseHTTPRequestHandler):
    """Notes every request; redirects if its server says where to."""

    server: "_Server"

    def do_GET(self) -> None:
        self._reply()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._reply()

    def _reply(self) -> None:
        self.server.asked.append(self.path)
        time.sleep(self.server.wait_s)
        body = self.server.body
        self.send_response(302 if self.server.location else 200)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Type", "text/html" if body is _PAGE else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    location = ""
    wait_s = 0.0
    body = b'{"choices": [{"message": {"content": "Water boils at 100 degrees [1]."}}], "data": [{"id": "m"}]}'

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


def run_once(campaign: Campaign, folder: Path, file: str, key: str) -> None:
    """Every case of this module; ``key`` is in the environment already."""
    _certificates(campaign, folder, file)
    _private_addresses(campaign, folder)
    _references(campaign, folder)
    _process_list(campaign, file, key)
    _crash_reports(campaign, file, key)


@contextmanager
def _serving(tls: ssl.SSLContext | None = None) -> Iterator[_Server]:
    server = _Server()
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def _certificates(campaign: Campaign, folder: Path, file: str) -> None:
    """A server whose certificate is not valid gets neither question nor evidence; a valid one is asked."""
    for kind in CERTIFICATES:
        own, authority = certificate(folder, kind)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(own)
        no_wait = mock.patch("openai._base_client.BaseClient._calculate_retry_timeout", return_value=0.0)
        with _serving(tls) as server, mock.patch.dict(os.environ, {"SSL_CERT_FILE": str(authority)}), no_wait:
            url = f"https://127.0.0.1:{server.server_port}/v1"
            done = CliRunner().invoke(treatise, ["ask", file, QUESTION, "--llm", url, "--llm-model", "m"])
        campaign.count("certificates")
        if bool(server.asked) != (kind == "trusted"):
            campaign.fault(f"certificate {kind}: the server got {server.asked}: {done.output[-300:]}")
        if done.exit_code or (kind != "trusted" and "certificate" not in done.output.lower()):
            campaign.fault(f"certificate {kind}: {done.output[-400:]}")


def certificate(folder: Path, kind: str) -> tuple[Path, Path]:
    """The files of a server's certificate with its key, and of the authority that the client trusts."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    def made(name: str, issuer: Any, signer: Any, public: Any, *, is_authority: bool) -> Any:
        now = datetime.datetime.now(datetime.UTC)
        ends = now - datetime.timedelta(days=1) if kind == "expired" and not is_authority else now + _DAY
        host = x509.DNSName("elsewhere.example") if kind == "wrong host" else x509.IPAddress(_LOCALHOST)
        return (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]))
            .issuer_name(issuer)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=2))
            .not_valid_after(ends)
            .add_extension(x509.SubjectAlternativeName([host]), critical=False)
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .sign(signer, hashes.SHA256())
        )

    authority_key, own_key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    root = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "authority")])
    authority = made("authority", root, authority_key, authority_key.public_key(), is_authority=True)
    named = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "server")])
    issuer, signer = (named, own_key) if kind == "self-signed" else (root, authority_key)
    own = made("server", issuer, signer, own_key.public_key(), is_authority=False)
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    own_file, authority_file = folder / "server.pem", folder / "authority.pem"
    own_file.write_bytes(own.public_bytes(pem) + own_key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    authority_file.write_bytes(authority.public_bytes(pem))
    return own_file, authority_file


_DAY: Final = datetime.timedelta(days=1)
_LOCALHOST: Final = ipaddress.ip_address("127.0.0.1")


def _private_addresses(campaign: Campaign, folder: Path) -> None:
    """A page is read from a private address only if the user named its host."""
    with _serving() as named, _serving() as other:
        named.body = other.body = _PAGE
        port = other.server_port
        targets = [
            *(f"http://{host}:{port}/" for host in ("localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", PUBLIC)),
            *(f"http://{host}:{port}/" for host in ("2130706433", "0x7f000001", "127.1", "127.0.0.1.", "0177.0.0.1")),
            "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/",
        ]  # fmt: skip
        with mock.patch("socket.getaddrinfo", _resolved):
            for target in targets:
                named.location = target
                _fetched(campaign, folder, f"http://127.0.0.1:{named.server_port}/", other, f"redirect to {target}")
            named.location = ""
            _fetched(campaign, folder, f"http://{PUBLIC}:{port}/", other, "a public name of a private address")


_lookup = socket.getaddrinfo


def _resolved(host: Any, *arguments: Any, **options: Any) -> Any:
    return _lookup("127.0.0.1" if host == PUBLIC else host, *arguments, **options)


def _fetched(campaign: Campaign, folder: Path, url: str, other: _Server, what: str) -> None:
    other.asked.clear()
    done = CliRunner().invoke(treatise, ["index", url], env={"TREATISE_STORE": str(folder / "web.db")})
    campaign.count("private addresses")
    if other.asked or done.exit_code != 1 or "a bug in Treatise" in done.output:
        campaign.fault(f"{what}: asked {other.asked}, status {done.exit_code}: {done.output[-300:]}")


def _references(campaign: Campaign, folder: Path) -> None:
    """What documents refer to is not fetched."""
    with _serving() as server:
        url = f"http://127.0.0.1:{server.server_port}/x"
        documents = {
            "a.html": f'<base href="{url}"><link rel="stylesheet" href="{url}"><script src="{url}"></script>'
            f'<iframe src="{url}"></iframe><meta http-equiv="refresh" content="0;url={url}"><p>Water boils.</p>'
            f'<img src="{url}"><object data="{url}"></object><style>@import "{url}"; p {{background: url({url})}}</style>',
            "b.md": f"# Tea\n\n![boils]({url}) Water boils. <img src={url}>\n\n[ref]: {url}\n",
            "c.xml": f'<!DOCTYPE a SYSTEM "{url}"><a xmlns:xi="http://www.w3.org/2001/XInclude">'
            f'<xi:include href="{url}"/>Water boils.</a>',
            "d.rst": f".. include:: {url}\n\n.. image:: {url}\n\nWater boils.\n",
            "e.tex": f"\\documentclass{{article}}\\input{{{url}}}\\begin{{document}}Water boils.\\end{{document}}\n",
            "f.rtf": f'{{\\rtf1 {{\\field{{\\*\\fldinst INCLUDEPICTURE "{url}"}}{{\\fldrslt Water boils.}}}}}}',
        }
        for name, text in documents.items():
            (folder / name).write_text(text, encoding="utf-8")
            done = CliRunner().invoke(treatise, ["index", str(folder / name)])
            campaign.count("documents with references")
            if server.asked or "a bug in Treatise" in done.output:
                campaign.fault(f"{name}: {server.asked} {done.output[-300:]}")


def _process_list(campaign: Campaign, file: str, key: str) -> None:
    """No process that a command starts has the key among its arguments."""
    with _serving() as server:
        server.wait_s = 3.0
        command = ["ask", file, QUESTION, "--llm", f"http://127.0.0.1:{server.server_port}/v1", "--llm-model", "m"]
        running = subprocess.Popen([sys.executable, "-m", "treatise", *command], stdout=-1, stderr=-1)
        n_seen = 0
        while running.poll() is None:
            for arguments in Path("/proc").glob("[0-9]*/cmdline"):
                with suppress(OSError):
                    n_seen += 1
                    if key.encode() in arguments.read_bytes():
                        campaign.fault(f"the key is among the arguments of process {arguments.parent.name}")
            time.sleep(0.1)
        running.communicate()
        campaign.count("looks at processes", n_seen)
        if not server.asked:
            campaign.fault("the server was not asked: no process was seen at work")


def _crash_reports(campaign: Campaign, file: str, key: str) -> None:
    """A bug whose message contains the key, or the password of a URL, is reported without them."""
    crash = RuntimeError(f"unexpected header 'Bearer {key}' from http://ann:{key}x@127.0.0.1/v1")
    for option in ([], ["--traceback"]):
        with mock.patch("treatise.engines.openai_client.parsed", side_effect=crash), _serving() as server:
            url = f"http://127.0.0.1:{server.server_port}/v1"
            done = CliRunner().invoke(treatise, [*option, "ask", file, QUESTION, "--llm", url])
        campaign.count("crash reports")
        if key in done.output or "RuntimeError" not in done.output:
            campaign.fault(f"crash report {option}: {done.output[-300:]} {done.exception!r}")
