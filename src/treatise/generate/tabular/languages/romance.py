"""French, Spanish and Italian words of questions of tables."""

from typing import Final

from treatise.generate.tabular.languages.language import Language

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
