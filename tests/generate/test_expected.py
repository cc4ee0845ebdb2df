from treatise.generate.expected import most_expected


def test_the_span_that_shares_most_words_with_the_others_is_chosen_over_the_most_probable_one() -> None:
    texts = ["May", "the end of May 2013", "at the end of May 2013", "in Lyon"]
    assert most_expected(texts, [0.3, 0.25, 0.25, 0.2]) == 1


def test_a_sure_span_is_kept() -> None:
    assert most_expected(["May", "the end of May 2013"], [0.9, 0.1]) == 0


def test_in_scripts_without_spaces_the_most_probable_span_is_kept() -> None:
    assert most_expected(["山地", "全境三分之二為山地", "三分之二為山地"], [0.4, 0.3, 0.3]) == 0


def test_texts_without_words_share_nothing() -> None:
    assert most_expected(["–", "the", "May"], [0.5, 0.3, 0.2]) == 2
