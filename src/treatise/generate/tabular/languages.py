"""The words by which each language asks a table and heads its columns: a language is one value."""

from dataclasses import dataclass, fields
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Words of a language. Each field is empty, or has alternatives of a pattern between ``|``.

    Attributes:
        value: How a question for a value begins.
        what: Those of them that may ask for a row too.
        value_is: "What is the".
        the_value: The same, and "how long is the".
        owned_value: The same before a value of something: "what is the name of the".
        which: What comes before the thing that is asked for.
        before_thing: What may come between these two.
        after_thing: What ends the thing, besides verbs.
        lists, located: How a question for rows begins, and one for what is at a place.
        how_many, how_much: How a number is asked for.
        count_of: Nouns for a number of things.
        how_measured: How a number with its measure is asked for.
        who, when: Questions for persons and times.
        verbs: Forms of "be", "have" and "do".
        did: Those that come before a subject.
        sentence: Words of sentences, and how questions begin.
        opens_sentence: Words that make a sentence only at its beginning.
        openers: Words that begin a question, with a capital letter in any meaning.
        articles: Definite articles.
        of: Prepositions before the owner of a value.
        before_names: Prepositions and conjunctions before the name of a row.
        and_, each, all_: These.
        highest, lowest: Superlatives.
        top, bottom: Other words for the ends of a ranking.
        sizes: Superlatives that may mean a size without its sign.
        after_most: Adjectives that "most" makes an extreme.
        not_extreme: Superlatives in phrases that ask for no extreme.
        open_extreme: Superlatives that name no measure.
        numerals, ordinals: From one on, and from second on.
        several: What comes before a numeral that counts the things asked for.
        more, fewer, than: Comparatives of numbers, and what follows.
        comparative: Any comparative.
        over, under, at_least, at_most, exactly: Bounds of a number.
        zero: None of something.
        rises, falls: Verbs of changes.
        difference: Nouns of differences.
        total, average, median: Words for these.
        bare_total: Those that ask for one in a phrase without a verb: "overall length" is a name.
        listed: What asks how many rows there are.
        different: What asks for values that are counted once.
        negation: Words that leave something out, or ask for each of several.
        compares: Other words by which a question asks for more than a cell.
        beside: Words that make a value after the head of its column a limit: "under floor 3".
        between, from_, to: Words of ranges with two ends.
        since, until, later, earlier: Words of ranges with one end; the last two leave it out.
        end: Other words of such ranges.
        within: Words before a period.
        dated: Words beside a date.
        in_ranges: Words that narrow nothing in a question for a range.
        months, weekdays: Names and their abbreviations.
        after, before, no_neighbour: What asks for the row next to another one, and what does not.
        have: Verbs of what a row has.
        yes, no: Cells.
        relating: Verbs between a thing and its value.
        in_stock: Words beside what is counted.
        vague: Words that a column may mean without having them, or that name none.
        compounded: Nouns of numbers at the end of compounds.
        endings: Of words whose stem a table may have with another one; only if the language has many.
        light: Words of other languages than English that narrow nothing, and that no English question has.
        often_light: Those that an English question may have.
        value_verbs: Verbs by which a question with ``often_light`` words is known to be of the language.
        same: Groups of words that mean the same; the first of each is English.
        persons: Nouns for persons.
        of_totals: Names of rows of totals.
        numbering: Words for numbers and codes, after what they number.
        of_titles: Heads of columns of names of things.
        of_any_date: Heads of dates of which a period may be meant that names no column: not of birth, start or end.
        of_names, of_persons, of_times, of_places, of_codes, of_averages, of_quantities, of_signed: Heads of columns.
    """

    value: str = ""
    what: str = ""
    value_is: str = ""
    the_value: str = ""
    owned_value: str = ""
    which: str = ""
    before_thing: str = ""
    after_thing: str = ""
    lists: str = ""
    located: str = ""
    how_many: str = ""
    how_much: str = ""
    count_of: str = ""
    how_measured: str = ""
    who: str = ""
    when: str = ""
    verbs: str = ""
    did: str = ""
    sentence: str = ""
    opens_sentence: str = ""
    openers: str = ""
    articles: str = ""
    of: str = ""
    before_names: str = ""
    and_: str = ""
    each: str = ""
    all_: str = ""
    highest: str = ""
    lowest: str = ""
    top: str = ""
    bottom: str = ""
    sizes: str = ""
    after_most: str = ""
    not_extreme: str = ""
    open_extreme: str = ""
    numerals: str = ""
    ordinals: str = ""
    several: str = ""
    more: str = ""
    fewer: str = ""
    than: str = ""
    comparative: str = ""
    over: str = ""
    under: str = ""
    at_least: str = ""
    at_most: str = ""
    exactly: str = ""
    zero: str = ""
    rises: str = ""
    falls: str = ""
    difference: str = ""
    total: str = ""
    average: str = ""
    median: str = ""
    bare_total: str = ""
    listed: str = ""
    different: str = ""
    negation: str = ""
    compares: str = ""
    beside: str = ""
    between: str = ""
    from_: str = ""
    to: str = ""
    since: str = ""
    until: str = ""
    later: str = ""
    earlier: str = ""
    end: str = ""
    within: str = ""
    dated: str = ""
    in_ranges: str = ""
    months: str = ""
    weekdays: str = ""
    after: str = ""
    before: str = ""
    no_neighbour: str = ""
    have: str = ""
    yes: str = ""
    no: str = ""
    relating: str = ""
    in_stock: str = ""
    vague: str = ""
    compounded: str = ""
    endings: str = ""
    light: str = ""
    often_light: str = ""
    value_verbs: str = ""
    same: str = ""
    persons: str = ""
    of_totals: str = ""
    numbering: str = ""
    of_titles: str = ""
    of_names: str = ""
    of_persons: str = ""
    of_times: str = ""
    of_places: str = ""
    of_codes: str = ""
    of_any_date: str = ""
    of_averages: str = ""
    of_quantities: str = ""
    of_signed: str = ""


_TABLE: Final = "(?:list|table|sheet|file|data ?set|data|csv|spreadsheet|workbook)"

ENGLISH: Final = Language(
    value=r"what|which|how (?:many|much|long|tall|big|large|old|high)|who|when|where|give|tell|show",
    what="what|give|tell|show",
    value_is=r"what(?:['’]s| is| was) the",
    the_value=(
        r"(?:what|how (?:long|tall|high|big|large|heavy|deep|wide|many|much))(?:\s+(?:is|was|are|were)|['’]s)\s+the|"
        r"(?:give|tell|show)\s+(?:me\s+)?the"
    ),
    owned_value=(
        r"(?:what|who|when|where|which|give|tell|show|name|find)(?:['’]s| (?:is|are|was|were|me|us|out))*\s+the "
        r"(?:(?:names?|number|amount|level) of (?:the )?)?|how \w+ (?:is|are|was|were) the "
    ),
    which=r"which|what|whose|name(?: an?| the)?|list(?: all)?(?: the)?|(?:show|give)(?: me| us)? all(?: the)?",
    before_thing=r"(?:of the\s+|(?:is|are|was|were) the\s+)?(?:names? of (?:the |an? )?)?",
    after_thing="with|without|that|which|who|of|in|from|for|by|on|there|listed|costs?|weighs?|drinks?|got|gets?|received?",
    lists="which|what|who|list|name|show",
    located=r"what(?:['’]s| is| are)(?: there)? (?:on|in|at|from)",
    how_many="how many",
    how_much="how much",
    count_of="number of",
    how_measured=r"how (?:many|much|long|tall|high|large|big|old|heavy|deep|wide)|(?:number|total) of",
    who="who(?:se)?",
    when="when",
    verbs="is|are|was|were|has|have|had|did|do|does",
    did="do|does|did|has|have|had",
    sentence=(
        "is|are|was|were|am|be|been|do|does|did|has|have|had|can|could|(?-i:will)|would|shall|should|(?-i:may)|might|"
        "must|how|what|which|who|whom|whose|where|when|why|give|tell|show|list|name|find"
    ),
    opens_sentence="will|may",
    openers=(
        "who|what|which|when|where|why|how|whose|whom|is|are|was|were|do|does|did|has|have|had|can|could|will|would|"
        "may|might|shall|should|the|a|an|in|on|at|for|of|from|by|with|all|any|some|each|every|there|if|as|to|no|"
        "please|give|tell|show|name|list|find|number|total"
    ),
    articles="the",
    of="of|for|in|on|at|from|during",
    before_names="of|for|in|from|on|at|to|with|by|per|since|until|between|and|or",
    and_="and",
    each="each|every",
    all_="all",
    highest="most|highest|largest|greatest|biggest|longest|tallest|heaviest|deepest|widest|maximum",
    lowest="least|lowest|smallest|fewest|shortest|lightest|cheapest|minimum",
    top="top",
    bottom="bottom|least expensive",
    sizes="largest|greatest|biggest|least|smallest",
    after_most="expensive|populous|valuable",
    not_extreme=(
        r"at (?:the )?(?:most|least)\b|most (?:recent|of|common|frequent|popular|often|likely)\w*|"
        r"least (?:recent|common|popular)|for the most part\b|almost\b"
    ),
    open_extreme="best|worst|safest|richest|poorest|fastest|slowest|strongest|weakest|hottest|coldest|busiest",
    numerals="one|two|three|four|five|six|seven|eight|nine|ten",
    ordinals="second|third|fourth|fifth",
    several="which|what|the|name|list",
    more="more expensive|more|greater|higher|larger|bigger|longer|taller|heavier|deeper|wider|older",
    fewer="less expensive|less|fewer|lower|smaller|shorter|lighter|cheaper|younger",
    than="than",
    comparative=r"more|less|\w+er",
    over="over|above|exceeding",
    under="under|below",
    at_least="at least|no (?:less|fewer) than",
    at_most="at most|no more than|up to",
    exactly="exactly",
    zero=(
        r"(?:no|zero|without(?: any)?|did(?: not|n['’]t) (?:have|suffer|record|report)(?: any)?)\b"
        r"(?! (?:more|less|fewer|longer|later|earlier))"
    ),
    rises="gr[eo]wn?|rise|rose|risen|increased?|gain(?:ed)?|changed?",
    falls="fall(?:en)?|fell|lose|lost|drop(?:ped)?|decreased?|declined?|shr[iau]nk",
    difference="difference",
    total=(
        "in total|(?:grand )?total(?: number| amount| sum)?(?: of)?|sum(?: of| total)?(?: of)?|altogether|in all|"
        "combined|overall"
    ),
    average=r"(?:average|mean|on average)\b(?: (?:number|amount|value))?(?: of)?",
    median="median",
    bare_total="total|sum|average|mean|median",
    listed=(
        r"(?:are|were|is) (?:there|listed|named|included|covered|shown|given|recorded)|"
        rf"(?:are |is |were )?(?:listed |there |included |shown )?(?:in|on) (?:the|this|that) (?:\w+ )?{_TABLE}|"
        rf"does (?:the|this) {_TABLE} (?:list|have|contain|include|cover|name|show)"
    ),
    different="different|distinct|unique",
    negation=(
        r"not|never|neither|nor|except|excluding|excludes?|besides|apart from|other than|unless|if|per|each|every|same|"
        r"both|either|\w+n['’]t"
    ),
    compares=(
        r"better|than|or|not|same|(?-i:others?)|before|after|above|below|next|previous|between|beyond|besides|except|"
        r"without|both|all|last|first|combined|together|\w+n['’]t"
    ),
    beside="over|under|above|below|beyond",
    between="between",
    from_="from",
    to="to|thru|till|until|through",
    since="since",
    until="until|till",
    later="after",
    earlier="before",
    end="through|up to|onwards?",
    within="in|during|for|of|on|in the year",
    dated="dates?|dated|issued|placed|made|taken|ordered|published|released",
    in_ranges="sold",
    months=(
        "jan(?:uary)?|feb(?:ruary?)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
        "nov(?:ember)?|dec(?:ember)?"
    ),
    weekdays="mo(?:n(?:day)?)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?",
    after="next after|after|below|following|follows?|succeeded|next",
    before="before|above|prior to|preceded|previous to|previous",
    no_neighbour=(
        "how|first|earliest|oldest|last|latest|most recent|final|newest|at (?:most|least)|than|two|three|four|five"
    ),
    have="have|has|with|offers?|supports?|includes?",
    yes="yes|y|true",
    no="no|n|false",
    relating=(
        "work|works|working|employed|belong|belongs|assigned|located|based|live|lives|stand|stands|come|comes|listed|all"
    ),
    in_stock="left|available|stock|hand|store",
    vague=(
        "kind|type|sort|way|thing|things|result|results|place|position|rank|date|dates|time|times|day|month|name|names|"
        "title|current|official|full|main|exact|actual|original|whole|total|same|first|last|new|old|only|middle|"
        "consecutive|hour|hours|opening"
    ),
    same=(
        "death deaths died die dies dead deadly killed fatality fatalities|percent percentage pct % share proportion|"
        "length long longer longest shorter shortest|height tall taller tallest|"
        "weight heavy heavier heaviest weigh weighs lighter lightest|depth deep deeper deepest|width wide wider widest|"
        "price cost costs expensive cheapest cheaper cheap|population populous pop inhabitants residents|number no num|"
        "average avg mean|quantity qty|stock|maximum max|minimum min|country countries nation nations|"
        "win wins won winning|loss losses lose lost loses|"
        "temperature temp|age older younger|value worth valuable|"
        "total|gross|net|film films movie movies|litre liter litres liters|metre meter metres meters|"
        "kilometre kilometer kilometres kilometers km"
    ),
    persons="people|persons?|employees|staff|members|colleagues|workers",
    of_totals=(
        r"(?:grand |overall |sub-?\s?)?(?:totals?|sum|averages?|mean|median)|.*\bsub-?\s?totals?|"
        "(?:amount|balance|total) due"
    ),
    numbering="no|num|number|id|code|ref|reference",
    of_titles="name|title|description",
    of_names="(?:sur)?names?|employee|player|driver|students?|pupils?",
    of_persons=(
        "(?:player|driver|winner|person|member|artist|author|rider|athlete|candidate|president|coach|champion|employee)s?"
    ),
    of_times="years?|dates?|seasons?",
    of_places=(
        "aisle|location|place|city|town|village|venue|room|shelf|bin|address|street|country|state|county|region|"
        "district|province|site|store|shop|branch|office|station|harbour|port|airport|building|floor|warehouse|bay|"
        "zone|neighbou?rhood|destination|hotel|restaurant"
    ),
    of_codes=(
        "(?:phones?|telephone|tel|mobile (?:phone|number)|fax|ext|extension|pin|zip|zip ?code|post ?code|"
        "(?:account|card|customer|employee|house|invoice|order|room|serial|staff) (?:number|no|nr))\\b|"
        "(?<!.)(?:birth |founding |hire |opening |start )?year$"
    ),
    of_any_date=(
        "(?:(?:order|invoice|issue|booking|sales?|purchase|transaction|posting|entry|event|document) )?"
        "(?:dates?|day|year|month|period|time|departure|arrival)|"
        "(?:taken|made|ordered|issued|sold|recorded|published)(?: on| at)?"
    ),
    of_averages=r"average|\bavg\b|\bmean\b|median|percent|\bpct\b|%|\brate\b|per[ _]|\bunit (?:price|cost)\b",
    of_quantities=r"qty|quantity|(?:in )?stock|on hand|units|pieces|count",
    of_signed="profit|result|earnings|net income|balance|(?:cash ?)?flow|margin|growth|change|temperature",
)

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

FRENCH: Final = Language(
    value="combien|quel(?:le)?s?",
    sentence="combien|quel(?:le)?s?",
    opens_sentence="est|sont",
    openers="le|la|les|un|une",
    articles="le|la|les",
    of="du|de",
    and_="et",
    compares="moins",
    yes="oui",
    no="non",
    light="le|les|des|du|une|quel|quelle|quels|quelles|combien|est|sont|au|aux",
    often_light="la|un|de|d|l|à|en|pour|dans|sur|et|il|y|a|t",
    value_verbs="coûte|coûtent",
    same="price prix",
)

SPANISH: Final = Language(
    value="cu[aá]nt[oa]s?|cu[aá]l(?:es)?|qu[eé]",
    sentence="cu[aá]nt[oa]s?|cu[aá]l(?:es)?",
    opens_sentence="es|son",
    openers="el",
    articles="el|la|los|las",
    of="del",
    and_="(?-i:y)",
    compares="más|menos",
    yes="sí",
    light="el|los|las|del|cuál|cuáles|cuánto|cuánta|cuántos|cuántas|qué",
    often_light="la|de|en|un|una|por|para|y|es|son|hay|tiene",
    value_verbs="cuesta|cuestan",
    same="price precio",
)

ITALIAN: Final = Language(
    value="quant[aeio]|qual[ei]?",
    sentence="quant[aeio]",
    opens_sentence="è|sono",
    openers="il",
    articles="il|la|lo|gli|le",
    of="del|della|di",
    and_="(?-i:e)",
    compares="più|meno",
    yes="sì",
    light="il|lo|gli|della|dello|dei|delle|degli|nel|nella|quanto|quanta|quanti|quante|qual|quale",
    often_light="la|i|le|un|una|di|per|e|è",
    value_verbs="costa",
    same="price prezzo",
)

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN)


def _together(languages: tuple[Language, ...]) -> Language:
    """The words of all languages."""
    names = [one.name for one in fields(Language)]
    return Language(**{name: "|".join(filter(None, (getattr(one, name) for one in languages))) for name in names})


ALL: Final = _together(LANGUAGES)
"""The words of all languages."""
