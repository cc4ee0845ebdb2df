"""Parsers on treebanks, side by side: figures of the first, differences of the others to it.

    python benchmarks/parsers.py --treebank data/rst/dev/gum --treebank data/rst/measure-only/gum-dev-nc \
        parser-en parser-en+parser-multi runs/taught/model

A treebank is a folder in GUM's layout (``rs4/`` and ``conllu/``). A parser is a folder or the name of a shipped one;
several joined by ``+`` are read together, as ``--parser ensemble`` does. Intervals are 95 % over documents, paired for
differences. Starts are those of the parser's own layers.
"""

import argparse
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from treatise.core.tree import DiscourseTree
from treatise.engines.span_parser import load_span_parser
from treatise.parse.parser import TextParser
from treatise.parse.parseval import ParsevalReport, difference, report
from treatise.parse.rows import TreeRow
from treatise.parse.spans.ensemble import SpanEnsemble
from treatise.parse.spans.parser import SpanParser
from treatise.parse.treebank import read_gum
from treatise.train.figures import boundary_figures
from treatise.train.source import shipped
from treatise.train.treebanks import TreebankDocument


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebank", type=Path, action="append", required=True)
    parser.add_argument("parsers", nargs="+")
    options = parser.parse_args()
    for folder in options.treebank:
        documents = [TreebankDocument(found.edus, found.sentences) for found in read_gum(folder)]
        print(f"\n{folder.name}: {len(documents)} documents")
        levels = {"sentences": [d.sentences for d in documents if d.sentences], "EDUs": [d.edus for d in documents]}
        first: dict[str, dict[str, DiscourseTree]] = {}
        for name in options.parsers:
            one = opened(name)
            for level, rows in levels.items():
                show(name, level, [row for row in rows if row], one, first)
            if isinstance(one, SpanParser):
                figures = boundary_figures(one, documents)
                print(f"{name:30} starts     " + "  ".join(f"{key} {value:.1f}" for key, value in figures.items()))


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
