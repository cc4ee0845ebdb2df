"""A reader in the one path: it answers English questions without a language model, and nothing else."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from treatise import open_library
from treatise.core.errors import EngineUnavailableError
from treatise.core.form import Form, FormKind
from treatise.core.span_answer import SpanAnswer
from treatise.pipeline.library import Library
from treatise.recipes import recipe_named
from treatise.testing import ScriptedModel, ScriptedReader

TEXT = "Water boils at 100 degrees. Ice melts at 0 degrees. Keep the leaves dry."


def test_the_direct_answer_comes_from_the_reader(tmp_path: Path) -> None:
    reader = ScriptedReader("100 degrees")
    answer = _library(tmp_path, reader).ask("When does water boil?", [_written(tmp_path, TEXT)])
    assert answer.direct is not None
    assert answer.direct.text == "100 degrees"
    assert answer.statements[0].text == "Water boils at 100 degrees."
    assert reader.calls[0][0] == "When does water boil?"


def test_a_language_model_answers_instead_of_the_reader(tmp_path: Path) -> None:
    reader = ScriptedReader("100 degrees")
    library = _library(tmp_path, reader).with_model(ScriptedModel(lambda _: "Water boils at 100 degrees. [1]"))
    assert library.ask("When does water boil?", [_written(tmp_path, TEXT)]).direct is None
    assert not reader.calls


def test_the_evidence_of_an_answer_is_what_was_retrieved_also_for_chunks(tmp_path: Path) -> None:
    library = _library(tmp_path, ScriptedReader("100 degrees")).with_recipe(recipe_named("flat-chunk"))
    path = _written(tmp_path, TEXT)
    answer = library.ask("When does water boil?", [path])
    assert answer.direct is not None
    assert answer.evidence.context == library.search("When does water boil?").context
    assert [one.text for one in answer.evidence.passages] == [TEXT]


def test_the_reader_answers_if_the_language_model_fails(tmp_path: Path) -> None:
    def fail(_: object) -> str:
        raise EngineUnavailableError("gone")

    library = _library(tmp_path, ScriptedReader("100 degrees")).with_model(ScriptedModel(fail))
    answer = library.ask("When does water boil?", [_written(tmp_path, TEXT)])
    assert answer.direct is not None
    assert "gone" in answer.notes[0]


def test_a_text_that_is_not_english_is_quoted(tmp_path: Path) -> None:
    text = "Das Wasser siedet bei 100 Grad, und das Eis schmilzt bei 0 Grad. Die Blätter werden trocken aufbewahrt."
    reader = ScriptedReader("100 Grad")
    answer = _library(tmp_path, reader).ask("Wann siedet das Wasser?", [_written(tmp_path, text)])
    assert answer.direct is None
    assert not reader.calls


class _OfManagers(ScriptedReader):
    """Finds nothing unless the question names a manager."""

    def read(self, question: str, passages: Sequence[str]) -> SpanAnswer:
        found = super().read(question, passages)
        return found if "manager" in question else replace(found, spans=(), p_no_answer=1.0)


def test_a_doubted_question_is_asked_again_in_the_documents_words(tmp_path: Path) -> None:
    reader = _OfManagers("two weeks")
    text = "The manager is told two weeks in advance. The leaves are dry. Water boils at 100 degrees."
    answer = _library(tmp_path, reader).ask("How early does the boss know?", [_written(tmp_path, text)])
    assert answer.direct is not None
    assert (answer.direct.text, answer.question) == ("two weeks", "How early does the boss know?")
    assert answer.evidence.question == answer.question
    assert answer.notes[0] == "read as: How far in advance does the manager know?"
    library = _library(tmp_path, reader)
    for path in (_written(tmp_path, text), _written(tmp_path, f"{text} The boss agrees.", "other.txt")):
        library.index(path)
    assert not library.ask("How early does the boss know?").found


def test_two_things_to_compare_are_searched_for_each(tmp_path: Path) -> None:
    dogs = "".join(f"Dogs of the {which} tenant may not be compared. " for which in ("first", "second", "third") * 20)
    path = _written(tmp_path, f"{dogs}\n\nCats need the consent of the landlord. Water boils at 100 degrees.")
    library = _library(tmp_path, _OfManagers("two weeks"))
    answer = library.ask("Compare dogs and cats.", [path], max_words=60)
    assert answer.found
    assert "Dogs of" in answer.text
    assert "Cats need the consent of the landlord." in answer.text
    assert library.ask("Compare dogs and horses.", [path]).notes[0] == "the document never mentions horses"


def test_an_answer_from_a_faq_has_the_form_that_was_asked_for(tmp_path: Path) -> None:
    faq = "Q: How do I rinse it?\n\nA: With vinegar. Twice.\n\nQ: Who sells it?\n\nA: Ida.\n\nQ: Safe?\n\nA: Yes.\n"
    library = _library(tmp_path, ScriptedReader("Ida"))
    path = _written(tmp_path, faq)
    assert library.ask("How can I rinse it?", [path]).text == "With vinegar. Twice."
    assert library.ask("How can I rinse it?", [path], form=Form(FormKind.SHORT)).text == "With vinegar."
    of_chunks = library.with_recipe(recipe_named("flat-chunk")).ask("How can I rinse it?", [path])
    assert of_chunks.text != "With vinegar. Twice."


def _library(folder: Path, reader: ScriptedReader) -> Library:
    library = open_library(store=folder / "library.db")
    engines = replace(library.system.engines, reader=reader, multilingual_reader=None)  # as without the extra
    return replace(library, system=replace(library.system, engines=engines))


def _written(folder: Path, text: str, name: str = "text.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
