"""Markup inside the text of a document, which says nothing about its subject: targets of links, tags, marks of quotes.

Files that are read to the letter, such as Markdown, keep it in ``Document.text``.
"""

import re
from typing import Final

_SIGNS: Final = ("[", "<", "{{", "{%", "{#", "{.", "{:")
_CODE: Final = r"(?<!`)(?P<marks>`++)[^`\n]++(?P=marks)(?!`)"
_LINK: Final = re.compile(
    rf"{_CODE}|(?<![a-zA-Z0-9_])!?\[(?=[^\[\]]*[^\W\d])(?P<text>(?:[^\[\]]|\[[^\[\]]*+\])*+)\]"
    r"\((?:[a-z]+:|[/#.]|[\w-]+/|[\w-]+\.(?:md|html?|png|jpe?g|gif|svg|webp)\b|\{\{)(?:[^()\n]|\([^()\n]*+\))*+\)"
)
_LINK_END: Final = "]("
_REFERENCE: Final = re.compile(
    rf"{_CODE}|(?<![\w\])\\])!?\[(?P<text>(?=[^\[\]]*[^\W\d])[^\[\]]{{3,}}|\#\d+|(?<=!\[))\]"
    r"(?:\[(?:[a-z\d][\w./@-]{0,60})?\]|\([\w-]{3,}(?:[ ]\"[^\"\n]*\")?\)"
    r"|(?<=[\d\[]\])\((?:[a-z]+:|[/#.])[^()\s]*\))(?!\()"
)
"""A link that names its target elsewhere or beside the file, the number of an issue, or a picture without words."""
_BEFORE_MARK: Final = re.compile(r"(?<! ) ++(?=[,.;:?!)])")
_BOLD: Final = re.compile(r"(?<![\w*])\*\*(?=\S)(?P<text>[^*]+)(?<=\S)\*\*(?![\w*])")
_LEFT: Final = re.compile(r"^\s*\*\*\s+(?=\S)")
"""The end of bold words before a text that was cut after them."""
_EMPHASIS: Final = re.compile(r"(?<![\w*\\)])\*(?=[^\W\d_])(?P<text>[^*\n]+)(?<=[^\W_])\*(?![\w*(])")
_SCRIPT: Final = re.compile(rf"{_CODE}|(?<=\w)<(?P<tag>su[bp])>(?P<text>[^<>]{{1,12}})</(?P=tag)>")
_TAG: Final = re.compile(
    rf"{_CODE}|<!--(?:[^<]|<(?!!--))*?-->|<(?:a|aside|div|img|p|span)\s[^<>=]*=[^<>]*>|</(?:a|aside|div|p|span)>"
    r"|<br\s*/?>|\{\{[^{}\n]*\}\}|\{%[^{}\n]*%\}|(?<![$\w{])\{:?[ ]?[.#][a-zA-Z][\w.#: =\"-]*\}"
    r"|\[\^[^\[\]\s]{1,60}\](?!:)",
    re.DOTALL,
)


_QUOTED: Final = re.compile(
    r"^(?:[ \t]{0,3}>(?![>=])(?=\s)(?!\s*[\d$€£](?!\d?[.)]\s))[ \t]?)+"
    r"(?:\[![a-z]+\](?=\s)|[ℹ⚠💡📝❗🚧🛑]\ufe0f?(?=\s))?",
    re.MULTILINE | re.IGNORECASE,
)


def blank_quote_marks(text: str) -> str:
    """The text with blanks in the place of the marks of quoted lines and alerts; "> 5 years" is a value.

    >>> blank_quote_marks("> [!NOTE]\\n> Tea is hot.")
    '         \\n  Tea is hot.'
    """
    return _QUOTED.sub(lambda found: " " * len(found.group()), text) if ">" in text else text


def blank_markup(text: str) -> str:
    """The text with blanks in the place of targets of links, tags with attributes, comments, template variables,
    references to footnotes and the marks of quoted lines.

    It is as long as before, so that offsets stay. A text of nothing else is returned as it is. What documents on
    programs and web pages are about is kept: names such as ``__init__``, bare tags, and what stands between backticks.

    >>> blank_markup("See the [guide](/a/b), <a href='#x'>here</a>.")
    'See the  guide       ,              here    .'
    >>> blank_markup("It is <b>hot</b>: ![a cup](cup.png)!")
    'It is <b>hot</b>:   a cup          !'
    >>> blank_markup("A <p> has f[i](x) and __init__.")
    'A <p> has f[i](x) and __init__.'
    >>> " ".join(blank_markup("[The site][site], [LICENSE](LICENSE), [#12](https://x.y/12) {#end}").split())
    'The site , LICENSE , #12'
    >>> blank_markup("a[the][i], [sic][Emphasis added], {.5} and ${#x}")
    'a[the][i], [sic][Emphasis added], {.5} and ${#x}'
    """
    quoted = blank_quote_marks(text)
    if not any(sign in text for sign in _SIGNS):
        return quoted if quoted.strip() else text
    inner = _LINK.sub(_text_alone, quoted)
    links = _LINK.sub(_text_alone, inner) if _LINK_END in inner and inner != quoted else inner  # a picture is in a link
    links = _REFERENCE.sub(_text_alone, links) if "[" in links else links
    blanked = _TAG.sub(_blanks, links)
    return blanked if blanked.strip() else text


def without_markup(text: str) -> str:
    """The text for people: without what ``blank_markup`` blanks, and without the marks of bold and emphasis.

    Text without such marks is returned as it is, else with single blanks between words.

    >>> without_markup("See **the** [guide](/a/b), <a href='#x'>here</a>.")
    'See the guide, here.'
    >>> without_markup("x**2 + y**2,  f(**a, **b)")
    'x**2 + y**2,  f(**a, **b)'
    >>> without_markup("every *three* years[^law]."), without_markup("2*3*4, f(*a, *b)")
    ('every three years.', '2*3*4, f(*a, *b)')
    >>> without_markup("** A copy is free.")
    'A copy is free.'
    >>> without_markup("10<sup>6</sup> tons of CO<sub>2</sub> by the 1<sup>st</sup>")
    '10^6 tons of CO2 by the 1st'
    """
    blanked = _SCRIPT.sub(_beside, blank_markup(text))
    plain = _BOLD.sub(r"\g<text>", text if blanked == text else _BEFORE_MARK.sub("", blanked))
    plain = _LEFT.sub("", _EMPHASIS.sub(r"\g<text>", plain))
    return text if plain == text else " ".join(plain.split())


def _text_alone(found: re.Match[str]) -> str:
    if found["marks"]:
        return found.group()
    before = " " * (found.start("text") - found.start())
    return f"{before}{found['text']}{' ' * (found.end() - found.end('text'))}"


def _beside(found: re.Match[str]) -> str:
    if found["marks"]:
        return found.group()
    is_raised = found["tag"] == "sup" and not found["text"].isalpha()
    return f"^{found['text']}" if is_raised else found["text"]


def _blanks(found: re.Match[str]) -> str:
    return found.group() if found["marks"] else " " * len(found.group())
