"""The command that makes a page of the logs of either harness."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.benchmarks import known
from seqniah_tasks.commands.logs import LOGS, read, uncollected
from seqniah_tasks.commands.types import Threshold
from seqniah_tasks.effective import THRESHOLD, checked
from seqniah_tasks.records import Record, Transcript
from seqniah_tasks.terminal import progress_bar

if TYPE_CHECKING:
    from seqniah_tasks.report.cases import Example
    from seqniah_tasks.report.runs import Run

MOST_EXAMPLES = 60
"""Wrong answers that a page shows one by one, unless told otherwise."""


@uncollected()
def report(
    logs: Annotated[list[Path], typer.Argument(help=LOGS)],
    out: Annotated[Path, typer.Option(help="Folder to write: new, empty, or an earlier report.")],
    examples: Annotated[
        int, typer.Option(min=0, max=5_000, help="Wrong answers to show one by one, of all runs.")
    ] = MOST_EXAMPLES,
    title: Annotated[
        str | None, typer.Option(help="Of the page; the benchmarks' names unless told.")
    ] = None,
    threshold: Threshold = THRESHOLD,
) -> None:
    """Make one page of all runs: a file that needs no network, with figures and tables beside it.

    Models side by side with intervals and the published figures; scores by length, language and
    whatever else samples differ in; what is found by depth; failures one by one, and what they
    come from.
    """
    from seqniah_tasks.report import building, files

    if title is not None and not title.strip():
        raise SeqniahError("--title is empty; give the page a title, or leave --title out.")
    checked(threshold)
    files.check(out)
    given = read(logs)
    inside = [path for path in given if path.is_relative_to(out.resolve())]
    if inside:
        raise SeqniahError(f"{inside[0]} is in the folder that --out names; name another folder.")
    with progress_bar(counts="parts") as progress:
        named = title or _title(given)
        made = building.build(
            given, named, lambda study: _shown(study.runs, examples), progress, threshold
        )
        files.write(out, made.page, made.figures, made.tables, progress)
    if any(drawn.paint is None for drawn in made.figures.values()):
        typer.echo(
            "seqniah: figures are there as SVG only, since matplotlib, which makes PNG, is not "
            "installed; pip install 'seqniah[report]' installs it.",
            err=True,
        )
    _say(made.study.runs, out)


def _title(files: Mapping[Path, Sequence[Record]]) -> str:
    held = {row.benchmark for rows in files.values() for row in rows}
    return " and ".join(one.title for name, one in known().items() if name in held)


def _shown(runs: Sequence[Run], most: int) -> list[Example]:
    """Wrong answers of all runs, as many of each as of any other, each beside its reference."""
    from seqniah_tasks.report.cases import choose, example

    # Scores of answers made elsewhere hold no texts.
    of_runs = [[row for row in run.answers if row.harness] for run in runs]
    held = [rows for rows in of_runs if rows]
    chosen: list[Record] = []
    for number, rows in enumerate(held):
        left = -(-(most - len(chosen)) // (len(held) - number))
        chosen += choose(rows, left)
    told = _told(chosen)
    return [example(told[id(row)]) for row in chosen if id(row) in told]


def _told(rows: Sequence[Record]) -> Mapping[int, Transcript]:
    """The texts of answers, by the identity of their rows; of some files there are none."""
    by_source: dict[tuple[str | None, str], list[Record]] = {}
    for row in rows:
        by_source.setdefault((row.harness, row.source), []).append(row)
    found: list[Transcript] = []
    for (harness, source), part in by_source.items():
        if harness == "inspect":
            from seqniah_tasks.adapters.inspect import summaries

            found += summaries.transcripts(Path(source), part)
        elif harness == "lm-eval":
            from seqniah_tasks.adapters.lm_eval import logs

            found += logs.transcripts(Path(source), part)
    return {id(one.record): one for one in found}


def _say(runs: Sequence[Run], out: Path) -> None:
    from seqniah_tasks.report.files import PAGE

    for run in runs:
        figures = _figure(run) if run.share.of else "nothing scored"
        unscored = len(run.answers) - len(run.scored)
        typer.echo(f"{run.label}: {figures}" + (f", {unscored:,} unscored" if unscored else ""))
    typer.echo(f"Open {shlex.quote(str(out / PAGE))}")


def _figure(run: Run) -> str:
    from seqniah_tasks.report.words import percent

    share = run.share
    if run.benchmark.scoring.binary:
        return f"{share.value:.1%} of {share.of:,}"
    samples = "sample" if share.of == 1 else "samples"
    return f"mean score {percent(share.value)} over {share.of:,} {samples}"
