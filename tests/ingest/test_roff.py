"""Manual pages in roff: sections, options and examples, of man(7) and mdoc(7)."""

import pytest

from treatise.core.document import ParagraphKind
from treatise.core.errors import EmptySourceError
from treatise.ingest import read_bytes
from treatise.ingest.formats import format_of
from treatise.ingest.roff_text import MdocWords, unescaped

MAN = r""".de Sp
.if n .sp
..
.if n \{\
. ds lq ``
.\}
.TH BREW 1 "2 May 2024" "Tea 1.2" "Kitchen"
.SH NAME
brew \- make tea
.SH SYNOPSIS
.B brew
.RB [ \-t
.IR minutes ]
.SH "EXIT STATUS"
.TP
.B 0
if the tea is good
.TP
\fB\-t\fR, \fB\-\-time\fR=\fIMINUTES\fR
Wait so long. \" and no longer
See
.BR kettle (1).
.IP \(bu 2
A bullet.
.SS Examples
.EX
brew \-t 3
brew \e
.EE
.PP
The \(lqend\(rq.
.TS
tab(:);
l l.
Leaf:Time
_
T{
.BR green ()
T}:3 min
.TE
"""
MDOC = r""".Dd May 2, 2024
.Dt BREW 1
.Os
.Sh NAME
.Nm brew
.Nd make tea
.Sh SYNOPSIS
.Nm
.Op Fl t Ar minutes
.Op Fl v | Fl q
.Sh DESCRIPTION
.Nm
makes tea, as
.Xr kettle 1
does.
.Bl -tag -width Ds
.It Fl t Ar minutes , Fl -time Ns = Ns Ar minutes
Wait so long.
.It Ev TEA
The leaf,
.Dq green .
.El
"""


def paragraphs(text: str) -> list[str]:
    document = read_bytes(text.encode(), name="brew.1")
    return [document.quote(one.start, one.end).strip() for one in document.paragraphs]


def test_a_page_of_man_is_read() -> None:
    assert paragraphs(MAN) == [
        "NAME",
        "brew - make tea",
        "SYNOPSIS",
        "brew [-t minutes]",
        "EXIT STATUS",
        "0: if the tea is good",
        "-t, --time=MINUTES: Wait so long. See kettle(1).",
        "• A bullet.",
        "Examples",
        "brew -t 3\nbrew \\",
        "The “end”.",
        "Leaf\tTime\ngreen()\t3 min",
    ]


def test_a_page_of_mdoc_is_read() -> None:
    assert paragraphs(MDOC) == [
        "NAME",
        "brew - make tea",
        "SYNOPSIS",
        "brew [-t minutes] [-v | -q]",
        "DESCRIPTION",
        "brew makes tea, as kettle(1) does.",
        "-t minutes, --time=minutes: Wait so long.",
        "TEA: The leaf, “green”.",
    ]


@pytest.mark.parametrize("page", [MAN, MDOC])
def test_the_title_has_the_section_and_the_date_is_stated(page: str) -> None:
    document = read_bytes(page.encode(), name="brew.1")
    assert document.title == "BREW(1)"
    assert "2024" in str(document.metadata)


def test_examples_are_code_and_sections_are_nested() -> None:
    document = read_bytes(MAN.encode(), name="brew.1")
    assert [one.kind for one in document.paragraphs].count(ParagraphKind.CODE) == 1
    assert [(one.level, one.title) for one in document.sections][-2:] == [(1, "EXIT STATUS"), (2, "Examples")]


def test_a_page_that_only_names_another_is_refused_with_its_name() -> None:
    with pytest.raises(EmptySourceError, match=r"man1/kettle\.1"):
        read_bytes(b".so man1/kettle.1\n", name="brew.1")


def test_a_log_that_is_kept_is_text() -> None:
    assert format_of(b"May 2 10:00 started\n", "messages.1").name == "text"
    assert format_of(MAN.encode(), "brew").name == "roff"


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        (r"\fIfile\fP\-name", "file-name"),
        (r"a\ \&b\|c\^d", "a bcd"),
        (r"\s-1SMALL\s0 \*(Tm \[u00e9] \(co", "SMALL ™ é ©"),
        (r"\f[CW]x\f[] \h'-0.4m'y", "x y"),
        (r"C:\e\e", "C:\\\\"),
    ],
)
def test_escapes_become_characters(escaped: str, text: str) -> None:
    assert unescaped(escaped) == text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Op Fl c Ar file ...", "[-c file ...]"),
        ("Oo user @ Oc host", "[user @] host"),
        ("Pf ( Ar x )", "(x)"),
        ("Fl", "-"),
        ("Ar", "file ..."),
        ("Xr ls 1 , Xr cp 1 .", "ls(1), cp(1)."),
    ],
)
def test_macros_within_a_line_become_words(line: str, text: str) -> None:
    assert MdocWords().line(line.split()) == text


@pytest.mark.parametrize(
    "line", ["." + "Op " * 5000 + "x", ".Op " + "Ar x " * 30_000, "\\*[" * 30_000, "\\f[" * 30_000]
)
def test_a_line_that_no_manual_has_is_read_as_words(line: str) -> None:
    page = f".Dd today\n.Dt FOO 1\n.Sh NAME\nThe gate closes at nine.\n{line}\n"
    assert "The gate closes at nine." in read_bytes(page.encode(), name="foo.1").text
