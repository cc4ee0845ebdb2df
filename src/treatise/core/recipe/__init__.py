"""A system as a value: what its units are, how its tree and vectors are made, how it scores and selects.

Two parts matter to an index on disk, ``Indexing``; the rest is decided per question. So recipes that differ only
in scoring or selection share one index.
"""

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Final

from treatise.core.errors import RecipeError
from treatise.core.planning import Planning


class Units(StrEnum):
    """What the leaves are."""

    SENTENCE = "sentence"
    CHUNK = "chunk"  # runs of whole sentences, counted in words
    TOKENS = "tokens"  # runs of sentences, long ones cut at commas, counted in tokens: RAPTOR's leaves
    ENCODER_TOKENS = "encoder-tokens"  # the same, counted by the encoder's tokenizer, never longer: Disco-RAG's chunks


class TreeShape(StrEnum):
    """How leaves are gathered."""

    FLAT = "flat"  # not at all: a forest of leaves
    BALANCED = "balanced"  # halves within each paragraph, then over the paragraphs of a section, then over sections
    BISECTION = "bisection"  # halves over the whole text, paragraphs ignored
    RANDOM = "random"  # paragraph first, seeded random splits: the control
    RIGHT_BRANCHING = "right-branching"  # paragraph first, each unit joined to all that follow it
    DISCOURSE = "discourse"  # the parser's two-phase tree
    CLUSTERS = "clusters"  # leaves side by side, and over them RAPTOR's clusters, which are no tree
    SECTIONS = "sections"  # HTSIR: sentences in leaves of so many words, these in groups, these in sections


_TAU: Final = re.compile(r"_TAU_\d+$")
_SHAPES_OF_CHUNKS: Final = (TreeShape.FLAT, TreeShape.BISECTION, TreeShape.CLUSTERS)


class Sectioning(StrEnum):
    """Who divides a text without headings, or under one heading too long, into sections by theme."""

    COHESION = "cohesion"  # nobody: where neighbouring sentence vectors have least in common
    DISCOURSE = "discourse"  # the parser: at the top cuts of the tree over the paragraphs
    LLM = "llm"  # a language model: the paper
    EVEN = "even"  # nobody: sections of equal length


@dataclass(frozen=True, slots=True)
class Sections:
    """How a section tree is built (HTSIR, Algorithm 1); only for ``TreeShape.SECTIONS``.

    Attributes:
        leaf_words: Most words of a leaf, l in the paper. A sentence that does not fit moves on to the next leaf.
        group_leaves: Leaves of one section under an intermediate node, r in the paper.
        short_words: A section of fewer words has no intermediate nodes: it is summarised once.
        section_words: What a section made by theme has on average. A stretch under one heading is divided into as many
            as its words hold, halves rounded up: up to one and a half times as many words stay together.
        sectioning: Who finds the themes.
    """

    leaf_words: int = 100
    group_leaves: int = 2
    short_words: int = 200
    section_words: int = 1_000
    sectioning: Sectioning = Sectioning.COHESION

    def __post_init__(self) -> None:
        if min(self.leaf_words, self.section_words) < 1 or self.group_leaves < 2 or self.short_words < 0:
            raise RecipeError(
                "leaf_words and section_words are at least 1, group_leaves at least 2, short_words at least 0: "
                f"{self.leaf_words}, {self.section_words}, {self.group_leaves}, {self.short_words}"
            )


class Summaries(StrEnum):
    """Who writes the note of a node too long to be merged."""

    NONE = "none"  # no notes at all: inner nodes have vectors pooled from their leaves, and no text
    LLM = "llm"  # a language model, from the children's notes: the paper
    NUCLEUS = "nucleus"  # nobody: the most nuclear sentences below stand for the node
    HYBRID = "hybrid"  # as nucleus; where the subtree is long, a language model rewrites them


class LengthOf(StrEnum):
    """What is compared with tau."""

    CHILDREN = "children"  # the notes of the children together: equation 1 of the paper
    LEAVES = "leaves"  # the leaves below, as they stand in the document: the official code


