"""Which sentence says what a document is."""

import pytest

from treatise.generate.purpose import BY_AUTHORS, DEFINED, STATED, purpose


@pytest.mark.parametrize(
    "text",
    [
        "This document describes the structure of the Project.",
        "In this paper, we present a corpus of German texts.",
        "The paper at hand introduces a corpus.",
        "The purpose of this Agreement is to sell tea.",
        "Dieses Handbuch beschreibt den Tee.",
        "In diesem Kapitel wird der Tee beschrieben.",
        "Ce document décrit le thé.",
        "Este documento describe el té.",
        "本章涉及 Debian 包管理系统的一些底层细节。",
        "この文書はお茶について述べます。",
    ],
)
def test_a_sentence_that_names_the_document_states_its_purpose(text: str) -> None:
    assert purpose(text, "") == STATED


def test_authors_and_titles_say_it_too() -> None:
    assert purpose("We introduce a data set of teas.", "") == BY_AUTHORS
    licence = "The GNU General Public License is a free, copyleft license for software."
    assert purpose(licence, "GNU GENERAL PUBLIC LICENSE") == DEFINED
    assert purpose(licence, "Tea") == 0
    assert purpose("Tea is hot.", "A History of the World") == 0


def test_a_meeting_names_itself_or_its_agenda() -> None:
    text = "Project Manager: This is our first meeting of the tea project ."
    assert purpose(text, "", is_transcript=True) == STATED
    assert purpose("Marketing: Tea is hot .", "", is_transcript=True) == 0
