"""The context of an oracle: what annotators marked (the paper's "gold evidence", table 2)."""

from treatise.evaluate.data.dataset import Question, Retrieved


def gold_evidence(question: Question) -> Retrieved:
    """The evidence of the first annotator who marked any, in the annotator's order; empty where nobody did."""
    marked = next((reference for reference in question.references if reference.evidence), None)
    if marked is None:
        return Retrieved("", ())
    return Retrieved("\n\n".join(marked.evidence), marked.spans)
