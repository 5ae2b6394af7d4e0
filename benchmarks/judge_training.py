"""Measure how fast a judge trains and in how much memory: `python benchmarks/judge_training.py`.

On a GPU a random model of the shape of Qwen2.5-0.5B is trained for some steps on prompts of the
benchmark's own questions; without one it says so and takes the tiny model of the tests. Weights
are random: speed and memory do not depend on what a model knows. Needs the extra `train`.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch

from seqniah_scorers import model_judge
from seqniah_scorers.verdict import Case
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.training import rehearsal, trainer
from seqniah_tasks.training.rows import read
from seqniah_tasks.training.settings import Settings

ROWS = 128
STEPS = 20


def write_rows(folder: Path, count: int) -> None:
    """Questions of the train split with their reference as the answer: of usual length."""
    bench = SequentialNiah(read_options("train"))
    with (folder / "train.jsonl").open("w", encoding="utf-8") as file:
        for planned in bench.plan[:count]:
            item = bench.qa(planned)
            kind = "logical" if item.pipeline == "real-logical" else "temporal"
            case = Case(item.lang, kind, item.question, item.reference, item.reference)
            reason = " ".join(item.reference.splitlines()[1:])
            verdict = model_judge.label_text(item.lang, kind, True, reason, item.question)
            row = {
                "messages": [
                    {"role": "user", "content": model_judge.ask(case)},
                    {"role": "assistant", "content": verdict},
                ],
                "id": planned.id, "lang": item.lang, "needle_type": kind, "label": "correct",
                "question": item.question, "reference": item.reference,
                "response": item.reference,
            }  # fmt: skip
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    gpu = torch.cuda.is_available()
    shape = rehearsal.HALF_BILLION if gpu else rehearsal.TINY
    if gpu:
        print(f"one {torch.cuda.get_device_name(0)}, bf16 over 32-bit weights, all parameters")
    else:
        print("no GPU here: the tiny model of the tests, on the processor")
    batch = 4 if gpu else 2
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_rows(folder, ROWS if gpu else batch * STEPS)
        rows = read(folder, "train")
        rehearsal.write_model(folder / "base", rows, shape, terse=False)
        settings = Settings(
            str(folder / "base"), folder, folder / "judge", epochs=1, batch=batch,
            grad_accum=1, eval_limit=0, limit=batch * STEPS,
        )  # fmt: skip
        if gpu:
            torch.cuda.reset_peak_memory_stats()
        outcome = trainer.train(settings, lambda line: None)
    rate = outcome.tokens / outcome.seconds
    print(
        f"{outcome.steps} steps of {batch} rows, {outcome.tokens:,} tokens, {outcome.seconds:.1f} s"
    )
    print(f"{rate:,.0f} tokens a second, saving a checkpoint included")
    if gpu:
        print(f"{torch.cuda.max_memory_allocated() / 2**30:.1f} GiB of GPU memory at the most")
    unit = 1 if sys.platform == "darwin" else 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**30
    print(f"{most:.1f} GiB of main memory at the most")


if __name__ == "__main__":
    main()
