"""`seqniah lm-eval` beside an lm-eval that has the tasks, has others, has none, or is hidden."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import command_line
import pytest

from seqniah_tasks.adapters.lm_eval import command as lm_eval_cli
from seqniah_tasks.adapters.lm_eval.command import Copy
from seqniah_tasks.adapters.lm_eval.tasks import TASKS

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
ONE = "seqniah_dev_real_logical_en"


def _link_code(site: Path) -> Path:
    """The installed lm-eval in a folder of its own, of its tasks only the code."""
    spec = importlib.util.find_spec("lm_eval")
    assert spec is not None and spec.origin
    real = Path(spec.origin).parent
    folder = site / "lm_eval"
    (folder / "tasks").mkdir(parents=True)
    for path in real.iterdir():
        if path.name not in ("tasks", "__pycache__"):
            (folder / path.name).symlink_to(path)
    for path in (real / "tasks").glob("*.py"):
        (folder / "tasks" / path.name).symlink_to(path)
    return folder


def _spoil(copy: Path) -> None:
    """Make a copy of the tasks older: a task is missing, and the rest is for another class."""
    (copy / f"{ONE}.yaml").unlink()
    common = copy / "_sequential_niah_yaml"
    common.write_text(common.read_text("utf-8").replace("SeqniahTask", "OlderTask"), "utf-8")


@dataclass(frozen=True, slots=True)
class Place:
    """An lm-eval that comes before the installed one, and a folder in which commands run."""

    site: Path
    cwd: Path

    @property
    def environ(self) -> Mapping[str, str]:
        return {**os.environ, "PYTHONPATH": str(self.site), "COLUMNS": "100"}

    anew: tuple[str, ...] = ("lm_eval", "seqniah_tasks")
    """What commands import from here; all that they import if they start from scratch."""

    def run(self, *words: str, code: int = 0) -> tuple[str, str]:
        """Standard output and error of `seqniah lm-eval`."""
        done = self._command(SEQNIAH, "lm-eval", *words)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout, done.stderr

    def harness(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The harness's own command beside it."""
        return self._command("lm_eval", *words)

    def _command(self, *words: str) -> subprocess.CompletedProcess[str]:
        return command_line.run(words, cwd=self.cwd, env=self.environ, anew=self.anew)


@pytest.fixture(params=list(Copy))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Once with each kind of copy in lm-eval's own folder."""
    return _place(tmp_path, request.param)


@pytest.fixture
def bare(tmp_path: Path) -> Place:
    """With no copy."""
    return _place(tmp_path, Copy.NONE)


def _place(tmp_path: Path, copy: Copy) -> Place:
    folder = _link_code(tmp_path / "site")
    if copy is not Copy.NONE:
        shutil.copytree(TASKS, folder / "tasks" / "seqniah")
    if copy is Copy.OTHER:
        _spoil(folder / "tasks" / "seqniah")
    (tmp_path / "cwd").mkdir()
    found = lm_eval_cli.installed([str(tmp_path / "site"), *sys.path])
    assert found == lm_eval_cli.Harness(folder, None)
    assert found.copy() is copy
    return Place(tmp_path / "site", tmp_path / "cwd")


def _users_task(folder: Path, name: str = "my_own") -> Path:
    """A folder with a task of the user's: one of ours under a name of his."""
    folder.mkdir()
    text = f"include: {TASKS / f'{ONE}.yaml'}\ntask: {name}\n"
    (folder / "my_own.yaml").write_text(text, "utf-8")
    return folder


def _tasks_run(out: Path) -> set[str]:
    (path,) = out.rglob("results_*.json")
    return set(json.loads(path.read_text("utf-8"))["configs"])


def test_a_run_finds_this_packages_tasks_whatever_copy_there_is(place: Place) -> None:
    place = replace(place, anew=())
    words = ("--model", "dummy", "--tasks", ONE, "--limit", "1")
    out, _ = place.run("run", *words, "--log_samples", "--output_path", "out")
    assert "dev, real-logical en" in out
    assert _tasks_run(place.cwd / "out") == {ONE}
    (samples,) = (place.cwd / "out").rglob("samples_*.jsonl")
    assert json.loads(samples.read_text("utf-8"))["acc"] == 0


def test_listing_and_validating_find_them_too(place: Place) -> None:
    out, _ = place.run("ls", "groups")
    assert {"seqniah", "seqniah_dev"} <= {word.strip() for word in out.split("|")}
    out, _ = place.run("validate", "--tasks", f"seqniah,{ONE},seqniah_of_nowhere", code=1)
    assert "Tasks not found: seqniah_of_nowhere\n" in out


