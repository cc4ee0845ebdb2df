"""BM25 over the units of documents, and over their inner nodes without a second index."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import Stemmer

from treatise.core.corpus import CorpusStatistics
from treatise.core.indexed import Lexicon
from treatise.core.scripts import UNSPACED
from treatise.core.vectors import Floats

K1: Final = 1.2
B: Final = 0.75

_WORD: Final = re.compile(r"\w+", re.UNICODE)
_STEMMERS: Final = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
STOP_WORDS: Final = frozenset((
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "could", "did", "do", "does", "for", "from",
    "had", "has", "have", "how", "i", "in", "is", "it", "its", "of", "on", "or", "our", "should", "that",
    "the", "their", "them", "there", "these", "they", "this", "those", "to", "was", "we", "were", "what",
    "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
))  # fmt: skip
"""English words that are no terms."""
_ONLY_ENGLISH: Final = frozenset(
    ("and", "are", "did", "does", "how", "is", "of", "the", "were", "what", "when", "where", "which", "who", "why")
)
_STOP: Final = {"en": STOP_WORDS}


def terms(text: str, language: str = "en") -> list[str]:
    """Stems of the words, lower-cased, without accents and stop words; character bigrams in unspaced scripts.

    >>> terms("The Models of cafés")
    ['model', 'cafe']
    >>> terms("东京大学", "zh")
    ['东京', '京大', '大学']
    """
    words = _WORD.findall(_fold(text))
    stop = _STOP.get(language, frozenset())
    found: list[str] = []
    spaced: list[str] = []
    for word in words:
        if UNSPACED.search(word):
            found += _unspaced_terms(word)
        elif word not in stop:
            spaced.append(word)
    return found + (_stems(spaced, language) if spaced else [])


@lru_cache(maxsize=1 << 10)
def distinct_terms(question: str, language: str = "en") -> tuple[str, ...]:
    """The different terms of a question to documents in a language, sorted; cached, since every document asks for them.

    Stop words of an English question are none in documents of any language: where they are rare they would outweigh
    all else.
    """
    words = _WORD.findall(_fold(question))
    kept = [word for word in words if word not in STOP_WORDS] if not _ONLY_ENGLISH.isdisjoint(words) else words
    return tuple(sorted(set(terms(" ".join(kept), language) or terms(question, language))))


def _stems(words: list[str], language: str) -> list[str]:
    stemmer = _stemmer(language)
    return stemmer.stemWords(words) if stemmer else words


@cache
def _stemmer(language: str) -> Any:
    return Stemmer.Stemmer(_STEMMERS[language]) if language in _STEMMERS else None


def build_lexicon(texts: Sequence[str], language: str = "en") -> Lexicon:
    """The postings of the texts' terms, one text per unit."""
    numbers: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    lengths = np.zeros(len(texts), dtype=np.int32)
    for unit, text in enumerate(texts):
        counts = Counter(terms(text, language))
        lengths[unit] = counts.total()
        rows += [(numbers.setdefault(term, len(numbers)), unit, min(n, 65_535)) for term, n in counts.items()]
    hashes = np.array([term_hash(term) for term in numbers], dtype=np.uint64)
    order = np.argsort(hashes, kind="stable")
    postings = np.array(rows, dtype=np.int64).reshape(-1, 3)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    term = rank[postings[:, 0]]
    by_term = np.argsort(term, kind="stable")  # rows are in unit order, so units stay ascending within a term
    return Lexicon(
        terms=hashes[order],
        starts=np.searchsorted(term[by_term], np.arange(len(order) + 1)).astype(np.int64),
        units=postings[by_term, 1].astype(np.int32),
        counts=postings[by_term, 2].astype(np.uint16),
        lengths=lengths,
    )


@dataclass(frozen=True, slots=True)
class Collection:
    """Statistics for BM25 over the units of all documents.

    Attributes:
        n_units: Number of units.
        mean_length: Their mean number of terms.
        n_with: Number of units that contain each term of the question.
    """

    n_units: int
    mean_length: float
    n_with: Mapping[str, int]

    @classmethod
    def of_corpus(cls, corpus: CorpusStatistics) -> "Collection":
        """The statistics of a whole library."""
        return cls(corpus.n_units, corpus.mean_length, corpus.n_with)

    @classmethod
    def of(cls, lexicons: Sequence[Lexicon], question: str, languages: Iterable[str]) -> "Collection":
        """The statistics of these documents; ``languages`` are all of theirs."""
        wanted = sorted({term for language in languages for term in distinct_terms(question, language)})
        lengths = [lexicon.lengths for lexicon in lexicons]
        n_units = sum(map(len, lengths))
        return cls(
            n_units=n_units,
            mean_length=max(1.0, sum(int(of_one.sum()) for of_one in lengths) / max(1, n_units)),
            n_with={term: sum(len(postings_of(lexicon, term)[0]) for lexicon in lexicons) for term in wanted},
        )


