"""Documents chosen by a filter, and the metadata that users set."""

from collections.abc import Mapping, Sequence

from treatise.core.errors import DocumentNotFoundError, SourceError
from treatise.core.metadata import checked_key, checked_values, fields_of, known_keys
from treatise.core.ports import Entry, Store

NewValue = str | float | Sequence[str | float] | None
"""A key's new value or values; None removes the key."""


def entries_where(store: Store, where: str) -> list[Entry]:
    """The documents that satisfy a filter, oldest first; all of them for a blank filter.

    Raises:
        FilterError: If the filter is not valid, or names a field that no document has.
    """
    return satisfying(store.entries(), where)


def satisfying(entries: list[Entry], where: str) -> list[Entry]:
    """Those of the entries that satisfy a filter; all of them for a blank one.

    Raises:
        FilterError: As for ``entries_where``.
    """
    if not where.strip():
        return entries
    from treatise.core.where import check_keys, parse_filter  # most questions have no filter

    condition = parse_filter(where)
    if entries:
        check_keys(condition, known_keys(entries))
    return [entry for entry in entries if condition.holds(fields_of(entry))]


def ids_where(store: Store, where: str, ids: Sequence[str] | None) -> list[str]:
    """Those of the documents that satisfy a filter, in their order; None for all. Ids may be prefixes.

    Raises:
        FilterError: As for ``entries_where``.
        SourceError: If there are documents and none satisfies it.
        DocumentNotFoundError: If there is no document with one of these ids.
    """
    entries = store.entries()
    chosen = dict.fromkeys(entry.id for entry in satisfying(entries, where))
    among = entries if ids is None else ids
    found = [*chosen] if ids is None else [id_ for id_ in ids if id_ in chosen or store.document(id_).id in chosen]
    if among and not found:
        raise SourceError(
            f"no document of {len(among):,} satisfies {where!r}: `treatise list --json` shows their fields"
        )
    return found


def annotate(
    store: Store, document_id: str, tags: Sequence[str], removed: Sequence[str], values: Mapping[str, NewValue]
) -> Entry:
    """Adds and removes tags of a document, and sets keys; see ``Library.tag``."""
    entry = _entry(store, document_id)
    changed = {key: () if value is None else checked_values(key, value) for key, value in _by_key(values).items()}
    if tags or removed:
        kept = changed.get("tags", entry.metadata.get("tags", ()))
        changed["tags"] = tuple(tag for tag in checked_values("tags", (*kept, *tags)) if tag not in removed)
    return store.annotate(entry.id, changed)


def _by_key(values: Mapping[str, NewValue]) -> dict[str, NewValue]:
    return {checked_key(key): value for key, value in values.items()}


def _entry(store: Store, document_id: str) -> Entry:
    """The entry of a document by its id or the beginning of it; other processes may add and remove it meanwhile."""
    entries = {entry.id: entry for entry in store.entries()}
    if document_id not in entries:
        document_id = store.document(document_id).id
        entries = {entry.id: entry for entry in store.entries()}
    if document_id not in entries:
        raise DocumentNotFoundError(f"document {document_id} was removed meanwhile")
    return entries[document_id]
