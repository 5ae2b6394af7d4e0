"""Who judges in lm-eval: the rules, or a model over real HTTP that is good, broken or gone."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from http_parts import chat_reply, served
from lm_eval.loggers import EvaluationTracker
from lm_eval_parts import (
    SHORT,
    TASK,
    Json,
    Listener,
    Samples,
    digest,
    metric,
    run,
    samples,
)

from seqniah_scorers import model_judge, rules
from seqniah_scorers.verdict import Case
from seqniah_tasks.adapters.inspect import judge as inspect_judge
from seqniah_tasks.adapters.lm_eval.judge import (
    KEY,
    MODEL,
    URL,
)
from seqniah_tasks.adapters.lm_eval.solve import Refusal
from seqniah_tasks.benchmarks.sequential_niah import score as benchmark
from seqniah_tasks.benchmarks.sequential_niah.options import LENGTHS

pytest.importorskip("openai")

GOOD = '{"order_analysis": "no", "eval_analysis": "as it should be", "eval_label": "%s"}'


@dataclass
class Grader:
    """A server that judges, and what it does with the n-th request, counted from 1."""

    answer: Callable[[int, Json], Any]
    """The reply; a string is that of a model, a number an error's status, None closes."""
    requests: list[Json] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    """Authorization of each request."""
    most: int = 0
    """Requests that were under way at once."""
    _under_way: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(
        self, method: str, path: str, asked: Any, headers: dict[str, str]
    ) -> tuple[int, Any]:
        if method == "GET":
            return 200, {"object": "list", "data": [{"id": "stub", "object": "model"}]}
        assert path == "/v1/chat/completions"
        with self._lock:
            self.requests.append(asked)
            self.keys.append(headers.get("authorization"))
            number = len(self.requests)
            self._under_way += 1
            self.most = max(self.most, self._under_way)
        try:
            said = self.answer(number, asked)
        finally:
            with self._lock:
                self._under_way -= 1
        if isinstance(said, int):
            return said, {"error": {"message": "out of order", "type": "bad", "code": None}}
        return 200, chat_reply(said) if isinstance(said, str) else said


def says(label: str) -> Grader:
    return Grader(lambda number, asked: GOOD % label)


def honest(number: int, asked: Json) -> str:
    """Judges by the rules what it finds between the markers."""
    prompt = asked["messages"][-1]["content"]
    code = re.search(r"Its code is ([0-9a-f]{16})", prompt)
    assert code
    part = re.compile(rf"=== \S+ {code[1]} \S+ ===\n(.*?)\n=== \S+ {code[1]} \S+ ===", re.S)
    case = Case("en", "logical", *part.findall(prompt))
    right = bool(rules.judge(case).correct)
    return model_judge.label_text("en", "logical", right, f"Checked as request {number}.")


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No judge but the test's, whose replies and failures the others do not know."""
    for name in (MODEL, URL, KEY):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "inspect-cache"))
    monkeypatch.setattr(inspect_judge, "_known", {})
    monkeypatch.setattr(inspect_judge, "MAX_RETRIES", 0)  # real waits are for real servers
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def known() -> Samples:
    return Samples(**SHORT)


@contextmanager
def judging(grader: Grader, port: int = 0, **more: Any) -> Iterator[Json]:
    """The metadata that has a grader judge all answers."""
    with served(grader, port) as url:
        yield {
            **{"scorer": "judge", "judge_model": "stub", "judge_base_url": f"{url}/v1"},
            **SHORT,
            **more,
        }


def judged(found: Json, task: str = TASK) -> list[Json]:
    return [row["judged"] for row in samples(found, task)]


def closed_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


# The rules.


