"""What a question asks for, by its words: a number, a date, a list, a definition, or yes or no; in eight languages.

The rules are silent in doubt: a question that none of them knows asks for anything.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import Final

from treatise.core.patterns import lazy_pattern

_IGNORE: Final = re.IGNORECASE


_SORT_DE: Final = r"(?:\w*code|begriff|wort|abkürzung|option|parameter|variable|einstellung|fehlermeldung)"
_SORT: Final = lazy_pattern(
    r"^(?:(?i:the|an?|der|die|das) )?(?:(?i:term|word|abbreviation|acronym|phrase|expression|begriff|wort|abkürzung) |"
    r"(?i:(?:\w+ ){0,2}?(?:code|message|option|flag|switch|parameter|argument|variable|setting|directive|command|value|"
    r"keyword|symbol|field|status|signal|event|" + _SORT_DE + r")) (?=[\"'“„`«]|\S*[A-Z\d_/-]|\w$))"
)
"""What sort of thing a term is, before the term itself, which is code, quoted, or a single letter."""


class Asked(StrEnum):
    """The form of the answer that a question needs."""

    AGE = "age"
    LENGTH = "length"
    DURATION = "duration"
    NUMBER = "number"
    YEAR = "year"
    DATE = "date"
    CLOCK = "time of day"
    EMAIL = "e-mail"
    PHONE = "phone"
    REASON = "reason"
    LIST = "list"
    DEFINITION = "definition"
    YES_NO = "yes-no"
    ANYTHING = "anything"


_FORMS: Final = {
    Asked.AGE: lazy_pattern(r"\bhow old\b|\bwie alt\b|\bquel âge\b|\bqué edad\b|几岁|何歳", _IGNORE),
    Asked.LENGTH: lazy_pattern(
        r"\bhow long (?!.*\b(?:period|time|timeout|term|notice|interval|leave|warranty|duration|lease|delay|wait)s?\b)"
        r"(?:must|should|shall|can|could|may|might|will|would|does|do|did|has|have) .*\bbe"
        r"(?:\W*$|,| (?:in|on|at|for|to|if|when|under|with|and|or|by|as|according)\b)",
        _IGNORE,
    ),
    Asked.DURATION: lazy_pattern(
        r"\bfor how long\b|\bhow long (?:does|do|did|will|must|should|has|have)\b|\bwie lange\b|"
        r"\b(?:pendant )?combien de temps\b|\bcuánto tiempo\b|多久|多长时间|どのくらいの期間",
        _IGNORE,
    ),
    Asked.NUMBER: lazy_pattern(
        r"\bhow (?:many|tall|heavy)\b|\bhow much (?:does|did|is|was|were|would|do)\b.*\b(?:cost|pay|paid|weigh)|"
        r"^how much (?:is|are|was|were) (?:the|a|an|it|my|our|your|this|that|one|each)\b|"
        r"\bhow much (?:notice|time|money|space|memory|storage|leave)\b|"
        r"\b(?:what|which) (?:percentage|percent|proportion|fraction)\b|\bwelcher (?:anteil|prozentsatz)\b|"
        r"\bquel pourcentage\b|\bqué porcentaje\b|"
        r"\bwie ?viele?\b|\bwie (?:hoch|schwer|groß)\b|\bcombien\b|\bcu[aá]nt[oa]s?\b|\bquant[ioae]\b|"
        r"\bhoeveel\b|多少|几[个年月天种岁人次条位]|何[人歳個名件台枚]|いくつ|いくら",
        _IGNORE,
    ),
    Asked.YEAR: lazy_pattern(
        r"^(?:(?:in|since|until|by) )?(?:which|what) year\b|^in welchem jahr\b|^en quelle année\b|^¿?\s*en qué año\b|"
        r"^in che anno\b|^em que ano\b|哪一?年|何年に",
        _IGNORE,
    ),
    Asked.CLOCK: lazy_pattern(
        r"^(?:(?:at|by|from|until|till|before|after) )?(?:which|what) (?:exact )?time\b(?! (?:zone|frame|format|type))|"
        r"^um wie ?viel uhr\b|^à quelle heure\b|^¿?\s*a qué hora\b",
        _IGNORE,
    ),
    Asked.DATE: lazy_pattern(
        r"^(?:(?:since|until|till|by|from|as of) )?when\b|"
        r"^(?:in|on|at|by|since|from|until|till|before|after) (?:which|what) (?:exact )?(?:month|day|date)\b|"
        r"^(?:what|which) (?:day|date)\b(?! (?:format|type))|"
        r"^what (?:is|was) the (?:\w+ )?(?:date|deadline)\b(?! (?:format|type|field))|"
        r"^(?:wann|seit wann|bis wann|an welchem tag)\b|"
        r"^(?:quand|depuis quand|à quelle date)\b|"
        r"^¿?\s*(?:cuándo|en qué (?:fecha|mes|día))\b|^(?:quando|wanneer)\b|什么时候|何时|いつ",
        _IGNORE,
    ),
    Asked.EMAIL: lazy_pattern(
        r"^(?!what (?:is|are) an? )(?:(?:at|to|from) )?(?:what|which)(?: [\w'’-]+){0,4} e-?mail address\b|"
        r"^(?:an |unter )?(?:welche|wie lautet die|was ist die) e-?mail\b|"
        r"^(?:à )?quelle (?:est l['’])?adresse (?:e-?mail|électronique|mail)\b",
        _IGNORE,
    ),
    Asked.PHONE: lazy_pattern(
        r"^(?!what (?:is|are) an? )(?:(?:at|to|from) )?(?:what|which)(?: [\w'’-]+){0,4} (?:(?:tele)?phone|fax) number\b"
        r"|^(?:unter )?(?:welche|wie lautet die|was ist die) (?:telefon|fax)nummer\b|"
        r"^(?:à )?quel (?:est le )?numéro de (?:téléphone|fax)\b",
        _IGNORE,
    ),
    Asked.DEFINITION: lazy_pattern(
        r"^(?:what (?:is|are) (?!the )(?P<en4>[^?,]{2,60}?) (?:used |good )?for|"
        r"what is (?:kept |stored |found )?in (?!the )(?P<en5>[^?,]{2,40}?)|"
        r"what(?: is|'s| are) (?:an? |meant by (?:an? )?)?(?!the )(?P<en>[^?,]{2,60}?)|"
        r"how (?:is|are) (?P<en6>[^?,]{2,60}?) defined|how (?:does|do) [^?,]{2,40}? define (?P<en7>[^?,]{2,60}?)|"
        r"what does (?P<en2>[^?,]{2,60}?) (?:mean|stand for)|what is the meaning of (?P<en3>[^?,]{2,60}?)|"
        rf"was (?:ist|sind|bedeutet|heißt) (?:ein |eine )?(?!(?:der|die|das) (?!{_SORT_DE}\b))"
        r"(?P<de>[^?,]{2,60}?)|"
        r"qu['’]est[ -]ce (?:que|qu['’]) ?(?:un |une |le |la |les |l['’])?(?P<fr>[^?,]{2,60}?)|"
        r"¿?\s*qué (?:es|son|significa) (?:un |una |el |la |los |las )?(?P<es>[^?,]{2,60}?)|"
        r"(?:wofür steht|wozu dient|wozu dienen) (?:ein |eine |der |die |das )?(?P<de2>[^?,]{2,60}?)|"
        r"(?:que signifie|à quoi (?:sert|servent)) (?:un |une |le |la |les |l['’])?(?P<fr2>[^?,]{2,60}?)|"
        r"¿?\s*para qué (?:sirven?|es) (?:un |una |el |la |los |las )?(?P<es2>[^?,]{2,60}?)|"
        r"(?P<zh>[^？?，]{2,30}?)(?:是什么意思|是什么|是指什么|的意思)|什么是(?P<zh2>[^？?，]{2,30}?)|"
        r"(?P<ja>[^？?、]{2,30}?)(?:とは何|とはなん|とは))[^\w]*(?:ですか|でしょうか)?[？?\s]*$",
        _IGNORE,
    ),
    Asked.REASON: lazy_pattern(
        r"^(?:why|for what reason|how come|warum|wieso|weshalb|pourquoi|¿?\s*por qué|perché|waarom)\b|"
        r"为什么|为何|なぜ|どうして",
        _IGNORE,
    ),
    Asked.LIST: lazy_pattern(
        r"^(?:list|name|enumerate)\b|^(?:which|what)\b(?: \w+){0,2}? (?:\w+s|people|children|men|women|data) "
        r"(?:are|were|do|does|did|have|has|can|must|may|make|count|belong|apply|take|in|of|on)\b|"
        r"^what (?:do|does|must|should|can|may)\b.* (?:include|contain|comprise|consist of)\b|"
        r"^(?:who|what) are (?:the|all)\b|^welche\b.*\b(?:gibt es|sind|gehören)\b|^quel(?:le)?s (?:sont|étaient)\b|"
        r"^¿?\s*(?:cuáles|qué \w+s) (?:son|hay|existen)\b|哪些|どのような.*ありますか",
        _IGNORE,
    ),
    Asked.YES_NO: lazy_pattern(
        r"^(?:is|are|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had)\b|"
        r"^was (?:an?|the|there|it|he|she|they|this|that|[A-Z])\b|"
        r"^(?:ist|sind|war|hat|haben|kann|können|darf|dürfen|muss|müssen|soll|wird|werden|gibt es)\b|"
        r"^est[ -]ce qu|^(?:puis|peut|doit|faut|sont|a-t)-?\w*\b|^¿?\s*(?:es|son|puedo|puede|debe|hay|se puede)\b|"
        r"吗[？?\s]*$|是否|ますか[。？?\s]*$|ですか[。？?\s]*$",
        _IGNORE,
    ),
}
_ATTRIBUTE: Final = lazy_pattern(
    r" (?:of|in|on|for|from|at|to|by|when|if|under|between|des|der|von|im|in|für|beim|para|pour|dans) ",
    _IGNORE,
)
"""Words by which "what is …" asks for a property rather than a definition."""
_RELEASE: Final = lazy_pattern(
    r"(?:(?:in|with|since|from|by|seit|in|mit|dans|depuis|en|desde) )?¿?(?:which|what|welche[rsmn]?|quelle|qué) "
    r"(?P<of>\w+ )?(?:version|release|veröffentlichung|versión)\b(?! (?:of|von|de|du|number)\b)",
    _IGNORE,
)
_NAMED_RELEASE: Final = lazy_pattern(
    r"\d|(?:version|release)s? [\"“]?[A-Z]|[A-Z]\w+[\"”]? (?:version|release)|"
    r"\b(?i:named|called|codenamed?|hei(?:ß|ss)(?:t|en)|genannt|nommée?|appelée?|llamad[oa])\b|"
    r"\b(?i:latest|newest|oldest|current|stable|any|all|both|every) (?:\w+ ){0,2}(?:version|release)"
)
_WITH_DIGIT: Final = lazy_pattern(r"\w*\d+(?:\.\w+)*")
_NAMED_THING: Final = lazy_pattern(r"(?:who|what)(?: is| are|'s) (?:an? |the )?([\w -]{2,40}?)\W*$", _IGNORE)
_ALTERNATIVES: Final = lazy_pattern(r",? (?:or|oder|ou|o) ", _IGNORE)

_NUMBER_WORDS: Final = """
one two three four five six seven eight nine ten eleven twelve dozen twenty thirty forty fifty sixty seventy eighty
ninety hundred thousand million billion half third quarter once twice single both none no zero pair first second
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend kein keine beide einmal
zweimal
deux trois quatre cinq six sept huit neuf dix onze douze vingt trente cent mille aucun aucune
dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cien ciento mil ninguno ninguna
due tre quattro cinque sei sette otto nove dieci cento dois três twee drie vier vijf zes zeven tien
"""
_NUMBER: Final = lazy_pattern(
    rf"\d|[〇零二三四五六七八九十百千万億亿两兩両半]|\b(?:{'|'.join(_NUMBER_WORDS.split())})(?:th|s)?\b", _IGNORE
)
_REFERENCE: Final = lazy_pattern(
    r"\b(?!\d{1,2}\.\d{1,2}\.(?:1\d|20)\d\d\b)\d+(?:\.\d+){2,}\w*|(?:\b(?:sections?|chapters?|figures?|tables?|pages?|appendix|abschnitt|kapitel|tabelle|seite|chapitre|figure|tableau|"
    r"page|sección|capítulo|tabla|figura|página)\s*[\d.]+)|第\s*[\d.]+\s*[节章節页頁条條]|\w\(\d\)",
    _IGNORE,
)
"""Numbers that count nothing: of versions, of sections, and of pages of a manual, as in "dpkg(8)"."""
_TIME_WORDS: Final = """
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
MONTH: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|"
    r"juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|"
    r"febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
)
SHORT_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|okt|dez|janv|févr|avr|juil|ene|abr|ago|dic)"
_DATE: Final = lazy_pattern(
    rf"\b{MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?|"
    rf"\b(?:\d{{1,2}}\.? (?:de )?)?{MONTH},? (?:de )?\d{{4}}\b|"
    r"\b(?:in|since|en|seit) (?:19|20)\d\d\b|\b\d{4}-\d\d-\d\d\b",
    _IGNORE,
)
"""Numbers that count nothing: of days and years."""
_YEAR_NUMBER: Final = (
    r"(?:(?<=\bFY)|(?<![\da-z#$€£¥.,-]))(?:1\d|20)\d\d(?:s\b|(?![\da-z]|[.,]\d))|[〇零一二三四五六七八九]{4}|"
    r"\b\d+ (?:BCE?|AD|CE)\b"
)
_DAY: Final = (
    rf"\b{SHORT_MONTH}\.?,? \d|\d\.?[ -]{SHORT_MONTH}\b|\b\d{{4}}[-/]\d\d?(?:[-/]\d\d?)?(?!\d)|"
    rf"(?<![\d.])\d{{1,2}}(?:\.\d{{1,2}}\.(?:1\d|20)?\d\d|/\d{{1,2}}/(?:\d\d){{1,2}})(?!\.?\d)|"
    rf"\b(?:am|vom|zum|den) \d{{1,2}}\.|{_YEAR_NUMBER}"
)
"""What a date has: a day of a month, or a year."""
_TIME: Final = lazy_pattern(
    r"[年月日时時分秒天周週後后前点點号號世〇零一二三四五六七八九十百千]|"
    rf"\b(?:{'|'.join(_TIME_WORDS.split())}|{'|'.join(_VAGUE_WORDS.split())})\b|{_DAY}|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th|er|ème|e)\b|['’]\d\ds?\b|\b(?:FY|Q)\s?\d|"
    r"\b\d{1,2}(?:[:h]\d\d\b|\s?h\b|[.:]?\d{0,2}\s?(?:[ap]\.?m\b|o['’]clock|uhr\b))|"
    rf"\b(?:at|by|around|from|till?|past|between|aged|um|gegen|am|vom|zum|à|vers|le|el|las?|au) "
    rf"(?:\d{{1,2}}(?![\w#%]|[.,]\d)|{_NUMERAL}\b)|"
    rf"\b{_NUMERAL}[ -](?:and )?(?:{_NUMERAL}|oh|o['’]clock|(?:a|p)\.? ?m)\b|\b(?:half|quarter) (?:past|to)\b|"
    rf"\b(?:{'|'.join(_ORDINAL_WORDS.split())})\b|^\W*(?:\d{{1,2}}|{_NUMERAL})\W*$|"
    r"\b(?:that|same|any|every|each|first|last|next|run|build|start|compile|boot|some) ?time\b|\d\s?(?:°|degrees?\b)|"
    r"\b(?:on|at|by|upon) (?:the |its |his |her |their |your )?"
    r"(?:completion|death|birth|end|start|beginning|expiry|termination|close|request|receipt|delivery|arrival|dawn|dusk|"
    r"start-?up|boot|login|logout|exit|shutdown|installation)\b",
    _IGNORE,
)
_CODE: Final = lazy_pattern(
    r"\bhttps?://\S+|[#№]\d+|\b(?=[\da-f]{0,39}\d)(?=[\da-f]{0,39}[a-f])[\da-f]{7,40}\b|\bports? \d+", _IGNORE
)
"""Numbers that neither count nor date: of issues, of changes to code, and of ports."""
_NAMED: Final = lazy_pattern(r"(?<=[\w,] )[A-Z][a-z]+ \d+(?:\.\d+)*(?=\W*(?:$|[,;:.)(]))")
"""Numbers that belong to a name, as in "Toy Story 2"."""
_YEAR: Final = lazy_pattern(rf"{_YEAR_NUMBER}|['’]\d\d\b", _IGNORE)
_AGE: Final = lazy_pattern(
    rf"(?:{_NUMBER.pattern})[\s-]*(?:and a half[\s-]*)?"
    r"(?:years?|months?|weeks?|days?|jahre?|monate?|wochen?|ans?|mois|años?|meses|岁|歳)|"
    rf"\b(?:aged?|born|built|founded|geboren|née?|nacid[oa])\b|{_YEAR.pattern}",
    _IGNORE,
)
_DURATION: Final = lazy_pattern(
    rf"(?:{_NUMBER.pattern}|\b(?:an?|half an|several|some|few|eine?[mnr]?|einige|une?|una|quelques|algun[ao]s)\b)"
    r"(?:\s*\([^)]*\))?[\s-]*(?:(?:calendar|business|full|more|additional|and a half)[\s-]*)?"
    r"(?:milliseconds?|ms\b|secs?\b|s\b|mins?\b|h\b|hrs?\b|seconds?|minutes?|hours?|days?|weeks?|months?|years?|centur(?:y|ies)|"
    r"sekunden?|minuten?|stunden?|tagen?|tage|"
    r"wochen?|monaten?|monate|jahren?|jahre|secondes?|heures?|jours?|semaines?|mois|ans?|années?|segundos?|minutos?|"
    r"horas?|días?|semanas?|mes(?:es)?|años?|[年月日天周週小時分秒])|"
    r"\b(?:until|till|as long as|while|during|duration|term|forever|always|never|perpetual|permanent|permanently|"
    r"indefinitely|lifetime|bis|solange|während|dauer|dauerhaft|jusqu|tant que|pendant|durée|hasta|mientras|durante)\b|"
    r"直到|まで",
    _IGNORE,
)
_LENGTH: Final = lazy_pattern(
    rf"(?:{_NUMBER.pattern}|\ban?\b)[\s-]*(?:or (?:more|fewer|less) |more )?"
    r"(?:(?:ASCII|alphanumeric|printed|full|typed|square|different|single)[\s-]*)?"
    r"(?:characters?|chars?|letters?|digits?|symbols?|words?|syllables?|sentences?|lines?|paragraphs?|pages?|columns?|"
    r"bytes?|bits?|[kmg]i?b|[cdkmµn]?m|(?:centi|milli|kilo)?met(?:er|re)s?|inch(?:es)?|foot|feet|ft|yards?|miles?|"
    r"zeichen|buchstaben|ziffern|wörter|zeilen|seiten|caractères?|lettres?|mots?|lignes?|caracteres?|letras?|palabras?)\b|"
    r"\b\d[\d.]*[\"”″′]",
    _IGNORE,
)
_AMOUNT: Final = lazy_pattern(
    r"[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\)?\s?%|\b\d{1,3}(?:,\d{3})+\b(?! (?:day|month|year|hour)s)"
)
"""Numbers that are no time: of money, shares and quantities."""
_EMAIL: Final = lazy_pattern(r"\S@\S|\S ?[\[(]at[\])] ?\S", _IGNORE)
_PHONE: Final = lazy_pattern(r"(?<![\d$€£¥.,])\+?(?:\d[\s().\-–/]*){5,}")
_CLOCK: Final = lazy_pattern(
    rf"(?<![\w#.,])\d{{1,2}}(?![\w#%]|[.,]\d{{3}})|\d{{1,2}}(?:[:.]\d\d|h|\s?[ap]\.?m\b)|\b{_NUMERAL}\b|"
    r"\b(?:noon|midnight|midday|dawn|dusk|morning|evening|afternoon|sunrise|sunset|mittags?|mitternacht|midi|minuit)\b|"
    r"[点點时時]",
    _IGNORE,
)
_OF_TIME: Final = (Asked.DATE, Asked.CLOCK, Asked.YEAR, Asked.AGE, Asked.DURATION)
_FITS: Final = {
    Asked.LENGTH: lazy_pattern(rf"{_LENGTH.pattern}|{_DURATION.pattern}", _IGNORE),
    Asked.DURATION: _DURATION,
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
    Asked.AGE: "an age",
    Asked.NUMBER: "a number",
    Asked.DATE: "a date or time",
    Asked.CLOCK: "a time of day",
    Asked.EMAIL: "an e-mail address",
    Asked.PHONE: "a phone number",
    Asked.YEAR: "a year",
}