class NodeVectors(StrEnum):
    """Where the vector of an inner node comes from."""

    POOLED = "pooled"  # from the vectors of the leaves below
    ENCODED = "encoded"  # from the node's note, by the encoder: the paper
    QUOTED = "quoted"  # from the vectors of the sentences that the note quotes; a written note is encoded


@dataclass(frozen=True, slots=True)
class Tau:
    """How many words a node's text needs before it is summarised and no longer merged.

    The threshold of a node is ``words``, and where ``full_sentence`` is set that much more for a text of short
    sentences, and ``per_level`` more for each level that the node stands above the leaves.

    The paper (appendix C.4) found 0 best on papers, whose sentences have 22.8 words on average, and 50 best on
    stories, with 14.6; between texts it leaves the choice open. ``full_sentence=22.8, per_missing_word=6.1`` draws
    the line through its two points; see docs/design/node-texts.md for what came of it.

    Attributes:
        words: The fixed part; 0 summarises every inner node.
        full_sentence: Mean words of a sentence from which on nothing is added; 0 never adds.
        per_missing_word: Words added for each word by which the mean sentence is shorter than that.
        per_level: Words added for each level above the leaves.
        at_most: No threshold is higher.
        length_of: What is compared: by default as the paper says; its code does otherwise.
    """

    words: int = 0
    full_sentence: float = 0.0
    per_missing_word: float = 0.0
    per_level: float = 0.0
    at_most: int = 300
    length_of: LengthOf = LengthOf.CHILDREN

    def __post_init__(self) -> None:
        if min(self.words, self.full_sentence, self.per_missing_word, self.per_level, self.at_most) < 0:
            raise RecipeError("a threshold is made of numbers that are not negative")


@dataclass(frozen=True, slots=True)
class Notes:
    """What the text of an inner node is.

    A node whose text is shorter than tau (strictly) has its children's notes one after another; a longer one is
    summarised. Without a language model at hand nucleus text stands where it would have written, and is marked so.

    Attributes:
        summaries: Who writes.
        tau: From which length on.
        max_words: Longest summary. (The official code asks its model for 200 words.)
        nucleus_words: Longest extract; its first sentence stays whole even where it is longer.
        rewrite_words: Words of the leaves below from which on a hybrid note is rewritten.
        batch_words: Where not 0, one call writes all notes of a subtree of up to so many words, a paragraph say.
        prompt_version: Which prompts; the texts are files in ``treatise/enhance/prompts``.
    """

    summaries: Summaries = Summaries.NONE
    tau: Tau = field(default_factory=Tau)
    max_words: int = 200
    nucleus_words: int = 60
    rewrite_words: int = 200
    batch_words: int = 0
    prompt_version: int = 1

    def __post_init__(self) -> None:
        if min(self.max_words, self.nucleus_words) < 1 or min(self.rewrite_words, self.batch_words) < 0:
            raise RecipeError("max_words and nucleus_words are at least 1, rewrite_words and batch_words at least 0")
        if self.batch_words and self.summaries is not Summaries.LLM:
            raise RecipeError("batch_words batches calls that summarise children: it goes with summaries by llm only")


