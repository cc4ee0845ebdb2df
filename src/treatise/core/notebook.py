"""Answers, evidence, trees and graphs as HTML and Markdown for notebooks: everything escaped, no script."""

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from treatise.core.quotation import quoted_rows, rows_of, statement_of, without_mark

if TYPE_CHECKING:
    from treatise.core.answer import Answer, Citation
    from treatise.core.document import Document, Span
    from treatise.core.evidence import Evidence, Passage
    from treatise.core.graph import RhetoricalGraph
    from treatise.core.tree import DiscourseTree

_MAX_ROWS: Final = 500  # leaves of a tree and edges of a graph that are drawn
_MAX_DEPTH: Final = 40  # browsers do not nest elements much deeper
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]()#+!|<>~$&-])")
_QUOTE_STYLE: Final = "margin:.4em 0 .1em;white-space:pre-wrap"
_PLACE_STYLE: Final = "color:gray;font-size:smaller;margin-bottom:.6em"


def answer_html(answer: "Answer") -> str:
    """The direct answer or the text, then each quotation with its place, or what comes nearest, then notes."""
    head = answer.direct.text if answer.found and answer.direct else answer.text
    is_quoted = answer.found and not answer.direct and _is_made_of(answer)
    parts = [] if is_quoted else [f"<p><strong>{escape(head)}</strong></p>"]
    parts += [_quotation_html(_rows(answer, one), _place(one)) for one in answer.citations]
    parts += [_quotation_html(_rows(answer, one), f"nearest: {_place(one)}") for one in answer.nearest]
    parts += [f"<p><em>{escape(note)}</em></p>" for note in answer.notes]
    return f"<div>{''.join(parts)}</div>"


def answer_markdown(answer: "Answer") -> str:
    """As :func:`answer_html`, in Markdown."""
    head = answer.direct.text if answer.found and answer.direct else answer.text
    parts = [f"**{_plain(head)}**"]
    parts += [_quotation_markdown(_rows(answer, one), _place(one)) for one in answer.citations]
    parts += [_quotation_markdown(_rows(answer, one), f"nearest: {_place(one)}") for one in answer.nearest]
    parts += [f"*{_plain(note)}*" for note in answer.notes]
    return "\n\n".join(parts)


def evidence_html(evidence: "Evidence") -> str:
    """The question, the confidence and the passages with their scores."""
    head = f"<p><strong>{escape(evidence.question)}</strong> (confidence {evidence.confidence:.2f})</p>"
    passages = [_quotation_html(_passage_rows(evidence, one), f"score {one.score:.2f}") for one in evidence.passages]
    return f"<div>{head}{''.join(passages)}</div>"


def evidence_markdown(evidence: "Evidence") -> str:
    """As :func:`evidence_html`, in Markdown."""
    parts = [f"**{_plain(evidence.question)}** (confidence {evidence.confidence:.2f})"]
    parts += [f"> {_plain(' '.join(_passage_rows(evidence, one)))}" for one in evidence.passages]
    return "\n\n".join(parts)


def graph_html(graph: "RhetoricalGraph") -> str:
    """A table of the edges."""
    rows = [
        f"<tr><td>{edge.source + 1}</td><td>{escape(edge.link)}</td><td>{edge.target + 1}</td></tr>"
        for edge in graph.edges[:_MAX_ROWS]
    ]
    table = f"<table><tr><th>passage</th><th>relation</th><th>passage</th></tr>{''.join(rows)}</table>"
    return f"<div>{table}{_rest(len(graph.edges))}</div>"


def graph_markdown(graph: "RhetoricalGraph") -> str:
    """As :func:`graph_html`, in Markdown."""
    rows = [f"| {one.source + 1} | {_plain(one.link)} | {one.target + 1} |" for one in graph.edges[:_MAX_ROWS]]
    return "\n".join(["| passage | relation | passage |", "|---|---|---|", *rows])


def tree_html(tree: "DiscourseTree", text_of: Callable[[int], str]) -> str:
    """The tree as a list that folds: relations, with the text of each unit; its first units if it is large."""
    return f"<div>{''.join(_tree_parts(tree, text_of))}{_rest(tree.n_units)}</div>"


def _tree_parts(tree: "DiscourseTree", text_of: Callable[[int], str]) -> Iterator[str]:
    """Opening and closing tags in text order, without recursion."""
    pending: list[tuple[int, int] | str] = [(root, 0) for root in reversed(tree.roots)]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
            continue
        node, depth = item
        start, end = (int(edge) for edge in tree.ranges[node])
        if start >= _MAX_ROWS:
            continue
        below = _children(tree, node)
        if not below or depth >= _MAX_DEPTH:
            text = " ".join(map(text_of, range(start, min(end, _MAX_ROWS))))
            yield f"<div style='margin-left:1.2em'>{escape(text)}</div>"
            continue
        yield f"<details open style='margin-left:1.2em'><summary>{escape(_label(tree, node))}</summary>"
        pending += ["</details>", *((child, depth + 1) for child in reversed(below))]


def _children(tree: "DiscourseTree", node: int) -> tuple[int, ...]:
    from treatise.core.tree import children

    return children(tree.nodes[node])


def _label(tree: "DiscourseTree", node: int) -> str:
    found = tree.nodes[node]
    relation, nuclearity = getattr(found, "relation", "group"), getattr(found, "nuclearity", "")
    return f"{relation} {nuclearity}".strip()


def _is_made_of(answer: "Answer") -> bool:
    """Whether the text consists of the quotations below it."""
    documents = answer.evidence.documents
    known = ((documents.get(one.document), one) for one in answer.citations)
    quotes = " ".join(statement_of(of, one.span) if of else " ".join(one.quote.split()) for of, one in known)
    return bool(answer.statements) and all(statement.text in quotes for statement in answer.statements)


def _rows(answer: "Answer", citation: "Citation") -> list[str]:
    """The rows of a quotation; if its document is unknown, as the quotation alone tells them."""
    return _quoted(answer.evidence.documents.get(citation.document), citation.span, citation.quote)


def _passage_rows(evidence: "Evidence", passage: "Passage") -> list[str]:
    document = None if passage.noted else evidence.documents.get(passage.document)
    return _quoted(document, passage.span, passage.text)


def _quoted(document: "Document | None", span: "Span", text: str) -> list[str]:
    return rows_of(document, span) if document else quoted_rows(without_mark(text))


def _quotation_html(rows: list[str], place: str) -> str:
    text = escape("\n".join(rows))
    quotation = f"<blockquote style='{_QUOTE_STYLE}'>{text}</blockquote>"
    return f"{quotation}<div style='{_PLACE_STYLE}'>{escape(place)}</div>"


def _quotation_markdown(rows: list[str], place: str) -> str:
    return f"> {_plain(' '.join(rows))}\n>\n> — {_plain(place)}"


def _place(citation: "Citation") -> str:
    page = [] if citation.page is None else [f"page {citation.page}"]
    section = [citation.section] if citation.section else []
    return " · ".join([citation.source, *page, *section])


def _rest(n: int) -> str:
    return f"<p><em>… and {n - _MAX_ROWS:,} more</em></p>" if n > _MAX_ROWS else ""


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
