"""One path from a recipe to an answer: a library, a system and every form of answer go along it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.builders import make_document
from treatise.compose import open_chunk_parser
from treatise.core.answer import Answer
from treatise.core.errors import EngineUnavailableError, QuestionError
from treatise.core.form import CITED, Form, FormKind
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import ChunkParser, Message
from treatise.core.recipe import Perturbation, PerturbationKind, ReaderText, Recipe, Refinement
from treatise.core.usage import Stage, Usage
from treatise.ingest import read_bytes
from treatise.llm.budget import Budget
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import (
    DISCO_RAG,
    DISCO_RAG_LOCAL,
    DISCO_RAG_SPARSE,
    DISCOURSE_MARKERS,
    PLAN_AND_RETRIEVE,
    RETRIEVE_AND_PLAN,
    STANDARD_RAG,
    TREATISE,
    TREATISE_RERANKED,
    baselines,
)
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder, ScriptedModel, ScriptedReader, ScriptedReranker

QUESTION = "When was the bridge over the Arden built?"
ENCODER = HashingEncoder(256)
SEVEN = (
    STANDARD_RAG,
    RETRIEVE_AND_PLAN,
    PLAN_AND_RETRIEVE,
    DISCOURSE_MARKERS,
    DISCO_RAG,
    DISCO_RAG_SPARSE,
    DISCO_RAG_LOCAL,
)
FORMS = (CITED, Form(FormKind.SHORT), Form(FormKind.CHOICE, ("1902", "1885")), Form(FormKind.STORY))
DOCUMENTS = [
    make_document(
        [
            ["The bridge over the Arden was built in 1902 by Hill.", "It is only open in summer."],
            ["The mill stands by the river.", "It grinds corn all day."],
        ]
    ),
    make_document(
        [
            ["The bridge over the Arden was built in 1885 by Hill.", "The town paid for the bridge."],
            ["Bread needs flour, water and yeast.", "A new bridge was never built."],
        ]
    ),
]


@pytest.fixture(scope="module")
def chunk_parser() -> ChunkParser:
    return open_chunk_parser()


def speak(messages: Sequence[Message]) -> str:
    """Every reply that Disco-RAG asks for, each in its form."""
    system = messages[0].content
    if "what passages do for each other" in system or "connectives" in system:
        return json.dumps({"pairs": ["1 CONTRADICTS 2"]})
    if "queries" in system:
        return json.dumps({"plan": "Name the year.", "queries": ["When was the bridge built?"]})
    if "You plan an answer" in system:
        return json.dumps({"plan": "Name both years."})
    if "Rhetorical Structure" in system:
        return "no tree"
    return "It was built in 1902. [1]"


def system(recipe: Recipe, model: ScriptedModel | None = None, chunk_parser: ChunkParser | None = None) -> System:
    return System(recipe, Engines(ENCODER, model=model, chunk_parser=chunk_parser))


def same(answer: Answer) -> Answer:
    """The answer without its times and the stages of a library."""
    stages = {
        stage: replace(one, seconds=0.0)
        for stage, one in answer.usage.stages.items()
        if stage not in (Stage.INDEX, Stage.LOAD)
    }
    return replace(answer, usage=replace(answer.usage, stages=stages))


@pytest.mark.parametrize("recipe", [*SEVEN, TREATISE], ids=lambda recipe: recipe.slug)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
@pytest.mark.parametrize("written", [False, True], ids=["quoted", "written"])
def test_a_library_answers_as_its_system_does_from_the_same_documents(
    tmp_path: Path, chunk_parser: ChunkParser, recipe: Recipe, form: Form, *, written: bool
) -> None:
    model = ScriptedModel(speak) if written else None
    with SqliteStore(tmp_path / "a.db") as store:
        library = Library(store, system(recipe, model, chunk_parser))
        ids = [library.index(f"{i}.txt", data=one.text.encode()).document for i, one in enumerate(DOCUMENTS)]
        asked = library.ask(QUESTION, form=form)
        documents = [library.document(id_) for id_ in ids]
    alone = system(recipe, ScriptedModel(speak) if written else None, chunk_parser)
    assert same(asked) == same(alone.answer(QUESTION, alone.index(documents), form=form))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
def test_seven_variants_of_disco_rag_send_different_requests_in_every_form(
    chunk_parser: ChunkParser, form: Form
) -> None:
    requests = {}
    for recipe in SEVEN:
        model = ScriptedModel(speak)
        one = system(recipe, model, chunk_parser)
        one.answer(QUESTION, one.index(DOCUMENTS), form=form, fallback=False)
        requests[recipe.slug] = [[message.content for message in prompt] for prompt in model.prompts]
    assert len({json.dumps(one) for one in requests.values()}) == len(SEVEN)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
def test_every_form_reads_all_documents_of_a_question(form: Form) -> None:
    model = ScriptedModel(speak)
    one = system(STANDARD_RAG, model)
    one.answer(QUESTION, one.index(DOCUMENTS), form=form)
    read = model.prompts[-1][1].content
    assert all(year in read for year in ("1902", "1885"))


def test_a_form_is_worded_to_the_letter_and_checked() -> None:
    one = system(TREATISE, ScriptedModel(lambda _: "(A) The bridge over the Arden was built in 1902 by Hill."))
    form = Form(FormKind.CHOICE, ("1902", "1885"))
    answer = one.answer(QUESTION, one.index(DOCUMENTS), form=form)
    assert answer.text == "(A) The bridge over the Arden was built in 1902 by Hill."
    assert answer.citations


def test_a_form_without_structure_is_asked_for_in_the_words_of_disretrieval() -> None:
    model = ScriptedModel(lambda _: "1902")
    one = system(TREATISE, model)
    answer = one.answer(QUESTION, one.index(DOCUMENTS), form=Form(FormKind.CHOICE, ("1902", "1885")))
    ((rules, asked),) = model.prompts
    assert rules.content.startswith("You answer multiple-choice questions")
    options = f"Question: {QUESTION}\n(A) 1902\n(B) 1885"
    assert asked.content == f"<context>\n{answer.evidence.context}\n</context>\n\n{options}"


def test_an_unanswerable_question_is_not_found() -> None:
    one = system(TREATISE, ScriptedModel(lambda _: "Unanswerable."))
    assert not one.answer(QUESTION, one.index(DOCUMENTS), form=Form(FormKind.SHORT)).found


def test_a_form_is_refined_if_the_recipe_says_so() -> None:
    verdicts = iter(
        [json.dumps({"satisfied": False, "feedback": ["Name the year."]}), '{"satisfied": true, "feedback": []}']
    )
    drafts = iter(["by Hill", "It was built in 1902 by Hill."])
    model = ScriptedModel(lambda m: next(verdicts) if "<draft>" in m[-1].content else next(drafts))
    one = system(replace(TREATISE, refinement=Refinement()), model)
    answer = one.answer(QUESTION, one.index(DOCUMENTS), form=Form(FormKind.SHORT))
    assert [made.text for made in answer.rounds] == ["by Hill", "It was built in 1902 by Hill."]
    assert answer.text == "It was built in 1902 by Hill."


@pytest.mark.parametrize("kind", [ReaderText.DOCUMENT, ReaderText.MARKED_DOCUMENT, ReaderText.EVIDENCE_AND_DOCUMENT])
def test_a_form_reads_what_the_recipe_gives_its_reader(kind: ReaderText) -> None:
    model = ScriptedModel(lambda _: "1902")
    one = system(replace(TREATISE, reader_text=kind), model)
    one.answer(QUESTION, one.index(DOCUMENTS), max_words=8, form=Form(FormKind.SHORT))
    asked = model.prompts[0][1].content
    assert "Bread needs flour, water and yeast." in asked
    assert ("[EVIDENCE]" in asked) == (kind is ReaderText.MARKED_DOCUMENT)


def test_evidence_beyond_the_window_is_cut_and_the_answer_says_so() -> None:
    long = make_document([[f"The bridge number {i} over the Arden was built in {1000 + i}."] for i in range(200)])
    one = system(TREATISE, ScriptedModel(lambda _: "1902", context_tokens=1_024))
    answers = [one.answer(QUESTION, one.index([long]), max_words=n, form=Form(FormKind.SHORT)) for n in (30, 1_500)]
    assert [answer.is_cut for answer in answers] == [False, True]


def test_a_perturbed_recipe_changes_the_request_of_a_form(chunk_parser: ChunkParser) -> None:
    asked = []
    noise = Perturbation(PerturbationKind.NOISE_CHUNKS, share=1.0)
    noisy = replace(DISCO_RAG, planning=replace(DISCO_RAG.planning, perturbations=(noise,)))
    for recipe in (DISCO_RAG, noisy):
        model = ScriptedModel(speak)
        one = system(recipe, model, chunk_parser)
        one.answer(QUESTION, one.index(DOCUMENTS), max_words=12, form=Form(FormKind.SHORT))
        asked.append(model.prompts[-1][1].content)
    assert asked[0] != asked[1]


def test_the_second_stage_ranks_for_a_form_too() -> None:
    reranker = ScriptedReranker()
    one = System(TREATISE_RERANKED, Engines(ENCODER, reranker=reranker))
    form = Form(FormKind.SHORT)
    assert one.answer(QUESTION, one.index(DOCUMENTS), form=form).evidence == one.search(QUESTION, one.index(DOCUMENTS))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
def test_a_dead_model_gives_the_quoted_answer_with_the_reason_first(form: Form) -> None:
    quoting = system(TREATISE)
    indexed = quoting.index(DOCUMENTS)
    failing = system(TREATISE, ScriptedModel([EngineUnavailableError("down")] * 2))
    quoted, answer = (one.answer(QUESTION, indexed, form=form) for one in (quoting, failing))
    assert (answer.text, answer.citations) == (quoted.text, quoted.citations)
    assert answer.notes == ("made without the language model, which failed: down", *quoted.notes)
    with pytest.raises(EngineUnavailableError):
        failing.answer(QUESTION, indexed, form=form, fallback=False)


def test_usage_names_every_stage_and_its_calls(chunk_parser: ChunkParser) -> None:
    one = system(DISCO_RAG, ScriptedModel(speak), chunk_parser)
    usage = one.answer(QUESTION, one.index(DOCUMENTS)).usage
    assert set(usage.stages) == {Stage.RETRIEVE, Stage.TREES, Stage.GRAPH, Stage.PLAN, Stage.RULES, Stage.ANSWER}
    assert usage.model(Stage.GRAPH).n_calls == usage.model(Stage.PLAN).n_calls == usage.model(Stage.ANSWER).n_calls == 1
    assert usage.model(Stage.TREES).n_given_up == usage.model(Stage.TREES).n_calls // 2
    assert usage.total_model.n_calls == sum(usage.model(stage).n_calls for stage in usage.stages)


def test_the_same_question_costs_no_structure_twice(chunk_parser: ChunkParser) -> None:
    one = system(DISCO_RAG, ScriptedModel(speak), chunk_parser)
    indexed = one.index(DOCUMENTS)
    one.answer(QUESTION, indexed)
    usage = one.answer(QUESTION, indexed).usage
    assert usage.model_of((Stage.TREES, Stage.GRAPH, Stage.PLAN)).n_calls == 0
    assert usage.model(Stage.PLAN).n_reused == 1


def test_another_recipe_makes_another_library_with_its_own_indexes(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as store:
        library = Library(store, system(STANDARD_RAG))
        id_ = library.index("a.txt", data=DOCUMENTS[0].text.encode()).document
        library.search(QUESTION)
        other = library.with_recipe(TREATISE)
        fresh = system(TREATISE)
        indexed: list[IndexedDocument] = fresh.index([library.document(id_)])
        assert other.search(QUESTION) == fresh.search(QUESTION, indexed)
        assert library.recipe == STANDARD_RAG
        with pytest.raises(AttributeError, match=r"recipe cannot be assigned: with_recipe\(\)"):
            library.recipe = TREATISE  # type: ignore[misc]
        with pytest.raises(AttributeError, match="system cannot be assigned"):
            library.system = other.system  # type: ignore[misc]


def test_a_copy_of_a_library_has_what_is_left_of_the_budget(tmp_path: Path) -> None:
    model = ScriptedModel(speak)
    with SqliteStore(tmp_path / "a.db") as store:
        library = Library(store, replace(system(DISCO_RAG, model), budget=Budget(max_calls=3)))
        id_ = library.index("a.txt", data=DOCUMENTS[0].text.encode()).document
        library.parse_chunks([id_])
        spent = library.spending.n_calls
        assert spent
        assert library.with_recipe(TREATISE).system.budget.max_calls == 3 - spent
        assert library.with_model(None).system.budget.max_calls == 3 - spent


class OneDocument:
    """A candidate finder that finds one document."""

    def __init__(self, document: str) -> None:
        self.document = document

    def find(self, question: str) -> list[str]:
        assert question == QUESTION
        return [self.document]


def test_a_library_searches_the_candidates_alone(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as store:
        library = Library(store, system(TREATISE))
        ids = [library.index(f"{i}.txt", data=one.text.encode()).document for i, one in enumerate(DOCUMENTS)]
        found = replace(library, finder=OneDocument(ids[1]))
        assert {passage.document for passage in found.search(QUESTION).passages} == {ids[1]}
        assert found.search(QUESTION, documents=ids) == library.search(QUESTION)


def test_a_blank_question_is_refused() -> None:
    one = system(TREATISE)
    with pytest.raises(QuestionError):
        one.answer(" ", one.index(DOCUMENTS))


def test_a_summary_of_a_system_is_that_of_its_library(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as store:
        library = Library(store, system(TREATISE))
        id_ = library.index("a.txt", data=DOCUMENTS[0].text.encode()).document
        summary = library.summarize(document=id_, max_words=12)
        (indexed,) = library.system.index([library.document(id_)])
    alone = library.system.summarize(indexed, max_words=12)
    assert same(summary) == same(alone)
    assert alone.usage.summary_words == len(alone.text.split())
    assert alone.usage.evidence_words is Usage().evidence_words is None


def test_a_marked_document_is_sent_whole_with_its_marks_and_only_the_evidence_is_counted() -> None:
    model = ScriptedModel(["Water boils at 100 degrees. [1]"])
    documents = [read_bytes(b"Water boils at 100 degrees. Keep the leaves dry.", name="tea.txt")]
    recipe = replace(baselines.FLAT_SENTENCE, name="MARKED", reader_text=ReaderText.MARKED_DOCUMENT)
    one = System(recipe, Engines(ENCODER, model=model))
    answer = one.answer("When does water boil?", one.index(documents), max_words=5)
    (prompt,) = model.prompts
    assert "[EVIDENCE]Water boils at 100 degrees.[/EVIDENCE] Keep the leaves dry." in prompt[-1].content
    assert "<passage" in prompt[-1].content
    assert answer.usage.evidence_words == 5


def test_an_answer_from_evidence_found_elsewhere_retrieves_nothing() -> None:
    model = ScriptedModel(["Dry. [1]"])
    documents = [read_bytes(b"Water boils at 100 degrees. Keep the leaves dry.", name="tea.txt")]
    one = System(baselines.FLAT_SENTENCE, Engines(ENCODER, model=model))
    indexed = one.index(documents)
    kept = one.search("How are leaves kept?", indexed, max_words=4)
    answer = one.answer("When does water boil?", indexed, evidence=kept)
    assert answer.evidence == kept
    assert kept.context in model.prompts[0][-1].content


def test_without_a_model_a_short_form_is_the_direct_answer_of_the_reader() -> None:
    one = System(TREATISE, Engines(ENCODER, reader=ScriptedReader("1885")))
    short = one.answer(QUESTION, one.index(DOCUMENTS), form=Form(FormKind.SHORT))
    cited = one.answer(QUESTION, one.index(DOCUMENTS))
    assert short.text == "1885"
    assert short.citations == cited.citations
    assert cited.text.startswith(cited.citations[0].quote)
