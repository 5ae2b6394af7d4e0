"""Measure what docs/performance.md reports: `make bench`, or `python benchmarks/run.py NAME ...`.

Every figure is a median of several runs; speeds are per second of processor time (all threads
and child processes counted), so that a busy machine slows nothing but the waiting. Ratios compare
runs of one session. Set SEQNIAH_REAL_DATA to measure on real text instead of the embedded corpus.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import processes
from judge_answers import ANSWERS, labelled, listed
from measuring import cpu, median, say, spec

from seqniah_datasets import tokens
from seqniah_datasets.corpora import corpus, procedural
from seqniah_datasets.rendering import prompt_bytes, render
from seqniah_datasets.schema import LANGS, Wish
from seqniah_datasets.segment import segment
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.event_pool import EventPool
from seqniah_datasets.splits import GROUPS
from seqniah_scorers import rules
from seqniah_scorers.verdict import Case
from seqniah_tasks import doctor
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.score import judge


def recipes() -> None:
    """Recipes with exact counts, against tokenising every finished prompt."""
    bench = SequentialNiah(read_options(corpus=spec()))
    bench.prepare()
    made = [bench.recipe(planned) for planned in bench.plan]  # warm: indexes open
    total = sum(recipe.tokens for recipe in made)
    ours = median(lambda: cpu(lambda: [bench.recipe(planned) for planned in bench.plan]))
    say("recipes, exact counts", total / ours / 1e6, "M tokens/s")

    part = made[:: max(1, len(made) // 60)]
    counter = bench.corpus.tokenizer

    def reference() -> None:
        for recipe in part:
            text = prompt_bytes(recipe, bench.corpus).decode()
            assert counter.count(text) == recipe.tokens

    theirs = median(lambda: cpu(reference))
    speed = sum(recipe.tokens for recipe in part) / theirs
    say("reference: tokenise every finished prompt", speed / 1e6, "M tokens/s")
    say("ratio", (total / ours) / speed, "times")


def rendering() -> None:
    """Recipes to prompt bytes, and to text."""
    bench = SequentialNiah(read_options(corpus=spec()))
    bench.prepare()
    made = [bench.recipe(planned) for planned in bench.plan]
    size = sum(len(prompt_bytes(recipe, bench.corpus)) for recipe in made)
    for what, work in (("bytes", prompt_bytes), ("text", render)):

        def every(work: Callable[..., object] = work) -> None:
            for recipe in made:
                work(recipe, bench.corpus)

        spent = median(lambda every=every: cpu(every))  # type: ignore[misc]
        say(f"rendering to {what}", size / spent / 1e9, "GB/s")


def counts() -> None:
    """Errors among 1,000 random samples a language and encoding."""
    for name in tokens.ENCODINGS:
        counter = tokens.tokenizer(name)
        for lang in ("en", "zh"):
            bench = SequentialNiah(
                read_options(
                    "train",
                    lang=lang,
                    length="8k-16k,16k-32k,32k-64k",
                    corpus=spec(),
                    tokenizer=name,
                )
            )
            bench.prepare()
            wrong = sum(
                counter.count(bench.sample(planned).input) != bench.recipe(planned).tokens
                for planned in bench.plan[:1_000]
            )
            say(f"wrong counts of {min(1_000, len(bench.plan)):,}, {lang}, {name}", wrong, "")


def corpus_writing() -> None:
    """The embedded corpus: writing it."""
    for lang in ("en", "zh"):
        size = 0

        def write(lang: str = lang) -> None:
            nonlocal size
            one = "en" if lang == "en" else "zh"
            size = sum(len(procedural.write(one, 768_000, n).encode()) for n in range(4))

        spent = median(lambda: cpu(write), 3)
        say(f"writing the embedded corpus, {lang}", size / spent / 1e6, "MB/s")
    assert corpus().digest


def judging() -> None:
    """The rule judge: copies of references, reworded answers, a loop of 34,000 characters."""
    bench = SequentialNiah(read_options())
    items = [bench.qa(planned) for planned in bench.plan[:400]]

    def every() -> None:
        for item in items:
            assert judge(item, item.reference).correct

    characters = sum(len(item.reference) for item in items) / len(items)
    note = f"{characters:,.0f} characters an answer"
    say("rule judge, copies", len(items) / median(lambda: cpu(every)), "verdicts/s", note)
    written = [listed(item) for item in items if item.needles[0].date]
    assert sum(bool(rules.judge(case).correct) for case in written) >= 0.99 * len(written)
    note = f"{statistics.median(len(case.response) for case in written):,.0f} characters, median"
    speed = len(written) / median(lambda: cpu(lambda: [rules.judge(case) for case in written]))
    say("rule judge, numbered lists as models write them", speed, "verdicts/s", note)
    told = [case for path in sorted(ANSWERS.glob("lifelike*.jsonl")) for case in labelled(path)]
    note = f"{statistics.median(len(case.response) for case in told):,.0f} characters, median"
    for kind in ("temporal", "logical"):
        some = [case for case in told if case.needle_type == kind]

        def each(some: list[Case] = some) -> None:
            for case in some:
                rules.judge(case)

        each()  # references are read once for all answers to a question
        speed = len(some) / median(lambda each=each: cpu(each))  # type: ignore[misc]
        say(f"rule judge, reworded answers, {kind}", speed, "verdicts/s", note)
    item = items[0]
    loop = (item.reference * 100)[:34_000]
    say("a 34,000-character loop", median(lambda: cpu(lambda: judge(item, loop))) * 1e3, "ms")


def segmentation() -> None:
    """Sentence ends and anchors of 100 MB."""
    for lang in LANGS:
        text = (procedural.write(lang, 4_000_000, 6_000) * 25).encode()
        spent = median(lambda text=text: cpu(lambda: segment(text)), 3)  # type: ignore[misc]
        say(f"sentence ends, {lang}", len(text) / spent / 1e6, "MB/s")


def event_questions() -> None:
    """500 questions in each language of ICEWS05-15, whose file is read anew each time."""
    real = os.environ.get("SEQNIAH_REAL_DATA")
    if not real:
        print("ICEWS to 500 questions: not measured, SEQNIAH_REAL_DATA is not set")
        return
    wishes = (Wish(GROUPS[0], 4),) * 500

    def every() -> None:
        pool = EventPool([Path(real) / "tkg/icews05-15.tsv"])
        for lang in LANGS:
            supply = pool.supply(Demand(lang, "test", 0, wishes))
            serials = [n for n in range(len(wishes)) if supply.needles(n) is not None]
            assert len([supply.item(serial) for serial in serials]) == len(wishes)

    say("ICEWS05-15 to 500 questions a language", median(lambda: cpu(every)), "s")


def examining() -> None:
    """All checks of `seqniah doctor`, within one process."""

    def every() -> float:
        start = time.perf_counter()
        doctor.examine(doctor.setting())
        return time.perf_counter() - start

    say("seqniah doctor, all checks, wall", median(every), "s")


ALL: dict[str, Callable[[], None]] = {
    "recipes": recipes,
    "rendering": rendering,
    "indexing": processes.indexing,
    "splits": processes.whole_splits,
    "events": processes.events,
    "start": processes.task_start,
    "first": processes.first_run,
    "counts": counts,
    "corpus": corpus_writing,
    "judge": judging,
    "segment": segmentation,
    "questions": event_questions,
    "doctor": examining,
}


def _wanted(names: list[str]) -> Iterator[Callable[[], None]]:
    for name in names or list(ALL):
        if name not in ALL:
            sys.exit(f"unknown benchmark {name!r}; known: {', '.join(ALL)}")
        yield ALL[name]


if __name__ == "__main__":
    for benchmark in _wanted(sys.argv[1:]):
        print(f"# {benchmark.__doc__}")
        benchmark()
