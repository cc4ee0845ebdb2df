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


def _an_index_is_added_to_a_stored_document_only(store: Store) -> None:
    indexed = sample_indexed(1)
    assert not store.add_index(indexed, index_key="b", provenance="{}"), "an index was added to no document"
    assert store.entries() == [], "adding an index brought back a document"
    store.put(indexed, index_key="a", state=sample_state(indexed.document.source))
    assert store.add_index(indexed, index_key="b"), "an index of a stored document was refused"
    found = store.get(indexed.document.id, "b")
    assert found is not None, "the added index is missing"
    _assert_equal(found, indexed)
    store.remove(indexed.document.id)
    assert not store.add_index(indexed, index_key="b"), "an index was added to a removed document"
    assert store.entries() == [], "a removed document came back"


def _a_sound_store_has_no_faults(store: Store) -> None:
    _put(store, 1)
    assert store.check() == [], f"a sound store has faults: {store.check()}"
    assert not store.read_only, "a store that was written to is read-only"


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


def _what_the_user_set_is_listed_and_taken_back(store: Store) -> None:
    id_, other = _put(store, 1, source="/a"), _put(store, 2, source="/b")
    entry = store.annotate(id_[:11], {"tags": ("b", "a"), "project": ("\udcff 文'\"%",)})
    assert entry.id == id_, "annotate does not return the document's entry"
    assert entry.metadata == store.entries()[0].metadata, "annotate does not return the metadata as it is listed"
    assert entry.metadata == {"tags": ("b", "a"), "project": ("\udcff 文'\"%",)}, "metadata came back different"
    assert store.annotate(id_, {"tags": ("c",), "none": ()}).metadata["tags"] == ("c",), "a key was not replaced"
    assert store.annotate(id_, {"tags": ()}).metadata.keys() == {"project"}, "a key without values was kept"
    assert not store.entries()[1].metadata, "annotate touched another document"
    assert store.annotate(id_, {"title": ("Mine", "x")}).shown_title == "Mine", "a title that was set is lost"
    assert store.titles()[id_] == "Mine", "a title that was set is not listed"
    assert store.annotate(id_, {"title": ()}).shown_title == store.titles()[id_], "a title that was taken back stays"
    assert store.get(id_, "k") is not None, "annotate dropped an index"
    store.remove(id_)
    assert _put(store, 1, source="/a") == id_
    assert not store.entries()[-1].metadata, "a removed document kept its metadata"
    assert store.entries()[0].id == other


def _what_the_user_set_passes_to_the_changed_document(store: Store) -> None:
    _put(store, 1, source="/a")
    store.annotate(sample_indexed(1).document.id, {"project": ("x",), "tags": ("old",)})
    kept = _put(store, 2, source="/b")
    store.annotate(kept, {"tags": ("own",)})
    _put(store, 2, source="/a")
    assert store.entries()[0].metadata == {"project": ("x",), "tags": ("own",)}, "metadata of a former document is lost"


def _sizes_and_revision_follow_the_documents(store: Store) -> None:
    seen = [store.revision]
    first, second = _put(store, 3), _put(store, 1)
    seen.append(store.revision)
    n_nodes = [sample_indexed(seed).n_nodes for seed in (3, 1)]
    assert list(store.sizes("k").items()) == list(zip((first, second), n_nodes, strict=True)), "sizes are wrong"
    assert store.sizes("other") == {first: 0, second: 0}, "an index that was never put has a size"
    titles = [(id_, sample_indexed(seed).document.title) for id_, seed in ((first, 3), (second, 1))]
    assert list(store.titles().items()) == titles, "titles are wrong"
    store.remove(first)
    seen.append(store.revision)
    assert len({repr(revision) for revision in seen}) == 3, "the revision did not change"
    assert store.revision == seen[-1], "the revision changed without a change"


def _the_size_of_an_entry_is_that_of_its_source(store: Store) -> None:
    _put(store, 1, source="/a")
    _put(store, 2, source=None)
    with_source, without = store.entries()
    state = sample_state("/a")
    assert (with_source.n_bytes, with_source.modified_ns) == (state.size, state.modified_ns), "size or time is lost"
    assert (without.n_bytes, without.modified_ns) == (0, 0), "a document without source has a size"


def _what_a_source_states_gives_way_to_what_the_user_sets(store: Store) -> None:
    indexed = sample_indexed(1, source="/a")
    stated = {"author": ("A. Writer", "B. Writer"), "date": ("2019-05-01",)}
    store.put(
        replace(indexed, document=replace(indexed.document, metadata=stated)), index_key="k", state=sample_state("/a")
    )
    assert store.document(indexed.document.id).metadata == stated, "a document lost what its source states"
    store.annotate(indexed.document.id, {"author": ("C. Writer",)})
    (entry,) = store.entries()
    assert entry.metadata == {**stated, "author": ("C. Writer",)}, "the user's value does not replace the source's"
    newer = replace(indexed.document, metadata={"author": ("D. Writer",)})
    store.put(replace(indexed, document=newer), index_key="k", state=sample_state("/a"))
    (entry,) = store.entries()
    assert entry.metadata == {"author": ("C. Writer",)}, "reading again kept an old value or lost the user's"
    assert store.annotate(indexed.document.id, {"author": ()}).metadata == newer.metadata, "the source's value is gone"


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
    _an_index_is_added_to_a_stored_document_only,
    _a_sound_store_has_no_faults,
    _entries_tell_what_is_there_oldest_first,
    _equal_content_from_two_sources_is_one_document,
    _a_source_whose_content_changed_moves,
    _a_document_put_without_a_source_stays,
    _removing_takes_indexes_and_sources_along,
    _any_name_and_any_text_will_do,
    _what_the_user_set_is_listed_and_taken_back,
    _what_a_source_states_gives_way_to_what_the_user_sets,
    _what_the_user_set_passes_to_the_changed_document,
    _the_size_of_an_entry_is_that_of_its_source,
    _sizes_and_revision_follow_the_documents,
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
