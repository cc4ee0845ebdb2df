"""The superlatives and comparatives by which a question asks a table for more than a cell."""

from typing import Final

MAXIMA: Final = (
    "most|highest|largest|greatest|biggest|longest|tallest|heaviest|deepest|widest|maximum|"
    "meisten?|höchsten?|größten?|längsten?|schwersten?|teuersten?"
)
MINIMA: Final = (
    "least|lowest|smallest|fewest|shortest|lightest|cheapest|minimum|"
    "wenigsten?|niedrigsten?|kleinsten?|kürzesten?|leichtesten?|billigsten?|günstigsten?"
)
SIZES: Final = "largest|greatest|biggest|least|smallest"
"""Those of them that may mean a size without its sign."""
MORE: Final = "more|greater|higher|larger|longer"
FEWER: Final = "less|fewer|lower|smaller|shorter"
