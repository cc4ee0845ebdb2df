"""Hostile names and texts: nothing runs, nothing overflows, nothing turns the direction of what is around it."""

from typing import Any

import pytest

from tests.server.browser.conftest import ask

pytestmark = pytest.mark.slow

SCRIPT = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
LONG_WORD = "Donaudampfschifffahrtsgesellschaft" * 150
OVERRIDE = "\u202e"
TEXT = f"""# {SCRIPT}

The password of the fountain pump is {SCRIPT} as everybody knows. {OVERRIDE}This line was turned. It ends here.

## javascript:window.hacked=1

{LONG_WORD} is the longest word about the fountain pump. مضخة النافورة تعمل في الليل.
"""
NAMES = {
    "<img src=x onerror=window.hacked=1>.md": TEXT,
    f"{OVERRIDE}fdp.{'very-long-name' * 12}.md": TEXT.replace("fountain", "garden"),
    "\"><svg onload=window.hacked=1>&lt;b&gt;'.txt": f"The cellar pump says {SCRIPT} twice a day.\n",
}


@pytest.fixture(scope="module")
def hostile(server: Any) -> Any:
    server.upload({name: text.encode() for name, text in NAMES.items()})
    return server


@pytest.mark.parametrize("size", [(1280, 800), (390, 780)])
def test_nothing_runs_and_nothing_overflows(open_page: Any, hostile: Any, size: tuple[int, int]) -> None:
    page = open_page(viewport={"width": size[0], "height": size[1]})
    turn = ask(page, f"What is the password of the fountain pump? {SCRIPT} {LONG_WORD[:2000]}")
    assert "<script>" in turn.locator(".asked").inner_text(), "the question is shown as it was asked"
    assert_tame(page)
    turn.locator(".evidence summary").click()
    for menu in (".export summary", ".options summary"):
        page.locator(menu).click()
        assert_tame(page)
        page.locator(menu).click()
    turn.locator(".quote .place:visible", has_text=".md").first.click()
    page.locator(".run mark").wait_for()
    assert "<script>" in page.locator(".run").inner_text()
    assert_tame(page)
    page.locator("[data-tab=tree]").click()
    page.locator(".nodes .unit").first.wait_for()
    assert_tame(page)
    page.locator("#close").click()
    page.locator("#viewer").wait_for(state="hidden")
    if size[0] < 720:
        page.locator(".shelf").click()
    page.locator("#documents li").first.wait_for()
    assert_tame(page)


def assert_tame(page: Any) -> None:
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x], svg[onload], #panes script").count() == 0
    assert OVERRIDE not in page.locator("body").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    wide = """[...document.querySelectorAll('#panes :is(p, li, h2, h3, figure, button, bdi, blockquote)')].filter(e =>
        e.checkVisibility() && !e.closest('.content, .bar h2, .bar p')
        && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 120))"""
    assert page.evaluate(wide) == []