def bm25(
    lexicon: Lexicon,
    question: str,
    ranges: npt.NDArray[np.int32],
    language: str = "en",
    collection: Collection | None = None,
) -> Floats:
    """BM25 of each node for the question's distinct terms. Shape ``(n_nodes,)``, float32, not negative.

    A node counts as the text of its units. Rarity and mean length are those of units, so that a node's score does not
    depend on the tree; with a ``collection``, of its units, so that scores are comparable across its documents.
    ``ranges`` has shape ``(n_nodes, 2)``, half-open unit ranges.
    """
    scores = np.zeros(len(ranges), dtype=np.float64)
    if not len(lexicon.lengths) or not len(ranges):
        return scores.astype(np.float32)
    among = collection or Collection.of([lexicon], question, [language])
    norm = K1 * (1 - B + B * _sums(lexicon.lengths, ranges) / among.mean_length)
    for term in distinct_terms(question, language):
        units, counts = postings_of(lexicon, term)
        if len(units):
            idf = np.log1p((among.n_units - among.n_with[term] + 0.5) / (among.n_with[term] + 0.5))
            column = np.zeros(len(lexicon.lengths), dtype=np.int64)
            column[units] = counts
            tf = _sums(column, ranges)
            scores += idf * tf * (K1 + 1) / (tf + norm)
    return scores.astype(np.float32)


def bm25_of_texts(collection: Collection, question: str, texts: Sequence[str], language: str = "en") -> Floats:
    """BM25 of other texts, with the rarity and mean length of the units. Shape ``(len(texts),)``."""
    counts = [_counts(text, language) for text in texts]
    length = np.array([count.total() for count in counts], dtype=np.float64)
    norm = K1 * (1 - B + B * length / collection.mean_length)
    scores = np.zeros(len(texts), dtype=np.float64)
    for term in distinct_terms(question, language):
        n_with = collection.n_with[term]
        idf = np.log1p((collection.n_units - n_with + 0.5) / (n_with + 0.5))
        tf = np.array([count[term] for count in counts], dtype=np.float64)
        scores += idf * tf * (K1 + 1) / (tf + norm)
    return scores.astype(np.float32)


@lru_cache(maxsize=1 << 16)
def _counts(text: str, language: str) -> Counter[str]:
    """The terms of a note, cached: the same notes are scored for every question."""
    return Counter(terms(text, language))


def coverage(lexicon: Lexicon, question: str, units: Sequence[int], language: str = "en") -> float:
    """Share of the question's rarity (sum of idf) covered by terms of the units; 0 to 1."""
    n_units, total, held = len(lexicon.lengths), 0.0, 0.0
    is_wanted = np.zeros(n_units, dtype=bool)
    is_wanted[np.array(units, dtype=np.int64)] = True
    for term in distinct_terms(question, language):
        found, _ = postings_of(lexicon, term)
        idf = float(np.log1p((n_units - len(found) + 0.5) / (len(found) + 0.5)))
        total += idf
        held += idf * bool(is_wanted[found].any())
    return held / total if total else 0.0


def unknown_share(lexicons: Sequence[Lexicon], question: str, language: str) -> float:
    """The share of the question's terms that none of the documents has, 0 to 1."""
    wanted = set(distinct_terms(question, language))
    unknown = [term for term in wanted if not any(len(postings_of(one, term)[0]) for one in lexicons)]
    return len(unknown) / len(wanted) if wanted else 0.0


def postings_of(lexicon: Lexicon, term: str) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint16]]:
    """The units that contain a term, ascending, and how often each does."""
    wanted = np.uint64(term_hash(term))
    at = int(np.searchsorted(lexicon.terms, wanted))
    if at == len(lexicon.terms) or lexicon.terms[at] != wanted:
        return lexicon.units[:0], lexicon.counts[:0]
    here = slice(int(lexicon.starts[at]), int(lexicon.starts[at + 1]))
    return lexicon.units[here], lexicon.counts[here]


def _sums(column: npt.NDArray[np.integer], ranges: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    running = np.concatenate([[0], np.cumsum(column, dtype=np.int64)])
    sums: npt.NDArray[np.float64] = (running[ranges[:, 1]] - running[ranges[:, 0]]).astype(np.float64)
    return sums


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold()) if not text.isascii() else text.lower()
    return plain if plain.isascii() else "".join(c for c in plain if not unicodedata.combining(c))


def _unspaced_terms(word: str) -> list[str]:
    found: list[str] = []
    at = 0
    for run in UNSPACED.finditer(word):
        found += [word[at : run.start()]] if run.start() > at else []
        characters = run.group()
        found += [a + b for a, b in pairwise(characters)] or [characters]
        at = run.end()
    return found + ([word[at:]] if at < len(word) else [])


@lru_cache(maxsize=1 << 14)
def term_hash(term: str) -> int:
    """The hash of a term in a lexicon, 64 bits."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
