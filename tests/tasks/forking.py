"""A process that starts commands by forking; `command_line.py` starts it and asks it.

A command of this package or of a harness imports for seconds before it does anything. This
process has imported it all, and each command is a fork of it: a process of its own, with its own
arguments, folder, environment and standard streams, that ends as the command ends.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NoReturn

import lm_eval_yaml
from command_line import COMMANDS
from inspect_ai.model import get_model_info
from lm_eval.tasks._index import TaskIndex

import seqniah_tasks
from seqniah_datasets.tokens import DEFAULT_TOKENIZER, tokenizer
from seqniah_tasks import cli
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.report.drawing import png
from seqniah_tasks.report.drawing.scene import Scene, Text

LAZY = (
    *("seqniah", "inspect_ai.agent._acp.server", "inspect_ai.model._openai_responses"),
    *("lm_eval.evaluator", "lm_eval.loggers", "lm_eval.tasks", "pytablewriter"),
    *("scipy.optimize", "rich.markdown", "pydantic.v1", "anyio._backends._asyncio"),
)
"""What they import only once they run, where it is there under these names."""

Request = dict[str, Any]


def _script(name: str) -> Callable[[], Any]:
    found: Callable[[], Any] = entry_points(group="console_scripts")[name].load()
    return found


def _import_all() -> None:
    for name in COMMANDS:
        _script(name)
    for one in pkgutil.walk_packages(seqniah_tasks.__path__, "seqniah_tasks."):
        if not one.name.endswith("__main__"):
            importlib.import_module(one.name)
    for name in LAZY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    get_model_info("mockllm/model")  # reads the harness's table of models
    assert SequentialNiah(read_options()).chosen  # reads what questions are made of
    for name in (DEFAULT_TOKENIZER, "qwen"):
        assert tokenizer(name).count("one")
    assert cli.command()
    png.file(Scene((Text(0.0, 9.0, "one"),), 9.0))  # reads the fonts
    TaskIndex._iter_yaml_files = lm_eval_yaml.found
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


def _asked(asking: socket.socket) -> tuple[Request, list[int]] | None:
    """A request and its three streams; None where somebody only looked whether we are here."""
    size, streams, *_ = socket.recv_fds(asking, 8, 3)
    if not size:
        return None
    return json.loads(asking.recv(int(size), socket.MSG_WAITALL)), streams


def _text(number: int, **options: Any) -> io.TextIOWrapper:
    """As Python opens a standard stream; the one before may be of another kind than this one."""
    return io.TextIOWrapper(open(number, "wb", closefd=False), "utf-8", **options)


def _become(request: Request, streams: list[int]) -> None:
    """Makes this process, just forked, the one that was asked for."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = _text(1)
    sys.stderr = sys.__stderr__ = _text(2, errors="backslashreplace", line_buffering=True)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    sys.argv = request["words"]
    sys.path[:1] = [str(Path(sys.argv[0]).parent), *request["path"]]
    for name in [name for name in sys.modules if name.partition(".")[0] in request["anew"]]:
        del sys.modules[name]


def _command(asking: socket.socket, request: Request, streams: list[int]) -> None:
    """Returns in the process that is to be the command; another one tells how that ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    process = os.fork()
    if not process:
        asking.close()
        _become(request, streams)
        return
    for stream in streams:
        os.close(stream)
    with contextlib.suppress(OSError):  # who asked may have given up
        asking.sendall(process.to_bytes(8, "big"))
        _, status = os.waitpid(process, 0)
        asking.sendall(os.waitstatus_to_exitcode(status).to_bytes(8, "big", signed=True))
    os._exit(0)


def _next_command(listening: socket.socket) -> str:
    """The name of the command that this process is to be; the first one never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # leaves nothing to wait for
    while True:
        ready, _, _ = select.select([listening, sys.stdin], [], [])
        if sys.stdin in ready:  # closed, by the end of the process that started this one
            os._exit(0)
        asking, _ = listening.accept()
        asked = _asked(asking)
        if asked is None:
            asking.close()
            continue
        request, streams = asked
        if not os.fork():
            listening.close()
            _command(asking, request, streams)
            return Path(sys.argv[0]).name
        asking.close()
        for stream in streams:
            os.close(stream)


def _end_as(script: Callable[[], Any]) -> NoReturn:
    """Run a command and end as Python ends, but leave all that was imported to the system."""
    code: Any = 1
    try:
        code = script()
    except SystemExit as exit:
        code = exit.code
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        if isinstance(error, KeyboardInterrupt):
            code = -signal.SIGINT
    if code is not None and not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
            stream.flush()
    if code == -signal.SIGINT:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit((code or 0) & 255)


if __name__ == "__main__":
    _import_all()
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(f"{sys.argv[1]}.new")
        unix.listen()
        Path(f"{sys.argv[1]}.new").rename(sys.argv[1])
        asked_for = _next_command(unix)
    _end_as(_script(asked_for))
