"""Letters: the line that addresses somebody, and the line that takes leave."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern

SALUTATION: Final = lazy_pattern(
    r"(?<![ \t])[ \t]*(?:(?:dear|hello|hi)\b(?P<en>[^\n!?]{0,80}?)|to whom it may concern|"
    r"(?:sehr geehrte[rs]?|liebe[rs]?|guten tag)\b(?P<de>[^\n!?]{0,80}?)|"
    r"(?:ch[eè]re?s?|madame|monsieur)\b(?P<fr>[^\n!?]{0,80}?)|(?:estimad|querid)[oa]s?\b(?P<es>[^\n!?]{0,80}?))"
    r"[ \t]*[,:!，：][ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_MADAME: Final = r"(?:madame|monsieur|mesdames|messieurs|ch[eè]re?s?)"
_POLITE: Final = (
    r"(?:(?:je vous prie|nous vous prions|veuillez|vous voudrez bien)\b[^\n]{0,30}"
    r"\b(?:agréer|recevoir|croire|accepter)\b"
    rf"(?:, {_MADAME}|[^\n]{{0,80}}\b(?:salutations|sentiments|expression|assurance|considération)\b)|"
    rf"(?:recevez|agréez), {_MADAME})[^\n]*"
)
"""The French sentence that takes leave: it may go on in the next line."""
CLOSING: Final = lazy_pattern(
    r"(?<![ \t])[ \t]*(?:(?:yours |very )?(?:sincerely|faithfully|truly|respectfully)(?: yours)?|"
    r"respectfully(?: submitted)?|(?:(?:with )?(?:best|kind|warm|kindest|warmest) )?(?:regards|wishes)|cordially|"
    r"mit (?:freundlichen|besten|herzlichen) grüßen|hochachtungsvoll|(?:viele|beste|herzliche|liebe) grüße|"
    r"(?:(?:bien|très) )?cordialement|bien à (?:vous|toi)|(?:très )?(?:respectueusement|amicalement)|"
    r"sincèrement(?: (?:vôtre|à vous))?|(?:avec )?(?:(?:mes|nos) )?(?:(?:meilleures|sincères|cordiales) )?salutations"
    r"(?: (?:distinguées|cordiales|respectueuses|les meilleures))?|(?:muy )?atentamente|cordialmente|un cordial saludo|"
    rf"saludos(?: cordiales)?|{_POLITE})[ \t]*[,.，]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
