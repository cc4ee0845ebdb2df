"""Converts RTF files to blocks: paragraphs, headings by style, lists, tables and footnotes."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.errors import DamagedSourceError
from treatise.ingest.bold_headings import with_bold_headings
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Block, Reading, Stated
from treatise.ingest.rtf_state import Paragraph, State
from treatise.ingest.rtf_tables import RtfRow, rtf_grid
from treatise.ingest.rtf_tokens import CODE_PAGES, SIGNS, SKIPPED, TOKEN, known_encoding
from treatise.ingest.tables import table_block
from treatise.ingest.writer import BlockWriter

_HEADING_STYLE: Final = re.compile(r"heading\s+([1-9])\b|(title)\b", re.IGNORECASE)
_CHANGED: Final = re.compile(rb"\\(?:revtim|creatim)\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})")
_MAX_HEAD_BYTES: Final = 2**16
_BODY_LEVEL: Final = 9


class _RtfReader:
    """One pass over the tokens of an RTF file, without recursion."""

    def __init__(self, name: str, limits: Limits) -> None:
        self._name = name
        self.writer = BlockWriter(name, limits)
        self.title: list[str] = []
        self.author: list[str] = []
        self._state = State()
        self._stack: list[State] = []
        self._paragraph = Paragraph()
        self._notes: list[str] = []
        self._note: list[str] = []
        self._rows: list[RtfRow] = []
        self._row = RtfRow()
        self._bold: list[int] = []  # blocks that are bold as a whole
        self._boxes: list[tuple[int, Paragraph]] = []  # depth of each open box, and the enclosing paragraph
        self._style: list[str] = []
        self._style_id = 0
        self._levels: dict[int, int] = {}
        self._font = 0
        self._encodings: dict[int, str] = {}
        self._n_to_skip = 0
        self._pending = bytearray()
        self._high = ""

    def read(self, data: bytes) -> None:
        """Reads the whole file.

        Raises:
            DamagedSourceError: The file ends within a group.
        """
        at = 0
        while match := TOKEN.match(data, at):
            at = match.end()
            if match["hex"]:
                self._byte(bytes.fromhex(match["hex"].decode()))
                continue
            if match["text"]:
                self._byte(match["text"])
                continue
            self._flush()
            if match["brace"]:
                self._group(opens=match["brace"] == b"{")
                if not self._stack:
                    break
            elif match["word"]:
                number = int(match["number"]) if match["number"] else None
                at += number or 0 if match["word"] == b"bin" and (number or 0) > 0 else 0
                self._word(match["word"].decode(), number)
            elif match["sign"]:
                self._sign(match["sign"].decode("latin-1"))
        self._flush()
        if self._stack:
            raise DamagedSourceError(f"{self._name}: truncated: an RTF group is not closed; save the file again")
        self._finish()

    def _byte(self, data: bytes) -> None:
        n_skipped = min(self._n_to_skip, len(data))
        self._n_to_skip -= n_skipped
        self._pending += data[n_skipped:]

    def _flush(self) -> None:
        """Decodes buffered bytes together, since a character may take two."""
        if self._pending:
            text = bytes(self._pending).decode(self._state.encoding, "replace")
            self._pending.clear()
            self._text(text)

    def _text(self, text: str) -> None:
        if self._state.target == "body" and not self._state.is_hidden:
            self._paragraph.pieces.append(text)
            self._paragraph.weights += [self._state.is_bold] if text.strip() else []
        elif self._state.target == "note":
            self._note.append(text)
        elif self._state.target == "title":
            self.title.append(text)
        elif self._state.target == "author":
            self.author.append(text)
        elif self._state.target == "styles":
            self._style.append(text)

    def _group(self, *, opens: bool) -> None:
        self._n_to_skip = 0
        if opens:
            self._stack.append(self._state)
        elif self._stack:
            before, self._state = self._state, self._stack.pop()
            if before.target == "styles":
                self._end_style()
            if self._boxes and len(self._stack) < self._boxes[-1][0]:
                self._end_box()
            if before.target == "note" != self._state.target:
                self._notes.append(" ".join("".join(self._note).split()))
                self._note.clear()

    def _end_style(self) -> None:
        if match := _HEADING_STYLE.match("".join(self._style).strip()):
            self._levels.setdefault(self._style_id, int(match.group(1) or 1))
        self._style.clear()
        self._style_id = 0

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._go_to("unknown")  # an optional destination, ignored unless it is known
        elif sign in "\r\n":
            self._end_paragraph()
        elif sign in SIGNS:
            self._text(SIGNS[sign])

    def _go_to(self, target: str) -> None:
        if self._state.target != "nowhere":
            self._state = replace(self._state, target=target)

    def _word(self, word: str, number: int | None) -> None:
        if word in SKIPPED:
            self._go_to("nowhere")
        elif word in SIGNS:
            self._text(SIGNS[word])
        elif word == "u":
            self._unicode((number or 0) & 0xFFFF)
        elif word in _WORDS:
            _WORDS[word](self, number)

    def _unicode(self, code: int) -> None:
        self._n_to_skip = self._state.skip
        if 0xD800 <= code < 0xDC00:
            self._high = chr(code)
            return
        pair, self._high = self._high + chr(code), ""
        self._text(pair.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))

    def set_encoding(self, number: int | None) -> None:
        """``\\ansicpg``: the code page of the file."""
        self._state = replace(self._state, encoding=known_encoding(f"cp{number}"))

    def set_charset(self, number: int | None) -> None:
        """``\\fcharset``: the code page of the font being declared."""
        self._encodings[self._font] = CODE_PAGES.get(number or 0, "")

    def set_font(self, number: int | None) -> None:
        """``\\f``: the font, which may have its own code page."""
        self._font = number or 0
        if self._state.target != "nowhere" and (encoding := self._encodings.get(self._font)):
            self._state = replace(self._state, encoding=encoding)

    def set_style(self, number: int | None) -> None:
        """``\\s``: in the style sheet, the style being defined; elsewhere the paragraph's style."""
        if self._state.target == "styles":
            self._style_id = number or 0
        else:
            self._paragraph.level = self._levels.get(number or 0, self._paragraph.level)

    def set_level(self, number: int | None) -> None:
        """``\\outlinelevel`` of a style or a paragraph, counted from 0."""
        level = (number or 0) + 1
        if level > _BODY_LEVEL:
            return
        if self._state.target == "styles":
            self._levels[self._style_id] = level
        else:
            self._paragraph.level = level

    def set_bold(self, number: int | None) -> None:
        """``\\b``: bold text; ``\\b0`` and ``\\plain`` end it."""
        self._state = replace(self._state, is_bold=number != 0)

    def set_skip(self, number: int | None) -> None:
        """``\\uc``: how many characters replace a Unicode character in old programs."""
        self._state = replace(self._state, skip=min(max(number or 0, 0), 16))

    def hide(self, number: int | None) -> None:
        """``\\v`` and ``\\deleted``: hidden text; ``\\v0`` ends it."""
        self._state = replace(self._state, is_hidden=number != 0)

    def reset_paragraph(self, _number: int | None) -> None:
        """``\\pard``: resets the paragraph to defaults; within the mark of an item it says nothing of the item."""
        if self._state.is_label:
            return
        self._paragraph.level, self._paragraph.is_list, self._paragraph.is_row = 0, False, False

    def start_label(self, _number: int | None) -> None:
        """``\\listtext``, ``\\pntext``: the mark of an item follows."""
        self._paragraph.is_list = True
        self._state = replace(self._state, is_label=True)

    def mark_list(self, number: int | None) -> None:
        """``\\ls``: the paragraph is an item of that list; of none if it is 0."""
        if self._state.target == "body":
            self._paragraph.is_list = bool(number)

    def mark_row(self, _number: int | None) -> None:
        """``\\intbl``: the paragraph is in a cell."""
        self._paragraph.is_row = True

    def start_styles(self, _number: int | None) -> None:
        """``\\stylesheet``: style names follow."""
        self._go_to("styles")

    def start_note(self, _number: int | None) -> None:
        """``\\footnote``: its text is placed after the paragraph."""
        if self._state.target == "body":
            self._text(f"[{len(self._notes) + 1}]")
            self._state = replace(self._state, target="note")

    def start_box(self, _number: int | None) -> None:
        """``\\shptxt``: the text of a box, placed before the paragraph that contains the box."""
        if self._state.target in ("body", "unknown"):
            self._state = replace(self._state, target="body")
            self._boxes.append((len(self._stack), self._paragraph))
            self._paragraph = Paragraph()

    def _end_box(self) -> None:
        self._finish_row()
        self._end_paragraph()
        self._paragraph = self._boxes.pop()[1]

    def start_title(self, _number: int | None) -> None:
        """``\\title`` in the document's metadata."""
        if self._state.target == "info":
            self._go_to("title")

    def start_author(self, _number: int | None) -> None:
        """``\\author`` in the document's metadata."""
        self._go_to("author" if self._state.target == "info" else "nowhere")

    def start_info(self, _number: int | None) -> None:
        """``\\info``: the document's metadata."""
        self._go_to("info")

    def start_row(self, _number: int | None) -> None:
        """``\\trowd``: the description of a row's cells follows, before or after their text."""
        if self._state.target == "body":
            self._row.define()

    def mark_head(self, _number: int | None) -> None:
        """``\\trhdr``: the row is repeated on each page as a head."""
        self._row.is_head = True

    def mark_merged(self, merge: str) -> None:
        """``\\clmrg`` and ``\\clvmrg``: the cell being described is part of the one to the left or above."""
        self._row.merge(merge)

    def end_definition(self, number: int | None) -> None:
        """``\\cellx``: the right edge of the cell being described, in twips."""
        if self._state.target == "body":
            self._row.add_edge(number or 0)

    def end_cell(self, _number: int | None) -> None:
        """``\\cell``."""
        if self._state.target == "body":
            self._row.texts.append(" ".join("".join(self._paragraph.pieces).split()))
            self._paragraph.pieces.clear()

    def end_inner_cell(self, _number: int | None) -> None:
        """``\\nestcell``, ``\\nestrow``: a table within a cell is text of that cell."""
        self._text(" ")

    def end_row(self, _number: int | None) -> None:
        """``\\row``; text after the last ``\\cell`` is a cell as well."""
        if "".join(self._paragraph.pieces).strip():
            self.end_cell(None)
        if any(self._row.texts):
            self._rows.append(self._row)
        self._row = self._row.next()
        self._paragraph = Paragraph()

    def end_paragraph(self, _number: int | None) -> None:
        """``\\par`` and ``\\sect``; a space within a cell or a note."""
        if self._state.target == "note":
            self._note.append(" ")
        elif self._state.target == "body":
            self._end_paragraph()

    def blocks(self) -> list[Block]:
        """What was read; bold lines are its headings if it has no others."""
        bold = set(self._bold)
        return with_bold_headings(self.writer.blocks, [at in bold for at in range(len(self.writer.blocks))])

    def _end_paragraph(self) -> None:
        if self._paragraph.is_row:
            self._paragraph.pieces.append(" ")
            return
        text, is_bold = "".join(self._paragraph.pieces), all(self._paragraph.weights)
        self._paragraph.pieces.clear()
        self._paragraph.weights.clear()
        if not text.strip():
            return
        self._end_table()
        if self._paragraph.level:
            self.writer.heading(text, self._paragraph.level)
        else:
            self.writer.add(ParagraphKind.LIST if self._paragraph.is_list else ParagraphKind.PROSE, text)
            self._bold += [len(self.writer.blocks) - 1] if is_bold else []
        self._write_notes()

    def _end_table(self) -> None:
        grid = rtf_grid(self._rows)
        block = table_block(grid) if grid else None
        self.writer.extend([block] if block else [])
        self._rows.clear()

    def _write_notes(self) -> None:
        for number, note in enumerate(self._notes, start=1):
            self.writer.add(ParagraphKind.PROSE, f"[{number}] {note}" if note else "")
        self._notes.clear()

    def _finish(self) -> None:
        """Flushes what is open at the end: an unterminated paragraph or row, and the notes of a table."""
        self._finish_row()
        self._end_paragraph()
        self._end_table()
        self._write_notes()

    def _finish_row(self) -> None:
        if self._paragraph.is_row:
            self.end_row(None)


