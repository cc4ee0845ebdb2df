"""Fetches the manuals of ``benchmarks/manuals`` from Debian's packages, and indexes each as a library.

    python benchmarks/manuals_data.py FOLDER [--only git --only reference]

Needs ``apt-get`` and ``dpkg`` (Debian 12). FOLDER gets a folder of pages and a library ``NAME.db`` per manual. Nothing
of the manuals is part of this repository: PostgreSQL's is under its own licence, Git's under GPL 2, the handbook under
GPL 2+ or CC BY-SA 3.0, the reference under GPL 2+.
"""

import shutil
import subprocess
import sys
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final


@dataclass(frozen=True, slots=True)
class Manual:
    """A manual in a Debian package: ``pages`` is a pattern of files, below ``root`` in the package."""

    package: str
    root: str
    pages: str


MANUALS: Final = {
    "postgresql": Manual("postgresql-doc-15", "usr/share/doc/postgresql-doc-15/html", "*.html"),
    "git": Manual("git-doc", "usr/share/doc/git-doc", "*.html"),
    "handbook": Manual("debian-handbook", "usr/share/doc/debian-handbook/html/en-US", "*.html"),
    "reference": Manual("debian-reference-en", "usr/share/debian-reference", "*.pdf"),
}


def fetch(manual: Manual, folder: Path) -> None:
    """The pages of a manual in a folder, without links to pages that exist under another name."""
    with TemporaryDirectory() as name:
        there = Path(name)
        subprocess.run(["apt-get", "download", manual.package], cwd=there, check=True)
        (package,) = there.glob("*.deb")
        subprocess.run(["dpkg", "-x", package, there / "x"], check=True)
        folder.mkdir(parents=True, exist_ok=True)
        for page in sorted((there / "x" / manual.root).glob(manual.pages)):
            if not page.is_symlink():
                shutil.copy(page, folder / page.name)


def index(folder: Path, library: Path) -> None:
    from treatise.compose import open_library

    with open_library(store=library) as opened:
        for name, report in opened.index_all((page, None) for page in sorted(folder.iterdir())):
            print(name, report, flush=True)


def main(folder: Path, only: list[str]) -> None:
    for name in only or MANUALS:
        if not (folder / name).is_dir():
            fetch(MANUALS[name], folder / name)
        index(folder / name, folder / f"{name}.db")


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="append", default=[], choices=[*MANUALS])
    given = parser.parse_args(sys.argv[1:])
    main(given.folder, given.only)
