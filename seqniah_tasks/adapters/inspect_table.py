"""Logs of inspect-ai as rows of the table of records."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.model import ModelConfig
from inspect_ai.scorer import CORRECT, INCORRECT

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.inspect_judge import GRADER
from seqniah_tasks.adapters.inspect_logs import verdict_keys
from seqniah_tasks.adapters.inspect_star_table import SCORER, star_verdicts
from seqniah_tasks.adapters.inspect_summaries import (
    Facts,
    Summary,
    is_nan,
    planned,
    read_header,
    read_summaries,
    told_in_full,
)
from seqniah_tasks.records import setup
from seqniah_tasks.report import generation
from seqniah_tasks.report.columns import BENCHMARKS, COUNTING_STARS, check
from seqniah_tasks.report.table import Row, row
from seqniah_tasks.truncation import NOTES, Fate, final_fates

_NAME = re.compile(r".+\.eval|\d{4}-\d{2}-\d{2}T.+\.json")
"""Names of logs; among files in JSON, those that inspect has named."""


def read(path: Path) -> list[Row]:
    """The samples of a log, by epoch and id; none where it has no sample yet.

    Raises `SeqniahError` when it is no log of a seqniah task, or holds what no log holds.
    """
    header = read_header(path)
    if not _is_ours(header):
        raise SeqniahError(f"{path} is a log of {header.eval.task}, not of a seqniah task.")
    return _rows(path, header)


def read_newest(
    folder: Path, progress: Progress = lambda what, done, total: None
) -> tuple[dict[Path, list[Row]], list[Path]]:
    """Of the logs below a folder, the last run of each model and task; and those left out.

    A run with other options of either is another one, and one without samples is none; `progress`
    is told of every run read. Raises as `read` does, but passes over logs of other tasks.
    """
    groups: dict[tuple[object, ...], list[tuple[Path, EvalLog]]] = {}
    for path in find(folder):
        header = read_header(path)
        if _is_ours(header):
            groups.setdefault((path.parent, *_named(header)), []).append((path, header))
    chosen: dict[Path, list[Row]] = {}
    for number, group in enumerate(groups.values()):
        progress(f"Reading {group[0][0].name}", number, len(groups))
        group.sort(key=lambda one: (one[1].eval.created, one[0].name), reverse=True)
        found = ((path, _rows(path, header)) for path, header in group)
        chosen |= dict(islice((one for one in found if one[1]), 1))
    ours = [path for group in groups.values() for path, _ in group]
    newest = {path: chosen[path] for path in sorted(chosen)}
    return newest, sorted(path for path in ours if path not in chosen)


def find(folder: Path) -> list[Path]:
    """Files below a folder that are logs by their names."""
    return sorted(
        path for path in folder.rglob("*") if _NAME.fullmatch(path.name) and path.is_file()
    )


def _is_ours(header: EvalLog) -> bool:
    return (header.eval.metadata or {}).get("benchmark") in BENCHMARKS


def _named(header: EvalLog) -> tuple[str, ...]:
    """What makes two runs the same one, made twice."""
    ran = header.eval
    options = (ran.task_args, ran.model_args, ran.model_generate_config.model_dump(mode="json"))
    texts = (json.dumps(one, sort_keys=True, default=str) for one in options)
    return (ran.model, ran.task, *texts)


def _generation(header: EvalLog) -> str | None:
    # What the run says goes before what the model was made with.
    config = header.eval.model_generate_config.merge(header.plan.config)
    return generation.words(
        config.model_dump(mode="json", include=set(generation.KNOWN)), header.eval.model_args
    )


def _rows(path: Path, header: EvalLog) -> list[Row]:
    ran, facts = header.eval, header.eval.metadata or {}
    run = {
        "harness": "inspect",
        "source": str(path),
        "model": ran.model,
        "task": ran.task,
        "version": ran.task_version,
        **{name: facts.get(name) for name in ("benchmark", "edition", "tokenizer", "corpus")},
        "setup": setup(facts),
        "generation": _generation(header),
        "planned": planned(header),
    }
    stars = facts.get("benchmark") == COUNTING_STARS
    key = SCORER if stars else verdict_keys(header)[-1]
    # Those have no answer, as those that were never begun; `planned` tells of both.
    samples = [sample for sample in read_summaries(path) if not sample.interrupted]
    notes = [_notes(sample) for sample in samples]
    # A prompt that came too early for a fate gets it now.
    fates = final_fates(notes)
    judge, itself = _only_judge(samples, key), _judges_itself(header)
    verdicts = star_verdicts(samples, judge) if stars else _verdicts(samples, key, judge)
    rows: list[Row] = []
    for sample, note, fate, verdict in zip(samples, notes, fates, verdicts, strict=True):
        given = {
            **run,
            **_of_sample(sample, facts),
            **verdict,
            **_spent(sample, ran.model, itself),
            **note,
            "prompt_fate": str(fate),
            "finished": bool(sample.score(key)),
        }
        if fate in (Fate.CUT, Fate.SKIPPED):
            given |= _unseen(sample, key)
        rows.append(row(sample.where, given))
    return rows


def _notes(sample: Summary) -> Facts:
    """What the run noted of a prompt, checked."""
    facts = sample.metadata
    known = {name: check(sample.where, name, facts.get(name)) for name in (*NOTES, "lang")}
    return {name: value for name, value in known.items() if value is not None}


_OF_SAMPLE = (
    *("noise", "variant", "pipeline", "ask", "length_bin", "length", "needle_group", "needles"),
)


def _of_sample(sample: Summary, ran: Facts) -> Facts:
    facts = sample.metadata
    return {
        **{name: facts.get(name) for name in _OF_SAMPLE},
        "split": facts.get("split", ran.get("split")),
        "id": sample.id,
        "epoch": sample.fields["epoch"],
        "base": facts.get("base", sample.id),
        "order_required": facts.get("order_required"),
        "depths": facts.get("needle_depths"),
        "seconds": sample.fields.get("working_time"),
    }


def _verdicts(samples: Sequence[Summary], key: str, judge: str | None) -> list[Facts]:
    return [
        {**_of_verdict(sample, key, judge), "found": found}
        for sample, found in zip(samples, _found(samples, key), strict=True)
    ]


def _of_verdict(sample: Summary, key: str, judge: str | None) -> Facts:
    """What the deciding scorer said; `judge` is the one to name where it says nothing."""
    score, told = sample.score(key), sample.told(key)
    value, items = score.get("value"), sample.score("items").get("value")
    figures = items if isinstance(items, dict) else {}
    return {
        "judge": told.get("judge") or judge,
        "judged_by": told.get("judged_by", "rules") if told else None,
        "correct": value == CORRECT if value in (CORRECT, INCORRECT) else None,
        "reason": told.get("reason") or score.get("explanation") or sample.ended,
        "failure_modes": told.get("failure_modes"),
        **{
            name: None if is_nan(figures.get(name)) else figures.get(name)
            for name in ("item_recall", "item_precision", "order_agreement")
        },
    }


def _only_judge(samples: Sequence[Summary], key: str) -> str | None:
    """The judge of all samples, if it is one: of a prompt that was cut, the log tells none."""
    told = [sample.told(key).get("judge") for sample in samples]
    found = {name for name in told if isinstance(name, str)}
    return found.pop() if len(found) == 1 else None


def _unseen(sample: Summary, key: str) -> Facts:
    """What is said of a prompt that was not seen whole, whatever the verdict was."""
    score = sample.score(key)
    late = "The model did not see the whole prompt, as those of the other samples have shown."
    reason = score.get("explanation") if is_nan(score.get("value")) else late
    return {"correct": None, "score": None, "judged_by": None, "reason": reason}


def _judges_itself(header: EvalLog) -> bool:
    """Whether the model under test judges as well, so that a log counts both as one."""
    grader = (header.eval.model_roles or {}).get(GRADER)
    return isinstance(grader, ModelConfig) and grader.model == header.eval.model


def _spent(sample: Summary, model: str, judges_itself: bool) -> Facts:
    """What the model under test took; empty where nothing was reported."""
    used = sample.usage("model", model)
    judging = sample.usage("role", GRADER) if judges_itself else {}

    def spent(*names: str) -> int:
        return sum(_count(used, name) - _count(judging, name) for name in names)

    read = spent("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")
    if read <= 0:
        return {}
    cost, others = used.get("total_cost"), judging.get("total_cost")
    if isinstance(cost, float) and isinstance(others, float):
        cost = max(cost - others, 0.0)
    return {"input_tokens": read, "output_tokens": max(spent("output_tokens"), 0), "cost": cost}


def _count(usage: Facts, name: str) -> int:
    given = usage.get(name)
    return given if type(given) is int else 0


def _found(samples: Sequence[Summary], key: str) -> list[Any]:
    """Whether each needle was found, by sample; logs of earlier versions tell it in full only."""
    found = [sample.told(key).get("found") for sample in samples]
    missing = [
        number
        for number, sample in enumerate(samples)
        if sample.score(key).get("value") in (CORRECT, INCORRECT)
        and not isinstance(found[number], list)
    ]
    whole = told_in_full([samples[number] for number in missing], key)
    for number, full in zip(missing, whole, strict=True):
        needles = full.get("needles")
        told = needles if isinstance(needles, list) else []
        found[number] = [one.get("found") for one in told if isinstance(one, dict)] or None
    return found
