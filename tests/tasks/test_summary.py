"""What a summary and a report tell of runs that did not finish all that they had planned."""

from __future__ import annotations

import io
import json
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import command_line
import pytest
from http_parts import chat_reply, served
from inspect_ai import Epochs, Task, eval_set
from inspect_ai import eval as run_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from rich.console import Console

from seqniah_tasks.adapters.inspect import (
    logs as inspect_logs,
)
from seqniah_tasks.adapters.inspect import (
    logs as inspect_table,
)
from seqniah_tasks.records import RunRecord
from seqniah_tasks.report.page.head import cautions
from seqniah_tasks.report.runs import study
from seqniah_tasks.views.summary import as_json as summary_as_json
from seqniah_tasks.views.summary import print_summary

SEQNIAH, INSPECT = (str(Path(sys.executable).with_name(name)) for name in ("seqniah", "inspect"))
MODEL = "openai-api/rehearsal/org"
PART = {"lang": "en", "pipeline": "real-logical", "length": "8k-16k"}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REHEARSAL_API_KEY", "none")


def _unfinished(path: Path) -> int:
    """By the summary."""
    run = inspect_logs.read_run(path)
    told = summary_as_json(run, path)["unfinished"]
    assert isinstance(told, int)
    assert (f"Unfinished  {told} of " in _printed(run, path)) == (told > 0)
    return told


def _printed(run: RunRecord, path: Path) -> str:
    said = io.StringIO()
    print_summary(Console(file=said, width=60), run, path)
    return said.getvalue()


def _cautions(path: Path) -> list[str]:
    """What a report says of what is not finished."""
    runs = study({path: inspect_table.read(path)}).runs
    return [line for line in cautions(runs) if "finished" in line]


class _Pausing:
    """A server that answers so many requests, and those after them once it is let go on."""

    def __init__(self, most: int) -> None:
        self.most, self.answered = most, 0
        self.paused, self.going_on = threading.Event(), threading.Event()

    def __call__(
        self, method: str, path: str, asked: Any, headers: dict[str, str]
    ) -> tuple[int, Any]:
        if method == "GET":
            return 404, {}
        if self.answered >= self.most and not self.going_on.is_set():
            self.paused.set()
            self.going_on.wait()
            return 503, None
        self.answered += 1
        return 200, chat_reply("I do not know.")


