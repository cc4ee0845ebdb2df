"""``treatise eval datasets`` and ``fetch``: list the available data sets, and download others."""

from pathlib import Path

import click

from treatise.cli.eval.options import folder_option
from treatise.cli.options import output_option
from treatise.cli.output import Output, line, show, show_json
from treatise.cli.progress import progress_line
from treatise.core.plurals import counted


@click.command(
    epilog="""\b
Example:
  treatise eval datasets --data data/

A set is looked for in FOLDER/NAME/ and FOLDER/qa/NAME/, under its published file names, gzipped or not.
"""
)
@folder_option
@output_option
def datasets(*, data: Path | None, output: Output) -> None:
    """List the data sets: where each was found, or how to get it."""
    from treatise.evaluate.data.files import look_for_all

    found = list(look_for_all(data))
    if output.as_json:
        rows = [{"name": one.name, "file": str(one.file) if one.file else None, "remedy": one.remedy} for one in found]
        show_json({"data": str(data) if data else None, "datasets": rows})
        return
    show(
        (
            line(f"{one.name:16}", str(one.file) if one.file else ("missing; ", "dim"), "" if one.file else one.remedy)
            for one in found
        ),
        no_color=output.no_color,
    )


@click.command(
    epilog="""\b
Example:
  treatise eval fetch qasper --data data/

This command uses the network. Files that exist are not downloaded again, and an interrupted download resumes. Files
with a pinned hash are checked.
"""
)
@click.argument("name")
@folder_option
@output_option
def fetch(*, name: str, data: Path | None, output: Output) -> None:
    """Download the data set NAME from where it is published, into FOLDER/NAME/."""
    from treatise.core.errors import DataError
    from treatise.evaluate.data.fetch import fetch as fetch_files
    from treatise.evaluate.data.registry import dataset_named
    from treatise.evaluate.data.sources import SOURCES

    if data is None:
        raise click.UsageError("name the folder of data sets: --data FOLDER, or the variable TREATISE_DATA")
    if dataset_named(name).name not in SOURCES:
        raise DataError(f"{name} is not a published data set: name your own file with --data")
    source = SOURCES[name]
    with progress_line(name) as draw:

        def report(file: str, done: int, total: int) -> None:
            if draw is not None:
                draw(file, done, total)

        fetched = fetch_files(name, source, data, report)
    if output.as_json:
        files = [str(file) for file in fetched.files]
        missing = [{"file": file, "reason": reason} for file, reason in fetched.missing]
        show_json({"name": name, "licence": source.licence, "files": files, "lacking": missing, "note": source.note})
        return
    lines = [line(str(file)) for file in fetched.files]
    if fetched.missing:
        lines.append(
            line(f"{counted(len(fetched.missing), 'file', 'is', 'are')} missing, the first: {fetched.missing[0][1]}")
        )
    lines.append(line(f"licence: {source.licence}" + (f"; {source.note}" if source.note else "")))
    show(lines, no_color=output.no_color)
