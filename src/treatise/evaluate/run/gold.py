"""The evidence that annotators marked, as a context ("gold evidence" in table 2 of DISRetrieval)."""

from treatise.evaluate.data.dataset import Question, Retrieved


def gold_evidence(question: Question) -> Retrieved:
    """The evidence of the first annotator with any, in the annotator's order; empty if there is none."""
    marked = next((reference for reference in question.references if reference.evidence), None)
    if marked is None:
        return Retrieved("", ())
    return Retrieved("\n\n".join(marked.evidence), marked.spans)
