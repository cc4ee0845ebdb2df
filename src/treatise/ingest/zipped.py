"""Converts a ZIP archive of documents to one document: a section per file, sorted by path."""

from treatise.core.errors import DamagedSourceError, EmptySourceError
from treatise.core.plurals import counted
from treatise.ingest.archive import Archive
from treatise.ingest.limits import Limits
from treatise.ingest.nested import NestedReader, is_document
from treatise.ingest.ongoing import reported
from treatise.ingest.reading import Reading
from treatise.ingest.writer import BlockWriter


def read_zip(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of the archive's documents, each under its path; other and hidden files are left out and counted.

    Raises:
        DamagedSourceError: Not a complete archive, or a zip bomb.
        EmptySourceError: It contains no readable document.
        SourceTooLargeError: It unpacks to more than the limits allow.
    """
    archive = Archive(data, name, limits)
    paths = [path for path in sorted(archive.paths()) if not path.endswith("/")]
    documents = [path for path in paths if is_document(path) and not _is_hidden(path)]
    writer, nested = BlockWriter(name, limits), NestedReader(name, limits)
    for path in reported("read files", documents):
        try:
            data = archive.read(path)
        except DamagedSourceError as error:
            nested.leave_out(error)
        else:
            nested.read_into(writer, data, path, level=1)
    n_other = len(paths) - len(documents)
    others = (
        (f"left out {counted(n_other, 'file', 'that is', 'that are')} hidden or of other types",) if n_other else ()
    )
    if not nested.n_read:
        why = "; ".join((*nested.notes(), *others)) or "it is empty"
        raise EmptySourceError(f"{name}: a zip archive without a document that can be read: {why}")
    return Reading(writer.blocks, "zip", notes=(*nested.notes(), *others))


def _is_hidden(path: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in path.split("/"))
