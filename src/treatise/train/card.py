"""Model cards: what a model was made from, how, by which command, and what it reaches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a model comes from; nothing of the machine that made it.

    Attributes:
        command: What makes it again.
        commit: Of the code.
        settings: The recipe's digest.
        versions: Of the packages that figures depend on.
        data: SHA-256 of each data file, by its path below the data folder.
    """

    command: str
    commit: str
    settings: str
    versions: Mapping[str, str]
    data: Mapping[str, str]


def parser_card(name: str, *, origin: Origin, encoder: str, figures: Mapping[str, float], epoch: int) -> str:
    """The card of a span parser."""
    return "\n".join(
        [
            f"# {name}",
            "",
            "A rhetorical structure parser and EDU segmenter: int8 encoder, float16 heads, read by Treatise without",
            "torch. Trees over sentences or EDUs with nuclearity and fifteen coarse relations.",
            "",
            *_licence(encoder),
            *_figures(figures, epoch),
            *_origin(origin),
        ]
    )


def _licence(encoder: str) -> list[str]:
    return [
        "## Licence and attribution",
        "",
        "CC BY-SA 4.0 (<https://creativecommons.org/licenses/by-sa/4.0/>), as the treebanks that it learned from ask:",
        "",
        "- GUM, the Georgetown University Multilayer corpus: Amir Zeldes and the GUM annotators,",
        "  <https://github.com/amir-zeldes/gum>; annotations CC BY 4.0, texts under the licences of their sources,",
        "  among them CC BY-SA and CC BY-NC-SA: read the corpus's own list before commercial use of the texts.",
        "- GCDT and RRG, where the list of data below names them: GCDT, Siyao Peng, Yang Janet Liu and Amir Zeldes,",
        "  <https://github.com/logan-siyao-peng/GCDT>, CC BY-SA 4.0; RRG, Elena Chistova and Aleksandr Rubtsov.",
        f"- The encoder begins from {encoder} (Apache-2.0, <https://www.sbert.net>).",
        "",
    ]


def _figures(figures: Mapping[str, float], epoch: int) -> list[str]:
    rows = [f"| {name} | {value:.2f} |" for name, value in figures.items()]
    head = f"F1 in percent on the dev files below, micro-averaged (Original Parseval), after epoch {epoch}."
    note = "Measured in training, before the weights were rounded; early stopping chose by the same files."
    return ["## Figures", "", head, note, "", "| figure | F1 |", "|---|--:|", *rows, ""]


def _origin(origin: Origin) -> list[str]:
    return [
        "## How it was made",
        "",
        "```sh",
        origin.command,
        "```",
        "",
        f"Commit {origin.commit}, recipe {origin.settings}, "
        + ", ".join(f"{package} {version}" for package, version in origin.versions.items())
        + ".",
        "",
        "| data | SHA-256 |",
        "|---|---|",
        *(f"| `{path}` | `{digest}` |" for path, digest in origin.data.items()),
        "",
    ]


def write_card(folder: Path, text: str) -> None:
    """Writes ``README.md``."""
    (folder / "README.md").write_text(text, encoding="utf-8")


def joined(command: Sequence[str]) -> str:
    """A command line to copy."""
    from shlex import join

    return join(command)
