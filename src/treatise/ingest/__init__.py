"""Ingest: bytes become a `Document` with sections, paragraphs, sentences, pages and exact offsets.

>>> from treatise.ingest import read_bytes
>>> document = read_bytes(b"# Tea\\n\\nBoil water. Wait.\\n", name="tea.md")
>>> [document.quote(s.start, s.end) for s in document.sentences()]
['# Tea\\n\\n', 'Boil water. ', 'Wait.\\n']
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from treatise.ingest.limits import DEFAULT_LIMITS, Limits
    from treatise.ingest.ongoing import listening
    from treatise.ingest.report import Report
    from treatise.ingest.source import read_bytes, read_document, read_document_with_report

_MODULES: Final = {
    "DEFAULT_LIMITS": "limits",
    "Limits": "limits",
    "Report": "report",
    "listening": "ongoing",
    "read_bytes": "source",
    "read_document": "source",
    "read_document_with_report": "source",
}
"""The module of each public name, imported on first use, since questions about indexed documents read no source."""

__all__ = [
    "DEFAULT_LIMITS",
    "Limits",
    "Report",
    "listening",
    "read_bytes",
    "read_document",
    "read_document_with_report",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"treatise.ingest.{_MODULES[name]}"), name)
