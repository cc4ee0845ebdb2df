"""The address of a library in a PostgreSQL database."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from psycopg import Error
from psycopg.conninfo import conninfo_to_dict

from treatise.core.errors import SettingsError

DEFAULT_SCHEMA: Final = "treatise"

_SCHEMA: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_FORM: Final = "postgresql://USER@HOST:PORT/DATABASE?schema=NAME"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a library is kept.

    Attributes:
        url: For the driver. It may hold a password, so it is never shown.
        schema: The schema of the library's tables: a database may have several libraries.
        name: Host, port, database and schema, for messages.
    """

    url: str = field(repr=False)
    schema: str
    name: str

    @classmethod
    def parse(cls, url: str) -> "Address":
        """The address in a URL of libpq, and the schema in its parameter ``schema``.

        Raises:
            SettingsError: If it is no such URL. The message has no part of it: a password may be anywhere.
        """
        try:
            parts = urlsplit(url)
            parameters = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
            schema = dict(parameters).get("schema", DEFAULT_SCHEMA)
            kept = [(key, value) for key, value in parameters if key != "schema"]
            query = urlencode(kept, quote_via=quote)  # libpq knows no + for a space
            clean = urlunsplit(parts._replace(query=query))
            found = conninfo_to_dict(clean)
            _check(found)
        except (ValueError, Error):
            raise SettingsError(
                f"the PostgreSQL URL cannot be read: expected {_FORM}, with @ : / ? # and % in names and passwords "
                "written as %40 %3A %2F %3F %23 %25"
            ) from None
        if not _SCHEMA.fullmatch(schema):
            raise SettingsError(
                f"schema={schema[:80]!r} is no name of a schema: expected lower-case letters, digits, _"
            )
        return cls(clean, schema, _name(found, schema))


def _check(found: Mapping[str, object]) -> None:
    """Raises ValueError for a port without a number, and for a host with the rest of a password that has an @."""
    [int(port) for port in str(found.get("port") or 0).split(",") if port]
    if "@" in str(found.get("host")):
        raise ValueError


def _name(found: Mapping[str, object], schema: str) -> str:
    port = f":{found['port']}" if found.get("port") else ""
    database = found.get("dbname") or found.get("user") or ""
    suffix = "" if schema == DEFAULT_SCHEMA else f"?schema={schema}"
    return f"postgresql://{found.get('host') or 'localhost'}{port}/{database}{suffix}"
