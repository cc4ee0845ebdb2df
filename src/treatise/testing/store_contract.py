"""The contract of ``treatise.core.ports.Store``."""

from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np

from treatise.core.errors import DocumentNotFoundError
from treatise.core.indexed import IndexedDocument, Lexicon
from treatise.core.note import CallOutcome
from treatise.core.ports import SourceState, Store
from treatise.core.words import n_words
from treatise.testing.samples import sample_indexed


def check_store(make: Callable[[], Store]) -> None:
    """Asserts that a store keeps its contract; each call of ``make`` returns a new, empty one.

    Raises:
        AssertionError: Names the first violated rule.
    """
    for check in _CHECKS:
        store = make()
        try:
            check(store)
        finally:
            store.close()
    store.close()  # closing twice is allowed


def sample_state(source: str, digest: str = "0" * 64) -> SourceState:
    """The state of a source that does not exist."""
    return SourceState(source, size=1 << 40, modified_ns=1_700_000_000_000_000_001, digest=digest)


def _an_empty_store_lists_nothing_and_finds_nothing(store: Store) -> None:
    assert store.entries() == [], "an empty store lists documents"
    assert store.state("/a") is None, "an empty store knows a source"
    assert store.get("0" * 12, "k") is None, "an empty store has an index"
    _assert_not_found(store, "0" * 12)
    for odd in ("", "\udcff", "%", "_", "\0", "g" * 100_000):
        _assert_not_found(store, odd)
        assert store.get(odd, "k") is None, f"an empty store has an index of {odd!r}"


def _what_is_put_comes_back_equal(store: Store) -> None:
    indexed = sample_indexed(1)
    store.put(indexed, index_key="k", state=sample_state("/sample.txt"))
    found = store.get(indexed.document.id, "k")
    assert found is not None, "an index that was put is missing"
    _assert_equal(found, indexed)
    assert store.document(indexed.document.id) == indexed.document, "the document came back different"
    assert store.state("/sample.txt") == (indexed.document.id, sample_state("/sample.txt")), "the state differs"
    assert store.get(indexed.document.id, "other") is None, "an index that was never put is there"


def _a_document_is_found_by_the_beginning_of_its_id(store: Store) -> None:
    ids = [_put(store, seed) for seed in range(20)]  # more than there are hexadecimal digits: two ids share their first
    assert store.document(ids[0][:11]).id == ids[0], "an unambiguous prefix does not find its document"
    shared = next(id_[0] for id_ in ids if sum(other[0] == id_[0] for other in ids) > 1)
    _assert_not_found(store, shared)


def _an_equal_key_is_replaced_and_others_stay(store: Store) -> None:
    first, second = sample_indexed(1, dim=4), sample_indexed(1, dim=6)
    id_ = first.document.id
    store.put(first, index_key="a", state=None)
    store.put(first, index_key="b", state=None)
    store.put(second, index_key="a", state=None)
    replaced, other = store.get(id_, "a"), store.get(id_, "b")
    assert replaced is not None, "the replaced index is missing"
    assert other is not None, "the other index is missing"
    _assert_equal(replaced, second)
    _assert_equal(other, first)
    (entry,) = store.entries()
    assert entry.index_keys == ("a", "b"), f"expected keys a and b, found {entry.index_keys}"


def _entries_tell_what_is_there_oldest_first(store: Store) -> None:
    ids = [_put(store, seed, source=f"/{seed}") for seed in (3, 1, 2)]
    entries = store.entries()
    assert [entry.id for entry in entries] == ids, "entries are not oldest first"
    indexed = sample_indexed(3, source="/3")
    assert entries[0].title == indexed.document.title, "an entry's title is not the document's"
    assert entries[0].language == indexed.document.language, "an entry's language is not the document's"
    assert entries[0].sources == ("/3",), "an entry's sources are not those that were put"
    assert entries[0].n_words == n_words(indexed.document.text), "an entry's words are miscounted"
    assert entries[0].n_units == len(indexed.units), "an entry's units are miscounted"


def _equal_content_from_two_sources_is_one_document(store: Store) -> None:
    id_ = _put(store, 1, source="/b")
    assert _put(store, 1, source="/a") == id_, "equal content has two ids"
    (entry,) = store.entries()
    assert entry.sources == ("/a", "/b"), f"expected sources /a and /b, found {entry.sources}"