def answers_of_all_kinds(known: Samples) -> dict[str, str]:
    """Answers by prompt: right, reordered, short, more, refusing, empty, in other dress."""
    found: dict[str, str] = {}
    for number in range(8):
        head, *items = known.reference(number).split("\n")
        text = [
            known.reference(number),
            "\n".join(reversed(items)),
            "\n".join(items[:-1]),
            "\n".join([*items, "- Send the bill to the mayor by post"]),
            "I cannot find that in the text.",
            "",
            f"<think>{items[0]}</think>\n" + "\n".join(f"{n}. {i}" for n, i in enumerate(items, 1)),
            f"{head} " + "; then ".join(item.removeprefix("- ").lower() for item in items) + ".",
        ][number]
        found[digest(known.prompt(number))] = text
    return found


def test_the_rules_judge_by_default_as_the_benchmark_does(known: Samples) -> None:
    said = answers_of_all_kinds(known)
    model = Listener(lambda prompt: said[digest(prompt)])
    found = run(model, limit=8)
    right = []
    for number, (row, told) in enumerate(zip(samples(found), judged(found), strict=True)):
        response = said[digest(known.prompt(number))]
        verdict = benchmark.judge(known.bench.qa(known.plan[number]), response)
        assert told["correct"] is verdict.correct
        assert told["failure_modes"] == [str(mode) for mode in verdict.failure_modes]
        assert told["reason"] == verdict.reason
        assert told["item_recall"] == pytest.approx(verdict.item_recall, abs=1e-4)
        assert told["item_precision"] == pytest.approx(verdict.item_precision, abs=1e-4)
        assert told["judge"] == f"rules {rules.VERSION}" and told["judged_by"] == "rules"
        assert row["acc"] == float(bool(verdict.correct)) and row["unscored"] == 0
        assert row["acc_8k-16k"] == row["acc"]
        pairs = {pair.reference for pair in verdict.pairs if pair.same}
        needles = [needle["found"] for needle in told["needles"]]
        assert needles == [place in pairs for place in range(known.plan[number].needles)]
        spans = known.bench.sample(known.plan[number]).spans
        assert [needle["depth"] for needle in told["needles"]] == pytest.approx(
            [span.depth for span in spans], abs=1e-4
        )
        right.append(bool(verdict.correct))
    assert True in right and False in right
    assert metric(found, "acc") == sum(right) / 8
    assert metric(found, "acc_8k-16k") == sum(right) / 8
    assert metric(found, "judged") == 8
    assert {key.partition(",")[2] for key in found["results"][TASK] if "," in key} == {"rules"}


def test_an_answer_that_a_completion_prompt_began_is_judged_whole(known: Samples) -> None:
    def listed(context: str) -> str:
        prompt = context.removesuffix("\n\nAnswer:\n1.")
        number = [known.prompt(0), known.prompt(1)].index(prompt)
        items = [line.removeprefix("- ") for line in known.reference(number).split("\n")[1:]]
        return f" {items[0]}" + "".join(f"\n{n}. {one}" for n, one in enumerate(items[1:], 2))

    found = run(Listener(listed), chat=False)
    assert [told["correct"] for told in judged(found)] == [True, True]


def test_accuracy_is_told_by_length() -> None:
    options = {"length": "8k-16k,16k-32k"}
    known = Samples(**options)
    of = [one.slot.length.name for one in known.plan[:12]]
    right = known.right(12)
    hit = {digest(known.prompt(number)) for number in range(0, 12, 3)}
    found = run(
        Listener(lambda prompt: right(prompt) if digest(prompt) in hit else "None."),
        options,
        limit=12,
    )
    for name in ("8k-16k", "16k-32k"):
        inside = [number % 3 == 0 for number in range(12) if of[number] == name]
        assert True in inside and False in inside
        assert metric(found, f"acc_{name}") == pytest.approx(sum(inside) / len(inside))
    assert metric(found, "acc") == 4 / 12
    told = [key for key in found["results"][TASK] if key.startswith("acc_")]
    assert {key.partition(",")[0].removesuffix("_stderr") for key in told} == {
        *("acc", "acc_8k-16k", "acc_16k-32k")
    }


