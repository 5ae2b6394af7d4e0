"""Indexing in processes of its own, each given a corpus, a tokenizer and a cache folder.

A worker reads shard keys from standard input and answers each with a line of JSON. It is a plain
command rather than a multiprocessing pool, which would run the user's own script again in every
process, and hangs where that script is not guarded or there is none, as in a notebook.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from seqniah_datasets.errors import CorpusError, SeqniahError


def index_in_parallel(
    keys: Sequence[str], spec: str, tokenizer: str, root: Path, workers: int
) -> Iterator[str]:
    """Index shards, yielding each key when it is done. Raises `CorpusError` at the first failure.

    Leaving the iterator early, by Ctrl-C too, ends the workers at once; what one of them was
    writing is swept away by the next that indexes the shard.
    """
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for key in keys:
        waiting.put(key)
    answers: queue.SimpleQueue[dict[str, str]] = queue.SimpleQueue()
    processes = [_start(spec, tokenizer, root) for _ in range(workers)]
    for process in processes:
        threading.Thread(target=_feed, args=(process, waiting, answers), daemon=True).start()
    try:
        for _ in keys:
            answer = answers.get()
            if "error" in answer:
                raise CorpusError(answer["error"])
            yield answer["key"]
    finally:
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


def _feed(
    process: subprocess.Popen[str],
    waiting: queue.SimpleQueue[str],
    answers: queue.SimpleQueue[dict[str, str]],
) -> None:
    """Give a worker one key after the other, and pass its answers on."""
    assert process.stdin and process.stdout
    while True:
        try:
            key = waiting.get_nowait()
        except queue.Empty:
            return
        try:
            process.stdin.write(key + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        dead = {"error": f"The process that indexed {key} died; is there memory enough?"}
        answers.put(json.loads(line) if line else dead)
        if not line:
            return


def main() -> None:
    """Index the shards whose keys come in, until there are no more."""
    from seqniah_datasets.corpora import corpus

    # Ctrl-C reaches every process of the terminal; the one that started this one ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    spec, tokenizer, root = sys.argv[1:]
    opened = corpus(spec, tokenizer, Path(root))
    for line in sys.stdin:
        key = line.rstrip("\n")
        try:
            opened.ensure(key)
            answer = {"key": key}
        except SeqniahError as error:
            answer = {"error": str(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
