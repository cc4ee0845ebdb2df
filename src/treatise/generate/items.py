"""Answers about lists of items within a text, as in invoices and orders: an item's cell, or a sum below the items.

Such a list is no sheet, so the rules for sheets leave it to the reader of passages, which confuses its columns and
knows no German without an extra. Here the columns are known by their heads. A question is answered if it has no word
left that the item does not have, and if one item alone has them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from treatise.claims.words import FUNCTION_WORDS, stem
from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence
from treatise.core.patterns import lazy_pattern
from treatise.core.table import Row, Table, column_texts, head_texts
from treatise.generate.citations import cite
from treatise.generate.not_found import refusal_because
from treatise.generate.tabular.answered import is_tabular
from treatise.generate.tabular.result import listing
from treatise.generate.tabular.words import light_of

_CONFIDENCE: Final = 0.9
_QUANTITY: Final = (
    r"qty|quantity|packs|hours|hrs|units|pieces|menge|anzahl|stück(?:zahl)?|stunden|std|quantité|qté|heures|cantidad|"
    r"quantità"
)
_PRICE: Final = (
    r"(?:unit )?(?:price|cost|rate)|unit|each|(?:einzel|stück|e-?)preis|preis|prix(?: unitaire)?|p\.?u|"
    r"precio(?: unitario)?|prezzo(?: unitario)?"
)
_AMOUNT: Final = (
    r"(?:line |total )?(?:total|amount|cost|sum)|gesamt(?:preis)?|g-?preis|betrag|summe|montant|importe|totale|importo"
)
_NAME: Final = (
    r"(?:item )?description|items?|article|product|service|work|details|task|bezeichnung|beschreibung|artikel|leistung|"
    r"désignation|descripción|concepto|descrizione"
)
_POSITION: Final = r"pos|position|#|line|item|no|nr|n°|lfd\.? ?nr"
_CODE: Final = (
    r"(?:part|item|article|product|order|art|artikel|bestell)?[.\s-]*(?:no|nr|number|nummer)|sku|code|référence|ref"
)
_KINDS: Final = {
    "quantity": _QUANTITY,
    "price": _PRICE,
    "amount": _AMOUNT,
    "name": _NAME,
    "code": _CODE,
}
_SIGNS: Final = lazy_pattern(
    r"[(\[][^)\]]*[)\]]|[€£$%*]|\b(?:eur|gbp|usd|chf|ht|net|netto|in)\b|\.(?!\w)", re.IGNORECASE
)

_HOW_MANY: Final = lazy_pattern(
    r"\W*(?:how many|wie ?viele|combien (?:de|d['’])|cuánt[oa]s|quant[ei])\b", re.IGNORECASE
)
_COSTS: Final = lazy_pattern(
    r"\W*(?:how much (?:is|are|was|were|do|does|did|for)\b|what (?:do|does|did)\b.*\bcost\b|"
    r"(?:what (?:is|was) )?the (?:price|cost) (?:of|for)\b|(?:was|wie ?viel) (?:kostet|kosten)\b|wie teuer\b|"
    r"combien coûten?t?\b|(?:cuánto cuesta|quanto costa)n?\b)",
    re.IGNORECASE,
)
_ALTOGETHER: Final = lazy_pattern(r"\b(?:altogether|insgesamt|zusammen)\b", re.IGNORECASE)
_COST_TEXT: Final = "much cost costs price kostet kosten teuer viel coûte coûtent cuesta cuestan costa"
_COST_WORDS: Final = frozenset(_COST_TEXT.split())
_NUMBERED: Final = lazy_pattern(
    r"\b(?:item|line|position|pos\.?)(?: (?:no\.?|number|nr\.?|nummer))? (?P<number>\d+)\W*$", re.IGNORECASE
)
_WHAT_IS: Final = lazy_pattern(r"\W*(?:what(?: is|['’]s)|was (?:ist|steht)|qu['’]est|wie lautet)\b", re.IGNORECASE)
_ASKED_KINDS: Final = (
    ("price", r"(?:unit |single )?(?:price|rate) (?:of|for|per)\b|unit price|einzelpreis|prix unitaire"),
    ("amount", r"gesamtpreis|line total|total price|prix total"),
    ("code", r"(?:part|article|item|product) (?:number|no\.?|code)|(?:artikel|bestell)(?:nummer|nr\.?)"),
)
_SUM_OF: Final = lazy_pattern(
    r"\W*(?:(?:what|how (?:much|high))(?:['’]s| is| are| was| were)?|wie hoch (?:ist|sind|war)|was (?:ist|beträgt)|"
    r"wie ?viel (?:ist|beträgt|betragen)|quel(?:le)? est|combien)\b",
    re.IGNORECASE,
)
_OTHER: Final = lazy_pattern(
    r"^\W*(?:who|whom|whose|when|why|where|is|are|was|were|does|do|did|has|have|can|wer|wann|warum|wo|qui|quand|"
    r"pourquoi|où|quién|cuándo|dónde|chi|quando|dove)\b"
    r"(?! (?:beträgt|ist|war|waren|kostet|kosten|steht|macht|machen)\b)|"
    r"\b(?:not|n['’]t|without|except|never|nicht|keine?|ohne|sans|pas|sin|senza|non)\b|"
    r"\b(?:included (?:in|with)|(?:ordered|delivered|bought|sold|booked|included) in total)\b",
    re.IGNORECASE,
)
"""A question for a person, a time, a reason or a verdict, or of what is not, which no cell answers."""
_NARROWS: Final = frozenset(("year", "number", "people", "persons", "table"))
"""Words that narrow a question here, though many questions have them by the way."""
_DONE_WORDS: Final = (
    "order ordered deliver delivered charge charged buy bought quote quoted include included need needed plan planned "
    "invoice invoiced bill billed supply supplied spend spent pay paid take took there "
    "geliefert bestellt gekauft berechnet angeboten verkauft wurde wurden werden verrechnet "
    "commandé commandés commandées livré livrés livrées posé posées "
    "facturé pour ont été sont es pieces piece stück"
)
_DONE: Final = frozenset(_DONE_WORDS.split())
"""What may have been done with an item, without narrowing which."""
_SAME: Final = {
    "tax": "vat tax mwst mehrwertsteuer ust umsatzsteuer tva iva gst",
    "net": "net netto nettobetrag nettosumme subtotal zwischensumme ht excluding ohne",
    "total": "total totals due payable gesamtbetrag gesamtsumme rechnungsbetrag rechnungssumme endbetrag endsumme "
    "angebotssumme auftragssumme zahlbetrag bruttobetrag summe gesamt ttc",
}
_CANON: Final = {word: kind for kind, words in _SAME.items() for word in words.split()}
_DOCUMENT_TEXT: Final = (
    "invoice order bill offer quote quotation estimate amount rechnung angebot auftrag facture devis montant"
)
_OF_DOCUMENT: Final = frozenset(_DOCUMENT_TEXT.split())
_WORD: Final = lazy_pattern(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_UMLAUTS: Final = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})
_LEAST_STEM: Final = 4
_LONGEST_ENDING: Final = 3
_NUMBER: Final = lazy_pattern(r"[^\w(]*\(?(?:[A-Z]{3}\s?)?[\d.]|[–—-]\W*$")
_PAIR: Final = 2


@dataclass(frozen=True)
class _Items:
    """A table with the kinds of its columns."""

    document: Document
    table: Table

    @cached_property
    def heads(self) -> dict[int, str]:
        return head_texts(self.document.text, self.table)

    @cached_property
    def kinds(self) -> dict[str, int]:
        """The first column of each kind, by its head, and whether its cells are numbers or words."""
        found: dict[str, int] = {}
        for column, head in sorted(self.heads.items()):
            plain = " ".join(_SIGNS.sub(" ", head).split()).casefold().strip(" .:")
            for kind, pattern in _KINDS.items():
                if kind not in found and re.fullmatch(pattern, plain) and self._suits(column, kind):
                    found[kind] = column
                    break
        return found

    def _suits(self, column: int, kind: str) -> bool:
        cells = [cells[column] for _, cells in self.rows if column in cells]
        n_numbers = sum(_NUMBER.match(cell) is not None for cell in cells)
        return kind == "code" or (n_numbers * 2 > len(cells)) == (kind != "name")

    @property
    def is_list(self) -> bool:
        """Whether it has a column of names and one of quantities, prices or amounts."""
        return "name" in self.kinds and not self.kinds.keys().isdisjoint(("quantity", "price", "amount"))

    @cached_property
    def rows(self) -> list[tuple[Row, dict[int, str]]]:
        """Its rows with their texts by column."""
        return [(row, column_texts(self.document.text, row)) for row in self.table.rows]

    @cached_property
    def items(self) -> list[tuple[Row, dict[int, str]]]:
        """The rows with a name and more than one other cell."""
        return [(row, cells) for row, cells in self.rows if self.kinds["name"] in cells and len(cells) > _PAIR]

    @cached_property
    def sums(self) -> list[tuple[Row, str, str]]:
        """The rows of a label and a value: each with both."""
        pairs = [(row, list(cells.values())) for row, cells in self.rows if len(cells) == _PAIR]
        return [(row, label, value) for row, (label, value) in pairs if any(map(str.isdigit, value))]


@dataclass(frozen=True, slots=True)
class _Found:
    """A short answer with its row, the answer as a statement, and whether it is about an item, not a sum."""

    text: str
    row: Row
    statement: str
    is_of_item: bool = False


def answer_from_items(evidence: Evidence, document: Document) -> Answer | None:
    """The cell of the item that the question names, or the sum; None if it names none, several, or says more."""
    question = evidence.question
    if _OTHER.search(question) or (is_tabular(document) and not document.page_starts):
        return None  # it asks for something else, or the rules for sheets know more
    lists = [items for table in document.tables if (items := _Items(document, table)).is_list]
    found = [one for items in lists for one in _found(question, items)]
    if len({one.row for one in found}) > 1 and all(one.is_of_item for one in found):
        names = listing(dict.fromkeys(one.statement.partition(":")[0] for one in found))
        return refusal_because(evidence, f"the question may mean several items: {names}; name one", several=False)
    if len({one.text for one in found}) != 1:
        return None
    one = found[-1]
    citation = cite(document, Span(one.row.start, one.row.end))
    statement = Statement(one.statement, (0,), Support.SUPPORTED)
    direct = DirectAnswer(one.text, "span", _CONFIDENCE, (0,))
    return Answer(question, one.statement, (statement,), (citation,), evidence, found=True, direct=direct)


def _found(question: str, items: _Items) -> Iterator[_Found]:
    if numbered := _NUMBERED.search(question):
        yield from _at_position(question, numbered["number"], items)
        return
    column, used = _asked_column(question, items)
    is_cost = bool(_COSTS.match(question)) and column is None
    if is_cost and (all_of := _ALTOGETHER.search(question)):
        column, used, is_cost = items.kinds.get("amount"), _COST_WORDS | {all_of[0].casefold()}, False
    if column is not None or is_cost:
        named = _named(_words(question, used | (_COST_WORDS if is_cost else frozenset())), items)
        yield from (one for row, cells in named for one in _of_item(row, cells, column, items))
        if named:
            return
    if _SUM_OF.match(question) or is_cost:
        yield from _sum(question, items)


def _at_position(question: str, number: str, items: _Items) -> Iterator[_Found]:
    """The name of the item with that number, if the question asks what it is."""
    first = items.heads.get(0, "").casefold().strip(" .:")
    if _WHAT_IS.match(question) and re.fullmatch(_POSITION, first):
        for row, cells in items.items:
            if cells.get(0, "").strip(" .)") == number:
                name = cells[items.kinds["name"]]
                yield _Found(name, row, f"{items.heads[0]} {number}: {name}")


def _asked_column(question: str, items: _Items) -> tuple[int | None, frozenset[str]]:
    """The column that the question asks for, and the words that name it."""
    plain = question.casefold()
    for kind, pattern in _ASKED_KINDS:
        if kind in items.kinds and (match := re.search(pattern, plain)):
            return items.kinds[kind], frozenset(_WORD.findall(match[0]))
    name = items.kinds["name"]
    for column, head in items.heads.items():
        words = _WORD.findall(head.casefold())
        if column != name and words and re.search(rf"(?<!\w){re.escape(head.casefold())}(?!\w)", plain):
            return column, frozenset(words)
    if counted := _HOW_MANY.match(question):
        return items.kinds.get("quantity"), frozenset(_WORD.findall(counted[0].casefold()))
    return None, frozenset()


def _of_item(row: Row, cells: dict[int, str], column: int | None, items: _Items) -> Iterator[_Found]:
    """A cell of an item, or what it costs: its price and its amount if these differ."""
    name = cells[items.kinds["name"]]
    if column is not None:
        if column in cells:
            yield _Found(cells[column], row, f"{name}: {items.heads[column]} {cells[column]}", is_of_item=True)
        return
    costs = [at for kind in ("price", "amount") if (at := items.kinds.get(kind, -1)) in cells]
    texts = list(dict.fromkeys(cells[at] for at in costs))
    said = ", ".join(f"{items.heads[at]} {cells[at]}" for at in costs)
    if texts:
        yield _Found(texts[0] if len(texts) == 1 else said, row, f"{name}: {said}", is_of_item=True)


def _named(words: Sequence[str], items: _Items) -> list[tuple[Row, dict[int, str]]]:
    """The items that have all of these words in their names or codes; without words, the only item."""
    columns = [at for kind in ("name", "code") if (at := items.kinds.get(kind)) is not None]
    found = []
    for row, cells in items.items:
        own = [word for at in columns for word in _WORD.findall(cells.get(at, "").casefold())]
        if all(any(_is_same(one, other) for other in own) for one in words):
            found.append((row, cells))
    return found if words or len(found) == 1 else []


def _words(question: str, without: frozenset[str] = frozenset()) -> list[str]:
    """The words of a question that narrow it."""
    light = (light_of(question) | _DONE) - _NARROWS
    return [
        one for one in _WORD.findall(question.casefold()) if one not in without and (one not in light or one in _CANON)
    ]


def _is_same(one: str, other: str) -> bool:
    """Whether two words are forms of one: the same stem, or a common beginning with short endings."""
    if one == other or (one.isalpha() and other.isalpha() and stem(one) == stem(other)):
        return True
    a, b = one.translate(_UMLAUTS), other.translate(_UMLAUTS)
    n = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    is_word = a.isalpha() and b.isalpha()
    return is_word and n >= _LEAST_STEM and max(len(a), len(b)) - n <= (_LONGEST_ENDING if n > _LEAST_STEM else 1)


def _sum(question: str, items: _Items) -> Iterator[_Found]:
    """The sum whose label has all words of the question: of several, the last if it asks for the total."""
    asked = [one for one in _words(question, _COST_WORDS) if one not in FUNCTION_WORDS]
    asked = [one for one in asked if one not in _OF_DOCUMENT] or asked
    kinds = {_CANON.get(one, one) for one in asked}
    if not kinds:
        return
    found = []
    for row, label, value in items.sums:
        words = _WORD.findall(label.casefold())
        of_label = {_CANON.get(word, word) for word in words}
        is_all = all(kind in of_label or any(_is_same(kind, word) for word in words) for kind in kinds)
        begins = next((_CANON[word] for word in words if word in _CANON), "")
        is_other = ({"net", "total"} & of_label) - kinds if kinds == {"tax"} else _is_other_sum(kinds, of_label, begins)
        if is_all and not is_other:
            found.append(_Found(value, row, f"{label}: {value}"))
    if len(found) == 1 or "total" in kinds:
        yield from found[-1:]


def _is_other_sum(kinds: set[str], of_label: set[str], begins: str) -> bool:
    """Whether a total is asked for, and the label is of a net sum, or of tax: "Total incl. VAT" is of neither."""
    return "total" in kinds and ("net" in of_label - kinds or (begins == "tax" and "tax" not in kinds))
