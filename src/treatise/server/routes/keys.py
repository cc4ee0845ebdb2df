"""Keys, the audit log, and what the caller may do."""

from dataclasses import asdict
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from treatise.server.dependencies import AdminKey, ReadKey, ServicesOf
from treatise.server.keys import Key, Limits, Scope
from treatise.server.logs import request_id_of
from treatise.server.problems import not_found
from treatise.server.replies import RecordResponse
from treatise.server.schemas import replies
from treatise.server.schemas_state import AuditReply, KeyList, KeyReply, NewKeyReply

router: APIRouter = APIRouter(tags=["keys"])


class KeyRequest(BaseModel):
    """A key to make."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "ann", "scope": "write"}]}
    )

    name: str = Field(min_length=1, max_length=100)
    scope: Scope = Scope.READ
    collections: list[Annotated[str, Field(min_length=1, max_length=100)]] = Field([], max_length=1_000)
    requests_per_minute: int = Field(0, ge=0, le=10**9)
    upload_mb_per_day: int = Field(0, ge=0, le=10**9)
    tokens_per_day: int = Field(0, ge=0, le=10**12)
    cost_per_day: float = Field(0, ge=0, le=10**9)


@router.get("/me", summary="The caller", responses=replies(KeyReply))
def me(services: ServicesOf, key: ReadKey) -> RecordResponse:
    """The scope, the collections and the limits of the caller's key, and what it has used today."""
    return RecordResponse({**key_record(key), "used_today": services.limits.used(key)})


@router.get("/keys", summary="The keys", responses=replies(KeyList))
def list_keys(services: ServicesOf, _key: AdminKey) -> RecordResponse:
    """Oldest first, without their secrets."""
    return RecordResponse({"keys": [key_record(one) for one in services.keys.list()]})


@router.post("/keys", status_code=201, summary="Make a key", responses=replies(NewKeyReply, 201))
def add_key(request: Request, services: ServicesOf, key: AdminKey, wanted: KeyRequest) -> RecordResponse:
    """``key`` is the text to send; it is shown only in this reply."""
    limits = Limits(wanted.requests_per_minute, wanted.upload_mb_per_day, wanted.tokens_per_day, wanted.cost_per_day)
    text, made = services.keys.add(wanted.name, wanted.scope, wanted.collections, limits)
    services.audit.add(key.id, "add key", made.id, request_id_of(request.scope))
    return RecordResponse({**key_record(made), "key": text}, 201)


@router.delete("/keys/{key_id}", summary="Remove a key", responses=replies(KeyList))
def remove_key(
    request: Request, services: ServicesOf, key: AdminKey, key_id: Annotated[str, Path(pattern="^[0-9a-f]{8}$")]
) -> RecordResponse:
    """The reply has the keys that are left."""
    if not services.keys.remove(key_id):
        raise not_found("key", key_id)
    services.audit.add(key.id, "remove key", key_id, request_id_of(request.scope))
    return RecordResponse({"keys": [key_record(one) for one in services.keys.list()]})


@router.get("/audit", summary="The audit log", responses=replies(AuditReply))
def audit(
    services: ServicesOf,
    _key: AdminKey,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    before: Annotated[int, Query(ge=0, le=2**62, description="``number`` of the last record of a reply.")] = 0,
) -> RecordResponse:
    """Newest first: uploads, removals, keys, refused keys."""
    return RecordResponse({"audit": services.audit.newest(limit, before or None)})


def key_record(key: Key) -> dict[str, Any]:
    """A key without its secret."""
    return {
        "id": key.id,
        "name": key.name,
        "scope": str(key.scope),
        "collections": list(key.collections),
        "limits": asdict(key.limits),
        "created_at": key.created_at,
        "used_at": key.used_at,
    }
