"""What an answer of each form has: a number, a date, a time of day, an address."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.scripts import HAN, KANA
from treatise.core.words import n_words
from treatise.generate.asked import Asked, asked, asks_release
from treatise.generate.time_words import (
    BORN,
    DATE_WORDS,
    HOURS,
    HOW_OFTEN,
    LENGTHS,
    NUMBER_WORDS,
    SOME,
    UNITS,
    UNTIL,
    YEARS_OLD,
)

_IGNORE: Final = re.IGNORECASE

_NUMBER_WORDS: Final = f"""
{NUMBER_WORDS}
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen dozen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half third
quarter once twice single both none no zero pair first second
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn
neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend kein keine beide einmal
zweimal
deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze vingt trente quarante cinquante
soixante cent mille aucun aucune
dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho
diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento mil ninguno ninguna tre
quattro cinque sei sette otto nove dieci cento dois três twee drie vier vijf zes zeven tien
"""
_NUMBER: Final = lazy_pattern(
    rf"\d|[〇零二三四五六七八九十百千万億亿两兩両半]|\b(?!\w+teenth\b)(?:{'|'.join(_NUMBER_WORDS.split())})(?:th|s)?\b",
    _IGNORE,
)
_REFERENCE: Final = lazy_pattern(
    r"\b(?!\d{1,2}\.\d{1,2}\.(?:1\d|20)\d\d\b)\d+(?:\.\d+){2,}\w*|(?:\b(?:sections?|chapters?|figures?|tables?|pages?|appendix|abschnitt|kapitel|tabelle|seite|chapitre|figure|tableau|"
    r"page|sección|capítulo|tabla|figura|página)\s*[\d.]+)|第\s*[\d.]+\s*[节章節页頁条條]|\w\(\d\)|"
    r"^\W*\d{1,2}[.)]\s+(?=[^\W\d])",
    _IGNORE,
)
"""Numbers that count nothing: of versions, sections, items of a list, and pages of a manual, as in "dpkg(8)"."""
_TIME_WORDS: Final = f"""
{DATE_WORDS}
january february march april may june july august september october november december monday tuesday wednesday thursday
friday saturday sunday today tomorrow yesterday spring summer autumn winter morning evening night noon midnight day days
week weeks month months year years hour hours minute minutes second seconds century decade after before during while
when whenever once until till upon soon immediately then later since as if always never daily if unless
januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag tag
tage tagen woche wochen monat monate jahr jahre jahren stunde stunden minuten nach vor während wenn als sobald bis
nachdem bevor falls sofern
janvier février mars avril juin juillet août septembre octobre novembre décembre jour jours semaine mois an ans année
heure heures minutes après avant pendant lorsque quand dès jusqu depuis
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre día días semana mes año años
hora horas minutos después antes durante cuando hasta desde al
"""
_VAGUE_WORDS: Final = """
ago early earlier earliest late latest recent recently now nowadays currently centuries decades weekend weekends
fortnight easter christmas weekly monthly yearly annually hourly age ages birthday deadline
vor heute gestern morgen jetzt früher jährlich hier aujourd demain maintenant hace hoy ayer mañana ahora
"""
_NUMERAL: Final = rf"(?:{'|'.join(_NUMBER_WORDS.split())})(?:th|s)?"
_ORDINAL_WORDS: Final = """
third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
seventeenth eighteenth nineteenth twentieth thirtieth
"""
_MONTH: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|"
    r"juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|"
    r"febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
)
_SHORT_MONTH: Final = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|okt|dez|janv|févr|avr|juil|ene|abr|ago|dic)"
)
ANY_MONTH: Final = rf"(?:{_MONTH}|{_SHORT_MONTH}\b\.?)"
_DATE: Final = lazy_pattern(
    rf"\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?|"
    rf"\b(?:\d{{1,2}}\.? (?:de )?)?{_MONTH},? (?:de )?\d{{4}}\b|"
    r"\b(?:in|since|en|seit) (?:19|20)\d\d\b|\b\d{4}-\d\d-\d\d\b",
    _IGNORE,
)
"""Numbers that count nothing: of days and years."""
_YEAR_NUMBER: Final = (
    r"(?:(?<=\bFY)|(?<![\da-z#$€£¥.,-]))(?:1\d|20)\d\d(?:s\b|(?![\da-z]|[.,]\d))|[〇零一二三四五六七八九]{4}|"
    r"\b\d+ (?:BCE?|AD|CE)\b"
)
_DAY: Final = (
    rf"\b{_SHORT_MONTH}\.?,? \d|\d\.?[ -]{_SHORT_MONTH}\b|\b\d{{4}}[-/]\d\d?(?:[-/]\d\d?)?(?!\d)|"
    rf"(?<![\d.])\d{{1,2}}(?:\.\d{{1,2}}\.(?:1\d|20)?\d\d|/\d{{1,2}}/(?:\d\d){{1,2}})(?!\.?\d)|"
    rf"\b(?:am|vom|zum|den) \d{{1,2}}\.|{_YEAR_NUMBER}"
)
"""What a date has: a day of a month, or a year."""
_NOT_OF_PLACE: Final = (
    r"(?! of (?:(?:the|an?|this|that|our|your|my|its|his|her|their) )?(?:[\w-]+ )?(?:street|road|lane|avenue|alley|"
    r"driveway|corridor|hall|hallway|aisle|room|building|garden|tunnel|bridge|pier|platform|beach)s?\b"
    r"(?! (?:booking|closure|party|rental|season|service|session|show|tour|trip|works?)\b))"
)
"""Not before "of the street": the end of that is a place."""
_TIME: Final = lazy_pattern(
    r"[年月日时時分秒天周週後后前点點号號世〇零一二三四五六七八九十百千]|"
    rf"\b(?:{'|'.join(_TIME_WORDS.split())}|{'|'.join(_VAGUE_WORDS.split())}|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b|{_DAY}|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th|er|ème|e)\b|['’]\d\ds?\b|\b(?:FY|Q)\s?\d|"
    r"\b\d{1,2}(?:[:h]\d\d\b|\s?h\b|[.:]?\d{0,2}\s?(?:[ap]\.?m\b|o['’]clock|uhr\b))|"
    rf"\b(?:at|by|around|from|till?|past|between|aged|um|gegen|am|vom|zum|à|vers|le|el|las?|au) "
    rf"(?:\d{{1,2}}(?![\w#%]|[.,]\d)|{_NUMERAL}\b)|"
    rf"\b{_NUMERAL}[ -](?:and )?(?:{_NUMERAL}|oh|o['’]clock|(?:a|p)\.? ?m)\b|\b(?:half|quarter) (?:past|to)\b|"
    rf"\b(?:{'|'.join(_ORDINAL_WORDS.split())})\b|^\W*(?:\d{{1,2}}|{_NUMERAL})\W*$|"
    r"\b(?:that|same|any|every|each|first|last|next|run|build|start|compile|boot|some) ?time\b|"
    rf"\b(?:at|by|until|from) the (?:time|moment)\b|\bthe (?:start|beginning|end)\b(?= of\b){_NOT_OF_PLACE}|"
    r"\d\s?(?:°|degrees?\b)|"
    r"\b(?:on|at|by|upon) (?:the |its |his |her |their |your )?"
    r"(?:completion|death|birth|end|start|beginning|expiry|termination|close|request|receipt|delivery|arrival|dawn|dusk|"
    rf"start-?up|boot|login|logout|exit|shutdown|installation)\b{_NOT_OF_PLACE}",
    _IGNORE,
)
_NOW: Final = lazy_pattern(
    r"\W*(?:today|now|nowadays|currently|at present|heute|jetzt|derzeit|aujourd['’]hui|maintenant|hoy|ahora)\W*",
    _IGNORE,
)
"""Words that say of when a text speaks: "which is 7.74% today". The sentence may answer, the word alone does not."""
CODE: Final = lazy_pattern(
    r"\bhttps?://\S+|[#№]\d+|\b0\d*[a-z]{3,}\b|\b(?=[\da-f]{0,39}\d)(?=[\da-f]{0,39}[a-f])[\da-f]{7,40}\b|\bports? \d+",
    _IGNORE,
)
"""Numbers that neither count nor date: of issues, of changes to code, of files ("00README") and of ports."""
_NAMED: Final = lazy_pattern(r"(?<=[\w,] )[A-Z][a-z]+ \d+(?:\.\d+)*(?=\W*(?:$|[,;:.)(]))")
"""Numbers that belong to a name, as in "Toy Story 2"."""
_YEAR: Final = lazy_pattern(
    rf"{_YEAR_NUMBER}|['’]\d\d\b|\b{_NUMERAL} (?:hundred|thousand)\b|\byear \d{{1,6}}\b", _IGNORE
)
_AGE: Final = lazy_pattern(
    rf"(?:{_NUMBER.pattern})[\s-]*(?:and a half[\s-]*)?"
    rf"(?:{YEARS_OLD}|years?|months?|weeks?|days?|jahre?|monate?|wochen?|ans?\b|mois|años?|meses|岁|歳)|"
    rf"\b(?:{BORN}|aged?|born|built|founded|geboren|geb\.|née?|nacid[oa])(?!\w)|{_YEAR.pattern}|"
    r"(?:\b(?:is|was|are|were|am|turn(?:s|ed)?|ist|sind|war|wird|wurde)|['’][ms])"
    rf" (?:(?:about|almost|already|both|just|nearly|now|only|schon|jetzt) )?(?:{_NUMBER.pattern})\d{{0,2}}"
    r"(?=\s*(?:[,.;)]|$|(?:and|at|in|now|on|this|today|und|when)\b))|"
    r"[^\W\d_], \d{1,3}(?=,|\)|$)",
    _IGNORE,
)
_BORN: Final = lazy_pattern(
    rf"\b(?:{BORN}|aged?|born|births?|birthday|built|founded|since|from|geb\w*|seit|née?|naissance|depuis|nacid[oa]|desde)\b",
    _IGNORE,
)
"""Words from which the day of a date is one of a beginning, so that it tells an age."""
_WHOLE_DATE: Final = lazy_pattern(
    rf"\b\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}\b|\b\d{{4}}-\d\d-\d\d\b|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of |de )?{ANY_MONTH},? (?:de )?\d{{4}}\b|"
    rf"\b{ANY_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}\b",
    _IGNORE,
)
_DURATION: Final = lazy_pattern(
    rf"(?:{_NUMBER.pattern}|"
    rf"\b(?:{SOME}|an?|half an|several|some|few|eine?[mnr]?|einige|une?|una|quelques|algun[ao]s)\b)"
    r"\]?(?:\s*\([^)]*\))?[\s-]*(?:(?:calendar|business|full|more|additional|and a half)[\s-]*)?"
    rf"(?:(?:{UNITS})\b|milliseconds?|ms\b|secs?\b|s\b|mins?\b|h\b|hrs?\b|seconds?|minutes?|hours?|days?|weeks?|months?|years?|centur(?:y|ies)|"
    r"sekunden?|minuten?|stunden?|tagen?|tage|"
    r"wochen?|monaten?|monate|jahren?|jahre|secondes?|heures?|jours?|semaines?|mois|ans?\b|années?|segundos?|minutos?|"
    r"horas?|días?|semanas?|mes(?:es)?|años?|[年月日天周週小時分秒])(?!s?[ -]of age\b)|"
    rf"\b(?:{UNTIL}|until|till|as long as|while|during|duration|term|forever|always|never|perpetual|permanent|"
    r"permanently|indefinitely|lifetime|bis|solange|während|dauer|dauerhaft|jusqu|tant que|pendant|durée|hasta|"
    r"mientras|durante)\b|直到|まで",
    _IGNORE,
)
_LENGTH: Final = lazy_pattern(
    rf"(?:{_NUMBER.pattern}|\ban?\b)[\s-]*(?:or (?:more|fewer|less) |more )?"
    r"(?:(?:ASCII|alphanumeric|printed|full|typed|square|different|single)[\s-]*)?"
    rf"(?:{LENGTHS}|characters?|chars?|letters?|digits?|symbols?|words?|syllables?|sentences?|lines?|paragraphs?|pages?|columns?|"
    r"bytes?|bits?|[kmg]i?b|[cdkmµn]?m[²³]?|(?:centi|milli|kilo|centí|milí)?(?:met(?:er|re)|metro|mètre)s?|inch(?:es)?|foot|feet|ft|yards?|miles?|"
    r"zeichen|buchstaben|ziffern|wörter|zeilen|seiten|caractères?|lettres?|mots?|lignes?|caracteres?|letras?|palabras?)\b|"
    r"\b\d[\d.]*[\"”″′]|[\d〇零一二三四五六七八九十百千万]\s?(?:メートル|センチ|ミリ|文字|字|米|厘米|公里|ページ|页|頁|行)",
    _IGNORE,
)
_AMOUNT: Final = lazy_pattern(
    r"[$€£¥]\s?\d[\d.,]*(?: (?:an?|per|each|every) (?:hour|day|week|month|year)\b)?|"
    r"\d[\d.,]*\)?\s?%|\b\d{1,3}(?:,\d{3})+\b(?! (?:day|month|year|hour)s)"
)
"""Numbers that are no time: of money, shares and quantities."""
_COINS: Final = r"dollars?|euros?|pounds?|cents?|pence|pennies|francs?|yen|yuan|rupees?|bucks?|quid"
_PRICE: Final = lazy_pattern(
    rf"[$€£¥₹]\s?\.?\d|\d[\d.,]*\s?(?:[$€£¥₹%]|{_COINS}|USD|EUR|GBP|CHF)|\b{_NUMERAL} (?:{_COINS})\b|"
    r"\b(?:is|are) (?:extra|included)(?=\W*$)|^\W*(?:extra|included)\W*$|"
    r"(?<!feel )\bfree\b(?! to\b| up\b| of (?!charge|cost)| space| memory)|"
    r"\b(?:no|without|not?) (?:\w+ )?(?:charged?|costs?|fees?)\b|\bcomplimentary\b|\bgratis\b|\bkostenlos|"
    r"\bgratuit|元|円",
    _IGNORE,
)
"""An amount of money, or words for none."""
_OF_MONEY: Final = lazy_pattern(
    r"\b(?:costs?|prices?|priced|fees?|rates?|charges?|charged|rents?|salar(?:y|ies)|wages?|budgets?|deposits?|fines?|"
    r"fares?|tariffs?|premiums?|pay|pays|paid|payable|payments?|spent|expenses?|dues|kost\w+|preise?|gebühr\w*|beitrag|"
    r"beiträge|coût\w*|prix|tarifs?|frais|cuesta\w*|precios?|tarifas?)\b",
    _IGNORE,
)
"""Words beside which a number without a currency is one of money."""
_PRICE_WORDS: Final = 6
"""A text of so many words, such as a table's cell, needs no such word."""
_FREQUENCY: Final = lazy_pattern(
    rf"\b(?:{HOW_OFTEN}|every|each|per|once|twice|thrice|times|always|never|often|seldom|rarely|sometimes|usually|regular(?:ly)?|"
    r"frequent(?:ly)?|continuous(?:ly)?|constantly|whenever|occasional(?:ly)?|(?:bi-?|semi-?)?(?:hourly|daily|nightly|"
    r"weekly|fortnightly|monthly|quarterly|annual(?:ly)?|yearly|ennial(?:ly)?)|\w+days|weekends|"
    r"an? (?:day|week|month|quarter|year)|after|mal|jede[mnrs]?|täglich|wöchentlich|monatlich|jährlich|immer|nie|fois|"
    r"chaque|tous|toutes|jamais|toujours|vez|veces|cada|todos|siempre|nunca|diari\w+|semanal\w*|mensual\w*|anual\w*)\b|"
    rf"{_NUMBER.pattern}|[每毎次]",
    _IGNORE,
)
_EMAIL: Final = lazy_pattern(r"\S@\S|\S ?[\[(]at[\])] ?\S", _IGNORE)
_PHONE: Final = lazy_pattern(r"(?<![\d$€£¥.,])\+?(?:\d[\s().\-–/]*){5,}")
_NO_HOUR: Final = r"first|second|third|once|twice|single|both|none|no|zero|pair|dozen|hundred|thousand|(?:m|b)illion"
_NO_COUNT: Final = (
    r"(?!\s*-?\s*(?:percent|m?s|secs?|mins?|hrs?|(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|sekunden?|"
    r"minuten?|stunden?|tagen?|tage|wochen?|monaten?|jahren?|secondes?|jours?|semaines?|mois|ans|horas?|minutos?|días?|"
    r"semanas?|meses|años?)\b)"
)
"""What follows an hour is no unit: "30 mins" is no time of day."""
_NUMBERED: Final = ("act", "item", "level", "page", "part", "phase", "room", "round", "stage", "step")
_NO_PLACE: Final = "".join(rf"(?<!\b{word} )" for word in _NUMBERED)
"""What precedes an hour: "Round 1" is none either."""
TIME: Final = (
    r"(?:(?:[01]?\d|2[0-4]):[0-5]\d|\d{1,2}(?:[:.][0-5]\d)?(?=\s?[ap]\.?m\b))(?![\d.:%]\d)(?:\s?[ap]\.?m\b\.?)?"
)
"""A time of day as timetables have it: clauses are numbered as "10.15", so that a full stop needs "am" or "pm"."""
_CLOCK: Final = lazy_pattern(
    rf"{_NO_PLACE}(?<![\w#.,])\d{{1,2}}(?![\w#%]|[.,]\d{{3}}){_NO_COUNT}|\d{{1,2}}(?:[:.]\d\d|h|\s?[ap]\.?m\b)|"
    rf"\b(?!{_NO_HOUR}){_NUMERAL}\b{_NO_COUNT}|"
    rf"[:–—-]\s*closed\b|\b(?:{HOURS}|noon|midnight|midday|dawn|dusk|morning|evening|afternoon|sunrise|sunset|mittags?|mitternacht|midi|minuit)\b|"
    r"[点點时時]",
    _IGNORE,
)
_OF_TIME: Final = (Asked.DATE, Asked.CLOCK, Asked.YEAR, Asked.AGE, Asked.DURATION)
_IN_WORDS: Final = (*_OF_TIME, Asked.LENGTH, Asked.FREQUENCY, Asked.NUMBER)
_OTHER_SCRIPT: Final = lazy_pattern(rf"(?:(?![a-z\u00aa-\u024f\u0400-\u04ff{HAN}{KANA}])[^\W\d_]){{3}}", _IGNORE)
"""Letters of a script whose words of number and time are in no list here, so that nothing is known to be absent."""
_FITS: Final = {
    Asked.LENGTH: lazy_pattern(rf"{_LENGTH.pattern}|{_DURATION.pattern}", _IGNORE),
    Asked.DURATION: _DURATION,
    Asked.FREQUENCY: _FREQUENCY,
    Asked.AGE: _AGE,
    Asked.NUMBER: _NUMBER,
    Asked.DATE: _TIME,
    Asked.CLOCK: _CLOCK,
    Asked.YEAR: _YEAR,
    Asked.EMAIL: _EMAIL,
    Asked.PHONE: _PHONE,
}
_LACKING: Final = {
    Asked.LENGTH: "a length",
    Asked.DURATION: "a length of time",
    Asked.FREQUENCY: "how often it is",
    Asked.AGE: "an age",
    Asked.PRICE: "a price",
    Asked.NUMBER: "a number",
    Asked.DATE: "a date or time",
    Asked.CLOCK: "a time of day",
    Asked.EMAIL: "an e-mail address",
    Asked.PHONE: "a phone number",
    Asked.YEAR: "a year",
}


