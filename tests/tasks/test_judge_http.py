"""The model judge over real HTTP: through inspect, with a grader that is good, slow, or broken."""

from __future__ import annotations

import json
import math
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import command_line
import http_parts
import pytest
from http_parts import chat_reply
from inspect_ai import eval as run_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import GenerateConfig, Model, get_model
from inspect_ai.scorer import Score

import seqniah
from seqniah_datasets.errors import SeqniahError
from seqniah_scorers import model_judge, rules
from seqniah_scorers.verdict import Case
from seqniah_tasks.adapters.inspect import (
    judge as inspect_judge,
)
from seqniah_tasks.adapters.inspect import (
    logs as inspect_logs,
)
from seqniah_tasks.judging.opening import open_judge
from seqniah_tasks.views.summary import agreement

pytest.importorskip("openai")

NAME = "openai-api/judge/stub"
GOOD = '{"order_analysis": "no", "eval_analysis": "as it should be", "eval_label": "%s"}'
OPTIONS = {"lang": "en", "length": "8k-16k", "pipeline": "synthetic-temporal"}


@dataclass
class Grader:
    """What a server does with the n-th request, counted from 1."""

    answer: Callable[[int, dict[str, Any]], tuple[int, str | bytes | None]]
    """Status and body; a string is the reply of a model, None closes the connection."""
    requests: list[dict[str, Any]] = field(default_factory=list)
    """The bodies that came."""
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def served(grader: Grader, port: int = 0) -> Iterator[str]:
    """The grader on a port; yields its base URL."""

    def reply(method: str, path: str, asked: Any, headers: dict[str, str]) -> tuple[int, Any]:
        with grader.lock:
            grader.requests.append(asked)
            number = len(grader.requests)
        status, body = grader.answer(number, asked)
        return status, chat_reply(body) if isinstance(body, str) else body

    with http_parts.served(reply, port) as url:
        yield f"{url}/v1"


def error(status: int, message: str) -> tuple[int, bytes]:
    return status, json.dumps({"error": {"message": message, "type": "bad", "code": None}}).encode()


def says(label: str) -> Grader:
    return Grader(lambda number, asked: (200, GOOD % label))


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Replies and servers of one test are unknown to the others."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "inspect-cache"))
    monkeypatch.setenv("JUDGE_API_KEY", "none")
    monkeypatch.delenv("JUDGE_BASE_URL", raising=False)
    monkeypatch.setattr(inspect_judge, "_known", {})


def grader_at(url: str, **config: Any) -> Model:
    """The grader as a role, without the waits that are right for a real one."""
    settings = GenerateConfig(**{"max_retries": 0, "attempt_timeout": 5, **config})
    return get_model(NAME, base_url=url, config=settings, memoize=False, max_retries=0)


def run(folder: Path, grader: Model | None, limit: int = 4, **options: Any) -> EvalLog:
    log = run_eval(
        "seqniah/test",
        model="seqniah/lexical",
        model_roles={"grader": grader} if grader else None,
        limit=limit,
        log_dir=str(folder / "logs"),
        display="log",
        task_args={**OPTIONS, **options},
    )[0]
    assert log.status == "success", log.error
    return log


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples
    return log.samples


def scores(log: EvalLog, name: str = "judge") -> list[Score]:
    return [(sample.scores or {})[name] for sample in samples(log)]


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results
    return {
        f"{score.name}.{name}": metric.value
        for score in log.results.scores
        for name, metric in score.metrics.items()
    }


def path_of(log: EvalLog) -> Path:
    return Path(log.location.removeprefix("file://"))


def test_a_good_grader_decides_and_the_log_tells_all(tmp_path: Path) -> None:
    grader = says("correct")
    with served(grader) as url:
        log = run(tmp_path, grader_at(url), scorer="judge")
    assert metrics(log)["judge.accuracy"] == 1.0
    assert len(grader.requests) == 4
    for sample, score in zip(samples(log), scores(log), strict=True):
        facts = score.metadata or {}
        assert facts["judge"] == f"judge: {NAME}"
        assert (facts["judged_by"], facts["eval_label"]) == ("model", "correct")
        assert facts["eval_analysis"] == "as it should be"
        assert (facts["judge_input_tokens"], facts["judge_output_tokens"]) == (900, 40)
        assert facts["failure_modes"] == []
        assert len(facts["needles"]) == sample.metadata["needles"]
        assert facts["reported_tokens"] > 0
    assert log.results and log.results.headline and log.results.headline.scorer == "judge"
    assert log.stats.role_usage["grader"].input_tokens == 4 * 900
    assert (log.eval.metadata or {})["scorer"] == f"judge: {NAME}"
    record = inspect_logs.read_run(path_of(log))
    assert record.scorer == f"judge: {NAME}"
    assert [sample.correct for sample in record.samples] == [True] * 4


