"""Builds the files of the multilingual span reader: questions in many languages, with sentences of their article.

    python benchmarks/training_reader_languages.py --data DATA --english DATA/span-reader --out DATA/span-reader

Writes ``languages-train.jsonl.gz`` and ``languages-dev.jsonl.gz`` from XQuAD, JaQuAD and CMRC 2018 in ``DATA/reader``,
and from some of the English examples that ``benchmarks/training_reader_documents.py`` and ``training_reader_more.py``
wrote. Lines are those of ``benchmarks/training_reader.py``. A third of the questions has no answer: their answering
sentences are left out, a year, number or name in them is replaced, or they are put to another article. Some of XQuAD's
are put in another language than their passages'. With ``--rounds 3`` the training part has every question three times,
each with other passages drawn.
"""

import argparse
import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
from training_reader import Example, Row, read

from treatise.core.document import ParagraphKind
from treatise.core.indexed import Lexicon
from treatise.core.scripts import UNSPACED
from treatise.ingest.sentences import sentence_lengths
from treatise.retrieve.lexical import Collection, bm25, build_lexicon

LIMITS = {**dict.fromkeys(("de", "es", "ru", "zh", "en", "ro", "tr", "vi", "el"), 855), "ja": 9000, "zh-cmrc": 9000}
"""Questions of each language in a round, at most."""
ENGLISH = {"documents": 6000, "more": 3000}
ABROAD = 0.2
"""Share of XQuAD's questions that are put in another language than their passages'."""
DEV_LIMIT, DEV_ENGLISH = 40, 80
LOST, CHANGED, ELSEWHERE = 0.12, 0.18, 0.06
"""Share of questions that lose their answering sentences, are changed, or are put to another article."""
TOKENS = (110, 150, 190, 190)  # limit of passages: about one row
SMALL = 12  # an article with fewer sentences is filled up from the others of its language

YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20[0-4]\d)(?!\d)")
NUMBER = re.compile(r"(?<![\d.,])(?:[2-9]|[1-9]\d+)(?![\d.,])")
NAME = re.compile(r"(?<!^)(?<![.?!¿] )\b[^\W\d_a-zа-яα-ω][\w'’.-]{2,}|[ァ-ヴー]{3,}|(?<![\w])[A-Za-z][\w.-]{2,}")


@dataclass(frozen=True)
class Pool:
    """Sentences in order, and their index."""

    texts: tuple[str, ...]
    lexicon: Lexicon
    language: str

    @classmethod
    def of(cls, contexts: Sequence[str], language: str) -> "Pool":
        texts = tuple(context[a:b] for context in contexts for a, b in sentences(context, language))
        return cls(texts, build_lexicon(texts, language), language)

    def best(self, question: str, chance: random.Random) -> list[str]:
        """The sentences that match best, in order; random numbers decide near ties."""
        among = Collection.of([self.lexicon], question, [self.language])
        one = np.arange(len(self.texts), dtype=np.int32)
        scores = bm25(self.lexicon, question, np.stack([one, one + 1], axis=1), self.language, among)
        noise = np.array([chance.random() for _ in range(len(scores))])
        return [self.texts[i] for i in np.argsort(-(scores * (0.8 + 0.4 * noise)), kind="stable")[:40]]


