"""Names in code ("/opt", "--no-ff", "Foo::Bar"): they are written in one way only, so a text has them or does not."""

import re
from typing import Final

_ENDINGS: Final = "conf|cfg|ini|txt|md|html?|xml|json|ya?ml|toml|csv|pdf|py|sh|pl|rb|js|c|h|so|deb|rpm|gz|zip|log|lock"
_CODE: Final = re.compile(
    r"(?<![\w./:-])(?:[A-Za-z_][\w./-]*=[\w.-]*\w|--?[A-Za-z][\w-]*|/\w(?:[\w./+-]*\w)?|\w+(?:::\w+)+|[A-Za-z]\w*_\w+|"
    rf"\.?[\w-]+\.(?:{_ENDINGS}))(?![\w/])"
)


def codes(question: str) -> list[str]:
    """Paths, options, settings, file names and qualified names in a question.

    >>> codes("What do --no-ff, LEVEL=3, /opt and Foo::Bar mean in rules.txt and/or e-mails?")
    ['--no-ff', 'LEVEL=3', '/opt', 'Foo::Bar', 'rules.txt']
    """
    return [found[0] for found in _CODE.finditer(question)]


def has_code(text: str, code: str) -> bool:
    """Whether a text has a name in code as such, not as a part of a longer one; -v is not -V.

    >>> has_code("Use /opt for add-ons.", "/opt"), has_code("See /etc/opt and /option.", "/opt")
    (True, False)
    >>> has_code("Use --FAST.", "--fast"), has_code("Use -V.", "-v")
    (True, False)
    """
    flags = 0 if is_letter(code) else re.IGNORECASE
    return bool(re.search(rf"(?<![\w/-]){re.escape(code)}(?![\w-])", text, flags))


def is_letter(code: str) -> bool:
    """Whether it is an option of one letter."""
    return len(code) == len("-v") and code[0] == "-"


def unknown_code(question: str, text: str) -> str | None:
    """A name in code that the text lacks; a setting may be written in another way, unless the text has other values."""
    asked = codes(question)
    folded = text.casefold() if asked else ""
    missing = (code for code in asked if code.casefold() not in folded)
    return next(
        (code for code in missing if "=" not in code or f"{code.casefold().partition('=')[0]}=" in folded), None
    )
