"""What the reader of RTF keeps: the state of a group, and the current paragraph."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class State:
    """State that a group inherits and its end restores.

    Attributes:
        target: Destination of text: the body, a table read for its names, or none; ``"unknown"`` is none
            unless a known destination follows.
        skip: Number of fallback characters after a Unicode character, to be skipped.
        encoding: Encoding of non-ASCII bytes.
        is_hidden: Whether text is hidden or deleted.
        is_label: Whether the text is the mark of a list item.
        is_bold: Whether text is bold.
    """

    target: str = "body"
    skip: int = 1
    encoding: str = "cp1252"
    is_hidden: bool = False
    is_label: bool = False
    is_bold: bool = False


@dataclass(slots=True)
class Paragraph:
    """The current paragraph.

    Attributes:
        weights: Of each piece that is not blank, whether it is bold.
    """

    pieces: list[str] = field(default_factory=list)
    level: int = 0
    is_list: bool = False
    is_row: bool = False
    weights: list[bool] = field(default_factory=list)
