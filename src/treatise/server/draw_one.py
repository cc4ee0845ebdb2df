"""Draws a page or finds a span in a process of its own: ``python -m treatise.server.draw_one MEMORY_MB CPU_S``.

The input is a line of JSON (see ``drawing``) and the PDF; the output a line of JSON and the picture, if wanted.
"""

import json
import sys
from typing import Any

from treatise.core.box import Box
from treatise.core.document import Document, Paragraph, ParagraphKind, Span
from treatise.core.errors import SourceError
from treatise.pipeline.places import SourcePages
from treatise.records import box_record
from treatise.server.isolated import limit_process


def main() -> None:
    """Reads standard input, writes standard output."""
    memory_mb, cpu_s = sys.argv[1:]
    limit_process(int(memory_mb), int(cpu_s))
    wanted = json.loads(sys.stdin.buffer.readline())
    try:
        found, png = _drawn(SourcePages(_document(wanted), sys.stdin.buffer.read()), wanted)
    except SourceError as error:
        found, png = {"error": type(error).__name__, "message": str(error)}, b""
    sys.stdout.buffer.write(json.dumps(found).encode() + b"\n" + png)


def _document(wanted: dict[str, Any]) -> Document:
    """The part of the document that is needed, as one paragraph."""
    text = wanted["text"]
    paragraphs = (Paragraph(0, len(text), ParagraphKind.PROSE, (Span(0, len(text)),)),) if text else ()
    return Document(wanted["name"], "", "en", text, (), paragraphs, tuple(wanted["page_starts"]))


def _drawn(pages: SourcePages, wanted: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    span, page = Span(wanted["start"], wanted["end"]), wanted["page"]
    boxes: list[Box] = pages.boxes(span) if len(span) else []
    if not wanted["scale"]:
        numbers = sorted({box.page for box in boxes} or {page})
        sizes = [dict(zip(("page", "width", "height"), (one, *pages.size(one)), strict=True)) for one in numbers]
        return {"boxes": [box_record(box) for box in boxes], "pages": sizes}, b""
    return {}, pages.picture(page, boxes=tuple(boxes), scale=wanted["scale"]).png


if __name__ == "__main__":
    main()
