"""Size limits, so that no input exhausts memory or time."""

from dataclasses import dataclass, field
from typing import Final

_MIN_SECONDS: Final = 300.0
_SECONDS_PER_MB: Final = 120.0
_SMALL_CHARS: Final = 8 * 2**20
_CHARS_PER_BYTE: Final = 100  # deflated prose has 2 to 4 characters per byte


@dataclass(slots=True)
class Allowance:
    """The remaining unpacking budget of all archives in one source.

    Attributes:
        n_bytes: Bytes left.
    """

    n_bytes: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what is read from one source; a source over one of them raises `SourceTooLargeError`.

    Attributes:
        max_bytes: Maximum size of the file or stream.
        max_unpacked_bytes: Total unpacked size of an archive's members (DOCX, EPUB, ZIP, …).
        max_member_ratio: Unpacked to packed size of one member; honest XML stays under 100, a zip bomb is over 1,000.
        max_members: Number of files in an archive.
        max_pages: Pages of a PDF.
        max_scanned_pages: Pages that are read by OCR, which takes seconds each; later ones are left out and noted.
        max_text_chars: Characters that a reader may compose from one source; a small file can repeat a large part.
        max_cells: Cells in all sheets of one source.
        max_blocks: Paragraphs, headings and tables of one source.
        max_sentences: Sentences of one source.
        max_memory_bytes: Address space of a process that reads a source apart (PDF), on systems that can bound it.
        max_depth: Nesting depth of documents: attachments, archives in archives.
        allowance: Shared by the documents nested in a source; None for the source itself.
        is_isolated: Whether this process was started to read the source, so that no other is started for a part of it.
    """

    max_bytes: int = 512 * 2**20
    max_unpacked_bytes: int = 1024 * 2**20
    max_member_ratio: int = 400
    max_members: int = 50_000
    max_pages: int = 20_000
    max_scanned_pages: int = 2_000
    max_text_chars: int = 128 * 2**20
    max_cells: int = 2_000_000
    max_blocks: int = 1_000_000
    max_sentences: int = 5_000_000
    max_memory_bytes: int = 4096 * 2**20
    max_depth: int = 3
    allowance: Allowance | None = field(default=None, repr=False, compare=False)
    is_isolated: bool = False

    def seconds(self, n_bytes: int) -> float:
        """The time to read a source of this size apart: about a hundred times what a page takes."""
        return _MIN_SECONDS + _SECONDS_PER_MB * n_bytes / 2**20

    def text_chars(self, n_bytes: int) -> int:
        """The characters that a reader may compose from a source of this size: a hundred per byte of a small one."""
        return min(self.max_text_chars, max(_SMALL_CHARS, _CHARS_PER_BYTE * n_bytes))


DEFAULT_LIMITS = Limits()