@dataclass(frozen=True, slots=True)
class Indexing:
    """What is made once per document.

    Attributes:
        units: Sentences, or chunks of whole sentences.
        chunk_words: Longest chunk in words; only for chunks.
        chunk_tokens: Longest chunk in tokens; only for runs of tokens.
        tree: The tree's shape.
        context_weight: Share of the contextual vector in a leaf's vector, 0 to 1; the rest is the leaf's own text.
            0 encodes no contexts, 1 encodes no leaf on its own.
        nucleus_weight: How much more a nucleus counts than its satellite when an inner node's vector is pooled
            from its children's: 1 counts every leaf the same.
        satellite_weights: Relations with what a leaf under their satellite counts when a nucleus' leaf counts 1;
            learned by ``benchmarks/pooling.py``. Relations that are not named go by ``nucleus_weight``.
        notes: What the text of an inner node is, if it has one.
        node_vectors: Pooled from the leaves, or from those that the node's note quotes, or its note encoded.
        sections: How a section tree is built.
    """

    units: Units = Units.SENTENCE
    chunk_words: int = 100
    chunk_tokens: int = 100
    tree: TreeShape = TreeShape.BALANCED
    context_weight: float = 0.0
    nucleus_weight: float = 1.0
    satellite_weights: tuple[tuple[str, float], ...] = ()
    notes: Notes = field(default_factory=Notes)
    node_vectors: NodeVectors = NodeVectors.POOLED
    sections: Sections = field(default_factory=Sections)

    def __post_init__(self) -> None:
        if not 0 <= self.context_weight <= 1:
            raise RecipeError(f"context_weight is a share, 0 to 1, not {self.context_weight}")
        if min(self.chunk_words, self.chunk_tokens) < 1 or self.nucleus_weight <= 0:
            raise RecipeError("chunk_words, chunk_tokens and nucleus_weight must be positive")
        if any(weight < 0 for _, weight in self.satellite_weights):
            raise RecipeError("satellite_weights are not below 0")
        if self.units is not Units.SENTENCE and (self.context_weight or self.tree not in _SHAPES_OF_CHUNKS):
            raise RecipeError("chunks cross paragraphs: they take no context, and no tree that looks at paragraphs")
        if self.tree is TreeShape.CLUSTERS and self.node_vectors is not NodeVectors.ENCODED:
            raise RecipeError("clusters are made layer by layer from the vectors of their notes: encode them")
        if self.node_vectors is not NodeVectors.POOLED and self.notes.summaries is Summaries.NONE:
            raise RecipeError(f"node_vectors is {self.node_vectors}, but inner nodes have no notes: give them notes")

    @property
    def needs_parser(self) -> bool:
        """Whether documents are parsed."""
        by_parser = self.tree is TreeShape.SECTIONS and self.sections.sectioning is Sectioning.DISCOURSE
        return self.tree is TreeShape.DISCOURSE or by_parser

    @property
    def asks_model(self) -> bool:
        """Whether a language model is asked, where there is one: for notes, or where sections begin."""
        by_model = self.tree is TreeShape.SECTIONS and self.sections.sectioning is Sectioning.LLM
        return self.notes.summaries in (Summaries.LLM, Summaries.HYBRID) or by_model

    def key(self, *models: str) -> str:
        """Names an index: equal for equal settings and equal model names, and only then."""
        settings = asdict(self)
        if self.tree is not TreeShape.SECTIONS:
            del settings["sections"]  # they decide nothing there
        made_from = json.dumps([settings, models], sort_keys=True)
        return hashlib.sha256(made_from.encode()).hexdigest()[:12]


