"""Writes compound files and Outlook messages for tests."""

import itertools
import struct
from collections.abc import Mapping
from typing import Union

Tree = Mapping[str, Union[bytes, "Tree"]]
_END, _FREE, _TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_CUTOFF = 4096


def compound(tree: Tree) -> bytes:
    """A compound file of storages (mappings) and streams (bytes), with sectors of 512 bytes."""
    entries: list[tuple[str, int, list[int], bytes]] = []

    def add(name: str, node: "bytes | Tree", kind: int) -> int:
        at = len(entries)
        entries.append((name, kind, [], node if isinstance(node, bytes) else b""))
        if not isinstance(node, bytes):
            children = [add(key, one, 2 if isinstance(one, bytes) else 1) for key, one in node.items()]
            entries[at][2].extend(children)
        return at

    add("Root Entry", tree, 5)
    siblings = {a: b for *_, children, _ in entries for a, b in itertools.pairwise(children)}
    table: list[int] = []
    sectors: list[bytes] = []

    def place(content: bytes) -> int:
        n = -(-len(content) // 512)
        first = len(table)
        table.extend([*range(first + 1, first + n), _END] if n else [])
        sectors.append(content.ljust(n * 512, b"\0"))
        return first if n else _END

    small, small_table, starts = b"", list[int](), {}
    for at, (_, kind, _, content) in enumerate(entries):
        if kind != 2:
            continue
        if len(content) >= _CUTOFF:
            starts[at] = place(content)
        else:
            n = -(-len(content) // 64)
            starts[at] = len(small_table) if n else _END
            small_table += [*range(len(small_table) + 1, len(small_table) + n), _END] if n else []
            small += content.ljust(n * 64, b"\0")
    starts[0] = place(small)
    directory = b""
    for at, (name, kind, children, content) in enumerate(entries):
        raw = name.encode("utf-16-le")
        size = len(small) if kind == 5 else len(content)
        right, child = siblings.get(at, _FREE), children[0] if children else _FREE
        links = struct.pack("<BBIII", kind, 1, _FREE, right, child)
        directory += raw.ljust(64, b"\0") + struct.pack("<H", len(raw) + 2) + links + b"\0" * 36
        directory += struct.pack("<IQ", starts.get(at, _END), size)
    first_entry = place(directory)
    first_small = place(
        struct.pack(f"<{len(small_table)}I", *small_table).ljust(-(-len(small_table) // 128) * 512, b"\xff")
    )
    n_tables = 1
    while 128 * n_tables < len(table) + n_tables:
        n_tables += 1
    places = [len(table) + at for at in range(n_tables)]
    table += [_TABLE] * n_tables
    sectors.append(struct.pack(f"<{len(table)}I", *table).ljust(n_tables * 512, b"\xff"))
    head = struct.pack("<8s16xHHHHH6xIII4xI", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 62, 3, 0xFFFE, 9, 6, 0, n_tables,
                       first_entry, _CUTOFF)  # fmt: skip
    head += struct.pack("<IIII", first_small, -(-len(small_table) // 128), _END, 0)
    head += struct.pack("<109I", *(places + [_FREE] * 109)[:109])
    return head + b"".join(sectors)


def message(
    texts: Mapping[str, str],
    *,
    more: Tree | None = None,
    fixed: Mapping[int, int] | None = None,
    n_head_bytes: int = 32,
) -> dict[str, "bytes | Tree"]:
    """The storage of a message: its texts by number, further streams and storages, and fixed properties."""
    values = (struct.pack("<HHIQ", 0x40, number, 6, value) for number, value in (fixed or {}).items())
    return {
        "__properties_version1.0": b"\0" * n_head_bytes + b"".join(values),
        **{f"__substg1.0_{number}001F": text.encode("utf-16-le") for number, text in texts.items()},
        **(more or {}),
    }


def attachment(content: "bytes | Tree", name: str) -> Tree:
    """The storage of an attachment: bytes, or the storage of a message."""
    kind = "0102" if isinstance(content, bytes) else "000D"
    return {
        "__properties_version1.0": b"\0" * 8,
        f"__substg1.0_3701{kind}": content,
        "__substg1.0_3707001F": name.encode("utf-16-le"),
    }


INNER = message({"0037": "Older", "1000": "We drank.\r\n"}, n_head_bytes=24)
MSG = compound(
    message(
        {
            "001A": "IPM.Note",
            "0037": "The café",
            "0C1A": "Lovelace, Ada",
            "5D01": "ada@example.org",
            "0E04": "Bob",
            "1000": "We meet at the café. Bring tea.\r\n",
        },
        fixed={0x39: 133540173000000000},
        more={
            "__attach_version1.0_#00000000": attachment(b"# Plan\n\nDrink tea.\n", "plan.md"),
            "__attach_version1.0_#00000001": attachment(b"xx", "cup.png"),
            "__attach_version1.0_#00000002": attachment(INNER, "Older"),
        },
    )
)
