"""Measure what docs/performance.md reports: `make bench`, or `python benchmarks/run.py NAME ...`.

Every figure is a median of several runs; speeds are per second of processor time (all threads
and child processes counted), so that a busy machine slows nothing but the waiting. Ratios compare
runs of one session. Set SEQNIAH_REAL_DATA to measure on real text instead of the embedded corpus.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from judge_answers import ANSWERS, labelled, listed

from seqniah_datasets import haystack, tokens
from seqniah_datasets.corpora import corpus, procedural
from seqniah_datasets.schema import LANGS
from seqniah_datasets.segment import segment
from seqniah_scorers import rules
from seqniah_scorers.verdict import Case
from seqniah_tasks.benchmarks.options import read_options
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah, judge

RUNS = 5


def _spec() -> str:
    real = os.environ.get("SEQNIAH_REAL_DATA")
    return f"{real}/corpora" if real else "procedural"


def _cpu(work: Callable[[], object]) -> float:
    """Processor seconds of a piece of work, children included."""
    before = os.times()
    work()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def _median(work: Callable[[], float], runs: int = RUNS) -> float:
    return statistics.median(work() for _ in range(runs))


def _say(what: str, figure: float, unit: str, note: str = "") -> None:
    print(f"{what:<46} {figure:>10,.2f} {unit:<10} {note}", flush=True)


def recipes() -> None:
    """Recipes with exact counts, against tokenising every finished prompt."""
    bench = SequentialNiah(read_options(corpus=_spec()))
    bench.prepare()
    made = [bench.recipe(planned) for planned in bench.plan]  # warm: indexes open
    total = sum(recipe.tokens for recipe in made)
    ours = _median(lambda: _cpu(lambda: [bench.recipe(planned) for planned in bench.plan]))
    _say("recipes, exact counts", total / ours / 1e6, "M tokens/s")

    part = made[:: max(1, len(made) // 60)]
    counter = bench.corpus.tokenizer

    def reference() -> None:
        for recipe in part:
            text = haystack.prompt_bytes(recipe, bench.corpus).decode()
            assert counter.count(text) == recipe.tokens

    theirs = _median(lambda: _cpu(reference))
    speed = sum(recipe.tokens for recipe in part) / theirs
    _say("reference: tokenise every finished prompt", speed / 1e6, "M tokens/s")
    _say("ratio", (total / ours) / speed, "times")


def rendering() -> None:
    """Recipes to prompt bytes, and to text."""
    bench = SequentialNiah(read_options(corpus=_spec()))
    bench.prepare()
    made = [bench.recipe(planned) for planned in bench.plan]
    size = sum(len(haystack.prompt_bytes(recipe, bench.corpus)) for recipe in made)
    for what, work in (("bytes", haystack.prompt_bytes), ("text", haystack.render)):

        def every(work: Callable[..., object] = work) -> None:
            for recipe in made:
                work(recipe, bench.corpus)

        spent = _median(lambda every=every: _cpu(every))  # type: ignore[misc]
        _say(f"rendering to {what}", size / spent / 1e9, "GB/s")


def _distinct_text(size: int, folder: Path) -> int:
    """Files of distinct text, both languages; returns their bytes."""
    written = number = 0
    while written < size:
        lang = "zh" if number % 3 == 2 else "en"
        text = procedural.write(lang, 2_000_000, 5_000 + number)
        (folder / f"{number:04d}.txt").write_text(text, "utf-8")
        written += len(text.encode())
        number += 1
    return written


TOKENISE = """
import sys
from pathlib import Path
from seqniah_datasets import tokens
encode = tokens.tokenizer()._encode_long
for path in sorted(Path(sys.argv[1]).iterdir()): encode(path.read_bytes())
"""

INDEX = """
import sys
from seqniah_datasets.corpora import corpus
if __name__ == "__main__": corpus(sys.argv[1]).prepare()
"""


def indexing() -> None:
    """A cold process that indexes 200 MB, against one that only tokenises the same text."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "texts"
        folder.mkdir()
        size = _distinct_text(200_000_000, folder)
        scripts = {"tokenise": TOKENISE, "index": INDEX}
        hidden = Path(place) / "hidden"
        hidden.mkdir()
        (hidden / "gigatoken.py").write_text("raise ImportError('hidden')\n", "utf-8")
        for name, script in scripts.items():
            (Path(place) / f"{name}.py").write_text(script, "utf-8")
        for engine in ("tiktoken", "gigatoken"):
            speeds: dict[str, list[float]] = {name: [] for name in scripts}
            for run in range(3):
                env = {**os.environ, "SEQNIAH_CACHE": f"{place}/cache-{engine}-{run}"}
                if engine == "tiktoken":  # for worker processes too, as on a plain install
                    env["PYTHONPATH"] = str(hidden)
                for name, found in speeds.items():
                    words = [sys.executable, f"{place}/{name}.py", str(folder)]
                    spent = _cpu(lambda w=words, e=env: subprocess.run(w, check=True, env=e))  # type: ignore[misc]
                    found.append(size / spent / 1e6)
            middle = {name: statistics.median(found) for name, found in speeds.items()}
            _say(f"tokenising alone, cold, {engine}", middle["tokenise"], "MB/s")
            _say(f"indexing, cold, {engine}", middle["index"], "MB/s")
            _say("indexing / tokenising", middle["index"] / middle["tokenise"], "")


