"""Closed classes of words that follow-up questions are made of, and patterns of what they mention."""

import re
from typing import Final

WORD: Final = re.compile(r"[\w$/@][\w$/@.:'’()-]*[\w$/@)]|\w", re.UNICODE)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WH: Final = _words("what which who whom whose when where why how")

AUXILIARY: Final = _words(
    "is are was were am be been do does did has have had can could may might must shall should will would"
)

FUNCTION: Final = (
    WH
    | AUXILIARY
    | _words(
        "a an the this that these those it its they them their he him his she her there then one ones same other "
        "i me my we us our you your and or but if when while of in on at to for from by with without about into onto "
        "after before during since until between under over as than through via per against not no so also ever "
        "still already just only exactly there's it's please tell many much long often old far first"
    )
)
"""Words that begin or end no mention."""

FOREIGN: Final = _words(
    "wer wen wem was wann wo wie warum wieso womit woher wohin welche welcher welches welchen welchem viele der die "
    "das den dem des ein eine einen einem einer und ist sind war waren wird wurde wurden hat haben kann muss im am zum "
    "zur qui que quoi quand où comment pourquoi combien quel quelle quels quelles le la les un une des du de au aux et "
    "est sont a-t-elle a-t-il ont-ils ont-elles était été se en el los las una unos unas y es son del al se quién qué "
    "cuándo dónde cómo cuál cuáles cuánto cuántos cuántas cuánta por tiene hay"
)
"""Function words of German, French and Spanish."""

HEAD_NOUNS: Final = _words(
    "command parameter option setting clause section article amendment release version package test file action field "
    "group set policy license licence user account daemon directory variable tool port state "
    "status type level table chapter rule product system process function method model company bank report period "
    "margin ratio rate turnover income profit growth flow"
)
"""Nouns after a word that names one of their kind: "the close command"."""

RELATIONAL: Final = _words(
    "name term default limit maximum minimum price size age length duration number capital title author date purpose "
    "reason value format unit deadline penalty fee cost salary successor predecessor"
)
"""Nouns for something of something else, which a question may leave out."""

ARTICLES: Final = _words("the a an der die das den dem ein eine einen le la les un une el los las una")

BE_AND_HAVE: Final = _words("is are was were has have had")

PREPOSITION: Final = _words("in on at to for from by with of about into after before during since under")

COMMON_VERBS: Final = _words(
    "happen happens happened mean means meant say says said take takes took make makes made do use uses used need "
    "needs needed get gets got give gives gave work works worked come comes came go goes went contain contains "
    "contained cost costs apply applies applied start starts started end ends ended call called become becomes "
    "became run runs ran look looks stand include includes included require requires required allow allows allowed "
    "know want wants wanted find found see write wrote change changed changes keep kept let lets cover covers"
)

_MAY: Final = r"May(?! (?:I|we|you|he|she|they|it|a|an|the)\b)"
"""The month, not the verb of "May I …?"."""

_MONTHS: Final = rf"January|February|March|April|{_MAY}|June|July|August|September|October|November|December"

DATE: Final = re.compile(rf"\b(?:(?:{_MONTHS})\b(?: \d{{1,2}}(?:st|nd|rd|th)?,?)?(?: \d{{4}})?|(?:1[5-9]|20)\d\d)\b")
NAME: Final = re.compile(
    r"\b(?:[A-Z][\w.’'-]*[\w]|[A-Z]|\w+_\w+)"
    r"(?:(?:\s+(?:(?:of|the|and|de|du|des|for)\s+){0,2}(?:[A-Z][\w.’'-]*\w|[A-Z]\b|\d+(?:\.\d+)*\b)))*"
)
ORDINAL: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|twentieth|"
    r"\d+(?:st|nd|rd|th)|last|next|previous)\b",
    re.IGNORECASE,
)

OPENERS: Final = re.compile(
    r"^[¿\s]*(?:(?:ok(?:ay)?|so|and|but|or)[,\s]+)*(?:what about|how about|what of|and for|and|but|or|"
    r"und was ist mit|was ist mit|wie ist es mit|und|et pour|et|qu'en est-il de|y qué hay de|y|e|那么?|そして|では)"
    r"(?=[\s,\d]|[\u3400-\u9fff])[,\s]*",
    re.IGNORECASE,
)
"""How a fragment begins, such as "and in 2019?"."""

POSSESSIVE: Final = frozenset({"its", "their", "his"})
THINGS: Final = frozenset({"it", "its"})
MANY: Final = frozenset({"they", "them", "their"})
PERSONS: Final = frozenset({"he", "him", "his", "she", "her"})
PLACES: Final = frozenset({"there"})
TIMES: Final = frozenset({"then"})

EXPLETIVE: Final = re.compile(
    r"\b(?:is|was|would|will) it (?:be )?(?:\w+ly )?(?:possible|allowed|necessary|true|legal|required|permitted|ok|"
    r"okay|better|safe|important|known|forbidden|enough)\b|\b(?:does|did|will|would) it take (?:to|for|before|until)\b|"
    r"\b(?:is|are|was|were|be) there\b|\bthere (?:is|are|was|were|a|an|any)\b",
    re.IGNORECASE,
)
"""Words that look like pronouns and refer to nothing."""
