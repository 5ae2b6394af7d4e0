"""Logs of inspect-ai as records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.scorer import CORRECT, INCORRECT

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.records import RunRecord, SampleRecord
from seqniah_tasks.truncation import Fate, final_fates


def newest(folder: Path) -> Path:
    """The log written last under a folder. Raises `SeqniahError` when there is none."""
    logs = list_eval_logs(str(folder)) if folder.is_dir() else []
    paths = [Path(log.name.removeprefix("file://")) for log in logs]
    if not paths:
        raise SeqniahError(f"No log of inspect is in {folder}; give a log, or --log-dir.")
    return max(paths, key=lambda path: path.stat().st_mtime)


def read(path: Path) -> RunRecord:
    """A run from its log. Raises `SeqniahError` when it is no log of a seqniah task."""
    if path.is_dir():
        path = newest(path)
    if not path.is_file():
        raise SeqniahError(f"The log {path} is not there.")
    try:
        log = read_eval_log(str(path), exclude_fields={"messages", "events", "store"})
    except Exception as error:  # the reader raises whatever its formats raise
        raise SeqniahError(f"{path} is not a readable log of inspect ({error}).") from error
    facts = log.eval.metadata or {}
    if facts.get("benchmark") != "sequential-niah":
        raise SeqniahError(f"{path} is a log of {log.eval.task}, not of a seqniah task.")
    samples = log.samples or []
    fates = final_fates([sample.metadata for sample in samples])
    return RunRecord(
        model=log.eval.model,
        task=log.eval.task,
        version=str(log.eval.task_version),
        edition=str(facts.get("edition")),
        tokenizer=str(facts.get("tokenizer")),
        corpus=str(facts.get("corpus")),
        scorer=_scorer(log),
        status=log.status,
        sources=_sources(facts),
        remarks=_remarks(facts),
        samples=tuple(map(_record, samples, fates)),
    )


def _remarks(facts: dict[str, Any]) -> tuple[str, ...]:
    found = ["closed book"] if facts.get("closed_book") else []
    found += ["needles in true order"] if facts.get("order") == "sorted" else []
    for name, what in (("reused", "samples ask a question again"), ("missing", "samples left out")):
        if facts.get(name):
            found.append(f"{facts[name]} {what}")
    return tuple(found)


def _sources(facts: dict[str, Any]) -> tuple[str, ...]:
    """The names that the task wrote into its log; none in logs of earlier versions."""
    given = facts.get("sources")
    entries = given.values() if isinstance(given, dict) else ()
    return tuple(str(entry["name"]) for entry in entries if isinstance(entry, dict))


def _scorer(log: EvalLog) -> str:
    names = [scorer.name for scorer in log.eval.scorers or []]
    return names[0].removeprefix("seqniah/") if names else "none"


def _record(sample: EvalSample, fate: Fate) -> SampleRecord:
    facts, strict = sample.metadata, (sample.scores or {}).get("rules")
    value = strict.value if strict else None
    seen = fate not in (Fate.CUT, Fate.SKIPPED)
    modes = (strict.metadata or {}).get("failure_modes", []) if strict else []
    return SampleRecord(
        id=str(sample.id),
        lang=str(facts.get("lang")),
        pipeline=str(facts.get("pipeline")),
        length_bin=str(facts.get("length_bin")),
        needle_group=str(facts.get("needle_group")),
        correct=value == CORRECT if value in (CORRECT, INCORRECT) and seen else None,
        failure_modes=tuple(map(str, modes)) if seen else (),
        finished=strict is not None,
        prompt=fate,
    )
