"""Runs `seqniah`, `inspect` and `lm_eval` as a user does, without their seconds of imports.

Run as a script, this is what stands for one of them in a PATH: see `folder`.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__)
COMMANDS = ("seqniah", "inspect", "lm_eval")
"""Console scripts that can be asked for."""

AT_START = ("HF_", "LD_", "PYTHON")
"""How variables begin that are read as Python starts or imports; with others no fork will do."""


def run(
    words: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
    check: bool = False,
    anew: Sequence[str] = (),
) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run` with both streams captured as text, nothing to read, and no hub.

    A PYTHONPATH of its own has the command start from scratch, or else import again just the
    packages named `anew`.
    """
    environ = {"HF_HUB_OFFLINE": "1", **(os.environ if env is None else env)}
    command = [str(Path(sys.executable).with_name(Path(words[0]).name)), *words[1:]]
    wanted, usual = _at_start(environ), _at_start({"HF_HUB_OFFLINE": "1", **os.environ})
    path = wanted.get("PYTHONPATH", "") if anew else ""
    if anew:
        wanted["PYTHONPATH"] = usual["PYTHONPATH"] = ""
    if wanted != usual:
        return subprocess.run(
            command, cwd=cwd, env=environ, timeout=timeout, check=check,
            capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL,
        )  # fmt: skip
    asked = {
        "words": command, "cwd": str(cwd or Path.cwd()), "env": environ,
        "anew": list(anew), "path": path.split(os.pathsep) if path else [],
    }  # fmt: skip
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as error,
        Path(os.devnull).open("rb") as nothing,
        _forking() as asking,
    ):
        process = _ask(asking, asked, [nothing.fileno(), out.fileno(), error.fileno()])
        code = _end(asking, process, timeout)
        out.seek(0)
        error.seek(0)
        said = out.read().decode("utf-8"), error.read().decode("utf-8")
    done = subprocess.CompletedProcess(command, code, *said)
    if check:
        done.check_returncode()
    return done


def folder() -> Path:
    """A folder for a PATH, in which the commands are forks too."""
    _forking().close()
    return _shared() / "bin"


def _at_start(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: environ[name] for name in environ if name.startswith(AT_START)}


def _shared() -> Path:
    return Path(os.environ["TESTS_SHARED"])


def _ask(asking: socket.socket, asked: Mapping[str, Any], streams: Sequence[int]) -> int:
    """The process that is now the command."""
    text = json.dumps(asked).encode()
    socket.send_fds(asking, [b"%8d" % len(text)], streams)
    asking.sendall(text)
    return int.from_bytes(_read(asking), "big")


def _end(asking: socket.socket, process: int, timeout: float | None = None) -> int:
    """The exit status; negative where a signal ended the command."""
    asking.settimeout(timeout)
    try:
        return int.from_bytes(_read(asking), "big", signed=True)
    except BaseException as error:
        os.kill(process, signal.SIGKILL)
        if isinstance(error, TimeoutError):
            raise subprocess.TimeoutExpired(str(process), timeout or 0) from None
        raise


def _read(asking: socket.socket) -> bytes:
    raw = asking.recv(8, socket.MSG_WAITALL)
    if len(raw) < 8:
        raise EOFError("the process that forks commands has ended")
    return raw


def _connected() -> socket.socket | None:
    asking = socket.socket(socket.AF_UNIX)
    try:
        asking.connect(str(_shared() / "forking"))
    except OSError:
        asking.close()
        return None
    return asking


def _forking() -> socket.socket:
    """A line to the process that forks, which the first worker that asks starts for all."""
    from filelock import FileLock

    found = _connected()
    if found is None:
        with FileLock(_shared() / "forking.lock"):
            found = _connected()
            if found is None:
                _start()
                found = _connected()
    assert found is not None
    return found


def _start() -> None:
    place = _shared() / "forking"
    place.unlink(missing_ok=True)
    bin_folder = _shared() / "bin"
    bin_folder.mkdir(exist_ok=True)
    for name in COMMANDS:
        program = Path(sys.executable).with_name(name)
        script = f'#!/bin/sh\nexec {sys.executable} -I -S {HERE} {program} "$@"\n'
        (bin_folder / name).write_text(script, "utf-8")
        (bin_folder / name).chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, str(HERE.with_name("forking.py")), str(place)],
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    _STARTED.append(process)
    while not place.exists():
        assert process.poll() is None, "the process that forks commands cannot start"
        time.sleep(0.02)


_STARTED: list[subprocess.Popen[bytes]] = []
"""They end with this process, which has the other end of their standard input."""


def _stand_for(words: Sequence[str]) -> int:
    """Be the command, which has the streams of this process and gets the signals it gets."""
    asking = _connected()
    if asking is None:
        os.execv(words[0], words)
    told = {"words": words, "cwd": str(Path.cwd()), "env": dict(os.environ), "anew": [], "path": []}
    process = _ask(asking, told, [0, 1, 2])
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: os.kill(process, number))
    code = _end(asking, process)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(_stand_for(sys.argv[1:]))