def test_a_current_copy_is_left_to_the_harness(tmp_path: Path) -> None:
    place = _place(tmp_path, Copy.SAME)
    out, _ = place.run("ls", "groups")
    assert "lm_eval/tasks/seqniah/seqniah.yaml" in out
    assert str(TASKS) not in out


@pytest.mark.parametrize("form", ["words", "equals", "legacy", "config"])
def test_a_folder_of_the_users_is_joined_to_ours(form: str, bare: Place) -> None:
    mine = str(_users_task(bare.cwd / "mine"))
    rest = ("--model", "dummy", "--limit", "1", "--output_path", "out")
    tasks = ("--tasks", f"my_own,{ONE}")
    if form == "config":
        config = {"tasks": ["my_own", ONE], "include_path": mine}
        (bare.cwd / "run.yaml").write_text(json.dumps(config), "utf-8")
        bare.run("run", "--config", "run.yaml", *rest)
    elif form == "legacy":
        bare.run(*rest, *tasks, "--include_path", mine)
    elif form == "equals":
        bare.run("run", *rest, *tasks, f"--include_path={mine}")
    else:
        bare.run("run", "--include_path", mine, *rest, *tasks)
    assert _tasks_run(bare.cwd / "out") == {"my_own", ONE}


def test_the_users_folder_counts_before_ours(bare: Place) -> None:
    mine = _users_task(bare.cwd / "mine", name=ONE)
    out, _ = bare.run("ls", "subtasks", "--include_path", str(mine))
    (line,) = (line for line in out.splitlines() if line.startswith(f"|{ONE} "))
    assert str(mine) in line


@pytest.mark.parametrize("words", [(), ("--help",), ("run",), ("ls",), ("validate", "-h")])
def test_help_is_the_harnesss_own(words: tuple[str, ...], bare: Place) -> None:
    harness = bare.harness(*words)
    assert harness.returncode == 0
    assert bare.run(*words)[0] == harness.stdout


@pytest.mark.parametrize("words", [("bogus",), ("run", "--frobnicate"), ("ls", "everything")])
def test_wrong_words_are_the_harnesss_to_refuse(words: tuple[str, ...], bare: Place) -> None:
    harness = bare.harness(*words)
    assert harness.returncode == 2
    assert bare.run(*words, code=2)[1] == harness.stderr


def test_a_refusal_is_told_once_and_without_traceback(bare: Place) -> None:
    _, said = bare.run("run", "--model", "dummy", "--tasks", ONE, "--metadata", "lang=fr", code=1)
    assert said.count("Unknown lang 'fr'; known: en, zh.") == 1
    assert said.count("seqniah: ") == 1
    assert "Traceback" not in said


def test_ctrl_c_ends_a_run_with_130(bare: Place) -> None:
    process = subprocess.Popen(
        [SEQNIAH, "lm-eval", "run", "--model", "dummy", "--tasks", "seqniah"],
        cwd=bare.cwd, env=bare.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        encoding="utf-8",
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:  # building 2,000 prompts comes after this
        if "Selected Tasks" in line:
            process.send_signal(signal.SIGINT)
            break
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in said


def test_the_folder_is_printed_alone_and_serves_the_harness(bare: Place) -> None:
    done = subprocess.run([SEQNIAH, "lm-eval-path"], capture_output=True, encoding="utf-8")
    assert (done.stdout, done.stderr) == (f"{TASKS}\n", "")
    validate = ("validate", "--tasks", "seqniah")
    assert bare.harness(*validate).returncode == 1
    assert bare.harness(*validate, "--include_path", done.stdout.strip()).returncode == 0


FINDERS = '''
import sys
from importlib.machinery import PathFinder

class First:
    """Finds what Python's own finder would if lm_eval were not installed in its folders."""
    @staticmethod
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, [{empty!r}]) if name == "lm_eval" else None

class Last:
    """The finder of a checkout, which is asked last."""
    @staticmethod
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, [{site!r}]) if name == "lm_eval" else None

sys.meta_path[:] = [First, *sys.meta_path, Last]
'''


def test_a_folder_that_hides_the_code_is_seen_through(bare: Place, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    (empty / "lm_eval" / "tasks" / "seqniah").mkdir(parents=True)
    text = FINDERS.format(empty=str(empty), site=str(bare.site))
    (bare.site / "sitecustomize.py").write_text(text, "utf-8")
    hidden = replace(bare, anew=())
    assert hidden.harness("ls").returncode == 1
    out, _ = hidden.run("validate", "--tasks", "seqniah")
    assert "All tasks found and valid" in out


def test_without_lm_eval_there_is_nothing_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lm_eval" / "tasks" / "seqniah").mkdir(parents=True)
    assert lm_eval_cli.installed([str(tmp_path)]) is None
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    with pytest.raises(lm_eval_cli.SeqniahError, match="pip install lm-eval"):
        lm_eval_cli.run(["ls"])
