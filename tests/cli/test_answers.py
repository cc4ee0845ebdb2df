"""Answers as lines for people."""

import pytest

from treatise.cli.answers import answer_lines
from treatise.cli.output import line
from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Span
from treatise.core.evidence import Evidence
from treatise.core.quotation import statement_of
from treatise.generate.citations import cite
from treatise.ingest import read_bytes


@pytest.mark.parametrize(("kind", "text"), [("yes", "Yes"), ("list", "rm, sync"), ("computed", "7")])
def test_what_stands_in_no_row_is_printed_before_code(kind: str, text: str) -> None:
    document = read_bytes(b"# Copies\n\nIt is removed by this:\n\n    rm backup.tar\n    sync\n", name="copies.md")
    cited = cite(document, Span(document.text.index("It is"), document.text.index("sync") + len("sync")))
    statement = Statement(statement_of(document, cited.span), (0,), Support.QUOTED)
    direct = DirectAnswer(text, kind, 0.9, (0,))
    evidence = Evidence("Is it removed?", (), "", 400, 1.0)
    answer = Answer(evidence.question, statement.text, (statement,), (cited,), evidence, found=True, direct=direct)
    assert next(iter(answer_lines(answer, {document.id: document}))) == line((text, "bold"))
