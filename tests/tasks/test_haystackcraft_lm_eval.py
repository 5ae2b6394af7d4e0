"""HaystackCraft in lm-eval: wrong answers traced in the prompt, at once and in samples files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from lm_eval.api.metrics import stderr_for_metric
from lm_eval.models.api_models import JsonChatStr
from lm_eval_parts import Listener
from test_haystackcraft import TOWNS, folder  # noqa: F401  # a fixture
from test_lm_eval_stars import _score, _write, loaded

from seqniah_tasks.adapters.lm_eval.samples import prompt

TASK = "haystackcraft"
QUESTION = re.compile(r"Person (\d+)\?")


def _mistaken(context: str) -> str:
    """A town, which is right or a bridge; a word from nowhere; nothing; a river of another town."""
    number = int(QUESTION.findall(context)[-1])
    town = TOWNS[number]
    said = (f"({town})", "(Atlantis)", None, f"(Flow{number + 1})")[number % 4]
    return f"The correct answer is {said}." if said else "Who knows."


class Chat(Listener):
    """A model whose chats are JSON, as those of servers are."""

    def apply_chat_template(
        self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
    ) -> Any:
        return JsonChatStr(json.dumps(chat_history, ensure_ascii=False))

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
        return [_mistaken(request.args[0].prompt) for request in requests]


def _modes(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    return {row["id"]: row["failure_modes"] for row in rows}


@pytest.mark.parametrize("model", [Listener(_mistaken), Chat()], ids=["text", "json"])
def test_wrong_answers_are_traced_at_once_and_from_files(
    folder: Path,  # noqa: F811
    tmp_path: Path,
    model: Listener,
) -> None:
    options = {"corpus": str(folder), "length": "2k,16k", "strategy": "bm25,bm25+ppr"}
    for name, only in (("at once", False), ("later", True)):
        _write(tmp_path / name, model, options, TASK, predict_only=only)
    (path,) = (tmp_path / "at once").rglob("samples_*.jsonl")
    judged = [json.loads(line)["judged"] for line in path.read_text("utf-8").splitlines()]
    found = _modes(judged)
    assert len(found) == 12 * 2 * 2
    kinds = {mode for modes in found.values() for mode in modes}
    assert {"bridge", "distractor", "nowhere", "no_answer"} <= kinds
    assert [] in found.values()
    for name in ("at once", "later"):
        rows, (summed,), _ = _score(tmp_path / "verdicts.jsonl", tmp_path / name)
        assert _modes(rows) == found
        # 12 questions in 4 settings each.
        assert summed["score"][3] == 48
    # Of a file without prompts, as a run leaves it whose judging failed, less is told.
    bare = tmp_path / "samples_haystackcraft_2025-03-01T10-00-00.jsonl"
    lines = map(json.loads, path.read_text("utf-8").splitlines())
    bare.write_text(
        "".join(json.dumps({**row, "arguments": None}) + "\n" for row in lines), "utf-8"
    )
    rows, _, _ = _score(tmp_path / "verdicts.jsonl", bare)
    assert {mode for modes in _modes(rows).values() for mode in modes} == {"no_answer"}


def test_the_harness_gives_no_standard_error_as_though_samples_were_independent(
    folder: Path,  # noqa: F811
) -> None:
    several = loaded(TASK, {"corpus": str(folder), "length": "2k,4k"})[TASK]
    assert stderr_for_metric(several.aggregation()["f1"], 9) is None
    one = loaded(TASK, {"corpus": str(folder), "length": "2k"})[TASK]
    assert stderr_for_metric(one.aggregation()["f1"], 9) is not None


@pytest.mark.parametrize(
    ("context", "words"),
    [
        ("plain", "plain"),
        (("[" + json.dumps({"role": "user", "content": "in a chat"}) + "]",), "in a chat"),
        (['[{"content": "first"}, {"content": "last"}]'], "last"),
        (['[{"content": [{"type": "image"}]}]'], ""),
        (["[" * 100_000], ""),
        (["no json"], ""),
        (['{"content": "x"}'], ""),
        (["[]"], ""),
        ([], ""),
        ([1, 2], ""),
        (None, ""),
        (7, ""),
    ],
)
def test_prompts_are_read_from_whatever_files_hold(context: object, words: str) -> None:
    assert prompt(context) == words
