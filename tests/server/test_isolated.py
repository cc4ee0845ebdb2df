"""Work in a process of its own."""

import subprocess
import sys

import pytest

pytest.importorskip("fastapi", reason="the server needs treatise[server]")


def test_a_file_larger_than_a_pipe_holds_reaches_a_process_that_starts_slowly() -> None:
    from treatise.server.isolated import Isolation
    from treatise.server.reading import IsolatedReader

    text = "Green tea wants cooler water than black tea does. " * 40_000
    document = IsolatedReader(Isolation(timeout_s=60))(text.encode(), "tea.txt")
    assert document.text == text


def test_a_pdf_is_read_in_the_one_process_that_can_be_killed() -> None:
    from tests.ingest.pdf_writer import Text, pdf

    program = (
        "import os, sys; sys.addaudithook(lambda event, _: event == 'subprocess.Popen' and os._exit(3)); "
        "sys.argv = ['read_one', '4096', '60', 'a.pdf']; from treatise.server.read_one import main; main()"
    )
    data = pdf([[Text(60, 700, "Boil the water once.")]])
    found = subprocess.run([sys.executable, "-c", program], input=data, capture_output=True, check=False)
    assert found.returncode == 0, found.stderr
    assert b"error" not in found.stdout.partition(b"\n")[0]
