"""lm-eval's `hf`: a tiny random model with a tokenizer of its own, asked through the command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

import seqniah_tasks
from seqniah_datasets.corpora import procedural
from seqniah_datasets.schema import LANGS
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.prompts import answer_start

MISSING = [name for name in ("torch", "transformers") if find_spec(name) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(MISSING),
        reason=f"{', '.join(MISSING)} not installed: make train-test installs and runs this",
    ),
]

TASKS = Path(seqniah_tasks.__file__).with_name("lm_eval_tasks")
"""As they are now; the harness's own folder may have an older copy."""

WINDOW, SMALL = 40_000, 8_192
"""Tokens that the model reads, and those that it is later said to read."""

LEAST = 2_048
"""Tokens of answer, the fewest that the tasks allow."""

START, USER, ASSISTANT, END = "<s>", "<|user|>", "<|assistant|>", "</s>"
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}"
    f"{USER}\n{{{{ message['content'] }}}}\n"
    f"{{% endfor %}}{{% if add_generation_prompt %}}{ASSISTANT}\n{{% endif %}}"
)

Fields = dict[str, Any]


def _trained() -> Tokenizer:
    """A byte-level encoding of 8,000 tokens, which puts a mark before what it encodes."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=8_000,
        special_tokens=[START, END, USER, ASSISTANT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([procedural.write(one, 200_000, 3) for one in LANGS], trainer)
    mark = (START, tokenizer.token_to_id(START))
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{START} $A", special_tokens=[mark]
    )
    return tokenizer


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a random model of two layers."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("model")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=_trained(),
        **{"bos_token": START, "eos_token": END, "pad_token": END, "chat_template": TEMPLATE},
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=WINDOW,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def metadata(texts: Path) -> Fields:
    return {"corpus": str(texts), "length": "8k-16k", "scorer": "rules"}


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of the command left."""

    code: int
    rows: list[Fields]
    said: str


def _run(folder: Path, model: Path, task: str, metadata: Fields, *words: str) -> Run:
    command = [
        str(Path(sys.executable).with_name("lm_eval")),
        *("run", "--include_path", str(TASKS), "--tasks", task, "--limit", "1"),
        *("--model", "hf", "--model_args", f"pretrained={model},dtype=float32"),
        *("--device", "cpu", "--batch_size", "1", "--gen_kwargs", f"max_gen_toks={LEAST}"),
        *("--metadata", json.dumps(metadata), "--log_samples", "--output_path", str(folder)),
        *words,
    ]
    env = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=env, timeout=600)
    rows = [
        json.loads(line)
        for path in folder.rglob("samples_*.jsonl")
        for line in path.read_text("utf-8").splitlines()
    ]
    return Run(done.returncode, rows, done.stdout + done.stderr)


def _prompt(metadata: Fields, name: str) -> str:
    """The sample of an id, without the harness."""
    chosen = {key: value for key, value in metadata.items() if key != "scorer"}
    bench = SequentialNiah(read_options(**chosen))
    return bench.sample(bench.find(name)).input


@pytest.mark.parametrize("chat", [False, True], ids=["continued", "chat"])
def test_a_model_is_asked_judged_and_its_tokens_counted(
    tmp_path: Path, model: Path, metadata: Fields, chat: bool
) -> None:
    lang, task = ("zh", "seqniah_real_logical_zh") if chat else ("en", "seqniah_real_logical_en")
    words = ["--apply_chat_template"] if chat else []
    done = _run(tmp_path, model, task, metadata, *words)
    assert done.code == 0, done.said[-4_000:]
    (row,) = done.rows
    asked = row["arguments"]["gen_args_0"]["arg_0"]
    prompt = _prompt(metadata, row["doc"]["id"])
    if chat:
        assert asked == f"{START}{USER}\n{prompt}\n{ASSISTANT}\n"
    else:
        assert asked == prompt + answer_start(lang)
    # The template writes the mark itself; the encoding adds it to text that goes on.
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    ids = tokenizer.encode(asked, add_special_tokens=not chat).ids
    assert ids.count(tokenizer.token_to_id(START)) == 1
    judged = row["judged"]
    assert judged["reported_tokens"] == len(ids)
    assert judged["prompt_fate"] == "whole"
    assert "Running generate_until requests" in done.said
    assert "Left truncation" not in done.said
    answer = row["resps"][0][0]
    assert row["filtered_resps"] == [answer if chat else f"1.{answer}"]
    assert judged["correct"] is False and judged["failure_modes"]
    assert row["item_recall"] == 0.0


