"""Where something stands, in the words that people follow up."""

from collections.abc import Iterator
from pathlib import Path


def place(source: str, page: int | None, section: str) -> Iterator[str | tuple[str, str]]:
    """Source, page and section as parts of a line.

    >>> list(place("/tmp/a.pdf", 3, "Results > Main"))
    [('/tmp/a.pdf', 'bold'), ', page 3', (', Results > Main', 'dim')]
    """
    yield (short_source(source), "bold")
    if page is not None:
        yield f", page {page}"
    if section:
        yield (f", {section}", "dim")


def short_source(source: str) -> str:
    """The path as seen from here where it is below here, else as it is.

    >>> short_source("-")
    'standard input'
    """
    if source == "-":
        return "standard input"
    here = Path.cwd()
    return str(Path(source).relative_to(here)) if Path(source).is_relative_to(here) else source
