"""What a training is given, checked, kept beside its result, and put as a command."""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from seqniah_datasets import store
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.judge_serving import check_model

PAPERS_MODEL = "Qwen/Qwen2.5-32B-Instruct"
"""What the paper's judge was trained from."""

FULL_RATE = 8e-6
"""The paper's learning rate, for training all parameters."""

LORA_RATE = 1e-4
"""For adapters, which need a greater one; not from the paper."""

ROWS_A_STEP = 32
"""Rows of one optimizer step over all processes, where --grad-accum does not say otherwise.

The paper does not tell its own.
"""

SEED = 0
"""Of the order of the rows and of whatever else is drawn."""

CONFIGS = Path(__file__).parent / "configs"
KEPT = "training.json"
CHECKPOINTS = "checkpoints"

_MAY_CHANGE = ("data", "out", "resume", "eval_limit", "save_steps", "batch", "grad_accum")
"""Settings that a resumed training may have otherwise; data is compared by its digest, and batches
by the rows of a step."""


@dataclass(frozen=True, slots=True)
class Settings:
    """One training; what is not given is as in the paper where the paper tells it."""

    model: Annotated[
        str,
        Argument(help=f"An instruct model on the hub, or a folder; the paper's: {PAPERS_MODEL}."),
    ]
    data: Annotated[Path, Option(help="Folder that seqniah judge data wrote.")]
    out: Annotated[Path, Option(help="Folder for the judge and its checkpoints.")]
    lora: Annotated[
        bool, Option("--lora", help="Train low-rank adapters instead of all parameters.")
    ] = False
    """They are merged at the end."""
    epochs: Annotated[int, Option(help="Passes over the data.")] = 4
    lr: Annotated[
        float | None,
        Option(help=f"Learning rate; default: {FULL_RATE:g}, with --lora {LORA_RATE:g}."),
    ] = None
    warmup: Annotated[float, Option(help="Share of the steps it takes to rise.")] = 0.1
    weight_decay: Annotated[float, Option(help="Of AdamW.")] = 0.1
    batch: Annotated[int, Option(help="Rows that a GPU sees at once.")] = 1
    grad_accum: Annotated[
        int | None,
        Option(
            help="Batches before a step; default: as many as make "
            f"{ROWS_A_STEP} rows over all GPUs."
        ),
    ] = None
    max_length: Annotated[
        int, Option(help="Tokens of a row; a longer one is refused, not cut.")
    ] = 8_192
    """Of prompt and verdict together."""
    resume: Annotated[bool, Option("--resume", help="Go on from the last checkpoint in --out.")] = (
        False
    )
    limit: Annotated[int | None, Option(help="At most so many training rows.")] = None
    """Evenly taken, as those of `eval_limit`."""
    eval_limit: Annotated[int, Option(help="Test cases judged after each epoch; 0: none.")] = 200
    save_steps: Annotated[int, Option(help="Steps between checkpoints; 0: one an epoch.")] = 0

    @property
    def rate(self) -> float:
        return self.lr if self.lr is not None else LORA_RATE if self.lora else FULL_RATE

    @property
    def checkpoints(self) -> Path:
        return self.out / CHECKPOINTS

    def accumulation(self, processes: int) -> int:
        """Batches before a step."""
        if self.grad_accum is not None:
            return self.grad_accum
        return max(1, math.ceil(ROWS_A_STEP / (self.batch * processes)))


def checked(settings: Settings) -> Settings:
    """Raises `SeqniahError` for a model or a number that cannot be."""
    check_model(settings.model)
    least = {
        "--epochs": (settings.epochs, 1),
        "--batch": (settings.batch, 1),
        "--grad-accum": (settings.grad_accum, 1),
        "--max-length": (settings.max_length, 64),
        "--limit": (settings.limit, 1),
        "--eval-limit": (settings.eval_limit, 0),
        "--save-steps": (settings.save_steps, 0),
    }
    for name, (given, lowest) in least.items():
        if given is not None and given < lowest:
            raise SeqniahError(f"{name} is a whole number from {lowest}, not {given}.")
    if not 0 < settings.rate < 1:
        raise SeqniahError(f"--lr is a number between 0 and 1, not {settings.rate:g}.")
    if not 0 <= settings.warmup < 1:
        raise SeqniahError(f"--warmup is a share from 0 to 1, not {settings.warmup:g}.")
    if not 0 <= settings.weight_decay < math.inf:
        raise SeqniahError(f"--weight-decay is a number from 0, not {settings.weight_decay:g}.")
    return settings


def launch(settings: Settings, gpus: int) -> list[str]:
    """The same training as a command for `accelerate`, on so many GPUs of this machine."""
    config = CONFIGS / ("several_gpus.yaml" if gpus > 1 else "one_gpu.yaml")
    words = ["accelerate", "launch", "--config_file", str(config)]
    if gpus > 1:
        words += ["--num_processes", str(gpus)]
    words += ["--module", "seqniah_tasks.training", settings.model]
    words += ["--data", str(settings.data), "--out", str(settings.out)]
    usual = asdict(Settings(settings.model, settings.data, settings.out))
    for name, given in asdict(settings).items():
        option = f"--{name.replace('_', '-')}"
        if given is True:
            words.append(option)
        elif given != usual[name]:
            words += [option, str(given)]
    return words


def last_checkpoint(folder: Path) -> Path | None:
    """The last checkpoint that was written to its end; its state is what is written last."""
    found = [
        (int(match[1]), path)
        for path in folder.glob("checkpoint-*")
        if (match := re.fullmatch(r"checkpoint-(\d+)", path.name))
        and (path / "trainer_state.json").is_file()
    ]
    return max(found)[1] if found else None


def see_place(settings: Settings) -> Path | None:
    """The checkpoint to go on from. Raises `SeqniahError` where another training has been."""
    found = last_checkpoint(settings.checkpoints)
    if (settings.out / "config.json").exists():
        raise SeqniahError(f"{settings.out} holds a finished judge; train into another --out.")
    if found is not None and not settings.resume:
        raise SeqniahError(
            f"{settings.out} holds a training that was broken off; pass --resume to go on with it, "
            "or another --out."
        )
    return found


def keep(settings: Settings, digest: str, processes: int, *, going_on: bool) -> None:
    """Note the settings in --out, or see that they are what was noted.

    Raises `SeqniahError` where a resumed training would not be the one that was begun.
    """
    path = settings.out / KEPT
    fields = {name: one for name, one in asdict(settings).items() if name not in _MAY_CHANGE}
    fields |= {"lr": settings.rate, "seed": SEED, "data_sha256": digest}
    fields["rows_a_step"] = settings.batch * processes * settings.accumulation(processes)
    if going_on:
        try:
            before = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise SeqniahError(
                f"{path}, which says how the training began, cannot be read ({error}); "
                "train into another --out."
            ) from error
        for name, value in fields.items():
            if before.get(name) != value:
                raise SeqniahError(
                    f"The training in {settings.out} began with {name} {before.get(name)!r}, not "
                    f"{value!r}; go on with what it began with, or take another --out."
                )
    with store.new_file(path) as temporary:
        temporary.write_text(json.dumps(fields, indent=1) + "\n", encoding="utf-8")
