"""What lm-eval is told of benchmarks: tasks and groups, as the YAML that it reads, and documents.

The files of `lm_eval_tasks` are made here from what benchmarks declare. Nothing here needs lm-eval,
so that a build can make them too.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.store import cache_root, new_folder
from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks.protocol import (
    Bench,
    Benchmark,
    Facts,
    LmEval,
    LmEvalGroup,
    LmEvalTask,
    TaskSpec,
)
from seqniah_tasks.kinds import FILLED_NAME, FILLED_TEXT, NAME_OR_NONE, POSITIVE, Kind

TASKS = Path(str(files("seqniah_tasks") / "lm_eval_tasks"))
"""The folder of the files that this package brings."""

STOPS = ("<|im_end|>", "<|endoftext|>", "<|eot_id|>")
"""The YAML's own stop sequences: never none, since some servers refuse that; in no answer."""

UNSCORED = "unscored"
"""The metric that is the share of answers without verdict."""

_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")

_RUN = {
    "version": POSITIVE,
    "edition": NAME_OR_NONE,
    "tokenizer": FILLED_NAME,
    "corpus": NAME_OR_NONE,
}
"""What documents repeat of their run, where they do, whatever the benchmark."""

_SAMPLE = {
    "id": FILLED_NAME,
    "lang": Kind(
        "string",
        lambda given: isinstance(given, str) and bool(_TAG.fullmatch(given)),
        "a language tag like en",
    ),
    "question": FILLED_TEXT,
    "reference": FILLED_TEXT,
}


def of(benchmark: Benchmark) -> LmEval:
    """What a benchmark declares; by default, all its tasks under their own names."""
    if benchmark.lm_eval:
        return benchmark.lm_eval
    title, several = benchmark.title, len(benchmark.tasks) > 1
    return LmEval(
        tasks=tuple(
            LmEvalTask(
                name=spec.name, alias=f"{title}, {spec.name}" if several else title, task=spec.name
            )
            for spec in benchmark.tasks
        )
    )


def declared(name: str) -> tuple[Benchmark, TaskSpec, LmEvalTask]:
    """The task of a name, and what it is of. Raises `SeqniahError`."""
    for benchmark in benchmarks.known().values():
        for task in of(benchmark).tasks:
            if task.name == name:
                return benchmark, benchmarks.task(task.task).spec, task
    raise SeqniahError(
        f"No benchmark here has the task {name!r} of lm-eval; install seqniah again as it was "
        "installed, which renews its YAML."
    )


def refuse_rounds(names: Iterable[str]) -> None:
    """Raise `SeqniahError` for a task that asks in rounds, which lm-eval cannot send."""
    for name in names:
        if name not in benchmarks.tasks():
            continue
        spec = benchmarks.task(name).spec
        if spec.rounds and not spec.sometimes:
            raise SeqniahError(
                f"{name} asks in rounds, which lm-eval cannot send; run it with inspect eval "
                f"seqniah/{name}."
            )


def siblings(benchmark: Benchmark, option: str, value: Any) -> list[str]:
    """The tasks of a benchmark that themselves set an option to what a user wrote."""
    fixed = {spec.name: spec.fixed for spec in benchmark.tasks}
    own = {one.name: {**fixed[one.task], **one.fixed}.get(option) for one in of(benchmark).tasks}
    return [name for name, one in own.items() if one in (value, (value,)) and one is not None]


def named(benchmark: Benchmark, tasks: Iterable[str]) -> str:
    """Tasks in a line; all those of a group that is no part of another go by its name."""
    tasks = list(dict.fromkeys(tasks))
    groups = {group.name: group for group in of(benchmark).groups}
    whole = {name: frozenset(_members(groups, name)) for name in groups}
    for name, members in whole.items():
        if members == set(tasks) and not any(members < other for other in whole.values()):
            return name
    return ", ".join(tasks)


def _members(groups: dict[str, LmEvalGroup], name: str) -> Iterator[str]:
    if name not in groups:
        yield name
        return
    for part in groups[name].tasks:
        yield from _members(groups, part)


@lru_cache(maxsize=1)
def stems() -> tuple[str, ...]:
    """What the name of every task of ours holds: those names that hold no other one."""
    found: list[str] = []
    for benchmark in benchmarks.known().values():
        lm = of(benchmark)
        names = [*(one.name for one in lm.tasks), *(one.name for one in lm.groups)]
        for name in sorted(names, key=len):
            if not any(stem in name for stem in found):
                found.append(name)
    return tuple(found)


