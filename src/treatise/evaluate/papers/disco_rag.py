"""The tables and figures of Disco-RAG as experiments."""

from dataclasses import replace
from typing import Final

from treatise.evaluate.papers.item import Item, answers, census
from treatise.evaluate.run.experiment import Experiment, Task
from treatise.evaluate.run.spec import OWN_BUDGET

_DISCO: Final = ("full-context", "standard-rag", "disco-rag")
_LOONG: Final = ("loong:set1", "loong:set2", "loong:set3", "loong:set4")
_DISCO_BUDGETS: Final = (OWN_BUDGET,)
"""No word budget: each recipe uses its own number and size of chunks."""


def _loong(name: str, *recipes: str) -> Experiment:
    return answers(name, _LOONG, recipes, _DISCO_BUDGETS)


def _open(experiment: Experiment) -> Experiment:
    return replace(experiment, open_domain=True)


def _costs(name: str, *recipes: str) -> Experiment:
    return replace(_loong(name, *recipes), with_cost=True)


def _harmed(*harms: str) -> tuple[str, ...]:
    return ("standard-rag", "disco-rag", *(f"disco-rag-{harm}" for harm in harms))


ITEMS: Final = (
    Item("figure1", "standard RAG and Disco-RAG", instead="an illustration"),
    Item("figure2", "the steps of Disco-RAG", instead="an illustration"),
    Item(
        "table1",
        "Loong by length and task, three models (judge's score, exact match); each question of its own documents, and "
        "of all documents of the set together as in the paper",
        (_loong("loong", *_DISCO), _open(_loong("corpus", *_DISCO[1:]))),
    ),
    Item(
        "table2",
        "ambiguous questions (STR-EM, ROUGE-L, DR), likewise of their own passages and of all passages together",
        (
            answers("asqa", ("asqa:dev",), _DISCO, _DISCO_BUDGETS),
            _open(answers("corpus", ("asqa:dev",), _DISCO[1:], _DISCO_BUDGETS)),
        ),
    ),
    Item(
        "table3",
        "news on papers (ROUGE-L, BERTScore, SARI, SummaC)",
        (answers("scinews", ("scinews",), _DISCO, _DISCO_BUDGETS),),
        instead="all but ROUGE: treatise eval answers --metrics sari --nli MODEL --bert FOLDER on the results",
    ),
    Item(
        "table4",
        "Loong without trees, graph or plan, and with plans that know no structure",
        (
            _loong(
                "parts",
                "disco-rag",
                "disco-rag-no-tree",
                "disco-rag-no-graph",
                "disco-rag-no-plan",
                "standard-rag",
                "retrieve-and-plan",
                "plan-and-retrieve",
            ),
        ),
    ),
    Item(
        "table5",
        "ratings by people on news",
        instead="three raters and a sheet for them: treatise eval rating-sheet --help",
    ),
    Item("table6", "the data sets", census(*_LOONG, "asqa", "scinews")),
    Item(
        "table7",
        "trees of parsers and, with --llm, of a language model without examples, over the EDUs of a treebank; the "
        "paper's treebank is RST-DT, which is not free, and its count RST-Parseval",
        (Experiment("parser", Task.PARSING, ("gum.edu",), model_trees=True),),
    ),
    Item(
        "table8",
        "tokens and seconds of an answer on Loong for 10 to 50 chunks",
        (_costs("cost", *(f"{of}{k}" for k in ("", "-c256-k20", "-c256-k30", "-c256-k50") for of in _DISCO[1:])),),
    ),
    Item(
        "table9",
        "Loong with shallow discourse markers",
        (_loong("markers", "standard-rag", "discourse-markers", "disco-rag"),),
    ),
    Item(
        "table10",
        "news with a fine-tuned model, with and without structure (ROUGE-L, SummaC)",
        (answers("tuned", ("scinews",), ("standard-rag", "disco-rag"), _DISCO_BUDGETS),),
        instead="name the tuned models with --llm",
    ),
    Item(
        "table11",
        "entropy of attention on news, without plan, graph or trees, and of standard RAG (and SummaC). Attention is "
        "averaged over layers and heads, then its entropy over the tokens of an answer; the paper gives no formula",
        (
            answers(
                "attention",
                ("scinews",),
                ("disco-rag", "disco-rag-no-plan", "disco-rag-no-graph", "disco-rag-no-tree", "standard-rag"),
                _DISCO_BUDGETS,
                with_attention=True,
            ),
        ),
    ),
    Item(
        "figure3",
        "Loong by size and number of chunks, and with chunks replaced by others",
        (
            _loong(
                "size", *(f"{of}{size}" for size in ("-c128-k10", "", "-c512-k10", "-c1024-k10") for of in _DISCO[1:])
            ),
            _loong(
                "number",
                *(f"{of}{k}" for k in ("-c256-k5", "", "-c256-k20", "-c256-k30", "-c256-k50") for of in _DISCO[1:]),
            ),
            _loong(
                "noise",
                *(f"{of}{share}" for share in ("", "-noise-chunks-20", "-noise-chunks-40") for of in _DISCO[1:]),
            ),
        ),
    ),
    Item(
        "figure4",
        "Loong with trees, graph and plan harmed at random",
        (
            _loong("trees", *_harmed("shuffled-relations", "flipped-nuclei", "removed-subtrees")),
            _loong("graph", *_harmed("removed-edges", "flipped-edges", "replaced-links")),
            _loong("plan", *_harmed("no-plan", "shuffled-steps", "dropped-steps")),
        ),
    ),
    *(
        Item(f"figure{number}", "an answer to one question", instead="a case: treatise show ID --graph QUESTION")
        for number in (5, 6, 7)
    ),
    *(
        Item(
            f"figure{number}", "relations and prompts", instead="a prompt: ours are files of the package, with versions"
        )
        for number in range(8, 19)
    ),
    Item("figure19", "guidelines for raters", instead="on the sheets of treatise eval rating-sheet"),
)
