"""Words of number and time in Italian, Portuguese, Dutch, Russian and Polish, as alternatives of patterns.

A word that is another one in English ("due", "ore", "estate", "do") is absent, or stands with what follows it.
"""

from typing import Final

NUMBER_WORDS: Final = r"""
due(?=\s(?:or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|minut[oi]|volt[ae]|person[ae])\b)
undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta
sessanta settanta ottanta novanta duecento trecento mila nessuno nessuna entrambi entrambe metà
duas três sete oito nove treze catorze quatorze dezasseis dezesseis dezassete dezessete dezoito dezanove dezenove vinte
trinta quarenta cinquenta sessenta oitenta cem duzentos duzentas trezentos trezentas nenhum nenhuma ambos ambas metade
één negen elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig
zestig zeventig tachtig negentig honderd duizend geen anderhalf anderhalve
один одна одно одного одной одну два две двух двум двумя двое три трёх трех тремя трое четыре четырёх четырех пять пяти
шесть шести семь семи восемь восьми девять девяти десять десяти \w+надцат[ьи] двадцат[ьи] тридцат[ьи] сорока? пятьдесят
шестьдесят семьдесят восемьдесят девяност[оа] сто ста двести двухсот триста трёхсот четыреста пятьсот тысяч\w*
миллион\w* миллиард\w* половин\w+ полтора полторы ноль
jeden(?=\s(?:dzień|tydzień|miesiąc|rok)\b)
jedna jedno jednego jednej jedną dwa dwie dwóch dwaj dwoje trzy trzech troje cztery czterech pięć pięciu sześć
sześciu siedem siedmiu osiem ośmiu dziewięć dziewięciu dziesięć dziesięciu \w+naście \w+nastu dwadzieścia dwudziestu
\w+dzieści \w+dziestu \w+dziesiąt sto stu dwieście trzysta czterysta pięćset tysiąc\w* tysięcy milion\w* miliard\w*
połow\w+ półtora półtorej żaden żadn\w+
"""
_IT_UNITS: Final = r"second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|secol[oi]"
_PT_UNITS: Final = r"segundos?|minutos?|horas?|dias?|semanas?|m[eê]s(?:es)?|anos?|séculos?"
_NL_UNITS: Final = r"seconden?|minuut|minuten|uur|uren|dag(?:en)?|week|weken|maand(?:en)?|jaar|jaren|eeuw(?:en)?"
_RU_UNITS: Final = (
    r"секунд\w*|минут\w*|час(?:а|ов|ам|у)?|день|дн(?:я|ей|и|ям|ях)|сут(?:ки|ок)|недел\w+|месяц\w*|год(?:а|ов|у|ы)?|лет|"
    r"век(?:а|ов)?"
)
_PL_UNITS: Final = (
    r"sekund\w*|minut\w*|godzin\w*|dzień|dni(?:a|u|ach)?|tydzień|tygodni\w*|miesiąc\w*|miesięcy|rok(?:u|iem)?|lata?|"
    r"latach|wiek(?:u|i|ów)"
)
UNITS: Final = "|".join((_IT_UNITS, _PT_UNITS, _NL_UNITS, _RU_UNITS, _PL_UNITS))
"""Units of time after a number."""

SOME: Final = (
    r"qualche|alcun[ie]|un['’]?|mezz[oa]|um(?= (?:segundo|minuto|dia|m[eê]s|ano)\b)|uma|mei[oa]|algun?s|algumas|een|"
    r"enkele|een half|een paar|несколько|пол|kilka|"
    r"kilku|kilkanaście|pół"
)
"""What a unit of time may have instead of a number."""

