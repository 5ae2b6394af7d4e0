"""The lexical reader: honest, plain, and robust to any prompt."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqniah_datasets.schema import Lang
from seqniah_tasks.baselines import lexical, skimming
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.prompts import answer_start
from seqniah_tasks.benchmarks.sequential_niah.score import judge

FILLER = "The mill stood by the river. It was old and loud. Nobody knew its age. " * 30

PROMPT = (
    "Read this.\n\n"
    f"{FILLER}\nLog of Ada Quill-2001-05-09, I sold the boat.\n{FILLER}"
    f"\nLog of Ada Quill\n\n2 May 2001\nI bought the boat.\n{FILLER}"
    "\n\nQuestion: What did Ada Quill do in May 2001?"
)


def test_it_finds_the_subject_and_orders_by_date() -> None:
    assert lexical(PROMPT).split("\n") == [
        "1. Log of Ada Quill 2 May 2001 I bought the boat.",
        "2. Log of Ada Quill-2001-05-09, I sold the boat.",
    ]


def test_without_a_date_it_keeps_the_order_of_the_text() -> None:
    undated = PROMPT.replace("2 May 2001", "Some day")
    assert "sold" in lexical(undated).split("\n")[0]


def test_it_gives_at_most_top_k_sentences() -> None:
    assert len(lexical(PROMPT, 1).split("\n")) == 1


def test_it_says_so_when_nothing_matches() -> None:
    assert lexical("One. Two.\n\nWho is Ada Quill?") == "Not found."
    assert lexical("一。二。\n\n谁是龚若澜？") == "没有找到。"


@given(st.text(max_size=300))
def test_it_reads_any_prompt(prompt: str) -> None:
    assert lexical(prompt)


def test_it_is_neither_right_nor_wrong_throughout(cache: Path) -> None:
    bench = SequentialNiah(read_options(length="8k-16k"), cache)
    verdicts = []
    for planned in bench.plan[:30]:
        sample = bench.sample(planned)
        verdicts.append(judge(sample.qa, lexical(sample.input)).correct)
    assert 0 < sum(map(bool, verdicts)) < len(verdicts)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_answer_that_has_begun_is_continued(lang: Lang) -> None:
    assert f"1.{lexical(PROMPT + answer_start(lang))}" == lexical(PROMPT)


def _log(day: int, event: str) -> str:
    return f"Log of Ada Quill-2001-05-{day:02d}, I {event}."


def test_the_skimming_reader_never_sees_the_middle_of_a_long_text() -> None:
    filler = "The mill stood by the river. It was old and loud. Nobody knew its age. " * 300
    parts = [
        _log(9, "sold the boat"),
        filler,
        _log(5, "hid it"),
        filler,
        _log(2, "bought the boat"),
    ]
    prompt = "\n".join(parts) + "\n\nQuestion: What did Ada Quill do in May 2001?"
    assert [line.split("I ")[1] for line in lexical(prompt).split("\n")] == [
        "bought the boat.", "hid it.", "sold the boat.",
    ]  # fmt: skip
    assert [line.split("I ")[1] for line in skimming(prompt).split("\n")] == [
        "bought the boat.", "sold the boat.",
    ]  # fmt: skip
    assert skimming(PROMPT) == lexical(PROMPT)


@pytest.mark.parametrize(("events", "ordered"), [(6, True), (7, False)])
def test_the_skimming_reader_puts_no_more_than_six_in_order(events: int, ordered: bool) -> None:
    days = [9, 2, 7, 3, 5, 4, 8][:events]
    text = "\n".join(_log(day, f"saw number {day}") for day in days)
    answer = skimming(f"Read.\n\n{FILLER}\n{text}\n\nWhat did Ada Quill do in May 2001?")
    seen = [int(line.split("number ")[1].rstrip(".")) for line in answer.split("\n")]
    assert seen == (sorted(days) if ordered else days)
