"""Figures of the shipped code on dev documents, by name."""

from collections.abc import Sequence
from dataclasses import astuple, fields
from itertools import product

from treatise.parse.parser import TextParser
from treatise.parse.parseval import Parseval, parseval, segmentation_f1
from treatise.parse.rows import Level
from treatise.parse.segment import Segmenter
from treatise.train.treebanks import TreebankDocument, gold_sentences, sentence_text, sentences_of_edus


def tree_figures(parser: TextParser, documents: Sequence[TreebankDocument]) -> dict[str, float]:
    """Original Parseval, micro-averaged, by level: ``"sentence span"`` and so on.

    With documents in several languages, there is one per language: ``"zh sentence span"``.
    """
    figures: dict[str, float] = {}
    langs = sorted({document.lang for document in documents})
    for level, lang in product(Level, langs):
        rows = [row for document in documents if document.lang == lang for row in document.rows]
        if rows := [row for row in rows if row.text.level is level]:
            trees = parser.parse_texts([row.text for row in rows])
            gold = {row.text.id: row.tree for row in rows}
            reached = parseval(gold, dict(zip(gold, trees, strict=True)))
            before = f"{lang} " if len(langs) > 1 else ""
            names = [f"{before}{level} {field.name}" for field in fields(Parseval)]
            figures |= dict(zip(names, astuple(reached), strict=True))
    return figures


def boundary_figures(segmenter: Segmenter, documents: Sequence[TreebankDocument]) -> dict[str, float]:
    """F1 of EDU boundaries inside sentences and of all EDU starts; empty if no document marks sentences."""
    return _boundaries(segmenter, [(document.lang, gold_sentences(document)) for document in documents])


def boundary_figures_by_language(segmenter: Segmenter, documents: Sequence[TreebankDocument]) -> dict[str, float]:
    """The same for each language if there are several, as ``"zh EDU boundaries"``; see ``sentences_of_edus``."""
    figures: dict[str, float] = {}
    langs = sorted({document.lang for document in documents})
    for lang in langs:
        before = f"{lang} " if len(langs) > 1 else ""
        of_lang = [(lang, sentences_of_edus(document)) for document in documents if document.lang == lang]
        figures |= {before + name: value for name, value in _boundaries(segmenter, of_lang).items()}
    return figures


def _boundaries(segmenter: Segmenter, documents: Sequence[tuple[str, list[list[str]]]]) -> dict[str, float]:
    """The figures over documents, each a language and the EDUs of its sentences."""
    wanted: list[list[str]] = []
    found: list[list[str]] = []
    for lang, sentences in documents:
        wanted += sentences
        found += segmenter.segment([sentence_text(edus, lang) for edus in sentences], lang)
    if not wanted:
        return {}
    reached = segmentation_f1(wanted, found)
    return {"EDU boundaries": reached.inside, "EDU beginnings": reached.starts}
