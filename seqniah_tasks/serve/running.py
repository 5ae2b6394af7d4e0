"""The server on a port: in a thread for tests, in the foreground for `seqniah serve`."""

from __future__ import annotations

import contextlib
import math
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks.baselines import BASELINES, TOP_K
from seqniah_tasks.commands.types import TokenizerName
from seqniah_tasks.serve.faults import WELL, Faults
from seqniah_tasks.serve.reading import Counter, Reader
from seqniah_tasks.served import client_url

if TYPE_CHECKING:
    import uvicorn

HOST, PORT = "127.0.0.1", 8399

MAX_BODY = 64 << 20
"""Bytes of a request's body; more are refused with 413."""

READ_TIMEOUT = 60.0
"""Seconds in which a request has to come whole."""

_START = 30.0
"""Seconds that a server in a thread is waited for."""


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What a server takes from its clients."""

    host: str
    """Where it serves, as the user says it."""
    max_body: int
    read_timeout: float

    def __post_init__(self) -> None:
        if not 0 < self.read_timeout < math.inf:
            raise SeqniahError("--read-timeout is a number of seconds above 0.")


@contextmanager
def running(
    faults: Faults = WELL,
    port: int = 0,
    *,
    tokenizer: str = DEFAULT_TOKENIZER,
    overhead: int = 0,
    top_k: int = TOP_K,
    max_body: int = MAX_BODY,
    read_timeout: float = READ_TIMEOUT,
    counter: Counter | None = None,
) -> Iterator[str]:
    """A server in a thread; yields its base URL, which ends in /v1.

    Port 0 is any free one. `overhead` is what a chat template adds to each prompt, in tokens;
    `top_k` is the most sentences of an answer; `counter` is counted up. Raises `SeqniahError` if
    the port cannot be had.
    """
    reader = Reader(faults, tokenizer, overhead, top_k)
    bounds = _Bounds(HOST, max_body, read_timeout)
    listening = _listen(HOST, port)
    server = _server(reader, counter or Counter(), bounds, listening)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        _wait(server, thread)
        yield client_url(HOST, listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def serve(
    *,
    host: Annotated[str, Option(help="Address; only this machine unless told otherwise.")] = HOST,
    port: Annotated[int, Option(help="0 takes any free one.")] = PORT,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    overhead: Annotated[int, Option(help="Tokens a chat template adds to a prompt.")] = 0,
    top_k: Annotated[int, Option(help="Sentences of an answer, at most.")] = TOP_K,
    faults: Faults = WELL,
    read_timeout: Annotated[
        float, Option(help="Seconds in which a request has to come whole.")
    ] = READ_TIMEOUT,
    verbose: Annotated[bool, Option("--verbose", help="Log every request.")] = False,
) -> None:
    """Serve the baselines as an OpenAI-compatible API on this machine, to rehearse a run."""
    counter = Counter()
    reader = Reader(faults, tokenizer, overhead, top_k)
    bounds = _Bounds(host, MAX_BODY, read_timeout)
    listening = _listen(host, port)
    server = _server(reader, counter, bounds, listening, verbose=verbose)
    with listening, contextlib.suppress(KeyboardInterrupt):  # which uvicorn raises at its end
        typer.echo(greeting(client_url(host, listening.getsockname()[1]), top_k, faults))
        server.run([listening])
    typer.echo(
        f"{counter.answered:,} of {counter.requests:,} requests answered, "
        f"{counter.prompt_tokens:,} prompt tokens read."
    )


def greeting(url: str, top_k: int, faults: Faults) -> str:
    """Where the server is, what is not as by default, and a command for each harness."""
    model = next(iter(BASELINES))
    given = ({} if top_k == TOP_K else {"top_k": top_k}) | faults.given()
    told = ", ".join(f"{name}={value}" for name, value in given.items())
    return "\n".join(
        [
            f"Serving {', '.join(BASELINES)} at {url}" + (f" with {told}" if told else ""),
            f"  inspect: SEQNIAH_API_KEY=none SEQNIAH_BASE_URL={url} "
            f"inspect eval seqniah/test --model openai-api/seqniah/{model} --limit 20",
            "  lm-eval: lm_eval run --model local-chat-completions --apply_chat_template "
            f"--model_args model={model},base_url={url}/chat/completions,"
            "tokenizer_backend=none --tasks seqniah --limit 20",
            "Ctrl-C ends it.",
        ]
    )


def _server(
    reader: Reader,
    counter: Counter,
    bounds: _Bounds,
    listening: socket.socket,
    *,
    verbose: bool = False,
) -> uvicorn.Server:
    """A server that is ready to run."""
    import uvicorn

    from seqniah_tasks.serve.app import make_app
    from seqniah_tasks.serve.guarding import ByName, own_names, reading_within

    app = make_app(reader, counter, bounds.max_body)
    config = uvicorn.Config(
        ByName(app, own_names(bounds.host, listening.getsockname()[0])),
        http=reading_within(bounds.read_timeout),
        log_config=uvicorn.config.LOGGING_CONFIG if verbose else None,
        log_level="info" if verbose else "critical",  # a broken-off answer is an error to uvicorn
        access_log=verbose,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config)


def _listen(host: str, port: int) -> socket.socket:
    """Raises `SeqniahError` if the address cannot be had."""
    if not 0 <= port <= 65_535:  # getaddrinfo would take the remainder
        raise SeqniahError(f"--port is a number from 0 to 65535, not {port}.")
    try:
        found = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise SeqniahError(f"{host}:{port} is no address to serve at: {error}.") from error
    try:
        if os.name != "nt":  # where it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        listening.close()
        why = error.strerror
        raise SeqniahError(
            f"Port {port} of {host} cannot be had ({why}); give another with --port."
        ) from error
    return listening


def _wait(server: uvicorn.Server, thread: threading.Thread) -> None:
    deadline = time.monotonic() + _START
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise SeqniahError("The server did not start; see its messages above.")
        time.sleep(0.005)
