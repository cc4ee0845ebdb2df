"""An answer as lines for people: the direct answer, the quotes that support it with their places, and notes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from treatise.cli.output import Line, line
from treatise.cli.places import note_mark, passage_text, place
from treatise.cli.table_rows import readable, table_lines
from treatise.core.answer import Support
from treatise.core.document import ParagraphKind
from treatise.core.markup import without_markup
from treatise.core.quotation import between, introduces_code, keeps_its_lines, rows_of
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.verdict import Verdict
from treatise.core.words import clip

if TYPE_CHECKING:
    from treatise.core.answer import Answer, Citation, DirectAnswer
    from treatise.core.document import Document, Span

_Part = str | tuple[str, str]

_INDENT: Final = 4
_MAX_NEAREST: Final = 600
"""Characters of the nearest passage: a file of one line has it whole."""


@dataclass(frozen=True, slots=True)
class AnswerStyle:
    """How an answer is printed.

    Attributes:
        verbose: Also print the characters of each citation.
        with_source: Name the source in each place; False if there is only one.
        as_prose: Print quotations as one paragraph with marks and a list of places, not one by one.
    """

    verbose: bool = False
    with_source: bool = True
    as_prose: bool = False


_Documents = Mapping[str, "Document"]


def answer_lines(answer: "Answer", documents: _Documents, style: AnswerStyle = AnswerStyle()) -> Iterator[Line]:
    """Drafts, the direct answer, the quotes or the model's text with its citations, then notes."""
    yield from round_lines(answer)
    if answer.found and answer.direct and not _is_whole_quote(answer, documents):
        yield line((answer.direct.text, "bold"))
        yield line()
    if not answer.found:
        yield line(answer.text)
        yield from _nearest_lines(answer, documents, style)
    elif _is_quoted(answer, documents) and not style.as_prose:
        yield from _quote_lines(answer, documents, style)
    else:
        yield line(*_marked(answer))
        yield from _citation_lines(answer, documents, style)
    yield from _conflict_lines(answer, documents)
    if answer.notes:
        yield line()
    for note in answer.notes:
        yield note_line(note)


def _is_whole_quote(answer: "Answer", documents: _Documents) -> bool:
    """Whether the direct answer is the first quotation, a whole row of a table or several rows of code, which are
    printed below.
    """
    if answer.direct is None:
        return False
    first = answer.statements[0].text if answer.statements else ""
    cited = answer.citations[answer.direct.citations[0]] if answer.direct.citations else None
    is_sentence = answer.direct.kind == SpanAnswerKind.SENTENCE
    is_row = is_sentence and cited is not None and _is_in_table(cited, documents[cited.document])
    is_code = cited is not None and introduces_code(cited.quote) and _runs_over_rows(answer.direct, cited, documents)
    return is_row or is_code or answer.direct.text.rstrip(".") == first.rstrip(".")


def _runs_over_rows(direct: "DirectAnswer", citation: "Citation", documents: _Documents) -> bool:
    """Whether words of the citation stand in no printed row alone; prose is one row, however many lines it has."""
    if direct.kind not in (SpanAnswerKind.SPAN, SpanAnswerKind.SENTENCE):
        return False  # "Yes", a list and what is computed stand in no row
    return not any(direct.text in row for row in _rows([citation], documents[citation.document]))


def _is_in_table(citation: "Citation", document: "Document") -> bool:
    return document.paragraph_at(citation.span.start).kind is ParagraphKind.TABLE


def note_line(note: str) -> Line:
    """A note with a full stop, unless it ends with a question mark."""
    return line((f"Note: {note}{'' if note.endswith('?') else '.'}", "yellow"))


def round_lines(answer: "Answer") -> Iterator[Line]:
    """Each round of a refined answer: its draft, and the critic's remarks."""
    for number, draft in enumerate(answer.rounds, 1):
        unverified = f", {draft.n_unverified} not verified" if draft.n_unverified else ""
        verdict = ", the critic agrees" if draft.satisfied else ""
        yield line((f"Round {number}", "bold cyan"), (f"{unverified}{verdict}", "dim"))
        yield line((draft.text, "dim"), indent=2)
        for remark in draft.feedback:
            yield line((f"– {remark}", "yellow"), indent=2)
        yield line()


def _is_quoted(answer: "Answer", documents: _Documents) -> bool:
    """Whether the answer consists of quotations, one citation each."""
    return bool(answer.statements) and all(
        statement.support is Support.QUOTED
        and len(statement.citations) == 1
        and _repeats(answer.citations[statement.citations[0]], documents, statement.text)
        for statement in answer.statements
    )


def _repeats(citation: "Citation", documents: _Documents, *texts: str) -> bool:
    """Whether a quotation ends with one of these, with its markup or without; a bullet before it does not count."""
    quote = documents[citation.document].one_line(citation.span.start, citation.span.end)
    return quote.endswith(texts) or without_markup(quote).endswith(texts)