def test_the_harness_is_told_which_metrics_there_are() -> None:
    better = run(Listener(), limit=1)["higher_is_better"][TASK]
    bins = {key.removeprefix("acc_") for key in better if key.startswith("acc_")}
    assert bins == {one.name for one in LENGTHS}
    assert better["acc"] is better["item_recall"] is better["item_precision"] is True
    assert better["unscored"] is False


# A model that judges.


@pytest.mark.parametrize("by", ["metadata", "environment"])
def test_a_model_judges_where_it_is_named(
    by: str, known: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, "a-secret-key")
    grader = Grader(honest)
    with judging(grader) as options:
        if by == "environment":
            monkeypatch.setenv(MODEL, options.pop("judge_model"))
            monkeypatch.setenv(URL, options.pop("judge_base_url") + "/chat/completions")
        else:  # which counts before the environment
            monkeypatch.setenv(MODEL, "another")
            monkeypatch.setenv(URL, f"http://127.0.0.1:{closed_port()}/v1")
        right = known.right(4)
        wrong = digest(known.prompt(2))
        found = run(
            Listener(lambda prompt: "None." if digest(prompt) == wrong else right(prompt)),
            options,
            limit=4,
        )
    assert [told["correct"] for told in judged(found)] == [True, True, False, True]
    assert metric(found, "acc") == 3 / 4
    for row, told in zip(samples(found), judged(found), strict=True):
        assert told["judged_by"] == "model"
        assert "stub" in told["judge"] and told["judge"].startswith("judge: ")
        assert "Checked as request" in told["reason"]
        assert (told["judge_input_tokens"], told["judge_output_tokens"]) == (900, 40)
        assert bool(told["failure_modes"]) is (told["correct"] is False)
        assert row["acc"] == float(told["correct"])
    assert {request["model"] for request in grader.requests} == {"stub"}
    assert set(grader.keys) == {"Bearer a-secret-key"}
    assert "a-secret-key" not in json.dumps(found, default=str)
    keys = [key for key in found["results"][TASK] if "," in key]
    assert {key.partition(",")[2] for key in keys} == {"judge"}


def test_a_named_model_judges_unless_somebody_else_is_wanted(known: Samples) -> None:
    grader = says("incorrect")
    with judging(grader) as options:
        del options["scorer"]
        told = judged(run(Listener(known.right(2)), options, limit=2))
    assert [(one["judged_by"], one["correct"], one["rules_correct"]) for one in told] == [
        ("model", False, True)
    ] * 2
    assert len(grader.requests) == 2


def _doubted(known: Samples, number: int) -> str:
    """An answer that the rules doubt: the right one with words of it exchanged for others."""
    words = known.reference(number).split(" ")
    for first in range(len(words)):
        for count in (1, 2, 3):
            answer = " ".join([*words[:first], *["something"] * count, *words[first + count :]])
            if benchmark.judge(known.bench.qa(known.plan[number]), answer).doubts:
                return answer
    raise AssertionError("the rules doubt none of these answers")


def test_a_cascade_asks_where_the_rules_doubt(known: Samples) -> None:
    right = known.right(6)
    doubtful = {digest(known.prompt(number)): _doubted(known, number) for number in (1, 4)}

    def answering(prompt: str) -> str:
        return doubtful.get(digest(prompt)) or right(prompt)

    grader = says("incorrect")
    with judging(grader, scorer="cascade") as options:
        found = run(Listener(answering), options, limit=6)
    told = judged(found)
    assert [one["judged_by"] for one in told] == [
        "model" if number in (1, 4) else "rules" for number in range(6)
    ]
    assert [one["correct"] for one in told] == [number not in (1, 4) for number in range(6)]
    assert [bool(one["doubts"]) for one in told] == [number in (1, 4) for number in range(6)]
    assert len(grader.requests) == 2
    assert all(one["judge"].startswith(f"cascade: rules {rules.VERSION}, ") for one in told)
    keys = [key for key in found["results"][TASK] if "," in key]
    assert {key.partition(",")[2] for key in keys} == {"cascade"}


