"""Requests for notes: on one node, on a whole subtree, on key sentences, on a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Final

from treatise.core.note import Note, Origin, note_key
from treatise.core.ports import LanguageModel
from treatise.core.words import clip, joined, n_tokens, n_words
from treatise.enhance.replies import LENIENCE, MIN_WORDS, read_note, read_notes
from treatise.llm.prompts import prompt
from treatise.llm.request import Expectation, ExpectedReply, Request, Schema, conversation
from treatise.llm.tags import tagged
from treatise.llm.window import OVERHEAD_TOKENS, clip_evenly, window_of

TOKENS_PER_WORD: Final = 2.5
"""Tokens per requested word: unspaced scripts need the most, and a truncated reply is lost."""

_PROMPT_TOKENS_PER_WORD: Final = 1.5  # including tags and the list of notes
_TOKENS_PER_LISTED_NOTE: Final = 32  # for the JSON around it
_EXPECTED_PER_LISTED_NOTE: Final = 7  # braces, names and number of each note in a structured reply
_NOTES_SCHEMA: Final[Schema] = {
    "type": "object",
    "properties": {
        "notes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"number": {"type": "integer"}, "text": {"type": "string"}},
                "required": ["number", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["notes"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class NotePrompts:
    """Builds the requests for the notes of a recipe.

    Attributes:
        model: Its name is part of the keys; its window bounds the prompts.
        max_words: Length limit of a note.
        prompt_version: Number of the prompts.
    """

    model: LanguageModel
    max_words: int
    prompt_version: int

    def join(self, notes: Sequence[Note]) -> Request:
        """A note on neighbouring nodes: DISRetrieval's summary of the left and right child."""
        return self._single("join", "part", notes)

    def cluster(self, notes: Sequence[Note]) -> Request:
        """A note on nodes about one subject, from anywhere in the text: RAPTOR's summary."""
        return self._single("cluster", "passage", notes)

    def rewrite(self, sentences: Sequence[str]) -> Request:
        """A note from the key sentences of a long subtree."""
        notes = [Note(text, Origin.LEAF, (), note_key(text)) for text in sentences]
        return self._single("rewrite", "sentence", notes)

    def fits(self, text: str) -> bool:
        """Whether the text fits a prompt untruncated."""
        return self._clipped("join", [text], self._max_reply_tokens) == [text]

    def fits_batch(self, n_words_below: int, n_notes: int) -> bool:
        """Whether a subtree with this many words and notes leaves half of the window for the longest reply."""
        half = window_of(self.model) // 2
        prompt_tokens = _PROMPT_TOKENS_PER_WORD * n_words_below + n_tokens(self._rules("batch")) + OVERHEAD_TOKENS
        reply_tokens = n_notes * (TOKENS_PER_WORD * self.max_words + _TOKENS_PER_LISTED_NOTE)
        return prompt_tokens <= half and reply_tokens <= half

    def batch(self, pieces: Sequence[Note], covers: Sequence[tuple[int, int]]) -> Request:
        """All notes of a subtree; note ``i`` covers the half-open range ``covers[i]`` of pieces."""
        room = ceil(TOKENS_PER_WORD * self.max_words + _TOKENS_PER_LISTED_NOTE) * len(covers)
        texts = self._clipped("batch", [piece.text for piece in pieces], room)
        lengths = [n_words(text) for text in texts]
        sources = tuple(joined(texts[start:end]) for start, end in covers)
        rules = self._rules("batch")
        return Request(
            key=self._key("batch", *map(str, covers), *_content(pieces)),
            messages=conversation(rules, _batch_prompt(texts, covers)),
            max_tokens=sum(
                self._longest_reply(sum(lengths[start:end])) + _TOKENS_PER_LISTED_NOTE for start, end in covers
            ),
            reader=lambda reply: read_notes(reply, sources, self.max_words, rules),
            schema=_NOTES_SCHEMA,
            expectation=self._expectation(sources, _EXPECTED_PER_LISTED_NOTE),
        )

    def _single(self, name: str, tag: str, notes: Sequence[Note]) -> Request:
        texts = self._clipped(name, [note.text for note in notes], self._max_reply_tokens)
        source, rules = joined(texts), self._rules(name)
        return Request(
            key=self._key(name, *_content(notes)),
            messages=conversation(rules, "\n".join(tagged(tag, text) for text in texts)),
            max_tokens=self._longest_reply(sum(map(n_words, texts))),
            reader=lambda reply: (read_note(reply, source, self.max_words, rules),),
            expectation=self._expectation([source]),
        )

    @property
    def _max_reply_tokens(self) -> int:
        return ceil(TOKENS_PER_WORD * self.max_words)

    def _longest_reply(self, n_source_words: int) -> int:
        """Token limit of a note on this many words. The note should be shorter, and a weak model uses all it may."""
        return ceil(TOKENS_PER_WORD * min(self.max_words, max(MIN_WORDS, LENIENCE * n_source_words)))

    def _expectation(self, sources: Sequence[str], extra_tokens: int = 0) -> Expectation:
        return partial(_beginnings, sources, self.max_words, extra_tokens)

    def _key(self, name: str, *content: str) -> str:
        window = str(self.model.context_tokens)
        return note_key(f"{name}-{self.prompt_version}", self.model.name, window, str(self.max_words), *content)

    def _rules(self, name: str) -> str:
        return prompt("treatise.enhance", name, self.prompt_version).format(max_words=self.max_words)

    def _clipped(self, name: str, texts: Sequence[str], max_tokens: int) -> list[str]:
        """The texts, each clipped to an equal share of the model's window if they do not all fit."""
        return clip_evenly(texts, window_of(self.model) - max_tokens - n_tokens(self._rules(name)) - OVERHEAD_TOKENS)


def _beginnings(sources: Sequence[str], max_words: int, extra_tokens: int, share: float) -> ExpectedReply:
    """The beginning of each source, that share of its words."""
    texts = tuple(clip(source, min(max_words, ceil(share * n_words(source)))) for source in sources)
    return ExpectedReply(texts, sum(map(n_tokens, texts)) + extra_tokens * len(texts))


def _content(notes: Sequence[Note]) -> list[str]:
    """Keys and texts of the notes below: a note is rewritten if either changes."""
    return [part for note in notes for part in (note.key, note.text)]


def _batch_prompt(texts: Sequence[str], covers: Sequence[tuple[int, int]]) -> str:
    pieces = [tagged("piece", text, i) for i, text in enumerate(texts, 1)]
    wanted = [f"Note {i}: pieces {start + 1} to {end}" for i, (start, end) in enumerate(covers, 1)]
    return "\n".join([*pieces, "", "Notes to write:", *wanted])
