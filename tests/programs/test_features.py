"""What speaks for a program."""

from tests.programs.builders import STAFF, Alike, Unlike
from treatise.programs import Op, Question, describe, programs_of


def features(question: str, op: Op, vectors: Unlike | None = None) -> set[str]:
    """All features of the first program of an operation."""
    asked, likeness = Question(question), vectors or Unlike()
    programs, conditions = programs_of(asked, STAFF, likeness)
    found = describe(asked, STAFF, programs, conditions, likeness)
    at = next(at for at, one in enumerate(programs) if one.op is op)
    return {*found.own[at], *(name for part in found.of_program[at] for name in found.parts[part])}


def test_the_words_of_the_question_stand_beside_the_operation() -> None:
    found = features("Who earns most?", Op.HIGHEST)
    assert {"op highest who", "op highest earns most", "family extremes asks who"} <= found


def test_names_of_cells_and_numbers_are_masked() -> None:
    found = features("Did Ben Okoro start before 2022?", Op.COUNT)
    assert "op count E E" in found
    assert not any("okoro" in one for one in found if one.startswith("op "))


def test_the_likeness_of_a_head_to_the_question_counts() -> None:
    found = features("Which pay is the best?", Op.MAXIMUM, Alike("pay", "salary"))
    assert "key maximum like content 7" in found
    assert "key maximum like content 7" not in features("Which pay is the best?", Op.MAXIMUM)


def test_what_a_program_leaves_unexplained_counts_against_it() -> None:
    assert "rest 0" in features("How many are in sales?", Op.COUNT) | features("In which team is Ben Okoro?", Op.CELL)
    assert "rest 2" in features("How many unicorns have horns?", Op.COUNT)


def test_none_of_the_programs_is_described_last() -> None:
    asked = Question("What is the capital of France?")
    programs, conditions = programs_of(asked, STAFF, Unlike())
    found = describe(asked, STAFF, programs, conditions, Unlike())
    assert len(found.of_program) == len(found.own) == len(programs) + 1
    assert "none" in {name for part in found.of_program[-1] for name in found.parts[part]}
