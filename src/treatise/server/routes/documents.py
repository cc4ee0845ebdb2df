"""The documents of the library: list, outline, text, pages, tree, removal."""

from typing import Annotated, ClassVar, Final

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from treatise.core.document import Document
from treatise.core.errors import DocumentNotFoundError
from treatise.core.ports import Entry
from treatise.pipeline.metadata import annotate
from treatise.records import list_record, outline_record, removal_record, tagging_record
from treatise.server.dependencies import ReadKey, ServicesOf, WriteKey
from treatise.server.logs import request_id_of
from treatise.server.problems import ProblemError, not_found
from treatise.server.replies import RecordResponse, public, public_name
from treatise.server.schemas import (
    CollectionList,
    DocumentList,
    Outline,
    PageList,
    PageText,
    Removal,
    TextPart,
    TreeReply,
    replies,
)
from treatise.server.services import collections_of, is_shared, shown_to
from treatise.server.trees import tree_within

MAX_TEXT: Final = 200_000
"""Characters of text in one reply."""

router: APIRouter = APIRouter(tags=["documents"])


class MetadataChange(BaseModel):
    """Tags to add and to drop, and keys to set; null removes a key."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"add": ["draft"], "set": {"year": 2024}}]}
    )

    add: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=100)
    drop: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=100)
    set: dict[Annotated[str, Field(max_length=60)], list[str] | str | int | float | None] = Field({}, max_length=100)


DocumentId = Annotated[
    str, Path(pattern="^[0-9a-fA-F]{1,12}$", description="The id, or an unambiguous prefix.", examples=["3f2a"])
]
Offset = Annotated[int, Query(ge=0, le=2**40, description="Offset of a character.")]


@router.get("/documents", summary="List documents", responses=replies(DocumentList))
def list_documents(  # noqa: PLR0913  (a query has one parameter per field)
    services: ServicesOf,
    key: ReadKey,
    limit: Annotated[int, Query(ge=1, le=1000, description="Documents in this reply.")] = 100,
    after: Annotated[str, Query(max_length=12, description="``next`` of the previous reply.")] = "",
    title: Annotated[str, Query(max_length=200, description="Part of the title or of a source's name.")] = "",
    collection: Annotated[str, Query(max_length=200, description="Name of a collection.")] = "",
    where: Annotated[str, Query(max_length=4_000, description="A filter, such as `language = en`.")] = "",
) -> RecordResponse:
    """Oldest first, as ``treatise list --json``; ``title``, ``collection`` and ``where`` narrow the list."""
    found = [entry for entry in services.entries(key, collection, where) if _has_title(entry, title)]
    start = next((i + 1 for i, entry in enumerate(found) if entry.id == after), 0)
    if after and not start:
        raise ProblemError(422, "cursor", f"no listed document has the id {after!r}: list again without `after`")
    page = found[start : start + limit]
    more = page[-1].id if start + limit < len(found) else None
    return RecordResponse({**public(list_record(page)), "total": len(found), "next": more})


@router.get("/collections", summary="List collections", responses=replies(CollectionList))
def list_collections(services: ServicesOf, key: ReadKey) -> RecordResponse:
    """The collections that the key opens, by name, with the number of their documents and words."""
    found = services.collections(key)
    return RecordResponse({"collections": [_collection(name, entries) for name, entries in found.items()]})


@router.get("/documents/{document_id}", summary="A document without its text", responses=replies(Outline))
def get_document(services: ServicesOf, key: ReadKey, document_id: DocumentId) -> RecordResponse:
    """Title, size and outline, as ``treatise show --json``."""
    return RecordResponse(public(outline_record(services.document(key, document_id))))


@router.get("/documents/{document_id}/outline", summary="The outline", responses=replies(Outline))
def get_outline(services: ServicesOf, key: ReadKey, document_id: DocumentId) -> RecordResponse:
    """The same object as the document's own."""
    return get_document(services, key, document_id)


@router.get("/documents/{document_id}/text", summary="A part of the text", responses=replies(TextPart))
def get_text(
    services: ServicesOf, key: ReadKey, document_id: DocumentId, start: Offset = 0, end: Offset = 0
) -> RecordResponse:
    """The text of ``[start, end)``, up to 200,000 characters; ``end`` 0 is as far as one reply goes."""
    document = services.document(key, document_id)
    total = len(document.text)
    end = min(end or total, total)
    if start > end:
        raise ProblemError(422, "span", f"start {start:,} is after the end {end:,}; the text has {total:,} characters")
    end = min(end, start + MAX_TEXT)
    text = document.quote(start, end)
    return RecordResponse({"document": document.id, "start": start, "end": end, "total": total, "text": text})


