"""What the test split costs in lm-eval: `python benchmarks/lm_eval_documents.py`.

Each run is a process of its own that does what `lm_eval --tasks seqniah` does: it lets the harness
find its tasks, makes the documents of the six subtasks, and builds all their requests, for a model
without a tokenizer, which is where the run ends. The first run writes the embedded corpus and is
not counted. Seconds, by the clock and of processor time, are medians; memory is the most of all
runs, in MB of resident memory. On a busy machine only the processor times mean anything.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

RUNS = 5

CHILD = """
import json, sys, time
from pathlib import Path
started = time.perf_counter()
from lm_eval.api.model import LM
from lm_eval.evaluator import evaluate
from lm_eval.tasks import TaskManager

marks = []

def note(**more):
    memory = Path("/proc/self/status").read_text()
    most, now = (int(memory.split(f"{name}:")[1].split()[0]) / 1024 for name in ("VmHWM", "VmRSS"))
    clock, busy = time.perf_counter() - started, time.process_time()
    marks.append({"clock": clock, "busy": busy, "most": most, "now": now, **more})

class Model(LM):
    def generate_until(self, requests):
        texts = [request.args[0] for request in requests]
        note(count=len(texts), text=sum(map(sys.getsizeof, texts)) / 2**20)
        print(json.dumps(marks))
        sys.exit()

    def loglikelihood(self, requests):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood

manager = TaskManager()
note()
loaded = manager.load(["seqniah"])
note(count=sum(len(task.eval_docs) for task in loaded["tasks"].values()))
evaluate(Model(), loaded)
"""

Marks = list[dict[str, float]]
"""The harness's own start, the documents, the requests."""


def run() -> Marks:
    """What one process noted."""
    done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    marks: Marks = json.loads(done.stdout.splitlines()[-1])
    return marks


def main() -> None:
    """Print what the documents and the requests take, beside the harness's own start."""
    run()
    runs = [run() for _ in range(RUNS)]
    _, documents, requests = runs[0]

    def say(what: str, place: int, memory: list[float], note: str = "") -> None:
        print(f"{what:<42}", end="")
        for kind in ("clock", "busy"):
            spent = [
                marks[place][kind] - (marks[place - 1][kind] if place else 0) for marks in runs
            ]
            print(f"{statistics.median(spent):>7.2f} s", end="")
        print(f"{max(memory):>8,.0f} MB {note}".rstrip())

    print(f"{'':<42}{'clock':>9}{'processor':>10}{'memory':>10}")
    say("the harness's own start", 0, [start["most"] for start, _, _ in runs])
    beyond = [made["most"] - start["now"] for start, made, _ in runs]
    say(f"{documents['count']:,.0f} documents, beyond that", 1, beyond)
    text = f"in all, {requests['text']:,.0f} of them text"
    say(f"{requests['count']:,.0f} requests", 2, [built["most"] for _, _, built in runs], text)


if __name__ == "__main__":
    main()