@lru_cache(maxsize=64)
def asked(question: str) -> Asked:
    """What the question asks for.

    >>> asked("How many members are there?").value, asked("What is an aggregate?").value
    ('number', 'definition')
    """
    text = question.strip()
    found = next((form for form, pattern in _FORMS.items() if pattern.search(text)), Asked.ANYTHING)
    is_choice = found is Asked.YES_NO and _ALTERNATIVES.search(text)
    is_property = found is Asked.DEFINITION and _ATTRIBUTE.search(_term(text))
    return Asked.ANYTHING if is_choice or is_property else found


def defined_term(question: str) -> str:
    """The term of a definition question, without quotation marks; empty if it asks for something else.

    >>> defined_term('What is an "aggregate"?')
    'aggregate'
    """
    return _term(question.strip()) if asked(question) is Asked.DEFINITION else ""


def _term(text: str) -> str:
    """What is defined, without the word for its sort: "the error code E42" is E42."""
    match = _FORMS[Asked.DEFINITION].search(text)
    found = next(filter(None, match.groups()), "") if match else ""
    return _SORT.sub("", found).strip(" \t\"'“”„«»‘’‚「」『』《》?？:.")


def can_answer(form: Asked, text: str) -> bool:
    """Whether a text has what such an answer needs: a number, or words of time; True for the other forms."""
    pattern = _FITS.get(form)
    counted = _CODE.sub(" ", text) if form in (*_OF_TIME, Asked.NUMBER) else text
    counted = _AMOUNT.sub(" ", counted) if form in _OF_TIME else counted
    counted = _NAMED.sub(" ", _DATE.sub(" ", counted)) if form is Asked.NUMBER else counted
    return not pattern or bool(pattern.search(_REFERENCE.sub(" ", counted)))


