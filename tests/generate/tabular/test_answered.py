"""Questions over whole tables: extremes, counts, sums, differences and cells, right or refused."""

import pytest

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence, Passage
from treatise.generate.tabular import answer_from_tables, places, words
from treatise.ingest import read_bytes

MILLS = """\
mill,river,grain_tonnes,flour_tonnes,visitors_00_09,visitors_10_19
Alder Mill,Lune,"1,200",900,310,402
Birch Mill,Lune,450,300,120,95
Cedar Mill*,Ember,88,61,0,17
Dogwood Mill,Ember,2300,1750,n/a,1210
Elm Mill,Wend,610,420,55,0
Fir Mill,Wend,75,50,0,0
"""
SHARES = """\
Region,Turnout 2011 (%),Turnout 2015 (%),Fee
Northmoor,61.5%,58.25%,$12
Southmoor,55%,60%,$9.50
Eastmoor,48.2%,49.1%,$30
"""


def document_of(content: str, name: str = "mills.csv") -> Document:
    return read_bytes(content.encode(), name=name)


def answered(question: str, *documents: Document) -> Answer | None:
    """The answer with a first row as the evidence, which is not the right one as a rule."""
    document = documents[0]
    start = document.tables[0].rows[0].start
    span = next(one for one in document.paragraph_at(start).sentences if one.start <= start < one.end)
    passage = Passage(document.id, span, document.quote(span.start, span.end), 1.0)
    evidence = Evidence(question, (passage,), passage.text, max_words=200, confidence=0.1)
    return answer_from_tables(evidence, documents)


def found(question: str, content: str = MILLS) -> str | None:
    """The direct answer; None if it is refused or left to the reader."""
    answer = answered(question, document_of(content))
    return answer.direct.text if answer and answer.direct else None


def refused(question: str, content: str = MILLS) -> str:
    """Why it is refused."""
    answer = answered(question, document_of(content))
    assert answer is not None
    assert not answer.found
    return answer.notes[0]


def is_left(question: str, content: str = MILLS) -> bool:
    """Whether it is left to the reader."""
    return answered(question, document_of(content)) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which mill has the highest grain tonnes?", "Dogwood Mill"),
        ("Which mill ground the least flour?", None),  # "ground" is no word of the table
        ("Which mill has the least flour?", "Fir Mill"),
        ("Which mill on the Lune has the most grain?", "Alder Mill"),
        ("Which mill had the most visitors between 2010 and 2019?", "Dogwood Mill"),
        ("Which mill had the most visitors from 2000 to 2009?", "Alder Mill"),
        ("Which mill has the second highest grain_tonnes?", "Alder Mill"),
        ("Which three mills have the most flour?", "Dogwood Mill (1750), Alder Mill (900) and Elm Mill (420)"),
        ("What is the highest grain_tonnes?", "2300"),
        ("Which river has the mill with the highest grain_tonnes?", "Ember"),
    ],
)
def test_extremes(question: str, expected: str | None) -> None:
    assert found(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many mills are listed?", "6"),
        ("How many mills are there on the Wend?", "2"),
        ("How many different rivers are listed?", "3"),
        ("How many rivers are listed?", None),  # six rows or three rivers
        ("What is the total number of visitors in 2010-2019?", "1,724"),
        ("What is the total grain of all mills?", "4,723"),
        ("What is the total of grain_tonnes?", "4,723"),
        ("What is the average number of visitors from 2010 to 2019?", "287.33"),
        ("What is the average of flour_tonnes on the Lune?", "600"),
        ("Which mills had no visitors in 2010-2019?", "Elm Mill, Fir Mill"),
        ("Which mills have more than 600 grain tonnes?", "Alder Mill, Dogwood Mill, Elm Mill"),
        ("How many mills have at least 300 flour tonnes?", "4"),
        ("Which mills have over 5,000 grain tonnes?", "none"),
        ("How many more visitors did Alder Mill have in 2010-2019 than in 2000-2009?", "92"),
        ("How many more grain tonnes has Alder Mill than Birch Mill?", "750"),
        ("How many fewer grain tonnes has Birch Mill than Alder Mill?", "750"),
        ("What is the difference in flour_tonnes between Fir Mill and Elm Mill?", "370"),
        ("What is visitors_10_19 of Elm Mill?", "0"),
        ("How many visitors did Cedar Mill have from 2010 to 2019?", "17"),
        ("What is the river of Fir Mill?", "Wend"),
    ],
)
def test_counts_sums_bounds_differences_and_cells(question: str, expected: str | None) -> None:
    assert found(question) == expected


