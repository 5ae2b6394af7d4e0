"""How often a model in training judges rightly, by having it write verdicts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers import replies
from seqniah_tasks.training.rows import Row

FILE = "accuracy.jsonl"

_ROOM = 64
"""Tokens that a verdict may be longer than the longest one wanted."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Verdicts on some test cases after some training."""

    epoch: float
    step: int
    asked: int
    right: int
    unreadable: int
    """Replies that hold no verdict; neither right nor wrong, but in the share as not right."""

    @property
    def share(self) -> float:
        return self.right / self.asked if self.asked else 0.0

    def line(self) -> str:
        """For a person."""
        return (
            f"epoch {self.epoch:g}: {self.right} of {self.asked} verdicts right "
            f"({self.share:.1%}), {self.unreadable} unreadable"
        )


def greedy(model: Any, tokenizer: Any, most: int | None = None) -> Any:
    """A generation config that always takes the likeliest token.

    A chat model's own often samples and penalises repetition, which a judge that quotes must not.
    """
    from transformers import GenerationConfig

    ends = model.generation_config.eos_token_id
    ends = [] if ends is None else [ends] if isinstance(ends, int) else list(ends)
    if tokenizer.eos_token_id not in ends:
        ends.insert(0, tokenizer.eos_token_id)
    room = {} if most is None else {"max_new_tokens": most}
    return GenerationConfig(
        do_sample=False,
        repetition_penalty=1.0,
        eos_token_id=ends,
        pad_token_id=tokenizer.pad_token_id,
        **room,
    )


def write_replies(
    model: Any, tokenizer: Any, rows: Sequence[Row], *, batch: int, synced: bool = False
) -> list[str]:
    """What the model replies to each row's prompt, likeliest token by likeliest token.

    With a model that is divided over processes (`synced`), all of them call this, with equally
    many rows.
    """
    import torch

    wanted = [tokenizer(row.verdict, add_special_tokens=False)["input_ids"] for row in rows]
    config = greedy(model, tokenizer, max(map(len, wanted), default=0) + _ROOM)
    was_training, side = model.training, tokenizer.padding_side
    model.train(False)
    tokenizer.padding_side = "left"  # so that replies begin where prompts end
    written: list[str] = []
    try:
        with torch.no_grad():
            for start in range(0, len(rows), batch):
                inputs = tokenizer.apply_chat_template(
                    [row.prompt_messages for row in rows[start : start + batch]],
                    add_generation_prompt=True,
                    padding=True,
                    return_tensors="pt",
                    return_dict=True,
                ).to(model.device)
                out = model.generate(**inputs, generation_config=config, synced_gpus=synced)
                fresh = out[:, inputs["input_ids"].shape[1] :]
                written += tokenizer.batch_decode(fresh, skip_special_tokens=True)
    finally:
        model.train(was_training)
        tokenizer.padding_side = side
    return written


def tally(rows: Sequence[Row], written: Sequence[str]) -> tuple[int, int]:
    """How many replies give the right verdict, and how many none."""
    labels = [replies.read(reply, row.case).label for row, reply in zip(rows, written, strict=True)]
    right = sum(label is row.correct for row, label in zip(rows, labels, strict=True))
    return right, sum(label is None for label in labels)


def share_of(rows: Sequence[Row], rank: int, processes: int) -> tuple[list[Row], int]:
    """The rows of one process, and how many of them count.

    All processes get equally many, since a divided model writes in step; what was added to the
    last ones does not count.
    """
    mine = list(rows[rank::processes])
    counting = len(mine)
    each = -(-len(rows) // processes)
    return mine + list(rows[: each - counting]), counting


def append(folder: Path, found: Accuracy) -> None:
    """Add a line to the folder's file of accuracies. Raises `SeqniahError`."""
    path = folder / FILE
    fields = {**asdict(found), "accuracy": found.share}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(fields) + "\n")
    except OSError as error:
        raise SeqniahError(f"{path} cannot be written ({error.strerror or error}).") from error
