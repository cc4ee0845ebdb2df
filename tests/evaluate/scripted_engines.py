"""Engines without models that behave like models: every request has a valid reply that depends on it."""

import json
import re
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from random import Random

from tests.evaluate.paper_data import QUESTION
from treatise.core.document import Document, Span
from treatise.core.graph import Chunk, ChunkTree, Link
from treatise.core.ports import Message, Progress
from treatise.core.recipe import ParsedBy
from treatise.core.tree import DiscourseTree, Nuclearity, build_tree
from treatise.pipeline.engines import Engines
from treatise.plan.relations import MARKERS
from treatise.testing import HashingEncoder, ScriptedModel, ScriptedReranker

_RELATIONS = ("elaboration", "cause", "contrast", "condition", "background", "evidence")
_SIDES = (("left", Nuclearity.NS), ("right", Nuclearity.SN), ("both", Nuclearity.NN))
_SENTENCE = re.compile(r"[^.]+\.?")


def seeded(*texts: str) -> Random:
    """Random numbers that depend on the texts alone."""
    return Random(blake2b("\0".join(texts).encode(), digest_size=8).digest())


def random_joins(n_units: int, random: Random) -> list[tuple[int, int, int, Nuclearity, str]]:
    """A random binary tree over so many units."""
    joins, pending = [], [(0, n_units)]
    while pending:
        start, end = pending.pop()
        if end - start > 1:
            split = random.randint(start + 1, end - 1)
            joins.append((start, split, end, random.choice(_SIDES)[1], random.choice(_RELATIONS)))
            pending += [(start, split), (split, end)]
    return joins


def scripted_engines() -> Engines:
    """All engines of a table; no two requests of different content get the same reply."""
    return Engines(
        encoder=HashingEncoder(64, reads_context=True),
        parser=RandomParser(),
        model=ScriptedModel(speak),
        reranker=ScriptedReranker(lambda question, text: seeded(question, text).random()),
        chunk_parser=RandomChunkParser(),
        papers_parsers={name: RandomParser(name) for name in ParsedBy if name is not ParsedBy.SETTINGS},
    )


class RandomParser:
    """A ``Parser`` whose trees depend on the texts alone, and are neither balanced nor chains."""

    def __init__(self, name: str = "random-parser") -> None:
        self.name = name

    def parse(self, document: Document, progress: Progress | None = None) -> DiscourseTree:
        texts = [document.quote(span.start, span.end) for spans in document.readable_sentences() for span in spans]
        return self._tree(texts)

    def parse_runs(self, runs: Sequence[Sequence[str]], language: str) -> list[DiscourseTree]:
        return [self._tree(run) for run in runs]

    def _tree(self, texts: Sequence[str]) -> DiscourseTree:
        return build_tree(len(texts), random_joins(len(texts), seeded(self.name, *texts)))


class RandomChunkParser:
    """A ``ChunkParser`` over sentences, with random trees."""

    name = "random-chunk-parser"

    def parse_chunks(self, chunks: Sequence[Chunk], progress: Progress | None = None) -> list[ChunkTree | None]:
        return [self._tree(chunk) for chunk in chunks]

    def _tree(self, chunk: Chunk) -> ChunkTree:
        units = _units(chunk.text)
        return ChunkTree(units, build_tree(len(units), random_joins(len(units), seeded(chunk.text))))


def _units(text: str) -> tuple[Span, ...]:
    found = []
    for match in _SENTENCE.finditer(text):
        if piece := match.group().strip():
            start = text.index(piece, match.start())
            found.append(Span(start, start + len(piece)))
    return tuple(found)


def speak(messages: Sequence[Message]) -> str:
    """A valid reply to any request of the library."""
    return _reply(messages[0].content, "\n".join(message.content for message in messages[1:]))


@cache
def _reply(system: str, user: str) -> str:
    if "Rhetorical Structure" in system:
        return _tree_reply(user)
    if "what passages do for each other" in system:
        return _pairs_reply(user, list(Link))
    if "connectives" in system and "pairs" in system:
        return _pairs_reply(user, list(MARKERS))
    if "queries" in system:
        return json.dumps({"plan": "Name the reason.", "queries": ["copper market", "harbour engine"]})
    if "search index" in system or "belong together by subject" in system:
        return _note(user)
    if "You judge a draft" in system:
        return json.dumps({"satisfied": False, "feedback": ["Name the reason first."]})
    if "You plan an answer" in system:
        return json.dumps({"plan": "Passage 1 answers. Then passage 2 limits it. Passage 3 is background. Show both."})
    random = seeded(system, user)
    said = random.sample(QUESTION.split(), random.randint(0, 5))
    return f"Reply {random.randint(0, 10**9)} on {' '.join(said)}. [1]"


def _note(user: str) -> str:
    """Words of a source, so that the check of notes accepts it, and of the question, so that some notes are found."""
    words = re.sub(r"<[^>]*>", " ", user).split()
    random = seeded(user)
    asked = random.sample(QUESTION.split(), random.randint(2, 10))
    return " ".join([*random.sample(words, min(len(words) - 1, 12)), *asked])


def _tree_reply(user: str) -> str:
    text = re.sub(r"</?passage[^>]*>", "", user).strip()
    pieces = [text[unit.start : unit.end] for unit in _units(text)]
    random, names = seeded(text), {nuclearity: side for side, nuclearity in _SIDES}
    joins = [
        f"{start + 1} {split + 1} {end} {names[nuclearity]} {relation.upper()}"
        for start, split, end, nuclearity, relation in random_joins(len(pieces), random)
    ]
    return json.dumps({"units": pieces, "joins": joins})


def _pairs_reply(user: str, names: Sequence[str]) -> str:
    n = max(user.count("<passage "), len(re.findall(r"^\[?\d+[\].:]", user, re.MULTILINE)))
    random = seeded(user)
    return json.dumps({"pairs": [f"{i} {random.choice(names)} {i + 1}" for i in range(1, n)]})
