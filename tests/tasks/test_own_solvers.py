"""Solvers of the user's own in the place of ours: `inspect eval seqniah/test --solver ...`."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import solvers
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.solver import Solver, basic_agent, chain, chain_of_thought, generate

import seqniah
from seqniah_tasks.adapters.inspect import logs

OPTIONS = {"length": "8k-16k", "lang": "en", "limit_per_stratum": 1}


def _run(folder: Path, solver: Solver | None, task: str = "test", **options: object) -> EvalLog:
    made = getattr(seqniah, task)(**(options or OPTIONS))
    (log,) = eval(
        made, "seqniah/lexical", solver=solver, limit=3, log_dir=str(folder), display="none"
    )
    assert log.status == "success", log.error
    return log


def _verdicts(log: EvalLog, scorer: str = "rules") -> list[object]:
    return [sample.scores[scorer].value for sample in log.samples or [] if sample.scores]


def _fates(log: EvalLog) -> set[object]:
    return {one.prompt_fate for one in logs.read(Path(log.location.removeprefix("file://")))}


def test_a_plain_solver_scores_as_ours_does(tmp_path: Path) -> None:
    ours, plain = _run(tmp_path / "1", None), _run(tmp_path / "2", generate())
    assert _verdicts(plain) == _verdicts(ours)
    assert len(_verdicts(plain)) == 3
    assert [s.input for s in plain.samples or []] == [s.input for s in ours.samples or []]
    for sample in plain.samples or []:
        assert sample.metadata["reported_tokens"] == sample.metadata["prompt_tokens"]


@pytest.mark.parametrize(
    "solver", [chain(chain_of_thought(), generate()), basic_agent(message_limit=4)]
)
def test_solvers_and_agents_work_on_the_whole_prompt(tmp_path: Path, solver: Solver) -> None:
    log = _run(tmp_path, solver)
    assert _fates(log) == {"whole"}  # Their own words are the same few tokens each time.
    for sample in log.samples or []:
        assert sample.metadata["reported_tokens"] >= sample.metadata["prompt_tokens"]
        assert not math.isnan(float(sample.scores["rules"].value == "C"))  # type: ignore[index]


@pytest.mark.parametrize(
    ("solver", "why"),
    [
        (solvers.forgetful(), "left out the messages"),
        (solvers.repeating(), "left out the messages"),
        (chain_of_thought(), "asked no model"),
    ],
)
@pytest.mark.parametrize("task", ["test", "counting_stars"])
def test_a_prompt_that_is_not_sent_is_unscored_and_said(
    tmp_path: Path, solver: Solver, why: str, task: str
) -> None:
    options = {"m": 4, "n": 2, "max_length": "16k"} if task == "counting_stars" else OPTIONS
    log = _run(tmp_path, solver, task, **options)
    assert _fates(log) == {"skipped"}
    scorer = "rules" if task == "test" else "stars"
    for sample in log.samples or []:
        score = (sample.scores or {})[scorer]
        assert math.isnan(float(score.value))  # type: ignore[arg-type]
        assert why in str(score.explanation)
    results = {score.name: score.metrics for score in log.results.scores if log.results}  # type: ignore[union-attr]
    headline = results[scorer]["accuracy" if task == "test" else "mean"].value
    assert math.isnan(headline)


def test_a_prompt_that_is_read_in_parts_is_scored(tmp_path: Path) -> None:
    log = _run(tmp_path, solvers.in_parts())
    assert _fates(log) == {"unverified"}
    assert "nan" not in map(str, _verdicts(log))


def test_the_run_says_whose_solver_it_was(tmp_path: Path) -> None:
    log = _run(tmp_path / "1", generate())
    path = Path(log.location.removeprefix("file://"))
    assert "solver generate" in logs.read_run(path).remarks
    assert {one.setup for one in logs.read(path)} == {"solver generate"}
    ours = Path(_run(tmp_path / "2", None).location.removeprefix("file://"))
    assert {one.setup for one in logs.read(ours)} == {None}