@pytest.mark.parametrize("task", ["seqniah_real_logical", "counting_stars"])
def test_what_is_counted_is_what_the_model_gets(
    model: Path, metadata: Fields, task: str, texts: Path
) -> None:
    from lm_eval.evaluator import simple_evaluate
    from lm_eval.models.huggingface import HFLM
    from lm_eval.tasks import TaskManager

    class Watched(HFLM):  # type: ignore[misc]
        """Notes the length of every context; its answer is one token."""

        def __init__(self) -> None:
            super().__init__(pretrained=str(model), device="cpu", batch_size=1, dtype="float32")
            self.got: list[int] = []

        def _model_generate(self, context: Any, max_length: int, **given: Any) -> Any:
            self.got.append(context.shape[1])
            assert max_length == context.shape[1] + LEAST
            given.pop("stop")
            return super()._model_generate(context, context.shape[1] + 1, [], **given)

    stars = {"corpus": str(texts), "m": 4, "n": 2, "max_length": "9k"}
    given = stars if task == "counting_stars" else metadata
    for chat in (False, True):
        watched = Watched()
        results = simple_evaluate(
            watched,
            tasks=[f"{task}_en", f"{task}_zh"],
            task_manager=TaskManager(include_path=TASKS, include_defaults=False, metadata=given),
            apply_chat_template=chat,
            gen_kwargs={"max_gen_toks": LEAST},
            limit=2,
            bootstrap_iters=0,
        )
        assert results is not None
        rows = [row for rows in results["samples"].values() for row in rows]
        assert len(watched.got) == len(rows) == 4
        assert sorted(watched.got) == sorted(row["judged"]["reported_tokens"] for row in rows)


def test_a_model_that_reads_too_little_is_refused_before_it_is_asked(
    tmp_path: Path, model: Path, metadata: Fields
) -> None:
    small = tmp_path / "small"
    shutil.copytree(model, small)
    config = json.loads((small / "config.json").read_text("utf-8"))
    config["max_position_embeddings"] = SMALL
    (small / "config.json").write_text(json.dumps(config), "utf-8")
    done = _run(tmp_path, small, "seqniah_real_logical_en", metadata)
    assert done.code == 1
    assert "Traceback" not in done.said
    # What the harness says when the first request is about to be sent.
    assert "Running generate_until requests" not in done.said
    refusal = done.said.rpartition("seqniah: ")[2]
    assert refusal.startswith("The prompt of test-en-8k-16k-")
    assert f"{SMALL:,}" in refusal and "max_length" in refusal
    assert not done.rows


def test_the_example_of_a_base_model_runs(model: Path, tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "lm_eval_base.sh"
    here = str(Path(sys.executable).parent)
    env = {
        **os.environ,
        "PATH": f"{here}{os.pathsep}{os.environ['PATH']}",
        **{"HF_HUB_OFFLINE": "1", "MODEL": str(model), "DEVICE": "cpu"},
        **{"TASKS": "seqniah_real_logical_zh", "LIMIT": "1"},
    }
    done = subprocess.run(
        ["bash", str(example)], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = tmp_path.rglob("samples_seqniah_real_logical_zh_*.jsonl")
    (row,) = map(json.loads, path.read_text("utf-8").splitlines())
    assert row["arguments"]["gen_args_0"]["arg_0"].endswith(answer_start("zh"))
    assert row["judged"]["prompt_fate"] == "whole"
