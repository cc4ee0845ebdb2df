"""The side file of the index over all documents."""

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from treatise.store import corpus_file
from treatise.store.corpus_file import Arrays, CorpusFile, CorpusFileError


def arrays(seed: int) -> Arrays:
    generator = np.random.default_rng(seed)
    return {
        "codes": generator.integers(-127, 127, (seed, 5), dtype=np.int8),
        "starts": np.arange(seed),
        "ids": np.array([b"a", b"bc"]),
        "empty": np.zeros((0, 3), dtype=np.float32),
    }


def assert_equal(found: Arrays, wanted: Arrays) -> None:
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.corpus"


@pytest.fixture
def made(path: Path) -> CorpusFile:
    return CorpusFile.create(path, "key", [arrays(3)]).append(arrays(4))


def test_blocks_come_back_in_order(made: CorpusFile, path: Path) -> None:
    opened = CorpusFile.open(path, "key")
    for found, seed in zip(opened.blocks, (3, 4), strict=True):
        assert_equal(found, arrays(seed))
    assert opened.is_current


def test_a_reader_keeps_its_blocks_while_another_appends_or_replaces(made: CorpusFile, path: Path) -> None:
    reader = CorpusFile.open(path, "key")
    made.append(arrays(5))
    assert not reader.is_current
    CorpusFile.create(path, "key", [arrays(9)])
    for found, seed in zip(reader.blocks, (3, 4), strict=True):
        assert_equal(found, arrays(seed))


def test_of_two_writers_the_second_is_told_to_read_again(made: CorpusFile, path: Path) -> None:
    other = CorpusFile.open(path, "key")
    made.append(arrays(5))
    with pytest.raises(CorpusFileError, match="changed by another process"):
        other.append(arrays(6))
    assert len(CorpusFile.open(path, "key").blocks) == 3


def test_a_block_without_a_header_was_never_there(
    made: CorpusFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(corpus_file, "_write_header", crash)
        with pytest.raises(OSError, match="No space"):
            made.append(arrays(7))
    assert made.is_current
    assert path.stat().st_size == made.header.length  # the room is given back
    for found, seed in zip(made.append(arrays(6)).blocks, (3, 4, 6), strict=True):
        assert_equal(found, arrays(seed))


def test_a_torn_header_leaves_the_state_before(made: CorpusFile, path: Path) -> None:
    slot = made.header.generation % 2 * 512
    content = bytearray(path.read_bytes())
    content[slot + 20] ^= 0xFF
    path.write_bytes(content)
    (block,) = CorpusFile.open(path, "key").blocks
    assert_equal(block, arrays(3))


def test_every_cut_is_noticed(made: CorpusFile, path: Path) -> None:
    whole = path.read_bytes()
    for length in (0, 100, 511, 512, 1023, 1024, 1100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(CorpusFileError, match=r"a\.corpus (is cut|has no valid header)"):
            CorpusFile.open(path, "key")


def test_a_foreign_file_is_refused_by_name(made: CorpusFile, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CorpusFileError, match="another recipe or encoder"):
        CorpusFile.open(path, "other")
    with pytest.raises(CorpusFileError, match="does not exist"):
        CorpusFile.open(path.with_name("b"), "key")
    monkeypatch.setattr(corpus_file, "VERSION", corpus_file.VERSION + 1)
    with pytest.raises(CorpusFileError, match=f"this Treatise reads {corpus_file.VERSION}"):
        CorpusFile.open(path, "key")


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_refused_without_waiting_for_it(made: CorpusFile, path: Path, kind: str) -> None:
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif hasattr(os, "mkfifo"):
        os.mkfifo(path)
    else:
        pytest.skip("this system has no named pipes")
    with pytest.raises(CorpusFileError, match=rf"a\.corpus is a .*{kind}.*, expected a file"):
        CorpusFile.open(path, "key")
    assert not made.is_current
    with pytest.raises(CorpusFileError, match="expected a file"):
        made.append(arrays(5))


def test_a_file_that_is_cut_while_it_is_open_says_so(made: CorpusFile, path: Path) -> None:
    assert not made.is_cut
    with path.open("r+b") as file:
        file.truncate(1_100)
    assert made.is_cut
    path.unlink()
    assert not made.is_cut  # what is mapped stays
    path.write_bytes(b"another file, since the first was found cut")
    assert made.is_cut


def test_a_damaged_head_is_noticed(made: CorpusFile, path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[1024 + 20] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(CorpusFileError, match="is damaged at byte 1,024"):
        CorpusFile.open(path, "key")


def test_equal_blocks_give_equal_bytes_that_only_the_owner_reads(tmp_path: Path) -> None:
    for name in ("a", "b"):
        CorpusFile.create(tmp_path / name, "key", [arrays(3)]).append(arrays(2))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    if os.name == "posix":
        assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


def test_two_threads_may_make_the_file_at_the_same_time(path: Path) -> None:
    class Meanwhile(list[Arrays]):
        """Blocks during whose writing another thread makes the file."""

        def __iter__(self) -> Iterator[Arrays]:
            other = Thread(target=CorpusFile.create, args=(path, "key", [arrays(9)]))
            other.start()
            other.join()
            return super().__iter__()

    CorpusFile.create(path, "key", Meanwhile([arrays(3)]))
    (block,) = CorpusFile.open(path, "key").blocks
    assert_equal(block, arrays(3))
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_flipped_bit_is_noticed_wherever_it_is(made: CorpusFile, path: Path) -> None:
    whole = path.read_bytes()
    n_noticed = 0
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        try:
            found = CorpusFile.open(path, "key").blocks
        except CorpusFileError:
            n_noticed += 1
            continue
        for block, seed in zip(found, (3, 4), strict=False):  # padding, or the newest header: then the state before
            assert_equal(block, arrays(seed))
        assert len(found) == 2 or at < 1024
    assert n_noticed > sum(array.nbytes for seed in (3, 4) for array in arrays(seed).values())


def test_arrays_with_sums_of_their_own_are_left_to_their_reader(path: Path) -> None:
    rows = np.arange(40, dtype=np.int8).reshape(8, 5)
    CorpusFile.create(path, "key", [{"vectors": rows}])
    content = bytearray(path.read_bytes())
    at = content.index(rows.tobytes())
    content[at] ^= 1
    path.write_bytes(content)
    ((found,),) = (block.values() for block in CorpusFile.open(path, "key").blocks)
    assert np.argwhere(found != rows).tolist() == [[0, 0]]


def test_blocks_that_were_compared_are_not_read_again(made: CorpusFile, path: Path) -> None:
    reader = CorpusFile.open(path, "key")
    made.append(arrays(5))
    newer = CorpusFile.open(path, "key", reader)
    assert [one is other for one, other in zip(newer.blocks, reader.blocks, strict=False)] == [True, True]
    assert_equal(newer.blocks[2], arrays(5))
    CorpusFile.create(path, "key", [arrays(9)])
    (block,) = CorpusFile.open(path, "key", newer).blocks
    assert_equal(block, arrays(9))