def lacking(question: str) -> str:
    """Why passages without such an answer are refused, in one line."""
    wanted = "a version" if asks_release(question) else _LACKING.get(asked(question), "an answer")
    return f"no passage gives {wanted} for this question"


def serves(term: str, text: str) -> bool:
    """Whether a text begins with what the term contains, holds or provides.

    >>> serves("/srv", "/srv contains site-specific data.")
    True
    """
    verb = r"(?:contains?|holds?|stores?|provides?|serves?|includes?|keeps?)\b"
    return re.match(rf"\W*(?:the )?{re.escape(term)} {verb}", text, _IGNORE) is not None


def defines(term: str, text: str) -> bool:
    """Whether a text reads like a definition of the term: "an X is …", "… is called an X", "X: …", "X（…）是".

    >>> defines("aggregate", "Such a compilation is called an “aggregate”.")
    True
    """
    name = re.escape(term) + (r"" if term.endswith("s") else r"(?:s|es|e|n|en)?")
    quoted = rf"[\"'“”„«»‘’‚「『《]{{0,2}}{name}[\"'“”„«»‘’‚」』》]{{0,2}}"
    article = r"(?:an?|the|der|die|das|eine?|un[ae]?|les?|la|el|los|las|l['’]) "
    aside = r"(?: ?[(（][^()（）]{1,60}[)）])?"
    is_subject = (
        rf"^[\W\d]*(?:{article})?{quoted}{aside}\s*(?:shall |will )?"
        r"(?:is|are|means?|refers? to|denotes?|consists? of|ist|sind|bedeutet|bezeichnet|est|sont|signifie|désigne|"
        r"es|son|significa|是指|是|指|とは|は|[:：]|[–—-] )"
    )
    is_named = (
        r"(?:called|known as|termed|named|referred to as|defined as|genannt|bezeichnet als|heißt|heißen|appelée?s?|"
        rf"nommée?s?|llamad[oa]s?|denominad[oa]s?|称为|叫做|と呼)\s*(?:{article})?{quoted}"
    )
    is_explained = (
        rf"{quoted}\s*(?:[(（]?(?:i\.e\.|that is|d\. ?h\.|c'est-à-dire|es decir)|, (?:which|that|queries that) )"
    )
    found = (re.search(pattern, text, _IGNORE) for pattern in (is_subject, is_named, is_explained))
    return any(found) or introduces(term, text)


