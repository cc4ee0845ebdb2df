"""Languages are told by script and common words."""

import pytest

from treatise.ingest.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("It was the best of times, it was the worst of times, and that is all.", "en"),
        ("Ich weiß nicht, was soll es bedeuten, daß ich so traurig bin und der Tag ist kühl.", "de"),
        ("Longtemps, je me suis couché de bonne heure, et dans la nuit il ne sont plus pour les autres.", "fr"),
        ("En un lugar de la Mancha, de cuyo nombre no quiero acordarme, no ha mucho tiempo que vivía.", "es"),
        ("Все счастливые семьи похожи друг на друга, и он не был так, как она.", "ru"),
        ("话说天下大势，分久必合，合久必分。", "zh"),
        ("吾輩は猫である。名前はまだ無い。", "ja"),
        ("나는 고양이로소이다. 이름은 아직 없다.", "ko"),
        ("كان يا ما كان في قديم الزمان، على أن هذا من ذلك.", "ar"),
        ("یکی بود یکی نبود، و این است که در آن شهر را با هم بود.", "fa"),
        ("בראשית ברא אלהים את השמים ואת הארץ", "he"),
        ("Δεν ξέρω τίποτα για αυτό", "el"),
        ("12345 --- 67", ""),
        ("Xyzzy plugh", ""),
    ],
)
def test_language_is_detected(text: str, language: str) -> None:
    assert detect_language(text) == language


_HASH = "* Update part {n} ([e{n}a356a](https://a.com/a/commit/e-da-{n}-a-e)), a{n}e, o{n}.com\n"


@pytest.mark.parametrize(
    "line",
    [
        _HASH,
        "- Ann Lee ([ann.{n}@mail.com.br](mailto:o.a@se.com)), as.da@e.com\n",
        '<a class="e" title="os da" href="a/e/o.html">Part</a> www.do-que.com/a/{n}\n',
    ],
)
def test_hashes_and_addresses_are_no_words_of_a_language(line: str) -> None:
    addresses = "".join(line.format(n=n) for n in range(9))
    assert detect_language(addresses) == ""
    assert detect_language(f"This is the list of what has been done with it, and when.\n\n{addresses}") == "en"
    assert detect_language(f"Das ist die Liste von dem, was sich mit der Zeit ändert.\n\n{addresses}") == "de"


def test_emphasised_words_count() -> None:
    assert detect_language("_The_ cat **is** on __the__ mat, and *that* is where it was.") == "en"
