"""``treatise show --page`` and ``--text``: a page of a document, and the text at its offsets."""

import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from treatise.cli.named import named_document
from treatise.cli.options import LibraryOptions, all_of, opened_store
from treatise.cli.output import Line, line
from treatise.cli.places import place
from treatise.core.document import Span
from treatise.core.errors import SourceError
from treatise.core.scripts import UNSPACED
from treatise.records import Record, page_record, place_record

if TYPE_CHECKING:
    from treatise.core.box import Box
    from treatise.core.document import Document
    from treatise.core.ports import Store

    _SpanParam = click.ParamType[Span]
else:
    _SpanParam = click.ParamType  # generic since click 8.3 only

_SPAN: Final = re.compile(r"(\d[\d,_]{0,30})\s*[-:–]\s*(\d[\d,_]{0,30})")
_CONTEXT_CHARS: Final = 300
_MAX_WORD: Final = 60


class SpanType(_SpanParam):
    """Two offsets, as ``12345-12399``."""

    name = "span"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Span:
        """See ``click.ParamType.convert``."""
        match = _SPAN.fullmatch(str(value).strip())
        if match is None:
            self.fail(f"{value!r} should be two offsets, such as 12345-12399", param, ctx)
        start, end = (int(re.sub("[,_]", "", edge)) for edge in match.groups())
        if start >= end:
            self.fail(f"{value!r} should be two offsets, the smaller one first", param, ctx)
        return Span(start, end)


@dataclass(frozen=True, slots=True)
class PlaceOptions:
    """The options of ``show`` that name a place: ``--page``, ``--span``, ``--text``, ``--png`` and ``--open``."""

    page: int | None
    span: Span | None
    text: Span | None
    png: Path | None
    is_opened: bool

    @property
    def asks_page(self) -> bool:
        """Whether a page is to be printed or drawn."""
        return self.page is not None or self.span is not None

    @property
    def is_drawn(self) -> bool:
        """Whether the page is to be drawn."""
        return self.png is not None or self.is_opened


_options = all_of(
    click.option("--page", "page", type=click.IntRange(min=1), metavar="N", help="Print the text of a page."),
    click.option("--span", type=SpanType(), metavar="A-B", help="Highlight these characters on their page."),
    click.option("--text", type=SpanType(), metavar="A-B", help="Print the text of these characters, with context."),
    click.option(
        "--png",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Draw the page into a .png file.",
    ),
    click.option("--open", "is_opened", is_flag=True, help="Draw the page, and open the picture."),
)


def place_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options that name a place, as the argument ``at``."""

    @_options
    @wraps(function)
    def command(
        *, page: int | None, span: Span | None, text: Span | None, png: Path | None, is_opened: bool, **arguments: Any
    ) -> None:
        function(at=PlaceOptions(page, span, text, png, is_opened), **arguments)

    return command


def check_place(at: PlaceOptions) -> None:
    """Rejects unsuitable options before any work is done."""
    if at.is_drawn and not at.asks_page:
        raise click.UsageError("--png and --open draw a page: add --page N or --span START-END")
    if at.png is not None and at.png.suffix.lower() != ".png":
        raise click.BadParameter(f"{at.png} should end in .png", param_hint="--png")


def text_view(document_id: str, span: Span, options: LibraryOptions) -> tuple[Record, list[Line]]:
    """The text at a span, with its place and some context."""
    with opened_store(options.get("store"), read_only=True) as store:
        document = named_document(store, document_id)
    _check_span(document, span)
    start, end = max(0, span.start - _CONTEXT_CHARS), min(len(document.text), span.end + _CONTEXT_CHARS)
    around = Span(min(_off_word(document.text, start, 1), span.start), max(_off_word(document.text, end, -1), span.end))
    return place_record(document, span, around), list(_text_lines(document, span, around))


def _off_word(text: str, at: int, step: int) -> int:
    """The first place from ``at`` in direction ``step`` that is not within a word; ``at`` itself if none is near."""
    places = range(at, at + step * _MAX_WORD, step)
    return next((place for place in places if not _is_within_word(text, place)), at)


def _is_within_word(text: str, at: int) -> bool:
    sides = text[at - 1 : at + 1] if 0 < at < len(text) else ""
    return sides.isalnum() and not UNSPACED.search(sides)


def page_view(document_id: str, at: PlaceOptions, options: LibraryOptions) -> tuple[Record, list[Line]]:
    """A page's text, and its picture if asked for."""
    with opened_store(options.get("store"), read_only=True) as store:
        document = named_document(store, document_id)
        page = _page(document, at)
        if not at.is_drawn:
            return page_record(document, page), list(_page_lines(document, page, at.span))
        boxes, png = _drawn(store, document, page, at)
    record = page_record(document, page, boxes, str(png))
    return record, [line(f"page {page} of {len(document.page_starts):,}, drawn into {png}")]


