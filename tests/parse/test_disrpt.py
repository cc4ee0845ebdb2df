"""Trees as dependencies and as files of the DISRPT shared task."""

import csv
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.document import Span
from treatise.core.errors import DataError, TreeError
from treatise.core.tree import RELATIONS, DiscourseTree, Nuclearity, build_tree
from treatise.parse.dependencies import dependencies
from treatise.parse.disrpt import LABELS, RELS_HEADER, write_conllu, write_rels, write_tok
from treatise.parse.parsed import ParsedText, parse_tokenised
from treatise.parse.parser import TransitionParser
from treatise.parse.rows import Level
from treatise.parse.scorer import NullScorer
from treatise.parse.segment import RuleSegmenter
from treatise.parse.tokenised import TokenisedText, read_conllu, split_tokens

NS, SN, NN = Nuclearity

CONLLU = """# newdoc id = kettle
# newpar
# sent_id = 1
# text = Don't lift it (it boils).
1-2	Don't	_	_	_	_	_	_	_	_
1	Do	do	AUX	_	_	_	_	_	_
2	n't	not	PART	_	_	_	_	_	_
3	lift	lift	VERB	_	_	_	_	_	_
4	it	it	PRON	_	_	_	_	_	_
4.1	empty	_	_	_	_	_	_	_	_
5	(	(	PUNCT	_	_	_	_	_	SpaceAfter=No
6	it	it	PRON	_	_	_	_	_	_
7	boils	boil	VERB	_	_	_	_	_	SpaceAfter=No
8	)	)	PUNCT	_	_	_	_	_	SpaceAfter=No
9	.	.	PUNCT	_	_	_	_	_	_

# newpar
1	Wait	wait	VERB	_	_	_	_	_	SpaceAfter=No
2	.	.	PUNCT	_	_	_	_	_	_

# newdoc id = other
1	Next	next	ADV	_	_	_	_	_	_
"""


@pytest.fixture(scope="module")
def kettle() -> TokenisedText:
    return next(read_conllu(CONLLU.splitlines(), "kettle.conllu"))


def interrupted(source: TokenisedText) -> ParsedText:
    """Units "Do n't lift it", "( it boils )", "." and "Wait .": the full stop continues the first."""
    spans = (source.tokens[0], source.tokens[3]), (source.tokens[4], source.tokens[7]), (source.tokens[8],) * 2
    units = tuple(Span(first.start, last.end) for first, last in spans)
    last = Span(source.tokens[9].start, source.tokens[10].end)
    joins = [(0, 2, 3, NN, "same-unit"), (0, 1, 2, NS, "elaboration"), (0, 3, 4, SN, "context")]
    return ParsedText(source, Level.EDU, (units, (last,)), build_tree(4, joins))


def test_conllu_is_read_with_its_documents_paragraphs_and_spaces(kettle: TokenisedText) -> None:
    assert kettle.text.rstrip() == "Don't lift it (it boils). Wait."
    assert [kettle.quote(token) for token in kettle.tokens][:3] == ["Do", "n't", "lift"]
    assert [len(paragraph) for paragraph in kettle.paragraphs] == [1, 1]
    assert [one.name for one in read_conllu(CONLLU.splitlines(), "x")] == ["kettle", "other"]


def test_a_unit_that_is_interrupted_is_one_unit_with_a_gap(kettle: TokenisedText) -> None:
    lines = write_rels(interrupted(kettle)).splitlines()
    assert lines[0] == RELS_HEADER
    first, second = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    assert (first["unit1_toks"], first["unit2_toks"], first["dir"]) == ("1-4,9", "10-11", "1>2")
    assert (first["unit1_txt"], first["u1_raw"]) == ("Do n't lift it <*> .", "Don't lift it <*> .")
    assert (first["orig_label"], first["label"]) == ("context", "frame")
    assert (second["unit2_toks"], second["dir"], second["s2_toks"]) == ("5-8", "1<2", "1-9")
    assert second["unit2_sent"] == "Do n't lift it ( it boils ) ."


def test_tok_counts_through_the_document_and_conllu_by_sentence(kettle: TokenisedText) -> None:
    parsed = interrupted(kettle)
    rows = [line.split("\t") for line in write_tok(parsed).splitlines()[1:]]
    assert [int(row[0]) for row in rows] == list(range(1, 12))
    assert [row[1] for row in rows if row[9] == "Seg=B-seg"] == ["Do", "(", ".", "Wait"]
    written = write_conllu(parsed)
    (again,) = read_conllu(written.splitlines(), "again")
    assert again == replace(kettle, text=again.text)
    assert again.text.split() == kettle.text.split()
    assert written.count("# newpar\n") == 2


