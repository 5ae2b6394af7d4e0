"""The rule judge on answers that were written, labelled and audited by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case

FOLDER = Path(__file__).parent / "answers"
MOST_WRONG = {
    "en_temporal": 23,  # of 160
    "zh_temporal": 16,  # of 160
    "logical": 50,  # of 150
    "steps_retold": 7,  # of 59
    "lifelike_en": 13,  # of 100
    "lifelike_zh": 13,  # of 100
    "lifelike2_en": 13,  # of 120
    "lifelike2_zh": 18,  # of 120
    "lifelike3_en": 9,  # of 100
    "lifelike3_zh": 9,  # of 100
    "lifelike4_en": 4,  # of 60
    "lifelike4_zh": 10,  # of 60
}
"""Known errors of the rule judge by file: planted changes of one word, and right answers that tell
a step without a word of the reference. Version 3 had 20 in all: its tables were written for these
answers, which the paraphrases of real models are not like; see docs/judge.md."""


def test_every_file_is_measured() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(MOST_WRONG)


@pytest.mark.parametrize("name", MOST_WRONG)
def test_the_judge_agrees_with_the_label(name: str) -> None:
    rows = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").open(encoding="utf-8")]
    wrong: list[str] = []
    for row in rows:
        given = (row[key] for key in ("lang", "needle_type", "question", "reference", "response"))
        verdict = judge(Case(*given))
        if "order_required" in row:
            assert verdict.order_required is row["order_required"], row["id"]
        if verdict.correct is not (row["label"] == "correct"):
            wrong.append(f"{row['id']}: {verdict.reason}")
    assert len(wrong) <= MOST_WRONG[name], wrong