def _a_source_whose_content_changed_moves(store: Store) -> None:
    shared = _put(store, 1, source="/a")
    _put(store, 1, source="/b")
    changed = _put(store, 2, source="/a")
    assert [entry.sources for entry in store.entries()] == [("/b",), ("/a",)], "the source did not move"
    last = _put(store, 2, source="/b")
    assert last == changed
    _assert_not_found(store, shared)
    assert store.get(shared, "k") is None, "a document without sources kept its index"


def _a_document_put_without_a_source_stays(store: Store) -> None:
    id_ = _put(store, 1, source=None)
    _put(store, 2, source="/a")
    _put(store, 3, source="/a")
    assert store.entries()[0].id == id_, "a document that never had a source vanished"
    assert store.entries()[0].sources == (), "a document put without a source has one"


def _removing_takes_indexes_and_sources_along(store: Store) -> None:
    id_, other = _put(store, 1, source="/a"), _put(store, 2, source="/b")
    entry = store.remove(id_)
    assert (entry.id, entry.sources) == (id_, ("/a",)), "remove does not return what it took out"
    assert store.get(id_, "k") is None, "a removed document kept its index"
    assert store.state("/a") is None, "a removed document kept its source"
    assert [left.id for left in store.entries()] == [other], "remove touched another document"
    try:
        store.remove(id_)
    except DocumentNotFoundError:
        return
    raise AssertionError("removing what is not there must raise DocumentNotFoundError")


def _any_name_and_any_text_will_do(store: Store) -> None:
    odd = "/\udcff 文'\"%\0_\n"  # as Python decodes a file name that is not UTF-8
    indexed = sample_indexed(1, source=odd)
    indexed = replace(
        indexed, document=replace(indexed.document, title=odd, text=indexed.document.text[:-2] + "\0\ud800")
    )
    store.put(indexed, index_key=odd[2:], state=sample_state(odd))
    assert store.document(indexed.document.id) == indexed.document, "a text with odd characters came back different"
    (entry,) = store.entries()
    assert (entry.title, entry.sources) == (odd, (odd,)), "odd characters in a name are lost"
    assert store.state(odd) is not None, "a source with odd characters is not found"


def _a_finished_call_is_found_again_and_never_replaced(store: Store) -> None:
    one, other = CallOutcome(("A note — 文 \ud800.", ""), 12, 3), CallOutcome(("Another",), 1, 1)
    none = CallOutcome((), 5, 0, "too long")
    assert store.finished(["a", "b"]) == {}, "an empty store knows finished calls"
    store.save("a", one)
    store.save("b", none)
    store.save("a", other)
    found = store.finished([*(str(i) for i in range(2_000)), "a", "b"])
    assert found == {"a": one, "b": none}, f"expected the calls that were saved first, found {found}"
    assert store.finished([]) == {}, "no keys must find nothing"


_CHECKS = (
    _a_finished_call_is_found_again_and_never_replaced,
    _an_empty_store_lists_nothing_and_finds_nothing,
    _what_is_put_comes_back_equal,
    _a_document_is_found_by_the_beginning_of_its_id,
    _an_equal_key_is_replaced_and_others_stay,
    _entries_tell_what_is_there_oldest_first,
    _equal_content_from_two_sources_is_one_document,
    _a_source_whose_content_changed_moves,
    _a_document_put_without_a_source_stays,
    _removing_takes_indexes_and_sources_along,
    _any_name_and_any_text_will_do,
)


def _put(store: Store, seed: int, *, source: str | None = "") -> str:
    """Puts a sample and returns its id; ``""`` means a unique source, None no source."""
    name = f"/sample-{seed}" if source == "" else source
    indexed = sample_indexed(seed, source=name or "-")
    store.put(indexed, index_key="k", state=None if name is None else sample_state(name))
    return indexed.document.id


def _assert_not_found(store: Store, document_id: str) -> None:
    try:
        store.document(document_id)
    except DocumentNotFoundError:
        return
    raise AssertionError(f"{document_id!r} names no single document: document() must raise DocumentNotFoundError")


def _assert_equal(found: IndexedDocument, wanted: IndexedDocument) -> None:
    for name in ("document", "units", "tree", "notes", "clusters"):
        assert getattr(found, name) == getattr(wanted, name), f"the {name} came back different"
    _assert_equal_arrays("vectors", found.vectors, wanted.vectors)
    for field in fields(Lexicon):
        _assert_equal_arrays(field.name, getattr(found.lexicon, field.name), getattr(wanted.lexicon, field.name))


def _assert_equal_arrays(name: str, found: np.ndarray, wanted: np.ndarray) -> None:
    assert found.dtype == wanted.dtype, f"{name} came back as {found.dtype}, not {wanted.dtype}"
    assert np.array_equal(found, wanted), f"{name} came back different"