def test_the_statement_shows_the_computation_and_the_row_is_cited() -> None:
    answer = answered("Which mill has the highest grain tonnes?", document_of(MILLS))
    assert answer is not None
    assert answer.text == "Dogwood Mill: grain_tonnes 2300, the highest of 6 rows"
    assert [one.quote.split("\t")[0] for one in answer.citations] == ["Dogwood Mill"]
    assert answer.direct is not None
    assert answer.direct.kind == "span"


def test_a_count_cites_the_heads_and_the_first_and_last_row() -> None:
    answer = answered("How many mills are listed?", document_of(MILLS))
    assert answer is not None
    assert [one.quote.split("\t")[0] for one in answer.citations] == ["mill", "Alder Mill", "Fir Mill"]
    assert answer.direct is not None
    assert answer.direct.kind == "computed"


def test_all_rows_of_a_long_table_are_compared() -> None:
    rows = "\n".join(f"Town {at},{100 + at}" for at in range(70))
    assert found("Which town has the most inns?", f"town,inns\n{rows}\n") == "Town 69"
    assert found("How many towns are listed?", f"town,inns\n{rows}\n") == "70"


def test_a_measure_may_be_one_of_several_columns() -> None:
    assert "visitors_00_09 and visitors_10_19" in refused("Which mill had the most visitors?")
    assert "visitors_00_09 and visitors_10_19" in refused("How many visitors did Alder Mill have?")
    assert "grain_tonnes and flour_tonnes" in refused("What is the average of tonnes?")


def test_a_question_that_names_no_column_or_other_words_is_refused() -> None:
    assert "names no column of numbers; the table has grain_tonnes" in refused("Which mill has the most?")
    assert "“barley”" in refused("Which mill has the most barley flour?")
    assert "“1985”" in refused("Which mill had the most grain in 1985?")
    assert found("How many grain tonnes are there?") == "4,723"
    assert "names no row" in refused("How many grain tonnes?")


@pytest.mark.parametrize(
    "question",
    [
        "Which mill does not have the most grain?",
        "Which mill except Dogwood Mill has the most grain?",
        "Which mills have more grain than Birch Mill?",
        "Which mill is the best?",
    ],
)
def test_negations_and_comparisons_with_a_row_are_refused(question: str) -> None:
    assert refused(question)


def test_ties_are_named() -> None:
    assert found("Which mill had the fewest visitors in 2010-2019?") == "Elm Mill, Fir Mill"


def test_missing_values_are_said_or_refused() -> None:
    answer = answered("Which mill had the most visitors in 2000-2009?", document_of(MILLS))
    assert answer is not None
    assert answer.text.endswith("the highest of 6 rows (1 without a value)")
    assert "may mean none or unknown" in refused("Which mills had no visitors in 2000-2009?")
    assert "has no value" in refused("What is visitors_00_09 of Dogwood Mill?")


def test_text_among_numbers_and_different_units_are_refused() -> None:
    assert "“unknown” is not a number" in refused("Which mill has the most flour?", MILLS.replace("1750", "unknown"))
    lengths = "bridge,length,arches\nArno,5 km,70\nBrade,300 m,8\nCorrie,1 km,12\n"
    assert "different units" in refused("Which bridge has the greatest length?", lengths)


def test_percentages_are_compared_and_averaged_but_not_added() -> None:
    assert found("Which region had the highest turnout in 2015?", SHARES) == "Southmoor"
    assert found("How much higher was the turnout of Southmoor in 2015 than in 2011?", SHARES) == "5 percentage points"
    assert "sum says nothing" in refused("What is the total turnout in 2015?", SHARES)
    assert found("What is the average fee?", SHARES) == "$17.167"
    assert found("Which regions have a turnout of more than 50% in 2011?", SHARES) == "Northmoor, Southmoor"
    assert "not in %" in refused("Which regions have a fee of more than 10%?", SHARES)


@pytest.mark.parametrize(
    "totals",
    ["Total,,4723,3481,,", "All mills,,4723,3481,,", "Sum,,4723,3481,,", ",,4723,3481,,", "Total (all),,1,1,,"],
)
def test_rows_of_totals_are_neither_extremes_nor_counted(totals: str) -> None:
    assert found("Which mill has the most flour?", f"{MILLS}{totals}\n") == "Dogwood Mill"
    assert found("How many mills are listed?", f"{MILLS}{totals}\n") == "6"


