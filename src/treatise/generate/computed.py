"""An answer that is a figure of a company: read from its statements, or computed from them, with the rows cited."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.core.statements import statements_of
from treatise.generate.citations import cite
from treatise.generate.not_found import refusal_because

if TYPE_CHECKING:
    from treatise.figures import Figure

_CONFIDENCE: Final = 0.95
"""Share of such answers that are right; docs/log/answers.md has the count."""

_NEEDS_MORE: Final = "this needs a computation that is not known here; lines of the statements can be asked for"


def answer_figure(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The figure of a report that the question asks for, cited by the rows that state its values.

    Of several documents only those of the company that the question names are read. A question that needs another
    computation with a line of their statements is refused. None if it asks for no figure, no report has it, or several
    do that differ.
    """
    question = evidence.question
    reports = [one for one in documents if one.tables]  # others have no statements
    if not reports:
        return None
    from treatise.figures import figure_of, names_company, needs_more

    read = reports if len(documents) == 1 else [one for one in reports if names_company(question, one)]
    figures = [(one, figure) for one in read if (figure := figure_of(question, one))]
    if not figures and needs_more(question) and any(len(statements_of(one)) > 1 for one in reports):
        return refusal_because(evidence, _NEEDS_MORE, several=len(documents) > 1)
    if len({figure.text for _, figure in figures}) != 1:
        return None
    document, figure = figures[0]
    citations = tuple(cite(document, row) for row in figure.rows)
    everything = tuple(range(len(citations)))
    statement = Statement(figure.statement, everything, Support.SUPPORTED)
    direct = DirectAnswer(figure.text, _kind(figure), _CONFIDENCE, everything)
    return Answer(evidence.question, figure.statement, (statement,), citations, evidence, found=True, direct=direct)


def _kind(figure: "Figure") -> str:
    if figure.is_verdict:
        return figure.text[:3].rstrip(":").casefold()
    return "span" if figure.is_stated else "computed"
