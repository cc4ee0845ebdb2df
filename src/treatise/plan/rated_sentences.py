"""The relevance of each retrieved sentence to a question: the input of rule-based planning."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from treatise.core.graph import Chunk
from treatise.core.plan import Part
from treatise.core.ports import Encoder
from treatise.core.scripts import UNSPACED
from treatise.core.standalone import MIN_WORDS, asserts, is_marked_heading, is_prose
from treatise.core.vectors import Floats
from treatise.core.words import n_words

_WORD: Final = re.compile(r"\w+")
_LEXICAL: Final = 0.3  # weight of the share of the question's words, by rarity
_UNFINISHED: Final = 0.1  # penalty of an incomplete sentence: a heading, or one truncated at a chunk's edge
_NO_PROSE: Final = 0.2  # penalty of a run of names and numbers: a list, a table row
_LONGEST_LIST: Final = 25  # words; a longer run of names and numbers, such as a web menu, is not usable
_OTHER_YEARS: Final = 0.1  # penalty of a sentence that names years, but not the question's
_YEAR: Final = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_ENDED: Final = re.compile(r"[.!。！…][\"'”’)\]»）]*$")


@dataclass(frozen=True, slots=True)
class RatedSentences:
    """The sentences of all chunks in order, one row each.

    Attributes:
        parts: The chunk and span of each sentence.
        texts: Their texts.
        vectors: L2-normalised, by the encoder. Shape ``(n, dim)``.
        relevance: Cosine with the question, plus shared words, less penalties for incomplete sentences, text that is
            not prose, and years other than the question's. Shape ``(n,)``.
        usable: Whether the sentence can be quoted: no question, heading, menu or order to a model. Shape ``(n,)``.
    """

    parts: tuple[Part, ...]
    texts: tuple[str, ...]
    vectors: Floats
    relevance: Floats
    usable: np.ndarray

    def best_in(self, chunk: int) -> int | None:
        """The row of the chunk's most relevant usable sentence, if it has one."""
        rows = self.rows_of(chunk)
        return max(rows, key=lambda row: float(self.relevance[row]), default=None)

    def rows_of(self, chunk: int) -> list[int]:
        """The usable rows of a chunk."""
        return [row for row, part in enumerate(self.parts) if part.chunk == chunk and self.usable[row]]


def rate_sentences(question: str, chunks: Sequence[Chunk], encoder: Encoder) -> RatedSentences:
    """The sentences of the chunks, rated by relevance to the question."""
    parts = [Part(i, span) for i, chunk in enumerate(chunks) for span in chunk.sentences]
    texts = [chunks[part.chunk].quote(part.span) for part in parts]
    asked, vectors = encoder.encode_questions([question])[0], encoder.encode(texts)
    unfinished = np.array([not _ENDED.search(text) or text[0].islower() for text in texts], dtype=np.float32)
    relevance = vectors @ asked + _LEXICAL * _shared(question, texts) - _UNFINISHED * unfinished
    relevance -= _NO_PROSE * np.array([not is_prose(text) for text in texts], dtype=np.float32)
    relevance -= _OTHER_YEARS * _of_other_years(question, texts)
    usable = np.array([_says_something(text) for text in texts], dtype=bool)
    return RatedSentences(tuple(parts), tuple(texts), vectors, relevance.astype(np.float32), usable)


def words_of(text: str) -> set[str]:
    """Words in lower case, and single characters of scripts without spaces."""
    lower = text.casefold()
    unspaced = {character for run in UNSPACED.findall(lower) for character in run}
    return unspaced | set(_WORD.findall(UNSPACED.sub(" ", lower)))


def _shared(question: str, texts: Sequence[str]) -> Floats:
    """Share of the question's words found in each text, weighted by their rarity among the texts."""
    asked, found = words_of(question), [words_of(text) for text in texts]
    n_with = Counter(word for words in found for word in words & asked)
    rarity = {word: math.log(1 + len(texts) / n) for word, n in n_with.items()}
    total = sum(rarity.values()) or 1.0
    return np.array([sum(rarity[word] for word in words & asked) / total for words in found], dtype=np.float32)


def _of_other_years(question: str, texts: Sequence[str]) -> Floats:
    """1 for a text that names years, but none of those that the question names; else 0."""
    asked = set(_YEAR.findall(question))
    named = [set(_YEAR.findall(text)) for text in texts]
    return np.array([bool(asked and years and not asked & years) for years in named], dtype=np.float32)


def _says_something(text: str) -> bool:
    is_said = n_words(text) >= MIN_WORDS and (n_words(text) <= _LONGEST_LIST or is_prose(text))
    return is_said and not is_marked_heading(text) and asserts(text)
