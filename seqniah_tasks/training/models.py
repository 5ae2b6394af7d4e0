"""Models and their tokenizers: loaded to be trained, and saved to be served."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from seqniah_datasets import store
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.judge_serving import check_model
from seqniah_tasks.training import accuracy
from seqniah_tasks.training.settings import Settings


def load_tokenizer(model: str) -> Any:
    """A chat model's tokenizer. Raises `SeqniahError`."""
    from transformers import AutoTokenizer

    tokenizer = _loaded(AutoTokenizer, model, f"The tokenizer of {model}")
    if not tokenizer.chat_template:
        raise SeqniahError(
            f"{model} has no chat template, so it cannot be asked; train an instruct model."
        )
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def load_model(model: str, dtype: Any) -> Any:
    """A model from safetensors, without running code of its own. Raises `SeqniahError`."""
    from transformers import AutoModelForCausalLM

    return _loaded(AutoModelForCausalLM, model, model, dtype=dtype, use_safetensors=True)


def _loaded(kind: Any, model: str, what: str, **options: Any) -> Any:
    try:
        return kind.from_pretrained(check_model(model), trust_remote_code=False, **options)
    except (OSError, ValueError) as error:
        # A library's message may go on for a page.
        first = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise SeqniahError(f"{what} cannot be loaded: {first}") from error


def save(trainer: Any, settings: Settings) -> None:
    """Write the judge with its tokenizer to --out, as safetensors in the base model's precision.

    Adapters are kept beside it and merged into it, so that it is served like any other model.
    """
    from transformers import AutoConfig

    accelerator = trainer.accelerator
    state = accelerator.get_state_dict(trainer.model_wrapped)
    model = accelerator.unwrap_model(trainer.model_wrapped)
    if accelerator.is_main_process:
        base = AutoConfig.from_pretrained(check_model(settings.model), trust_remote_code=False)
        with store.new_folder(settings.out / "unfinished") as folder:
            if settings.lora:
                adapter = settings.out / "adapter"
                model.save_pretrained(str(adapter), state_dict=state)
                model = _merged(settings, adapter, base.dtype, trainer.processing_class)
                state = None
            _save_model(model, state, base.dtype, folder)
            trainer.processing_class.save_pretrained(str(folder))
        _move_in(settings.out / "unfinished", settings.out)
    accelerator.wait_for_everyone()


def _merged(settings: Settings, adapter: Path, dtype: Any, tokenizer: Any) -> Any:
    from peft import PeftModel

    base = load_model(settings.model, dtype)
    base.generation_config = accuracy.greedy(base, tokenizer)
    return PeftModel.from_pretrained(base, str(adapter)).merge_and_unload()


def _save_model(model: Any, state: dict[str, Any] | None, dtype: Any, folder: Path) -> None:
    if state is None:
        model.save_pretrained(str(folder))
        return
    cast: dict[tuple[int, Any], Any] = {}
    for name, tensor in state.items():
        # Weights that are one, such as embedding and head, stay one.
        key = tensor.data_ptr(), tensor.shape
        if key not in cast:
            wants = tensor.is_floating_point() and dtype is not None
            cast[key] = tensor.to(dtype) if wants else tensor
        state[name] = cast[key]
    if dtype is not None:
        model.config.dtype = dtype
    model.save_pretrained(str(folder), state_dict=state)


def _move_in(source: Path, target: Path) -> None:
    """Move files into a folder, that which makes a model of them last."""
    for path in sorted(source.iterdir(), key=lambda path: path.name == "config.json"):
        path.replace(target / path.name)
    shutil.rmtree(source)
