"""How a source was read: ``treatise index --explain``."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from treatise.cli.output import Line, line
from treatise.cli.sources import Named
from treatise.core.printable import one_line

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.ingest import Report


def read_named(named: Named, data: bytes | None) -> "tuple[Document, Report]":
    """The document and the reader's report on it; ``data`` is None for a file."""
    from treatise.ingest import read_document_with_report

    if data is None:
        return read_document_with_report(named.name)
    return read_document_with_report(BytesIO(data), name=named.name)


def explanation_lines(reports: Iterable["Report"]) -> Iterator[Line]:
    """Each report with an empty line after it."""
    for report in reports:
        for text in report.lines():
            body = text.lstrip()
            yield line(one_line(body), indent=len(text) - len(body))
        yield line()
