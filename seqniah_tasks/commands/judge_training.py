"""The command that trains a judge."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from seqniah_tasks.judge_serving import as_line, gpu_count
from seqniah_tasks.training import settings as setting
from seqniah_tasks.training.settings import Settings


def train(
    model: Annotated[
        str,
        typer.Argument(
            help=f"An instruct model on the hub, or a folder; the paper's: {setting.PAPERS_MODEL}."
        ),
    ],
    data: Annotated[Path, typer.Option(help="Folder that seqniah judge data wrote.")],
    out: Annotated[Path, typer.Option(help="Folder for the judge and its checkpoints.")],
    lora: Annotated[
        bool, typer.Option("--lora", help="Train low-rank adapters instead of all parameters.")
    ] = False,
    epochs: Annotated[int, typer.Option(help="Passes over the data.")] = 4,
    lr: Annotated[
        float | None,
        typer.Option(
            help="Learning rate; default: "
            f"{setting.FULL_RATE:g}, with --lora {setting.LORA_RATE:g}."
        ),
    ] = None,
    warmup: Annotated[float, typer.Option(help="Share of the steps it takes to rise.")] = 0.1,
    weight_decay: Annotated[float, typer.Option(help="Of AdamW.")] = 0.1,
    batch: Annotated[int, typer.Option(help="Rows that a GPU sees at once.")] = 1,
    grad_accum: Annotated[
        int | None,
        typer.Option(
            help="Batches before a step; default: as many as make "
            f"{setting.ROWS_A_STEP} rows over all GPUs."
        ),
    ] = None,
    max_length: Annotated[
        int, typer.Option(help="Tokens of a row; a longer one is refused, not cut.")
    ] = 8_192,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in --out.")
    ] = False,
    limit: Annotated[int | None, typer.Option(help="At most so many training rows.")] = None,
    eval_limit: Annotated[
        int, typer.Option(help="Test cases judged after each epoch; 0: none.")
    ] = 200,
    save_steps: Annotated[
        int, typer.Option(help="Steps between checkpoints; 0: one an epoch.")
    ] = 0,
    gpus: Annotated[
        int | None, typer.Option(min=1, help="For --print: GPUs to train on; default: those here.")
    ] = None,
    only_print: Annotated[
        bool, typer.Option("--print", help="Train nothing; print the accelerate launch command.")
    ] = False,
) -> None:
    """Train a judge on what seqniah judge data wrote, with the paper's settings."""
    given = locals()
    settings = setting.checked(Settings(**{one.name: given[one.name] for one in fields(Settings)}))
    if only_print:
        typer.echo(as_line(setting.launch(settings, gpus or gpu_count(os.environ) or 1)))
        return
    from seqniah_tasks.training import trainer

    outcome = trainer.train(settings, typer.echo)
    if os.environ.get("RANK", "0") == "0":
        typer.echo(
            f"{outcome.steps:,} steps, {outcome.seconds:,.0f} s in this run, mean loss "
            f"{outcome.loss:.4g}: {out}\nServe it with: seqniah judge serve {as_line([str(out)])}"
        )
