"""Health, readiness and metrics. Health does no work: it answers while every thread is busy."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from treatise import __version__
from treatise.core.errors import TreatiseError
from treatise.server.dependencies import ReadKey, ServicesOf
from treatise.server.logs import log_failure, request_id_of
from treatise.server.metrics import MEDIA_TYPE
from treatise.server.problems import ProblemError
from treatise.server.replies import RecordResponse
from treatise.server.schemas import Health, Readiness, replies

router: APIRouter = APIRouter(tags=["operations"])


@router.get("/healthz", summary="Whether the process serves requests", responses=replies(Health))
async def health() -> RecordResponse:
    """Needs no key."""
    return RecordResponse({"status": "ok", "version": __version__})


@router.get("/readyz", summary="Whether questions can be answered", responses=replies(Readiness))
def ready(services: ServicesOf, request: Request) -> RecordResponse:
    """Reads the store. 503 while the server stops, or if the store cannot be read. Needs no key."""
    if services.stopping.is_set():
        raise ProblemError(503, "stopping", "the server is stopping", headers={"Retry-After": "5"})
    try:
        services.libraries.store.state("")
    except TreatiseError as error:
        log_failure(request_id_of(request.scope), error)
        raise ProblemError(503, "store", "the library cannot be read: see the server's log") from error
    return RecordResponse({"status": "ready", "questions": services.questions.n_inside})


@router.get(
    "/metrics",
    summary="Prometheus metrics",
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    response_class=Response,
)
def metrics(services: ServicesOf, _key: ReadKey) -> Response:
    """In Prometheus's text format; of all workers together."""
    return Response(services.metrics.text(), media_type=MEDIA_TYPE)
