"""What the table of records costs: `python benchmarks/records_table.py`.

A log of real answers by the lexical baseline, on short prompts, stands there as often as makes
20,000 samples. Each run is a process of its own that does what `seqniah records` does; the first
one is not counted. Seconds, by the clock and of processor time, are medians; memory is the most of
all runs, in MB of resident memory. On a busy machine only the processor times mean anything.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

RUNS = 3
SAMPLES, LOGS = 200, 100

MAKE = """
import sys
from inspect_ai import eval as run_eval
log = run_eval("seqniah/test", model="seqniah/lexical", limit=int(sys.argv[2]), display="none",
               log_dir=sys.argv[1], task_args={"length": "8k-16k"})[0]
print(log.location)
"""

CHILD = """
import json, sys, time
from pathlib import Path
started = time.perf_counter()
import seqniah_tasks.adapters.inspect.logs
from seqniah_tasks.commands.records import records

marks = []

def note(**more):
    memory = Path("/proc/self/status").read_text()
    most = int(memory.split("VmHWM:")[1].split()[0]) / 1024
    clock, busy = time.perf_counter() - started, time.process_time()
    marks.append({"clock": clock, "busy": busy, "most": most, **more})

note()
logs, out = sorted(Path(sys.argv[1]).glob("*.eval")), Path(sys.argv[2])
records(logs, out)
note(size=out.stat().st_size / 2**10)
print(json.dumps(marks))
"""

Marks = list[dict[str, float]]
"""The harness's own start, the table."""


def _python(code: str, *words: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout.splitlines()[-1]


def run(folder: Path, form: str) -> Marks:
    """What one process noted."""
    marks: Marks = json.loads(_python(CHILD, str(folder), str(folder / f"table.{form}")))
    return marks


def main() -> None:
    """Print what the table takes, beside the harness's own start."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        log = Path(_python(MAKE, str(folder), str(SAMPLES)))
        for number in range(1, LOGS):
            (folder / f"{number:03}.eval").hardlink_to(log)
        print(
            f"{SAMPLES * LOGS:,} samples in {LOGS} logs, {log.stat().st_size / 2**20:.1f} MB each"
        )
        print(f"{'':<36}{'clock':>9}{'processor':>11}{'memory':>10}")
        for form in ("parquet", "csv"):
            run(folder, form)
            runs = [run(folder, form) for _ in range(RUNS)]
            if form == "parquet":
                _say("the harness's own start", [(start, {}) for start, _ in runs])
            made = [(table, start) for start, table in runs]
            _say(f"table.{form}, {made[0][0]['size']:,.0f} KB, beyond that", made)


def _say(what: str, runs: list[tuple[dict[str, float], dict[str, float]]]) -> None:
    times = [
        statistics.median(end[kind] - start.get(kind, 0) for end, start in runs)
        for kind in ("clock", "busy")
    ]
    most = max(end["most"] for end, _ in runs)
    print(f"{what:<36}{times[0]:>7.2f} s{times[1]:>9.2f} s{most:>7,.0f} MB")


if __name__ == "__main__":
    main()
