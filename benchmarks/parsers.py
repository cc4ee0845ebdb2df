"""Parsers on treebanks, side by side: figures of the first, differences of the others to it.

    python benchmarks/parsers.py --treebank data/rst/dev/gum --treebank data/rst/measure-only/gum-dev-nc \
        parser-en parser-en+parser-multi runs/taught/model

A treebank is a folder in the layout of GUM (``rs4/`` and ``conllu/``) or GCDT (``tokenized/``), or one of rs3 files
with the code of their language, as in ``pcc-dev/rs3:de``; ``rrg`` in its path stands for GUM's relations, else they are
the classical ones. A parser is a folder or the name of a shipped one; several joined by ``+`` are read together, as
``--parser ensemble`` does. Intervals are 95 % over documents, paired for differences. Starts are those of the parser's
own layers.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from pathlib import Path

from treatise.core.tree import DiscourseTree
from treatise.engines.span_parser import load_span_parser
from treatise.parse.parser import TextParser
from treatise.parse.parseval import ParsevalReport, difference, report
from treatise.parse.relations import CLASSICAL, GUM
from treatise.parse.rows import TreeRow
from treatise.parse.spans.ensemble import SpanEnsemble
from treatise.parse.spans.parser import SpanParser
from treatise.parse.treebank import Conversion, read_edus, read_gcdt, read_gum
from treatise.train.figures import boundary_figures
from treatise.train.source import shipped
from treatise.train.treebanks import TreebankDocument


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebank", action="append", required=True)
    parser.add_argument("parsers", nargs="+")
    options = parser.parse_args()
    for treebank in options.treebank:
        documents = [TreebankDocument(found.edus, found.sentences) for found in converted(treebank)]
        print(f"\n{treebank}: {len(documents)} documents")
        levels: dict[str, list[TreeRow | None]] = {
            "sentences": [d.sentences for d in documents if d.sentences],
            "EDUs": [d.edus for d in documents],
        }
        first: dict[str, dict[str, DiscourseTree]] = {}
        for name in options.parsers:
            one = opened(name)
            for level, rows in levels.items():
                if found := [row for row in rows if row]:
                    show(name, level, found, one, first)
            if isinstance(one, SpanParser) and levels["sentences"]:
                figures = boundary_figures(one, documents)
                print(f"{name:30} starts     " + "  ".join(f"{key} {value:.1f}" for key, value in figures.items()))


def converted(treebank: str) -> Iterator[Conversion]:
    folder, _, lang = treebank.partition(":")
    if lang:
        return read_edus(Path(folder), lang, inventory=GUM if "rrg" in folder else CLASSICAL)
    return read_gcdt(Path(folder)) if (Path(folder) / "tokenized").is_dir() else read_gum(Path(folder))


def show(
    name: str, level: str, rows: Sequence[TreeRow], parser: TextParser, first: dict[str, dict[str, DiscourseTree]]
) -> None:
    gold = {row.text.id: row.tree for row in rows}
    trees = dict(zip(gold, parser.parse_texts([row.text for row in rows]), strict=True))
    print(f"{name:30} {level:10} " + line(report(gold, trees)))
    if level in first:
        print(f"{'':30} {'less first':10} " + line(difference(gold, first[level], trees)))
    first.setdefault(level, trees)


def line(found: ParsevalReport) -> str:
    bounds = found.intervals.values()
    return "  ".join(
        f"{value:5.1f} [{bound.low:.1f}, {bound.high:.1f}]"
        for value, bound in zip(astuple(found.figures), bounds, strict=True)
    )


def opened(name: str) -> TextParser:
    parsers = [load_span_parser(shipped(one)) for one in name.split("+")]
    return SpanEnsemble(parsers) if len(parsers) > 1 else parsers[0]


if __name__ == "__main__":
    main()
