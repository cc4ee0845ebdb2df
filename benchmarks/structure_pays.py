"""Where do discourse trees pay? Gold trees, ours, random, balanced and none, on documents that people summarised.

    python benchmarks/structure_pays.py --gum rst/dev/gum [--gum rst/measure-only/gum-dev-nc] --out FOLDER [--seeds 3]

Each ``--gum`` is a folder with ``rs4/`` and ``conllu/`` of GUM, development documents only. Writes ``FOLDER/tables.md``
and two SVGs: the gain of a tree over no tree as gold trees are spoiled, and by the trees' quality. Every table and
curve of ``docs/design/structure-pays.md`` is made by this command. Needs ``treatise[eval]``.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from structure.experiment import OURS, System, run, subjects_of, systems
from structure.measures import MEASURES, Subject
from structure.report import (
    CURVES,
    Results,
    crossings_table,
    draw_qualities,
    draw_shares,
    gains_table,
    genre_table,
    quality_table,
    relations_table,
)


def main() -> None:
    options = _options()
    subjects = subjects_of(options.gum)
    found = list(systems(subjects, options.seeds))
    named = [system for system in found if isinstance(system.name, str)]
    results = run(subjects, named, list(MEASURES)) | run(subjects, found, CURVES)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "tables.md").write_text("\n".join(_tables(subjects, found, results)) + "\n", encoding="utf-8")
    draw_shares(results, options.out / "structure-pays-spoiled.svg")
    draw_qualities(results, found, groups(subjects), subjects, options.out / "structure-pays-quality.svg")


def groups(subjects: Sequence[Subject]) -> dict[str, np.ndarray]:
    """Documents of the genres that the parser was trained on, and of the others."""
    known = {"academic", "bio", "court", "interview", "news", "speech", "textbook", "vlog", "voyage"}
    trained = np.array([subject.annotated.genre in known for subject in subjects])
    parts = {"genres trained on": trained, "other genres": ~trained}
    return {name: kept for name, kept in parts.items() if kept.any()}


def _tables(subjects: Sequence[Subject], found: Sequence[System], results: Results) -> Iterator[str]:
    yield f"{len(subjects)} documents. Intervals: 95 %, {len(subjects)} documents resampled."
    yield from ("", "## Quality of the trees", "", *quality_table(found, subjects))
    for name, kept in groups(subjects).items():
        some = [subject for subject, keep in zip(subjects, kept, strict=True) if keep]
        ours = [system.of(kept) for system in found if system.name == OURS]
        yield from ("", f"{name}, {kept.sum()} documents:", "", *quality_table(ours, some))
    yield from ("", "## Gain over no tree", "", *gains_table(results, list(MEASURES)))
    for name, kept in groups(subjects).items():
        part = {cell: sums[kept] for cell, sums in results.items()}
        yield from ("", f"{name}, {kept.sum()} documents:", "", *gains_table(part, list(MEASURES)))
    yield from ("", "## Quality needed", "", *crossings_table(results, found, subjects))
    yield from ("", "## Satellites inside sentences", "", *relations_table([one.annotated for one in subjects]))
    for name in CURVES:
        yield from ("", *genre_table(results, subjects, name))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gum", type=Path, action="append", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    main()
