"""The tables and figures of HTSIR as experiments."""

from typing import Final

from treatise.evaluate.papers.item import Item, answers

_PAIRS: Final = ("flat-chunk-bm25", "htsir-bm25", "flat-chunk", "htsir-dense")
"""Each retriever over chunks of 100 words, and over the tree."""
_LAYERS: Final = "layers=leaf,group,section,leaf+section,leaf+group,group+section,leaf+group+section"

ITEMS: Final = (
    Item("figure1", "ways to cut a text", instead="an illustration"),
    Item("figure2", "the steps of HTSIR", instead="an illustration"),
    Item(
        "table1",
        "answers on books, retrievers with and without HTSIR; dense is one encoder here, SBERT and DPR in the paper",
        (answers("books", ("narrativeqa:test",), _PAIRS, (1_000,)),),
    ),
    Item(
        "table2",
        "the same on hard questions on stories (accuracy) and on papers (F1)",
        (answers("pairs", ("quality:hard", "qasper"), _PAIRS, (1_000,)),),
    ),
    Item(
        "table3",
        "answers on books (exact match, F1); the graph-based systems are quoted from their papers",
        (answers("books", ("narrativeqa:test",), ("htsir-dense",), (1_000,)),),
    ),
    Item(
        "table4",
        "answers on papers (F1): RAPTOR, the whole paper, HTSIR",
        (answers("papers", ("qasper",), ("raptor", "full-context", "htsir-dense"), (1_000,)),),
    ),
    Item(
        "table5",
        "answers on papers with a model of 8 billion parameters, tuned for the task",
        (answers("papers", ("qasper",), ("full-context", "htsir-dense"), (1_000,)),),
        instead="name the tuned model with --llm",
    ),
    Item(
        "table6",
        "hard questions on stories: RAPTOR, the whole story, HTSIR (themes cut leaves, or not), HTSIR before the story",
        (
            answers(
                "stories",
                ("quality:hard",),
                ("raptor", "full-context", "htsir-dense", "htsir-leaves-first", "htsir-full-text"),
                (1_000,),
            ),
        ),
    ),
    Item(
        "table7",
        "summaries of meetings on a question (ROUGE-L): RAPTOR, the whole meeting, HTSIR without and with refinement",
        (answers("meetings", ("qmsum",), ("raptor", "full-context", "htsir-dense", "htsir-refined"), (1_000,)),),
    ),
    Item(
        "table8",
        "leaves in a group (r): 2 to 5, easy and hard questions on stories",
        (
            answers(
                "groups", ("quality:easy", "quality:hard"), ("htsir-dense",), (1_000,), vary=("group_leaves=2,3,4,5",)
            ),
        ),
    ),
    Item(
        "table9",
        "which layers are searched: leaves, groups, sections, pairs of them, all",
        (
            answers(
                "layers",
                ("quality:easy", "quality:hard"),
                ("htsir-dense",),
                (1_000,),
                vary=(_LAYERS,),
            ),
        ),
    ),
    Item(
        "figure3",
        "words of a leaf by number of leaves summarised together, on papers (F1, precision, recall)",
        (
            answers(
                "lengths",
                ("qasper",),
                ("htsir-dense",),
                (1_000,),
                vary=("leaf_words=50,100,150", "group_leaves=3,5,7"),
                metrics=("answer_precision", "answer_recall"),
            ),
        ),
    ),
)
