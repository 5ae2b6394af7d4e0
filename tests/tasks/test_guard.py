"""The truncation guard over real HTTP: a server that refuses, one that cuts, one that is silent."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import command_line
import http_parts
import in_process
import pytest
from inspect_ai import eval as run_eval
from inspect_ai import score as run_score
from inspect_ai.log import EvalLog, EvalSample

import seqniah
from seqniah_tasks.adapters.inspect import logs as inspect_logs
from seqniah_tasks.serve import Counter, Faults, running
from seqniah_tasks.served import served_window
from seqniah_tasks.truncation import Fate
from seqniah_tasks.views.summary import prompt_lines

MODEL = "openai-api/rehearsal/lexical"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REHEARSAL_API_KEY", "none")
    served_window.cache_clear()


def _run(folder: Path, url: str, limit: int = 24, **options: Any) -> EvalLog:
    return run_eval(
        "seqniah/test",
        model=MODEL,
        model_base_url=url,
        limit=limit,
        log_dir=str(folder),
        display="log",
        max_connections=4,
        task_args={"lang": "en", "length": ["8k-16k", "16k-32k"], **options},
    )[0]


def _samples(log: EvalLog) -> list[EvalSample]:
    assert log.status == "success", log.error
    assert log.samples
    return log.samples


def _unscored(log: EvalLog) -> set[str]:
    return {
        str(sample.id)
        for sample in _samples(log)
        if sample.scores and sample.scores["rules"].reason == "input_not_seen_whole"
    }


def _metrics(log: EvalLog) -> dict[str, float]:
    assert log.results
    return {
        f"{score.name}.{name}": metric.value
        for score in log.results.scores
        for name, metric in score.metrics.items()
    }


def test_a_server_that_sees_all_is_believed(tmp_path: Path) -> None:
    with running() as url:
        log = _run(tmp_path, url)
    assert _unscored(log) == set()
    found = _metrics(log)
    assert found["prompt.cut"] == found["prompt.skipped"] == 0
    assert found["prompt.whole"] + found["prompt.unverified"] == 24
    for sample in _samples(log):
        assert sample.metadata["reported_tokens"] == sample.metadata["prompt_tokens"]


def test_prompts_cut_in_silence_are_unscored_and_named(tmp_path: Path) -> None:
    with running(Faults(truncate=16_000)) as url:
        log = _run(tmp_path, url)
    run = inspect_logs.read_run(Path(log.location.removeprefix("file://")))
    long = {s.id for s in run.samples if _exact(log, s.id) > 16_000 * 1.02}
    cut = {s.id for s in run.samples if s.prompt_fate == Fate.CUT}
    assert long
    assert cut >= long
    assert all(_exact(log, one) > 16_000 for one in cut)
    assert all(s.correct is None for s in run.samples if s.prompt_fate == Fate.CUT)
    assert _metrics(log)["prompt.cut"] == len(cut)
    line = next(line for line in prompt_lines(list(run.samples)) if "cut" in line)
    assert f"{len(cut)} cut before the model saw them" in line
    # Accuracy is over what was seen whole.
    right = [s.correct for s in run.samples if s.correct is not None]
    assert _metrics(log)["rules.accuracy"] == pytest.approx(sum(right) / len(right))


def test_prompts_found_cut_at_the_end_are_in_no_figure(tmp_path: Path) -> None:
    # The first long prompts are judged before there is anything to hold them against.
    with running(Faults(truncate=30_000)) as url:
        log = _run(tmp_path, url, 12, length=["16k-32k", "32k-64k"])
    run = inspect_logs.read_run(Path(log.location.removeprefix("file://")))
    kept = {one.id: one for one in run.samples if one.prompt_fate != Fate.CUT}
    late = {one.id for one in run.samples if one.id not in kept} - _unscored(log)
    assert late
    assert 0 < len(kept) < 12
    found = _metrics(log)
    assert found["prompt.cut"] == 12 - len(kept)
    right = [one.correct for one in kept.values()]
    assert found["rules.accuracy"] == pytest.approx(sum(map(bool, right)) / len(right))
    recalls = [float(one.figures["item_recall"]) for one in kept.values()]
    assert found["item_recall.mean"] == pytest.approx(sum(recalls) / len(recalls))
    # It stays so when the log is scored again, by a process that has not met the prompts.
    again = run_score(log, [seqniah.rules()], action="overwrite", display="none")
    assert _metrics(again)["rules.accuracy"] == found["rules.accuracy"]
    # A sample tells what was reported, and a fate only where nothing can change it any more.
    for sample in _samples(log):
        told = (sample.scores or {})["prompt"]
        notes = told.metadata or {}
        assert told.value == round(notes["reported_tokens"] / notes["prompt_tokens"], 3)
        assert notes.get("prompt_fate") == ("cut" if str(sample.id) in _unscored(log) else None)


def _exact(log: EvalLog, sample_id: str) -> int:
    return next(s.metadata["prompt_tokens"] for s in _samples(log) if s.id == sample_id)


def test_a_server_without_usage_leaves_prompts_unverified(tmp_path: Path) -> None:
    with running(Faults(no_usage=True)) as url:
        log = _run(tmp_path, url, 6)
    assert _metrics(log)["prompt.unverified"] == 6
    assert _unscored(log) == set()


def test_a_window_that_is_too_small_is_refused_before_the_first_request(tmp_path: Path) -> None:
    counter = Counter()
    with running(Faults(context=16_384), counter=counter) as url:
        log = None
        with pytest.raises(Exception, match=r"16,384 tokens\) cannot take") as error:
            log = _run(tmp_path, url)
    assert log is None
    assert "in 16k-32k" in str(getattr(error.value, "message", error.value))
    assert counter.answered == 0


def test_what_does_not_fit_can_be_skipped_and_is_counted(tmp_path: Path) -> None:
    counter = Counter()
    with running(Faults(context=16_384), counter=counter) as url:
        log = _run(tmp_path, url, 12, on_overflow="skip")
    skipped = {
        str(s.id) for s in _samples(log) if s.metadata["prompt_tokens"] + 128 + 2_048 > 16_384
    }
    assert skipped
    assert _unscored(log) == skipped
    assert _metrics(log)["prompt.skipped"] == len(skipped)
    assert counter.answered == 12 - len(skipped)
    run = inspect_logs.read_run(Path(log.location.removeprefix("file://")))
    assert (run.planned, run.unfinished) == (12, 0)


def test_a_window_given_by_hand_counts(tmp_path: Path) -> None:
    with running() as url, pytest.raises(Exception, match=r"9,000 tokens\) cannot take"):
        _run(tmp_path, url, context=9_000)


def test_an_output_budget_below_the_minimum_is_refused(tmp_path: Path) -> None:
    with running() as url, pytest.raises(Exception, match="pass --max-tokens 2048 or more"):
        run_eval(
            "seqniah/test", model=MODEL, model_base_url=url, limit=1, log_dir=str(tmp_path),
            display="log", max_tokens=500,
        )  # fmt: skip


def test_thoughts_are_not_judged(tmp_path: Path) -> None:
    for think in ("tags", "field"):
        with running() as plain, running(Faults(think=think)) as thinking:
            one = _run(tmp_path, plain, 4)
            other = _run(tmp_path, thinking, 4)
        verdicts = [
            [sample.scores["rules"].value for sample in _samples(log) if sample.scores]
            for log in (one, other)
        ]
        assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize(
    ("reply", "reason", "modes"),
    [
        ({"content": None}, "no_reply", None),
        ({"content": ""}, "no_reply", None),
        ({"content": None, "refusal": "I cannot help with that."}, None, ["refusal"]),
        ({"content": None, "finish": "length"}, None, ["no_answer", "cut_off"]),
        ({"content": "<think>First I", "finish": "length"}, None, ["no_answer", "cut_off"]),
        ({"content": "<think>First I"}, None, ["no_answer"]),
    ],
)
def test_a_reply_without_content_is_unscored_unless_it_says_why(
    tmp_path: Path, reply: dict[str, str | None], reason: str | None, modes: list[str] | None
) -> None:
    message = {"role": "assistant", "content": None, **reply}
    finish = message.pop("finish", "stop")
    usage = {"prompt_tokens": 20_000, "completion_tokens": 5, "total_tokens": 20_005}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "lexical",
            "choices": [choice], "usage": usage}  # fmt: skip
    with http_parts.served(lambda *asked: (200, body)) as url:
        log = _run(tmp_path, f"{url}/v1", 1)
    (sample,) = _samples(log)
    assert sample.scores
    score = sample.scores["rules"]
    assert score.reason == reason
    assert (score.metadata or {}).get("failure_modes") == modes
    assert math.isnan(float(_metrics(log)["rules.accuracy"])) is (reason is not None)


def test_replies_that_did_not_come_are_asked_for_again_alone(tmp_path: Path) -> None:
    asked: list[str] = []

    def reply(method: str, path: str, given: Any, headers: dict[str, str]) -> tuple[int, Any]:
        if method == "GET":
            return 404, {}
        asked.append(json.dumps(given["messages"]))
        body = http_parts.chat_reply("Not found.")
        read = len(asked[-1]) // 4
        body["usage"] = {"prompt_tokens": read, "completion_tokens": 5, "total_tokens": read + 5}
        if len(asked) <= 2:
            body["choices"][0]["message"]["content"] = None
        return 200, body

    with http_parts.served(reply) as url:
        log = Path(_run(tmp_path, f"{url}/v1", 4).location.removeprefix("file://"))
        before = {one.id: one for one in inspect_logs.read(log)}
        (remark,) = (one for one in inspect_logs.read_run(log).remarks if "without a reply" in one)
        again = f"seqniah invalidate {log} and inspect eval-retry {log}"
        assert remark == f"2 without a reply; {again} ask again"
        assert "2 marked" in in_process.run("invalidate", str(log))
        later = tmp_path / "later"
        words = ["inspect", "eval-retry", str(log), "--log-dir", str(later), "--display", "none"]
        command_line.run(words, check=True)
        (retried,) = later.glob("*.eval")
        after = {one.id: one for one in inspect_logs.read(retried)}
    assert len(asked) == 6
    assert set(asked[4:]) == set(asked[:2])
    assert [one.correct for one in after.values()] == [False] * 4
    silent = {name for name, one in before.items() if one.correct is None}
    assert len(silent) == 2
    assert all(after[name] == replace(one, source=str(retried)) for name, one in before.items()
               if name not in silent)  # fmt: skip
    assert "nothing is to be asked again" in in_process.run("invalidate", str(retried), code=1)


def test_closed_book_sends_the_question_alone(tmp_path: Path) -> None:
    counter = Counter()
    with running(counter=counter) as url:
        log = _run(tmp_path, url, 6, closed_book=True)
    assert counter.prompt_tokens < 6 * 300
    for sample in _samples(log):
        assert str(sample.input) in sample.messages[0].text
        assert sample.metadata["prompt_tokens"] < 300
    assert _metrics(log)["rules.accuracy"] == 0.0
    assert (log.eval.metadata or {})["closed_book"] is True


def test_the_summary_says_what_was_unusual_or_unfinished(tmp_path: Path) -> None:
    with running() as url:
        log = _run(tmp_path, url, 4, closed_book=True, order="sorted")
    path = Path(log.location.removeprefix("file://"))
    run = inspect_logs.read_run(path)
    assert run.remarks == ("closed book", "needles in true order")
    assert all(sample.finished for sample in run.samples)