def nested(tree: DiscourseTree) -> set[tuple[int, int]]:
    """Head and dependent of each node by the definition, walked from the top: the oracle."""
    found = set()
    pending = [(0, tree.n_units)]
    joins = {(start, end): (split, join) for start, split, end, join in tree.joins()}

    def head(start: int, end: int) -> int:
        while end - start > 1:
            split, join = joins[start, end]
            start, end = (split, end) if join.nuclearity is SN else (start, split)
        return start

    while pending:
        start, end = pending.pop()
        if end - start == 1:
            continue
        split, join = joins[start, end]
        pending += [(start, split), (split, end)]
        left, right = head(start, split), head(split, end)
        found.add((right, left) if join.nuclearity is SN else (left, right))
    return found


@st.composite
def trees(draw: st.DrawFn) -> DiscourseTree:
    n_units = draw(st.integers(1, 9))
    joins, pending = [], [(0, n_units)]
    while pending:
        start, end = pending.pop()
        if end - start > 1:
            split = draw(st.integers(start + 1, end - 1))
            joins.append((start, split, end, draw(st.sampled_from(list(Nuclearity))), draw(st.sampled_from(RELATIONS))))
            pending += [(start, split), (split, end)]
    return build_tree(n_units, joins)


@given(trees())
def test_every_unit_but_one_depends_on_another_and_satellites_on_their_nuclei(tree: DiscourseTree) -> None:
    found = dependencies(tree)
    assert [one.child for one in found] == sorted({one.child for one in found})
    assert len(found) == tree.n_units - 1
    satellites = {(one.head, one.child) for one in found if not one.is_nucleus}
    assert satellites <= nested(tree)
    heads = {one.child: one.head for one in found}
    for unit in range(tree.n_units):
        seen = set()
        while unit in heads:
            assert unit not in seen
            seen.add(unit)
            unit = heads[unit]


def test_nuclei_of_one_list_depend_on_its_first() -> None:
    joins = [(0, 1, 4, NN, "joint"), (1, 2, 4, NN, "joint"), (2, 3, 4, NN, "adversative")]
    assert [(one.child, one.head) for one in dependencies(build_tree(4, joins))] == [(1, 0), (2, 0), (3, 2)]


def test_a_chain_of_fifty_thousand_units_has_its_dependencies() -> None:
    n = 50_000
    found = dependencies(build_tree(n, [(i, i + 1, n, NN, "joint") for i in range(n - 1)]))
    assert {one.head for one in found} == {0}


def test_units_begin_with_tokens_whatever_the_segmenter_says() -> None:
    text = "Boil it, because-tea needs it."
    source = TokenisedText(
        "a", "en", text, ((Span(0, len(text)),),), tuple(Span(m, n) for m, n in ((0, 4), (5, 8), (9, 20), (21, 30)))
    )
    parsed = parse_tokenised(source, TransitionParser(NullScorer()), RuleSegmenter())
    assert {span.start for span in parsed.spans} <= {token.start for token in source.tokens}
    assert "".join(parsed.units).replace(" ", "") == text.replace(" ", "")


def test_every_format_has_the_same_units(kettle: TokenisedText) -> None:
    parsed = interrupted(kettle)
    for form in ("brackets", "json", "rs3", "rs4", "dis", "rels", "tok", "conllu"):
        assert "boils" in parsed.write(form)
    with pytest.raises(TreeError, match="brackets"):
        parsed.write("pdf")


def test_labels_are_those_of_our_relations() -> None:
    assert set(LABELS) <= set(RELATIONS)


def test_tokens_of_scripts_without_spaces_are_characters() -> None:
    text = "水在100度沸腾。Tea!"
    tokens = split_tokens(text, [Span(0, len(text))])
    assert [text[one.start : one.end] for one in tokens] == ["水", "在", "100", "度", "沸", "腾", "。", "Tea", "!"]


@pytest.mark.parametrize(
    ("tokens", "message"),
    [(((0, 2), (1, 3)), "overlaps"), (((0, 9),), "leaves"), ((), "no token"), (((0, 0),), "empty"), (((7, 8),), "no")],
)
def test_places_that_do_not_fit_are_refused(tokens: tuple[tuple[int, int], ...], message: str) -> None:
    with pytest.raises(DataError, match=message):
        TokenisedText("a", "en", "Tea is.  !", ((Span(0, 7),),), tuple(Span(*one) for one in tokens))


def test_a_line_that_is_no_conllu_is_named() -> None:
    with pytest.raises(DataError, match=r"bad\.conllu: line 2: expected 10 columns"):
        list(read_conllu(["# newdoc id = a", "1 word"], "bad.conllu"))


def test_conllu_is_spaced_as_its_text_or_as_its_words_say() -> None:
    words = ["水", "沸腾", "。"]
    rows = ["\t".join([str(number), word, *"________"]) for number, word in enumerate(words, 1)]
    assert next(read_conllu(["# text = 水沸腾。", *rows], "x", "zh")).text == "水沸腾。 "
    assert next(read_conllu(["# text = 茶", *rows], "x", "zh")).text == "水 沸腾 。 "