def _await(asked: threading.Event, process: subprocess.Popen[bytes]) -> None:
    """Until the process asks; one that has ended never will."""
    for _ in range(3_000):
        if asked.wait(0.1):
            return
        assert process.poll() is None, f"it ended with {process.returncode} before it asked"
    raise AssertionError("it never asked for the fourth time")


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("seqniah/test", ["-T", "length=8k-16k", "--limit", "4"]),
        ("seqniah/counting_stars", ["-T", "max_length=8k", "-T", "n=2", "-T", "m=8"]),
    ],
)
def test_after_ctrl_c_all_that_was_planned_counts_until_it_is_finished(
    task: str, options: list[str], tmp_path: Path
) -> None:
    server, logs, later = _Pausing(3), tmp_path / "logs", tmp_path / "later"
    with served(server) as url:
        words = [*options, "--epochs", "2", "--max-samples", "1", "--display", "none"]
        asking = ["--model", MODEL, "--model-base-url", f"{url}/v1", "--log-dir", str(logs)]
        with subprocess.Popen(
            [command_line.folder() / "inspect", "eval", task, *words, *asking],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as process:  # fmt: skip
            try:
                _await(server.paused, process)
                process.send_signal(signal.SIGINT)
                process.wait(300)
            finally:
                process.kill()
                server.going_on.set()
        (path,) = logs.glob("*.eval")
        header = read_eval_log(str(path), header_only=True)
        assert header.status == "cancelled" and header.eval.config.epochs == 2
        # Four samples of either task, in two epochs; one was under way.
        assert _unfinished(path) == 5
        # What was under way has no answer, and is no row that nobody could judge.
        rows = inspect_table.read(path)
        assert [row.finished for row in rows] == [True] * 3
        assert _cautions(path) == [
            f"Not every run has finished all that was planned: {MODEL} 3 of 8."
        ]
        done = command_line.run([SEQNIAH, "summary", str(path)], check=True)
        (line,) = (one for one in done.stdout.splitlines() if one.startswith("Unfinished"))
        start, command = "Unfinished  5 of 8 (the run ended without them; inspect ", "eval-retry "
        assert line == f"{start}{command}{shlex.quote(str(path))})"
        retry = shlex.split(line.removeprefix(start).removesuffix(")"))
        command_line.run(
            [INSPECT, *retry, "--log-dir", str(later), "--display", "none"], check=True
        )
    (path,) = later.glob("*.eval")
    assert len(inspect_logs.read_run(path).samples) == 8
    assert (_unfinished(path), _cautions(path)) == (0, [])


def _log(folder: Path, **options: Any) -> Path:
    given = {"task_args": PART, "model": "seqniah/lexical", "display": "log", **options}
    log = run_eval("seqniah/test", log_dir=str(folder), **given)[0]
    assert log.status == "success", log.error
    return Path(log.location)


def _stopped(
    log: Path, path: Path, keep: int, change: Callable[[EvalLog], None] = lambda log: None
) -> Path:
    """The log as if the run had been stopped after so many samples."""
    whole = read_eval_log(str(log))
    samples = (whole.samples or [])[:keep]
    parts = {"status": "cancelled", "samples": samples, "results": None, "reductions": None}
    stopped = whole.model_copy(update=parts, deep=True)
    change(stopped)
    write_eval_log(stopped, str(path))
    return path


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _log(tmp_path_factory.mktemp("five"), limit=5)


@pytest.mark.parametrize(
    ("options", "planned"),
    [
        ({"limit": 3}, 3),
        ({"limit": (1, 5)}, 4),
        ({"limit": 2, "epochs": 3}, 6),
        ({"limit": 2, "epochs": Epochs(2, ["mode", "at_least_1"])}, 4),
        ({"sample_id": "two of them"}, 2),
        ({"sample_id": "two of them", "epochs": 2}, 4),
    ],
)
def test_what_was_planned_is_what_the_options_left(
    five: Path, tmp_path: Path, options: dict[str, Any], planned: int
) -> None:
    if "sample_id" in options:
        ids = [str(sample.id) for sample in inspect_logs.read_run(five).samples]
        options = {**options, "sample_id": [ids[0], f"*{ids[3][5:]}"]}
    whole = _log(tmp_path, **options)
    assert (_unfinished(whole), _cautions(whole)) == (0, [])
    path = _stopped(whole, tmp_path / "stopped.eval", 1)
    assert _unfinished(path) == planned - 1
    assert _cautions(path)[0].endswith(f": seqniah/lexical 1 of {planned}.")


@pytest.mark.parametrize("format", ["eval", "json"])
def test_of_a_run_that_finished_nothing_all_is_unfinished(
    five: Path, tmp_path: Path, format: str
) -> None:
    path = _stopped(five, tmp_path / f"stopped.{format}", 0)
    assert _unfinished(path) == 5


def test_samples_that_ended_with_an_error_are_unfinished(tmp_path: Path) -> None:
    asked = 0

    def reply(method: str, path: str, given: Any, headers: dict[str, str]) -> tuple[int, Any]:
        nonlocal asked
        if method == "GET":
            return 404, {}
        asked += 1
        if asked == 2:
            return 400, {"error": {"message": "This prompt is refused.", "code": "refused"}}
        return 200, chat_reply("I do not know.")

    with served(reply) as url:
        more: dict[str, Any] = {"limit": 4, "max_samples": 1, "fail_on_error": False}
        path = _log(tmp_path, model=MODEL, model_base_url=f"{url}/v1", **more)
    # The others are finished, though the server saw too few tokens for a verdict on any.
    assert {sample.correct for sample in inspect_logs.read_run(path).samples} == {None}
    assert _unfinished(path) == 1
    assert _cautions(path)[0].endswith(f": {MODEL} 3 of 4.")


def test_a_log_that_was_to_hold_no_samples_lacks_none(tmp_path: Path) -> None:
    path = _log(tmp_path, limit=2, log_samples=False)
    assert inspect_logs.read_run(path).samples == ()
    assert _unfinished(path) == 0


def test_where_a_log_tells_no_plan_what_it_holds_is_all_that_is_known(
    five: Path, tmp_path: Path
) -> None:
    def forget(log: EvalLog) -> None:
        assert log.samples
        log.eval.dataset.sample_ids = None
        log.samples[1].scores = None

    path = _stopped(five, tmp_path / "old.eval", 3, forget)
    assert _unfinished(path) == 1
    assert _cautions(path)[0].endswith(": seqniah/lexical 2 of 3.")
    assert [row.planned for row in inspect_table.read(path)] == [None] * 3


def test_a_run_that_goes_on_is_not_said_to_have_ended(five: Path, tmp_path: Path) -> None:
    path = _stopped(five, tmp_path / "going.eval", 2)
    run = replace(inspect_logs.read_run(path), status="started")
    told = f"Unfinished  3 of 5 (the run goes on, or was killed: then inspect eval-retry {path})"
    assert told in _printed(run, path).splitlines()


def test_the_table_of_records_tells_what_was_planned_and_what_is_finished(
    five: Path, tmp_path: Path
) -> None:
    def fail(log: EvalLog) -> None:
        assert log.samples
        log.samples[0].scores = None

    path, out = _stopped(five, tmp_path / "stopped.eval", 3, fail), tmp_path / "rows.jsonl"
    command_line.run([SEQNIAH, "records", str(path), "--out", str(out)], check=True)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["planned"] for row in rows] == [5, 5, 5]
    assert sorted(row["finished"] for row in rows) == [False, True, True]


