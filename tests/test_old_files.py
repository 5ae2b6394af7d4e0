"""Files that earlier versions wrote are still read, and tell the same figures as they did then.

They lie in tests/old_files, whose README says how they were made. New columns and fields may come;
those of that day keep their names and values.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import command_line
import pytest

from seqniah_scorers import rules
from seqniah_tasks.benchmarks.counting_stars.record import JUDGE

OLD = Path(__file__).with_name("old_files")
EXPECTED: dict[str, Any] = json.loads((OLD / "expected.json").read_text("utf-8"))
TABLES = sorted((OLD / "report" / "tables").glob("*.csv"))


def _run(*words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """In the folder of the old files, so that no path of a machine is told."""
    done = command_line.run(["seqniah", *words], cwd=OLD, env={**os.environ, "COLUMNS": "100"})
    assert done.returncode == code, done.stdout + done.stderr
    return done


def _kept(now: Any, then: Any, where: str = "") -> None:
    """Fails unless all that was told then is told now; more may be told."""
    if isinstance(then, dict):
        assert isinstance(now, dict), where
        for name, value in then.items():
            assert name in now, f"{where}.{name} is gone"
            _kept(now[name], value, f"{where}.{name}")
    elif isinstance(then, list):
        assert isinstance(now, list) and len(now) == len(then), where
        for number, (one, other) in enumerate(zip(now, then, strict=True)):
            _kept(one, other, f"{where}[{number}]")
    elif isinstance(then, float):
        assert now == pytest.approx(then, abs=1e-12), where
    else:
        assert now == then, where


def _judged_now(then: Any) -> Any:
    """What was told of answers that are judged anew: other judges, the same figures."""
    text = json.dumps(then).replace('"rules 2"', f'"rules {rules.VERSION}"')
    return json.loads(text.replace('"counting rules"', f'"{JUDGE}"'))


def _known_now(then: dict[str, Any]) -> dict[str, Any]:
    """What was told of answers in logs of inspect. They came from a reader on that machine, which
    costs nothing, and whose counts, equal to the exact ones, prove its prompts whole by now.
    """
    if then.get("reported_tokens"):
        assert then["reported_tokens"] == then["prompt_tokens"]
        return {**then, "prompt_fate": "whole", "cost": 0.0}
    if "prompts" in then:
        return {**then, "prompts": {**then["prompts"], "unverified": []}}
    if then.get("run", "").startswith("seqniah/"):
        right = {"cost_per_right"} if "(searching)" in then["run"] else set()  # none was perfect
        costs = {name: "0.0" for name in then if name.startswith("cost") and name not in right}
        return {**then, **costs, **({"unverified": "0"} if "unverified" in then else {})}
    return then


@pytest.mark.parametrize("name", EXPECTED["records"])
def test_records_are_the_same_rows(name: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    _run("records", name, "--out", str(out))
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    _kept(rows, list(map(_known_now, EXPECTED["records"][name])))


@pytest.mark.parametrize("name", EXPECTED["summary"])
def test_a_log_is_summed_up_the_same(name: str) -> None:
    told = json.loads(_run("summary", name, "--json").stdout)
    _kept(told, _known_now(EXPECTED["summary"][name]))
    said = _run("summary", name).stdout
    for line in EXPECTED["summary_lines"][name]:
        assert line in said.splitlines()


def test_answers_of_lm_eval_are_judged_the_same() -> None:
    told = json.loads(_run("score", "lm-eval", "lexical", "--judge", "rules", "--json").stdout)
    _kept(told, _judged_now(EXPECTED["score lm-eval"]))


def test_answers_about_stars_are_scored_the_same(tmp_path: Path) -> None:
    out = tmp_path / "scores.jsonl"
    unscored = 3  # one response is null
    words = ("score", "counting-stars", "--in", "answers.jsonl", "--out", str(out), "--json")
    told = json.loads(_run(*words, code=unscored).stdout)
    _kept({**told, "out": None}, _judged_now(EXPECTED["score counting-stars"]))
    then = (OLD / "scores.jsonl").read_text("utf-8").splitlines()
    now = out.read_text("utf-8").splitlines()
    _kept([json.loads(line) for line in now], [_judged_now(json.loads(line)) for line in then])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The report of all files, and what the command said."""
    out = tmp_path_factory.mktemp("old") / "report"
    return out, _run("report", *EXPECTED["report of"], "--out", str(out)).stdout


def test_the_report_tells_the_same_of_each_run(report: tuple[Path, str]) -> None:
    folder, said = report
    assert said.splitlines()[:-1] == EXPECTED["report says"]
    page = (folder / "index.html").read_text("utf-8")
    for run in EXPECTED["report says"]:
        assert run.partition(":")[0] in page


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_report_has_the_same_tables(path: Path, report: tuple[Path, str]) -> None:
    def rows(file: Path) -> list[dict[str, str]]:
        with file.open(newline="", encoding="utf-8") as opened:
            return list(csv.DictReader(opened))

    now = rows(report[0] / "tables" / path.name)
    new = [row for row in now if row.get("mode") == "refusal"]  # "no_answer" that day
    assert {row["answers"] for row in new} <= {"0"}
    _kept([row for row in now if row not in new], list(map(_known_now, rows(path))))


def test_answers_to_an_earlier_version_are_never_pooled_with_new_ones(tmp_path: Path) -> None:
    words = ["inspect", "eval", "seqniah/test", "--model", "seqniah/lexical", "--limit", "2"]
    command_line.run([*words, "-T", "length=8k-16k", "--log-dir", "logs"], cwd=tmp_path, check=True)
    both = [str(tmp_path / "logs"), "sequential-niah.eval"]
    said = _run("report", *both, "--out", str(tmp_path / "report")).stdout
    runs = [line.partition(":")[0] for line in said.splitlines()[:-1]]
    now = f"seqniah/lexical (3, rules {rules.VERSION})"
    assert sorted(runs) == ["seqniah/lexical (2, rules 2)", now]
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert "The runs differ in benchmark version: 2, 3" in page
