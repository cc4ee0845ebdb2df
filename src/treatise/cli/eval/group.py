"""``treatise eval``: the command group."""

import click

from treatise.cli.eval.data import datasets, fetch
from treatise.cli.eval.discorag import discorag
from treatise.cli.eval.experiments import paper, run_file
from treatise.cli.eval.external import answers, ranks, score
from treatise.cli.eval.generation import generation
from treatise.cli.eval.profile import anatomy
from treatise.cli.eval.ratings import rating_sheet, ratings
from treatise.cli.eval.results import report, tables
from treatise.cli.eval.retrieval import retrieval
from treatise.cli.eval.segmentation import segmentation
from treatise.cli.eval.summaries import summaries
from treatise.cli.eval.sweep import sweep


@click.group("eval", short_help="Measure recipes on data sets.")
def evaluation() -> None:
    """Measure recipes on data sets; see `treatise eval retrieval --help` and `treatise eval discorag --help`."""


for _command in (
    *(datasets, fetch, run_file, paper, answers, ranks, score, tables, report, rating_sheet, ratings),
    *(discorag, sweep, segmentation, anatomy, generation, retrieval, summaries),
):
    evaluation.add_command(_command)
