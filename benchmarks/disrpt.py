"""Segmenter and parser in the format of the DISRPT shared task, scored by its official program.

    git clone https://github.com/disrpt/sharedtask2025
    python benchmarks/disrpt.py sharedtask2025 eng.erst.gum OUT [--part dev]

Segmentation: of ``.conllu``, with its sentences, and of ``.tok``, with ours. Relations: a tree over the units of the
treebank; the label of a pair is that of the node which joins both units. ``coarse`` scores the same pairs by our
fifteen relations (the first part of GUM's names). Documents whose text is withheld are left out, in the gold too.
The program needs scikit-learn.
"""

import argparse
import csv
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from treatise.compose import open_segmenter, open_text_parser
from treatise.core.document import Span
from treatise.core.tree import RELATIONS, DiscourseTree, Join
from treatise.ingest import read_bytes
from treatise.parse.disrpt import LABELS, RELS_HEADER, write_conllu, write_tok
from treatise.parse.parsed import ParsedText, parse_tokenised
from treatise.parse.parser import TextParser, TransitionParser
from treatise.parse.rows import Level, Text
from treatise.parse.scorer import NullScorer
from treatise.parse.tokenised import TokenisedText, read_conllu

LANGUAGES = {"eng": "en", "zho": "zh", "rus": "ru", "fas": "fa", "deu": "de"}


def main(repository: Path, corpus: str, out: Path, part: str) -> None:
    out.mkdir(parents=True, exist_ok=True)
    stem = repository / "data" / corpus / f"{corpus}_{part}"
    documents = _readable(stem.with_name(f"{stem.name}.conllu"), LANGUAGES[corpus[:3]])
    gold = {one.name: _units(one, starts) for one, starts in documents}
    scores = {
        **_segmentation([one for one, _ in documents], gold, out, repository),
        **_relations(_rows(stem.with_name(f"{stem.name}.rels"), set(gold)), gold, out, repository),
    }
    print(json.dumps({"corpus": corpus, "part": part, "documents": len(gold), **scores}, indent=2))


def _readable(path: Path, language: str) -> list[tuple[TokenisedText, list[int]]]:
    """The documents with their text, and the tokens at which a unit begins."""
    lines = path.read_text(encoding="utf-8").splitlines()
    begins = _begins(lines)
    found = []
    at = 0
    for one in read_conllu(lines, path.name, language):
        starts = [token for token in range(len(one.tokens)) if begins[at + token]]
        at += len(one.tokens)
        if one.text.count("_") < len(one.text) / 2:
            found.append((one, starts))
    return found


def _begins(lines: Iterable[str]) -> list[bool]:
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return ["Seg=B-seg" in row[9] for row in rows if row[0].isdigit()]


@cache
def parser() -> TextParser:
    return open_text_parser()


def _units(source: TokenisedText, starts: Sequence[int]) -> ParsedText:
    """The treebank's units with our tree."""
    edges = [*starts, len(source.tokens)]
    spans = [Span(source.tokens[a].start, source.tokens[b - 1].end) for a, b in pairwise(edges)]
    ends = [paragraph[-1].end for paragraph in source.paragraphs]
    paragraphs = tuple(tuple(span for span in spans if low <= span.start < high) for low, high in pairwise([0, *ends]))
    text = Text(source.name, source.language, Level.EDU, tuple(tuple(map(source.quote, p)) for p in paragraphs))
    (tree,) = parser().parse_texts([text])
    return ParsedText(source, Level.EDU, paragraphs, tree)


def _segmentation(
    documents: Sequence[TokenisedText], gold: dict[str, ParsedText], out: Path, repository: Path
) -> dict[str, object]:
    no_parser, segmenter = TransitionParser(NullScorer()), open_segmenter()
    with_sentences = [parse_tokenised(one, no_parser, segmenter) for one in documents]
    alone = [parse_tokenised(_own_sentences(one), no_parser, segmenter) for one in documents]
    files = {"conllu": (write_conllu, with_sentences), "tok": (write_tok, alone)}
    scores: dict[str, object] = {}
    for suffix, (write, predicted) in files.items():
        right, ours = out / f"gold.{suffix}", out / f"predicted.{suffix}"
        right.write_text("".join(map(write, gold.values())), encoding="utf-8")
        ours.write_text("".join(map(write, predicted)), encoding="utf-8")
        found = _official(repository, "S", right, ours)
        scores[suffix] = {key: found[key] for key in ("gold_count", "precision", "recall", "f_score")}
    return scores


