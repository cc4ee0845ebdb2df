"""``treatise keys`` and the options of ``treatise serve``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from treatise.server.audit import AuditLog
from treatise.server.state import State

Run = Callable[..., Result]


def test_a_key_is_made_listed_and_removed_and_its_text_is_shown_once(
    run: Run, run_json: Callable[..., dict[str, Any]]
) -> None:
    made = run_json("keys", "add", "ann", "--scope", "write", "--collection", "tea", "--requests-per-minute", "9")
    assert made["key"].startswith(f"tk-{made['id']}-")
    (listed,) = run_json("keys", "list")["keys"]
    assert (listed["name"], listed["scope"], listed["collections"]) == ("ann", "write", ["tea"])
    assert listed["limits"]["requests_per_minute"] == 9
    assert made["key"] not in run("keys", "list").stdout
    assert run_json("keys", "remove", made["id"]) == {"removed": made["id"]}
    assert run_json("keys", "list") == {"keys": []}


def test_keys_made_and_removed_on_the_command_line_are_in_the_audit_log(
    run_json: Callable[..., dict[str, Any]], home: Path
) -> None:
    made = run_json("keys", "add", "ann", "--state", str(home / "state"))
    run_json("keys", "remove", made["id"], "--state", str(home / "state"))
    state = State(home / "state")
    found = [(row["action"], row["subject"]) for row in AuditLog(state).newest(10)]
    state.close()
    assert found == [("remove key", made["id"]), ("add key", made["id"])]


def test_the_files_of_keys_are_their_owners_alone(run: Run, home: Path) -> None:
    assert run("keys", "add", "ann", "--store", home / "library.db").exit_code == 0
    folder = home / "library.db.server"
    assert (folder.stat().st_mode & 0o777, (folder / "server.db").stat().st_mode & 0o777) == (0o700, 0o600)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("keys", "remove", "ffffffff"), "treatise keys list"),
        (("serve", "--host", "0.0.0.0"), "treatise keys add"),
        (("serve", "--allow-host", "library.example"), "treatise keys add"),
        (("serve", "--recipe", "no-such", "--require-key"), "key"),
    ],
)
def test_what_cannot_be_done_says_what_to_do(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code != 0
    assert message in result.stderr