@dataclass(frozen=True)
class Language:
    """The questions of a language: those to draw from, the articles, and the names in them."""

    name: str
    rows: list[Row]
    pools: dict[str, Pool]
    whole: Pool
    names: tuple[str, ...]

    @classmethod
    def of(cls, name: str, rows: list[Row]) -> "Language":
        language = name.partition("-")[0]
        contexts: dict[str, dict[str, None]] = defaultdict(dict)
        for row in rows:
            contexts[row["title"]][row["context"]] = None
        pools = {title: Pool.of(list(own), language) for title, own in contexts.items()}
        whole = Pool.of([context for own in contexts.values() for context in own], language)
        found = {answer["text"] for row in rows for answer in row["answers"] if 2 <= len(answer["text"]) <= 24}
        return cls(name, rows, pools, whole, tuple(sorted(found)))

    def ranked(self, row: Row, chance: random.Random) -> list[str]:
        """The best sentences of the question's article, then of the others if it is short."""
        own = self.pools[row["title"]]
        found = own.best(row["question"], chance)
        return found if len(own.texts) >= SMALL else found + self.whole.best(row["question"], chance)[:12]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "english", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=1, help="times that each training question is drawn")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for part in ("train", "dev"):
        n_rounds = options.rounds if part == "train" else 1
        made = list(all_examples(options.data / "reader", options.english, part, n_rounds))
        content = gzip.compress("".join(example.line() for example in made).encode(), mtime=0)
        (options.out / f"languages-{part}.jsonl.gz").write_bytes(content)
        counts = Counter((example.set, example.kind) for example in made)
        print(part, len(made), json.dumps({" ".join(key): n for key, n in sorted(counts.items())}))


def all_examples(data: Path, english: Path, part: str, n_rounds: int) -> Iterator[Example]:
    is_train = part == "train"
    languages = by_language(data, part)
    abroad = put_abroad(languages) if is_train else {}
    for name, rows in languages.items():
        chance = random.Random(f"languages {name} {part}")
        language = Language.of(name, rows)
        limit = LIMITS[name] if is_train else DEV_LIMIT
        drawn = chain.from_iterable(chance.sample(rows, min(limit, len(rows))) for _ in range(n_rounds))
        for row in drawn:
            if example := from_row(language, row, chance):
                others = abroad.get(row["id"], ())
                is_foreign = bool(others) and chance.random() < ABROAD and not example.id.endswith("-changed")
                yield replace(example, question=chance.choice(others)) if is_foreign else example
    chance = random.Random(f"languages english {part}")
    for name, limit in ENGLISH.items() if is_train else [("documents", DEV_ENGLISH)]:
        rows = list(read(english / f"{name}-{part}.jsonl.gz"))
        for row in chance.sample(rows, min(limit, len(rows))):
            answers = tuple((int(a), int(b), int(c)) for a, b, c in row["answers"])
            yield Example(row["id"], row["set"], row["question"], tuple(row["passages"]), answers, row["kind"])


def by_language(data: Path, part: str) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in read(data / f"xquad-{part}.jsonl.gz"):
        found[row["lang"]].append(row)
    found["ja"] = list(read(data / f"jaquad-{part}.jsonl.gz"))
    found["zh-cmrc"] = list(read(data / f"cmrc2018-{part}.jsonl.gz"))
    return {name: found[name] for name in LIMITS if found[name]}


def put_abroad(languages: Mapping[str, Sequence[Row]]) -> dict[str, list[str]]:
    """The same question in the other languages of XQuAD, whose ids are alike after the language's name."""
    asked: dict[str, dict[str, str]] = defaultdict(dict)
    for row in chain.from_iterable(languages.values()):
        if row["id"].startswith("xq-"):
            asked[row["id"].rpartition("-")[2]][row["id"]] = row["question"]
    return {
        own: [question for other, question in same.items() if other != own] for same in asked.values() for own in same
    }


def from_row(language: Language, row: Row, chance: random.Random) -> Example | None:
    """The question with its answering sentences and the best others; or, by chance, without an answer."""
    lot = chance.random()
    variants = [answer["text"].lower() for answer in row["answers"]]
    ranked = language.ranked(row, chance)
    free = [one for one in ranked if not any(variant in one.lower() for variant in variants)]
    if lot < LOST:
        return without_answer(language, row, "lost", free, chance)
    if lot < LOST + ELSEWHERE:
        other = language.pools[chance.choice(sorted(language.pools.keys() - {row["title"]}))]
        ranked = [one for one in other.best(row["question"], chance) if not any(v in one.lower() for v in variants)]
        return without_answer(language, row, "elsewhere", ranked, chance)
    example = with_answer(language, row, ranked, chance)
    return example and ((lot < LOST + ELSEWHERE + CHANGED and changed(example, language, chance)) or example)


