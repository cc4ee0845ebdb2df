"""Converts manual pages (roff with the macros of man(7) or mdoc(7)) to blocks: sections, paragraphs, options, examples.

It is a light reader of what manual pages use: pages are not laid out, and macros that a page defines are not run.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.errors import EmptySourceError
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Reading, Stated
from treatise.ingest.roff_text import MdocWords, arguments, unescaped
from treatise.ingest.tables import Grid, plain_rows, table_block
from treatise.ingest.writer import BlockWriter

_FONT_NAMES: Final = "B I R SM SB BI BR IB IR RB RI"
_FONTS: Final = frozenset(_FONT_NAMES.split())
_BREAK_NAMES: Final = "PP P LP HP Pp br sp"
_BREAKS: Final = frozenset(_BREAK_NAMES.split())
_CODE_ON, _CODE_OFF = frozenset(("nf", "EX", "Bd")), frozenset(("fi", "EE", "Ed"))
_LINES: Final = frozenset(("D1", "Dl"))  # an example of one line
_DEFINITIONS: Final = frozenset(("de", "de1", "am", "ig", "dei", "ami"))
_CONDITIONS: Final = frozenset(("if", "ie", "el", "while"))
_MDOC_NAMES: Final = (
    "Nm Nd Op Oo Oc Ar Fl Cm Ic Li Em Sy Ev Va Vt Fa Ft Fn Pa Ad An Er Dv No Sx Tn Mt Dq Do Dc Qq Qo Qc Sq So Sc Ql "
    "Pq Po Pc Bq Bo Bc Brq Bro Brc Aq Ao Ac Xr Ns Pf Ap Sm Xo Xc Cd Bx At Ux Lk Lb In St Nx Fx Ox Dx Fo Fc"
)
_MDOC: Final = frozenset(_MDOC_NAMES.split())
_MACRO: Final = re.compile(r"[.'][ \t]*(?P<name>[A-Za-z%][\w]{0,4}|\\\")(?=\s|$|\"|\\)?(?P<rest>.*)")
_TABLE_OPTIONS: Final = re.compile(r"\.\s*$")
_RULE: Final = re.compile(r"[_=]\s*|\\_|\\\^")
_DATE: Final = re.compile(r"\$Mdocdate:\s*(.*?)\s*\$")


def read_roff(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of a manual page.

    Raises:
        SourceError: Binary data, broken characters, too much text, or a page that only names another.
    """
    decoded = decode(data, name)
    page = _Page(BlockWriter(name, limits))
    lines = _joined(decoded.text)
    for line in lines:
        if line.startswith((".TS", "'TS")):
            page.table(_until(lines, ".TE"))
        elif line.startswith((".", "'")):
            page.macro(line, lines)
        else:
            page.text(line)
    page.flush()
    if page.points_to and not any(block.level == 0 for block in page.writer.blocks):
        raise EmptySourceError(f"{name}: only says that its text is in {page.points_to}; name that file")
    title = f"{page.title}({page.section})" if page.title and page.section else page.title
    return Reading(page.writer.blocks, "roff", decoded.encoding, title=title, stated=Stated(date=page.date))


def _joined(text: str) -> Iterator[str]:
    """The lines; one that ends with a backslash goes on in the next."""
    pending = ""
    for line in text.splitlines():
        pending += line
        if pending.endswith("\\") and not pending.endswith("\\\\"):
            pending = pending[:-1]
            continue
        yield pending
        pending = ""
    if pending:
        yield pending


def _until(lines: Iterator[str], end: str) -> list[str]:
    """The lines before one that begins with ``end``, which is taken too."""
    found = []
    for line in lines:
        if line.startswith(end):
            break
        found.append(line)
    return found


