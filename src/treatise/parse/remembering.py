"""A caching parser, for comparisons over the same documents."""

from collections.abc import Sequence

from treatise.core.document import Document
from treatise.core.ports import Parser, Progress
from treatise.core.tree import DiscourseTree


class RememberingParser:
    """A ``Parser`` that caches the trees of another one.

    Attributes:
        name: The name of the wrapped parser.
    """

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._trees: dict[str, DiscourseTree] = {}
        self._runs: dict[tuple[str, ...], DiscourseTree] = {}
        self.name: str = parser.name

    def parse(self, document: Document, progress: Progress | None = None) -> DiscourseTree:
        """See ``core.ports.Parser``."""
        if document.id not in self._trees:
            self._trees[document.id] = self._parser.parse(document, progress)
        return self._trees[document.id]

    def parse_runs(self, runs: Sequence[Sequence[str]], language: str) -> list[DiscourseTree]:
        """See ``core.ports.Parser``."""
        keys = [(language, *run) for run in runs]
        lacking = list(dict.fromkeys(key for key in keys if key not in self._runs))
        if lacking:
            trees = self._parser.parse_runs([run for _, *run in lacking], language)
            self._runs.update(zip(lacking, trees, strict=True))
        return [self._runs[key] for key in keys]

    def forget(self) -> None:
        """Frees the trees in memory."""
        self._trees.clear()
        self._runs.clear()