def test_a_named_model_is_not_asked_when_the_rules_are_wanted() -> None:
    grader = says("correct")
    with judging(grader, scorer="rules") as options:
        found = run(Listener(), options)
    assert grader.requests == []
    assert {told["judge"] for told in judged(found)} == {f"rules {rules.VERSION}"}


def test_many_answers_are_judged_at_once(known: Samples) -> None:
    together = threading.Barrier(4)

    def wait(number: int, asked: Json) -> str:
        together.wait(30)  # which breaks, and fails the request, unless four are under way
        return honest(number, asked)

    grader = Grader(wait)
    with judging(grader, judge_connections=4) as options:
        found = run(Listener(known.right(8)), options, limit=8)
    assert [told["correct"] for told in judged(found)] == [True] * 8
    assert grader.most == 4


def test_one_connection_is_one_answer_at_a_time(known: Samples) -> None:
    grader = Grader(honest)
    with judging(grader, judge_connections="1") as options:
        run(Listener(known.right(5)), options, limit=5)
    assert len(grader.requests) == 5 and grader.most == 1


def test_a_slow_reply_holds_up_no_other_and_finds_its_answer(known: Samples) -> None:
    others = threading.Semaphore(0)

    def answer(number: int, asked: Json) -> str:
        if number == 1:
            for _ in range(5):
                assert others.acquire(timeout=120)
        else:
            others.release()
        return honest(number, asked)

    right = known.right(6)
    wrong = {digest(known.prompt(number)) for number in (1, 4)}
    grader = Grader(answer)
    with judging(grader, judge_connections=2) as options:
        found = run(
            Listener(lambda prompt: "None." if digest(prompt) in wrong else right(prompt)),
            options,
            limit=6,
        )
    assert [told["correct"] for told in judged(found)] == [True, False, True, True, False, True]
    assert any("request 1." in told["reason"] for told in judged(found))


def test_a_prompt_of_ones_own_is_sent_to_the_judge(tmp_path: Path, known: Samples) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("Q {question}\nR {reference}\nA {response}\n{delimiter}", "utf-8")
    grader = says("correct")
    with judging(grader, judge_prompt=str(path)) as options:
        run(Listener(), options, limit=1)
    asked = grader.requests[0]["messages"][-1]["content"]
    assert asked.startswith(f"Q {known.bench.qa(known.plan[0]).question}\nR ")


# A judge that is not there.


def test_a_judge_that_is_down_is_found_out_before_the_first_answer() -> None:
    url = f"http://127.0.0.1:{closed_port()}/v1"
    model = Listener()
    with pytest.raises(Refusal) as caught:
        run(model, {**SHORT, "judge_model": "stub", "judge_base_url": url})
    said = str(caught.value)
    assert model.prompts == []
    assert url in said and "does not answer" in said
    assert "--predict_only" in said and "seqniah score lm-eval" in said and "\n" not in said


@pytest.mark.parametrize("url", ["127.0.0.1:9", "nonsense", "http://[::1", "file:///etc"])
def test_an_address_that_is_none_is_found_out_as_well(url: str) -> None:
    model = Listener()
    with pytest.raises(Refusal, match="judge"):
        run(model, {**SHORT, "judge_model": "stub", "judge_base_url": url})
    assert model.prompts == []


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_is_found_out_before_the_first_answer(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, "a-secret-key")
    seen: list[str | None] = []

    def refuse(method: str, path: str, asked: Any, headers: dict[str, str]) -> tuple[int, Any]:
        seen.append(headers.get("authorization"))
        return status, {"error": "no"}

    model = Listener()
    with served(refuse) as url, pytest.raises(Refusal) as caught:
        run(model, {**SHORT, "judge_model": "stub", "judge_base_url": f"{url}/v1"})
    said = str(caught.value)
    assert model.prompts == [] and seen == ["Bearer a-secret-key"]
    assert KEY in said and "a-secret-key" not in said


