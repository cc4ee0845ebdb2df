"""Letters: the line that addresses somebody, and the line that takes leave."""

import re
from typing import Final

SALUTATION: Final = re.compile(
    r"[ \t]*(?:(?:dear|hello|hi)\b(?P<en>[^\n!?]{0,80}?)|to whom it may concern|"
    r"(?:sehr geehrte[rs]?|liebe[rs]?|guten tag)\b(?P<de>[^\n!?]{0,80}?)|"
    r"(?:ch[eè]re?s?|madame|monsieur)\b(?P<fr>[^\n!?]{0,80}?)|(?:estimad|querid)[oa]s?\b(?P<es>[^\n!?]{0,80}?))"
    r"[ \t]*[,:!，：][ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
CLOSING: Final = re.compile(
    r"[ \t]*(?:(?:yours |very )?(?:sincerely|faithfully|truly|respectfully)(?: yours)?|respectfully(?: submitted)?|"
    r"(?:(?:with )?(?:best|kind|warm|kindest|warmest) )?(?:regards|wishes)|cordially|"
    r"mit (?:freundlichen|besten|herzlichen) grüßen|hochachtungsvoll|(?:viele|beste|herzliche|liebe) grüße|"
    r"(?:bien )?cordialement|(?:meilleures |sincères )?salutations|(?:muy )?atentamente|cordialmente|un cordial saludo|"
    r"saludos(?: cordiales)?)[ \t]*[,.，]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
