"""Index jobs: upload, progress as events, cancellation."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from anyio import to_thread
from fastapi import APIRouter, File, Form, Header, Path, Query, Request, UploadFile
from starlette.responses import Response

from treatise.core.metadata import checked_key, checked_values
from treatise.recipes import recipe_named
from treatise.server.dependencies import ReadKey, ServicesOf, WriteKey
from treatise.server.job_table import Job
from treatise.server.keys import Key, Scope
from treatise.server.logs import request_id_of
from treatise.server.originals import Original
from treatise.server.problems import ProblemError, not_found
from treatise.server.replies import RecordResponse
from treatise.server.schemas import replies
from treatise.server.schemas_state import JobList, JobReply
from treatise.server.services import Services
from treatise.server.streams import STREAM_REPLY, Event, EventStream, event_stream

POLL_S: Final = 0.1

router: APIRouter = APIRouter(tags=["jobs"])

JobId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
Name = Annotated[str, Form(max_length=100)]


@router.post(
    "/documents", status_code=202, summary="Upload files", responses=replies(JobReply, 202), tags=["documents"]
)
async def upload(  # noqa: PLR0913  (a form has one parameter per field)
    request: Request,
    services: ServicesOf,
    key: WriteKey,
    files: Annotated[list[UploadFile], File(description="The files; their names decide the format if needed.")],
    collection: Name = "",
    metadata: Annotated[str, Form(max_length=20_000, description="A JSON object of texts and numbers.")] = "",
    recipe: Name = "",
) -> Response:
    """Keeps the files and queues a job that indexes them. The reply is the job; its events show how far it is."""
    if len(files) > services.config.max_upload_files:
        raise ProblemError(413, "too-many-files", f"at most {services.config.max_upload_files} files in one upload")
    if recipe:
        recipe_named(recipe)
    collection = _collection(key, collection)
    task: dict[str, Any] = {"recipe": recipe, "collection": collection, "metadata": _metadata(metadata)}
    task["is_restricted"] = bool(key.collections)
    request_id = request_id_of(request.scope)
    job = await to_thread.run_sync(lambda: _queued(services, key, files, task, request_id))
    return RecordResponse(job.record(), 202, headers={"Location": f"/api/v1/jobs/{job.id}"})


@router.get("/jobs", summary="The newest jobs", responses=replies(JobList))
def list_jobs(services: ServicesOf, key: ReadKey, limit: Annotated[int, Query(ge=1, le=1000)] = 50) -> RecordResponse:
    """Newest first; those of the caller's key, or all for an admin."""
    of_key = None if key.allows(Scope.ADMIN) else key.id
    return RecordResponse({"jobs": [job.record() for job in services.jobs.table.newest(limit, of_key)]})


@router.get("/jobs/{job_id}", summary="A job", responses=replies(JobReply))
def get_job(services: ServicesOf, key: ReadKey, job_id: JobId) -> RecordResponse:
    """The job as it is now."""
    return RecordResponse(found_job(services, key, job_id).record())


@router.delete("/jobs/{job_id}", summary="Cancel a job", responses=replies(JobReply))
def cancel_job(request: Request, services: ServicesOf, key: WriteKey, job_id: JobId) -> RecordResponse:
    """Files that are indexed already stay; the file in work is dropped within a second. Harmless for an ended job."""
    found_job(services, key, job_id)
    services.jobs.table.cancel(job_id)
    services.audit.add(key.id, "cancel", job_id, request_id_of(request.scope))
    return RecordResponse(found_job(services, key, job_id).record())


@router.get(
    "/jobs/{job_id}/events",
    summary="Follow a job",
    response_class=EventStream,
    responses=STREAM_REPLY,
)
async def follow_job(
    services: ServicesOf,
    key: ReadKey,
    job_id: JobId,
    last_event_id: Annotated[str, Header(max_length=20)] = "",
) -> EventStream:
    """The job whenever it changes, until it ends; the event is ``job`` and its id the job's version."""
    await to_thread.run_sync(found_job, services, key, job_id)
    seen = int(last_event_id) if last_event_id.isdecimal() else 0
    return event_stream(_changes(services, key, job_id, seen))


def found_job(services: Services, key: Key, job_id: str) -> Job:
    """A job that the key may see; 404 if there is none."""
    job = services.jobs.table.get(job_id)
    if job is None or not (key.allows(Scope.ADMIN) or job.key == key.id):
        raise not_found("job", job_id)
    return job


async def _changes(services: Services, key: Key, job_id: str, seen: int) -> AsyncIterator[Event]:
    while not services.stopping.is_set():
        job = await to_thread.run_sync(found_job, services, key, job_id)
        if job.version > seen or job.status.is_final:
            seen = job.version
            yield Event("job", job.record(), str(seen))
        if job.status.is_final:
            return
        await asyncio.sleep(POLL_S)


def _queued(services: Services, key: Key, files: list[UploadFile], task: dict[str, Any], request_id: str) -> Job:
    services.limits.upload(key, sum(file.size or 0 for file in files))
    kept: list[Original] = []
    for file in files:
        kept.append(services.originals.add(file.file, file.filename or "file"))  # noqa: PERF401  (kept if one fails)
    task["files"] = [{"source": one.source, "name": one.name} for one in kept]
    job = services.jobs.table.add(key.id, task)
    services.jobs.wake()
    services.audit.add(key.id, "upload", ", ".join(one.source for one in kept)[:2_000], request_id)
    return job


def _collection(key: Key, name: str) -> str:
    """The collection of an upload: a key for some collections uploads into one of them.

    Raises:
        FilterError: If it is no name.
        ProblemError: 403 if the key does not open it, 422 if the name must be given and is not.
    """
    if name:
        (name,) = checked_values("collection", name)
    if not key.collections or name in key.collections:
        return name
    if name:
        raise ProblemError(403, "collections", f"this key does not open the collection {name!r}")
    if len(key.collections) > 1:
        raise ProblemError(422, "collections", f"name one of the collections {', '.join(key.collections)}")
    return key.collections[0]


def _metadata(text: str) -> dict[str, str]:
    """The form field ``metadata``: a JSON object whose values are texts, numbers, true or false."""
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError) as error:
        raise ProblemError(422, "metadata", f"metadata is not JSON: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(value, str | int | float) for value in found.values()):
        raise ProblemError(422, "metadata", 'metadata must be an object of texts and numbers, such as {"year": 2021}')
    if "collection" in map(str.lower, found) or "collections" in map(str.lower, found):
        raise ProblemError(422, "metadata", "the collection has a form field of its own")
    return {checked_key(key): ", ".join(checked_values(key, value)) for key, value in found.items()}
