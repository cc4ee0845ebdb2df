"""The contracts of ``treatise.core.ports.Parser``, of segmenters and of action scorers."""

from collections.abc import Callable

import numpy as np

from treatise.core.document import Document, Section
from treatise.core.errors import EmptySourceError
from treatise.core.ports import Parser
from treatise.core.tree import DiscourseTree, Join, Unit
from treatise.parse.rows import Level, Text
from treatise.parse.scorer import Scorer
from treatise.parse.segment import Segmenter
from treatise.parse.transition import Ranges, Reduce, Shift
from treatise.testing.samples import sample_indexed

_RUNS = (
    ("The mill was old.", "It had stood there since the war.", "Nobody used it any more."),
    ("Rain fell.",),
    ("Одно предложение.", "一个句子。", "", "word"),
)

_SENTENCES = (
    "Although it rained, they went out because the harbour, which was closed, had to be seen.",
    "Nobody came.",
    "",
    " \t",
    "!!! ... ( ) — ;",
    " It is late ;  we go home. ",
    "如果下雨，我们就待在家里；不然，我们出去。",
    "اگر باران ببارد، در خانه می‌مانیم.",
    "x" * 3_000,
    "a\u0301\u200b\ud800\0 and \U0001f600 because of it",
)


def check_parser(make: Callable[[], Parser]) -> None:
    """Asserts that a parser of documents keeps its contract; ``make`` is called once.

    Raises:
        AssertionError: Names the first violated rule.
    """
    parser = make()
    assert parser.name, "the name is empty"
    document = sample_indexed(n_paragraphs=6, n_sentences=3).document
    n_sentences = sum(map(len, document.readable_sentences()))
    calls: list[tuple[int, int]] = []
    tree = parser.parse(document, lambda done, total: calls.append((done, total)))
    _assert_binary(tree, n_sentences)
    assert calls, "progress is never called"
    assert [done for done, _ in calls] == sorted(done for done, _ in calls), "progress does not rise"
    assert calls[-1][0] == calls[-1][1], "progress does not reach the total"
    assert parser.parse(document) == tree, "two trees of one document differ"
    _a_document_without_a_sentence_is_refused(parser)
    _runs_are_independent(parser)
    _assert_binary(parser.parse_runs([["The same again."] * 600], "en")[0], 600)
    for lang in ("", "xx", "EN-gb", "not a code"):
        _assert_binary(parser.parse_runs(_RUNS[:1], lang)[0], len(_RUNS[0]))


def check_segmenter(make: Callable[[], Segmenter]) -> None:
    """Asserts that a segmenter keeps its contract; ``make`` is called once.

    Raises:
        AssertionError: Names the first violated rule.
    """
    segmenter = make()
    assert segmenter.name, "the name is empty"
    assert segmenter.segment([], "en") == [], "no sentences must give no EDUs"
    for lang in ("en", "zh", "xx", ""):
        found = segmenter.segment(_SENTENCES, lang)
        assert len(found) == len(_SENTENCES), f"{len(_SENTENCES)} sentences gave EDUs of {len(found)}"
        for sentence, edus in zip(_SENTENCES, found, strict=True):
            assert edus, f"no EDU for {sentence!r:.60}"
            assert _solid("".join(edus)) == _solid(sentence), f"the EDUs of {sentence!r:.60} are not its text"
            assert all(edu == edu.strip() for edu in edus), f"white space at the end of an EDU of {sentence!r:.60}"
            blank = not sentence.strip()
            assert edus == [""] if blank else all(edus), f"an empty EDU, or none for a blank sentence: {sentence!r:.60}"
        assert segmenter.segment(_SENTENCES, lang) == found, "the same sentences gave other EDUs"


def check_scorer(make: Callable[[], Scorer]) -> None:
    """Asserts that a scorer of the parser's actions keeps its contract; ``make`` is called once.

    Raises:
        AssertionError: Names the first violated rule.
    """
    scorer = make()
    assert scorer.name, "the name is empty"
    assert any(isinstance(action, Shift) for action in scorer.actions), "it cannot shift"
    assert any(isinstance(action, Reduce) for action in scorer.actions), "it cannot reduce"
    assert len(set(scorer.actions)) == len(scorer.actions), "an action has two columns"
    assert scorer.read([]) == [], "no text must give no scores"
    texts = [Text("one", "en", Level.SENTENCE, (_RUNS[0], (), _RUNS[2])), Text("two", "en", Level.EDU, (_RUNS[1],))]
    long, short = scorer.read(texts)
    views = _views()
    scores = long(views)
    assert scores.shape == (len(views), len(scorer.actions)), f"expected one score per action, found {scores.shape}"
    assert np.isfinite(scores).all(), "a score is not finite"
    assert long(views[:0]).shape == (0, len(scorer.actions)), "no states must give no rows"
    assert short(np.array([[[0, 0], [0, 0], [0, 0], [0, 1]]])).shape == (1, len(scorer.actions)), "no row for one unit"
    for i, row in enumerate(scores):
        assert np.allclose(long(views[i : i + 1])[0], row, atol=1e-3), "a row depends on the states beside it"
    (alone,) = scorer.read(texts[:1])
    assert np.allclose(alone(views), scores, atol=1e-2), "a text's scores depend on the texts beside it"


def _assert_binary(tree: DiscourseTree, n_units: int) -> None:
    assert tree.n_units == n_units, f"expected a tree over {n_units} sentences, found one over {tree.n_units}"
    assert len(tree.roots) == 1, f"expected one root, found {len(tree.roots)}"
    assert all(isinstance(node, Unit | Join) for node in tree.nodes), "a node is neither unit nor join"
    assert len(tree.nodes) == 2 * n_units - 1, f"expected {2 * n_units - 1} nodes, found {len(tree.nodes)}"


def _a_document_without_a_sentence_is_refused(parser: Parser) -> None:
    nothing = Document("nothing.txt", "Nothing", "en", "", (Section("", 0, 0),), ())
    try:
        parser.parse(nothing)
    except EmptySourceError:
        return
    raise AssertionError("a document without a sentence must raise EmptySourceError")


def _runs_are_independent(parser: Parser) -> None:
    assert parser.parse_runs([], "en") == [], "no runs must give no trees"
    trees = parser.parse_runs(_RUNS, "en")
    assert len(trees) == len(_RUNS), f"{len(_RUNS)} runs gave {len(trees)} trees"
    for run, tree in zip(_RUNS, trees, strict=True):
        _assert_binary(tree, len(run))
        assert parser.parse_runs([run], "en") == [tree], "a run's tree depends on the runs beside it"


def _views() -> Ranges:
    """States over seven units: no, one, two and three trees on the stack, and an empty queue."""
    return np.array(
        [
            [[0, 0], [0, 0], [0, 0], [0, 1]],
            [[0, 1], [0, 0], [0, 0], [1, 2]],
            [[1, 2], [0, 1], [0, 0], [2, 3]],
            [[3, 5], [1, 3], [0, 1], [5, 6]],
            [[5, 7], [0, 5], [0, 0], [7, 7]],
        ],
        dtype=np.int32,
    )


def _solid(text: str) -> str:
    return "".join(text.split())
