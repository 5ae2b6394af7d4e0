"""A judge on this machine's GPUs: the command of its server, and how inspect gets there."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Annotated

from typer import Argument, Option

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.served import client_url

HOST, PORT = "127.0.0.1", 8000

CONTEXT = 16_384
"""Tokens of prompt and verdict: the rules, a reference, and an answer of up to 10,000 tokens."""

_STOP = 30.0
"""Seconds that a server gets to end in peace."""


@dataclass(frozen=True, slots=True)
class Server:
    """What is to be served, and where."""

    model: Annotated[str, Argument(help="A model on the hub (OWNER/NAME), or a folder.")]
    port: Annotated[int, Option(help="Where it listens.")] = PORT
    host: Annotated[str, Option(help="Address; only this machine unless told otherwise.")] = HOST
    context: Annotated[
        int, Option("--max-model-len", help="Tokens of prompt and verdict together.")
    ] = CONTEXT
    gpus: Annotated[
        int, Option("--tensor-parallel-size", help="GPUs over which the model is divided.")
    ] = 1


def check_model(model: str) -> str:
    """The name of a model on the hub, or its folder; anything else raises `SeqniahError`."""
    folder = Path(model).expanduser()
    if model and folder.is_dir():
        if not (folder / "config.json").is_file():
            raise SeqniahError(f"The folder {folder} holds no model: it has no config.json.")
        # A path that begins with a hyphen would be read as an option.
        return str(folder.absolute() if model.startswith("-") else folder)
    if re.fullmatch(r"\w[\w.-]*(/\w[\w.-]*)?", model, re.ASCII):
        return model
    raise SeqniahError(
        f"{model!r} is neither a folder here nor the name of a model on the hub (OWNER/NAME)."
    )


def served_name(model: str) -> str:
    """What clients call the model: the last part of its name or path."""
    last = Path(model).expanduser().absolute().name if Path(model).is_dir() else model
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", last.rpartition("/")[2]).strip("-.")
    return name or "judge"


def check(server: Server) -> None:
    """Raises `SeqniahError` for a model, port or number that cannot be."""
    check_model(server.model)
    if not 1 <= server.port <= 65_535:
        raise SeqniahError(f"--port is a number from 1 to 65535, not {server.port}.")
    if not re.fullmatch(r"[\w.:-]+", server.host, re.ASCII) or server.host.startswith("-"):
        raise SeqniahError(f"--host is a name or an address, not {server.host!r}.")
    if server.context < 1_024:
        raise SeqniahError(
            f"--max-model-len is a number of tokens from 1024, not {server.context}."
        )
    if server.gpus < 1:
        raise SeqniahError("--tensor-parallel-size is a number of GPUs from 1.")


def command(server: Server, extra: Sequence[str]) -> list[str]:
    """How vLLM is started for short verdicts in JSON, with further arguments as given."""
    return [
        *("vllm", "serve", check_model(server.model)),
        *("--served-model-name", served_name(server.model)),
        *("--host", server.host, "--port", str(server.port)),
        *("--max-model-len", str(server.context)),
        *("--tensor-parallel-size", str(server.gpus)),
        # All prompts of a kind begin with the same rules.
        "--enable-prefix-caching",
        # A model's own defaults, such as a repetition penalty, would change verdicts even when
        # nothing is sampled.
        *("--generation-config", "vllm"),
        # Named, so that no version chooses another one for the verdict's schema.
        *("--structured-outputs-config.backend", "xgrammar"),
        *extra,
    ]


def usage(server: Server, environ: Mapping[str, str]) -> str:
    """A command that judges a run with the served model."""
    key = "" if environ.get("JUDGE_API_KEY") else "JUDGE_API_KEY=none "
    return (
        f"JUDGE_BASE_URL={shlex.quote(client_url(server.host, server.port))} {key}"
        "inspect eval seqniah/test --model MODEL "
        f"--model-role grader=openai-api/judge/{served_name(server.model)} -T scorer=judge"
    )


def gpu_count(environ: Mapping[str, str]) -> int:
    """GPUs that a program started here may use, found without loading any library."""
    visible = environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None and visible.strip() in ("", "-1"):
        return 0
    found = _listed(environ)
    if visible is not None:
        return min(found, len([one for one in visible.split(",") if one.strip()]))
    return found


def _listed(environ: Mapping[str, str]) -> int:
    tool = shutil.which("nvidia-smi", path=environ.get("PATH"))
    if tool is not None:
        try:
            done = subprocess.run(
                [tool, "-L"], capture_output=True, encoding="utf-8", errors="replace", timeout=30
            )
        except (OSError, subprocess.TimeoutExpired):
            return 0
        lines = done.stdout.splitlines() if done.returncode == 0 else []
        return sum(line.startswith("GPU ") for line in lines)
    nodes = Path("/sys/class/kfd/kfd/topology/nodes")  # AMD; a node without SIMDs is a processor
    found = 0
    for properties in nodes.glob("*/properties"):
        with contextlib.suppress(OSError):
            match = re.search(r"^simd_count (\d+)", properties.read_text("utf-8"), re.M)
            found += bool(match and int(match[1]))
    return found


def ready(server: Server, environ: Mapping[str, str]) -> str:
    """The `vllm` beside this Python, or else on the path, once all that it needs is there.

    Raises `SeqniahError` where something is not.
    """
    gpus = gpu_count(environ)
    if not gpus:
        raise SeqniahError(
            "There is no GPU here for vLLM to serve on; take the command that --print shows to a "
            "machine that has one, or let a provider's model judge."
        )
    if server.gpus > gpus:
        raise SeqniahError(
            f"--tensor-parallel-size asks for {server.gpus} GPUs, and {gpus} can be used here."
        )
    places = os.pathsep.join([str(Path(sys.executable).parent), environ.get("PATH", "")])
    found = shutil.which("vllm", path=places)
    if found is None:
        raise SeqniahError(
            "vLLM is not installed here: run pip install 'seqniah[vllm]', or take the command "
            "that --print shows to the machine that has it."
        )
    _see_port_free(server)
    return found


def _see_port_free(server: Server) -> None:
    """A taken port would be found out only after the model is loaded, which takes minutes."""
    try:
        found = socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except (OSError, UnicodeError) as error:
        raise SeqniahError(
            f"Port {server.port} of {server.host} cannot be had ({error}); give another "
            "with --port."
        ) from error


def run(server: Server, extra: Sequence[str], environ: Mapping[str, str]) -> int:
    """Serve until the server ends or is told to; its exit code. Raises `SeqniahError`."""
    started = [ready(server, environ), *command(server, extra)[1:]]
    passed = dict(environ)
    if environ.get("JUDGE_API_KEY"):  # through the environment, where no process list shows it
        passed.setdefault("VLLM_API_KEY", environ["JUDGE_API_KEY"])
    with _interrupts():
        try:
            # In a session of its own, a Ctrl-C reaches it once, from here.
            process = subprocess.Popen(started, env=passed, start_new_session=True)
        except OSError as error:
            why = error.strerror or error
            raise SeqniahError(f"{started[0]} cannot be started: {why}.") from error
        try:
            code = process.wait()
        except KeyboardInterrupt:
            code = _stop(process)
    return code if code >= 0 else 128 - code


@contextlib.contextmanager
def _interrupts() -> Iterator[None]:
    """Within, a plea to end or a closed terminal is like Ctrl-C."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    kinds = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {kind: signal.signal(kind, interrupt) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def _stop(process: subprocess.Popen[bytes]) -> int:
    """Have a server and its workers end, the hard way if need be."""
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, kind)
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            return process.wait(_STOP)
    return process.wait()
