"""A table of each paper by the command line, with a model behind a server that counts requests; killed and resumed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evaluate.paper_data import write_all
from tests.evaluate.scripted_server import ScriptedServer, scripted_server

ROOT = Path(__file__).parents[2]
TABLES = ("disretrieval:table5", "htsir:table7", "disco-rag:table4")
"""Notes of trees; notes, drafts and critics; trees, graphs, plans and answers."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_all(tmp_path_factory.mktemp("sets"))


def started(table: str, data: Path, out: Path, server: ScriptedServer) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.evaluate.command_without_models", "eval", "paper", table]
    options = ["--data", str(data), "--out", str(out), "--llm", server.url, "--llm-model", "scripted"]
    settings = out.parent / "settings.toml"
    settings.touch()
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "TREATISE_CONFIG": str(settings)}
    return subprocess.Popen(
        [*command, *options], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def finished(process: subprocess.Popen[str], status: int) -> str:
    output, _ = process.communicate(timeout=300)
    assert process.returncode == status, output
    return output


def results(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*.jsonl"))}


@pytest.mark.parametrize("table", TABLES)
def test_a_killed_table_asks_no_answered_request_again(table: str, data: Path, tmp_path: Path) -> None:
    with scripted_server() as server:
        printed = finished(started(table, data, tmp_path / "whole", server), 0)
        assert f"{len(server.answered):,} calls of language models" in printed
        whole = list(server.answered)
        server.answered.clear()
        process = started(table, data, tmp_path / "killed", server)
        server.fall_silent(len(whole) // 2, process.kill)
        finished(process, -signal.SIGKILL)
        server.speak_again()
        finished(started(table, data, tmp_path / "killed", server), 0)
        assert sorted(server.answered) == sorted(whole)
        assert results(tmp_path / "killed") == results(tmp_path / "whole")


def test_a_whole_paper_prints_its_estimate_before_the_first_call(data: Path, tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "qmsum").symlink_to(data / "qmsum")
    with scripted_server() as server:
        server.fall_silent(0, lambda: None)
        printed = finished(started("htsir", tmp_path / "sets", tmp_path / "out", server), 1)
        server.speak_again()
        estimate = printed.partition("Estimate, before the first call:")[2].partition("Skipped or limited:")[0]
        assert "| meetings | qmsum |" in estimate
        assert server.answered == []
        again = finished(started("htsir", tmp_path / "sets", tmp_path / "out", server), 0)
    assert "Estimate" not in again  # the run continues
    expected = int(estimate.partition("| meetings | qmsum |")[2].split("|")[2])
    assert 0.5 * expected <= len(server.answered) <= 1.5 * expected
