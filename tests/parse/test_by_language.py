"""Each text goes to the model of its language, which is loaded when it is needed and not before."""

from collections.abc import Sequence

import pytest

from treatise.core.tree import DiscourseTree
from treatise.parse.by_language import ParserByLanguage, ParsingModelOnFirstUse, SegmenterByLanguage, language_code
from treatise.parse.parser import TransitionParser
from treatise.parse.rows import Level, Text
from treatise.parse.scorer import NullScorer
from treatise.parse.segment import RuleSegmenter


class Counting(TransitionParser):
    """The null parser and the rules, counting their texts."""

    def __init__(self) -> None:
        super().__init__(NullScorer())
        self.seen: list[str] = []

    def parse_texts(self, texts: Sequence[Text]) -> list[DiscourseTree]:
        self.seen += [text.id for text in texts]
        return super().parse_texts(texts)

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        self.seen += sentences
        return RuleSegmenter().segment(sentences, lang)


def text(name: str, lang: str) -> Text:
    return Text(name, lang, Level.SENTENCE, (("One.", "Two."),))


@pytest.mark.parametrize(("tag", "code"), [("en", "en"), ("EN-gb", "en"), ("zh_Hans", "zh"), ("", ""), (" De ", "de")])
def test_a_language_tag_counts_by_its_first_part(tag: str, code: str) -> None:
    assert language_code(tag) == code


def test_languages_without_a_model_go_to_the_other_and_are_named_once() -> None:
    english, other, told = Counting(), Counting(), list[str]()
    parser = ParserByLanguage({"en": english}, other=other, note=told.append)
    texts = [text("a", "en"), text("b", "de"), text("c", "en-US"), text("d", ""), text("e", "de")]
    assert [tree.n_units for tree in parser.parse_texts(texts)] == [2] * 5
    assert (english.seen, other.seen, told) == (["a", "c"], ["b", "d", "e"], ["de", ""])


def test_sentences_are_cut_by_the_segmenter_of_their_language() -> None:
    english, other, told = Counting(), Counting(), list[str]()
    segmenter = SegmenterByLanguage({"en": english}, other=other, note=told.append)
    assert segmenter.segment(["x"], "EN") == [["x"]]
    assert segmenter.segment(["y"], "xx") == [["y"]]
    assert (english.seen, other.seen, told) == (["x"], ["y"], ["xx"])


def test_a_model_is_loaded_once_and_only_when_a_text_needs_it() -> None:
    loaded: list[Counting] = []

    def load() -> Counting:
        loaded.append(Counting())
        return loaded[-1]

    model = ParsingModelOnFirstUse("named", load)
    parser = ParserByLanguage({"de": model}, other=Counting())
    assert parser.name.startswith("de=named,")
    parser.parse_texts([text("a", "en")])
    assert loaded == []
    parser.parse_texts([text("b", "de")])
    model.segment(["c"], "de")
    assert [model.seen for model in loaded] == [["b", "c"]]