@router.get("/documents/{document_id}/pages", summary="The pages", responses=replies(PageList))
def list_pages(services: ServicesOf, key: ReadKey, document_id: DocumentId) -> RecordResponse:
    """Where each page stands in the text; empty for a format without pages."""
    document = services.document(key, document_id)
    pages = [{"page": n + 1, "start": start, "end": end} for n, (start, end) in enumerate(page_spans(document))]
    return RecordResponse({"document": document.id, "pages": pages})


@router.get("/documents/{document_id}/pages/{page}", summary="The text of a page", responses=replies(PageText))
def get_page(
    services: ServicesOf, key: ReadKey, document_id: DocumentId, page: Annotated[int, Path(ge=1, le=10**6)]
) -> RecordResponse:
    """One page by its number, from 1."""
    document = services.document(key, document_id)
    spans = page_spans(document)
    if page > len(spans):
        raise ProblemError(404, "not-found", f"there is no page {page}: the document has {len(spans)}")
    start, end = spans[page - 1]
    text = document.quote(start, end)
    return RecordResponse({"document": document.id, "page": page, "start": start, "end": end, "text": text})


@router.get("/documents/{document_id}/tree", summary="The tree of a part", responses=replies(TreeReply))
async def get_tree(
    services: ServicesOf,
    key: ReadKey,
    document_id: DocumentId,
    start: Offset = 0,
    end: Offset = 0,
    recipe: Annotated[str, Query(max_length=100, description="The recipe whose tree it is.")] = "",
) -> RecordResponse:
    """The tree over the units within ``[start, end)``, as ``treatise show --tree --json``.

    ``end`` 0 is the end of the text. The tree is built now if the recipe has not indexed the document yet.
    """

    def work() -> RecordResponse:
        library = services.library(recipe)
        indexed = library.indexed(services.resolve(key, document_id))
        record = tree_within(indexed, start, end or len(indexed.document.text))
        return RecordResponse(public({**record, "recipe": library.recipe.slug}))

    return await services.answer(work)


@router.patch("/documents/{document_id}", summary="Set metadata", responses=replies(DocumentList))
def tag_document(
    request: Request, services: ServicesOf, key: WriteKey, document_id: DocumentId, change: MetadataChange
) -> RecordResponse:
    """Adds and removes tags and sets keys, such as ``collection`` or ``year``, as ``treatise tag --json``."""
    known = services.entry(key, document_id)
    if is_shared(key, known):
        detail = "the document is also in collections that this key does not open: its metadata cannot be changed"
        raise ProblemError(403, "collections", detail)
    if key.collections and any(name.lower() in ("collection", "collections") for name in change.set):
        raise ProblemError(403, "collections", "a key for some collections cannot move documents between them")
    entry = annotate(services.libraries.store, known.id, change.add, change.drop, change.set)
    services.audit.add(key.id, "tag", known.id, request_id_of(request.scope))
    return RecordResponse({**public(tagging_record([entry])), "total": 1, "next": None})


@router.delete("/documents/{document_id}", summary="Remove a document", responses=replies(Removal))
def remove_document(request: Request, services: ServicesOf, key: WriteKey, document_id: DocumentId) -> RecordResponse:
    """Removes it with its indexes and its uploaded file, as ``treatise remove --json``.

    A key for some collections takes the document out of them, and removes it if it is in no other.
    """
    known = services.entry(key, document_id)
    library = services.libraries.default
    if is_shared(key, known):
        others = sorted(set(collections_of(known)) - set(key.collections))
        annotate(library.store, known.id, (), (), {"collection": others})
        services.audit.add(key.id, "take out", known.id, request_id_of(request.scope))
        return RecordResponse(public(removal_record([shown_to(key, known)])))
    try:
        entry = library.remove(known.id)
    except DocumentNotFoundError as error:
        raise not_found("document", document_id) from error
    services.originals.remove(entry.sources)
    services.audit.add(key.id, "remove", known.id, request_id_of(request.scope))
    return RecordResponse(public(removal_record([entry])))


def _has_title(entry: Entry, part: str) -> bool:
    names = (entry.shown_title, *map(public_name, entry.sources))
    return any(part.casefold() in name.casefold() for name in names)


def _collection(name: str, entries: list[Entry]) -> dict[str, object]:
    return {"name": name, "documents": len(entries), "words": sum(entry.n_words for entry in entries)}


def page_spans(document: Document) -> list[tuple[int, int]]:
    """Start and end of each page."""
    starts = document.page_starts
    return list(zip(starts, (*starts[1:], len(document.text)), strict=True)) if starts else []
