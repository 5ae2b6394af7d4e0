"""What commands show of a benchmark that has neither recipes nor haystacks."""

from __future__ import annotations

import io
from dataclasses import dataclass

from rich.console import Console

from seqniah_tasks.benchmarks.protocol import (
    Answered,
    Audio,
    Bench,
    Benchmark,
    ByMeasure,
    Image,
    Item,
    Prompt,
    Sample,
    Scored,
    Scoring,
    Text,
    prompt_of,
)
from seqniah_tasks.budget import Model
from seqniah_tasks.estimate import Request, estimate
from seqniah_tasks.records import Record, RunRecord
from seqniah_tasks.views import sample as view
from seqniah_tasks.views.summary import figures_as_json, print_figures


def _score(answered: Answered) -> Scored:
    return Scored(score=0.5, reason="Half of it.")


TINY = Benchmark(
    name="tiny",
    title="Tiny",
    version=1,
    tasks=(),
    scoring=Scoring(by=ByMeasure(_score, "tiny 1"), name="tiny"),
)


@dataclass(frozen=True)
class Options:
    """There are none."""


class Tiny(Bench[Sample]):
    """Two samples in German: a long one, and a short one of two turns."""

    declared = TINY
    options = Options()
    plan = (Sample("t-1", "de", "2k"), Sample("t-2", "de", "short"))

    def item(self, planned: Sample) -> Item:
        return Item(f"Was ist {planned.id}?", "[nichts]")

    def prompt(self, planned: Sample) -> Prompt:
        if planned.length == "2k":
            return prompt_of("Wort " * 2_000, tokenizer=self.tokenizer)
        seen = (Text("Sieh [dies]."), Image(b"x" * 1_234), Audio(b"y" * 99, "mp3"))
        return prompt_of(seen, "Und nun?", tokenizer=self.tokenizer)


def _shown(number: int, *, full: bool = False) -> str:
    out, bench = io.StringIO(), Tiny()
    view.print_sample(Console(file=out, width=100), bench, bench.plan[number], full=full)
    return out.getvalue()


def test_each_turn_is_shown_with_what_it_holds() -> None:
    lines = [line for line in _shown(1).splitlines() if line]
    assert lines[0] == "t-2"
    assert lines[1].endswith(" tokens, 2 turns")
    assert lines[2:] == [
        "Question   Was ist t-2?",
        "Reference  [nichts]",
        "Turn 1",
        "Sieh [dies].",
        "[picture, image/png, 1,234 bytes]",
        "[sound, mp3, 99 bytes]",
        "Turn 2",
        "Und nun?",
    ]


def test_long_texts_are_cut_unless_all_is_wanted() -> None:
    assert _shown(0, full=True).count("Wort") == 2_000
    assert 20 < _shown(0).count("Wort") < 200
    assert "Turn" not in _shown(0)


def test_as_json_there_is_one_row_and_no_recipe() -> None:
    bench = Tiny()
    row = view.as_json(bench, bench.plan[1])
    assert row["input"] == "Sieh [dies].Und nun?"
    assert (row["question"], row["reference"], row["lang"]) == ("Was ist t-2?", "[nichts]", "de")
    assert "recipe" not in row


def test_an_estimate_needs_no_more_than_the_prompts() -> None:
    bench = Tiny()
    found = estimate(bench, Request(), Model("m", 3_000))
    assert [(one.name, one.samples) for one in found.bins] == [("short", 1), ("2k", 1)]
    assert found.prompt_tokens == sum(bench.prompt(one).tokens for one in bench.plan)
    assert (found.title, found.over, found.narrower, found.prefixes) == ("Tiny", 1, "", None)


def test_a_summary_has_the_mean_score_by_length_and_language() -> None:
    scores = (0.5, 1.0, None)
    records = tuple(
        Record(
            source="a.eval",
            benchmark="tiny",
            id=f"t-{number}",
            lang="de",
            length_bin=("4k", "16k", "4k")[number],
            finished=True,
            score=score,
            correct=None if score is None else score == 1,
        )
        for number, score in enumerate(scores)
    )
    run = RunRecord(
        model="m", benchmark=TINY, task="tiny", version="1", edition="", tokenizer="t", corpus="",
        scorer="tiny 1", status="success", samples=records,
    )  # fmt: skip
    fields = figures_as_json(run)
    assert (fields["score"][0], fields["perfect"][0], fields["unscored"]) == (0.75, 0.5, 1)  # type: ignore[index]
    assert list(fields["strata"]) == ["length: 4k", "length: 16k", "language: de"]  # type: ignore[call-overload]
    out = io.StringIO()
    print_figures(Console(file=out, width=100), run)
    assert "Score  75.0%  (mean of 2, 1 of them perfect; 95 % interval" in out.getvalue()
