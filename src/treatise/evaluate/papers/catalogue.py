"""Every table and figure of the three papers as experiments, by name: ``disretrieval:table2``.

Measured is what the paper measured, with our recipes in the place of its systems, on the data that are at hand:
differences are to be compared with the paper's, not decimals. Systems of others that a paper only quotes are left out.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from typing import Final

from treatise.core.errors import DataError
from treatise.evaluate.run.experiment import Experiment, Task


@dataclass(frozen=True, slots=True)
class Item:
    """A table or figure.

    Attributes:
        name: Paper and number.
        shows: What it shows, and where the paper's setting is another, which.
        experiments: What has to be run; none where nothing can be.
        instead: What to do by hand, or why there is nothing to be measured.
    """

    name: str
    shows: str
    experiments: tuple[Experiment, ...] = ()
    instead: str = ""


_FLAT: Final = ("flat-chunk", "flat-sentence")
_PAPERS_SYSTEMS: Final = (*_FLAT, "raptor", "bisection", "disretrieval")
_STORIES_SYSTEMS: Final = (*_FLAT, "raptor", "bisection-tau-50", "disretrieval-stories")
_BUDGETS: Final = (200, 300, 400)


def _retrieval(name: str, datasets: tuple[str, ...], recipes: tuple[str, ...], **rest: tuple[str, ...]) -> Experiment:
    return Experiment(name, Task.RETRIEVAL, datasets, recipes, _BUDGETS, **rest)


def _answers(
    name: str,
    datasets: tuple[str, ...],
    recipes: tuple[str, ...],
    budgets: tuple[int, ...] = _BUDGETS,
    **rest: tuple[str, ...],
) -> Experiment:
    return Experiment(name, Task.GENERATION, datasets, recipes, budgets, **rest)


def _cost(recipes: tuple[str, ...]) -> Experiment:
    return Experiment("cost", Task.COST, ("squality",), recipes, (10_000, 30_000, 50_000, 70_000, 90_000))


def _census(*datasets: str) -> tuple[Experiment, ...]:
    return (Experiment("data", Task.CENSUS, datasets),)


_DISRETRIEVAL: Final = (
    Item("figure1", "ways to model a document", instead="an illustration"),
    Item("figure2", "the three steps of DISRetrieval", instead="an illustration"),
    Item(
        "table1",
        "answers on papers (F1) and stories (accuracy) from 200 to 400 words; two encoders, three readers",
        (
            _answers("papers", ("qasper",), _PAPERS_SYSTEMS),
            _answers("stories", ("quality",), _STORIES_SYSTEMS),
        ),
    ),
    Item(
        "table2",
        "evidence on papers (F1 and recall), two encoders; answers from whole papers with the evidence marked",
        (
            _retrieval("evidence", ("qasper",), _PAPERS_SYSTEMS),
            _answers("marked", ("qasper",), ("full-context", "disretrieval-marked")),
        ),
        instead="gold evidence as the context: treatise.evaluate.run.gold.gold_evidence",
    ),
    Item("table3", "answers on Chinese documents (F1)", (_answers("chinese", ("multifieldqa_zh",), _PAPERS_SYSTEMS),)),
    Item(
        "table4",
        "answers on whole books (BLEU, ROUGE, METEOR)",
        (_answers("books", ("narrativeqa:test",), _STORIES_SYSTEMS, (400,)),),
    ),
    Item(
        "table5",
        "evidence on papers with notes by five language models",
        (_retrieval("notes", ("qasper",), ("disretrieval-nuclei", "disretrieval")),),
        instead="retrieval runs have no notes by a model: index with each (treatise index --llm MODEL) and search",
    ),
    Item(
        "table6",
        "relations in whole trees and among the 20 best nodes",
        (Experiment("relations", Task.ANATOMY, ("qasper",), ("disretrieval",)),),
    ),
    Item(
        "table7",
        "depth, leaves and share of the inner nodes that are found on stories and papers",
        (Experiment("nodes", Task.ANATOMY, ("quality", "qasper"), ("disretrieval", "disretrieval-stories")),),
    ),
    Item("table8", "the data sets", _census("qasper", "quality", "narrativeqa:test", "multifieldqa_zh")),
    Item(
        "table9",
        "the parser against a treebank, English alone and with Chinese; the paper's is RST-DT, which is not free",
        (Experiment("parser", Task.PARSING, ("gum.sentence", "gum.edu", "gcdt.sentence", "gcdt.edu")),),
    ),
    Item(
        "table10",
        "seconds to index 10,000 to 90,000 words, DISRetrieval and RAPTOR; calls of a model are counted, not made",
        (_cost(("raptor", "disretrieval-stories")),),
    ),
    Item(
        "figure3",
        "what is taken from a node, on stories: nothing, its note, all its leaves, the best by rank or in text order",
        (
            _answers(
                "variants",
                ("quality",),
                (
                    "disretrieval-leaf-only",
                    "disretrieval-summary-text",
                    "disretrieval-all-leaves",
                    "disretrieval-rank-order",
                    "disretrieval",
                ),
            ),
        ),
    ),
    Item(
        "figure4",
        "evidence and answers with parsers trained on 0 to 100 % of the treebank",
        (_retrieval("shape", ("qasper",), ("random", "balanced", "disretrieval-pooled")),),
        instead="the two ends are measured; parsers between them: treatise train parser on parts of the treebank",
    ),
    Item("figure5", "how notes are written up a tree", instead="an illustration: treatise show ID --tree"),
    Item(
        "figure6",
        "seconds for trees and for notes by length: the recipes without and with notes",
        (_cost(("disretrieval-pooled", "disretrieval-stories")),),
    ),
    Item(
        "figure7",
        "sentence lengths, and depths of the nodes that are found",
        (Experiment("nodes", Task.ANATOMY, ("quality", "qasper"), ("disretrieval", "disretrieval-stories")),),
    ),
    Item(
        "figure8",
        "how many leaves a node gives: 1 to 20",
        (
            _answers("papers", ("qasper",), ("disretrieval",), vary=("leaf_top_k=1,2,3,5,7,10,15,20",)),
            _answers("stories", ("quality",), ("disretrieval-stories",), vary=("leaf_top_k=1,2,3,5,7,10,15,20",)),
        ),
    ),
    Item(
        "figure9",
        "tau from 0 to 300 words, at 400 words",
        tuple(
            _answers(dataset, (name,), tuple(f"disretrieval-tau-{tau}" for tau in (0, 50, 100, 200, 300)), (400,))
            for dataset, name in (("papers", "qasper"), ("stories", "quality"), ("books", "narrativeqa:test"))
        ),
    ),
    Item("figure10", "a tree and what is found in it", instead="an illustration: treatise search QUESTION --in ID"),
)

_HTSIR_PAIRS: Final = ("bm25", "htsir-bm25", "flat-chunk", "htsir")

_HTSIR: Final = (
    Item("figure1", "ways to cut a text", instead="an illustration"),
    Item("figure2", "the steps of HTSIR", instead="an illustration"),
    Item(
        "table1",
        "answers on books, retrievers with and without HTSIR; dense is one encoder here, SBERT and DPR in the paper",
        (_answers("books", ("narrativeqa:test",), _HTSIR_PAIRS, (1_000,)),),
    ),
    Item(
        "table2",
        "the same on hard questions on stories (accuracy) and on papers (F1)",
        (_answers("pairs", ("quality:hard", "qasper"), _HTSIR_PAIRS, (1_000,)),),
    ),
    Item(
        "table3",
        "answers on books (exact match, F1); the graph-based systems are quoted from their papers",
        (_answers("books", ("narrativeqa:test",), ("htsir",), (1_000,)),),
    ),
    Item(
        "table4",
        "answers on papers (F1): RAPTOR, the whole paper, HTSIR",
        (_answers("papers", ("qasper",), ("raptor", "full-context", "htsir"), (1_000,)),),
    ),
    Item(
        "table5",
        "answers on papers with a model of 8 billion parameters, tuned for the task",
        (_answers("papers", ("qasper",), ("full-context", "htsir"), (1_000,)),),
        instead="name the tuned model with --llm",
    ),
    Item(
        "table6",
        "hard questions on stories: RAPTOR, the whole story, HTSIR",
        (_answers("stories", ("quality:hard",), ("raptor", "full-context", "htsir"), (1_000,)),),
    ),
    Item(
        "table7",
        "summaries of meetings (ROUGE-L): RAPTOR, the whole meeting, HTSIR",
        (Experiment("meetings", Task.SUMMARIES, ("qmsum",), ("raptor", "full-context", "htsir"), (75,)),),
    ),
    Item(
        "table8",
        "leaves in a group (r): 2 to 5, easy and hard questions on stories",
        (_answers("groups", ("quality:easy", "quality:hard"), ("htsir",), (1_000,), vary=("group_leaves=2,3,4,5",)),),
    ),
    Item(
        "table9",
        "which layers are searched: leaves, groups, sections, pairs of them, all",
        (
            _answers(
                "layers",
                ("quality:easy", "quality:hard"),
                ("htsir",),
                (1_000,),
                vary=("layers=leaf,group,section,leaf+section,leaf+group,group+section,leaf+group+section",),
            ),
        ),
    ),
    Item(
        "figure3",
        "words of a leaf by number of nodes, on papers (F1)",
        (
            _answers(
                "lengths", ("qasper",), ("htsir",), (1_000,), vary=("leaf_words=50,100,150,200", "max_nodes=3,5,7,10")
            ),
        ),
    ),
)

_DISCO: Final = ("full-context", "standard-rag", "disco-rag")
_LOONG: Final = ("loong:set1", "loong:set2", "loong:set3", "loong:set4")
_DISCO_BUDGETS: Final = (2_000,)
_NEWS_WORDS: Final = (600,)


def _loong(name: str, *recipes: str) -> Experiment:
    return _answers(name, _LOONG, recipes, _DISCO_BUDGETS)


def _harmed(*harms: str) -> tuple[str, ...]:
    return ("standard-rag", "disco-rag", *(f"disco-rag-{harm}" for harm in harms))


_DISCO_RAG: Final = (
    Item("figure1", "standard RAG and Disco-RAG", instead="an illustration"),
    Item("figure2", "the steps of Disco-RAG", instead="an illustration"),
    Item("table1", "Loong by length and task, three models (judge's score, exact match)", (_loong("loong", *_DISCO),)),
    Item(
        "table2",
        "ambiguous questions (STR-EM, ROUGE-L, DR)",
        (_answers("asqa", ("asqa:dev",), _DISCO, _DISCO_BUDGETS),),
    ),
    Item(
        "table3",
        "news on papers (ROUGE-L, BERTScore, SARI, SummaC)",
        (Experiment("scinews", Task.SUMMARIES, ("scinews",), _DISCO, _NEWS_WORDS),),
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
    Item("table6", "the data sets", _census(*_LOONG, "asqa", "scinews")),
    Item(
        "table7",
        "the parser against a treebank; the paper's is RST-DT, which is not free, and its count RST-Parseval",
        (Experiment("parser", Task.PARSING, ("gum.edu",)),),
    ),
    Item(
        "table8",
        "tokens and seconds of an answer for 10 to 50 chunks",
        instead="usage in treatise ask --json --recipe disco-rag-c256-k20 and its like, and of standard-rag-c256-k20",
    ),
    Item(
        "table9",
        "Loong with shallow discourse markers",
        (_loong("markers", "standard-rag", "discourse-markers", "disco-rag"),),
    ),
    Item(
        "table10",
        "news with a fine-tuned model, with and without structure (ROUGE-L, SummaC)",
        (Experiment("tuned", Task.SUMMARIES, ("scinews",), ("standard-rag", "disco-rag"), _NEWS_WORDS),),
        instead="name the tuned models with --llm",
    ),
    Item(
        "table11",
        "entropy of attention between layers",
        instead="needs the inside of the model, which no server shows; SummaC: treatise.evaluate.metrics.consistency",
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

PAPERS: Final = {
    f"{paper}:{item.name}": item
    for paper, items in (("disretrieval", _DISRETRIEVAL), ("htsir", _HTSIR), ("disco-rag", _DISCO_RAG))
    for item in items
}
"""Every table and figure, by paper and number."""


def item_named(name: str) -> Item:
    """The table or figure of that name.

    Raises:
        DataError: Where there is none; the message names the nearest.
    """
    if name in PAPERS:
        return PAPERS[name]
    near = get_close_matches(name, PAPERS, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise DataError(f"no table or figure is named {name!r}{hint} (treatise eval paper --list shows all)")


def published(name: str) -> str:
    """The figures that the paper states in a table of that name, in Markdown; empty where they are not kept."""
    file = files(__package__) / "published" / f"{name.replace(':', '-')}.md"
    return file.read_text(encoding="utf-8") if file.is_file() else ""
