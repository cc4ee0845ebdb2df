"""Sentence boundaries in hard cases: our splitter against `sentencex` alone.

Usage: python benchmarks/sentences.py [--errors all|odd|even]

Prints per genre the share of cases with a wrong cut or a missing one. The odd cases were used to develop the rules, the
even ones were not.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import sentencex

from treatise.core.document import ParagraphKind
from treatise.ingest.sentences import sentence_lengths

CASES = Path(__file__).with_suffix(".txt")
BAR = " | "


class Case(NamedTuple):
    """A text, its sentence ends, and whether it was used to develop the rules."""

    genre: str
    text: str
    ends: frozenset[int]
    is_odd: bool


def read_cases() -> Iterator[Case]:
    genre, number = "", 0
    for line in CASES.read_text("utf-8").splitlines():
        if line.startswith("## "):
            genre, number = line[3:], 0
        elif line and not line.startswith("#"):
            number += 1
            pieces = line.split(BAR)
            yield Case(genre, " ".join(pieces), _ends([f"{piece} " for piece in pieces]), number % 2 == 1)


def _ends(pieces: list[str]) -> frozenset[int]:
    """The ends of pieces, not counting white space, without the final end."""
    ends, at = set(), 0
    for piece in pieces[:-1]:
        ends.add(at + len(piece.rstrip()))
        at += len(piece)
    return frozenset(ends)


def ours(text: str) -> frozenset[int]:
    pieces, at = [], 0
    for length in sentence_lengths(text, ParagraphKind.PROSE, "en"):
        pieces.append(text[at : at + length])
        at += length
    return _ends(pieces)


def alone(text: str) -> frozenset[int]:
    return _ends(sentencex.segment("en", text))


def error_rate(cases: list[Case], split: Callable[[str], frozenset[int]]) -> float:
    return 100 * sum(split(case.text) != case.ends for case in cases) / max(len(cases), 1)


def main(shown: str = "") -> None:
    cases = list(read_cases())
    print(f"{'genre':12} {'cases':>5} {'sentencex alone':>16} {'ours':>6}   wrong cases, %")
    groups = {genre: [c for c in cases if c.genre == genre] for genre in dict.fromkeys(c.genre for c in cases)}
    groups["odd"] = [case for case in cases if case.is_odd]
    groups["even (held out)"] = [case for case in cases if not case.is_odd]
    groups["all"] = cases
    for name, group in groups.items():
        print(f"{name:15} {len(group):>3} {error_rate(group, alone):>15.1f} {error_rate(group, ours):>6.1f}")
    for case in cases:
        if shown and (shown == "all" or case.is_odd == (shown == "odd")) and ours(case.text) != case.ends:
            cuts = sorted(ours(case.text))
            print(f"  {BAR.join(case.text[a:b].strip() for a, b in zip([0, *cuts], [*cuts, None], strict=True))}")


if __name__ == "__main__":
    main(sys.argv[2] if "--errors" in sys.argv else "")
