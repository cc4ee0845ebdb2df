"""What indexing would cost: ``treatise index --estimate``."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final

from treatise.cli.explain import read_named
from treatise.cli.output import Line, line
from treatise.cli.places import short_source
from treatise.cli.progress import duration
from treatise.cli.records import Record
from treatise.cli.sources import Named, data_of

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.pipeline import Library

_SAMPLE_CHARS: Final = 8_000  # some sixty sentences: a third of a second with the built-in encoder


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one source would cost.

    Attributes:
        source: As the user named it.
        words, sentences: Of the whole document.
        seconds: Time to index it on this machine, from the time that its beginning takes.
        llm_calls: Requests to a language model.
    """

    source: str
    words: int
    sentences: int
    seconds: float
    llm_calls: int


def estimate(library: "Library", named: Named) -> Estimate:
    """Reads a source and indexes its beginning, to see how long all of it would take; nothing is stored.

    Raises:
        SourceError: Where the source cannot be read.
    """
    from treatise.pipeline import index_document

    document, report = read_named(named, data_of(named))
    sample = _beginning(document)
    started = time.monotonic()
    index_document(sample, library.recipe.indexing, encoder=library.encoder, parser=library.parser)
    seconds = (time.monotonic() - started) * len(document.text) / len(sample.text)
    notes = library.estimate_notes([document])
    return Estimate(named.name, report.n_words, report.n_sentences, round(seconds + notes.seconds, 2), notes.n_calls)


def estimate_lines(estimates: Sequence[Estimate]) -> Iterator[Line]:
    """One line a source, and the sum of several."""
    for each in estimates:
        yield line((short_source(each.source), "bold"), f": {_cost(each)}")
    if len(estimates) > 1:
        yield line(("together", "bold"), f": {_cost(_total(estimates))}")


def estimates_record(estimates: Sequence[Estimate]) -> Record:
    """The estimates as JSON."""
    total = asdict(_total(estimates))
    return {"estimates": [asdict(each) for each in estimates], "total": total | {"source": None}}


def _cost(each: Estimate) -> str:
    calls = f"{each.llm_calls:,} calls of a language model" if each.llm_calls else "no call of a language model"
    return f"{each.words:,} words, {each.sentences:,} sentences, about {duration(each.seconds)}, {calls}"


def _total(estimates: Sequence[Estimate]) -> Estimate:
    return Estimate(
        source="",
        words=sum(each.words for each in estimates),
        sentences=sum(each.sentences for each in estimates),
        seconds=round(sum(each.seconds for each in estimates), 2),
        llm_calls=sum(each.llm_calls for each in estimates),
    )


def _beginning(document: "Document") -> "Document":
    """The document up to the end of the paragraph in which the sample's last character stands."""
    end = document.paragraph_at(min(_SAMPLE_CHARS, len(document.text)) - 1).end
    return replace(
        document,
        text=document.text[:end],
        sections=tuple(section for section in document.sections if section.start < end),
        paragraphs=tuple(paragraph for paragraph in document.paragraphs if paragraph.end <= end),
        page_starts=tuple(start for start in document.page_starts if start < end),
    )
