"""Size limits, so that no input exhausts memory or time."""

from dataclasses import dataclass, field


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
        max_text_chars: Characters that a reader may compose from one source; a small file can repeat a large part.
        max_cells: Cells in all sheets of one source.
        max_depth: Nesting depth of documents: attachments, archives in archives.
        allowance: Shared by the documents nested in a source; None for the source itself.
    """

    max_bytes: int = 512 * 2**20
    max_unpacked_bytes: int = 1024 * 2**20
    max_member_ratio: int = 400
    max_members: int = 50_000
    max_pages: int = 20_000
    max_text_chars: int = 128 * 2**20
    max_cells: int = 2_000_000
    max_depth: int = 3
    allowance: Allowance | None = field(default=None, repr=False, compare=False)


DEFAULT_LIMITS = Limits()
