"""Converts the documents of an archive to one document: a section per file, sorted by path."""

from collections.abc import Callable, Sequence

from treatise.core.errors import DamagedSourceError, EmptySourceError
from treatise.core.plurals import counted
from treatise.ingest.limits import Limits
from treatise.ingest.nested import NestedReader, is_document
from treatise.ingest.ongoing import reported
from treatise.ingest.reading import Reading
from treatise.ingest.writer import BlockWriter


def read_members(
    format_name: str, name: str, limits: Limits, paths: Sequence[str], read: Callable[[str], bytes]
) -> Reading:
    """Blocks of the documents among these files, each under its path; other and hidden files are counted.

    Raises:
        EmptySourceError: There is no readable document.
        SourceTooLargeError: There is more text than the limits allow.
    """
    documents = [path for path in sorted(paths) if is_document(path) and not _is_hidden(path)]
    writer, nested = BlockWriter(name, limits), NestedReader(name, limits)
    for path in reported("read files", documents):
        try:
            data = read(path)
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
        raise EmptySourceError(f"{name}: a {format_name} archive without a document that can be read: {why}")
    return Reading(writer.blocks, format_name, notes=(*nested.notes(), *others))


def _is_hidden(path: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) and part != "." for part in path.split("/"))