def without_answer(language: Language, row: Row, why: str, passages: Sequence[str], chance: random.Random) -> Example:
    kept = tuple(filled([], passages, chance))
    return Example(f"{row['id']}-{why}", language.name, row["question"], kept, (), "none")


def with_answer(language: Language, row: Row, ranked: Sequence[str], chance: random.Random) -> Example | None:
    text = row["context"]
    spans = [(a["start"], a["start"] + len(a["text"])) for a in row["answers"]]
    pieces = list(sentences(text, language.name.partition("-")[0]))
    gold = {text[a:b]: a for a, b in pieces if any(a <= start and end <= b for start, end in spans)}
    if not gold:
        return None
    passages = filled(list(gold), ranked, chance)
    places = {one: i for i, one in enumerate(ranked)}
    anywhere = [chance.randrange(len(passages)) for _ in passages]
    at = {
        one: places[one] if one in places and chance.random() < 0.85 else lot
        for one, lot in zip(passages, anywhere, strict=True)
    }
    passages = sorted(passages, key=lambda one: at[one])
    answers = tuple(
        (passages.index(sentence), start - a, end - a)
        for start, end in spans
        for sentence, a in gold.items()
        if a <= start and end <= a + len(sentence)
    )
    return Example(row["id"], language.name, row["question"], tuple(passages), answers, "span")


def changed(example: Example, language: Language, chance: random.Random) -> Example | None:
    """The question with a year, number or name that its passages do not have; None if it has none to change."""
    question, text = example.question, " ".join(example.passages).lower()
    if found := list(YEAR.finditer(question)):
        match = chance.choice(found)
        a, b, other = *match.span(), str(int(match[0]) + chance.choice((-40, -12, -7, -3, -2, -1, 1, 2, 3, 4, 7, 11)))
    elif found := [m for m in NUMBER.finditer(question) if m[0] in text]:
        match = chance.choice(found)
        a, b, other = *match.span(), str(max(2, int(match[0]) * chance.choice((2, 3, 10)) + chance.choice((0, 1))))
    elif places := names_in(question, text, language):
        (a, b), other = chance.choice(places), chance.choice(language.names)
    else:
        return None
    if not other or other.lower() in text or other.lower() in question.lower():
        return None
    new = question[:a] + other + question[b:]
    return Example(f"{example.id}-changed", example.set, new, example.passages, (), "none")


def names_in(question: str, text: str, language: Language) -> list[tuple[int, int]]:
    """Places of names of the question that the passages also have."""
    found = [match.span() for match in NAME.finditer(question) if match[0].lower() in text]
    if not found and UNSPACED.search(question):
        known = [one for one in language.names if len(one) > 1 and one in question and one.lower() in text]
        found = [(question.index(one), question.index(one) + len(one)) for one in known]
    return found


def filled(first: Sequence[str], rest: Sequence[str], chance: random.Random) -> list[str]:
    """The first texts and as many others as fit."""
    room = chance.choice(TOKENS) - sum(map(n_tokens, first))
    kept = list(dict.fromkeys(first))
    for one in rest:
        if one not in kept and n_tokens(one) <= room:
            kept.append(one)
            room -= n_tokens(one)
    return kept


def n_tokens(text: str) -> int:
    """About the number of its tokens."""
    return 2 + round(len(text) * (0.62 if UNSPACED.search(text) else 0.27))


def sentences(text: str, language: str) -> Iterator[tuple[int, int]]:
    """The ranges, stripped of white space."""
    for paragraph in re.finditer(r"[^\n]+", text):
        at = paragraph.start()
        for length in sentence_lengths(paragraph[0], ParagraphKind.PROSE, language):
            piece = text[at : at + length]
            if piece.strip():
                start = at + len(piece) - len(piece.lstrip())
                yield start, start + len(piece.strip())
            at += length


if __name__ == "__main__":
    main()
