"""Outlook messages: headers, text in its three forms, attachments, and damaged files."""

import io
import random
import struct
from contextlib import suppress
from pathlib import Path

import pytest

from tests.ingest.outlook import INNER, MSG, attachment, compound, message
from treatise.core.errors import DamagedSourceError, SourceError, UnsupportedSourceError
from treatise.ingest import Limits, read_bytes, read_document_with_report
from treatise.ingest.compound import CompoundFile
from treatise.ingest.compressed_rtf import _KNOWN, unpacked_rtf


def test_a_message_is_read_with_its_attachments_and_the_message_within(tmp_path: Path) -> None:
    path = tmp_path / "a.msg"
    path.write_bytes(MSG)
    document, report = read_document_with_report(path)
    assert document.text == (
        "The café\n\nFrom: Lovelace, Ada <ada@example.org>\nTo: Bob\nDate: Mon, 04 Mar 2024 09:15:00 +0000\n\n"
        "We meet at the café. Bring tea.\n\nplan.md\n\n# Plan\n\nDrink tea.\n\nOlder\n\nWe drank.\n\n"
    )
    assert [(one.title, one.level) for one in document.sections] == [
        ("The café", 1), ("plan.md", 2), ("Plan", 3), ("Older", 2),
    ]  # fmt: skip
    assert (document.title, document.metadata) == ("The café", {"author": ("Ada Lovelace",), "date": ("2024-03-04",)})
    assert "left out the attachment 'cup.png', of a type that cannot be read" in report.notes


def test_a_message_is_known_without_its_suffix_and_another_office_file_is_not() -> None:
    assert read_bytes(MSG, name="a").title == "The café"
    with pytest.raises(UnsupportedSourceError, match="an old Microsoft Office file"):
        read_bytes(compound({"WordDocument": b"x" * 5000}), name="a")
    with pytest.raises(DamagedSourceError, match=r"a\.msg: not an Outlook message"):
        read_bytes(b"::msgcat::mcset de Yes Ja", name="a.msg")


def test_a_page_and_an_rtf_text_are_read_if_there_is_no_plain_text() -> None:
    page = {"__substg1.0_10130102": "<p>Prix&nbsp;: 5</p><table><tr><th>Leaf<th>2019<tr><td>Oo<td>3".encode("cp1252")}
    document = read_bytes(compound(message({"0037": "A"}, more=page)), name="a.msg")
    assert document.text.startswith("A\n\nPrix\xa0: 5\n\n")
    assert (
        document.self_contained(document.tables[0].rows[0].start, document.tables[0].rows[0].end) == "Leaf. Oo: 2019: 3"
    )
    rtf = rb"{\rtf1\ansi Boil \b water\b0.\par}"
    packed = struct.pack("<II4sI", len(rtf) + 12, len(rtf), b"MELA", 0) + rtf
    document = read_bytes(compound(message({"0037": "A"}, more={"__substg1.0_10090102": packed})), name="a.msg")
    assert document.text == "A\n\nBoil water.\n\n"


def test_runs_of_compressed_rtf_point_into_what_was_written_and_what_is_known() -> None:
    assert len(_KNOWN) == 207
    place = _KNOWN.index(b"\\ansi")
    runs = struct.pack(
        ">HH", place << 4 | 3, len(_KNOWN) << 4 | 8
    )  # "\ansi", and the ten bytes from there, in a circle
    end = struct.pack(">H", (len(_KNOWN) + 16) << 4)
    data = struct.pack("<II4sI", 0, 0, b"LZFu", 0) + bytes([0b1101]) + runs[:2] + b"x" + runs[2:] + end
    assert unpacked_rtf(data, "a") == b"\\ansix\\ansix\\ans"