@lru_cache(maxsize=4)
def documents(bench: Bench[Any]) -> list[dict[str, Any]]:
    """All samples, in order, with what judging an answer takes. Raises `SeqniahError`."""
    facts = bench.facts()
    run = {name: facts[name] for name in of(bench.declared).run_facts}
    return [{"id": one.id, **run, **bench.document_facts(one)} for one in bench.plan]


@lru_cache(maxsize=16)
def _kinds(benchmark: Benchmark) -> dict[str, Kind]:
    lm = of(benchmark)
    run = {name: kind for name, kind in _RUN.items() if name in lm.run_facts}
    return {**_SAMPLE, **run, "length_bin": benchmark.columns.length, **lm.fields}


def fault(benchmark: Benchmark, document: Facts) -> tuple[str, str] | None:
    """The first field of an untrusted document that is wrong, and what it should be."""
    later = of(benchmark).later
    for name, kind in _kinds(benchmark).items():
        if not kind.holds(document.get(name)) and not (name in later and name not in document):
            return name, kind.words
    return of(benchmark).fault(document)


def folder() -> Path:
    """A folder with the files of all benchmarks: this package's own where it has them all, else
    one that is written. Raises `SeqniahError` when it cannot be."""
    made = texts()
    if all((TASKS / name).is_file() for name in made):
        return TASKS
    digest = hashlib.sha256(json.dumps(made).encode()).hexdigest()[:16]
    place = cache_root() / "lm-eval-tasks" / digest
    if not place.is_dir():
        with new_folder(place) as temporary:
            for name, text in made.items():
                (temporary / name).write_text(text, "utf-8")
    return place


def texts() -> dict[str, str]:
    """All files, by name. Of a name's group the file is read before those of its tasks, whose tag
    of the same name would take its place."""
    found: dict[str, str] = {}
    for benchmark in benchmarks.known().values():
        # The file that all tasks of the benchmark include.
        shared, lm = f"_{benchmark.name.replace('-', '_')}_yaml", of(benchmark)
        if not lm.tasks:
            continue
        found[shared] = _shared(benchmark, lm)
        for task in lm.tasks:
            lines = [f"include: {shared}", f"task: {task.name}", f"task_alias: {_text(task.alias)}"]
            lines += [*_list("tag", task.tags), "dataset_kwargs:", f"  task: {task.name}"]
            found[f"{task.name}.yaml"] = _file(lines)
        for group in lm.groups:
            lines = [f"group: {group.name}", f"group_alias: {_text(group.alias)}"]
            lines += _list("task", group.tasks)
            lines.append("aggregate_metric_list:  # tasks weigh by their samples")
            for name in (*lm.aggregated, UNSCORED):
                lines += [f"  - metric: {name}", "    weight_by_size: true"]
            found[f"{group.name}.yaml"] = _file([*lines, *_version(benchmark)])
    return found


def _shared(benchmark: Benchmark, lm: LmEval) -> str:
    better = {one.name: one.higher_is_better for one in lm.metrics} | {UNSCORED: False}
    lines = [
        f"# What all tasks of {benchmark.title} share. The files of tasks and groups are made from",
        "# what the benchmark declares; the class does the work that YAML cannot say.",
        "class: !function seqniah_tasks.adapters.lm_eval.task.SeqniahTask",
        "output_type: generate_until",
        "test_split: test  # of the data set that the class makes",
        "num_fewshot: 0",
        "doc_to_target: reference",
        'target_delimiter: ""',
        "process_results: !function seqniah_tasks.adapters.lm_eval.score.process_results",
        "generation_kwargs:",
        "  # How long answers may be follows from the samples.",
        "  do_sample: false",
        "  temperature: 0.0",
        "  # Never empty, since some servers refuse an empty list; no answer holds these.",
        f"  until: {json.dumps(STOPS)}",
        "metric_list:",
    ]
    for name, higher in better.items():
        lines += [f"  - metric: {name}", "    aggregation: mean"]
        lines.append(f"    higher_is_better: {str(higher).lower()}")
    return _file([*lines, *_version(benchmark)])


def _version(benchmark: Benchmark) -> list[str]:
    return ["metadata:", f"  version: {benchmark.version}"]


def _list(name: str, entries: Iterable[str]) -> list[str]:
    found = [f"  - {entry}" for entry in entries]
    return [f"{name}:", *found] if found else []


_PLAIN = re.compile(r"[A-Za-z][\w-]*(?:,? [\w-]+)*")


def _text(given: str) -> str:
    return given if _PLAIN.fullmatch(given) else json.dumps(given, ensure_ascii=False)


def _file(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
