"""The command that has a model rewrite questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import qa_files
from seqniah_tasks.benchmarks.options import read_options
from seqniah_tasks.commands.types import (
    AsJson,
    EditionName,
    GraphPaths,
    Lang,
    Needles,
    Pipelines,
    QAPaths,
    Seed,
    print_json,
)
from seqniah_tasks.terminal import progress_bar


def rewrite(
    model: Annotated[str, typer.Option(help="A model as inspect names it.")],
    out: Annotated[Path, typer.Option(help="File of questions to write (.jsonl), for --qa.")],
    split: Annotated[str, typer.Option(help="test, dev or train, or a comma list.")] = "test",
    lang: Lang = "",
    pipeline: Pipelines = "",
    needles: Needles = "",
    seed: Seed = 0,
    edition: EditionName = "open",
    tkg: GraphPaths = "",
    qa: QAPaths = "",
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
    wanted = [
        read_options(
            one.strip(),
            lang,
            pipeline,
            needles=needles,
            seed=seed,
            edition=edition,
            tkg=tkg,
            qa=qa,
            shortfall="smaller",
        )
        for one in split.split(",")
    ]
    if out.resolve() in [path.resolve() for path in (*wanted[0].qa, *wanted[0].tkg)]:
        raise SeqniahError(f"{out} is read as --qa or --tkg; write to another file.")
    drawn, again = qa_files.gather(wanted, limit)
    from seqniah_tasks.adapters import inspect_rewrite

    with progress_bar(counts="samples") as progress:
        summary = inspect_rewrite.rewrite(
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
