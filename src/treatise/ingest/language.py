"""Detects the language of a text from its script and its most frequent words."""

import re
from collections import Counter
from collections.abc import Collection, Iterable

from treatise.core.installed import multilingual_hint
from treatise.core.patterns import lazy_pattern
from treatise.core.scripts import HAN, KANA, THAI, class_of

_SAMPLE_CHARS = 20_000
_MIN_STOPWORD_SHARE = 0.06
_ENGLISH_QUESTION = re.compile(
    r"\W*(?:(?:(?:at|by|for|from|in|of|on|to|under|with) )?(?:what|who|whom|whose|which|when|where|why|how)"
    r"|does|did|can|could|may|might|must|shall|should|would|are|do (?:i|we|you|they|the)"
    r"|is (?:the|there|it|this|a|an))\b",
    re.IGNORECASE,
)
"""How only an English question begins: "was", "will" and "do" alone begin others too."""
_MIN_STOPWORDS = 3  # distinct words; with fewer, a short English text could be taken for Portuguese

_NO_TEXT = re.compile(r"\]\([^()\s]*|</?[a-z][^<>]*>", re.IGNORECASE)
"""The targets of links and the tags of Markdown."""
_NAME_WITH_PARTICLES = re.compile(r"\b([A-Z]\w+) (?:(?:van|von|de|den|der|del|da|dos|di|la|le|du|ten|ter) )+(?=[A-Z])")
_ADDRESS = re.compile(r"@\w|://|\w\.\w")
_WORD = re.compile(r"(?<!\w)[^\W\d]++(?!\w)")
"""Letters between other signs: neither a part of a hash nor of an identifier with a number."""

_LETTER = re.compile(r"[^\W\d_]")
_NUMBER = re.compile(r"[\d.,:;%()/+–-]*|.")
_MIN_LETTERS = 0.6  # of the characters of a word

_SCRIPTS = {
    "latin": lazy_pattern(r"[A-Za-zÀ-ɏḀ-ỿ]"),
    "cyrillic": lazy_pattern(r"[Ѐ-ӿ]"),
    "han": class_of(HAN),
    "kana": class_of(KANA),
    "ko": lazy_pattern(r"[\uac00-\ud7af]"),
    "arabic": lazy_pattern(r"[\u0600-\u06ff\u0750-\u077f]"),
    "he": lazy_pattern(r"[\u0590-\u05ff]"),
    "el": lazy_pattern(r"[\u0370-\u03ff\u1f00-\u1fff]"),
    "hi": lazy_pattern(r"[\u0900-\u097f]"),
    "bn": lazy_pattern(r"[\u0980-\u09ff]"),
    "ta": lazy_pattern(r"[\u0b80-\u0bff]"),
    "te": lazy_pattern(r"[\u0c00-\u0c7f]"),
    "th": class_of(THAI),
    "ka": lazy_pattern(r"[\u10a0-\u10ff]"),
    "hy": lazy_pattern(r"[\u0530-\u058f]"),
    "am": lazy_pattern(r"[\u1200-\u137f]"),
}
_WIDE_SCRIPTS = {"han": 4, "kana": 4, "ko": 2}  # one character carries as much information as several letters
_STOPWORDS = {
    "latin": {
        "en": "the of and to in is that for it was with as on be by this are from at not have which or an how "
        "what who when where why do does did i my can should into you there if has were",
        "de": "der die und das in den von zu mit ist nicht des ein eine dem auf für sich auch als es wird im an",
        "fr": "le la les de des et un une du est dans que qui pour par sur pas au avec il ce ne sont plus aux",
        "es": "el la los las de y que en un una por con para es del se no su al lo como más son este pero",
        "it": "il lo la gli di e che un una per con non è del della in si le sono da al nel dei più come anche",
        "pt": "o os a as de e que em um uma do da para com não é por no na se dos mais como ao foi são",
        "nl": "de het een van en in is dat op te zijn met voor niet aan er om ook als bij door naar wordt",
        "pl": "i w na z się nie do to że jest o jak po ale od przez oraz dla tym są który co być za jego",
        "cs": "a v se na je že s z do to o i k ve pro jako by za po ale které jsou který bylo jeho není",
        "sv": "och i att det som en på är av för med den till inte om har de ett men var från vi så kan",
        "da": "og i at det er en til af på for med den ikke som de der et var har han fra vi men kan",
        "no": "og i det er en til av på for med den ikke som de et var har at fra vi men kan seg ble",
        "fi": "ja on ei että se oli joka hän mutta kun tai myös ovat niin kuin sen mukaan ole jo vain voi",
        "hu": "a az és hogy nem is egy ez meg de csak volt mint vagy már ha azt kell ki lehet még ezt",
        "tr": "ve bir bu da de için ile çok daha olarak olan gibi ne kadar sonra en var ama ya o değil",
        "ro": "și de în la a cu care pe nu un o din este să mai pentru sau că se au prin fost sunt ale",
        "id": "yang dan di dengan untuk dari ini itu dalam tidak pada adalah akan ke oleh atau juga sebagai",
        "vi": "và của là có trong được các cho không với một những này đã người khi đến để từ như",
        "ca": "el la els les de i que en un una per amb no és del es al dels com més són aquest però",
    },
    "cyrillic": {
        "ru": "и в не на что с по это как он я к из у за от но для о же то был так был все его она или мы",
        "uk": "і в не на що з та до як це є у за від але для про його або ми й був вона який також із",
        "bg": "и на в се за не да от са с по че е като до това един при или към му която които",
        "sr": "и у је да се на за од не са су то као који из а али или о по бити што није",
    },
    "arabic": {
        "ar": "في من على أن إلى التي عن مع هذا هذه كان الذي لا ما أو كل بعد بين قد وقد ذلك",
        "fa": "و در به از که این را با است برای آن یک خود تا بر هم نیز شده شود می های کرد بود",
        "ur": "کے کی میں اور ہے سے کا کو اس پر نے کہ یہ ہیں ایک بھی نہیں تھا گیا جو کر",
    },
}
_WORDS_OF = {
    script: {language: frozenset(words.split()) for language, words in table.items()}
    for script, table in _STOPWORDS.items()
}