def test_a_total_that_differs_from_the_rows_is_refused() -> None:
    assert "but the table's total is 9999" in refused(
        "What is the total of grain_tonnes?", f"{MILLS}Total,,9999,3481,,\n"
    )


def test_a_name_that_begins_with_total_is_no_row_of_totals() -> None:
    films = "film,viewers\nTotal Eclipse,90\nTotal Recall,300\nLow Tide,120\n"
    assert found("Which film has the most viewers?", films) == "Total Recall"


def test_a_row_may_be_called_like_a_column() -> None:
    drinks = "item,wine,beer\nWine,4,1\nBeer,2,9\nCider,3,5\n"
    assert found("Which item has the highest wine?", drinks) == "Wine"
    assert found("Which item has the lowest beer?", drinks) == "Wine"


def test_a_change_is_no_measure_of_what_changed() -> None:
    turnout = "county,turnout,change in turnout\nArden,50,9\nBrent,60,1\nCole,55,2\n"
    assert found("Which county has the highest turnout?", turnout) == "Brent"
    assert found("Which county has the highest change in turnout?", turnout) == "Arden"


def test_decimal_commas_are_read_and_ambiguous_separators_are_refused() -> None:
    assert found("Which ort has the most rain?", "ort;rain\nAu;1,5\nBach;12,25\nDorf;3,75\n") == "Bach"
    assert refused("Which ort has the most rain?", "ort;rain\nAu;0,125,3\nBach;1.2.3\nDorf;3\n")


def test_durations_are_compared_but_not_added() -> None:
    times = "runner,time\nIda,1:02:03\nUna,59:30\nAda,1:00:00\n"
    assert found("Which runner has the lowest time?", times) == "Una"
    assert "not added" in refused("What is the total time?", times)


def test_years_and_ranks_are_not_added() -> None:
    assert "ranks, codes or years" in refused("What is the sum of opened?", "inn,opened\nA,1901\nB,1955\nC,1987\n")


def test_of_tables_with_the_same_heads_one_must_be_named() -> None:
    north = document_of("town,inns\nAu,5\nBo,9\nCy,2\n", "north.csv")
    south = document_of("town,inns\nDu,7\nEl,3\nFa,1\n", "south.csv")
    question = "Which town has the most inns?"
    alone = answered(question, north)
    assert alone is not None
    assert alone.found
    start = [one.tables[0].rows[0].start for one in (north, south)]
    spans = [
        next(s for s in d.paragraph_at(at).sentences if s.end > at) for d, at in zip((north, south), start, strict=True)
    ]
    passages = tuple(
        Passage(one.id, span, one.quote(span.start, span.end), 1.0)
        for one, span in zip((north, south), spans, strict=True)
    )
    both = answer_from_tables(Evidence(question, passages, "", max_words=200, confidence=0.1), [north, south])
    assert both is not None
    assert not both.found
    assert both.notes == ("several tables may answer it: north and south; name one",)


@pytest.mark.parametrize(
    "question",
    [
        "Who owns Alder Mill?",
        "Is Alder Mill on the Lune?",
        "What do the mills grind?",
    ],
)
def test_other_questions_are_left_to_the_reader(question: str) -> None:
    assert is_left(question)


def test_a_document_of_text_is_left_to_the_reader() -> None:
    text = "# Mills\n\n" + "The mills of the valley are old, and most of them still grind. " * 20
    table = "\n\n| mill | grain |\n|---|---|\n| Alder | 3 |\n| Birch | 9 |\n| Cedar | 4 |\n"
    document = read_bytes((text + table).encode(), name="mills.md")
    assert answered("Which mill has the most grain?", document) is None


def test_a_table_of_words_is_left_to_the_reader() -> None:
    assert is_left("What do most guests ask?", "question,answer\nWhen is breakfast?,At eight.\nIs there a lift?,No.\n")


DEALS = "Salesperson,Month,Deals\nAnn,Jan,9\nAnn,Feb,1\nBob,Jan,8\nBob,Feb,8\n"
COSTS = "Item,Cost\nPaint,100\nBrushes,20\nMaterials subtotal,120\nLabour,300\nTravel,50\nAmount due,564\n"


def test_rows_of_one_name_are_not_compared_as_if_each_were_all_of_it() -> None:
    assert "several rows" in refused("Which salesperson has the most deals?", DEALS)
    assert found("What is the highest number of deals?", DEALS) == "9"


def test_subtotals_and_amounts_due_are_no_items() -> None:
    assert found("Which item costs the most?", COSTS) == "Labour"
    assert found("How many items are there?", COSTS) == "4"