_WHEN: Final = lazy_pattern(r"\b(?:when|once|wenn|sobald|lorsque|quand|cuando)\b[^,.;:]*", _IGNORE)
_NOW_WITHIN: Final = lazy_pattern(r"\b(?:today|now|currently|at present|heute|jetzt|derzeit|hoy|ahora)\b", _IGNORE)
_CONTENT: Final = lazy_pattern(r"[^\W\d_]{3,}")
_DIGIT: Final = lazy_pattern(r"\d")
_SMALL_WORDS: Final = """
when does did will would shall can could may might must should has have had was were are been being the and that this
its our your their wann wird wurde hat ist sind der die das den dem quand est les cuándo los las del
"""
_SMALL: Final = frozenset(_SMALL_WORDS.split())


def can_answer(form: Asked, text: str) -> bool:
    """Whether a text has what such an answer needs: a number, or words of time; True for the other forms.

    >>> can_answer(Asked.DATE, "today"), can_answer(Asked.DATE, "It ends today.")
    (False, True)
    """
    if form is Asked.PRICE:
        return _states_price(text)
    if form in _IN_WORDS and _OTHER_SCRIPT.search(text):
        return True
    pattern = _FITS.get(form)
    counted = CODE.sub(" ", text) if form in (*_OF_TIME, Asked.NUMBER) else text
    counted = _AMOUNT.sub(" ", counted) if form in _OF_TIME else counted
    counted = _NAMED.sub(" ", _DATE.sub(" ", counted)) if form is Asked.NUMBER else counted
    counted = _WHOLE_DATE.sub(" ", counted) if form is Asked.AGE and not _BORN.search(text) else counted
    if form is Asked.DATE and _NOW.fullmatch(counted):
        return False
    return not pattern or bool(pattern.search(_REFERENCE.sub(" ", counted)))


