"""What users are told holds nothing that steers a terminal, whoever named the files."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from in_process import run
from inspect_ai._util.error import PrerequisiteError
from lm_eval.tasks import TaskManager
from lm_eval_parts import FOLDER, TASK
from rich.console import Console

import seqniah
from seqniah_datasets.errors import SeqniahError, visible
from seqniah_tasks.adapters.lm_eval.solve import Refusal
from seqniah_tasks.checks.base import Finding, State
from seqniah_tasks.views import doctor as view

STEERING = "\x1b[31mred\x1b]0;title\x07\r\nseqniah: all is well\u202egpj\u2066\x9b2J\x08"
SHOWN = r"\x1b[31mred\x1b]0;title\x07\r\nseqniah: all is well\u202egpj\u2066\x9b2J\x08"


def test_a_name_of_a_file_steers_no_terminal(tmp_path: Path) -> None:
    name = STEERING
    (tmp_path / name).mkdir()
    (tmp_path / name / "a.txt").write_bytes(b"bad \xff")
    for words in (
        ("index", str(tmp_path / name)),
        ("summary", str(tmp_path / f"{name}.eval")),
        ("records", str(tmp_path / name), "--out", "x.csv"),
        ("build", "dev", "-T", f"corpus={tmp_path / name}", "--out", str(tmp_path / "out")),
    ):
        said = run(*words, code=1)
        assert said.count("\n") == 1 and said.strip().isprintable(), words
        assert SHOWN in said


def test_inspect_is_told_the_same() -> None:
    with pytest.raises(PrerequisiteError) as refused:
        seqniah.test(corpus=f"/{STEERING}")
    said = str(refused.value.message)
    assert said.isprintable()
    assert SHOWN.replace("[", r"\[") in said


def test_lm_eval_is_told_the_same() -> None:
    given = {"corpus": f"/{STEERING}"}
    manager = TaskManager(include_path=FOLDER, include_defaults=False, metadata=given)
    with pytest.raises(Refusal) as refused:
        manager.load([TASK])
    for said in (str(refused.value), str(refused.value.code)):
        assert said.isprintable()
        assert SHOWN in said


def test_the_doctor_says_it_so_too() -> None:
    out = io.StringIO()
    view.print_findings(Console(file=out, width=200), [Finding("x", State.NOTE, STEERING, "Do.")])
    assert SHOWN in out.getvalue()


def test_what_can_be_seen_stays_as_it_is_and_an_error_is_told_once() -> None:
    seen = "docs\\x1b/中文　標題/é\u00a0ü 👩.txt"
    assert visible(seen) == seen
    inner = SeqniahError(f"a{STEERING}")
    assert str(SeqniahError(f"{inner} b")) == f"a{SHOWN} b"
    assert inner.args == (f"a{STEERING}",)
