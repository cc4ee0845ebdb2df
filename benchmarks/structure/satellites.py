"""Which satellites may go? Deletions inside sentences, against dependency trees and human summaries.

Grammar: a deletion is *safe* if nothing that stays depends on what goes, and what goes are adjuncts, by the treebank's
dependency trees. Content: the share of content words that any of the five summaries has too, in what goes and in what
stays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from structure.gum import Annotated, Token
from structure.rouge import stem, stems
from treatise.core.tree import DiscourseTree, Join, Nuclearity

_ADJUNCTS: Final = frozenset(
    [
        "acl",
        "advcl",
        "advmod",
        "amod",
        "appos",
        "cc",
        "conj",
        "dep",
        "discourse",
        "dislocated",
        "nmod",
        "nummod",
        "obl",
        "orphan",
        "parataxis",
        "punct",
        "reparandum",
        "vocative",
    ]
)
_CONTENT: Final = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})


@dataclass(frozen=True, slots=True)
class Deletion:
    """A satellite inside a sentence.

    Attributes:
        start, end: Its EDUs.
        relation: Its relation to the nucleus.
    """

    start: int
    end: int
    relation: str


def deletions(tree: DiscourseTree, sentence_of_edu: Sequence[int]) -> Iterator[Deletion]:
    """The satellites inside sentences, the largest first: what is below one is not listed again."""
    pending = list(tree.roots)
    while pending:
        node = tree.nodes[at := pending.pop()]
        if not isinstance(node, Join):
            continue
        start, end = tree.ranges[at]
        inside = sentence_of_edu[start] == sentence_of_edu[end - 1]
        satellite = {Nuclearity.NS: node.right, Nuclearity.SN: node.left}.get(node.nuclearity)
        for child in (node.right, node.left):
            if inside and child == satellite:
                first, last = tree.ranges[child]
                yield Deletion(int(first), int(last), node.relation)
            else:
                pending.append(child)


def single_edus(sentence_of_edu: Sequence[int]) -> Iterator[Deletion]:
    """Each EDU of each sentence with several."""
    for at, sentence in enumerate(sentence_of_edu):
        if sentence in (*sentence_of_edu[at - 1 : at], *sentence_of_edu[at + 1 : at + 2]):
            yield Deletion(at, at + 1, "")


def is_safe(annotated: Annotated, deletion: Deletion) -> bool:
    """Whether the rest of the sentence is still a sentence by its dependency tree."""
    inside = _inside(deletion)
    words = [token for token in _sentence(annotated, deletion) if token.upos != "PUNCT"]
    heads = annotated.tokens
    for token in words:
        head_goes, goes = inside(heads[token.head]), inside(token)
        if goes != head_goes and (head_goes or token.relation not in _ADJUNCTS):
            return False
    return any(inside(heads[token.head]) is False and not inside(token) for token in words)


def content(annotated: Annotated, deletion: Deletion) -> tuple[list[float], list[float]]:
    """For the content words that go, then for those that stay: 1 if a summary has the word, else 0."""
    inside, known = _inside(deletion), frozenset().union(*map(stems, annotated.summaries))
    words = [token for token in _sentence(annotated, deletion) if token.upos in _CONTENT]
    found = [(inside(token), float(stem(token.form) in known)) for token in words]
    return [value for goes, value in found if goes], [value for goes, value in found if not goes]


def n_words(annotated: Annotated, deletion: Deletion) -> int:
    """Whitespace words that go."""
    return sum(len(annotated.edus.units[edu].split()) for edu in range(deletion.start, deletion.end))


def shortened(annotated: Annotated, sentence: int, gone: Sequence[Deletion]) -> str:
    """The sentence without what goes."""
    edus = [edu for edu, of in enumerate(annotated.sentence_of_edu) if of == sentence]
    dropped = {edu for deletion in gone for edu in range(deletion.start, deletion.end)}
    return " ".join(annotated.edus.units[edu] for edu in edus if edu not in dropped)


def _inside(deletion: Deletion) -> Any:
    return lambda token: deletion.start <= token.edu < deletion.end


def _sentence(annotated: Annotated, deletion: Deletion) -> list[Token]:
    sentence = annotated.sentence_of_edu[deletion.start]
    return [token for token in annotated.tokens if token.sentence == sentence]