def introduces(term: str, text: str) -> bool:
    """Whether a text gives a term to what it says, in brackets, or says what the quoted term means, as contracts do.

    >>> introduces("Tenant", 'Mary Berry (the "Tenant") pays rent.'), introduces("Tenant", "The Tenant pays rent.")
    (True, False)
    """
    before = r"(?:the |an? |each,? (?:an? )?|(?:collectively|together),? (?:the )?|hereinafter,? (?:the )?)?"
    quoted = rf"[\"“„«]{re.escape(term)},?[\"”“»]"
    means = r"(?:shall |will )?(?:means?|is|refers? to|bedeutet|désigne|significa)\b"
    return bool(re.search(rf"\({before}{quoted}\)|^[\W\d]*{quoted}\s+{means}", text, _IGNORE))


def asks_release(question: str) -> bool:
    """Whether it asks for a version or release, not for the version of a thing in it.

    >>> asks_release("Which release was the first to include KDE?"), asks_release("Which version of PHP is in it?")
    (True, False)
    """
    return bool(_RELEASE.match(question.strip()))


def names_release(question: str, text: str) -> bool:
    """Whether a text has what answers a question for a version: a number, or a name beside such a word.

    >>> names_release("Since which version does it run?", "It runs on Windows XP.")
    False
    >>> names_release("Which Windows version does it need?", "It runs on Windows XP.")
    True
    """
    found = _RELEASE.match(question.strip())
    of = (found["of"] or "").strip() if found else ""
    is_named = of[:1].isupper() and re.search(rf"\b{re.escape(of)} [A-Z]", text)
    known = "|".join([*map(re.escape, _WITH_DIGIT.findall(question)), "(?!)"])
    own = re.sub(rf"(?<![\w.])(?:{known})(?![\w]|\.\d)", " ", _CODE.sub(" ", text))
    return bool(is_named or _NAMED_RELEASE.search(own))


def given_name(question: str) -> str:
    """The term of "Who is the Tenant?" and "What is the Effective Date?", which contracts define; else empty."""
    match = _NAMED_THING.match(question.strip())
    return match[1] if match else ""
