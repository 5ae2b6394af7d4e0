"""A small random model with a tokenizer of its own, to try training and serving offline.

It is built like Qwen2.5 and knows nothing; trained on a handful of cases it learns them by heart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from seqniah_tasks.training.rows import Row
from seqniah_tasks.training.settings import SEED

TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""How Qwen's chat models mark turns."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a model is."""

    hidden: int
    """Width of a layer."""
    inner: int
    """Width inside a layer's feed-forward part."""
    layers: int
    heads: int
    groups: int
    """Heads of keys and values."""
    rows: int = 0
    """Of the embedding; 0: as many as the tokenizer has tokens."""


TINY = Shape(hidden=128, inner=256, layers=2, heads=4, groups=2)
HALF_BILLION = Shape(hidden=896, inner=4_864, layers=24, heads=14, groups=2, rows=151_936)
"""That of Qwen2.5-0.5B: 494 million parameters."""


def write_model(folder: Path, rows: Sequence[Row], shape: Shape = TINY, *, terse: bool) -> None:
    """Write a random model, and a tokenizer trained on the rows; the same ones each time.

    A terse tokenizer takes what the prompts of a kind begin and end with for one token each, so
    that a processor too trains on them in no time.
    """
    import torch
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=4_000,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = [text for row in rows for text in (row.prompt, row.verdict)]
    tokenizer.train_from_iterator(texts, trainer)
    if terse:
        tokenizer.add_tokens([AddedToken(text, normalized=False) for text in _shared(rows)])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=TEMPLATE,
    )
    torch.manual_seed(SEED)
    config = Qwen2Config(
        vocab_size=max(shape.rows, len(fast)),
        hidden_size=shape.hidden,
        intermediate_size=shape.inner,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.groups,
        max_position_embeddings=32_768,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=fast.eos_token_id,
        pad_token_id=fast.pad_token_id,
    )
    Qwen2ForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    fast.save_pretrained(folder)


def _shared(rows: Sequence[Row]) -> list[str]:
    """What the prompts of each language and kind begin with, and what they end with."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        kinds.setdefault((row.case.lang, row.case.needle_type), []).append(row.prompt)
    found: list[str] = []
    for prompts in kinds.values():
        if len(prompts) > 1:
            found.append(_beginning(prompts))
            found.append(_beginning([prompt[::-1] for prompt in prompts])[::-1])
    return [text for text in dict.fromkeys(found) if text]


def _beginning(texts: Sequence[str]) -> str:
    """What all of some texts begin with."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(min(texts), max(texts), strict=False))
    return "".join(one for one, _ in same)