def test_amounts_in_different_currencies_are_neither_added_nor_compared() -> None:
    bills = "Bill,Payer,Amount,Currency\n1,Ann,1200,USD\n2,Bob,950,EUR\n3,Cy,90000,JPY\n"
    assert "different Currency" in refused("What is the total amount?", bills)
    assert "different Currency" in refused("Which payer has the highest amount?", bills)


def test_equal_cells_of_a_column_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"Mill {'AB'[at % 2]}{at},{('Lune', 'Ember')[at % 2]},{at}" for at in range(400)]
    document = document_of("\n".join(["mill,river,grain", *rows]))
    read: list[str] = []

    def tokens(text: str) -> list[words.Token]:
        read.append(text)
        return words.tokens(text)

    monkeypatch.setattr(places, "tokens", tokens)
    found = answered("What is the grain of Mill A20?", document)
    assert found is not None
    assert found.text == "Mill A20 Lune 20"
    assert read.count("Ember") == 1


QUARTERS = "product,quarter,revenue\nLamp,Q1,100\nLamp,Q2,80\nDesk,Q1,20\nDesk,Q2,90\n"
EXPORTS = "Year,Country,Region,Exports (t)\n2020,Austria,Europe,50\n2021,Austria,Europe,70\n2020,Chile,America,90\n"
SALES = "Order;Customer;City;Amount\nA-1;Ida;Bern;10,5\nA-2;Una;Basel;20,0\nA-3;Ada;Bern;15,5\n"


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Which quarter has the highest revenue?", QUARTERS),
        ("Which product has the highest total revenue?", QUARTERS),
        ("What is the highest total revenue?", QUARTERS),
        ("Which quarters have more than 60 revenue?", QUARTERS),
        ("Which year had the highest exports?", EXPORTS),
        ("What is the largest total of exports?", EXPORTS),
        ("Which city has the highest amount?", SALES),
    ],
)
def test_what_has_several_rows_is_not_compared_by_one_of_them(question: str, content: str) -> None:
    assert "may have several rows" in refused(question, content)


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("What is the highest revenue?", QUARTERS, "100"),
        ("Which country has the most exports in 2020?", EXPORTS, "Chile"),
        ("Which customer has the highest total amount?", SALES, "Una"),
        ("Which order has the lowest amount?", SALES, "A-1"),
    ],
)
def test_what_has_one_row_is_compared(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


BUDGET = "Department,Budget,Variance\nSales,100,-20\nLegal,80,3\nLabs,90,-1\nHelp,20,8\n"
PRICES = "Lot,Difference in price\nOak,($40)\nElm,$12\nAsh,$55\n"
FROST = "Town,Temperature\nAu,-12\nBo,3\nCy,-1\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Which department has the smallest variance?", BUDGET, "Labs"),
        ("Which department has the second smallest variance?", BUDGET, "Legal"),
        ("Which department has the largest variance?", BUDGET, "Sales"),
        ("Which department has the lowest variance?", BUDGET, "Sales"),
        ("Which lot has the smallest difference in price?", PRICES, "Elm"),
        ("Which lot has the highest difference in price?", PRICES, "Ash"),
        ("Which town has the smallest temperature?", FROST, "Au"),
        ("Which town has the largest temperature?", FROST, "Bo"),
    ],
)
def test_only_the_size_of_a_deviation_has_no_sign(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


def test_a_size_is_said_to_be_closest_to_zero() -> None:
    answer = answered("Which department has the smallest variance?", document_of(BUDGET))
    assert answer is not None
    assert answer.text == "Labs: Variance -1, the closest to zero of 4 rows"


INVOICES = "Invoice,Client,Status,Amount\n1001,Ida,unpaid,50\n1002,Una,paid,70\n1003,Ada,unpaid,90\n1004,Eva,paid,10\n"
BY_CLIENT = "Client,Invoice No,State\nIda,77,Paid\nUna,78,Unpaid\nIda,79,Unpaid\n"
WITHOUT_CLIENT = "Invoice,Status,Amount\n1001,unpaid,50\n1002,paid,70\n1003,unpaid,90\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("How many invoices are unpaid?", INVOICES, "2"),
        ("How many invoices have the status unpaid?", INVOICES, "2"),
        ("How many clients have paid?", INVOICES, "2"),
        ("How many invoices are unpaid?", BY_CLIENT, "2"),
        ("How many clients are paid?", BY_CLIENT, "1"),
        ("How many invoices are unpaid?", WITHOUT_CLIENT, "2"),
        ("How many of the invoices were paid?", WITHOUT_CLIENT, "1"),
    ],
)
def test_rows_with_a_cell_are_counted(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


def test_rows_are_called_like_their_file() -> None:
    orders = document_of(
        "id,customer,month,status\n1,Ida,March,shipped\n2,Una,April,open\n3,Ida,April,open\n", "orders.csv"
    )
    answer = answered("How many orders are open in April?", orders)
    assert answer is not None
    assert answer.text == "2 rows with status open and month April"


def test_a_count_that_is_not_understood_is_refused() -> None:
    assert "“overdue”" in refused("How many invoices are overdue?", INVOICES)
    assert "leaves out rows" in refused("How many invoices are not paid?", INVOICES)
    assert "of numbers" in refused(
        "How many visitors were local?", "Site,Kind,Visitors\nA,local,3\nB,local,4\nC,far,1\n"
    )
    assert "of numbers" in refused(
        "How many goals did Ann score?", "Goals,Player,Season\n3,Ann,2001\n5,Ann,2002\n7,Bo,2002\n"
    )


TEAMS = "Team,City,Stadium,Founded\nLions,Au,Arno Park,1901\nBears,Bo,Brade Field,1950\nFoxes,Cy,Corrie Road,1977\n"
PEOPLE = "Name,Street address,Phone\nIda Moss,5 High Street,123 456\nUna Hale,7 Low Road,555 123\n"
PARTS = "part_no;description;price_eur;stock\nX-1;Brass hinge;2,50;40\nX-2;Steel bolt;0,75;900\n"


@pytest.mark.parametrize(
    ("question", "content", "column"),
    [
        ("What is the mascot of the Lions?", TEAMS, "mascot"),
        ("What is the Lions' mascot?", TEAMS, "mascot"),
        ("Which mascot do the Bears have?", TEAMS, "mascot"),
        ("Who is the coach of the Foxes?", TEAMS, "coach"),
        ("How many seats does Arno Park have?", TEAMS, "seats"),
        ("What is the email address of Ida Moss?", PEOPLE, "email address"),
        ("Give me the salary of Una Hale.", PEOPLE, "salary"),
        ("What is the colour of X-2?", PARTS, "colour"),
        ("How many suppliers does the Steel bolt have?", PARTS, "suppliers"),
        ("How many trophies have the Bears won?", TEAMS, "trophies"),
        ("How many wheels does Alder Mill have?", MILLS, "wheels"),
    ],
)
def test_a_column_that_the_table_lacks_is_refused_by_name(question: str, content: str, column: str) -> None:
    assert refused(question, content).startswith(f"the table has no column “{column}”")


@pytest.mark.parametrize(
    "question",
    ["Which player do the Bears fear?", "Which club has the same city as Ida Moss?", "Where does Ida Moss play?"],
)
def test_words_for_rows_and_comparisons_name_no_column(question: str) -> None:
    assert is_left(question, "Name,Side\nIda Moss,Lions\nUna Hale,Lions\nAda Finn,Bears\n")


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("When were the Lions founded?", TEAMS, "1901"),
        ("What is the stadium of the Foxes?", TEAMS, "Corrie Road"),
        ("What is the address of Ida Moss?", PEOPLE, "5 High Street"),
        ("What is the cost of the Steel bolt?", PARTS, "0,75"),
    ],
)
def test_a_column_in_other_words_is_not_lacking(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


SONGS = "school,song_name,writers,year\nTech,Ramble On,Ida Moss,1908\nState,Go Forth,Una Hale,1911\n"
FLIGHTS = "airline,seat_km_per_week,crashes\nAlba,320,2\nBora,410,0\n"


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("What year was Tech's old anthem written?", SONGS),
        ("In what year was State's famous tune composed?", SONGS),
        ("When was State's old anthem composed?", SONGS),
        ("Who composed the words of Go Forth?", SONGS),
        ("How many seat kilometres does Bora fly per week?", FLIGHTS),
    ],
)
def test_a_question_that_names_another_column_is_not_refused_for_its_noun(question: str, content: str) -> None:
    answer = answered(question, document_of(content))
    assert answer is None or answer.found


def test_a_last_row_of_sums_has_a_share_in_a_column_that_has_none_else() -> None:
    rows = "1,Inria,100,\n2,Unistra,50,\n3,INPT,30,\n,,180,80 %\n"
    content = f"No,Participant,Requested,Share\n{rows}"
    assert found("What is the total requested?", content) == "180"
    assert found("Which participant has the highest requested?", content) == "Inria"