@dataclass(slots=True)
class _Page:
    """A page while it is read.

    Attributes:
        writer: The blocks so far.
        title, section, date: What the first macro says.
        points_to: The page that this one includes.
    """

    writer: BlockWriter
    title: str = ""
    section: str = ""
    date: str = ""
    points_to: str = ""
    _words: list[str] = field(default_factory=list)
    _terms: list[str] = field(default_factory=list)
    _is_code: bool = False
    _awaits: str = ""  # what the next line of text is: a term, or a heading of level 1 or 2
    _mdoc: MdocWords = field(default_factory=MdocWords)
    _lists: list[str] = field(default_factory=list)

    def text(self, line: str) -> None:
        """Adds a line of text."""
        plain = unescaped(line)
        if self._is_code:
            self._words.append(plain)
        elif not plain.strip():
            self.flush()
        elif self._awaits:
            self._take(plain)
        else:
            self._words.append(plain.strip())

    def _take(self, plain: str) -> None:
        awaited, self._awaits = self._awaits, ""
        if awaited == "term":
            self._terms.append(plain.strip())
        else:
            self.writer.heading(plain, int(awaited))

    def macro(self, line: str, lines: Iterator[str]) -> None:
        """Does what a macro says; unknown ones are left out."""
        match = _MACRO.match(line)
        if match is None or match["name"] == '\\"':
            return
        name, rest = match["name"], match["rest"]
        words = arguments(rest.split('\\"')[0])
        if name in _DEFINITIONS:
            _until(lines, "..")
        elif name in _CONDITIONS:
            self._skip(rest, lines)
        elif not self._structure(name, words):
            self._inline(name, words)

    def _skip(self, rest: str, lines: Iterator[str]) -> None:
        """Leaves out a condition and what it holds: pages use them for the printer."""
        depth = rest.count("\\{") - rest.count("\\}")
        while depth > 0 and (line := next(lines, None)) is not None:
            depth += line.count("\\{") - line.count("\\}")

    def _structure(self, name: str, words: list[str]) -> bool:
        """Whether it is a macro of title, sections, paragraphs, lists or examples, which is done."""
        if name in ("TH", "Dt"):
            self.title, self.section = (*map(unescaped, words), "", "")[:2]
            self.date = self.date or (unescaped(words[2]) if name == "TH" and len(words) > 2 else "")
        elif name == "Dd":
            stated = " ".join(words)
            self.date = _DATE.sub(r"\1", stated)
        elif name in ("SH", "Sh", "SS", "Ss"):
            self._heading(words, level=1 if name in ("SH", "Sh") else 2)
        elif name in _BREAKS:
            self.flush(keeps_code=name in ("br", "sp"))
        elif name in ("TP", "TQ"):
            if name == "TP":
                self.flush()
            self._awaits = "term"
        elif name in ("IP", "It"):
            self._item(name, words)
        elif name in _CODE_ON:
            self.flush()
            self._is_code = name != "Bd" or any(one in ("-literal", "-unfilled") for one in words)
        elif name in _CODE_OFF:
            self.flush()
            self._is_code = False
        elif name in ("Bl", "El"):
            self.flush()
            self._lists = [*self._lists, " ".join(words)] if name == "Bl" else self._lists[:-1]
        elif name == "so":
            self.points_to = " ".join(words)
        else:
            return False
        return True

    def _heading(self, words: list[str], *, level: int) -> None:
        self.flush()
        self._is_code = False
        if words:
            self.writer.heading(" ".join(map(unescaped, words)), level)
        else:
            self._awaits = str(level)

    def _item(self, name: str, words: list[str]) -> None:
        """An item of a list; bullets and numbers are no terms."""
        if self._words or name == "IP":
            self.flush()
        self._awaits = ""
        term = self._mdoc.line(words) if name == "It" else " ".join(map(unescaped, words[:1]))
        if term:
            self._terms.append(term)
        elif name == "It" and self._lists and any(kind in self._lists[-1] for kind in ("-bullet", "-dash", "-enum")):
            self._terms.append("•")

    def _inline(self, name: str, words: list[str]) -> None:
        """A line in a font, or of macros of mdoc."""
        if name in _FONTS:
            self._line(unescaped(_joined_fonts(name, words)))
        elif name in ("UR", "MT"):
            self._line(" ".join(map(unescaped, words)))
        elif name in ("UE", "ME"):
            if words and self._words:
                self._words[-1] += unescaped(words[0])
        elif name in _LINES:
            self.flush()
            self.writer.add(ParagraphKind.CODE, self._mdoc.line(words))
        elif name == "Nd":
            self._line(f"- {self._mdoc.line(words)}")
        elif name in _MDOC:
            self._line(self._mdoc.line([name, *words]))

    def _line(self, plain: str) -> None:
        if not plain:
            return
        if self._awaits:
            self._take(plain)
        elif self._is_code or not self._words or not plain.strip(".,:;)]?!"):
            self._words[-1:] = (
                [self._words[-1] + plain] if self._words and not self._is_code else [*self._words[-1:], plain]
            )
        else:
            self._words.append(plain)

    def table(self, lines: list[str]) -> None:
        """Adds a table of tbl."""
        self.flush()
        at = next((at for at, line in enumerate(lines) if _TABLE_OPTIONS.search(line)), -1)
        sign = "\t"
        if at >= 0 and (found := re.search(r"tab\s*\((.)\)", " ".join(lines[: at + 1]))):
            sign = found[1]
        rows = [_cells(row, sign) for row in _table_rows(lines[at + 1 :])]
        if block := table_block(Grid(plain_rows(rows[1:]), plain_rows(rows[:1]))):
            self.writer.extend([block])

    def flush(self, *, keeps_code: bool = False) -> None:
        """Ends the paragraph."""
        if keeps_code and self._is_code:
            return
        words, self._words = self._words, []
        if self._is_code:
            text = "\n".join(words)
            kind = ParagraphKind.CODE
        else:
            text, kind = " ".join(words), ParagraphKind.PROSE
        if self._terms and (text or not keeps_code):
            terms, self._terms = ", ".join(self._terms), []
            kind = ParagraphKind.LIST if _is_mark(terms) else ParagraphKind.PROSE
            text = f"{terms} {text}" if _is_mark(terms) else f"{terms}: {text}" if text else terms
        self.writer.add(kind, text)


def _is_mark(term: str) -> bool:
    """Whether a term is a bullet or a number."""
    return re.fullmatch(r"[•o*·+–—-]|\(?\w{1,2}[.)]", term) is not None


def _table_rows(lines: list[str]) -> Iterator[str]:
    """The rows of a table, with texts of several lines (``T{`` … ``T}``) on one."""
    pending = ""
    for line in lines:
        if line.startswith("."):
            line = _in_font(line) if pending else ""
        pending = f"{pending} {line}" if pending else line
        if not pending:
            continue
        if pending.count("T{") > pending.count("T}"):
            continue
        if not _RULE.fullmatch(pending):
            yield pending
        pending = ""


def _in_font(line: str) -> str:
    """The words of a macro of fonts; empty for other macros."""
    name, *words = arguments(line[1:]) or [""]
    return _joined_fonts(name, words) if name in _FONTS else ""


def _joined_fonts(name: str, words: list[str]) -> str:
    """The words of a macro: two fonts in turn have no space between them."""
    return ("" if len(name) > 1 and name not in ("SM", "SB") else " ").join(words)


def _cells(row: str, sign: str) -> list[str]:
    return [unescaped(cell).replace("T{", "").replace("T}", "").strip() for cell in row.split(sign)]