def _quote_lines(answer: "Answer", documents: _Documents, style: AnswerStyle) -> Iterator[Line]:
    """Each quotation, its place below it; neighbouring sentences share a place."""
    for i, group in enumerate(_neighbours(answer, documents)):
        if i:
            yield line()
        document = documents[group[0].document]
        for row in table_lines(document, [one.span for one in group]) or _rows(group, document):
            yield line(row)
        yield line(*_place(group[0], documents, style, end=group[-1].span.end), indent=_INDENT)


def _neighbours(answer: "Answer", documents: _Documents) -> list[list["Citation"]]:
    """The citations of the statements; those with only whitespace between them in one group."""
    groups: list[list[Citation]] = []
    for statement in answer.statements:
        citation = answer.citations[statement.citations[0]]
        if groups and _follows(citation, groups[-1][-1], documents[citation.document]):
            groups[-1].append(citation)
        else:
            groups.append([citation])
    return groups


def _follows(citation: "Citation", last: "Citation", document: "Document") -> bool:
    between = last.span.end, citation.span.start
    is_next = citation.document == last.document and between[0] <= between[1]
    return is_next and citation.section == last.section and not document.quote(*between).strip()


def _citation_lines(answer: "Answer", documents: _Documents, style: AnswerStyle) -> Iterator[Line]:
    """The place of each citation, with the quotation below it unless the answer already repeats it."""
    texts = tuple(statement.text for statement in answer.statements)
    if answer.citations:
        yield line()
    for number, citation in enumerate(answer.citations, 1):
        where = _place(citation, documents, style)
        yield line((f"[{number}] ", "bold cyan"), *where)
        if not _repeats(citation, documents, *texts):
            yield line(f"“{without_markup(readable(documents[citation.document], citation.span))}”", indent=_INDENT)


def _place(citation: "Citation", documents: _Documents, style: AnswerStyle, end: int = 0) -> Iterator[_Part]:
    yield from place(documents[citation.document], citation.span, with_source=style.with_source)
    if style.verbose:
        yield (f" · characters {citation.span.start:,}–{end or citation.span.end:,}", "dim")


def _rows(citations: list["Citation"], document: "Document") -> list[str]:
    """Neighbouring sentences of a paragraph in one row; list items, code, tables and verse in rows of their own."""
    rows: list[str] = []
    ended, is_open = 0, False
    for citation in citations:
        first, *rest = rows_of(document, citation.span)
        goes_on = is_open and not keeps_its_lines(document, citation.span)
        if goes_on and "\n\n" not in document.quote(ended, citation.span.start):
            rows[-1] += f" {first}"
        else:
            rows.append(first)
        rows += rest
        ended, is_open = citation.span.end, not rest
    return rows


def _nearest_lines(answer: "Answer", documents: _Documents, style: AnswerStyle) -> Iterator[Line]:
    """What comes nearest, printed if no answer was found: the places that were read, else the best-scored passage."""
    yield line()
    if answer.nearest:
        for number, citation in enumerate(answer.nearest):
            yield line(("Next: " if number else "Nearest: ", "bold cyan"), *_place(citation, documents, style))
            text = without_markup(readable(documents[citation.document], citation.span))
            yield line(f"“{clip(text, _MAX_NEAREST, len)}”", indent=_INDENT)
        return
    passages = (one for one in answer.evidence.passages if not _is_head(documents[one.document], one.span))
    nearest = max(passages, key=lambda passage: passage.score, default=None)
    if nearest is not None:
        document = documents[nearest.document]
        yield line(("Nearest: ", "bold cyan"), *place(document, nearest.span, with_source=style.with_source))
        text = passage_text(document, nearest) if nearest.noted else readable(document, nearest.span)
        text = clip(text, _MAX_NEAREST, len)
        yield line(f"{note_mark(nearest)}{text}" if nearest.noted else f"“{text}”", indent=_INDENT)


def _is_head(document: "Document", span: "Span") -> bool:
    return document.is_table_head(span.start, span.end)


def _conflict_lines(answer: "Answer", documents: _Documents) -> Iterator[Line]:
    """Each pair of contradicting citations, one below the other, with their places."""
    for pair in answer.conflicts:
        yield line()
        yield line(("Possible contradiction:", "bold yellow"))
        for number in pair:
            citation = answer.citations[number]
            yield line(f"“{readable(documents[citation.document], citation.span)}”", indent=_INDENT)
            yield line(*place(documents[citation.document], citation.span), indent=2 * _INDENT)


def _marked(answer: "Answer") -> Iterator[_Part]:
    """The statements, each followed by the numbers of its citations."""
    if not answer.statements:
        yield answer.text
    for i, statement in enumerate(answer.statements):
        before = answer.statements[i - 1].text if i else ""
        yield between(before, statement.text) + statement.text
        if marks := "".join(f"[{number + 1}]" for number in statement.citations):
            yield (f" {marks}", "bold cyan")
        if statement.support is Support.UNVERIFIED and statement.is_claim:
            is_contradicted = statement.verdict is Verdict.CONTRADICTED
            yield (" [contradicted]" if is_contradicted else " [not verified]", "yellow")