def test_old_texts_are_in_the_encoding_that_the_message_states() -> None:
    russian = {"__substg1.0_0037001E": "Чай".encode("cp1251"), "__substg1.0_1000001E": "Пьём чай.".encode("cp1251")}
    document = read_bytes(compound(message({}, more=russian, fixed={0x3FFD: 1251})), name="a.msg")
    assert document.text == "Чай\n\nПьём чай.\n\n"
    wrong = {"__substg1.0_1000001E": "Café au lait".encode("cp1252")}
    document = read_bytes(compound(message({}, more=wrong, fixed={0x3FFD: 65001})), name="a.msg")
    assert "Café au lait" in document.text


def test_a_signed_message_is_read_and_an_encrypted_one_refused() -> None:
    signed = b"Content-Type: text/plain\r\n\r\nSigned by Ada.\r\n"
    more = {"__attach_version1.0_#00000000": attachment(signed, "smime.p7m")}
    document = read_bytes(compound(message({"001A": "IPM.Note.SMIME.MultipartSigned"}, more=more)), name="a.msg")
    assert "Signed by Ada." in document.text
    with pytest.raises(DamagedSourceError, match=r"a\.msg: an encrypted message"):
        read_bytes(compound(message({"001A": "IPM.Note.SMIME", "0037": "A"})), name="a.msg")


def test_messages_within_messages_are_read_to_a_depth_and_the_rest_is_told() -> None:
    inner = INNER
    for at in range(6):
        more = {"__attach_version1.0_#00000000": attachment(inner, f"level {at}")}
        inner = message({"0037": f"Reply {at}"}, more=more, n_head_bytes=24)
    document, report = read_document_with_report(
        io.BytesIO(compound({**inner, "__properties_version1.0": b"\0" * 32})), name="a.msg"
    )
    assert [one.title for one in document.sections] == ["Reply 5", "Reply 4", "Reply 3", "Reply 2"]
    assert "left out 'level 2': too many messages within each other" in report.notes


def test_circles_in_the_directory_and_in_chains_end() -> None:
    circular = bytearray(MSG)
    at = circular.index("__attach_version1.0_#00000000".encode("utf-16-le"))
    struct.pack_into("<I", circular, at + 76, 0)  # the attachment contains the message
    assert "The café" in read_bytes(bytes(circular), name="a.msg").text
    table = MSG.rindex(struct.pack("<I", 0xFFFFFFFD)) // 512 * 512
    chain = bytearray(MSG)
    struct.pack_into("<II", chain, table, 1, 0)
    with pytest.raises(DamagedSourceError, match=r"a\.msg: a damaged compound file: .*; save or download it again"):
        read_bytes(bytes(chain), name="a.msg")


def test_a_long_stream_is_read_over_its_sectors_and_cut_files_are_refused() -> None:
    long = "".join(f"Sentence number {at} of the message. " for at in range(3_000))
    data = compound(message({"0037": "Long", "1000": long}))
    assert " ".join(read_bytes(data, name="a.msg").text.split()) == f"Long {long.strip()}"
    with pytest.raises(DamagedSourceError, match=r"a\.msg: a damaged compound file"):
        read_bytes(data[:60_000], name="a.msg")


def test_damaged_bytes_end_in_a_document_or_an_error_that_names_the_file() -> None:
    generator = random.Random(0)
    for _ in range(300):
        data = bytearray(MSG)
        for _ in range(generator.randint(1, 12)):
            data[generator.randrange(len(data))] = generator.choice([0, 1, 0xFF, generator.randrange(256)])
        with suppress(SourceError):
            read_bytes(bytes(data), name="a.msg", limits=Limits(max_text_chars=100_000))


def test_streams_that_share_sectors_do_not_multiply_the_work() -> None:
    tree = message({f"{at:04X}": "" for at in range(0x2000, 0x2040)}, more={"big": b"x" * 8192})
    data = bytearray(compound(tree))
    file = CompoundFile(bytes(data), "a.msg")
    big = file.root().streams["big"]
    with pytest.raises(DamagedSourceError, match="its streams are longer than the file"):
        _ = [file.read(big) for _ in range(1_000)]
