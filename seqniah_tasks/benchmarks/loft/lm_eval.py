"""LOFT's tasks in lm-eval, one a data set; conversations are none, which lm-eval cannot send."""

from __future__ import annotations

import json

from seqniah_datasets.loft.table import TASKS, data_sets
from seqniah_tasks.benchmarks.loft.record import COLUMNS
from seqniah_tasks.benchmarks.protocol import Facts, LmEval, LmEvalGroup, LmEvalTask, Metric
from seqniah_tasks.kinds import COUNT, FILLED_NAME, FILLED_TEXT, NAME

EMBEDDED = {
    "retrieval": ("atlas", "atlas_hops", "atlas_sets"),
    "rag": ("atlas", "atlas_hops", "atlas_sets"),
    "sql": ("atlas_sql",),
    "icl": ("atlas_kinds",),
}
"""Data sets that need no files, by task."""

_TITLES = {"retrieval": "Retrieval", "rag": "RAG", "sql": "SQL", "icl": "Many-shot ICL"}


def _names(task: str) -> list[tuple[str, str]]:
    """Names of data sets of a task and their titles, those embedded first."""
    released = [
        (one.name, one.title)
        for one in data_sets().values()
        if one.task == task and one.released and not one.conversations
    ]
    return [*((name, name) for name in EMBEDDED[task]), *released]


def _task(task: str, name: str) -> str:
    return f"loft_{task}_{name}"


def _fault(document: Facts) -> tuple[str, str] | None:
    """A field that is no JSON list; the scorer reads it."""
    for name in ("answers", "gold_ids"):
        try:
            good = isinstance(json.loads(document[name]), list)
        except (ValueError, RecursionError):
            good = False
        if not good:
            return name, "a list as JSON"
    return None


LM_EVAL = LmEval(
    tasks=tuple(
        LmEvalTask(
            name=_task(task, name),
            alias=f"{_TITLES[task]}, {title}",
            task=f"loft_{task}",
            # There, how a model decodes is said with --gen_kwargs.
            fixed={"dataset": name, "decoding": "own"},
            tags=("longcxt",),
        )
        for task in TASKS
        for name, title in _names(task)
    ),
    groups=(
        LmEvalGroup(name="loft", alias="LOFT", tasks=tuple(f"loft_{task}" for task in TASKS)),
        LmEvalGroup(
            name="loft_atlas",
            alias="LOFT, embedded",
            tasks=tuple(_task(task, name) for task in TASKS for name in EMBEDDED[task]),
        ),
        *(
            LmEvalGroup(
                name=f"loft_{task}",
                alias=_TITLES[task],
                tasks=tuple(_task(task, name) for name, _ in _names(task)),
            )
            for task in TASKS
        ),
    ),
    metrics=(
        Metric(name="score"),
        *(Metric(name=name, figure=name) for name in ("strict", "official")),
    ),
    aggregated=("score",),
    run_facts=("benchmark", "version", "edition", "tokenizer", "corpus", "setup"),
    fields={
        "qid": FILLED_TEXT,
        **{name: COLUMNS.traits[name] for name in ("kind", "via")},
        "dataset": FILLED_NAME,
        "metric": FILLED_NAME,
        "setup": NAME,
        "turns": COUNT,
        "candidates": COUNT,
        "answers": FILLED_TEXT,
        "gold_ids": FILLED_TEXT,
    },
    fault=_fault,
)
