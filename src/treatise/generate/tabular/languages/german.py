"""German words of questions of tables."""

from typing import Final

from treatise.generate.tabular.languages.language import Language

GERMAN: Final = Language(
    value="was (?:ist|sind|war|waren|kostet|kosten|wiegt|beträgt)|wie|wer|wo|wann|welche[mnrs]?|nenne?|zeige?",
    what="was|welche[rs]?|nenne?|zeige?",
    the_value=(
        r"(?:was|welche[rs]?|wie (?:hoch|groß|lang|schwer|tief|breit|teuer|viele?))\s+(?:ist|sind|war|waren|beträgt)\s+"
        r"(?:der|die|das)|(?:nenne?|zeige?)\s+(?:mir\s+)?(?:den|die|das)"
    ),
    owned_value=r"(?:was|wie(?: \w+)?|welche[mnrs]?) (?:ist|sind|war|waren|beträgt|lautet) (?:der|die|das) ",
    which="welche[mnrs]?",
    after_thing="liegen|liegt|stehen|steht|kosten|kostet|gehören|gehört|mit|ohne|aus|von|vom|im|für|über|unter",
    listed="(?:gibt|gab) es|(?:sind|stehen) (?:in|auf) (?:der|dieser) (?:liste|tabelle|datei)",
    lists="welche[mnrs]?|wer",
    located="was (?:ist|sind|steht|liegt) (?:auf|in|im|am|von)",
    how_many="wie ?viele",
    how_much="wie ?viel",
    who="wer",
    verbs="ist|sind|hat|haben|hatten?|war|waren|wurden?|gibt|gab",
    did="hat|haben|hatten?",
    sentence="wie(?:viele?)?|wer|wann|warum|welche[mnrs]?",
    opens_sentence="ist|sind|hat|haben|war|waren|kann|können|gibt",
    openers="wie|wer|wo|wann|die|der|das|des|den|dem|ein|eine|im|am|an|bei|aus|auf|mit|zu",
    articles="der|die|das|den|dem",
    of="der|des|dem|den|vom|von|für|im|am",
    before_names="im|für|von|vom|aus|bei|mit|zu|und|oder|seit|bis",
    and_="und",
    each="jede[rsmn]?",
    all_="alle[rnm]?",
    highest="meisten?|(?:höchste|größte|längste|schwerste|teuerste)[mnrs]?",
    lowest="wenigsten?|(?:niedrigste|kleinste|kürzeste|leichteste|billigste|günstigste)[mnrs]?",
    more="mehr|größer|höher|länger|schwerer|teurer|älter",
    fewer="weniger|kleiner|niedriger|kürzer|leichter|billiger|günstiger|jünger",
    than="als",
    comparative="mehr|weniger|größer|höher|kleiner|niedriger|länger|kürzer|teurer|billiger",
    over="über|oberhalb(?: von)?",
    under="unter|unterhalb(?: von)?",
    at_least="mindestens|wenigstens",
    at_most="höchstens|maximal|bis zu",
    exactly="genau",
    thousand="tausend",
    million="million(?:en)?",
    billion="milliarden?",
    difference="unterschied|differenz",
    total="summe|insgesamt|gesamt(?:summe|betrag|zahl|wert)?",
    average=r"(?:im )?durchschnitt(?:lich\w*)?|mittelwert",
    bare_total=r"summe|gesamt\w*|durchschnitt|mittelwert",
    negation="nicht|kein(?:e[mnrs]?)?|außer|ohne|weder|nie|(?-i:pro|je)|jede[mnrs]?",
    compares=("als|oder|nicht|ohne|außer|zwischen|beide[nrs]?|oberhalb|unterhalb"),
    beside="über|unter|oberhalb|unterhalb",
    between="zwischen",
    from_="von|vom",
    to="bis",
    since="seit|ab",
    until="bis",
    later="nach",
    earlier="vor",
    within="in|im|im jahre?|vom|aus|am",
    dated="datum|datiert",
    in_ranges="von|bis|seit|ab|vor|nach|verkauft",
    months=(
        "jan(?:uar)?|jänner|feb(?:ruar)?|märz|mrz|apr(?:il)?|mai|juni|juli|aug(?:ust)?|sept?(?:ember)?|okt(?:ober)?|"
        "nov(?:ember)?|dez(?:ember)?"
    ),
    weekdays=(
        "mo(?:ntag)?|di(?:enstag)?|mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|sonnabend|so(?:nntag)?"
    ),
    have="haben|hat|mit|bieten|bietet",
    yes="ja",
    no="nein",
    relating="arbeitet|arbeiten|gehört|gehören|steht|stehen|liegt|liegen|alle",
    in_stock="vorrätig|lager|noch|da",
    compounded="nr|nummer",
    endings="ern|em|en|er|es|e|n|s",
    light=(
        "alle|allen|aller|als|bitte|der|des|dem|das|von|vom|zum|zur|im|beim|für|und|wie|viel|viele|wieviel|welche|welcher|welches|welchen|welchem|"
        "ist|sind|hat|haben|hatte|hatten|wurde|wurden|ein|eine|einer|eines|einem|einen|wer|wann|wo|gibt|gab|mir"
    ),
    often_light="die|den|in|an|am|bei|aus|auf|mit|zu|nach|was|war|waren|es|man|hoch|hohe|groß",
    value_verbs="kostet|kosten|wiegt",
    same=(
        "length länge länger längste längsten kürzer kürzeste kürzesten|"
        "weight gewicht wiegt schwerer schwerste schwersten leichter leichteste leichtesten|"
        "price preis preise kostet kosten teurer billiger günstiger teuerste teuersten "
        "billigste billigsten günstigste günstigsten|temperature temperatur|age alter älter jünger|value wert|"
        "total gesamt gesamtsumme gesamtbetrag|gross brutto bruttobetrag|net netto nettobetrag|quantity menge|"
        "number nr nummer|stock bestand lagerbestand lager"
    ),
    persons="personen|leute|mitarbeiter(?:innen)?",
    of_totals=r"(?:gesamt|zwischen|end)?(?:summe|betrag)|gesamt|insgesamt|(?:im )?durchschnitt|mittelwert",
    numbering="nr|nummer",
    of_titles="bezeichnung|beschreibung|titel",
    of_names="vorname|nachname|schüler(?:innen|in)?",
    of_codes=(
        r"(?:plz|postleitzahl|durchwahl|telefon|telefonnummer|handy|handynummer|kennziffer)\b|"
        r"\w*(?:konto|kunden|personal|rechnungs|haus|zimmer|artikel|bestell)(?:nummer|nr)\b|nr\b\W*$|(?<!.)jahr$"
    ),
    of_times="jahre?|datum|saison",
    of_any_date="(?:bestell|rechnungs|beleg|buchungs|auftrags)?(?:datum|tag|jahr|monat)",
    of_quantities=r"menge|anzahl|bestand|lager(?:bestand)?|stück(?:zahl)?",
    of_signed="gewinn|ergebnis|saldo|temperatur",
)
