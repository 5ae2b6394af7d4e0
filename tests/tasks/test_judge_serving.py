"""`seqniah judge serve` without a GPU: its command, its refusals, and a stand-in for vLLM."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import judge_serving as serving
from seqniah_tasks.commands.judges import serve

app = typer.Typer()
app.command()(serve)

MODEL = "Qwen/Qwen2.5-32B-Instruct"


def _port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _script(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text, "utf-8")
    path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """An environment with two GPUs and a vLLM, both only in name."""
    tools = tmp_path / "bin"
    _script(
        tools, "nvidia-smi", "#!/bin/sh\necho 'GPU 0: A (UUID: x)'\necho 'GPU 1: A (UUID: y)'\n"
    )
    _script(
        tools,
        "vllm",
        f"""#!{sys.executable}
import os, signal, sys, time
def end(*_):
    open({str(tmp_path / "ended")!r}, "a").write("SIGINT ")
    sys.exit(7)
signal.signal(signal.SIGINT, end)
open({str(tmp_path / "arguments")!r}, "w").write("\\n".join(sys.argv[1:]))
open({str(tmp_path / "key")!r}, "w").write(os.environ.get("VLLM_API_KEY", ""))
open({str(tmp_path / "up")!r}, "w").write("")
if "--fail" in sys.argv:
    sys.exit(3)
time.sleep(60)
""",
    )
    return {"PATH": f"{tools}{os.pathsep}/usr/bin{os.pathsep}/bin"}


def _run(arguments: Sequence[str], environ: dict[str, str] | None = None) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [*arguments], env=environ)
    if isinstance(done.exception, SeqniahError):
        return 1, done.stdout, str(done.exception)
    return done.exit_code, done.stdout, done.stderr


def test_print_shows_the_command_and_how_to_judge_with_it() -> None:
    code, out, err = _run([MODEL, "--print", "--tensor-parallel-size", "2"])
    assert code == 0
    words = shlex.split(out)
    assert words[:3] == ["vllm", "serve", MODEL]
    for name, given in {
        "--served-model-name": "Qwen2.5-32B-Instruct",
        "--host": "127.0.0.1",
        "--port": "8000",
        "--max-model-len": "16384",
        "--tensor-parallel-size": "2",
        "--generation-config": "vllm",
        "--structured-outputs-config.backend": "xgrammar",
    }.items():
        assert words[words.index(name) + 1] == given
    assert "--enable-prefix-caching" in words
    assert "--trust-remote-code" not in words
    assert "JUDGE_BASE_URL=http://127.0.0.1:8000/v1 JUDGE_API_KEY=none inspect eval" in err
    assert "--model-role grader=openai-api/judge/Qwen2.5-32B-Instruct -T scorer=judge" in err


def test_further_arguments_are_passed_on_as_they_are() -> None:
    code, out, _ = _run([MODEL, "--print", "--", "--dtype", "bfloat16", "a b; echo"])
    assert code == 0
    assert shlex.split(out)[-3:] == ["--dtype", "bfloat16", "a b; echo"]


def test_a_key_of_the_users_is_not_printed() -> None:
    _, out, err = _run([MODEL, "--print"], {"JUDGE_API_KEY": "hidden"})
    assert "hidden" not in out + err
    assert "JUDGE_API_KEY" not in err


@pytest.mark.parametrize(
    "model", ["", "-x", "--trust-remote-code", "a/b/c", "a; rm", "$(id)", "../gone", "a b", "模型"]
)
def test_what_is_no_model_is_refused(model: str) -> None:
    with pytest.raises(SeqniahError, match="neither a folder here nor the name of a model"):
        serving.check_model(model)


def test_a_folder_is_a_model_if_it_has_a_configuration(tmp_path: Path) -> None:
    folder = tmp_path / "my judge"
    folder.mkdir()
    with pytest.raises(SeqniahError, match="holds no model"):
        serving.check_model(str(folder))
    (folder / "config.json").write_text("{}", "utf-8")
    assert serving.check_model(str(folder)) == str(folder)
    assert serving.served_name(str(folder)) == "my-judge"
    assert serving.served_name(f"{folder}/") == "my-judge"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "0"], "--port"),
        (["--port", "70000"], "--port"),
        (["--host", "a b"], "--host"),
        (["--max-model-len", "12"], "--max-model-len"),
        (["--tensor-parallel-size", "0"], "--tensor-parallel-size"),
    ],
)
def test_a_wrong_option_is_refused(options: list[str], said: str) -> None:
    code, _, err = _run([MODEL, "--print", *options])
    assert code == 1
    assert err.startswith(said) and err.endswith(".")


def test_without_a_gpu_or_without_vllm_it_says_so(
    machine: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving.sys, "executable", str(tmp_path / "python"))
    server = serving.Server(MODEL, port=_port())
    assert serving.gpu_count(machine) == 2
    with pytest.raises(SeqniahError, match="There is no GPU here"):
        serving.ready(server, {**machine, "CUDA_VISIBLE_DEVICES": ""})
    with pytest.raises(SeqniahError, match="asks for 2 GPUs, and 1 can be used"):
        serving.ready(serving.Server(MODEL, gpus=2), {**machine, "CUDA_VISIBLE_DEVICES": "1"})
    assert serving.ready(server, machine) == str(tmp_path / "bin" / "vllm")
    (tmp_path / "bin" / "vllm").unlink()
    with pytest.raises(SeqniahError, match=r"pip install 'seqniah\[vllm\]'"):
        serving.ready(server, machine)


def test_a_taken_port_is_found_before_the_model_is_loaded(machine: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SeqniahError, match=f"Port {port} of 127.0.0.1 cannot be had"):
            serving.ready(serving.Server(MODEL, port=port), machine)


def _start(environ: dict[str, str], *extra: str) -> subprocess.Popen[str]:
    program = "import typer; from seqniah_tasks.commands.judges import serve; typer.run(serve)"
    words = [sys.executable, "-c", program, MODEL, "--port", str(_port()), *extra]
    return subprocess.Popen(
        words, env={**os.environ, **environ}, stdout=subprocess.PIPE, encoding="utf-8"
    )


def test_the_servers_exit_code_is_passed_on(machine: dict[str, str], tmp_path: Path) -> None:
    process = _start({**machine, "JUDGE_API_KEY": "hidden"}, "--", "--fail")
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "hidden" not in out
    assert (tmp_path / "key").read_text("utf-8") == "hidden"
    arguments = (tmp_path / "arguments").read_text("utf-8").split("\n")
    assert arguments[:2] == ["serve", MODEL]
    assert arguments[-1] == "--fail"


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_when_told_to(
    machine: dict[str, str], tmp_path: Path, kind: signal.Signals
) -> None:
    process = _start(machine)
    deadline = time.monotonic() + 60
    while not (tmp_path / "up").exists():
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(kind)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 7
    assert (tmp_path / "ended").read_text("utf-8") == "SIGINT "
    assert "Ctrl-C ends it." in out