YEARS_OLD: Final = (
    r"ann[oi]|mesi|anos?|jaar|jaren|maanden|weken|год(?:а|ов)?|лет|месяц\w*|lata?|rok|miesiąc\w*|miesięcy"
)
BORN: Final = (
    r"(?-i:nat[oai])|nascit\w|costruit[oa]|nascid[oa]|construíd[oa]|gebouwd|sinds|vanaf|родил\w+|построен\w*|основан\w*|"
    r"urodz\w+|zbudowan\w+|założon\w+|pochodz\w+"
)
DATE_WORDS: Final = r"""
lundis? mardis? mercredis? jeudis? vendredis? samedis? dimanches? lunes martes miércoles jueves viernes sábados?
domingos?
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre lunedì martedì mercoledì
giovedì venerdì sabato domenica giorn[oi] settiman[ae] mes[ei] ann[oi] or[ae](?=\s\d) minut[oi] dopo
prima(?=\s(?:d[ie]|del|della|che)\b) finché entro
oggi domani ieri ogni mattin[ao] pomeriggio autunno inverno primavera pasqua natale secolo
janeiro fevereiro março maio junho julho setembro outubro dezembro (?:segunda|terça|quarta|quinta|sexta)s?-feiras? dias?
semanas? m[eê]s meses anos? depois enquanto quando até após hoje amanhã ontem manhã tarde noite páscoa verão outono
século
januari februari maart mei augustus maandag dinsdag woensdag donderdag vrijdag zaterdag zondag dag dagen weken maand
maanden jaar jaren uur uren minuten voordat nadat na(?=\s(?:de|het|een|\d)) tijdens wanneer zodra totdat sinds vandaag
gisteren ochtend middag avond nacht lente zomer herfst kerst pasen eeuw
январ\w+ феврал\w+ март\w{0,2} апрел\w+ ма[йяею] июн\w+ июл\w+ август\w* сентябр\w+ октябр\w+ ноябр\w+ декабр\w+
понедельник\w* вторник\w* сред[ауые] четверг\w* пятниц\w+ суббот\w+ воскресень\w+ день дн(?:я|ей|и|ём|ем|ям|ях)
недел\w+ месяц\w* год(?:а|у|ы|ов|ом)? лет(?:о|ом|а)? час(?:а|ов|у)? минут\w* век\w{0,2} после перед когда пока сегодня
завтра вчера всегда никогда утр\w+ вечер\w* ноч\w+ весн\w+ осен\w+ зим\w+ сразу через спустя прежде
styczeń styczni\w+ luty lutego lutym marzec marca marcu kwiecień kwietni\w+ maj maja maju czerwiec czerwc\w+ lipiec
lipc\w+ sierpień sierpni\w+ wrzesień wrześni\w+ październik\w* listopad\w* grudzień grudni\w+ poniedział\w+ wtor\w+
środ[aęy] środzie czwart(?:ek|ku|ki) piąt(?:ek|ku|ki) sobot\w+ niedziel\w+ dzień dni(?:a|u|ach)? tydzień tygodni\w*
miesiąc\w* miesięcy rok(?:u|iem)? latach godzin\w* minut\w* wiek(?:u|ów) podczas gdy kiedy dopóki (?:do|od)(?=\s\d) dziś
dzisiaj jutro wczoraj zawsze nigdy rano wieczor\w+ nocy południ\w+ wiosn\w+ latem jesie\w+ zim[aąęy]
"""
UNTIL: Final = (
    r"mezz['’]ora|полчаса|полгода|fino|finché|sempre|non (?:\w+ ){1,2}mai|até|enquanto|nunca|tot|totdat|zolang|"
    r"gedurende|tijdens|altijd|nooit|до|пока|всегда|никогда|в течение|всю|весь|dopóki|podczas|przez|zawsze|nigdy|"
    r"do końca"
)
"""Words of a length of time without a unit."""

HOW_OFTEN: Final = (
    r"ogni|volt[ae]|sempre|non (?:\w+ ){1,2}mai|quotidian\w+|giornalier\w+|settimanal\w+|mensil\w+|annual\w+|"
    r"vez(?:es)?|todas|elke?|ieder|iedere|keer|maal|dagelijks|wekelijks|maandelijks|jaarlijks|altijd|nooit|кажд\w+|раза?|"
    r"ежегодн\w+|ежедневн\w+|еженедельн\w+|ежемесячн\w+|всегда|никогда|часто|редко|każd\w+|razy?|codzien\w+|tygodniow\w+|miesięczn\w+|"
    r"coroczn\w+|rocznie|zawsze|nigdy|często|rzadko|co (?=(?:\w+ )?(?:dzień|tydzień|miesiąc|rok|dni|lata|godzin))"
)
HOURS: Final = (
    r"(?:às|alle|dalle|om|в|o godzinie|o) \d{1,2}\b|mezzogiorno|mezzanotte|meio-dia|meia-noite|middag|middernacht|"
    r"полдень|полночь|południe|północ|o(?:d|ko[łl]o)? \w+(?:ej) (?:rano|wieczorem)"
)
LENGTHS: Final = (
    r"caratteri|lettere|parole|righe|pagin[ae]|metri|centimetri|millimetri|palavras|linhas|páginas?|met(?:er|ro)s|tekens|"
    r"letters|woorden|regels|pagina['’]s|символ\w*|букв\w*|слов\w*|строк\w*|страниц\w*|\w*метр\w*|znak\w*|liter|słów|słowa|"
    r"wiersz\w*|stron\w*|\w*metr(?:y|ów|a|ach)"
)
