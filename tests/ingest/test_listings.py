"""Code whose lines are values: each line is a sentence, whereas programs stay together."""

import pytest

from treatise.core.document import Document
from treatise.ingest import read_bytes
from treatise.ingest.listings import is_listing, listed_lines

AVERAGES = "```\nBASIC averages\nBunyan average: 377ms\nWinston average: 270ms\n\nBole average: 172ms\n```\n"
LEVELS = "  debug   1 # Log the destination.\n  debug   2 # show status\n  debug 512 # Common Log Format\n"
PROGRAMS = (
    "```python\nport = 1\nhost = 'a'\ntimeout = 3\n```\n",
    "client = Client(\n    port=1,\n    host=2,\n    timeout=3,\n)\n",
    "def f(x):\n    a = 1\n    b = 2\n    c = 3\n",
    "int a = 1;\nint b = 2;\nint c = 3;\n",
    "docker run --env=a \\\n  --port=1 \\\n  --host=b \\\n  --name=c\n",
    "npm install\nnpm test\nnpm start\n",
    "a: 1\nb: 2\n",
    "time: 1\n" * 201,
)


def sentences(document: Document) -> list[str]:
    return [document.quote(one.start, one.end).strip() for one in document.sentences()]


def test_each_value_is_a_sentence() -> None:
    document = read_bytes(f"`info('hello world')`:\n\n{AVERAGES}".encode(), name="bench.md")
    assert sentences(document) == [
        "`info('hello world')`:",
        "```\nBASIC averages",
        "Bunyan average: 377ms",
        "Winston average: 270ms",
        "Bole average: 172ms\n```",
    ]


@pytest.mark.parametrize(
    "around", ["{}", "<table><tr><td>{}</td></tr></table>", "<table><tr>\n<th>{}</th>\n</tr></table>"]
)
def test_listings_of_web_pages_have_lines(around: str) -> None:
    html = around.format(f"<pre>\n{LEVELS}</pre>")
    document = read_bytes(f"<html><h1>Log</h1><p>The levels are:</p>{html}</html>".encode(), name="a.html")
    assert sentences(document)[1:] == ["The levels are:", *map(str.strip, LEVELS.splitlines())]


def test_code_beside_other_cells_stays_in_the_table() -> None:
    for row in ("<td><pre>x: 1</pre><td>One", "<td colspan=2><pre>x: 1</pre>"):
        html = f"<html><table><tr><th>a<th>b<tr>{row}</table></html>"
        assert len(read_bytes(html.encode(), name="a.html").tables) == 1


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_and_logs_are_no_listings(program: str) -> None:
    assert not is_listing(program)


def test_data_have_one_sentence_per_value() -> None:
    data = '```json\n{\n  "id": "a",\n  "status": "approved",\n  "size": 3,\n  "year": 2020\n}\n```\n'
    assert is_listing(data)
    assert list(listed_lines(data)) == [
        '```json\n{\n  "id": "a",\n',
        '  "status": "approved",\n',
        '  "size": 3,\n',
        '  "year": 2020\n}\n```\n',
    ]


def test_the_command_that_a_sentence_introduces_is_read_with_it() -> None:
    document = read_bytes(b"Install it as follows:\n\n```\nnpm install\nnpm test\n```\n", name="a.md")
    assert len(sentences(document)) == 1