_WORDS: Final[dict[str, Callable[[_RtfReader, int | None], None]]] = {
    "ansicpg": _RtfReader.set_encoding,
    "fcharset": _RtfReader.set_charset,
    "f": _RtfReader.set_font,
    "s": _RtfReader.set_style,
    "outlinelevel": _RtfReader.set_level,
    "uc": _RtfReader.set_skip,
    "b": _RtfReader.set_bold,
    "plain": lambda reader, _: reader.set_bold(0),
    "v": _RtfReader.hide,
    "deleted": _RtfReader.hide,
    "pard": _RtfReader.reset_paragraph,
    "ls": _RtfReader.mark_list,
    "listtext": _RtfReader.start_label,
    "pntext": _RtfReader.start_label,
    "intbl": _RtfReader.mark_row,
    "stylesheet": _RtfReader.start_styles,
    "footnote": _RtfReader.start_note,
    "shptxt": _RtfReader.start_box,
    "info": _RtfReader.start_info,
    "title": _RtfReader.start_title,
    "author": _RtfReader.start_author,
    "trowd": _RtfReader.start_row,
    "trhdr": _RtfReader.mark_head,
    "clmrg": lambda reader, _: reader.mark_merged("left"),
    "clvmrg": lambda reader, _: reader.mark_merged("above"),
    "cellx": _RtfReader.end_definition,
    "nestcell": _RtfReader.end_inner_cell,
    "nestrow": _RtfReader.end_inner_cell,
    "cell": _RtfReader.end_cell,
    "row": _RtfReader.end_row,
    "par": _RtfReader.end_paragraph,
    "sect": _RtfReader.end_paragraph,
    "page": _RtfReader.end_paragraph,
}
"""Handlers of control words."""


def read_rtf(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of an RTF file; hidden and deleted text, running heads and pictures are left out.

    Raises:
        DamagedSourceError: Not RTF, or truncated.
        SourceTooLargeError: More text than the limits allow.
    """
    data = data.lstrip()
    if not data.startswith(b"{\\rtf"):
        raise DamagedSourceError(f"{name}: not an RTF file, which begins with {{\\rtf; save it again as RTF")
    reader = _RtfReader(name, limits)
    reader.read(data)
    changed = _CHANGED.search(data[:_MAX_HEAD_BYTES])
    made = "-".join(part.decode().zfill(2) for part in changed.groups()) if changed else ""
    stated = Stated(("".join(reader.author),), made=made)
    return Reading(reader.blocks(), "rtf", title=" ".join("".join(reader.title).split()), stated=stated)