def test_what_is_sent_is_the_prompt_with_a_schema_and_no_chance(tmp_path: Path) -> None:
    grader = says("correct")
    with served(grader) as url:
        log = run(tmp_path, grader_at(url), 1, scorer="judge")
    asked, sample = grader.requests[0], samples(log)[0]
    assert asked["temperature"] == 0
    assert asked["max_tokens"] == inspect_judge.MAX_TOKENS
    schema = asked["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["order_analysis", "eval_analysis", "eval_label"]
    prompt = asked["messages"][-1]["content"]
    assert prompt.startswith("You check one answer to a question about dated events.")
    assert str(sample.input) in prompt
    assert sample.output.completion.strip() in prompt


def test_a_verdict_is_asked_for_once(tmp_path: Path) -> None:
    grader = says("incorrect")
    with served(grader) as url:
        run(tmp_path, grader_at(url), scorer="judge")
        log = run(tmp_path, grader_at(url), scorer="judge")
    assert len(grader.requests) == 4
    assert all((score.metadata or {})["judge_cached"] for score in scores(log))
    assert metrics(log)["judge.accuracy"] == 0.0


def test_where_both_find_an_answer_wrong_the_rules_name_the_modes(tmp_path: Path) -> None:
    with served(says("incorrect")) as url:
        log = run(tmp_path, grader_at(url), 6, scorer="judge")
    for score in scores(log):
        facts = score.metadata or {}
        assert bool(facts["failure_modes"]) is (facts["rules_correct"] is False)


def test_a_crowded_server_is_asked_again(tmp_path: Path) -> None:
    crowded = Grader(
        lambda number, asked: error(429, "slow down") if number == 1 else (200, GOOD % "correct")
    )
    with served(crowded) as url:
        model = get_model(NAME, base_url=url, memoize=False, max_retries=2)
        log = run(tmp_path, model, 2, scorer="judge")
    assert len(crowded.requests) == 3
    assert metrics(log)["judge.accuracy"] == 1.0


BROKEN: dict[str, tuple[Callable[[int, dict[str, Any]], Any], str, str]] = {
    "500 for ever": (lambda n, a: error(500, "out of order"), "judge_failed", "out of order"),
    "a key that is refused": (
        lambda n, a: error(401, "who are you"),
        "judge_failed",
        "who are you",
    ),
    "garbage": (lambda n, a: (200, "It seems fine to me."), "judge_unreadable", "no verdict"),
    "half a verdict": (
        lambda n, a: (200, '{"eval_analysis": "it'),
        "judge_unreadable",
        "no verdict",
    ),
    "an empty reply": (lambda n, a: (200, ""), "judge_unreadable", "is empty"),
    "no JSON at all": (lambda n, a: (200, b"<html>busy</html>"), "judge_failed", "did not answer"),
    "no choices": (lambda n, a: (200, b'{"choices": []}'), "judge_", ""),
    "a closed connection": (lambda n, a: (200, None), "judge_failed", "did not answer"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_grader_leaves_samples_unscored_and_the_run_ends(
    tmp_path: Path, name: str
) -> None:
    answer, reason, words = BROKEN[name]
    with served(Grader(answer)) as url:
        log = run(tmp_path, grader_at(url), 3, scorer="judge")
    for score in scores(log):
        assert score.value != score.value  # not a number: unscored
        assert str(score.reason).startswith(reason)
        assert words in (score.explanation or "")
    assert log.results
    counts = {score.name: score.unscored_samples for score in log.results.scores}
    assert counts["judge"] == 3
    record = inspect_logs.read_run(path_of(log))
    assert [sample.correct for sample in record.samples] == [None] * 3
    assert any("3 not judged" in remark for remark in record.remarks)


def test_a_grader_that_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    ended = threading.Event()

    def hang(number: int, asked: dict[str, Any]) -> tuple[int, None]:
        ended.wait(20)
        return 200, None

    with served(Grader(hang)) as url:
        log = run(tmp_path, grader_at(url, attempt_timeout=1), 2, scorer="judge")
        ended.set()
    assert {score.reason for score in scores(log)} == {"judge_failed"}


def test_a_server_that_is_down_is_tried_once_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Grader(lambda number, asked: error(500, "out of order"))
    cases = [
        Case("en", "temporal", "What?", "R:\n- May 1: A.", f"- May 1: B{n}.") for n in range(12)
    ]
    monkeypatch.setattr(inspect_judge, "MAX_RETRIES", 1)
    with served(broken) as url:
        monkeypatch.setenv("JUDGE_BASE_URL", url)
        judge = open_judge("openai-api/judge/stub", max_connections=1)
        monkeypatch.setattr(judge, "_model", grader_at(url, max_connections=1, max_retries=None))
        found = judge.verdicts(cases)
    assert all(one.verdict.correct is None for one in found)
    assert len(broken.requests) == 3 * 2 + 9


def test_a_grader_that_dies_half_way_is_finished_by_scoring_the_log_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dying = Grader(lambda number, asked: (200, GOOD % "correct" if number <= 2 else None))
    with served(dying) as url:
        log = run(tmp_path, grader_at(url, max_connections=1), 5, scorer="judge")
    port = int(url.rpartition(":")[2].partition("/")[0])
    assert sum(score.reason == "judge_failed" for score in scores(log)) == 3
    path = path_of(log)
    before = inspect_logs.read_run(path)
    command = next(r for r in before.remarks if "not judged" in r)
    assert f"inspect score {path} --scorer seqniah/judge" in command

    healed = says("correct")
    with served(healed, port):
        scored = inspect_score(path, "--scorer", "seqniah/judge")
    assert scored.returncode == 0, scored.stdout + scored.stderr
    assert len(healed.requests) == 3  # the rest was kept
    after = inspect_logs.read_run(path)
    assert [sample.correct for sample in after.samples] == [True] * 5
    assert after.scorer == f"judge: {NAME}"
    assert not any("not judged" in remark for remark in after.remarks)


def inspect_score(path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("inspect")), "score", str(path), *more]
    command += ["--action", "append", "--overwrite"]
    return command_line.run(command)


def test_the_advice_that_a_summary_prints_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = path_of(run(tmp_path, None))
    dying = Grader(lambda number, asked: (200, GOOD % "correct") if number == 1 else (400, "no"))
    with served(dying) as url:
        monkeypatch.setenv("JUDGE_BASE_URL", url)
        inspect_score(path, "--scorer", "seqniah/judge", "--model-role", f"grader={NAME}")
    (remark,) = (one for one in inspect_logs.read_run(path).remarks if "not judged" in one)
    command = re.search(r"(inspect score .*) judges again", remark)
    assert command
    with served(says("correct")) as url:
        monkeypatch.setenv("JUDGE_BASE_URL", url)
        done = command_line.run(shlex.split(command[1]))
    assert done.returncode == 0, done.stdout + done.stderr
    assert [sample.correct for sample in inspect_logs.read_run(path).samples] == [True] * 4


def test_a_run_of_which_nothing_was_judged_has_no_accuracy(tmp_path: Path) -> None:
    with served(Grader(lambda number, asked: (400, "no"))) as url:
        log = run(tmp_path, grader_at(url), scorer="judge")
    assert log.results
    (judge,) = (one for one in log.results.scores if one.name == "judge")
    assert {math.isnan(judge.metrics[name].value) for name in ("accuracy", "lower", "upper")} == {
        True
    }


def test_a_log_of_the_rules_can_be_judged_by_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = path_of(run(tmp_path, None))
    assert inspect_logs.read_run(path).scorer == f"rules {rules.VERSION}"
    without = inspect_score(path, "--scorer", "seqniah/judge")
    assert without.returncode != 0
    assert "add --model-role grader=MODEL" in " ".join((without.stdout + without.stderr).split())
    grader = says("correct")
    with served(grader) as url:
        monkeypatch.setenv("JUDGE_BASE_URL", url)
        scored = inspect_score(path, "--scorer", "seqniah/judge", "--model-role", f"grader={NAME}")
    assert scored.returncode == 0, scored.stdout + scored.stderr
    record = inspect_logs.read_run(path)
    assert record.scorer == f"judge: {NAME}"
    assert "also scored by rules" in record.remarks
    assert [sample.correct for sample in record.samples] == [True] * 4
    log = read_eval_log(str(path))
    assert all({"rules", "items", "judge"} <= set(sample.scores or {}) for sample in samples(log))


def test_structured_output_that_is_refused_is_left_out_from_then_on(tmp_path: Path) -> None:
    def answer(number: int, asked: dict[str, Any]) -> tuple[int, str | bytes]:
        if "response_format" in asked:
            return error(400, "response_format of this type is not supported here")
        return 200, f"Here it is:\n```json\n{GOOD % 'correct'}\n```"

    grader = Grader(answer)
    with served(grader) as url:
        assert metrics(run(tmp_path, grader_at(url), 2, scorer="judge"))["judge.accuracy"] == 1.0
        before = len(grader.requests)
        assert metrics(run(tmp_path, grader_at(url), 4, scorer="judge"))["judge.accuracy"] == 1.0
    assert "response_format" in grader.requests[0]
    assert ["response_format" in asked for asked in grader.requests[before:]] == [False] * 2


def test_auto_is_the_grader_where_there_is_one_and_else_the_rules(tmp_path: Path) -> None:
    grader = says("incorrect")
    with served(grader) as url:
        log = run(tmp_path, grader_at(url), 2)
    assert len(grader.requests) == 2
    found = inspect_logs.read_run(path_of(log))
    assert found.scorer == f"judge: {NAME}"
    told = [(score.metadata or {})["rules_correct"] for score in scores(log, "judge")]
    assert [one.rules_correct for one in found.samples] == told
    assert agreement(found.samples).hits == told.count(False)
    plain = run(tmp_path, None, 1)
    assert set(samples(plain)[0].scores or {}) == {"rules", "items", "prompt"}
    assert not agreement(inspect_logs.read_run(path_of(plain)).samples).of


def test_the_cascade_asks_where_the_rules_doubt(tmp_path: Path) -> None:
    grader = says("incorrect")
    with served(grader) as url:
        log = run(tmp_path, grader_at(url), 6, scorer="cascade")
    found = metrics(log)
    assert found["cascade.by_rules"] + found["cascade.by_model"] == pytest.approx(1)
    assert len(grader.requests) == round(6 * found["cascade.by_model"])
    for score in scores(log, "cascade"):
        facts = score.metadata or {}
        assert (facts["judged_by"] == "model") is bool(facts["doubts"])
        if facts["judged_by"] == "rules":
            assert (score.value == "C") is facts["rules_correct"]
    assert inspect_logs.read_run(path_of(log)).scorer == f"cascade: rules {rules.VERSION}, {NAME}"


@pytest.mark.parametrize("scorer", ["judge", "cascade"])
def test_without_a_grader_nothing_is_asked(tmp_path: Path, scorer: str) -> None:
    with pytest.raises(PrerequisiteError) as caught:
        run(tmp_path, None, scorer=scorer)
    assert "--model-role grader=MODEL" in str(caught.value.message)


def test_several_graders_are_refused(tmp_path: Path) -> None:
    with served(says("correct")) as url, pytest.raises(PrerequisiteError, match="One model judges"):
        run_eval(
            "seqniah/test",
            model="seqniah/lexical",
            model_roles={"grader": [grader_at(url), grader_at(url)]},
            log_dir=str(tmp_path),
            display="log",
            task_args=OPTIONS,
        )


def test_a_task_made_outside_a_run_stops_before_its_first_request(tmp_path: Path) -> None:
    task = seqniah.test(scorer="judge", **OPTIONS)
    log = run_eval(task, model="seqniah/lexical", limit=1, log_dir=str(tmp_path), display="log")[0]
    assert log.status == "error"
    assert log.error and "--model-role grader=MODEL" in log.error.message
    assert not log.stats.model_usage


def test_a_model_may_judge_itself_only_by_wish_and_it_is_noted(tmp_path: Path) -> None:
    log = run(tmp_path, get_model("seqniah/lexical", memoize=False), 1, scorer="judge")
    facts = scores(log)[0].metadata or {}
    assert facts["grades_itself"] is True
    assert (log.eval.metadata or {})["grades_itself"] is True
    record = inspect_logs.read_run(path_of(log))
    assert "the model judged its own answers" in record.remarks
    assert [sample.correct for sample in record.samples] == [None]  # a reader gives no verdict


def test_a_prompt_of_ones_own_takes_the_place_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("Q {question}\nR {reference}\nA {response}\n{delimiter} {x: 1}", "utf-8")
    grader = says("correct")
    with served(grader) as url:
        log = run(tmp_path, grader_at(url), 1, scorer="judge", judge_prompt=str(path))
    assert grader.requests[0]["messages"][-1]["content"].startswith(
        f"Q {samples(log)[0].input}\nR "
    )
    assert str((scores(log)[0].metadata or {})["judge_prompt"]).startswith("sha256 ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{question} {reference} {response}", "lacks {delimiter}"),
        ("{question} {delimiter}", "lacks {reference} and {response}"),
        ("{question} {reference} {response} {delimiter} {answer}", "unknown placeholder {answer}"),
        (None, "cannot be read"),
    ],
)
def test_a_prompt_that_cannot_be_used_is_one_sentence(
    tmp_path: Path, text: str | None, words: str
) -> None:
    path = tmp_path / "mine.txt"
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(PrerequisiteError) as caught, served(says("correct")) as url:
        run(tmp_path, grader_at(url), scorer="judge", judge_prompt=str(path))
    assert words in str(caught.value.message)


