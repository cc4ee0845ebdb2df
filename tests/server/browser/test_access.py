"""The page for everybody: keyboard, screen readers, themes, languages, small screens."""

from typing import Any

import pytest

from tests.server.browser.conftest import ask

pytestmark = pytest.mark.slow

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
QUESTION = "Why does green tea want cooler water?"


def findings(page: Any) -> list[str]:
    """What axe-core finds serious or critical."""
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0].get('failureSummary', '')}"
        for one in axe.Axe().run(page).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("scheme", "size"), [("light", (1440, 900)), ("dark", (390, 780))])
def test_axe_finds_nothing_serious(open_page: Any, scheme: str, size: tuple[int, int]) -> None:
    page = open_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce")
    assert findings(page) == []
    turn = ask(page, QUESTION)
    turn.locator(".evidence summary").click()
    assert findings(page) == []
    turn.locator(".quote .place").first.click()
    page.locator(".run mark").wait_for()
    assert findings(page) == []
    page.locator("[data-tab=tree]").click()
    page.locator(".nodes .unit").first.wait_for()
    assert findings(page) == []


def test_everything_is_reached_by_keyboard(open_page: Any) -> None:
    page = open_page()
    page.evaluate("document.activeElement.blur()")  # in the field for questions, "/" is a character
    page.locator("body").press("/")
    page.locator("#question:focus").wait_for()
    assert page.locator("#question").input_value() == ""
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    page.locator(".turn[aria-busy=false]").wait_for()
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.classList.contains('place')"):
            break
    page.keyboard.press("Enter")
    page.locator(".run mark").wait_for()
    page.locator("#viewer:focus").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.locator("[data-tab=tree]:focus").wait_for()
    page.keyboard.press("Enter")
    page.locator(".nodes .unit").first.wait_for()
    page.keyboard.press("Escape")
    page.locator("#viewer").wait_for(state="hidden")
    page.locator(".place:focus").wait_for()


def test_the_page_speaks_german_and_remembers_it(open_page: Any) -> None:
    page = open_page()
    page.get_by_label("Language", exact=True).select_option("de")
    page.get_by_placeholder("Stellen Sie eine Frage zu Ihren Dokumenten").wait_for()
    assert page.evaluate("document.documentElement.lang") == "de"
    page.reload()
    page.get_by_role("button", name="Fragen", exact=True).wait_for()


def test_every_text_is_in_both_languages(open_page: Any) -> None:
    page = open_page()
    names = "async code => Object.keys((await import(`/static/${code}.js`))[code])"
    assert set(page.evaluate(names, "en")) - {"title"} == set(page.evaluate(names, "de"))


def test_the_theme_is_chosen_and_remembered(open_page: Any) -> None:
    page = open_page(color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.locator("#theme").click()
    page.locator("#theme").click()
    assert page.evaluate(paper) != light
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(paper) != light


def test_nothing_is_asked_of_other_hosts(open_page: Any, server: Any) -> None:
    page = open_page()
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.reload()
    page.wait_for_selector("html[data-ready]")
    ask(page, QUESTION)
    assert urls
    assert all(url.startswith((server.url, f"blob:{server.url}")) for url in urls)
