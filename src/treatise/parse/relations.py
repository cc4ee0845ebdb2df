"""Relation inventories of treebanks, each mapped to the fifteen coarse relations.

GUM's map is its own grouping. The others follow ``docs/design/treebanks.md``, which marks our own choices.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final


def _inventory(lines: str) -> Mapping[str, str]:
    """From lines of ``coarse: fine fine …``."""
    rows = (line.split(":") for line in lines.strip().splitlines())
    return MappingProxyType({fine: coarse.strip() for coarse, names in rows for fine in names.split()})


GUM: Final = _inventory(
    """
    adversative: adversative adversative-antithesis adversative-concession adversative-contrast
    attribution: attribution attribution-negative attribution-positive
    causal: causal causal-cause causal-result
    context: context context-background context-circumstance
    contingency: contingency contingency-condition
    elaboration: elaboration elaboration-additional elaboration-attribute
    evaluation: evaluation evaluation-comment
    explanation: explanation explanation-evidence explanation-justify explanation-motivation
    joint: joint joint-disjunction joint-list joint-other joint-sequence
    mode: mode mode-manner mode-means
    organization: organization organization-heading organization-phatic organization-preparation
    purpose: purpose purpose-attribute purpose-goal
    restatement: restatement restatement-partial restatement-repetition
    same-unit: same-unit
    topic: topic topic-question topic-solutionhood
    """
)
"""GUM, GCDT and RRG; the coarse names themselves are members."""

CLASSICAL: Final = _inventory(
    """
    adversative: antithesis concession contrast comparison
    attribution: attribution
    causal: cause cause-effect effect result
    context: background circumstance temporal
    contingency: condition otherwise unless unconditional
    elaboration: elaboration e-elaboration interpretation interpretation-evaluation
    evaluation: evaluation evaluation-n evaluation-s
    explanation: enablement evidence explanation justify motivation reason
    joint: conjunction disjunction joint list sequence unstated-relation
    mode: manner-means means
    organization: preparation textual-organization topichange topidrift topicdrift
    purpose: purpose
    restatement: conclusion restatement restatement-mn summary
    same-unit: same same-unit sameunit
    topic: solutionhood topic-comment topicomment
    """
)
"""The classical relations of Mann and Thompson, as PCC (German), RRT (Russian) and PRSTC (Persian) name them."""
