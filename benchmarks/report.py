"""What a report costs: `python benchmarks/report.py`.

Logs of real answers by the lexical baseline, on short prompts, stand there as often as makes 20,000
samples: 20 logs of 1,000, and 50 logs of 400, each a run of its own. Each report is a process of
its own, `seqniah report` as a user calls it, its start included; the first one is not counted.
Seconds, by the clock and of processor time, are medians; memory is the most of all, in MB of
resident memory. On a busy machine only the processor times mean anything.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

RUNS = 3
SHAPES = ((1_000, 20), (400, 50))
"""Samples of a log, and logs."""

MAKE = """
import sys
from inspect_ai import eval as run_eval
log = run_eval("seqniah/train", model="seqniah/lexical", limit=int(sys.argv[2]), display="none",
               log_dir=sys.argv[1], task_args={"length": "8k-16k"})[0]
print(log.location)
"""


def run(logs: Path, out: Path) -> tuple[float, float, float]:
    """Seconds by the clock, seconds of processor time and MB of one report."""
    words = [str(Path(sys.executable).with_name("seqniah")), "report", str(logs), "--out", str(out)]
    started = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(process.stderr.read().decode() if process.stderr else "it failed")
    clock = time.perf_counter() - started
    return clock, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Print what reports take."""
    print(f"{'':<40}{'clock':>9}{'processor':>11}{'memory':>10}{'page':>10}")
    for samples, count in SHAPES:
        with TemporaryDirectory() as name:
            logs, out = Path(name) / "logs", Path(name) / "report"
            made = subprocess.run(
                [sys.executable, "-c", MAKE, str(logs), str(samples)],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            log = Path(made.stdout.splitlines()[-1])
            for number in range(1, count):
                # By folders: of the logs in one, only the last run of a model counts.
                (logs / str(number)).mkdir()
                (logs / str(number) / log.name).hardlink_to(log)
            run(logs, out)
            found = [run(logs, out) for _ in range(RUNS)]
            clock, busy = (statistics.median(one[part] for one in found) for part in (0, 1))
            page = (out / "index.html").stat().st_size / 2**20
            what = f"{samples * count:,} samples in {count} logs"
            most = max(one[2] for one in found)
            print(f"{what:<40}{clock:>7.2f} s{busy:>9.2f} s{most:>7,.0f} MB{page:>7.1f} MB")


if __name__ == "__main__":
    main()
