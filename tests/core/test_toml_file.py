"""Settings files that are none."""

import io
import os
from pathlib import Path

import pytest

from treatise.core.errors import DataError, SettingsError
from treatise.core.lines import bounded_lines
from treatise.core.toml_file import MAX_TOML_BYTES, read_toml


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"a = " + b"[" * 100_000, "nested too deeply"),
        (b"a = " + b"9" * 5_000, "4300 digits"),
        (b"\xff", "utf-8"),
        (b"#" * (MAX_TOML_BYTES + 1), "larger than 1 MB"),
        (b"a = \0", "Invalid value"),
    ],
    ids=["deep", "digits", "bytes", "large", "zero"],
)
def test_what_is_not_toml_is_refused_by_name(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=rf"config\.toml.*{reason}"):
        read_toml(file)


@pytest.mark.skipif(os.name != "posix", reason="needs devices and pipes")
def test_pipes_and_devices_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    devices = [Path("/dev/zero"), *(one for one in [Path("/proc/kmsg")] if os.access(one, os.R_OK))]
    for file in (tmp_path / "pipe", *devices):
        with pytest.raises(SettingsError, match=r"a pipe or a device|nothing to read|cannot be read|is not TOML"):
            read_toml(file)
    with pytest.raises(SettingsError, match="directory"):
        read_toml(tmp_path)


def test_lines_end_with_windows_breaks_too(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"a = 1\r\nb = 2\r\n")
    assert read_toml(tmp_path / "a.toml") == {"a": 1, "b": 2}


def test_a_line_without_an_end_is_refused_before_it_is_read() -> None:
    assert list(bounded_lines(io.StringIO("a\n\nbc"), "x", 2)) == ["a\n", "\n", "bc"]
    stream = io.StringIO("a\n" + "b" * 100)
    with pytest.raises(DataError, match="x: line 2 has more than 10 characters"):
        list(bounded_lines(stream, "x", 10))
    assert stream.tell() < 20
