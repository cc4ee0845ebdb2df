"""The paper's relations with definitions in our words: 24 inside a chunk, 20 between chunks (its figures 8 and 9)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from treatise.core.graph import Link
from treatise.core.tree import RELATIONS

_INSIDE: Final[tuple[tuple[str, str, str], ...]] = (
    ("elaboration", "elaboration", "the satellite adds detail to the nucleus"),
    ("explanation", "explanation", "the satellite makes clear why or how"),
    ("evidence", "explanation", "the satellite gives grounds to believe the nucleus"),
    ("example", "elaboration", "the satellite is an instance of the nucleus"),
    ("contrast", "adversative", "the two stand against each other"),
    ("comparison", "adversative", "the two are measured against each other"),
    ("concession", "adversative", "the satellite is granted, and the nucleus holds all the same"),
    ("antithesis", "adversative", "the satellite is what the nucleus rejects"),
    ("cause", "causal", "the satellite brings the nucleus about"),
    ("result", "causal", "the satellite is what an action led to"),
    ("consequence", "causal", "the satellite follows from the nucleus"),
    ("purpose", "purpose", "the satellite is what the nucleus is meant to achieve"),
    ("condition", "contingency", "the nucleus holds only under the satellite"),
    ("temporal", "context", "the satellite says when"),
    ("sequence", "joint", "one comes after the other"),
    ("background", "context", "the satellite says what must be known to follow the nucleus"),
    ("circumstance", "context", "the satellite is the situation of the nucleus"),
    ("summary", "restatement", "the satellite puts the nucleus in short"),
    ("restatement", "restatement", "the satellite says the nucleus again"),
    ("evaluation", "evaluation", "the satellite judges the nucleus"),
    ("interpretation", "elaboration", "the satellite says what the nucleus means"),
    ("attribution", "attribution", "the satellite names whoever says or thinks the nucleus"),
    ("definition", "elaboration", "the satellite says what a term of the nucleus is"),
    ("classification", "elaboration", "the satellite puts the nucleus into a class"),
)

INSIDE: Final[Mapping[str, str]] = MappingProxyType({name: meaning for name, _, meaning in _INSIDE})
"""The 24 relations of a tree and their definitions."""

COARSE: Final[Mapping[str, str]] = MappingProxyType(
    {name: coarse for name, coarse, _ in _INSIDE} | {name: name for name in RELATIONS}
)
"""The coarse class of each of the 24, as grouped in ``parse.relations``; coarse classes map to themselves. None of the
24 maps to mode, organization, same-unit or topic.
"""

BETWEEN: Final[Mapping[Link, str]] = MappingProxyType(
    {
        Link.SUPPORTS: "gives grounds for it",
        Link.CONTRADICTS: "says what cannot be true together with it",
        Link.ELABORATES: "adds detail to it",
        Link.EXEMPLIFIES: "gives an instance of it",
        Link.CAUSES: "tells what brought it about",
        Link.RESULTS_FROM: "tells what came of it",
        Link.ENABLES: "tells what made it possible",
        Link.PREVENTS: "tells what stood in its way",
        Link.PRECEDES: "tells what happened before",
        Link.FOLLOWS: "tells what happened after",
        Link.SIMULTANEOUS: "tells what happened at the same time",
        Link.BACKGROUND_FOR: "says what must be known to follow it",
        Link.GENERALIZES: "states the rule of which it is a case",
        Link.SPECIFIES: "makes it more exact",
        Link.COMPARES_WITH: "sets something beside it to compare",
        Link.CONTRASTS_WITH: "differs from it, though both may hold",
        Link.SUPPLEMENTS: "adds something else on the same matter",
        Link.REPLACES: "is newer and takes its place",
        Link.MOTIVATES: "gives a reason to do or want it",
        Link.JUSTIFIES: "defends a claim or an action of it",
    }
)
"""The 20 relations between chunks: what the first chunk does for the second."""

UNRELATED: Final = "UNRELATED"

MARKERS: Final[Mapping[str, Link]] = MappingProxyType(
    {
        "however": Link.CONTRASTS_WITH,
        "but": Link.CONTRASTS_WITH,
        "although": Link.CONTRASTS_WITH,
        "in contrast": Link.CONTRASTS_WITH,
        "therefore": Link.RESULTS_FROM,
        "because": Link.CAUSES,
        "as a result": Link.RESULTS_FROM,
        "meanwhile": Link.SIMULTANEOUS,
        "moreover": Link.SUPPLEMENTS,
        "furthermore": Link.SUPPLEMENTS,
        "for example": Link.EXEMPLIFIES,
        "for instance": Link.EXEMPLIFIES,
        "in addition": Link.SUPPLEMENTS,
    }
)
"""The connectives of the paper's marker baseline (its figure 17), each with the relation that it signals."""

NONE: Final = "NONE"


def coarse(relation: str) -> str:
    """The coarse class of a relation of either inventory; an unknown one is returned as it is.

    >>> coarse("condition"), coarse("joint")
    ('contingency', 'joint')
    """
    return COARSE.get(relation, relation)
