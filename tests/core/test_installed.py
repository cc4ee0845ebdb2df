"""The command that installs an extra, for each way of installing the program."""

import shlex
from pathlib import Path

import pytest

from treatise.core.errors import MissingExtraError
from treatise.core.installed import install_command, requirement

WAYS = {
    "index": ({}, None, ["treatise[llm]"]),
    "editable": ({"url": "file:///a/b%20c", "dir_info": {"editable": True}}, None, ["-e", "/a/b c[llm]"]),
    "folder": ({"url": "file:///a/b", "dir_info": {}}, None, ["/a/b[llm]"]),
    "repository": (
        {"url": "https://example.org/t.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
        None,
        ["treatise[llm] @ git+https://example.org/t.git@abc"],
    ),
    "wheel": ({"url": "file:///w/t.whl", "archive_info": {}}, None, ["treatise[llm] @ file:///w/t.whl"]),
    "clone": ({}, Path("/a/clone"), ["/a/clone[llm]"]),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_requirement_is_one_that_pip_finds_again(way: str) -> None:
    origin, clone, expected = WAYS[way]
    assert shlex.split(requirement("llm", origin, clone)) == expected


def test_the_error_of_a_missing_extra_has_the_command_of_this_installation() -> None:
    assert str(MissingExtraError("the reader", "reader")).endswith(install_command("reader"))
    assert "[reader]" in install_command("reader")
