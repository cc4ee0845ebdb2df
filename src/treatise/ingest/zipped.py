"""Converts a ZIP archive of documents to one document: a section per file, sorted by path."""

from treatise.ingest.archive import Archive
from treatise.ingest.limits import Limits
from treatise.ingest.members import read_members
from treatise.ingest.reading import Reading


def read_zip(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of the archive's documents, each under its path; other and hidden files are left out and counted.

    Raises:
        DamagedSourceError: Not a complete archive, or a zip bomb.
        EmptySourceError: It contains no readable document.
        SourceTooLargeError: It unpacks to more than the limits allow.
    """
    archive = Archive(data, name, limits)
    paths = [path for path in archive.paths() if not path.endswith("/")]
    return read_members("zip", name, limits, paths, archive.read)