def test_a_prompt_without_a_model_to_read_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match="judge_prompt is for scorers that ask a model"):
        run(tmp_path, None, judge_prompt="mine.txt")


def honest(number: int, asked: dict[str, Any]) -> tuple[int, str]:
    """Judges by the rules what it finds between the markers."""
    prompt = asked["messages"][-1]["content"]
    code = re.search(r"(?:Its code is|编码是) ([0-9a-f]{16})", prompt)
    assert code
    part = re.compile(rf"=== \S+ {code[1]} \S+ ===\n(.*?)\n=== \S+ {code[1]} \S+ ===", re.S)
    question, reference, response = part.findall(prompt)
    zh = "编码是" in prompt
    temporal = "order_analysis" in prompt
    case = Case(
        "zh" if zh else "en", "temporal" if temporal else "logical", question, reference, response
    )
    right = bool(rules.judge(case).correct)
    return 200, model_judge.label_text(case.lang, case.needle_type, right, "checked", "read")


def test_open_judge_judges_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    grader = Grader(honest)
    reference = "The log holds:\n- May 01, 2010: Ann sold a car.\n- May 05, 2010: Bob built a wall."
    good = reference.partition("\n")[2]
    cases = [
        Case("en", "temporal", "What does the log hold?", reference, f"No. {n} says:\n\n{text}")
        for n in range(20)
        for text in (good, good.replace("wall", "boat"))
    ]
    cases.append(Case("en", "temporal", "What?", reference, " \u200b\n"))
    seen: list[tuple[int, int]] = []
    with served(grader) as url:
        monkeypatch.setenv("JUDGE_BASE_URL", url)
        judge = open_judge(NAME, max_connections=16)
        assert judge.name == f"judge: {NAME}"
        found = judge.verdicts(cases, lambda what, done, of: seen.append((done, of)))
        again = judge.verdicts(cases)
    assert [one.verdict.correct for one in found] == [True, False] * 20 + [False]
    assert found[-1].by == "rules"  # there is nothing to ask about
    assert {one.by for one in found[:-1]} == {"model"}
    assert found[0].input_tokens == 900
    assert seen[-1] == (41, 41)
    assert len(grader.requests) == 40
    assert [one.verdict for one in again] == [one.verdict for one in found]
    assert again[0].input_tokens == 0


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("cascade", {}, "--grader"),
        ("rules", {"grader": NAME}, "A grader is for the cascade"),
        ("rules", {"template": Path("x")}, "not for rules"),
        ("openai-api/judge/stub", {"max_connections": 0}, "whole number from 1"),
        ("nobody/knows", {}, "cannot be used as a judge"),
    ],
)
def test_a_judge_that_cannot_be_had_is_one_sentence(
    name: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(SeqniahError, match=re.escape(words)) as caught:
        open_judge(name, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("role", ["judge", "scorer", "Grader", "graders", "gradr"])
def test_a_role_that_would_be_ignored_is_refused(tmp_path: Path, role: str) -> None:
    words = ["inspect", "eval", "seqniah/test", "--model", "seqniah/lexical", "--limit", "1"]
    done = command_line.run([*words, "--model-role", f"{role}=mockllm/model"], cwd=tmp_path)
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode != 0
    assert "write --model-role grader=MODEL" in said
    assert "Traceback" not in said


def test_a_role_of_a_solver_of_the_users_own_is_let_be(tmp_path: Path) -> None:
    words = ["inspect", "eval", "seqniah/test", "--model", "seqniah/lexical", "--limit", "1"]
    more = [
        "-T",
        "length=8k-16k",
        "-T",
        "limit_per_stratum=1",
        "--model-role",
        "critic=mockllm/model",
    ]
    assert command_line.run([*words, *more], cwd=tmp_path).returncode == 0
