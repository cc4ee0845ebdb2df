"""What Sphinx does not do for this site: pages that live elsewhere, the help of every command, and notebooks."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
from sphinx.application import Sphinx

from treatise.cli import treatise

DOCS: Final = Path(__file__).parents[1]
ROOT: Final = DOCS.parent

ELSEWHERE: Final = {
    "results/index": ROOT / "RESULTS.md",
    "built/contributing": ROOT / "CONTRIBUTING.md",
    "built/changes": ROOT / "CHANGELOG.md",
    "built/security": ROOT / "SECURITY.md",
    "built/questions": ROOT / "benchmarks" / "questions" / "README.md",
}
"""Pages whose text is a file of the repository."""

_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _read(_app: Sphinx, name: str, source: list[str]) -> None:
    """Replaces the text of a page before it is parsed."""
    path = DOCS / f"{name}.md"
    if name in ELSEWHERE:
        path, own = ELSEWHERE[name], source[0].partition("\n")[2]
        source[0] = ELSEWHERE[name].read_text("utf-8") + own
    if (DOCS / f"{name}.ipynb").exists():
        source[0] = "\n\n".join(_cells(json.loads(source[0])))
    if name == "built/licences":
        source[0] += f"```text\n{(ROOT / 'NOTICE').read_text('utf-8')}```\n"
    if name == "reference/commands":
        source[0] += "\n".join(_commands(treatise, "treatise"))
    source[0] = _LINK.sub(lambda match: _link(match, path.parent, DOCS / f"{name}.md"), source[0])


def _link(match: "re.Match[str]", folder: Path, page: Path) -> str:
    """A link as the page needs it: to the page of a file, or no link if the site has no page of it."""
    mark, text, target = match.groups()
    file, _, anchor = target.partition("#")
    if not file or "://" in file or file.startswith("mailto:"):
        return match[0]
    found = (folder / file).resolve()
    pages = {path.resolve(): DOCS / f"{name}.md" for name, path in ELSEWHERE.items()}
    found = pages.get(found, found / "README.md" if found.is_dir() and (found / "README.md").exists() else found)
    if not found.is_relative_to(DOCS):
        return text
    return f"{mark}[{text}]({_relative(found, page.parent)}{'#' + anchor if anchor else ''})"


def _relative(path: Path, folder: Path) -> str:
    up = next(n for n, parent in enumerate([folder, *folder.parents]) if path.is_relative_to(parent))
    return "../" * up + path.relative_to([folder, *folder.parents][up]).as_posix()


def _cells(notebook: dict[str, Any]) -> Iterator[str]:
    """The cells of a notebook as Markdown, each with what it returned when ``scripts/notebooks`` ran it."""
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        yield text if cell["cell_type"] == "markdown" else _fenced("python", text)
        for output in cell.get("outputs", []):
            yield _output(output)


def _output(output: dict[str, Any]) -> str:
    data = {form: "".join(lines) for form, lines in output.get("data", {}).items()}
    if html := data.get("text/html"):
        return _fenced("{raw} html", html)
    return data.get("text/markdown") or _fenced("text", data.get("text/plain") or "".join(output["text"]))


def _fenced(kind: str, text: str) -> str:
    return f"~~~~{kind}\n{text.rstrip()}\n~~~~"


def _commands(command: click.Command, name: str, depth: int = 2) -> Iterator[str]:
    """The help of a command and of its commands, each under a heading."""
    context = click.Context(command, info_name=name, max_content_width=100)
    yield f"\n{'#' * depth} {name}\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            if (found := command.get_command(context, below)) and not found.hidden:
                yield from _commands(found, f"{name} {below}", min(depth + 1, 4))