FULL = """
import sys
from pathlib import Path
from seqniah_tasks.benchmarks.options import read_options
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah
count = total = 0
for split in sys.argv[2:]:
    bench = SequentialNiah(read_options(split, corpus=sys.argv[1]))
    for planned in bench.plan:
        count, total = count + 1, total + bench.recipe(planned).tokens
peak = Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]
print(count, total, int(peak) // 1024)
"""


def whole_splits() -> None:
    """Recipes of the test split, and of all splits, process start included."""
    for names in (["test"], ["test", "dev", "train"]):
        walls, memory, count, total = [], 0, 0, 0
        for run in range(RUNS + 1):  # the first one warms the index
            start = time.perf_counter()
            said = subprocess.run(
                [sys.executable, "-c", FULL, _spec(), *names],
                check=True, capture_output=True, text=True,
            ).stdout  # fmt: skip
            walls += [time.perf_counter() - start] if run else []
            count, total, memory = map(int, said.split())
        note = f"{total:,} tokens"
        _say(f"{count:,} recipes, warm index, wall", statistics.median(walls), "s", note)
        _say(f"{count:,} recipes, peak memory", memory, "MB")


EVENTS = """
import sys
from pathlib import Path
from seqniah_datasets import splits
from seqniah_datasets.schema import LANGS, SPLITS, Pipeline
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.event_pool import EventPool
pool, made = EventPool([Path(sys.argv[1])]), 0
for split in SPLITS:
    for lang in LANGS:
        wishes = splits.wishes(split, lang, Pipeline.REAL_TEMPORAL, 0)
        supply = pool.supply(Demand(lang, split, 0, wishes))
        serials = [n for n in range(len(wishes)) if supply.needles(n) is not None]
        made += len([supply.item(serial) for serial in serials])
print(made)
"""


def events() -> None:
    """ICEWS05-15 to all questions that it gives, process start included."""
    real = os.environ.get("SEQNIAH_REAL_DATA")
    if not real:
        print("ICEWS to questions: not measured, SEQNIAH_REAL_DATA is not set")
        return
    made = ""

    def run() -> float:
        nonlocal made
        start = time.perf_counter()
        made = subprocess.run(
            [sys.executable, "-c", EVENTS, f"{real}/tkg/icews05-15.tsv"],
            check=True, capture_output=True, text=True,
        ).stdout.strip()  # fmt: skip
        return time.perf_counter() - start

    spent = _median(run)
    _say("ICEWS05-15 to questions, wall", spent, "s", f"{made} questions")


