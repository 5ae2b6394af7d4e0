"""What the model judge adds to its server's own time: `python benchmarks/judge_overhead.py`.

A server in a process of its own answers every request after about the same time, however many
there are, as one with room to spare does. The same prompts are sent by a plain client, 64 at a
time, and judged through inspect, 64 at a time: once as cases (`seqniah score cases`), once as the
samples of a log (`inspect score`). The difference is what prompts, schema, client, retries, cache,
reading and logging cost. On a busy machine only the processor times mean anything.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import socket
import statistics
import tempfile
import time
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import httpx
import uvicorn

from seqniah_scorers import model_judge
from seqniah_scorers.verdict import Case

CONNECTIONS = 64
RUNS = 3
REPLY = model_judge.label_text("en", "temporal", True, "Every item is there. " * 12, "It asks.")


def serve(port: int, seconds: float) -> None:
    """Answer every request after so many seconds, give or take two fifths, all at once."""
    numbers = itertools.count()
    message = {"role": "assistant", "content": REPLY}
    body = json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "judge",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1_500, "completion_tokens": 90, "total_tokens": 1_590},
        }
    ).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        while (await receive()).get("more_body"):
            pass
        # Verdicts differ in length; were they all alike, requests would come in bursts for ever.
        await asyncio.sleep(seconds * (0.6 + 0.8 * (next(numbers) * 0.618034 % 1)))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    uvicorn.run(app, port=port, log_level="critical", lifespan="off", backlog=2048)


def cases(count: int) -> list[Case]:
    """Answers of a usual length, none like another."""
    reference = "The diary of Ann Bell records:\n" + "\n".join(
        f"- May {day:02d}, 2010: Mended fence number {day} behind the northern barn."
        for day in range(1, 10)
    )
    listed = reference.partition("\n")[2]
    return [
        Case("en", "temporal", "List the diary of Ann Bell.", reference, f"{n}:\n\n{listed}")
        for n in range(count)
    ]


async def _plain(url: str, asked: list[Case]) -> None:
    waiting = iter(asked)

    async def work(client: httpx.AsyncClient) -> None:
        for case in waiting:
            message = {"role": "user", "content": model_judge.ask(case)}
            body = {"model": "judge", "messages": [message], "temperature": 0}
            (await client.post(f"{url}/chat/completions", json=body)).raise_for_status()

    limits = httpx.Limits(max_connections=CONNECTIONS)
    async with httpx.AsyncClient(limits=limits, timeout=60) as client:
        await asyncio.gather(*(work(client) for _ in range(CONNECTIONS)))


def plain(url: str, asked: list[Case]) -> None:
    """The server's own time, as a client sees it that does nothing else."""
    asyncio.run(_plain(url, asked))


def as_cases(asked: list[Case]) -> None:
    """Through `open_judge`."""
    from seqniah_tasks.judging.opening import open_judge

    judge = open_judge("openai-api/judge/judge", max_connections=CONNECTIONS)
    assert all(one.verdict.correct for one in judge.verdicts(asked))


def as_samples(asked: list[Case]) -> Callable[[], Callable[[], None]]:
    """Through the scorer `seqniah/judge`, on a log that is made beforehand."""
    from inspect_ai import Task, score
    from inspect_ai import eval as run_eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model

    import seqniah

    facts = {"lang": "en", "pipeline": "synthetic-temporal", "order_required": False}
    samples = [
        Sample(input=case.question, target=case.reference, metadata=facts, id=n)
        for n, case in enumerate(asked)
    ]
    outputs = [ModelOutput.from_content("mock", case.response) for case in asked]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    mock = get_model("mockllm/model", custom_outputs=outputs)
    folder = tempfile.mkdtemp()
    log = run_eval(
        Task(samples), model=mock, log_dir=folder, display="none", max_samples=1, score=False
    )[0]
    settings = GenerateConfig(max_connections=CONNECTIONS)
    grader = get_model("openai-api/judge/judge", config=settings, memoize=False)

    def prepare() -> Callable[[], None]:
        mine = deepcopy(log)  # the command reads a log of its own

        def work() -> None:
            roles = {"grader": grader}
            judged = score(mine, seqniah.judge(), model_roles=roles, display="none", copy=False)
            assert judged.results and judged.results.scores[0].metrics["accuracy"].value == 1.0

        return work

    return prepare


def _took(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of this process's processor time."""
    # Nothing may come from an earlier run.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INSPECT_CACHE_DIR"] = folder
        started, busy = time.perf_counter(), time.process_time()
        work()
        return time.perf_counter() - started, time.process_time() - busy


def main() -> None:
    """Print the three times, and the overhead over the plain client's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=640)
    parser.add_argument("--seconds", type=float, default=0.5, help="of the server, for a verdict")
    given = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = multiprocessing.get_context("spawn").Process(
        target=serve, args=(port, given.seconds), daemon=True
    )
    server.start()
    url = f"http://127.0.0.1:{port}/v1"
    os.environ |= {"JUDGE_BASE_URL": url, "JUDGE_API_KEY": "none"}
    _wait(port)
    asked = cases(given.cases)
    ways: dict[str, Callable[[], Callable[[], None]]] = {
        "plain client": lambda: lambda: plain(url, asked),
        "seqniah score cases": lambda: lambda: as_cases(asked),
        "inspect score": as_samples(asked),
    }
    for prepare in ways.values():  # imports, connections, caches of the interpreter
        _took(prepare())
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for _ in range(RUNS):  # in turn, so that a busy machine slows all of them
        for name, prepare in ways.items():
            runs[name].append(_took(prepare()))
    least = given.cases / CONNECTIONS * given.seconds
    print(f"{given.cases} verdicts of {given.seconds} s, {CONNECTIONS} at once: {least} s at best")
    base = statistics.median(clock for clock, _ in runs["plain client"])
    for name, found in runs.items():
        clock, busy = (statistics.median(one) for one in zip(*found, strict=True))
        each = busy / given.cases * 1e3
        print(f"{name:<22}{clock:7.2f} s{clock / base - 1:>9.1%}{each:8.2f} ms of processor each")
    server.terminate()


def _wait(port: int) -> None:
    for _ in range(500):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise SystemExit("The server did not start.")


if __name__ == "__main__":
    main()
