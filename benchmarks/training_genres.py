"""Builds texts of the genres that the treebank lacks, for a parser that learns from other parsers.

    TREATISE_DATA=FOLDER python benchmarks/training_genres.py --out data/texts/genres.jsonl.gz
        [--sources SOURCES] [--reader READER] [--published PUBLISHED]

SOURCES contains a folder per source of ``SOURCES`` below: a checkout of the repository of that name on GitHub, or the
files of the Debian package. Meetings and stories are the train splits of QMSum and FairytaleQA. With READER, the folder
with the sets that the reader learns from, there are also papers (the train split of QASPER) and articles of Wikipedia
(the passages of SQuAD 2.0 and SelQA). PUBLISHED is ``benchmarks/everyday/published.jsonl.gz``, documents under
permissive licences. Lines are in the format of ``treatise parse --input``: excerpts of 250 to 900 words that begin at a
paragraph, drawn at random and shuffled, so that any part of the file is a mixture of all genres.
"""

import argparse
import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

from inputs import data_file
from training_texts import paragraphs_of

from treatise.core.errors import SourceError
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.data.registry import dataset_named
from treatise.ingest import read_bytes, read_document

Paragraphs = list[list[str]]

SHORTEST: Final = 250
LONGEST: Final = 900
LONGEST_SENTENCE: Final = 120

_SPEAKER: Final = re.compile(r"^[A-Z][\w.'’,-]*(?: [A-Z][\w.'’,-]*){0,4} ?:(?=\s)")
_NO_PROSE: Final = re.compile(r"---|[IVXL]+\. .*\d$|\[?(?:Illustration|Footnote)")
_INSIDE_QUOTES: Final = re.compile(r"(?<=[a-z]{3}[.?!]) (?=[A-Z“\"])")  # the reader does not cut there, GUM does
_MARKS: Final = [
    (re.compile(pattern), instead)
    for pattern, instead in {
        r"\u2060": "",
        r"\\?\[\d+:\d+(?::\d+)?(?:\.\d+)?\\?\]": "",  # times
        r"!?\[([^\]]*)\]\([^)]*\)": r"\1",  # pictures and links
        r"<[^>]*>|\{\w+\}|\*\*|__|\\": "",
        r"(?<!\w)[_*](?=\w)|(?<=[\w.!?])[_*](?!\w)": "",
        r"^\s*(?:#+|[-*>]|\d+\.)\s+": "",
        r"(?<=\w) (?=(?:'s|n't|'re|'ve|'ll|'m|'d)\b|[,.?!;:](?:\s|$))": "",  # as QMSum is tokenised
    }.items()
]


@dataclass(frozen=True, slots=True)
class Source:
    """A repository or package.

    Attributes:
        pages: Pattern of its documents.
        words: Number of words to draw.
        leave: Pattern of names that are left out.
        per_page: Maximum excerpts of a document.
    """

    pages: str
    words: int
    leave: str = "$^"
    per_page: int = 4


_BOOK: Final = r"titlepage|imprint|colophon|uncopyright|endnotes|dedication|loi|epigraph|foreword|introduction"

SOURCES: Final = {
    # fiction, public domain: Standard Ebooks
    "philip-k-dick_short-fiction": Source("src/epub/text/*.xhtml", 70_000, _BOOK),
    "robert-sheckley_short-fiction": Source("src/epub/text/*.xhtml", 70_000, _BOOK),
    "h-beam-piper_short-fiction": Source("src/epub/text/*.xhtml", 30_000, _BOOK),
    "o-henry_short-fiction": Source("src/epub/text/*.xhtml", 30_000, _BOOK),
    "saki_short-fiction": Source("src/epub/text/*.xhtml", 20_000, _BOOK),
    # essays, public domain (Standard Ebooks) and CC BY 4.0 (Open Source Guides)
    "henry-david-thoreau_essays": Source("src/epub/text/*.xhtml", 50_000, _BOOK),
    "ralph-waldo-emerson_essays": Source("src/epub/text/*.xhtml", 40_000, _BOOK),
    "opensource.guide": Source("_articles/*.md", 50_000),
    # letters, public domain: Project Gutenberg, as GITenberg
    "Letters-of-a-Woman-Homesteader_16623": Source("16623.txt", 60_000, per_page=100),
    "Letters-of-Anton-Chekhov-to-His-Family-and-Friends_6408": Source("6408.txt", 60_000, per_page=100),
    # how to do things: CC BY-SA 3.0 (debian-handbook), Unlicense (based.cooking), CC0 1.0 (18F methods)
    "debian-handbook": Source("*.html", 90_000, "index|^pr|ix01"),
    "based.cooking": Source("content/*.md", 50_000, "_index"),
    "methods": Source("_methods/*.md", 20_000, "_template"),
    # podcasts, CC BY-SA 4.0: Changelog Media
    "transcripts": Source("*/*.md", 160_000, r"README|CONTRIBUTING|^news"),
}
SETS: Final = {"qmsum": 140_000, "fairytaleqa": 80_000}
PAPERS: Final = {"qasper": 200_000}
PASSAGES: Final = {"squad2": 120_000, "selqa": 280_000}
ALL: Final = 1_000_000
"""More words than a set has."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--reader", type=Path)
    parser.add_argument("--published", type=Path)
    options = parser.parse_args()
    lines: list[str] = []
    for name, source in SOURCES.items() if options.sources else ():
        lines += drawn(name, of_source(options.sources / name, source), source.words, source.per_page)
    for name, words in {**SETS, **(PAPERS if options.reader else {})}.items():
        lines += drawn(name, of_set(name), words)
    for name, words in PASSAGES.items() if options.reader else ():
        lines += drawn(name, of_passages(options.reader / f"{name}-train.jsonl.gz"), words, per_page=20)
    if options.published:
        lines += drawn("published", of_published(options.published), ALL)
    random.Random(2).shuffle(lines)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))  # deterministic: same data, same bytes


def of_source(folder: Path, source: Source) -> Iterator[tuple[str, Paragraphs]]:
    """The documents of a source, at random: each page's name and its paragraphs."""
    pages = [page for page in sorted(folder.glob(source.pages)) if not re.search(source.leave, page.name)]
    if not pages:
        raise SystemExit(f"{folder}: no {source.pages}; put the source there first")
    for page in random.Random(1).sample(pages, len(pages)):
        try:
            document = read_document(page, language="en")
        except SourceError as error:
            print(f"{page}: left out: {error}")
            continue
        yield page.stem, paragraphs_of(LabelledDocument(document, ()))


