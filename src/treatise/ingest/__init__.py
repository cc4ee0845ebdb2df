"""Ingest: bytes become a `Document` with sections, paragraphs, sentences, pages and exact offsets.

>>> document = read_bytes(b"# Tea\\n\\nBoil water. Wait.\\n", name="tea.md")
>>> [document.quote(s.start, s.end) for s in document.sentences()]
['# Tea\\n\\n', 'Boil water. ', 'Wait.\\n']
"""

from treatise.ingest.limits import DEFAULT_LIMITS, Limits
from treatise.ingest.report import Report
from treatise.ingest.source import read_bytes, read_document, read_document_with_report

__all__ = ["DEFAULT_LIMITS", "Limits", "Report", "read_bytes", "read_document", "read_document_with_report"]
