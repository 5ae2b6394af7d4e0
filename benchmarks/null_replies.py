"""Replies that hold nothing: are they ever taken for answers, and do they move other verdicts?

`inspect eval` asks `seqniah serve` directly, and through a proxy that empties a share of the
replies, drawn from the seed and the prompt: content null at a stop, "" at a stop, and null at the
output limit. Then what held nothing is asked for again, directly.

    python benchmarks/null_replies.py --samples 60
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.scorer import CORRECT

BIN = Path(sys.executable).parent

KINDS: dict[str, tuple[object, str, int]] = {
    "null, stop": (None, "stop", 25),
    '"", stop': ("", "stop", 5),
    "null, length": (None, "length", 5),
    "untouched": (..., "", 65),
}
"""Content, reason for the end, and how many of 100 replies get them."""


@contextmanager
def served() -> Iterator[str]:
    """The address of `seqniah serve`, without a path."""
    process = subprocess.Popen(
        [BIN / "seqniah", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    try:
        found = re.search(r"http://[\d.:]+", process.stdout.readline())
        assert found
        yield found[0]
    finally:
        process.terminate()
        process.wait()


@contextmanager
def emptying(url: str, seed: int, drawn: dict[str, str]) -> Iterator[str]:
    """The address of a proxy; what it does to the reply to each prompt is put into `drawn`."""

    class Proxy(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass_on(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            kept = {k: v for k, v in self.headers.items() if k in ("Authorization", "Content-Type")}
            asked = urllib.request.Request(url + self.path, raw or None, kept, method=self.command)
            try:
                with urllib.request.urlopen(asked) as reply:
                    status, body = reply.status, reply.read()
            except urllib.error.HTTPError as error:
                status, body = error.code, error.read()
            if status == 200 and self.path.endswith("/chat/completions"):
                body = self._emptied(json.loads(raw)["messages"][-1]["content"], body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _emptied(self, prompt: str, body: bytes) -> bytes:
            draw, weights = random.Random(f"{seed} {prompt}"), [one[2] for one in KINDS.values()]
            kind = drawn[prompt] = draw.choices(list(KINDS), weights)[0]
            content, finish, _ = KINDS[kind]
            if content is ...:
                return body
            fields: dict[str, Any] = json.loads(body)
            choice = fields["choices"][0]
            choice["message"]["content"], choice["finish_reason"] = content, finish
            return json.dumps(fields).encode()

        do_GET = do_POST = _pass_on

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def inspect(url: str, logs: Path, *words: str) -> EvalLog:
    """The log of a command of inspect that asks the server."""
    env = {"SEQNIAH_BASE_URL": f"{url}/v1", "SEQNIAH_API_KEY": "none", "HF_HUB_OFFLINE": "1"}
    command = [str(BIN / "inspect"), *words, "--log-dir", str(logs), "--display", "none"]
    subprocess.run(command, check=True, env={**os.environ, **env})
    return read_eval_log(list_eval_logs(str(logs))[0])


Judged = dict[str, tuple[str, ...]]
"""By id, what the scorers say; values as text, since what is no number equals nothing."""


def judged(log: EvalLog) -> Judged:
    return {
        str(one.id): tuple(
            f"{name}: {score.value} {score.reason} {score.answer}"
            for name, score in sorted((one.scores or {}).items())
        )
        for one in log.samples or ()
    }


def kinds(log: EvalLog, drawn: Mapping[str, str]) -> dict[str, str]:
    """By id, what was done to the reply."""
    return {str(one.id): drawn[one.messages[0].text] for one in log.samples or ()}


def outcome(sample: EvalSample) -> str:
    score = (sample.scores or {})["rules"]
    if score.reason is not None:
        return f"unscored, {score.reason}"
    return "right" if score.value == CORRECT else "wrong"


def accuracy(log: EvalLog, ids: set[str]) -> str:
    found = [outcome(one) for one in log.samples or () if str(one.id) in ids]
    return f"{found.count('right')} of {len(found)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    drawn: dict[str, str] = {}
    task = "eval", "seqniah/test", "--model", "openai-api/seqniah/lexical", "-T", "length=8k-16k"
    with tempfile.TemporaryDirectory() as place, served() as url:
        root, words = Path(place), (*task, "--limit", str(asked.samples))
        direct = inspect(url, root / "direct", *words)
        with emptying(url, asked.seed, drawn) as proxy:
            emptied = inspect(proxy, root / "emptied", *words)
        path = emptied.location.removeprefix("file://")
        subprocess.run([BIN / "seqniah", "invalidate", path], check=True)
        again = inspect(url, root / "again", "eval-retry", path)
    done, samples = kinds(emptied, drawn), emptied.samples or ()
    found = Counter((done[str(one.id)], outcome(one)) for one in samples)
    for (kind, what), count in sorted(found.items()):
        print(f"{count:6,} {kind}: {what}")
    others = {name for name, kind in done.items() if kind == "untouched"}
    scored = {str(one.id) for one in samples if not outcome(one).startswith("unscored")}
    one, two, three = judged(direct), judged(emptied), judged(again)
    print(f"{sum(one[name] != two[name] for name in others):6,} untouched, with another verdict")
    print(f"untouched: {accuracy(direct, others)} right directly, {accuracy(emptied, others)} here")
    print(f"all {len(scored)} scored: {accuracy(direct, scored)} right directly, "
          f"{accuracy(emptied, scored)} here, and the log says {metric(emptied):.4f}")  # fmt: skip
    empty = {name for name, kind in done.items() if kind.endswith("stop")}
    print(f"asked again: {len(empty)}, {sum(one[n] != three[n] for n in empty)} with another "
          f"verdict than directly; {sum(two[n] != three[n] for n in done.keys() - empty)} of "
          "the rest changed")  # fmt: skip


def metric(log: EvalLog) -> float:
    assert log.results
    return next(one for one in log.results.scores if one.name == "rules").metrics["accuracy"].value


if __name__ == "__main__":
    main()