def of_set(name: str) -> Iterator[tuple[str, Paragraphs]]:
    """The documents of a data set's train split, at random."""
    documents = list(dataset_named(name).load(data_file(name, "train")))
    for labelled in random.Random(1).sample(documents, len(documents)):
        yield labelled.document.id, paragraphs_of(labelled)


def of_passages(path: Path) -> Iterator[tuple[str, Paragraphs]]:
    """The articles of a set of questions, at random: neighbouring passages of one title, a paragraph each."""
    rows = map(json.loads, gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())
    passages = dict.fromkeys((row["title"], row["context"]) for row in rows)
    articles = [[text for _, text in group] for _, group in groupby(passages, key=itemgetter(0))]
    for number in random.Random(1).sample(range(len(articles)), len(articles)):
        paragraphs = [" ".join(text.split()) for text in articles[number]]
        document = read_bytes("\n\n".join(paragraphs).encode(), name=f"{number}.txt", language="en")
        yield str(number), paragraphs_of(LabelledDocument(document, ()))


def of_published(path: Path) -> Iterator[tuple[str, Paragraphs]]:
    """The texts of a file of published documents, in Markdown; a name is the number of its line."""
    for number, row in enumerate(map(json.loads, gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())):
        document = read_bytes(row["text"].encode(), name=f"{number}.md", language="en")
        yield str(number), paragraphs_of(LabelledDocument(document, ()))


def drawn(name: str, documents: Iterator[tuple[str, Paragraphs]], n_words: int, per_page: int = 4) -> list[str]:
    """Lines of excerpts, up to the word count."""
    chance, lines, n_all = random.Random(name), [], n_words
    for page, paragraphs in documents:
        found = list(excerpts([kept for kept in map(prose, paragraphs) if kept], chance))
        for number, excerpt in enumerate(chance.sample(found, min(per_page, len(found)))):
            if n_words <= 0:
                break
            if max(len(sentence.split()) for paragraph in excerpt for sentence in paragraph) > LONGEST_SENTENCE:
                continue
            row = {"id": f"{name}/{page}/{number}", "lang": "en", "level": "sentence", "paragraphs": excerpt}
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
            n_words -= count(excerpt)
        if n_words <= 0:
            break
    print(name, len(lines), "texts,", n_all - n_words, "words")
    return lines


def prose(paragraph: Sequence[str]) -> list[str]:
    """The paragraph without marks of layout, speakers and times; empty unless it is mostly words."""
    if paragraph and _NO_PROSE.match(paragraph[0]):
        return []
    found = [part for sentence in paragraph for part in _INSIDE_QUOTES.split(plain(sentence))]
    if found:
        found[0] = _SPEAKER.sub("", found[0]).strip()
    text = " ".join(found)
    letters = sum(character.isalpha() or character.isspace() for character in text)
    kept = [sentence for sentence in found if sentence]
    return kept if letters > 0.85 * len(text) else []


def plain(sentence: str) -> str:
    for pattern, instead in _MARKS:
        sentence = pattern.sub(instead, sentence)
    return " ".join(sentence.split())


def excerpts(paragraphs: Paragraphs, chance: random.Random) -> Iterator[Paragraphs]:
    """The text in consecutive excerpts of random length; what is too short at the end is left out."""
    some: Paragraphs = []
    wanted = chance.randint(SHORTEST, LONGEST)
    for paragraph in paragraphs:
        if some and count([*some, paragraph]) > LONGEST:
            if count(some) >= SHORTEST:
                yield some
            some = []
        if count([paragraph]) <= LONGEST:
            some.append(paragraph)
        if count(some) >= wanted:
            yield some
            some, wanted = [], chance.randint(SHORTEST, LONGEST)
    if count(some) >= SHORTEST:
        yield some


def count(paragraphs: Paragraphs) -> int:
    return sum(len(sentence.split()) for paragraph in paragraphs for sentence in paragraph)


if __name__ == "__main__":
    main()