def _own_sentences(source: TokenisedText) -> TokenisedText:
    """The same tokens, a space between any two, in sentences that Treatise finds."""
    words = [source.quote(token) for token in source.tokens]
    spaced = " ".join(words)
    document = read_bytes(spaced.encode(), name=f"{source.name}.txt", language=source.language)
    sentences = [one for spans in document.readable_sentences() for one in spans]
    if document.text.rstrip() != spaced:
        raise SystemExit(f"{source.name}: the reader changed the text")
    tokens, at = [], 0
    for word in words:
        tokens.append(Span(at, at + len(word)))
        at += len(word) + 1
    return replace(source, text=spaced, paragraphs=(tuple(_whole_tokens(sentences, tokens)),), tokens=tuple(tokens))


def _whole_tokens(sentences: Sequence[Span], tokens: Sequence[Span]) -> Iterator[Span]:
    """The sentences, moved to the next end of a token."""
    firsts = sorted({next(n for n, token in enumerate(tokens) if token.end > one.start) for one in sentences})
    for a, b in pairwise([*firsts, len(tokens)]):
        yield Span(tokens[a].start, tokens[b - 1].end)


def _rows(path: Path, names: set[str]) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["doc"] in names]


def _relations(
    rows: Sequence[dict[str, str]], parsed: dict[str, ParsedText], out: Path, repository: Path
) -> dict[str, object]:
    ours = [_joining(parsed[row["doc"]], row) for row in rows]
    files = {
        "relations": ([row["label"] for row in rows], [LABELS.get(one, one) for one in ours]),
        "relations coarse": ([_coarse(row["orig_label"]) for row in rows], ours),
    }
    scores: dict[str, object] = {}
    for name, (right, found) in files.items():
        paths = [out / f"{kind}-{name.replace(' ', '-')}.rels" for kind in ("gold", "predicted")]
        for path, labels in zip(paths, (right, found), strict=True):
            _write(path, rows, labels)
        result = _official(repository, "R", *paths)
        scores[name] = {"pairs": len(rows), "accuracy": result["labels_accuracy"]}
    return scores


def _joining(parsed: ParsedText, row: dict[str, str]) -> str:
    """The relation of the lowest node over both units that is a relation between units."""
    tokens = [parsed.source.tokens[int(row[key].split(",")[0].split("-")[0]) - 1] for key in _TOKEN_COLUMNS]
    units = [next(n for n, span in enumerate(parsed.spans) if span.end > token.start) for token in tokens]
    return _relation_over(parsed.tree, *units)


_TOKEN_COLUMNS = ("unit1_toks", "unit2_toks")


def _relation_over(tree: DiscourseTree, first: int, second: int) -> str:
    at = int(tree.leaf_nodes[first])
    while at >= 0:
        node = tree.nodes[at]
        if isinstance(node, Join) and tree.ranges[at][1] > second and node.relation != "same-unit":
            return node.relation
        at = int(tree.parents[at])
    return "elaboration"


def _coarse(label: str) -> str:
    head = label.split("-")[0]
    return label if label == "same-unit" or head not in RELATIONS else head


def _write(path: Path, rows: Sequence[dict[str, str]], labels: Sequence[str]) -> None:
    lines = ("\t".join([*list(row.values())[:-1], label]) for row, label in zip(rows, labels, strict=True))
    path.write_text("\n".join([RELS_HEADER, *lines]) + "\n", encoding="utf-8")


def _official(repository: Path, task: str, gold: Path, predicted: Path) -> dict[str, float]:
    (program,) = (repository / "utils").glob("disrpt_eval*.py")
    command = [sys.executable, str(program), "-g", str(gold), "-p", str(predicted), "-t", task]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    if "FATAL" in done.stderr or "WARN" in done.stderr:
        raise SystemExit(done.stderr)
    scores: dict[str, float] = json.loads(done.stdout)
    return scores


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("repository", type=Path)
    arguments.add_argument("corpus")
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--part", default="dev")
    main(**vars(arguments.parse_args()))