_NAMES = {
    "ar": "Arabic", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fa": "Persian", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish",
    "pt": "Portuguese", "ru": "Russian", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip


def detect_language(text: str) -> str:
    """The ISO 639-1 code of a text; ``""`` if undetermined.

    >>> detect_language("The cat is on the mat, and that is where it was.")
    'en'
    >>> detect_language("这是一个关于语言的句子。")
    'zh'
    """
    sample = _sample(text)
    scripts = {"latin": _SCRIPTS["latin"]} if sample.isascii() else _SCRIPTS
    counts = Counter({script: len(p.findall(sample)) * _WIDE_SCRIPTS.get(script, 1) for script, p in scripts.items()})
    if not counts.total():
        return ""
    if counts["han"] + counts["kana"] > counts.total() / 2:
        return "ja" if counts["kana"] > 0.1 * counts["han"] else "zh"
    script = counts.most_common(1)[0][0]
    return _by_stopwords(sample, _WORDS_OF[script]) if script in _WORDS_OF else script if len(script) == 2 else "ja"


def is_prose(words: Iterable[str]) -> bool:
    """Whether words, between white space, are text in a known language; numbers and single signs are not counted.

    >>> is_prose("The cat is on the mat, and that is where it was.".split())
    True
    >>> is_prose("7KH FDW LV RQ WKH PDW/ DQG WKDW LV ZKHUH LW ZDV1".split())
    False
    """
    counted = [word for word in words if not _NUMBER.fullmatch(word)]
    worded = [word for word in counted if len(_LETTER.findall(word)) >= _MIN_LETTERS * len(word)]
    return 2 * len(worded) > len(counted) and bool(detect_language(" ".join(worded)))


def question_language(question: str) -> str:
    """The language of a question, also of one that is too short to have many frequent words; empty if unknown.

    >>> question_language("May I email a password to a colleague?"), question_language("Was ist Debian?")
    ('en', '')
    """
    return "en" if _ENGLISH_QUESTION.match(question) else detect_language(question)


def language_note(question: str, languages: Collection[str]) -> str:
    """A note if the question's language is known and none of the documents is in it; else empty.

    >>> language_note("这篇文章讲的是什么?", {"en"})[:54]
    'the question is in Chinese and the document in English'
    >>> language_note("What is measured in the paper?", {"en"})
    ''
    """
    asked = question_language(question)
    if not asked or not languages or asked in languages:
        return ""
    of_documents = " and ".join(sorted(_name(language) for language in languages))
    return (
        f"the question is in {_name(asked)} and the document in {of_documents}: "
        f"ask in {of_documents}, or use the multilingual encoder ({multilingual_hint()}), for better evidence"
    )


def _sample(text: str) -> str:
    """The start, middle and end: a preface may be in a different language from the book."""
    if len(text) <= 3 * _SAMPLE_CHARS:
        return text
    middle = len(text) // 2
    return text[:_SAMPLE_CHARS] + text[middle : middle + _SAMPLE_CHARS] + text[-_SAMPLE_CHARS:]


def _by_stopwords(sample: str, table: dict[str, frozenset[str]]) -> str:
    words = _counted_words(sample)
    scores = {language: sum(words[word] for word in known) for language, known in table.items()}
    best = max(scores, key=scores.__getitem__)
    n_distinct = sum(word in words for word in table[best])
    known = n_distinct >= _MIN_STOPWORDS and scores[best] > _MIN_STOPWORD_SHARE * words.total()
    return best if known else ""


def _counted_words(sample: str) -> Counter[str]:
    """How often each word occurs, without those of addresses, link targets and codes ("com", "e", "da"), and of names.

    >>> _counted_words("_See_ [the file](e/a.md) at a.com, by me@b.com: da4b923")
    Counter({'see': 1, 'the': 1, 'file': 1, 'at': 1, 'by': 1})
    """
    tokens = _NO_TEXT.sub(" ", _NAME_WITH_PARTICLES.sub(r"\1 ", sample).lower()).split()
    text = " ".join(token for token in tokens if not _ADDRESS.search(token))
    return Counter(part for word in _WORD.findall(text) for part in word.split("_") if part)


def _name(language: str) -> str:
    return _NAMES.get(language, language)
