"""The large prior: openings are read when documents are indexed, and questions are compared with them."""

from pathlib import Path

import numpy as np
import pytest

from treatise.core.document import Document
from treatise.core.ports import Progress
from treatise.core.vectors import Floats
from treatise.ingest import read_bytes
from treatise.llm.cache import MemoryCache
from treatise.pipeline.candidates import Candidates
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.openings import N_WORDS, Openings, opening_text, packed, unpacked
from treatise.pipeline.system import System
from treatise.recipes import recipe_named
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder

QUESTION = "Which harbour is old?"
WORDS = ["tea", "fish", "rain", "boat", "sea", "lake", "river", "pond", "ice", "snow", "fog", "dew"]


class Knowing(HashingEncoder):
    """An encoder that knows that a harbour is where boats are; it counts the texts that it reads."""

    n_read = 0

    def encode(self, texts: list[str], progress: Progress | None = None) -> Floats:  # type: ignore[override]
        self.n_read += len(texts)
        return super().encode([text.replace("harbour", "boat") for text in texts], progress)


@pytest.fixture
def encoder() -> Knowing:
    return Knowing(96)


def opened(path: Path, encoder: Knowing | None, *, read_only: bool = False) -> Library:
    openings = Openings("knowing", lambda: encoder) if encoder else None
    engines = Engines(encoder=HashingEncoder(64), openings=openings)
    return Library(SqliteStore(path, read_only=read_only), System(recipe_named("treatise"), engines))


def filled(path: Path, encoder: Knowing | None) -> Library:
    library = opened(path, encoder)
    for word in WORDS:
        library.add(f"# {word}\n\nThe {word} of the town is mentioned. It is {len(word)} years.", f"{word}.md")
    return library


def first(library: Library, question: str = QUESTION) -> str:
    return library.document(library.search(question).passages[0].document).title


@pytest.mark.parametrize("is_large", [False, True])
def test_the_document_whose_opening_is_near_comes_first(
    tmp_path: Path, encoder: Knowing, monkeypatch: pytest.MonkeyPatch, *, is_large: bool
) -> None:
    if is_large:
        monkeypatch.setattr(Candidates.__init__, "__kwdefaults__", {"max_nodes": 0, "n_documents": 8})
    with filled(tmp_path / "a.db", encoder) as library:
        assert first(library) == "boat"
        assert library.search(QUESTION).notes == ()


def test_an_opening_is_read_once_and_a_question_once(tmp_path: Path, encoder: Knowing) -> None:
    filled(tmp_path / "a.db", encoder).close()
    assert encoder.n_read == len(WORDS)
    with opened(tmp_path / "a.db", encoder) as library:
        library.add("# tea\n\nThe tea of the town is mentioned. It is 3 years.", "again.md")
        first(library)
    assert encoder.n_read == len(WORDS) + 1


def test_without_vectors_the_usual_prior_is_used_with_a_note_until_they_are_read(
    tmp_path: Path, encoder: Knowing
) -> None:
    with filled(tmp_path / "a.db", None) as library:
        usual = library.search(QUESTION)
    with opened(tmp_path / "a.db", encoder) as library:
        found = library.search(QUESTION)
        assert [one.score for one in found.passages] == [one.score for one in usual.passages]
        assert found.notes == (
            "12 documents were indexed without --prior large, so the usual prior was used: "
            "`treatise update --prior large`",
        )
        library.update()  # also what came from no file
        assert first(library) == "boat"
        assert library.search(QUESTION).notes == ()


def test_a_library_that_cannot_be_written_is_asked_as_it_is(tmp_path: Path, encoder: Knowing) -> None:
    filled(tmp_path / "a.db", encoder).close()
    with opened(tmp_path / "a.db", encoder, read_only=True) as library:
        assert first(library) == "boat"


def test_few_documents_need_no_encoder(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db", None) as library:
        ids = [entry.id for entry in library.documents()]
    with opened(tmp_path / "a.db", Knowing(96)) as library:
        assert library.search(QUESTION, documents=ids[:5]).notes == ()


def test_a_document_in_another_language_leaves_the_usual_prior_without_a_note(tmp_path: Path, encoder: Knowing) -> None:
    with filled(tmp_path / "a.db", encoder) as library:
        before = encoder.n_read
        library.add("Der Hafen der Stadt ist alt. Er wird erwähnt, und die Schiffe sind auch nicht neu.", "hafen.txt")
        assert library.search(QUESTION).notes == ()
        assert encoder.n_read == before


def test_an_opening_is_the_first_words_of_a_document() -> None:
    words = [f"w{number}" for number in range(2 * N_WORDS)]
    found = opening_text(read_bytes(" ".join(words).encode(), name="a.txt"))
    assert found.split() == words[:N_WORDS]


def test_vectors_are_kept_as_half_floats() -> None:
    vector = np.random.default_rng(0).normal(size=96).astype(np.float32)
    found = unpacked(packed(vector))
    assert found is not None
    assert found == pytest.approx(vector, abs=2e-3)
    assert unpacked(packed(None)) is None


def test_progress_counts_documents(encoder: Knowing) -> None:
    texts: list[Document] = [read_bytes(f"Text {n} is here.".encode(), name="a.txt") for n in range(70)]
    documents = {one.id: one for one in texts}
    seen: list[tuple[int, int]] = []
    openings, cache = Openings("knowing", lambda: encoder), MemoryCache()
    openings.read([*documents, "gone"], documents.get, cache, lambda done, total: seen.append((done, total)))
    assert seen == [(64, 71), (71, 71)]
    assert openings.missing([*documents, "gone"], cache) == ["gone"]
