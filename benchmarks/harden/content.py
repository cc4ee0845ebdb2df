"""Hostile content: every command on documents whose text, title and name hold escapes, markup, formulas and paths.

No control character may reach an output, no markup may stand unescaped in a page or drawing, no traceback may be shown,
and nothing may be written outside the folder of the test.
"""

import os
import random
import re
import tempfile
import zipfile
from html.parser import HTMLParser
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Final

from click.testing import CliRunner, Result

from benchmarks.harden.campaign import Campaign
from treatise.cli import treatise

PAYLOADS: Final = (
    "\x1b]0;title\x07", "\x1b[2J\x1b[31m", "\x9b31m", "\u202egnp.exe", "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>', "<svg onload=alert(1)>", "[a](javascript:alert(1))", "</text><script>1</script>",
    "=cmd|' /C calc'!A0", "@SUM(1+1)", "{{7*7}}", "${jndi:ldap://a}", "'; DROP TABLE documents; --", "%s%n%x",
    "../../etc/passwd", "a\nforged row", "\\0", "\ud800", "\u2028", "style=\"position:fixed\"", "<![CDATA[ ]]>", "&lt;b&gt;",
)  # fmt: skip
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_COMMANDS: Final = (
    ["list"], ["list", "--json"], ["ask", "What boils?"], ["ask", "What boils?", "--json"], ["search", "boils"],
    ["search", "boils", "--json"], ["summarize", "FILE"], ["summarize", "FILE", "--json"], ["show", "ID"],
    ["show", "ID", "--json"], ["show", "ID", "--tree", "--out", "OUT.svg"], ["show", "ID", "--tree", "--out", "OUT.html"],
    ["parse", "FILE", "--format", "brackets"], ["parse", "FILE", "--format", "json"], ["parse", "FILE", "--format", "rs3"],
    ["parse", "FILE", "--format", "rs4"], ["parse", "FILE", "--format", "dis"],
    ["parse", "FILE", "--format", "conllu"], ["parse", "FILE", "--format", "tok"], ["parse", "FILE", "--format", "rels"], ["index", "FILE", "--explain"], ["update"],
    ["doctor", "--verify"], ["index", "FILE.missing"], ["index", "ZIP"], ["index", "LINKS", "--json"],
)  # fmt: skip


class _Page(HTMLParser):
    """Finds elements and attributes that run code."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.found.append(f"{tag} {name}={value}")
        if tag in ("img", "iframe", "object", "embed"):
            self.found.append(tag)

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script" and "alert(1)" in data:
            self.found.append(data[:80])


def run(campaign: Campaign) -> None:
    cases = list(product(PAYLOADS, _COMMANDS))
    random.Random(campaign.seed).shuffle(cases)
    with tempfile.TemporaryDirectory(prefix="treatise-content-") as folder:
        os.environ["TREATISE_STORE"] = str(Path(folder) / "store" / "treatise.db")
        root = Path(folder) / "work"
        root.mkdir()
        for payload, command in cases:
            if not campaign.goes_on:
                break
            _one(campaign, root, payload, command)
        if {path.name for path in Path(folder).iterdir()} - {"work", "store"}:
            campaign.fault(f"written outside: {sorted(path.name for path in Path(folder).iterdir())}")
    del os.environ["TREATISE_STORE"]


def _one(campaign: Campaign, root: Path, payload: str, command: list[str]) -> None:
    file = _file(root, payload)
    indexed = _run("index", str(file), "--json")
    id_ = match.group(1) if (match := re.search(r'"document": "(\w{12})"', indexed.stdout)) else "none"
    values = {"FILE": str(file), "ID": id_, "ZIP": str(_archive(root, payload)), "LINKS": str(_links(root))}
    values["OUT"] = str(root / "out")
    arguments = [re.sub("FILE|ID|ZIP|LINKS|OUT", lambda found: values[found.group()], one) for one in command]
    done = _run(*arguments)
    campaign.count("commands")
    shown = done.stdout + done.stderr
    if _CONTROL.search(shown):
        campaign.fault(f"{command} shows a control character for {payload!r}")
    if "a bug in Treatise" in shown or (done.exception and not isinstance(done.exception, SystemExit)):
        campaign.fault(f"{command} for {payload!r}: {done.exception!r} {shown[-300:]}")
    if any(row.startswith("forged row") for row in shown.split("\n")):
        campaign.fault(f"{command} prints a forged row")
    if "root:x:0" in shown:
        campaign.fault(f"{command} followed a link")
    for page in root.glob("out.*"):
        parser = _Page()
        parser.feed(page.read_text(encoding="utf-8", errors="replace"))
        campaign.count("pages parsed")
        if parser.found:
            campaign.fault(f"{command} for {payload!r}: {parser.found[:3]}")
        page.unlink()


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(treatise, list(arguments))


def _file(root: Path, payload: str) -> Path:
    name = payload.replace("/", "_").replace("\0", "_").encode("utf-8", "replace").decode()[:80]
    file = root / f"{name}.md"
    text = f"# Tea {payload}\n\nWater {payload} boils at 100 degrees. {payload}\n\n| a | b |\n|---|---|\n| {payload} | 2 |\n"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return file


def _archive(root: Path, payload: str) -> Path:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../outside.txt", payload.encode("utf-8", "replace"))
        archive.writestr("/tmp/treatise-outside.txt", b"x")
    path = root / "bad.zip"
    path.write_bytes(out.getvalue())
    return path


def _links(root: Path) -> Path:
    folder = root / "links"
    folder.mkdir(exist_ok=True)
    for name, target in (("secret.txt", "/etc/passwd"), ("zero.txt", "/dev/zero"), ("up", "/etc")):
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(target)
    if not (folder / "pipe.txt").exists():
        os.mkfifo(folder / "pipe.txt")
    (folder / "good.txt").write_text("Water boils at 100 degrees.")
    return folder
