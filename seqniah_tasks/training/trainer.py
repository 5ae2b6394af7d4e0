"""Supervised fine-tuning of a judge: loss on the verdict alone, resumable, measured each epoch."""

from __future__ import annotations

import importlib.util
import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from seqniah_datasets import store
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.training import accuracy, models
from seqniah_tasks.training import settings as setting
from seqniah_tasks.training.rows import Row, read
from seqniah_tasks.training.settings import Settings

NEEDED = ("torch", "transformers", "trl", "accelerate", "datasets")

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a training came to."""

    steps: int
    loss: float
    """Mean over the steps of this run."""
    seconds: float
    """Of this run."""
    tokens: int
    """Of prompts and verdicts trained on, padding left out, over all epochs."""


def see_installed(*, lora: bool) -> None:
    """Raises `SeqniahError` where the extra is missing."""
    wanted = [*NEEDED, *(["peft"] if lora else [])]
    missing = [name for name in wanted if importlib.util.find_spec(name) is None]
    if missing:
        raise SeqniahError(
            f"Training needs {', '.join(missing)}, not installed here: run pip install "
            "'seqniah[train]', or take the command that --print shows to a machine that has it."
        )


def train(settings: Settings, say: Say, callbacks: Sequence[Any] = ()) -> Outcome:
    """Train a judge into `settings.out`. Raises `SeqniahError` before anything is loaded."""
    setting.checked(settings)
    see_installed(lora=settings.lora)
    checkpoint = setting.see_place(settings)
    rows = read(settings.data, "train", settings.limit)
    cases = read(settings.data, "test", settings.eval_limit) if settings.eval_limit else []
    _see_devices(settings)
    trainer = open_trainer(settings, rows, cases, say, callbacks)
    if trainer.is_world_process_zero():
        digest = store.sha256_of(settings.data / "train.jsonl")
        processes = trainer.accelerator.num_processes
        setting.keep(settings, digest, processes, going_on=checkpoint is not None)
        say(f"{len(rows):,} rows, {len(cases):,} test cases after each epoch")
        if checkpoint is not None:
            say(f"going on from {checkpoint}")
    trainer.accelerator.wait_for_everyone()
    done = trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    models.save(trainer, settings)
    return Outcome(
        steps=done.global_step,
        loss=done.training_loss,
        seconds=done.metrics["train_runtime"],
        tokens=int(trainer.state.num_input_tokens_seen),
    )


def _see_devices(settings: Settings) -> None:
    """One process that sees several GPUs would use one, or all of them badly."""
    import torch

    gpus = torch.cuda.device_count()
    if gpus > 1 and "WORLD_SIZE" not in os.environ:
        raise SeqniahError(
            f"There are {gpus} GPUs here; train on all of them with `"
            f"{shlex.join(setting.launch(settings, gpus))}`, or on one with CUDA_VISIBLE_DEVICES=0."
        )


def open_trainer(
    settings: Settings,
    rows: Sequence[Row],
    cases: Sequence[Row] = (),
    say: Say = lambda line: None,
    callbacks: Sequence[Any] = (),
) -> Any:
    """A trainer with model and rows loaded, ready to train. Raises `SeqniahError`."""
    import torch
    from transformers import set_seed
    from trl import SFTConfig, SFTTrainer

    from datasets import Dataset  # type: ignore[attr-defined, unused-ignore]

    set_seed(setting.SEED)  # adapters begin with drawn weights
    on_gpu = torch.cuda.is_available()
    tokenizer = models.load_tokenizer(settings.model)
    _see_lengths(tokenizer, [*rows, *cases], settings.max_length)
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    config = SFTConfig(
        output_dir=str(settings.checkpoints),
        num_train_epochs=settings.epochs,
        optim="adamw_torch",
        learning_rate=settings.rate,
        lr_scheduler_type="cosine",
        warmup_steps=settings.warmup,  # below 1 it is a share
        weight_decay=settings.weight_decay,
        per_device_train_batch_size=settings.batch,
        gradient_accumulation_steps=settings.accumulation(processes),
        max_length=settings.max_length,
        completion_only_loss=True,
        packing=False,
        gradient_checkpointing=on_gpu,
        bf16=on_gpu,
        use_cpu=not on_gpu,
        seed=setting.SEED,
        data_seed=setting.SEED,
        save_strategy="steps" if settings.save_steps else "epoch",
        save_steps=settings.save_steps or 500,
        save_total_limit=2,  # the last one may be unfinished when a run is killed
        eval_strategy="no",  # accuracy is measured instead, below
        include_num_input_tokens_seen="non_padding",
        logging_steps=10,
        report_to="none",
        trust_remote_code=False,
    )
    model = models.load_model(
        settings.model, torch.bfloat16 if on_gpu and settings.lora else torch.float32
    )
    model.generation_config = accuracy.greedy(model, tokenizer)
    trainer = SFTTrainer(
        model=model,
        args=config,
        train_dataset=Dataset.from_list(
            [{"prompt": row.prompt_messages, "completion": row.verdict_messages} for row in rows]
        ),
        processing_class=tokenizer,
        peft_config=_adapters() if settings.lora else None,
        callbacks=list(callbacks),
    )
    if cases:
        trainer.add_callback(_measuring(trainer, tokenizer, cases, settings, say))
    return trainer


def _see_lengths(tokenizer: Any, rows: Sequence[Row], most: int) -> None:
    """Raises `SeqniahError` for a row that does not fit: cut, it would lose its verdict."""
    for row in rows:
        messages = row.prompt_messages + row.verdict_messages
        length = len(tokenizer.apply_chat_template(messages, return_dict=True)["input_ids"])
        if length > most:
            raise SeqniahError(
                f"The row {row.id} has {length:,} tokens; give --max-length at least as many."
            )


def _adapters() -> Any:
    from peft import LoraConfig

    return LoraConfig(
        r=16, lora_alpha=32, lora_dropout=0.05, target_modules="all-linear", task_type="CAUSAL_LM"
    )


def _measuring(
    trainer: Any, tokenizer: Any, cases: Sequence[Row], settings: Settings, say: Say
) -> Any:
    """A callback that has the model judge the cases at the end of each epoch."""
    from transformers import TrainerCallback

    class Measuring(TrainerCallback):  # type: ignore[misc, unused-ignore]
        def on_epoch_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            found = measure(trainer, tokenizer, cases, settings.batch)
            if state.is_world_process_zero:
                accuracy.append(settings.out, found)
                say(found.line())

    return Measuring()


def measure(trainer: Any, tokenizer: Any, cases: Sequence[Row], batch: int) -> accuracy.Accuracy:
    """The accuracy of a model in training; every process judges its share of the cases."""
    import torch

    accelerator = trainer.accelerator
    mine, counting = accuracy.share_of(cases, accelerator.process_index, accelerator.num_processes)
    written = accuracy.write_replies(
        accelerator.unwrap_model(trainer.model_wrapped),
        tokenizer,
        mine,
        batch=max(batch, 8),  # without gradients, more go at once
        synced=bool(trainer.is_fsdp_enabled),
    )
    counts = accuracy.tally(mine[:counting], written[:counting])
    together = accelerator.reduce(torch.tensor(counts, device=accelerator.device), "sum").tolist()
    state = trainer.state
    return accuracy.Accuracy(round(state.epoch, 2), state.global_step, len(cases), *together)
