"""Lists of numbers on the command line."""

import click


def numbers(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[int, ...]:
    """Whole numbers above 0 from a text with commas between them."""
    try:
        found = tuple(int(part) for part in text.split(","))
    except ValueError:
        found = ()
    if not found or min(found) < 1:
        raise click.BadParameter(f"{text!r} is not a list of numbers above 0, such as 200,300,400")
    return found
