"""Keys of clients: kept as hashes, with scopes, collections and limits."""

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Final

from treatise.core.errors import SettingsError
from treatise.core.metadata import checked_values
from treatise.server.state import Row, State

_PREFIX: Final = "tk"
_NO_HASH: Final = bytes(32)
_USED_EVERY_S: Final = 60.0


class Scope(StrEnum):
    """What a key allows. Each scope includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a key; 0 for none.

    Attributes:
        requests_per_minute: Requests of every kind.
        upload_mb_per_day: Uploaded files together.
        tokens_per_day: Prompt and completion tokens of the language model.
        cost_per_day: At the prices in the settings.
    """

    requests_per_minute: int = 0
    upload_mb_per_day: int = 0
    tokens_per_day: int = 0
    cost_per_day: float = 0.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not value >= 0:
                raise SettingsError(f"{name} must not be below 0, not {value}")


@dataclass(frozen=True, slots=True)
class Key:
    """One key without its secret.

    Attributes:
        id: Eight hexadecimal digits, the public part of the key.
        name: For people.
        scope: What it allows.
        collections: The collections that it opens; empty for all.
        limits: Its limits.
        created_at, used_at: Seconds since the epoch; ``used_at`` is None before the first use.
    """

    id: str
    name: str
    scope: Scope
    collections: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    created_at: float = 0.0
    used_at: float | None = None

    def allows(self, scope: Scope) -> bool:
        """Whether the key has this scope."""
        order = list(Scope)
        return order.index(self.scope) >= order.index(scope)


LOCAL: Final = Key("local", "this machine", Scope.ADMIN)
"""The caller of a server on a loopback address that needs no key."""


class Keys:
    """The keys of one server.

    Args:
        state: Its database.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    def add(
        self, name: str, scope: Scope = Scope.READ, collections: Sequence[str] = (), limits: Limits | None = None
    ) -> tuple[str, Key]:
        """Makes a key. Its text is returned once and never stored.

        Raises:
            FilterError: If the name of a collection is none.
        """
        opened = checked_values("collection", collections)
        key = Key(secrets.token_hex(4), name, scope, opened, limits or Limits(), time.time())
        text = f"{_PREFIX}-{key.id}-{secrets.token_urlsafe(32)}"
        self._state.change(
            "INSERT INTO keys (id, name, hash, scopes, collections, limits, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                key.id,
                name,
                _hash(text),
                str(scope),
                json.dumps(key.collections),
                json.dumps(asdict(key.limits)),
                key.created_at,
            ),
        )
        return text, key

    def list(self) -> list[Key]:
        """Every key, oldest first."""
        return [_key(row) for row in self._state.rows("SELECT * FROM keys ORDER BY created_at")]

    def remove(self, key_id: str) -> bool:
        """Removes a key; False if there is none with this id."""
        return self._state.change("DELETE FROM keys WHERE id = ?", (key_id,)) > 0

    def get(self, key_id: str) -> Key | None:
        """The key with this id."""
        row = self._state.row("SELECT * FROM keys WHERE id = ?", (key_id,))
        return _key(row) if row else None

    def has_any(self) -> bool:
        """Whether there is a key at all."""
        return self._state.row("SELECT 1 FROM keys LIMIT 1") is not None

    def check(self, text: str) -> Key | None:
        """The key with this text; None for a wrong one. The secret is compared in constant time."""
        prefix, _, rest = text.partition("-")
        key_id = rest.partition("-")[0] if prefix == _PREFIX else ""
        row = self._state.row("SELECT * FROM keys WHERE id = ?", (key_id,))
        matches = hmac.compare_digest(row["hash"] if row else _NO_HASH, _hash(text))
        if row is None or not matches:
            return None
        self._note_use(row)
        return _key(row)

    def _note_use(self, row: Row) -> None:
        now = time.time()
        if now - (row["used_at"] or 0) > _USED_EVERY_S:
            self._state.change("UPDATE keys SET used_at = ? WHERE id = ?", (now, row["id"]))


def _hash(text: str) -> bytes:
    """SHA-256 is enough: a key has 256 random bits, which no dictionary holds."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _key(row: Row) -> Key:
    return Key(
        id=row["id"],
        name=row["name"],
        scope=Scope(row["scopes"]),
        collections=tuple(json.loads(row["collections"])),
        limits=Limits(**json.loads(row["limits"])),
        created_at=row["created_at"],
        used_at=row["used_at"],
    )