def _page(document: "Document", at: PlaceOptions) -> int:
    n_pages = len(document.page_starts)
    if not n_pages:
        raise SourceError(f"{document.source}: has no pages; print its text with: --text START-END")
    if at.span is not None:
        _check_span(document, at.span)
    page = at.page or (document.page_at(at.span.start) if at.span else None) or 1
    if page > n_pages:
        raise SourceError(f"{document.source}: has pages 1 to {n_pages:,}, and no page {page:,}")
    return page


def _check_span(document: "Document", span: Span) -> None:
    if span.end > len(document.text):
        raise SourceError(
            f"{document.id}: has characters 0 to {len(document.text):,}; {span.start:,}-{span.end:,} is beyond its end"
        )


def _drawn(store: "Store", document: "Document", page: int, at: PlaceOptions) -> tuple[list["Box"], Path]:
    """The boxes of the span, and the file with the picture."""
    from treatise.pipeline.places import source_pages

    pages = source_pages(store, document)
    boxes = pages.boxes(at.span) if at.span else []
    picture = pages.picture(page, boxes=tuple(boxes))
    path = at.png or Path(tempfile.mkdtemp(prefix="treatise-")) / f"{document.id}-page-{page}.png"
    try:
        path.write_bytes(picture.png)
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}; name another file with --png") from error
    if at.is_opened and click.launch(str(path)):
        click.echo(f"treatise: no program opens pictures here; the page is in {path}", err=True)
    if at.span and not boxes:
        click.echo("treatise: the text was not found on the page, so nothing is highlighted", err=True)
    return boxes, path


def _text_lines(document: "Document", span: Span, around: Span) -> Iterator[Line]:
    """The text at a span for people: with the whole words at its ends, its context and its place."""
    yield line(*place(document, span))
    yield line()
    quote = document.quote(span.start, span.end)
    whole = Span(_off_word(document.text, span.start, -1), _off_word(document.text, span.end, 1))
    before, after = document.quote(around.start, whole.start), document.quote(whole.end, around.end)
    yield line((("…" if around.start else "") + before.rstrip(), "dim"))
    yield line()
    yield line((document.quote(whole.start, whole.end), "bold"), indent=4)
    yield line()
    yield line((after.strip() + _ellipsis(document, around), "dim"))
    explained = document.self_contained(span.start, span.end)
    if explained != quote:
        yield line()
        yield line(("In the table: ", "dim"), explained)


def _ellipsis(document: "Document", around: Span) -> str:
    return "…" if around.end < len(document.text) else ""


def _page_lines(document: "Document", page: int, span: Span | None) -> Iterator[Line]:
    starts = (*document.page_starts, len(document.text))
    start, end = starts[page - 1], starts[page]
    yield line((document.title, "bold"), f", page {page} of {len(document.page_starts):,}")
    yield line()
    a, b = (min(max(edge, start), end) for edge in ((span.start, span.end) if span else (start, start)))
    yield line(document.quote(start, a), (document.quote(a, b), "bold yellow"), document.quote(b, end).rstrip())
