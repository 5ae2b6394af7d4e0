"""The commands that train a judge, and serve one on this machine's GPUs."""

from __future__ import annotations

import os
import shlex
from typing import Annotated

import typer

from seqniah_tasks import judge_serving as serving
from seqniah_tasks.commands.types import spread
from seqniah_tasks.training import settings as setting


@spread
def serve(
    *,
    server: serving.Server,
    extra: Annotated[
        list[str] | None, typer.Argument(help="After --: further arguments of vllm serve.")
    ] = None,
    only_print: Annotated[
        bool, typer.Option("--print", help="Start nothing; print the command.")
    ] = False,
) -> None:
    """Serve a judge with vLLM, with what suits short verdicts, and say how to judge with it."""
    serving.check(server)
    line = shlex.join(serving.command(server, extra or ()))
    if only_print:
        typer.echo(line)
        typer.echo(f"Then judge with: {serving.usage(server, os.environ)}", err=True)
        return
    serving.ready(server, os.environ)
    typer.echo(line)
    typer.echo(f"Once it is up, judge with:\n{serving.usage(server, os.environ)}\nCtrl-C ends it.")
    raise typer.Exit(serving.run(server, extra or (), os.environ))


@spread
def train(
    *,
    settings: setting.Settings,
    gpus: Annotated[
        int | None, typer.Option(min=1, help="For --print: GPUs to train on; default: those here.")
    ] = None,
    only_print: Annotated[
        bool, typer.Option("--print", help="Train nothing; print the accelerate launch command.")
    ] = False,
) -> None:
    """Train a judge on what seqniah judge data wrote, with the paper's settings."""
    setting.checked(settings)
    if only_print:
        count = gpus or serving.gpu_count(os.environ) or 1
        typer.echo(shlex.join(setting.launch(settings, count)))
        return
    from seqniah_tasks.training import trainer

    outcome = trainer.train(settings, typer.echo)
    if os.environ.get("RANK", "0") == "0":
        out = settings.out
        typer.echo(
            f"{outcome.steps:,} steps, {outcome.seconds:,.0f} s in this run, mean loss "
            f"{outcome.loss:.4g}: {out}\nServe it with: seqniah judge serve {shlex.quote(str(out))}"
        )