def test_epochs_are_told_and_answers_are_counted_alike(tmp_path: Path) -> None:
    path = _log(tmp_path, limit=4, epochs=3)
    run, log = inspect_logs.read_run(path), read_eval_log(str(path))
    values = [one.scores["rules"].value for one in log.samples or [] if one.scores]
    assert len(values) == 12
    right = values.count("C")
    said = " ".join(_printed(run, path).split())
    assert f"({right} of 12 right: 4 samples in 3 epochs; 95 % interval" in said
    assert "Unscored 0 of 12 answers (" in said
    assert "Failure modes of 12 answers (several may hold): " in said
    told = summary_as_json(run, path)
    assert (told["epochs"], told["answers"]) == (3, 12)
    assert told["accuracy"][3] == 4  # type: ignore[index]  # Its interval is over samples.
    metrics = {
        name: metric.value
        for score in (log.results.scores if log.results else [])
        if score.name == "prompt"
        for name, metric in score.metrics.items()
    }
    assert metrics == {"whole": 12, "cut": 0, "unverified": 0, "skipped": 0}


def test_a_folder_shows_a_whole_eval_set_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    logs = tmp_path / "logs of mine"
    models = ["seqniah/lexical", "seqniah/skimming"]
    done, _ = eval_set(
        "seqniah/test", str(logs), task_args=PART, model=models, limit=2, display="log"
    )
    assert done
    words = [SEQNIAH, "summary", "--log-dir", str(logs)]
    found = command_line.run(words, check=True)
    titles = [line for line in found.stdout.splitlines() if line.startswith("seqniah/test, ")]
    assert sorted(titles) == [f"seqniah/test, {model}" for model in models]
    assert found.stderr == ""
    runs = json.loads(command_line.run([*words, "--json"], check=True).stdout)["runs"]
    assert sorted(run["model"] for run in runs) == models
    alone = _log(logs, limit=1)
    found = command_line.run([SEQNIAH, "summary", str(logs)], check=True)
    assert f"Log   {alone}" in found.stdout.splitlines()
    assert found.stdout.count("seqniah/test, ") == 1
    assert found.stderr == (
        f"seqniah: 2 other logs are in {logs}, not shown here; give one, or compare all with "
        f"seqniah report '{logs}'\n"
    )


def test_logs_of_other_tasks_are_passed_over(tmp_path: Path) -> None:
    ours = _log(tmp_path, limit=1)
    run_eval(
        Task(MemoryDataset([Sample("2 + 2?")]), name="sums"),
        "mockllm/model",
        log_dir=str(tmp_path),
        display="none",
    )
    found = command_line.run([SEQNIAH, "summary", "--log-dir", str(tmp_path)], check=True)
    assert f"Log   {ours}" in found.stdout.splitlines()
    ours.unlink()
    found = command_line.run([SEQNIAH, "summary", "--log-dir", str(tmp_path)])
    assert (found.returncode, found.stdout) == (1, "")
    assert f"No log of a seqniah task is in {tmp_path}; give a log" in found.stderr
