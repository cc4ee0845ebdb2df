"""Records of one document: its outline, its tree, a rhetorical graph over its passages."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from treatise.core.note import Origin
from treatise.core.words import n_words
from treatise.records.answers import Record

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.core.evidence import Passage
    from treatise.core.graph import RhetoricalGraph
    from treatise.core.indexed import IndexedDocument
    from treatise.core.tree import DiscourseTree
    from treatise.pipeline.part_tree import PartTree
    from treatise.retrieve import RetrievalProfile


def outline_record(document: "Document") -> Record:
    """``show --json``: the document without its text.

    Fields:
        document, title, source, language: Id, title, path as the store knows it, ISO 639-1 code.
        metadata: What the source states: ``author`` and ``date``, each with a list of values.
        words, characters, pages: Counts; ``pages`` is 0 for a format without pages.
        outline: Sections as ``{"level", "title", "start"}``; level 0 is text before the first heading.
    """
    return {
        "document": document.id,
        "title": document.title,
        "source": document.source,
        "language": document.language,
        "metadata": {key: list(values) for key, values in document.metadata.items()},
        "words": n_words(document.text),
        "characters": len(document.text),
        "pages": len(document.page_starts),
        "outline": [
            {"level": section.level, "title": section.title, "start": section.start} for section in document.sections
        ],
    }


def tree_record(indexed: "IndexedDocument") -> Record:
    """``show --tree --json``: the fields of the outline, and the tree.

    Fields:
        units: The leaves, as ``{"start", "end"}``.
        tree: The joins in post-order: ``start``, ``split`` and ``end`` in units, ``nuclearity``, ``relation``.
        notes: The texts of inner nodes: ``start`` and ``end`` in units, or ``units`` if the node is a cluster;
            ``origin``; ``misfit``, why the model's reply was rejected, else empty; ``text``.
    """
    return outline_record(indexed.document) | {
        "units": [{"start": unit.start, "end": unit.end} for unit in indexed.units],
        "tree": _join_records(indexed.tree),
        "notes": list(_note_records(indexed)),
    }


def part_tree_record(document: "Document", part: "PartTree") -> Record:
    """The structure of a part of a document: ``document``, and ``units`` and ``tree`` as of ``show --tree --json``."""
    return {
        "document": document.id,
        "units": [{"start": unit.start, "end": unit.end} for unit in part.units],
        "tree": _join_records(part.tree),
    }


def graph_record(
    question: str, document: str, passages: Sequence["Passage"], graph: "RhetoricalGraph", notes: Sequence[str]
) -> Record:
    """``show --graph --json``.

    Fields:
        question, document: The question, and the document's id.
        passages: The retrieved passages, as ``{"start", "end", "text"}``.
        links: Relations between them: ``source`` and ``target``, indices into ``passages``; ``link``; ``score``.
        notes: Remarks for the user, such as a stage that failed.
    """
    return {
        "question": question,
        "document": document,
        "passages": [{"start": one.span.start, "end": one.span.end, "text": one.text} for one in passages],
        "links": [
            {"source": edge.source, "target": edge.target, "link": str(edge.link), "score": round(edge.score, 4)}
            for edge in graph.edges
        ],
        "notes": list(notes),
    }


def profile_record(profile: "RetrievalProfile") -> Record:
    """``show --anatomy --json``: the fields of :class:`treatise.retrieve.RetrievalProfile`."""
    return asdict(profile)


def conversion_record(n_lines: int, output: str, seconds: float) -> Record:
    """``parse --input FILE --json``: ``lines`` written to ``output`` in ``seconds``."""
    return {"lines": n_lines, "output": output, "seconds": round(seconds, 3)}


def _join_records(tree: "DiscourseTree") -> list[Record]:
    return [
        {"start": start, "split": split, "end": end, "nuclearity": str(join.nuclearity), "relation": join.relation}
        for start, split, end, join in tree.joins()
    ]


def _note_records(indexed: "IndexedDocument") -> Iterator[Record]:
    """The note of each inner node: a run of units in the tree, or a cluster of units from anywhere."""
    n_in_tree = len(indexed.tree.nodes)
    for node, note in enumerate(indexed.notes):
        if note.origin is Origin.LEAF:
            continue
        in_tree = node < n_in_tree
        start, end = indexed.tree.ranges[node].tolist() if in_tree else (0, 0)
        of: Record = {"start": start, "end": end} if in_tree else {"units": indexed.clusters[node - n_in_tree].units}
        yield of | {"origin": str(note.origin), "misfit": note.rejection_reason, "text": note.text}
