"""Writing a benchmark's recipes and prompts, and showing one: what `build` and `show` share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console

from seqniah_datasets import export, recipes
from seqniah_datasets.errors import UnknownName
from seqniah_datasets.schema import Recipe
from seqniah_tasks import views
from seqniah_tasks.benchmarks.asking import Benchmark, Question
from seqniah_tasks.commands.types import print_json
from seqniah_tasks.terminal import progress_bar

Out = Annotated[Path, typer.Option(help="Folder to write; it appears when complete.")]
Materialize = Annotated[str, typer.Option(help="Write the prompts too: jsonl, parquet or arrow.")]
Replace = Annotated[bool, typer.Option(help="Replace an earlier build in --out.")]

Q = TypeVar("Q", bound=Question)


def check_format(materialize: str) -> None:
    """Raises `UnknownName` for a format that there is not; empty is none."""
    if materialize and materialize not in export.FORMATS:
        raise UnknownName("format", materialize, list(export.FORMATS))


def write(
    bench: Benchmark[Q], out: Path, materialize: str, *, replace: bool, as_json: bool
) -> None:
    """Write all recipes of a benchmark, all or nothing, and say how many.

    Raises like `recipes.write`.
    """
    tokens = 0

    def built() -> Iterator[Recipe]:
        nonlocal tokens
        for number, planned in enumerate(bench.plan, 1):
            recipe = bench.recipe(planned)
            tokens += recipe.tokens
            yield recipe
            progress("Building recipes", number, len(bench.plan))

    def materialized(place: Path, made: Iterator[Recipe]) -> str:
        name = f"samples.{materialize}"
        export.write(place / name, materialize, map(bench.render, made))
        return name

    with progress_bar(counts="samples") as progress:
        more = materialized if materialize else None
        count = recipes.write(out, built(), bench.facts(), more, replace=replace)
    if as_json:
        print_json({"out": str(out), "samples": count, "tokens": tokens, **bench.facts()})
    else:
        typer.echo(f"{count:,} samples, {tokens:,} tokens in all: {out}")


def show(bench: Benchmark[Q], sample_id: str, *, full: bool, as_json: bool) -> None:
    """Print a sample: the whole prompt if `full`, as JSON all that is known of it.

    Raises `SeqniahError` for an id that the benchmark's options do not hold.
    """
    recipe = bench.recipe(bench.find(sample_id))
    sample = bench.render(recipe)
    if as_json:
        print_json({**export.row(sample), "recipe": recipes.as_json(recipe)})
    else:
        views.print_sample(Console(highlight=False), sample, full=full)
