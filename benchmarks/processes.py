"""What whole processes take, as a user starts them: a part of `run.py`."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import RUNS, cpu, median, say, spec

from seqniah_datasets.corpora import procedural


def _distinct_text(size: int, folder: Path) -> int:
    """Files of distinct text, both languages; returns their bytes."""
    written = number = 0
    while written < size:
        lang = "zh" if number % 3 == 2 else "en"
        text = procedural.write(lang, 2_000_000, 5_000 + number)
        (folder / f"{number:04d}.txt").write_text(text, "utf-8")
        written += len(text.encode())
        number += 1
    return written


TOKENISE = """
import sys
from pathlib import Path
from seqniah_datasets import tokens
encode = tokens.tokenizer()._encode_long
for path in sorted(Path(sys.argv[1]).iterdir()): encode(path.read_bytes())
"""

INDEX = """
import sys
from seqniah_datasets.corpora import corpus
if __name__ == "__main__": corpus(sys.argv[1]).prepare()
"""


def indexing() -> None:
    """A cold process that indexes 200 MB, against one that only tokenises the same text."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "texts"
        folder.mkdir()
        size = _distinct_text(200_000_000, folder)
        scripts = {"tokenise": TOKENISE, "index": INDEX}
        hidden = Path(place) / "hidden"
        hidden.mkdir()
        (hidden / "gigatoken.py").write_text("raise ImportError('hidden')\n", "utf-8")
        for name, script in scripts.items():
            (Path(place) / f"{name}.py").write_text(script, "utf-8")
        for engine in ("tiktoken", "gigatoken"):
            speeds: dict[str, list[float]] = {name: [] for name in scripts}
            for run in range(3):
                env = {**os.environ, "SEQNIAH_CACHE": f"{place}/cache-{engine}-{run}"}
                if engine == "tiktoken":  # for worker processes too, as on a plain install
                    env["PYTHONPATH"] = str(hidden)
                for name, found in speeds.items():
                    words = [sys.executable, f"{place}/{name}.py", str(folder)]
                    spent = cpu(lambda w=words, e=env: subprocess.run(w, check=True, env=e))  # type: ignore[misc]
                    found.append(size / spent / 1e6)
            middle = {name: statistics.median(found) for name, found in speeds.items()}
            say(f"tokenising alone, cold, {engine}", middle["tokenise"], "MB/s")
            say(f"indexing, cold, {engine}", middle["index"], "MB/s")
            say("indexing / tokenising", middle["index"] / middle["tokenise"], "")


FULL = """
import sys
from pathlib import Path
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
count = total = 0
for split in sys.argv[2:]:
    bench = SequentialNiah(read_options(split, corpus=sys.argv[1]))
    for planned in bench.plan:
        count, total = count + 1, total + bench.recipe(planned).tokens
peak = Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]
print(count, total, int(peak) // 1024)
"""


def whole_splits() -> None:
    """Recipes of the test split, and of all splits, process start included."""
    for names in (["test"], ["test", "dev", "train"]):
        walls, memory, count, total = [], 0, 0, 0
        for run in range(RUNS + 1):  # the first one warms the index
            start = time.perf_counter()
            said = subprocess.run(
                [sys.executable, "-c", FULL, spec(), *names],
                check=True, capture_output=True, text=True,
            ).stdout  # fmt: skip
            walls += [time.perf_counter() - start] if run else []
            count, total, memory = map(int, said.split())
        note = f"{total:,} tokens"
        say(f"{count:,} recipes, warm index, wall", statistics.median(walls), "s", note)
        say(f"{count:,} recipes, peak memory", memory, "MB")


EVENTS = """
import sys
from pathlib import Path
from seqniah_datasets import splits
from seqniah_datasets.schema import LANGS, SPLITS, Pipeline
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.event_pool import EventPool
pool, made = EventPool([Path(sys.argv[1])]), 0
for split in SPLITS:
    for lang in LANGS:
        wishes = splits.wishes(split, lang, Pipeline.REAL_TEMPORAL, 0)
        supply = pool.supply(Demand(lang, split, 0, wishes))
        serials = [n for n in range(len(wishes)) if supply.needles(n) is not None]
        made += len([supply.item(serial) for serial in serials])
print(made)
"""


def events() -> None:
    """ICEWS05-15 to all questions that it gives, process start included."""
    real = os.environ.get("SEQNIAH_REAL_DATA")
    if not real:
        print("ICEWS to questions: not measured, SEQNIAH_REAL_DATA is not set")
        return
    made = ""

    def run() -> float:
        nonlocal made
        start = time.perf_counter()
        made = subprocess.run(
            [sys.executable, "-c", EVENTS, f"{real}/tkg/icews05-15.tsv"],
            check=True, capture_output=True, text=True,
        ).stdout.strip()  # fmt: skip
        return time.perf_counter() - start

    spent = median(run)
    say("ICEWS05-15 to questions, wall", spent, "s", f"{made} questions")


def task_start() -> None:
    """`inspect eval seqniah/test --limit 1` against a task of one line."""
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "bare.py").write_text(
            "from inspect_ai import Task, task\nfrom inspect_ai.dataset import Sample\n"
            "@task\ndef bare(): return Task(dataset=[Sample(input='x')])\n", "utf-8",
        )  # fmt: skip
        inspect = str(Path(sys.executable).with_name("inspect"))

        def run(task: str, *words: str) -> float:
            start = time.perf_counter()
            subprocess.run(
                [inspect, "eval", task, "--model", "seqniah/lexical", "--log-dir", place, *words],
                check=True, capture_output=True, cwd=place,
            )  # fmt: skip
            return time.perf_counter() - start

        run("seqniah/test", "--limit", "1")
        bare = median(lambda: run("bare.py"))
        ours = median(lambda: run("seqniah/test", "--limit", "1"))
        say("inspect eval of one bare sample, wall", bare, "s")
        say("inspect eval seqniah/test --limit 1, wall", ours, "s")
        say("task start beyond inspect's own", ours - bare, "s")


def first_run() -> None:
    """The main job with an empty cache: 20 samples, their documents written and indexed."""
    with tempfile.TemporaryDirectory() as place:
        inspect = str(Path(sys.executable).with_name("inspect"))

        def run() -> float:
            with tempfile.TemporaryDirectory() as cache:
                start = time.perf_counter()
                subprocess.run(
                    [
                        inspect, "eval", "seqniah/test", "--model", "seqniah/lexical",
                        "--limit", "20", "--log-dir", place,
                    ],
                    check=True, capture_output=True, env={**os.environ, "SEQNIAH_CACHE": cache},
                )  # fmt: skip
                return time.perf_counter() - start

        say("main job from an empty cache, wall", median(run, 3), "s")
