"""The command that has a model rewrite questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import SPLITS
from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks import reading
from seqniah_tasks.commands.types import AsJson, Given, chosen, print_json, values
from seqniah_tasks.terminal import progress_bar


def rewrite(
    model: Annotated[str, typer.Option(help="A model as inspect names it.")],
    out: Annotated[Path, typer.Option(help="File of questions to write (.jsonl), for qa=.")],
    split: Annotated[str, typer.Argument(help="test, dev or train, or a comma list.")] = "test",
    given: Given = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many questions.")] = None,
    screen: Annotated[
        bool, typer.Option(help="Leave out questions whose steps have no strict order.")
    ] = True,
    offline: Annotated[
        bool, typer.Option("--offline", help="Call no model; use the replies kept beside --out.")
    ] = False,
    max_connections: Annotated[int, typer.Option(min=1, help="Calls under way at once.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Have a model put questions and needles in its own words; safe to break off and to repeat."""
    # Other commands do without what reads replies.
    from seqniah_tasks.benchmarks.sequential_niah.rewriting import files, run

    names = [reading.one("split", one.strip(), SPLITS) for one in split.split(",")]
    told = values(given)
    wanted = [chosen(benchmarks.task(one).spec, told, {"shortfall": "smaller"}) for one in names]
    if out.resolve() in [path.resolve() for path in (*wanted[0].qa, *wanted[0].tkg)]:
        raise SeqniahError(f"{out} is read as qa or tkg; write to another file.")
    drawn, again = files.gather(wanted, limit)
    with progress_bar(counts="samples") as progress:
        summary = run.rewrite(
            drawn,
            model,
            out,
            screen=screen,
            offline=offline,
            max_connections=max_connections,
            progress=progress,
        )
    summary.again = again
    if as_json:
        print_json({"out": str(out), **summary.as_json()})
    else:
        typer.echo("\n".join([*summary.lines(), *([str(out)] if summary.written else [])]))
    if not summary.complete:
        raise typer.Exit(1)
