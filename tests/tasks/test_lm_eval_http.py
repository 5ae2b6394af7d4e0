"""lm-eval's command against the rehearsal server: real HTTP, and figures known beforehand."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import command_line
import pytest

import seqniah_tasks
from seqniah_datasets.schema import LANGS, Pipeline
from seqniah_datasets.tokens import tokenizer
from seqniah_scorers.verdict import Verdict
from seqniah_tasks.baselines import BASELINES
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.prompts import answer_start
from seqniah_tasks.benchmarks.sequential_niah.score import judge
from seqniah_tasks.serve import Counter, Faults, running

EACH = 2
"""Samples of each language, pipeline and length."""

LEXICAL = BASELINES["lexical"]

TASKS = Path(seqniah_tasks.__file__).with_name("lm_eval_tasks")
"""As they are now; the harness's own folder may have an older copy."""

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Read:
    """What the baseline makes of one prompt, called directly."""

    prompt: str
    tokens: int
    task: str
    answer: str
    """As a chat would have it."""
    verdict: Verdict
    continued_tokens: int
    """Of the prompt with the beginning of the answer that it then has."""
    continued: str
    """As the continuation of the prompt's text, up to the end of the list."""
    continued_verdict: Verdict


@pytest.fixture(scope="module")
def metadata(texts: Path) -> Fields:
    return {
        "corpus": str(texts),
        "length": "8k-16k,16k-32k",
        "limit_per_stratum": EACH,
        "scorer": "rules",
    }


@pytest.fixture(scope="module")
def expected(metadata: Fields) -> dict[str, Read]:
    """By id; without the harness and without the server."""
    chosen = {name: value for name, value in metadata.items() if name != "scorer"}
    bench = SequentialNiah(read_options(**chosen))
    found: dict[str, Read] = {}
    for planned in bench.plan:
        slot, qa, prompt = planned.slot, bench.qa(planned), bench.sample(planned).input
        answer = LEXICAL(prompt, 10)
        start = answer_start(slot.lang)
        continued = LEXICAL(prompt + start, 10).partition("\n\n")[0]
        found[planned.id] = Read(
            prompt,
            bench.recipe(planned).tokens,
            f"seqniah_{slot.pipeline}_{slot.lang}".replace("-", "_"),
            answer,
            judge(qa, answer),
            tokenizer().count(prompt + start),
            continued,
            judge(qa, start.rpartition("\n")[2] + continued),
        )
    assert len(found) == len(LANGS) * len(Pipeline) * 2 * EACH
    return found


_LM_EVAL = str(Path(sys.executable).with_name("lm_eval"))


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of the command left."""

    results: Fields
    rows: dict[str, Fields]
    """Lines of the samples files, by id."""
    said: str


@pytest.fixture
def run(tmp_path: Path, metadata: Fields) -> Callable[..., Run]:
    def run(url: str, model: str, *words: str, **arguments: object) -> Run:
        path = "chat/completions" if "chat" in model else "completions"
        given = {"model": "lexical", "base_url": f"{url}/{path}", **arguments}
        command = [
            *(
                _LM_EVAL,
                "run",
                "--include_path",
                str(TASKS),
                "--model",
                model,
                "--tasks",
                "seqniah",
            ),
            *("--model_args", ",".join(f"{name}={value}" for name, value in given.items())),
            *("--metadata", json.dumps(metadata), "--log_samples", "--output_path", str(tmp_path)),
            *words,
        ]
        env = {**os.environ, "OPENAI_API_KEY": "none", "HF_HUB_OFFLINE": "1"}
        done = command_line.run(command, cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr[-4_000:]
        (found,) = tmp_path.rglob("results_*.json")
        rows = [
            json.loads(line)
            for file in tmp_path.rglob("samples_*.jsonl")
            for line in file.read_text("utf-8").splitlines()
        ]
        by_id = {row["doc"]["id"]: row for row in rows}
        assert len(by_id) == len(rows)
        return Run(json.loads(found.read_text("utf-8")), by_id, done.stdout + done.stderr)

    return run


def _same(run: Run, verdicts: dict[str, Verdict], tasks: dict[str, str]) -> None:
    """Every sample and every figure of a run is as the verdicts have it."""
    assert run.rows.keys() == verdicts.keys()
    for name, verdict in verdicts.items():
        row, order = run.rows[name], verdict.order_agreement
        assert row["acc"] == row["judged"]["correct"] == verdict.correct
        assert row["judged"]["failure_modes"] == [str(mode) for mode in verdict.failure_modes]
        assert row["item_recall"] == pytest.approx(verdict.item_recall, abs=1e-4)
        assert row["item_precision"] == pytest.approx(verdict.item_precision, abs=1e-4)
        assert row["order_agreement"] == (None if order is None else pytest.approx(order, abs=1e-4))
    for task in {*tasks.values()}:
        some = [verdict for name, verdict in verdicts.items() if tasks[name] == task]
        figures = run.results["results"][task]
        assert figures["acc,rules"] == pytest.approx(mean(bool(one.correct) for one in some))
        assert figures["judged,rules"] == len(some)
    group = run.results["groups"]["seqniah"]
    every = verdicts.values()
    assert group["acc,rules"] == pytest.approx(mean(bool(one.correct) for one in every))
    assert group["item_recall,rules"] == pytest.approx(
        mean(one.item_recall for one in every), abs=1e-4
    )
    assert group["unscored,rules"] == 0.0


def _told(expected: dict[str, Read]) -> dict[str, str]:
    return {name: read.task for name, read in expected.items()}


def test_chats_score_as_the_baseline_does(
    run: Callable[..., Run], expected: dict[str, Read]
) -> None:
    counter = Counter()
    with running(counter=counter) as url:
        found = run(url, "local-chat-completions", "--apply_chat_template")
    verdicts = {name: read.verdict for name, read in expected.items()}
    assert 0 < mean(bool(one.correct) for one in verdicts.values()) < 1
    _same(found, verdicts, _told(expected))
    for name, read in expected.items():
        row = found.rows[name]
        assert row["filtered_resps"] == row["resps"][0] == [read.answer]
        assert row["judged"]["prompt_tokens"] == read.tokens
    # The server counted what it read: prompts went there whole, and once each.
    assert counter.requests == counter.answered == len(expected)
    assert counter.prompt_tokens == sum(read.tokens for read in expected.values())


def test_completions_score_as_the_baseline_does(
    run: Callable[..., Run], expected: dict[str, Read]
) -> None:
    counter = Counter()
    with running(counter=counter) as url:
        found = run(url, "local-completions", tokenized_requests=False, tokenizer_backend="none")
    _same(found, {name: one.continued_verdict for name, one in expected.items()}, _told(expected))
    for name, read in expected.items():
        row = found.rows[name]
        assert row["resps"] == [[read.continued]]
        assert row["filtered_resps"] == [f"1.{read.continued}"]
    assert counter.requests == len(expected)
    assert counter.prompt_tokens == sum(read.continued_tokens for read in expected.values())


def test_a_busy_and_failing_server_changes_no_score(
    run: Callable[..., Run], expected: dict[str, Read]
) -> None:
    counter = Counter()
    faults = Faults(rate_limited=0.5, failing=0.5)
    with running(faults, counter=counter) as url:
        found = run(url, "local-chat-completions", "--apply_chat_template", num_concurrent=4)
    assert "Rate limit reached, as rehearsed" in found.said
    assert "The server failed, as rehearsed" in found.said
    assert counter.requests == 2 * counter.answered == 2 * len(expected)
    _same(found, {name: read.verdict for name, read in expected.items()}, _told(expected))
