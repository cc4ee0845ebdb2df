"""What a release needs: licences of all that ships, a changelog with this version, a manual page, workflows."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

import treatise
from treatise.cli import treatise as command

ROOT = Path(__file__).parents[2]
PACKAGE = Path(treatise.__file__).parent
NOTICE = (ROOT / "NOTICE").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
DATA = sorted(
    {
        path.parent if path.parent.parent.name == "models" else path
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
)
OWN_WORK = {".css", ".html", ".js", ".json", ".svg", ".toml", ".txt", ".typed", ".md", ".mjs"}
"""Types of files that we wrote ourselves, under the licence of the code: prompts, pages, recipes, settings."""


@pytest.mark.parametrize("path", DATA, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_everything_that_ships_has_its_licence_in_the_notice(path: Path) -> None:
    name = f"src/treatise/{path.relative_to(PACKAGE).as_posix()}"
    if path.is_dir():
        assert name in NOTICE, f"NOTICE: add {name} with its source and licence"
        assert (path / "LICENSE").is_file()
    elif path.suffix not in OWN_WORK:
        assert name in NOTICE, f"NOTICE: add {name} with its source and licence"


def test_the_changelog_is_kept_and_has_this_version() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(treatise.__version__)} - \d{{4}}-\d\d-\d\d", headings[1])
    parts = set(re.findall(r"^### (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE))
    assert parts <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_manual_page_names_every_command() -> None:
    page = (ROOT / "deploy" / "treatise.1").read_text("utf-8")
    named = set(re.findall(r"^\.SS treatise (\S+)", page, re.MULTILINE))
    listed = CliRunner().invoke(command, ["--help"]).output.partition("Commands:\n")[2]
    assert named >= set(re.findall(r"^  ([a-z]+)  ", listed, re.MULTILINE)), "run scripts/manual > deploy/treatise.1"


def test_the_manual_page_is_made_from_the_help() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts" / "manual"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f'.TH TREATISE 1 "" "Treatise {treatise.__version__}"')
    assert r"\fB\-\-budget" in done.stdout


def test_the_workflows_are_valid_and_pin_what_they_use() -> None:
    files = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    for file in files:
        for used in re.findall(r"uses: (\S+)", file.read_text("utf-8")):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), f"{file.name}: {used} is not pinned by its commit"
    if find_spec("check_jsonschema") is None:
        pytest.skip("the schema of workflows needs the group release")
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *files]
    assert subprocess.run(check, check=False).returncode == 0


def test_the_matrix_tries_every_python_that_the_package_allows() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    named = [one.rpartition(" ")[2] for one in PROJECT["project"]["classifiers"] if "Python :: 3." in one]
    assert "python: [" + ", ".join(f'"{version}"' for version in named) + "]" in workflow


def test_the_workflow_of_the_integrations_has_each_by_name() -> None:
    script = (ROOT / "scripts" / "integrations").read_text("utf-8")
    names = re.findall(r"^    \[(\w+)\]=", script, re.MULTILINE)
    workflow = (ROOT / ".github" / "workflows" / "integrations.yml").read_text("utf-8")
    assert re.findall(r"^          - (\w+)$", workflow, re.MULTILINE) == ["all", *names]
    assert "[" + ", ".join(f'"{name}"' for name in names) + "]" in workflow


def test_the_container_and_the_sdist_have_what_the_build_reads() -> None:
    build = PROJECT["tool"]["hatch"]["build"]["targets"]
    for shared in build["wheel"]["shared-data"]:
        assert f"COPY {shared} {shared}" in (ROOT / "Dockerfile").read_text("utf-8")
        assert f"/{shared.partition('/')[0]}" in build["sdist"]["include"]


def test_every_extra_that_a_message_tells_to_install_is_there() -> None:
    extras = set(PROJECT["project"]["optional-dependencies"])
    named = {
        (file.name, call.args[1].value)
        for file in PACKAGE.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "MissingExtraError"
        if isinstance(call.args[1], ast.Constant)
    }
    assert len(named) > 10
    assert {(file, extra) for file, extra in named if extra not in extras} == set()


def test_the_conda_recipe_has_the_lowest_versions_of_the_package() -> None:
    recipe = (ROOT / "deploy" / "conda" / "meta.yaml").read_text("utf-8")
    listed = dict(re.findall(r"^    - ([a-z0-9-]+) >=([\d.]+)$", recipe.partition("  run:")[2], re.MULTILINE))
    needed = dict(re.fullmatch(r"([\w-]+)>=([\d.]+)", one).groups() for one in PROJECT["project"]["dependencies"])  # type: ignore[union-attr]
    assert listed == {name.lower(): version for name, version in needed.items()}