def test_a_server_that_lists_no_models_may_judge(known: Samples) -> None:
    grader = Grader(honest)

    def reply(method: str, path: str, asked: Any, headers: dict[str, str]) -> tuple[int, Any]:
        return (404, {}) if method == "GET" else grader(method, path, asked, headers)

    with served(reply) as url:
        options = {"scorer": "judge", "judge_model": "stub", "judge_base_url": f"{url}/v1"}
        found = run(Listener(known.right(1)), {**SHORT, **options}, limit=1)
    assert metric(found, "acc") == 1.0


@pytest.mark.parametrize("chat", [True, False])
def test_predicting_alone_needs_no_judge(chat: bool, known: Samples) -> None:
    url = f"http://127.0.0.1:{closed_port()}/v1"
    model = Listener(lambda prompt: "my answer")
    options = {**SHORT, "judge_model": "stub", "judge_base_url": url}
    rows = samples(run(model, options, chat=chat, predict_only=True))
    assert len(model.prompts) == 2
    assert [row["doc"]["id"] for row in rows] == known.ids[:2]
    assert [row["resps"] for row in rows] == [[["my answer"]]] * 2
    assert [row["filtered_resps"] for row in rows] == [["my answer" if chat else "1.my answer"]] * 2
    assert "judged" not in rows[0] and "acc" not in rows[0]
    told = [row["doc"]["prompt"]["prompt_sha256"] for row in rows]
    assert told == [digest(known.prompt(number)) for number in range(2)]


# A judge that fails.


