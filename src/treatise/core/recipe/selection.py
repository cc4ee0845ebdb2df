"""How evidence is selected from a ranking."""

from dataclasses import dataclass
from enum import StrEnum

from treatise.core.errors import RecipeError


class Layer(StrEnum):
    """A layer of a section tree; HTSIR has the last three, with these letters."""

    SENTENCE = "sentence"  # the units
    LEAF = "leaf"  # x: a run of sentences
    GROUP = "group"  # p: a run of leaves
    SECTION = "section"  # s: a root


class GroupOrder(StrEnum):
    """How the leaves taken from one inner node are ordered."""

    DOCUMENT = "document"
    RANK = "rank"


class Take(StrEnum):
    """The text that a ranked inner node contributes."""

    LEAVES = "leaves"  # its best leaves: algorithm 1
    NOTE = "note"  # its own text: the paper's ablation "summary text", and RAPTOR's collapsed tree


@dataclass(frozen=True, slots=True)
class Selection:
    """Algorithm 1 of DISRetrieval: go down the ranking; take each leaf, and the best leaves of each inner node.

    Attributes:
        expand: Whether inner nodes are ranked too; False ranks leaves alone.
        leaf_top_k: Maximum number of unused leaves taken from an inner node; 0 takes all.
        group_order: Order of the leaves from one node. Groups stay in rank order.
        take: The text taken from an inner node: its leaves, or its note if the recipe has notes.
        max_nodes: Maximum number of ranked nodes used; 0 for as many as the budget allows.
        max_words: The budget if the caller sets none; 0 leaves it to the settings.
        layers: The layers of a section tree that are ranked together (collapsed tree search); all if empty.
        traverse: If not 0, the tree is searched from its roots down instead: this many of the best roots, then this
            many of their best children, and so on; the visited nodes are ranked.
        max_leaves: Inner nodes with more leaves are skipped; 0 skips none. With ``leaf_top_k=0`` small subtrees are
            taken whole: coherent units instead of single sentences.
        node_words: Maximum words taken from an inner node, apart from its best leaf; 0 for no limit. If sentences
            are short, more of them are taken: so meetings and papers contribute about the same length of text.
        max_share: Inner nodes with more than this share of their document's leaves are skipped, above 0 to 1:
            they tell what a document is about, but not where the answer is. A document too short for smaller nodes
            becomes a ranking of sentences, so that one of several short documents does not supply everything.
        max_per_document: Maximum passages of one document of several; 0 for no limit.
        repeats: Whether a passage is shown again if another document has it word for word; if not, a note says so.
        count_characters: Whether each character of a script without spaces counts as a word of the budget, as in
            DISRetrieval's table 3; otherwise a sentence of it is hardly more than one.
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
    max_per_document: int = 0
    repeats: bool = True
    count_characters: bool = False

    def __post_init__(self) -> None:
        names = ("leaf_top_k", "max_nodes", "max_words", "traverse", "max_leaves", "node_words", "max_per_document")
        counts = [getattr(self, name) for name in names]
        if min(counts) < 0:
            raise RecipeError(f"{', '.join(names)} are 0 (all) or more: {', '.join(map(str, counts))}")
        if not 0 < self.max_share <= 1:
            raise RecipeError(f"max_share is above 0 to 1, not {self.max_share}")
        if len(set(self.layers)) < len(self.layers):
            raise RecipeError(f"each layer is named once: {', '.join(self.layers)}")