def without_echo(question: str, text: str) -> str:
    """The text of an answer to "when" without "today" in it and without a clause that says when in the words of the
    question and has no number.

    >>> without_echo("When does the fixed rate end?", "When the fixed rate ends, you pay 7.74% today.")
    ' , you pay 7.74%  .'
    >>> without_echo("When may it be ended?", "It may be ended when the rent is late.")
    'It may be ended when the rent is late.'
    >>> without_echo("When does water boil?", "It is done when water boils at 92 degrees.")
    'It is done when water boils at 92 degrees.'
    """
    asked_for = {_stem(word) for word in _CONTENT.findall(question.casefold()) if word not in _SMALL}
    for clause in _WHEN.finditer(text):
        stems = {_stem(word) for word in _CONTENT.findall(clause[0].casefold())}
        if asked_for and stems >= asked_for and not _DIGIT.search(clause[0]):
            return _NOW_WITHIN.sub(" ", f"{text[: clause.start()]} {text[clause.end() :]}")
    return text


def _stem(word: str) -> str:
    return word[: max(3, len(word) - 2)] if len(word) > 4 else word[:3]


def _states_price(text: str) -> bool:
    """Whether a text has an amount of money, or a number that is likely to be one."""
    is_likely = n_words(text) <= _PRICE_WORDS or _OF_MONEY.search(text)
    return bool(_PRICE.search(text) or (is_likely and can_answer(Asked.NUMBER, text)))


def lacking(question: str) -> str:
    """Why passages without such an answer are refused, in one line."""
    wanted = "a version" if asks_release(question) else _LACKING.get(asked(question), "an answer")
    return f"no passage gives {wanted} for this question"