class WordsOf(StrEnum):
    """Which words of an inner node BM25 counts."""

    LEAVES = "leaves"  # all below it
    NOTE = "note"  # those of its note, where that is an extract or was written: the paper of HTSIR


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a node's score comes from what is known of it.

    Cosine and BM25 are each scaled by the mean and deviation that they have over the leaves.

    Attributes:
        dense: Weight of the cosine between question and node.
        bm25: Weight of BM25 over the node's words.
        neighbours: What a leaf gains of the mean score of the leaves on its two sides.
        headings: What leaves and nodes gain of the score of the heading above them, where that is positive.
        words_of: Which words of an inner node BM25 counts.
        path: What a node gains of the mean score of the nodes above it, up to its root.
    """

    dense: float = 1.0
    bm25: float = 0.0
    neighbours: float = 0.0
    headings: float = 0.0
    words_of: WordsOf = WordsOf.LEAVES
    path: float = 0.0

    def __post_init__(self) -> None:
        if min(self.dense, self.bm25, self.neighbours, self.headings, self.path) < 0 or self.dense + self.bm25 == 0:
            raise RecipeError("scoring weights are not negative, and dense or bm25 is above 0")


class Layer(StrEnum):
    """Which nodes of a section tree; HTSIR has the last three, and its letters for them."""

    SENTENCE = "sentence"  # the units
    LEAF = "leaf"  # x: a run of sentences
    GROUP = "group"  # p: a run of leaves
    SECTION = "section"  # s: a root


class GroupOrder(StrEnum):
    """How the leaves taken from one inner node are ordered."""

    DOCUMENT = "document"
    RANK = "rank"


class Take(StrEnum):
    """What an inner node gives when its turn comes."""

    LEAVES = "leaves"  # its best leaves: algorithm 1
    NOTE = "note"  # its own text: the paper's ablation "summary text", and RAPTOR's collapsed tree


class ReaderText(StrEnum):
    """What a reader is given (table 2 of the paper)."""

    EVIDENCE = "evidence"  # the passages
    MARKED_DOCUMENT = "marked-document"  # the whole documents, the passages between [EVIDENCE] and [/EVIDENCE]
    DOCUMENT = "document"  # the whole documents
    EVIDENCE_AND_DOCUMENT = "evidence-and-document"  # the passages, then the whole documents (table 6 of HTSIR)


@dataclass(frozen=True, slots=True)
class Selection:
    """Algorithm 1 of DISRetrieval: down the ranking, a leaf is taken, an inner node gives its best leaves.

    Attributes:
        expand: Whether inner nodes are ranked too; False ranks leaves alone.
        leaf_top_k: How many unused leaves an inner node gives at most; 0 gives all.
        group_order: Order of the leaves from one node. Groups stay in rank order.
        take: What an inner node gives; notes where the recipe has some.
        max_nodes: How far down the ranking to go at most; 0 as far as the budget reaches.
        max_words: The budget where the asker sets none; 0 leaves it to the settings.
        layers: Of a section tree, which layers are ranked together (collapsed tree search); all where empty.
        traverse: Where not 0, the tree is searched from its roots down and not collapsed: the best so many roots, the
            best so many of their children, and so on; what is on the way is ranked.
        max_leaves: Inner nodes with more leaves are passed over; 0 for none. With ``leaf_top_k=0`` small subtrees are
            taken whole: coherent units in the place of single sentences.
        node_words: How many words an inner node gives at most, its best leaf aside; 0 for no limit. Where sentences
            are short a node gives more of them: of a meeting or a paper about the same length of text.
        max_share: Inner nodes with more than this share of their document's leaves are passed over, above 0 to 1:
            they say what a document is about, not where. A document too short for smaller ones is a ranking of
            sentences, so that of several short documents no one gives all.
    """

    expand: bool = True
    leaf_top_k: int = 5
    group_order: GroupOrder = GroupOrder.DOCUMENT
    take: Take = Take.LEAVES
    max_nodes: int = 0
    max_words: int = 0
    layers: tuple[Layer, ...] = ()
    traverse: int = 0
    max_leaves: int = 0
    node_words: int = 0
    max_share: float = 1.0

    def __post_init__(self) -> None:
        names = ("leaf_top_k", "max_nodes", "max_words", "traverse", "max_leaves", "node_words")
        counts = [getattr(self, name) for name in names]
        if min(counts) < 0:
            raise RecipeError(f"{', '.join(names)} are 0 (all) or more: {', '.join(map(str, counts))}")
        if not 0 < self.max_share <= 1:
            raise RecipeError(f"max_share is above 0 to 1, not {self.max_share}")
        if len(set(self.layers)) < len(self.layers):
            raise RecipeError(f"each layer is named once: {', '.join(self.layers)}")


@dataclass(frozen=True, slots=True)
class Reranking:
    """The second stage: the best nodes of the first are read once more, each together with the question.

    A candidate's score becomes the mean of both stages' scores, weighted, on the scale of the first: a candidate that
    is found poor may fall behind nodes that were not read. A node's text is its note; without notes it is what
    ``Selection`` would take of it.

    Attributes:
        n_candidates: How many nodes are read; what a question costs.
        keep: How many nodes are left after that, HTSIR's k; 0 leaves all, as far as the budget reaches.
        weight: The reranker's share of the score, above 0 to 1; the rest is the first stage's.
    """

    n_candidates: int = 40
    keep: int = 10
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.n_candidates < 1 or not 0 <= self.keep <= self.n_candidates or not 0 < self.weight <= 1:
            raise RecipeError(
                "reranking reads at least 1 candidate, keeps 0 (all) to that many, and weighs above 0 to 1, not "
                f"{self.n_candidates}, {self.keep}, {self.weight}"
            )


GOALS: Final = {
    "answer": "It answers the whole question, with the conditions, numbers and contradictions that the text states, "
    "and says nothing beside it.",
    "summary": "It holds what matters most, each matter once, in the order of the text: who did or claims what, why, "
    "and with which result.",
    "meeting": "It gives the opinion of each participant who spoke to the matter, by name, and every important "
    "detail: proposals, reasons, numbers, decisions, and what was left open.",
}
"""Goals by name; HTSIR refines summaries of meetings towards the last one."""


@dataclass(frozen=True, slots=True)
class Refinement:
    """A critic reads the draft against a goal, and the draft is revised, until the critic is satisfied.

    Attributes:
        goal: What a draft is held against, in plain words: one of ``GOALS`` or any other.
        max_rounds: Revisions at most.
        max_calls: Requests to the language model at most, the first draft's included.
    """

    goal: str = GOALS["answer"]
    max_rounds: int = 3
    max_calls: int = 8

    def __post_init__(self) -> None:
        if not self.goal.strip() or self.max_rounds < 1 or self.max_calls < 1:
            raise RecipeError("refinement needs a goal, and at least one round and one call")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A whole system.

    Attributes:
        name: Upper case with underscores in Python; ``slug`` is its name on the command line.
        indexing, scoring, selection: Its parts.
        reader_text: What whoever answers is given.
        planning: What is made of the evidence before it is answered from.
        reranking: The second stage; None for none.
        refinement: How a language model's answer is revised; None leaves its first draft.
    """

    name: str
    indexing: Indexing = field(default_factory=Indexing)
    scoring: Scoring = field(default_factory=Scoring)
    selection: Selection = field(default_factory=Selection)
    reader_text: ReaderText = ReaderText.EVIDENCE
    planning: Planning = field(default_factory=Planning)
    reranking: Reranking | None = None
    refinement: Refinement | None = None

    def __post_init__(self) -> None:
        if self.selection.take is Take.NOTE and self.indexing.notes.summaries is Summaries.NONE:
            raise RecipeError(f"{self.name} takes the notes of inner nodes, but its inner nodes have none")
        if self.selection.layers and self.indexing.tree is not TreeShape.SECTIONS:
            raise RecipeError(f"{self.name} ranks layers of a section tree, but its tree is {self.indexing.tree}")
        if self.selection.traverse and self.indexing.tree in (TreeShape.FLAT, TreeShape.CLUSTERS):
            raise RecipeError(f"{self.name} searches a tree from its roots down, but has none")
        if self.indexing.tree is TreeShape.CLUSTERS and (self.scoring.bm25 or self.scoring.headings):
            raise RecipeError(f"{self.name} scores clusters, which are no runs of text: they have a cosine only")

    @property
    def slug(self) -> str:
        """The name on the command line: lower case with hyphens."""
        return self.name.lower().replace("_", "-")

    def with_tau(self, words: int) -> "Recipe":
        """This recipe with another fixed part of tau; its name says so, and ``recipes.recipe_named`` knows it.

        Raises:
            RecipeError: Where no node of this recipe has a note that tau could decide on.
        """
        notes = self.indexing.notes
        if notes.summaries is Summaries.NONE or self.indexing.tree is TreeShape.CLUSTERS:
            raise RecipeError(f"{self.slug} merges no notes, so there is no tau to set")
        tau = replace(notes.tau, words=words, at_most=max(words, notes.tau.at_most))
        indexing = replace(self.indexing, notes=replace(notes, tau=tau))
        return replace(self, name=f"{_TAU.sub('', self.name)}_TAU_{words}", indexing=indexing)
