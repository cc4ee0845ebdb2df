"""The contract of ``treatise.core.ports.CandidateFinder``."""

from collections.abc import Callable

from treatise.core.ports import CandidateFinder, Store
from treatise.testing.samples import sample_indexed
from treatise.testing.store_contract import sample_state

_QUESTIONS = ("What was measured?", "zzz", "为什么?", "why " * 500)


def check_candidate_finder(make: Callable[[Store], CandidateFinder], make_store: Callable[[], Store]) -> None:
    """Asserts that a finder keeps its contract over a store; ``make_store`` gives a new, empty one.

    Raises:
        AssertionError: Names the first violated rule.
    """
    store = make_store()
    try:
        finder = make(store)
        assert list(finder.find(_QUESTIONS[0])) == [], "an empty store has candidates"
        for number in range(3):
            indexed = sample_indexed(number, source=f"/{number}")
            store.put(indexed, index_key="k", state=sample_state(f"/{number}"))
        known = [entry.id for entry in store.entries()]
        for question in _QUESTIONS:
            _check_one(finder, question, known)
        gone = store.remove(known[0]).id
        assert all(gone not in finder.find(question) for question in _QUESTIONS), "a removed document is found"
    finally:
        store.close()


def _check_one(finder: CandidateFinder, question: str, known: list[str]) -> None:
    found = list(finder.find(question))
    assert found == [one for one in known if one in found], "candidates are unknown, repeated, or out of order"
    assert found == list(finder.find(question)), "the same question has other candidates the second time"