BROKEN: dict[str, tuple[Callable[[int, Json], Any], str]] = {
    "500 for ever": (lambda number, asked: 500, "out of order"),
    "garbage": (lambda number, asked: "It seems fine to me.", "no verdict"),
    "half a verdict": (lambda number, asked: '{"eval_analysis": "it', "no verdict"),
    "an empty reply": (lambda number, asked: "", "is empty"),
    "no JSON at all": (lambda number, asked: b"<html>busy</html>", "did not answer"),
    "a closed connection": (lambda number, asked: None, "did not answer"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_judge_leaves_answers_unscored(name: str) -> None:
    answer, words = BROKEN[name]
    with judging(Grader(answer), max_unscored=1) as options:
        found = run(Listener(), options, limit=2)
    for row, told in zip(samples(found), judged(found), strict=True):
        assert told["correct"] is None and told["judged_by"] == "model"
        assert words in told["reason"]
        assert math.isnan(row["acc"]) and row["unscored"] == 1.0
    assert math.isnan(metric(found, "acc"))
    assert (metric(found, "unscored"), metric(found, "judged")) == (1.0, 0)


def dying(after: int) -> Grader:
    """Judges so many answers and then no more."""
    return Grader(lambda number, asked: honest(number, asked) if number <= after else None)


def test_a_judge_that_dies_midway_leaves_the_rest_unscored_within_bounds(known: Samples) -> None:
    with judging(dying(3), judge_connections=1, max_unscored=0.25) as options:
        found = run(Listener(known.right(4)), options, limit=4)
    assert [told["correct"] for told in judged(found)] == [True, True, True, None]
    assert metric(found, "acc") == 1.0  # of those that have a verdict
    assert metric(found, "acc_8k-16k") == 1.0
    assert (metric(found, "unscored"), metric(found, "judged")) == (1 / 4, 3)
    assert math.isnan(samples(found)[3]["acc"])


def failed(options: Json, folder: Path | None, **given: Any) -> tuple[str, list[Path]]:
    """The sentence of a run that fails at its judging, and the files that it kept."""
    tracker = EvaluationTracker(output_path=str(folder)) if folder else None
    with pytest.raises(Refusal) as caught:
        run(metadata=options, evaluation_tracker=tracker, **given)
    said = str(caught.value)
    assert "\n" not in said
    words = shlex.split(said.partition("judge them with: ")[2])
    assert words[:3] == ["seqniah", "score", "lm-eval"]
    return said, [Path(word) for word in words[3:]]


@pytest.mark.parametrize("where", ["", "my results", "my results/results.json"])
def test_beyond_the_bounds_the_run_fails_and_keeps_every_answer(
    where: str, known: Samples, tmp_path: Path
) -> None:
    output = tmp_path / where if where else None
    # The harness takes a file for its results, too, and writes the samples beside it.
    folder = tmp_path / where.partition("/")[0]
    other = "seqniah_real_logical_zh"
    model = Listener(lambda prompt: f"Answer to {digest(prompt)}")
    with judging(dying(1), judge_connections=1) as options:  # the default bound is five per cent
        said, files = failed(options, output, model=model, tasks=f"{TASK},{other}", limit=3)
    assert "2 of 3" in said and TASK in said and "5%" in said and "did not answer" in said
    assert len(files) == 2
    for path, task in zip(files, (TASK, other), strict=True):
        assert task in path.name and path.resolve().is_relative_to(folder)
        assert not where.endswith(".json") or path.parent == folder
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        expected = Samples(task, **SHORT)
        assert [row["doc"]["id"] for row in rows] == expected.ids[:3]
        for number, row in enumerate(rows):
            response = f"Answer to {digest(expected.prompt(number))}"
            assert row["resps"] == [[response]] and row["filtered_resps"] == [response]
            assert row["doc_id"] == number
            assert row["target"] == row["doc"]["reference"] == expected.reference(number)


def test_of_a_later_task_the_first_ones_answers_are_kept_too(tmp_path: Path) -> None:
    tasks = f"{TASK},seqniah_real_logical_zh"
    with judging(dying(2), judge_connections=1) as options:
        said, files = failed(options, tmp_path, model=Listener(), tasks=tasks, limit=2)
    assert "seqniah_real_logical_zh" in said.partition("could not be judged")[0]
    assert [len(path.read_text("utf-8").splitlines()) for path in files] == [2, 2]


def test_the_answers_of_completions_are_kept_as_they_are_judged(tmp_path: Path) -> None:
    with judging(dying(0)) as options:
        _, (path,) = failed(options, tmp_path, model=Listener(lambda p: " a\n2. b"), chat=False)
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [row["filtered_resps"] for row in rows] == [["1. a\n2. b"]] * 2
    assert [row["resps"] for row in rows] == [[[" a\n2. b"]]] * 2


def test_after_a_failure_the_same_run_asks_only_for_what_is_missing(known: Samples) -> None:
    port = closed_port()
    with judging(dying(2), port, judge_connections=1) as options, pytest.raises(Refusal):
        run(Listener(known.right(4)), options, limit=4)
    healed = Grader(honest)
    with judging(healed, port) as options:
        found = run(Listener(known.right(4)), options, limit=4)
    assert metric(found, "acc") == 1.0
    assert len(healed.requests) == 2


SCRIPT = """
import os, signal, sys
sys.path.append(sys.argv[1])
from lm_eval.loggers import EvaluationTracker
from http_parts import served
from lm_eval_parts import SHORT, Listener, run

def interrupt(method, path, asked, headers):
    if method == "GET":
        return 200, {"data": []}
    os.kill(os.getpid(), signal.SIGINT)
    return 200, None

with served(interrupt) as url:
    options = {"scorer": "judge", "judge_model": "stub", "judge_base_url": url + "/v1", **SHORT}
    run(Listener(), options, evaluation_tracker=EvaluationTracker(output_path=sys.argv[2]))
"""


def test_an_interrupted_judging_keeps_every_answer(tmp_path: Path, known: Samples) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(Path(__file__).parent), str(tmp_path)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env=dict(os.environ),
    )
    assert done.returncode not in (0, 1)
    assert "judge them with: seqniah score lm-eval" in done.stderr
    (path,) = tmp_path.rglob("samples_*.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [row["doc"]["id"] for row in rows] == known.ids[:2]
