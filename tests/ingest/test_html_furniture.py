"""Menus and other furniture of a web page are no sentences of it."""

import time

import pytest

from treatise.ingest import read_bytes

WORDS = "Boil the water for three minutes, then wait until the leaves have sunk to the bottom of the pot. Drink it hot."
BODY = f"<h1>Tea</h1><p>{WORDS}</p>"
SAID = f"Tea\n\n{WORDS}\n\n"
LINKS = "".join(f'<a href="{at}.html">A page on the making of tea {at}</a> ' for at in range(9))
DISHES = "".join(f'<li><a href="{at}.html">Soup {at}</a> £4.50</li>' for at in range(9))
DESCRIBED = "".join(f'<p><a href="{at}">Soup {at} of tomatoes</a> with fresh bread</p>' for at in range(9))


def text_of(page: str) -> str:
    return read_bytes(f"<html><body>{page}</body></html>".encode(), name="a.html").text


@pytest.mark.parametrize(
    "furniture",
    [
        '<a class="x" href="#main">Skip to main content</a>',
        '<p>Next: <a href="b" rel="next" accesskey="n">Oo</a>, Up: <a href="c" rel="up">All</a> [<a href="d">Index</a>]'
        "</p>",
        '<DIV CLASS="NAVHEADER"><TABLE SUMMARY="Header navigation table"><TR><TH>On tea</TH></TR>'
        '<TR><TD><A HREF="a" ACCESSKEY="P">Prev</A></TD></TR></TABLE></DIV>',
        f"<nav>{LINKS}</nav>",
        f'<div class="wide breadcrumbs">{LINKS}</div>',
        f'<ul id="menu"><li>{LINKS}</li></ul>',
        '<div id="cookie-banner">We use cookies to make this site better. <button>Accept</button></div>',
        '<p><a href="https://x.y/edit">Edit on GitHub</a></p>',
        '<ul><li><a href="/">Home</a></li><li><a href="t">Teas</a></li><li><a href="c">Contact</a></li></ul>',
        '<div><a href="/">Home</a> | <a href="a">About us</a> | <a href="b">Blog</a> | <a href="t">Our teas</a></div>',
    ],
)
def test_furniture_is_left_out_before_and_after_the_text(furniture: str) -> None:
    assert text_of(furniture + BODY) == text_of(BODY + furniture) == SAID


def test_links_to_the_place_where_they_stand_are_no_part_of_a_term() -> None:
    page = f'{BODY}<dl><dt>-v<a class="copiable-link" href="#v"> ¶</a></dt><dd>Be loud.</dd></dl>'
    assert text_of(page) == f"{SAID}-v\tBe loud.\n\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f"<nav>{LINKS}</nav><p>Short.</p>", "of tea 8"),  # a page of links
        (f'<div class="menu"><p>On Monday we serve soup.</p>{BODY}</div>', "On Monday we serve soup."),
        (f'<header><a href="/">Tea 2.0</a></header>{BODY}', "Tea 2.0"),
        (f'{BODY}<table summary="Navigation lights of boats"><tr><td>Red</td><td>port</td></tr></table>', "Red"),
        (f'<ul class="menu">{DISHES}</ul>{BODY}', "Soup 8"),
        (f'<div id="menu">{DESCRIBED}</div>{BODY}', "Soup 8"),
        (f'<p>We sell at <a href="a">Home</a>, <a href="b">Blog</a> and <a href="c">x</a> all day.</p>{BODY}', "Blog"),
        (f'{BODY}<p>See <a href="#c" rel="help">the notes</a>.</p>', "See the notes."),
        (f'{BODY}<p>Now <a href="#end">skip to the end</a> of it.</p>', "Now skip to the end of it."),
        (f'<div id="cookie-notice"><p>{"We keep one cookie for a year. " * 40}<a href="#">x</a></p></div>', "a year."),
    ],
)
def test_content_that_looks_like_furniture_is_kept(content: str, words: str) -> None:
    assert words in text_of(content)


LINK = '<a href="x">y</a>'


@pytest.mark.parametrize(
    "piece",
    [
        '<a rel="next">x</a>',
        f'<div class="menu">{LINK}',
        f"<nav>{LINK}",
        '<div class="navheader">',
        "<div>",
        "<table><tr><td>",
        "<x-y>",
        f"<ul><li>{LINK}",
    ],
)
def test_nested_and_repeated_elements_take_linear_time(piece: str) -> None:
    begin = time.process_time()
    assert text_of(f"{BODY}{piece * 20_000}Done.").startswith("Tea")
    assert time.process_time() - begin < 15


def test_what_is_nested_too_deep_stays_hidden_and_in_order() -> None:
    deep = "<div>" * 120 + "Hot <div hidden>cold</div> tea." + "</div>" * 120
    assert text_of(f"{BODY}{deep}<p>End.</p>").split()[-3:] == ["Hot", "tea.", "End."]
    path = '<path d="M0"/>'
    assert text_of(f"<svg>{path * 300}<text>no</text></svg>{BODY}") == SAID


@pytest.mark.parametrize("tag", ["div", "b", "span", "x-y", "section"])
@pytest.mark.parametrize("n_around", [98, 99, 100, 199, 250])
def test_what_is_nested_deep_in_something_hidden_is_hidden(tag: str, n_around: int) -> None:
    inner = f"<{tag} style='display:none'>a <{tag}>b <{tag} class='x'>secret</{tag}> c</{tag}> d</{tag}>"
    deep = f"<{tag}>" * n_around + f"Hot {inner} tea." + f"</{tag}>" * n_around
    assert text_of(f"{BODY}{deep}<p>End.</p>").split()[-3:] == ["Hot", "tea.", "End."]


@pytest.mark.parametrize("inner", ['<a href="x">Home</a>', f"<ul class=menu>{LINK * 3}</ul>" * 5_000])
def test_menus_deep_within_a_page_are_found_in_linear_time(inner: str) -> None:
    begin = time.process_time()
    deep = "<nav>" * 20_000 + "Some words that are no link. " * 3 + inner
    assert text_of(f"{BODY}{deep}").startswith("Tea")
    assert time.process_time() - begin < 15


def test_names_of_any_length_are_read_at_once() -> None:
    started = time.perf_counter()
    text_of(f'<div class="{"cookie-" * 50_000}">{WORDS}</div>')
    assert time.perf_counter() - started < 5
