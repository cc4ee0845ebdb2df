"""The tables and figures of DISRetrieval as experiments."""

from typing import Final

from treatise.evaluate.papers.item import Item, answers, census, indexing_cost, retrieval
from treatise.evaluate.run.experiment import Experiment, Task

_FLAT: Final = ("flat-chunk", "flat-sentence")
_PAPERS_SYSTEMS: Final = (*_FLAT, "raptor", "bisection", "disretrieval")
_STORIES_SYSTEMS: Final = (*_FLAT, "raptor", "bisection-tau-50", "disretrieval-stories")
ITEMS: Final = (
    Item("figure1", "ways to model a document", instead="an illustration"),
    Item("figure2", "the three steps of DISRetrieval", instead="an illustration"),
    Item(
        "table1",
        "answers on papers (F1) and stories (accuracy) from 200 to 400 words; two encoders, three readers",
        (
            answers("papers", ("qasper",), _PAPERS_SYSTEMS),
            answers("stories", ("quality",), _STORIES_SYSTEMS),
        ),
    ),
    Item(
        "table2",
        "evidence on papers (F1 and recall), two encoders; answers from whole papers, marked papers, gold evidence",
        (
            retrieval("evidence", ("qasper",), _PAPERS_SYSTEMS),
            answers("marked", ("qasper",), ("full-context", "disretrieval-marked")),
            answers("gold", ("qasper",), ("full-context", "gold-evidence"), (400,)),
        ),
    ),
    Item(
        "table3",
        "answers on Chinese documents (F1); budgets are characters, as the paper counts the set's lengths",
        (
            answers(
                "chinese",
                ("multifieldqa_zh",),
                _PAPERS_SYSTEMS,
                vary=("count_characters=true",),
                encoders=("multilingual",),
            ),
        ),
    ),
    Item(
        "table4",
        "answers on whole books (BLEU, ROUGE, METEOR)",
        (answers("books", ("narrativeqa:test",), _STORIES_SYSTEMS, (400,)),),
    ),
    Item(
        "table5",
        "evidence on papers with notes by five language models",
        (retrieval("notes", ("qasper",), ("disretrieval-nuclei", "disretrieval")),),
        instead="name each language model with --llm",
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
    Item("table8", "the data sets", census("qasper", "quality", "narrativeqa:test", "multifieldqa_zh")),
    Item(
        "table9",
        "parsers against treebanks: ours on English and Chinese; the paper's, trained on English, by equation 5 and as "
        "in its code. The paper's treebank is RST-DT, which is not free",
        (
            Experiment("parser", Task.PARSING, ("gum.sentence", "gum.edu", "gcdt.sentence", "gcdt.edu")),
            Experiment("paper", Task.PARSING, ("gum.sentence",), parsers=("transition-children", "transition-leaves")),
        ),
        instead="with and without a treebank of a second language: train both (treatise train transition --config "
        "transition-multi, and transition-multi-english, in minutes; extras train and multilingual), and name both "
        "model folders with --parser; GCDT is Chinese, and not translated",
    ),
    Item(
        "table10",
        "seconds to index 10,000 to 90,000 words, DISRetrieval and RAPTOR; calls of a model are counted, not made",
        (indexing_cost(("raptor", "disretrieval-stories")),),
    ),
    Item(
        "figure3",
        "what is taken from a node, on stories: nothing, its note, all its leaves, the best by rank or in text order",
        (
            answers(
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
        "evidence with trees of random and equal splits, of the paper's parser (equation 5 as printed; the authors' "
        "code) and of ours; more parsers with --parser",
        (
            retrieval(
                "shape",
                ("qasper",),
                (
                    "random",
                    "balanced",
                    "disretrieval-paper-pooled",
                    "disretrieval-paper-leaves-pooled",
                    "disretrieval-pooled",
                ),
            ),
        ),
        instead="parsers trained on 0 to 100 % of the treebank: treatise train transition --fraction, then --parser",
    ),
    Item("figure5", "how notes are written up a tree", instead="an illustration: treatise show ID --tree"),
    Item(
        "figure6",
        "seconds for trees and for notes by length: the recipes without and with notes",
        (indexing_cost(("disretrieval-pooled", "disretrieval-stories")),),
    ),
    Item(
        "figure7",
        "sentence lengths, and depths of the inner nodes that are found, as distributions",
        (Experiment("nodes", Task.ANATOMY, ("quality", "qasper"), ("disretrieval", "disretrieval-stories")),),
    ),
    Item(
        "figure8",
        "how many leaves a node gives: 1 to 20",
        (
            answers("papers", ("qasper",), ("disretrieval",), vary=("leaf_top_k=1,2,3,5,7,10,15,20",)),
            answers("stories", ("quality",), ("disretrieval-stories",), vary=("leaf_top_k=1,2,3,5,7,10,15,20",)),
        ),
    ),
    Item(
        "figure9",
        "tau from 0 to 300 words, at 400 words",
        tuple(
            answers(dataset, (name,), tuple(f"disretrieval-tau-{tau}" for tau in (0, 50, 100, 200, 300)), (400,))
            for dataset, name in (("papers", "qasper"), ("stories", "quality"), ("books", "narrativeqa:test"))
        ),
    ),
    Item("figure10", "a tree and what is found in it", instead="an illustration: treatise search QUESTION --in ID"),
)
