"""The server on a port: in a thread for tests, in the foreground for `seqniah serve`."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import typer
import uvicorn

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks.baselines import BASELINES, TOP_K
from seqniah_tasks.serve.app import MAX_BODY, make_app
from seqniah_tasks.serve.faults import Faults
from seqniah_tasks.serve.reading import Counter, Reader

HOST, PORT = "127.0.0.1", 8399

_START = 30.0
"""Seconds that a server in a thread is waited for."""

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}
"""Hosts that mean all addresses, and an address that a client on this machine can use."""


@contextmanager
def running(
    faults: Faults | None = None,
    port: int = 0,
    *,
    tokenizer: str = DEFAULT_TOKENIZER,
    overhead: int = 0,
    top_k: int = TOP_K,
    max_body: int = MAX_BODY,
    counter: Counter | None = None,
) -> Iterator[str]:
    """A server in a thread; yields its base URL, which ends in /v1.

    Port 0 is any free one. `overhead` is what a chat template adds to each prompt, in tokens;
    `top_k` is the most sentences of an answer; `counter` is counted up. Raises `SeqniahError` if
    the port cannot be had.
    """
    server, listening = _server(
        HOST, port, faults, tokenizer, overhead, top_k, max_body=max_body, counter=counter
    )
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        _wait(server, thread)
        yield _url(HOST, listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def serve(
    host: str = HOST,
    port: int = PORT,
    faults: Faults | None = None,
    *,
    tokenizer: str = DEFAULT_TOKENIZER,
    overhead: int = 0,
    top_k: int = TOP_K,
    verbose: bool = False,
) -> None:
    """Serve until told to stop; says first where, and how inspect and lm-eval get there.

    Raises `SeqniahError` if the address cannot be had.
    """
    counter = Counter()
    server, listening = _server(
        host, port, faults, tokenizer, overhead, top_k, counter=counter, verbose=verbose
    )
    with listening, contextlib.suppress(KeyboardInterrupt):  # which uvicorn raises at its end
        typer.echo(greeting(_url(host, listening.getsockname()[1]), top_k, faults or Faults()))
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
    host: str,
    port: int,
    faults: Faults | None,
    tokenizer: str,
    overhead: int,
    top_k: int,
    *,
    max_body: int = MAX_BODY,
    counter: Counter | None = None,
    verbose: bool = False,
) -> tuple[uvicorn.Server, socket.socket]:
    """A server that is ready to run, and the socket on which clients can queue already."""
    if overhead < 0:
        raise SeqniahError("--overhead is a number of tokens from 0.")
    if top_k < 1:
        raise SeqniahError(f"--top-k is a whole number from 1, not {top_k}.")
    faults = faults or Faults()
    reader = Reader(faults, tokenizer, overhead, top_k, counter or Counter())
    config = uvicorn.Config(
        make_app(reader, faults, max_body),
        log_config=uvicorn.config.LOGGING_CONFIG if verbose else None,
        log_level="info" if verbose else "critical",  # a broken-off answer is an error to uvicorn
        access_log=verbose,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config), _listen(host, port)


def _listen(host: str, port: int) -> socket.socket:
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


def _url(host: str, port: int) -> str:
    host = _EVERYWHERE.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"


def _wait(server: uvicorn.Server, thread: threading.Thread) -> None:
    deadline = time.monotonic() + _START
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise SeqniahError("The server did not start; see its messages above.")
        time.sleep(0.005)
