"""Whether a sentence needs the one before it: a pronoun or a connective whose other half is left out."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.quotation import without_mark

SPEAKER: Final = lazy_pattern(r"[A-Z][\w .'-]{1,40}: ")
TRANSCRIPT_MARK: Final = lazy_pattern(r"\{\w+\}|\[\w+\]")
_FILLER: Final = lazy_pattern(
    r"(?:(?:um+|uh+m?|hm+|mm+|mhm|ah|oh|er|okay|ok|kay|yeah|yep|right|well|so|and|but|alright|anyway|now|also|like|"
    r"you know|i mean)\b[\s,.]*)+",
    re.IGNORECASE,
)

_OWN: Final = (
    r"(?:research |white |position |user |reference |annual |quarterly |press |technical |legal |privacy |design |"
    r"working |whole |present |public |free software )*(?:papers?|works?|stud(?:y|ies)|articles?|documents?|"
    r"documentation|"
    r"reports?|licen[cs]es?|agreements?|contracts?|manuals?|guides?|handbooks?|howtos?|chapters?|sections?|books?|"
    r"pages?|"
    r"constitution|thesis|surveys?|tutorials?|specifications?|standards?|acts?|laws?|polic(?:y|ies)|notices?|programs?|"
    r"software|packages?|projects?|meetings?|release|filing|form|text|file|faq|story|introduction|summary|overview|"
    r"site|"
    r"website|service|country|world|year|quarter|month|week|century|season|morning|evening|afternoon)\b"
)
"""After "this": the document itself, or the time of writing, which need no other sentence."""

_EXPLETIVE: Final = (
    r"(?:[’']s|is|was|will be|would be|may be|might be|can be|should be|must be|has been|seems?|appears?|"
    r"turns out|follows|takes|remains|becomes|became)\s+(?:\w+\s+){0,4}?(?:that|to|who|whether|how|why|because|which)\b"
)

_CONNECTIVE: Final = lazy_pattern(
    r"(?:and|but|or|nor|yet|so|thus|hence|however|therefore|moreover|furthermore|additionally|consequently|"
    r"nevertheless|"
    r"nonetheless|instead|otherwise|similarly|likewise|conversely|meanwhile|finally|lastly|second|secondly|third|"
    r"thirdly|"
    r"next|then|afterwards?|also|besides|accordingly|rather|indeed|too|again|still|later|alternatively|specifically|"
    r"subsequently|correspondingly|namely|hereby|thereby|thereafter|whereas|here|there(?! (?:is|are|was|were|has|"
    r"have|may|"
    r"will|can|should|must|exist))|as (?:a result|such|well|before|above|mentioned|noted|stated|described|shown|"
    r"expected|"
    r"follows)|in (?:addition|contrast|other words|particular|turn|return|both|any case|fact|the same|the former|the "
    r"latter|"
    r"comparison|short|response|doing so|so doing)|on the (?:other hand|contrary)|for (?:example|instance|the same)|"
    r"to do so|"
    r"at the same (?:time|point)|from there|by (?:doing so|contrast|comparison)|even (?:so|then)|if (?:so|not)|"
    r"the (?:above|latter|former|same|other|others|second|third|"
    r"following|rest|remaining|previous|next|last one|first one|two|three)\b(?! (?:day|week|month|year|quarter|"
    r"morning|meeting|session))|"
    r"another|others|both(?! \w+ and)|neither|either way|each of (?:these|those|them)|(?:some|many|most|all|one|two|"
    r"none|"
    r"several|any|part|half|much) of (?:these|those|them|this|which|it)|similar(?:ly)? to (?:this|that|these)|e\.g\.|"
    r"i\.e\.)"
    r"(?!\w)",
    re.IGNORECASE,
)
_POINTING: Final = lazy_pattern(
    r"(?:in|at|of|from|with|by|under|for|to|on|over|after|before|during|because of|due to|based on|despite|unlike|like|"
    r"given|using|through|without|within|between|among|besides|beyond|towards?|if|when|once|while|since|as|only|not "
    r"only|"
    r"according to|thanks to|along with|together with|similar to|compared (?:to|with)|all|to do|to achieve|to "
    r"address)\s+"
    rf"(?:(?:this|these|that)\b(?!\s+(?:\w+\s+)?{_OWN})|those\b(?! (?:who|which|that|in|with|of))|such (?!as\b)|"
    r"(?:it|he|she|they|them|him)\b)|without (?:his|her|its|their)\b",
    re.IGNORECASE,
)
_BOUND: Final = lazy_pattern(
    rf"(?:(?:this|these)\b(?!\s+(?:\w+\s+)?{_OWN})|(?:that|those)\b(?! (?:who|which|that|of us))|such\b|"
    rf"it\b(?!\s*{_EXPLETIVE})|its\b|(?:he|him|his|she|her|hers|they|them|their|theirs)\b)",
    re.IGNORECASE,
)
"""A pronoun or demonstrative that opens a sentence."""

_ADDS: Final = lazy_pattern(
    r"(?:[\w’'-]+\s+){1,5}(?:also|additionally|however|therefore|thus|moreover|furthermore|instead|likewise|too)\b",
    re.IGNORECASE,
)
"""A connective after the subject: "The corpus also contains …"."""
_OPENINGS: Final = (_CONNECTIVE, _POINTING, _BOUND, _ADDS)

_ANIMATE: Final = lazy_pattern(r"\b(?:he|him|his|she|her|hers|himself|herself)\b", re.IGNORECASE)
_PRONOUN: Final = lazy_pattern(r"\b(?:they|them|theirs?|it|its)\b", re.IGNORECASE)
_POINTER: Final = lazy_pattern(
    rf"\b(?:this|these)\b(?!\s+(?:\w+\s+)?{_OWN})|\bthose\b(?! (?:who|which|that|of|in|with|from|for|\w+ed|\w+ing)\b)|"
    r"\bthe (?:latter|former|above|aforementioned|said)\b|\b(?:as |mentioned |described |listed |shown |given |stated )"
    r"(?:above|below|earlier)\b",
    re.IGNORECASE,
)
_NOUN: Final = lazy_pattern(
    r"\b(?:a|an|the|each|every|any|some|no|all|many|most|several|our|your|my|of|for|one|two|three|four|"
    r"five)\s+[a-z][\w-]+|"
    r"\b[a-z][\w-]{2,}s\b|\b[A-Z][\w’'-]+\b|\b(?:that|which|who|where)\b",
)
_BARE: Final = lazy_pattern(
    r"(?:if|when|while|although|though|because|since|as|after|before|once|in|on|at|to|for|by|with|from|you|we|i|but|"
    r"what|how|"
    r"where|whether|unless|until|even|only|not|no|please|do|make|just|why|there|yes)\b[\s,]*",
    re.IGNORECASE,
)
"""A first word that names nothing, although it is capitalised."""

_MAX_POINTER_WORDS: Final = 6
"""A demonstrative this early has nothing before it in its sentence to stand for."""

_GERMAN: Final = lazy_pattern(
    r"(?:(?:\w+\s+){1,4}(?:auch|jedoch|allerdings|außerdem|daher|deshalb)|er|dies(?:e[rsmn]?)?(?! (?:dokument|"
    r"kapitel|handbuch|anleitung|seite|arbeit|abschnitt|vertrag|gesetz|"
    r"bericht|buch|"
    r"lizenz|text|dokumentation|faq|version)\w*)|jene[rsmn]?|es(?! (?:gibt|ist (?:\w+ ){1,3}(?:zu|dass)|handelt|kann|"
    r"muss|"
    r"wird|empfiehlt|stehen|existier))|sie (?:ist|war|hat|wurde|wird|kann|soll)|das (?:ist|war|heißt|bedeutet|geht|"
    r"gilt)|"
    r"dessen|deren|dort|damit|dabei|dazu|dadurch|daher|dafür|darin|darauf|daraus|davon|deshalb|darum|deswegen|jedoch|"
    r"allerdings|aber|und|oder|doch|denn|außerdem|zudem|ferner|weiterhin|trotzdem|dennoch|somit|also|folglich|hingegen|"
    r"dagegen|andernfalls|ansonsten|sonst|zum beispiel|beispielsweise|anschließend|danach|dann|auch|letztere[rsn]?|"
    r"erstere[rsn]?|ebenso|stattdessen|gleichzeitig|in diese[mnr] (?:fall|fällen|hinsicht)|so(?! (?:genannte|lange|"
    r"wie))|"
    r"seine?[rsmn]?|ihre?[rsmn]? (?=[A-ZÄÖÜ]))\b",
    re.IGNORECASE,
)
_FRENCH: Final = lazy_pattern(
    r"(?:(?:il|ils|elle|elles)\b(?! (?:est (?:\w+ )?(?:de|que|possible|nécessaire)|faut|existe|y a|s['’]agit))|"
    r"c['’](?:est|était|étaient)|(?:cet|cette|ces|ce)\b(?! (?:document|chapitre|manuel|guide|livre|article|rapport|"
    r"contrat|"
    r"texte|travail|section|licence))|cela|ceci|celui|celle|ceux|celles|cependant|toutefois|néanmoins|donc|ainsi|"
    r"alors|mais|"
    r"et|or|puis|ensuite|de plus|en outre|par exemple|en effet|par conséquent|aussi|enfin|leurs?|son|sa|ses|là|"
    r"d['’]autre part|pourtant)\b",
    re.IGNORECASE,
)
_SPANISH: Final = lazy_pattern(
    r"(?:él|ella|ellos|ellas|esto|eso|aquello|(?:este|esta|estos|estas)\b(?! (?:documento|capítulo|manual|guía|libro|"
    r"artículo|informe|contrato|texto|trabajo|sección|licencia))|es[eao]s?\b(?= \w)|(?<!\w)aquel(?:la|los|las)?|sin "
    r"embargo|"
    r"por (?:lo tanto|eso|ello|ejemplo|tanto)|además|también|entonces|pero|y|o|así|luego|después|no obstante|sus?|"
    r"allí)\b",
    re.IGNORECASE,
)
_UNSPACED: Final = lazy_pattern(
    r"(?:但|然而|不过|因此|所以|于是|而且|并且|此外|另外|同时|例如|比如|这(?!篇|份|本|一?章)|那|它|他|她|其(?!他)|该|"
    r"此(?!文)|上述|同样|"
    r"接着|然后|最后|另一|前者|后者|和|或|以及|中有|这些|"
    r"しかし|また|そして|そのため|それ|これ|この(?!文書|章|本|文章|マニュアル)|その|例えば|たとえば|したがって|"
    r"ただし|なお|さらに|だから|つまり)"
)
_BY_LANGUAGE: Final = {"de": _GERMAN, "fr": _FRENCH, "es": _SPANISH, "zh": _UNSPACED, "ja": _UNSPACED}


def refers_back(text: str, language: str = "en", *, is_turn: bool = False) -> bool:
    """Whether a sentence needs another to be understood: it opens with a connective or a pronoun, or has a pronoun
    with nothing before it in the sentence to stand for.

    English is read most closely; of German, French, Spanish, Chinese and Japanese only the first words.

    >>> refers_back("However, it is green."), refers_back("The tea is green, and it is hot."), refers_back("She left.")
    (True, False, True)
    >>> refers_back("This licence applies to all works."), refers_back("It is known that tea is green.")
    (False, False)
    """
    code = language.partition("-")[0]
    opening = without_mark(spoken(text, is_turn=is_turn)).lstrip("“\"'‘«„(（「¿¡ ")
    if code != "en":
        pattern = _BY_LANGUAGE.get(code)
        return bool(pattern and pattern.match(opening))
    if any(pattern.match(opening) for pattern in _OPENINGS):
        return True
    return _has_orphan(opening)


def spoken(text: str, *, is_turn: bool = False) -> str:
    """A sentence of a conversation without speaker, marks of a transcript and fillers at its beginning.

    Args:
        text: The sentence.
        is_turn: Whether it is known to be spoken; else only one with a speaker is changed.
    """
    turn = SPEAKER.match(text)
    if not turn and not is_turn:
        return text
    plain = " ".join(TRANSCRIPT_MARK.sub(" ", text[turn.end() :] if turn else text).split())
    return plain[found.end() :] if (found := _FILLER.match(plain)) else plain


def _has_orphan(text: str) -> bool:
    """Whether a pronoun inside the sentence has no noun or name before it."""
    if (one := _ANIMATE.search(text)) and not _names_something(text[: one.start()]):
        return True
    if (one := _PRONOUN.search(text)) and not _names_something(text[: one.start()]):
        expletive = one.group().casefold() == "it" and re.match(rf"\s*{_EXPLETIVE}", text[one.end() :])
        return not expletive
    pointer = _POINTER.search(text)
    return bool(pointer and len(text[: pointer.start()].split()) < _MAX_POINTER_WORDS)


def _names_something(before: str) -> bool:
    while found := _BARE.match(before):
        before = before[found.end() :]
    return bool(_NOUN.search(before))
