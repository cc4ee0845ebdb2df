"""Lists the documents in a folder: files of known types that are not hidden, ignored by git, or behind links."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.core.errors import SourceError
from treatise.ingest.formats import Format, format_by_name, is_page, is_page_name
from treatise.ingest.limits import Limits
from treatise.ingest.packed import HEAD_BYTES, inner_name, unpacked_head
from treatise.ingest.streams import read_regular_file

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_MACHINE_MADE: Final = frozenset(("node_modules", "__pycache__", "__MACOSX"))
_RULES_FILE: Final = ".gitignore"
_MAX_RULES_BYTES: Final = 2**20
_MAX_LINKED_FOLDERS: Final = 10_000


@dataclass(frozen=True, slots=True)
class FolderFilter:
    """Which files of a folder are read.

    Attributes:
        include: Patterns as in ``.gitignore``; if set, only files that match one are read, of any type.
        exclude: Patterns of files and folders to leave out.
        follows_links: Whether links to files and folders outside the folder are followed.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    follows_links: bool = False


@dataclass(slots=True)
class FolderListing:
    """The documents in a folder.

    Attributes:
        files: The documents, sorted.
        passed_over: Number of skipped files and folders, by reason.
    """

    files: list[Path] = field(default_factory=list)
    passed_over: Counter[str] = field(default_factory=Counter)

    def note(self) -> str:
        """Summary of what was skipped, such as ``3 of other types, 1 hidden``; ``""`` if nothing was skipped."""
        return ", ".join(f"{n:,} {reason}" for reason, n in sorted(self.passed_over.items()))


@dataclass(frozen=True, slots=True)
class _Rules:
    """Patterns, and the folder that they are relative to."""

    base: Path
    spec: "GitIgnoreSpec"

    def verdict(self, path: Path, *, is_folder: bool) -> bool | None:
        """Whether the path matches; False if a ``!`` pattern excludes it again, None if no pattern applies."""
        relative = path.relative_to(self.base).as_posix()
        return self.spec.check_file(f"{relative}/" if is_folder else relative).include


def list_folder(folder: Path, filter_: FolderFilter = FolderFilter()) -> FolderListing:
    """The documents below a folder."""
    walk = _Walk(folder, filter_)
    walk.run()
    walk.listing.files.sort()
    return walk.listing


class _Walk:
    """One walk over a folder, without recursion."""

    def __init__(self, folder: Path, filter_: FolderFilter) -> None:
        self.listing = FolderListing()
        self._folder = folder.absolute()
        self._shown = folder
        self._root = folder.resolve()
        self._filter = filter_
        self._include = _rules(self._folder, filter_.include) if filter_.include else None
        self._exclude = _rules(self._folder, filter_.exclude) if filter_.exclude else None
        self._seen = {self._root}

    def run(self) -> None:
        """Fills the listing."""
        waiting = [(self._folder, _rules_above(self._folder))]
        while waiting:
            folder, rules = waiting.pop()
            if os.path.isfile(folder / _RULES_FILE):  # noqa: PTH113  (pathlib raises where it may not look)
                rules = [*rules, *_read_rules(folder)]
            for entry in _entries(folder):
                path = folder / entry.name
                if reason := self._reason(entry, path, rules):
                    self.listing.passed_over[reason] += 1
                elif _is(entry.is_dir):
                    waiting += [(path, rules)] if self._enters(entry, path) else []
                else:
                    self.listing.files.append(self._shown / path.relative_to(self._folder))

    def _reason(self, entry: os.DirEntry[str], path: Path, rules: list[_Rules]) -> str:
        """Why a file or folder is skipped; ``""`` if it is not."""
        is_folder = _is(entry.is_dir)
        if entry.name.startswith("."):
            return "hidden"
        if entry.is_symlink() and not self._filter.follows_links and not self._is_inside(path):
            return "linked from outside"
        if is_folder and entry.name in _MACHINE_MADE:
            return "machine-made"
        if self._exclude and self._exclude.verdict(path, is_folder=is_folder):
            return "excluded"
        if _is_ignored(path, rules, is_folder=is_folder):
            return "ignored by .gitignore"
        return "" if is_folder else self._type_reason(entry, path)

    def _type_reason(self, entry: os.DirEntry[str], path: Path) -> str:
        if not _is(entry.is_file):
            return "no regular files"
        if self._include:
            return "" if self._include.verdict(path, is_folder=False) else "not included"
        return "" if (row := format_by_name(entry.name)) and _may_be(path, row) else "of other types"

    def _is_inside(self, path: Path) -> bool:
        """Whether a link's target is in the folder; False for a broken link."""
        try:
            return path.resolve(strict=True).is_relative_to(self._root)
        except (OSError, RuntimeError):
            return False

    def _enters(self, entry: os.DirEntry[str], path: Path) -> bool:
        """Whether to walk a folder; linked folders only if links are followed, and only once."""
        if not entry.is_symlink():
            return True
        if not self._filter.follows_links or len(self._seen) > _MAX_LINKED_FOLDERS:
            return False
        target = path.resolve()
        is_new = target not in self._seen and not target.is_relative_to(self._root)
        self._seen.add(target)
        return is_new and not self._root.is_relative_to(target)


def _is(kind: Callable[[], bool]) -> bool:
    """Whether an entry is of a kind; False for a link that leads to itself."""
    try:
        return kind()
    except OSError:
        return False


def _may_be(path: Path, row: Format) -> bool:
    """Whether a file may be of a format whose suffix it has: ``.msg`` is also that of catalogues of messages.

    A number is the suffix of manual pages, of libraries, and of logs that are kept.
    """
    is_packed = row.name == "packed"
    is_numbered = is_page_name(inner_name(path.name) if is_packed else path.name) and row.name in ("roff", "packed")
    if not (row.signature or is_numbered):
        return True
    try:
        with path.open("rb") as file:
            if is_numbered:
                return is_page(unpacked_head(file) if is_packed else file.read(HEAD_BYTES))
            return file.read(len(row.signature)) == row.signature
    except OSError:
        return True  # reading it says why


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """The folder's entries, sorted by name; empty if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_ignored(path: Path, rules: list[_Rules], *, is_folder: bool) -> bool:
    """Whether a path is ignored: the innermost rules with a verdict decide."""
    verdicts = (one.verdict(path, is_folder=is_folder) for one in reversed(rules))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _rules_above(folder: Path) -> list[_Rules]:
    """The rules of the enclosing repository; empty if they ignore the folder itself."""
    above = list(folder.parents)
    root = next((at for at, parent in enumerate([folder, *above]) if (parent / ".git").exists()), 0)
    rules = [one for parent in reversed(above[:root]) for one in _read_rules(parent)]
    chain = [folder, *above[: max(0, root - 1)]]
    return [] if any(_is_ignored(path, _of_parents(rules, path), is_folder=True) for path in chain) else rules


def _of_parents(rules: Iterable[_Rules], path: Path) -> list[_Rules]:
    return [one for one in rules if one.base in path.parents]


def _read_rules(folder: Path) -> Iterator[_Rules]:
    try:
        content, _ = read_regular_file(str(folder / _RULES_FILE), Limits(max_bytes=_MAX_RULES_BYTES))
    except SourceError:
        return
    yield _rules(folder, content.decode("utf-8", "replace").splitlines())


def _rules(folder: Path, patterns: Iterable[str]) -> _Rules:
    """The well-formed patterns; git skips malformed ones too."""
    from pathspec import GitIgnoreSpec  # only folders need it

    kept = []
    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            continue
        kept.append(pattern)
    return _Rules(folder, GitIgnoreSpec.from_lines(kept))
