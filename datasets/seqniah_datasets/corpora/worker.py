"""Indexing in processes of its own, each given a corpus, a tokenizer and a cache folder.

A worker reads shard keys from standard input and answers each with a line of JSON. It is a plain
command rather than a multiprocessing pool, which would run the user's own script again in every
process, and hangs where that script is not guarded or there is none, as in a notebook.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

from seqniah_datasets.errors import CorpusError, DiskFull, SeqniahError


def index_in_parallel(
    keys: Sequence[str], spec: str, tokenizer: str, root: Path, workers: int
) -> Iterator[str]:
    """Index shards, yielding each key when it is done.

    Raises `CorpusError`, or `DiskFull`, at the first failure. Leaving the iterator early, by Ctrl-C
    too, ends the workers at once, and they remove what they were writing.
    """
    processes = [_start(spec, tokenizer, root) for _ in range(workers)]
    idle: SimpleQueue[subprocess.Popen[str]] = SimpleQueue()
    for process in processes:
        idle.put(process)
    pool = ThreadPoolExecutor(workers)
    try:
        for done in as_completed([pool.submit(_ask, key, idle) for key in keys]):
            answer = done.result()
            if "error" in answer:
                raise (DiskFull if "full" in answer else CorpusError)(answer["error"])
            yield answer["key"]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
            process.wait()


def _start(spec: str, tokenizer: str, root: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", f"from {__name__} import main; main()"]
    command += [spec, tokenizer, str(root)]
    path = os.pathsep.join(place for place in sys.path if place)
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
    )


def _ask(key: str, idle: SimpleQueue[subprocess.Popen[str]]) -> dict[str, str]:
    """The answer of the next worker that is idle."""
    process = idle.get()
    assert process.stdin and process.stdout
    line = ""
    with suppress(OSError):
        process.stdin.write(key + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
    idle.put(process)
    if not line:
        return {"error": f"The process that indexed {key} died; is there memory enough?"}
    answer: dict[str, str] = json.loads(line)
    return answer


def main() -> None:
    """Index the shards whose keys come in, until there are no more."""
    from seqniah_datasets.corpora import corpus

    # Ctrl-C reaches every process of the terminal; the one that started this one ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # not before what is half-written is gone
    spec, tokenizer, root = sys.argv[1:]
    opened = corpus(spec, tokenizer, Path(root))
    for line in sys.stdin:
        key = line.rstrip("\n")
        try:
            opened.ensure(key)
            answer = {"key": key}
        except DiskFull as error:
            answer = {"error": str(error), "full": ""}
        except SeqniahError as error:
            answer = {"error": str(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