def task_start() -> None:
    """`inspect eval seqniah/test --limit 1` against a task of one line."""
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "bare.py").write_text(
            "from inspect_ai import Task, task\nfrom inspect_ai.dataset import Sample\n"
            "@task\ndef bare(): return Task(dataset=[Sample(input='x')])\n", "utf-8",
        )  # fmt: skip
        inspect = str(Path(sys.executable).with_name("inspect"))

        def run(task: str, *words: str) -> float:
            start = time.perf_counter()
            subprocess.run(
                [inspect, "eval", task, "--model", "seqniah/lexical", "--log-dir", place, *words],
                check=True, capture_output=True, cwd=place,
            )  # fmt: skip
            return time.perf_counter() - start

        run("seqniah/test", "--limit", "1")
        bare = _median(lambda: run("bare.py"))
        ours = _median(lambda: run("seqniah/test", "--limit", "1"))
        _say("inspect eval of one bare sample, wall", bare, "s")
        _say("inspect eval seqniah/test --limit 1, wall", ours, "s")
        _say("task start beyond inspect's own", ours - bare, "s")


def first_run() -> None:
    """The main job with an empty cache: 20 samples, their documents written and indexed."""
    with tempfile.TemporaryDirectory() as place:
        inspect = str(Path(sys.executable).with_name("inspect"))

        def run() -> float:
            with tempfile.TemporaryDirectory() as cache:
                start = time.perf_counter()
                subprocess.run(
                    [
                        inspect, "eval", "seqniah/test", "--model", "seqniah/lexical",
                        "--limit", "20", "--log-dir", place,
                    ],
                    check=True, capture_output=True, env={**os.environ, "SEQNIAH_CACHE": cache},
                )  # fmt: skip
                return time.perf_counter() - start

        _say("main job from an empty cache, wall", _median(run, 3), "s")


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
                    corpus=_spec(),
                    tokenizer=name,
                )
            )
            bench.prepare()
            wrong = sum(
                counter.count(bench.sample(planned).input) != bench.recipe(planned).tokens
                for planned in bench.plan[:1_000]
            )
            _say(f"wrong counts of {min(1_000, len(bench.plan)):,}, {lang}, {name}", wrong, "")


def corpus_writing() -> None:
    """The embedded corpus: writing it."""
    for lang in ("en", "zh"):
        size = 0

        def write(lang: str = lang) -> None:
            nonlocal size
            one = "en" if lang == "en" else "zh"
            size = sum(len(procedural.write(one, 768_000, n).encode()) for n in range(4))

        spent = _median(lambda: _cpu(write), 3)
        _say(f"writing the embedded corpus, {lang}", size / spent / 1e6, "MB/s")
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
    _say("rule judge, copies", len(items) / _median(lambda: _cpu(every)), "verdicts/s", note)
    written = [listed(item) for item in items if item.needles[0].date]
    assert sum(bool(rules.judge(case).correct) for case in written) >= 0.99 * len(written)
    note = f"{statistics.median(len(case.response) for case in written):,.0f} characters, median"
    speed = len(written) / _median(lambda: _cpu(lambda: [rules.judge(case) for case in written]))
    _say("rule judge, numbered lists as models write them", speed, "verdicts/s", note)
    told = [case for path in sorted(ANSWERS.glob("lifelike*.jsonl")) for case in labelled(path)]
    note = f"{statistics.median(len(case.response) for case in told):,.0f} characters, median"
    for kind in ("temporal", "logical"):
        some = [case for case in told if case.needle_type == kind]

        def each(some: list[Case] = some) -> None:
            for case in some:
                rules.judge(case)

        each()  # references are read once for all answers to a question
        speed = len(some) / _median(lambda each=each: _cpu(each))  # type: ignore[misc]
        _say(f"rule judge, reworded answers, {kind}", speed, "verdicts/s", note)
    item = items[0]
    loop = (item.reference * 100)[:34_000]
    _say("a 34,000-character loop", _median(lambda: _cpu(lambda: judge(item, loop))) * 1e3, "ms")


def segmentation() -> None:
    """Sentence ends and anchors of 100 MB."""
    for lang in LANGS:
        text = (procedural.write(lang, 4_000_000, 6_000) * 25).encode()
        spent = _median(lambda text=text: _cpu(lambda: segment(text)), 3)  # type: ignore[misc]
        _say(f"sentence ends, {lang}", len(text) / spent / 1e6, "MB/s")


ALL: dict[str, Callable[[], None]] = {
    "recipes": recipes,
    "rendering": rendering,
    "indexing": indexing,
    "splits": whole_splits,
    "events": events,
    "start": task_start,
    "first": first_run,
    "counts": counts,
    "corpus": corpus_writing,
    "judge": judging,
    "segment": segmentation,
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
