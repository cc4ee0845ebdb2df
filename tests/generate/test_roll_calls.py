"""People of whom a table, a box or a word says whether they came."""

import pytest

from treatise.core.evidence import Evidence
from treatise.generate.attendance import answer_attendance
from treatise.ingest import read_bytes

WORDS = (
    "| Name | Role | Status |\n|---|---|---|\n"
    "| Ann Lee | Chair | Present |\n| Ek, Bo | Clerk | Absent |\n| Cy Roe | | {} |\n"
)
MARKS = "| Member | Present | Absent |\n|---|---|---|\n| Ann Lee | x | |\n| Bo Ek | | x |\n| Cy Roe | | x |\n"
TICKS = "| Member | Attended |\n|---|---|\n| Ann Lee | ✓ |\n| Bo Ek, Clerk | x |\n| Cy Roe | ✗ |\n| Total | 1 |\n"
PAGE = (
    "<h1>Board</h1><table><tr><td>Name</td><td>Present?</td></tr><tr><td>Ann Lee</td><td>Yes</td></tr>"
    "<tr><td>Bo Ek</td><td>No</td></tr><tr><td>Cy Roe</td><td>No</td></tr></table><p>Tea was moved.</p>"
)
BOXES = "## Attendees\n\n- [x] Ann Lee\n- [ ] Bo Ek\n- [ ] Cy Roe (clerk)\n"
BALLOTS = "Attendance:\n☑ Ann Lee\n☐ Bo Ek\n☐ Cy Roe\n"
COLUMNS = (
    "ATTENDANCE\n\nName        Role      Status\nAnn Lee     Chair     Present\nBo Ek       Clerk     Absent\n"
    "Cy Roe      Member    Apologies\n"
)
HYPHENS = "Ann Lee - present\nBo Ek - absent\nCy Roe - excused\n"
OFFICES = "Roll call:\n[x] Ann Lee, Chair\n[ ] Bo Ek\n[ ] Cy Roe (excused)\n"
DASHES = "- Ann Lee – present (by phone)\n- Bo Ek – absent\n- Cy Roe – excused\n"


def said(question: str, text: str, name: str) -> str | None:
    document = read_bytes(text.encode(), name=name)
    answer = answer_attendance(Evidence(question, (), "", 99, 0.9), [document])
    return answer.direct.text if answer and answer.direct else None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"# Board\n\n## Attendance\n\n{WORDS.format('Apologies')}\nTea was moved.\n", "a.md"),
        (f"# Board\n\n{MARKS}\nTea was moved.\n", "a.md"),
        (f"# Board\n\n{TICKS}\nTea was moved.\n", "a.md"),
        (PAGE, "a.html"),
        (f"# Board\n\n{BOXES}\n## Tasks\n\n- [x] Move tea\n- [ ] Call Bo\n", "a.md"),
        (f"Board\n\n{BALLOTS}\nTea was moved.\n", "a.txt"),
        (f"Board\n\n{COLUMNS}\nTea was moved.\n", "a.txt"),
        (f"# Board\n\n{DASHES}\nTea was moved.\n", "a.md"),
        (f"# Board\n\n{HYPHENS}\nTea was moved.\n", "a.md"),
        (f"Board\n\n{OFFICES}\nTea was moved.\n", "a.txt"),
    ],
)
def test_those_who_are_marked_as_present_came_and_the_others_did_not(text: str, name: str) -> None:
    assert said("Who was present?", text, name) == "Ann Lee"
    assert said("Who was absent?", text, name) == "Bo Ek, Cy Roe"
    assert said("How many people were present?", text, name) == "1"
    assert (said("Was Bo Ek present?", text, name), said("Was Ann Lee there?", text, name)) == ("No", "Yes")


@pytest.mark.parametrize(
    "text",
    [
        WORDS.format("Late"),
        WORDS.replace("Status", "Vote"),
        "Lead: present\nIron: absent\n",
        "## Attendees\n\n- Ann Lee\n- Bo Ek: absent\n- Cy Roe\n",
        "## Tasks\n\n- [x] Ann Lee\n- [ ] Bo Ek\n",
        "Ann Lee: present\nBo Ek: absent\nCy Roe\n",
        "Absent:\n[x] Ann Lee\n[x] Bo Ek\n",
        "Roll call:\n[x] Ann Lee\n[x] Bo Ek (absent)\n",
        "| Member | Roll call |\n|---|---|\n| Ann Lee | Yes |\n| Bo Ek | No |\n",
        "| Motion | For | Absent |\n|---|---|---|\n| Buy Tea | 3 | |\n| Sell Tea | 5 | |\n",
        "| Member | Present | Absent |\n|---|---|---|\n| Ann Lee | | ✗ |\n| Bo Ek | ✓ | |\n",
    ],
)
def test_of_a_list_in_which_somebody_is_not_marked_or_that_is_of_others_nothing_is_said(text: str) -> None:
    assert said("Who was present?", f"# Board\n\n{text}\nTea was moved.\n", "a.md") is None


def test_a_roll_call_that_is_not_clear_is_one_of_several() -> None:
    text = f"# Board\n\n## 5 May 2025\n\n{WORDS.format('Late')}\n## 9 June 2025\n\n{MARKS}\nTea was moved.\n"
    assert said("Who was present?", text, "a.md") is None
    assert said("Did Ann Lee attend?", text, "a.md") is None
    assert said("Who was present at the meeting of 9 June 2025?", text, "a.md") == "Ann Lee"


def test_the_title_of_the_first_meeting_dates_no_other() -> None:
    text = "# Minutes 5 May 2025\n\nPresent: Ann Lee, Bo Ek\n\n# Minutes 9 June 2025\n\nApologies: Ann Lee\n"
    assert said("Who was absent from the meeting on 5 May 2025?", text, "a.md") is None
    assert said("Who was absent from the meeting on 9 June 2025?", text, "a.md") == "Ann Lee"


@pytest.mark.parametrize("people", ["Ann Lee, Town Planner", "Lee, Ann; Ek, Bo"])
def test_offices_and_parts_of_names_are_not_counted(people: str) -> None:
    assert said("How many people were present?", f"# Board\n\nPresent: {people}\n", "a.md") is None


def test_a_long_run_of_spaces_takes_no_long_time() -> None:
    text = f"# Board\n\n{' ' * 20_000}Present: Ann Lee{' ' * 20_000}(chair)\n"
    assert said("Did Bo Ek attend?", text, "a.md") is None
