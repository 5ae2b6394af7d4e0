"""Logs of inspect-ai as records: their headers, and short summaries of their samples."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, list_eval_logs
from inspect_ai.model import ModelConfig
from inspect_ai.scorer import CORRECT, INCORRECT

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks, generation, records
from seqniah_tasks.adapters.inspect.judge import GRADER, model_of
from seqniah_tasks.adapters.inspect.score import JUDGE_FAILED, JUDGE_UNREADABLE, NO_REPLY
from seqniah_tasks.adapters.inspect.spending import spent
from seqniah_tasks.adapters.inspect.summaries import (
    Facts,
    Summary,
    benchmark_of,
    in_full,
    is_nan,
    planned,
    read_header,
    read_summaries,
    verdict_keys,
)
from seqniah_tasks.benchmarks.protocol import Benchmark
from seqniah_tasks.records import Record, RunRecord, check, record
from seqniah_tasks.truncation import NOTES, Fate, final_fates

_NAME = re.compile(r".+\.eval|\d{4}-\d{2}-\d{2}T.+\.json")
"""Names of logs; among files in JSON, those that inspect has named."""


def newest(folder: Path) -> tuple[list[Path], list[Path]]:
    """Under a folder the log of a seqniah task that was written last, or all of its eval set; and
    all other logs. Raises `SeqniahError` when there is none.
    """
    logs = list_eval_logs(str(folder)) if folder.is_dir() else []
    paths = [Path(log.name.removeprefix("file://")) for log in logs]
    paths.sort(key=lambda path: path.stat().st_mtime)
    headers = ((path, read_header(path)) for path in reversed(paths))
    last, header = next((one for one in headers if _is_ours(one[1])), (None, None))
    if last is None or header is None:
        raise SeqniahError(
            f"No log of a seqniah task is in {folder}; give a log of inspect, or --log-dir."
        )
    chosen, wanted = [last], header.eval.eval_set_id
    if wanted:
        ran = {path: read_header(path) for path in paths if path.parent == last.parent}
        of_set = {_named(one): path for path, one in ran.items() if one.eval.eval_set_id == wanted}
        chosen = sorted(path for path in of_set.values() if _is_ours(ran[path]))
    return chosen, [path for path in paths if path not in chosen]


def read(path: Path) -> list[Record]:
    """Samples by epoch and id; none so far. Raises `SeqniahError` for what is no log of a task."""
    return _rows(path, _own_header(path), read_summaries(path))


def read_run(path: Path) -> RunRecord:
    """A run from its log. Raises as `read` does."""
    if not path.is_file():
        raise SeqniahError(f"The log {path} is not there.")
    header = _own_header(path)
    ran, facts, benchmark = header.eval, _facts(header), benchmark_of(header)
    key = verdict_keys(header)[-1]
    samples = read_summaries(path)
    names = dict.fromkeys(str(one.told(key).get("judge") or "") for one in samples)
    return RunRecord(
        model=ran.model,
        benchmark=benchmark,
        task=ran.task,
        version=str(ran.task_version),
        edition=str(facts.get("edition")),
        tokenizer=str(facts.get("tokenizer")),
        corpus=str(facts.get("corpus")),
        scorer=" and ".join(filter(None, names)) or key,
        status=header.status,
        sources=records.sources(facts),
        remarks=(*records.remarks(benchmark, facts), *_judging_remarks(header, path, key, samples)),
        samples=tuple(_rows(path, header, samples)),
        planned=planned(header),
    )


def _judging_remarks(
    header: EvalLog, path: Path, key: str, samples: Sequence[Summary]
) -> Iterator[str]:
    """What is unusual about who judged, and how to finish what nobody could judge."""
    others = [other for other in verdict_keys(header) if other != key]
    if others:
        yield f"also scored by {' and '.join(others)}"
    if any(one.told(key).get("grades_itself") for one in samples):
        yield "the model judged its own answers"
    scores = [one.score(key) for one in samples]
    silent = sum(one.get("reason") == NO_REPLY for one in scores)
    if silent:
        again, log = "inspect eval-retry", shlex.quote(str(path))
        yield f"{silent} without a reply; seqniah invalidate {log} and {again} {log} ask again"
    failed = [one for one in scores if one.get("reason") in (JUDGE_FAILED, JUDGE_UNREADABLE)]
    if failed:
        scorer = f"seqniah/{key.rstrip('0123456789')}{_own_prompt(header)}"
        judge = next(str(one.told(key).get("judge") or "") for one in samples if one.score(key))
        again = f"inspect score {shlex.quote(str(path))} --scorer {scorer}{_grader(header, judge)}"
        yield (
            f"{len(failed)} not judged ({str(failed[0].get('explanation') or '').rstrip('.')}); "
            f"{again} --action append --overwrite judges again, and asks only for what is missing"
        )


def _own_prompt(header: EvalLog) -> str:
    """The option that names the prompt again, where the last judge had one of the user's own."""
    given = [(scorer.options or {}).get("judge_prompt") for scorer in header.eval.scorers or []]
    paths = [path for path in given if path]
    return f" -S judge_prompt={shlex.quote(str(paths[-1]))}" if paths else ""


def _grader(header: EvalLog, judge: str) -> str:
    """The option that names a judge's model, where the log itself does not."""
    if GRADER in (header.eval.model_roles or {}):
        return ""
    return f" --model-role {shlex.quote(f'{GRADER}={model_of(judge)}')}"


def read_newest(
    folder: Path, progress: Progress = lambda what, done, total: None
) -> tuple[dict[Path, list[Record]], list[Path]]:
    """Of the logs below a folder, the last run of each model and task; and those left out.

    A run with other options of either is another one, and one without samples is none. Raises as
    `read` does, but passes over logs of other tasks.
    """
    groups: dict[tuple[object, ...], list[tuple[Path, EvalLog]]] = {}
    named = (path for path in folder.rglob("*") if _NAME.fullmatch(path.name) and path.is_file())
    for path in sorted(named):
        header = read_header(path)
        if _is_ours(header):
            groups.setdefault((path.parent, *_named(header)), []).append((path, header))
    chosen: dict[Path, list[Record]] = {}
    for number, group in enumerate(groups.values()):
        progress(f"Reading {group[0][0].name}", number, len(groups))
        group.sort(key=lambda one: (one[1].eval.created, one[0].name), reverse=True)
        found = ((path, _rows(path, header, read_summaries(path))) for path, header in group)
        chosen |= dict(islice((one for one in found if one[1]), 1))
    ours = [path for group in groups.values() for path, _ in group]
    return dict(sorted(chosen.items())), sorted(path for path in ours if path not in chosen)


def _is_ours(header: EvalLog) -> bool:
    name = (header.eval.metadata or {}).get("benchmark")
    return isinstance(name, str) and name in benchmarks.known()


def _own_header(path: Path) -> EvalLog:
    header = read_header(path)
    if not _is_ours(header):
        raise SeqniahError(f"{path} is a log of {header.eval.task}, not of a seqniah task.")
    return header


def _named(header: EvalLog) -> tuple[str, ...]:
    """What makes two runs the same one, made twice."""
    ran = header.eval
    options = (ran.task_args, ran.model_args, ran.model_generate_config.model_dump(mode="json"))
    texts = (json.dumps(one, sort_keys=True, default=str) for one in options)
    return (ran.model, ran.task, *texts)


def _facts(header: EvalLog) -> Facts:
    """What the run says of itself; a solver of the user's own is part of its set-up."""
    name = header.eval.solver or ""
    own = name and not name.startswith("seqniah/")
    setup = {"setup": f"solver {name.removeprefix('inspect_ai/')}"} if own else {}
    return {**setup, **(header.eval.metadata or {})}


def _generation(header: EvalLog) -> str | None:
    # What the run says goes before what the model was made with.
    config = header.eval.model_generate_config.merge(header.plan.config)
    return generation.words(
        config.model_dump(mode="json", include=set(generation.KNOWN)), header.eval.model_args
    )


def _rows(path: Path, header: EvalLog, found: Sequence[Summary]) -> list[Record]:
    ran, facts, benchmark = header.eval, _facts(header), benchmark_of(header)
    run = {
        "harness": "inspect",
        "source": str(path),
        "model": ran.model,
        "task": ran.task,
        "version": ran.task_version,
        **{name: facts.get(name) for name in ("benchmark", "edition", "tokenizer", "corpus")},
        "setup": ", ".join(records.setups(benchmark, facts)),
        "generation": _generation(header),
        "planned": planned(header),
    }
    key = verdict_keys(header)[-1]
    # Those have no answer, as those that were never begun; `planned` tells of both.
    samples = [sample for sample in found if not sample.interrupted]
    notes = [_notes(benchmark, sample) for sample in samples]
    # A prompt that came too early for a fate gets it now.
    fates = final_fates(notes)
    judge, grader = _only_judge(samples, key), (header.eval.model_roles or {}).get(GRADER)
    # A log counts both as one where the model under test judges as well.
    itself = isinstance(grader, ModelConfig) and grader.model == ran.model
    # Their summaries had no room for something.
    cut = [
        one
        for one in samples
        if _scored(one.score(key)) is not None
        and benchmark.columns.is_cut(one.metadata, one.told(key))
    ]
    whole = in_full(cut, key)
    rows: list[Record] = []
    for sample, note, fate in zip(samples, notes, fates, strict=True):
        depths, said = whole.get(sample.place, ({}, {}))
        sampled, told = {**sample.metadata, **depths}, {**sample.told(key), **said}
        given = {
            **run,
            **_of_sample(benchmark, sample, sampled, facts),
            **_of_verdict(benchmark, sample, sampled, told, key, judge),
            **spent(sample, ran, itself),
            **note,
            "prompt_fate": str(fate),
            "finished": bool(sample.score(key)),
        }
        if fate in (Fate.CUT, Fate.SKIPPED):
            given |= _unseen(sample, key)
        rows.append(record(sample.where, given))
    return rows


def _notes(benchmark: Benchmark, sample: Summary) -> Facts:
    """What the run noted of a prompt, checked."""
    facts, where = sample.metadata, sample.where
    known = {name: check(where, benchmark, name, facts.get(name)) for name in (*NOTES, "lang")}
    return {name: value for name, value in known.items() if value is not None}


def _scored(score: Facts) -> Any:
    """A verdict or a score from 0 to 1; None of an unscored sample."""
    value = score.get("value")
    return None if is_nan(value) or isinstance(value, dict) else value


def _of_sample(benchmark: Benchmark, sample: Summary, facts: Facts, ran: Facts) -> Facts:
    names = ("variant", "length_bin", "length", "needles", *benchmark.columns.traits)
    return {
        **{name: facts.get(name) for name in names},
        "split": facts.get("split", ran.get("split")),
        "id": sample.id,
        "epoch": sample.fields["epoch"],
        "base": facts.get("base", sample.id),
        "depths": facts.get("needle_depths"),
        "seconds": sample.fields.get("working_time"),
    }


def _of_verdict(
    benchmark: Benchmark, sample: Summary, facts: Facts, told: Facts, key: str, judge: str | None
) -> Facts:
    """What the deciding scorer said; `judge` is the one to name where it says nothing."""
    score, columns = sample.score(key), benchmark.columns
    value, figures = _scored(score), sample.score(benchmark.scoring.beside).get("value")
    said = {**(figures if isinstance(figures, dict) else {}), **told}
    said = {name: None if is_nan(one) else one for name, one in said.items()}
    verdict: Facts = {"score": value}
    if benchmark.scoring.binary:
        verdict = {"correct": value == CORRECT if value in (CORRECT, INCORRECT) else None}
    names = ("failure_modes", *benchmark.figures, *columns.items)
    return {
        "judge": told.get("judge") or judge,
        "judged_by": told.get("judged_by", "rules") if told else None,
        "rules_correct": told.get("rules_correct"),
        **verdict,
        "reason": told.get("reason") or score.get("explanation") or sample.ended,
        **{name: said.get(name) for name in names},
        **columns.read(sample.where, {"id": sample.id, **facts}, {**said, **verdict}),
    }


def _only_judge(samples: Sequence[Summary], key: str) -> str | None:
    """The judge of all samples, if it is one: of a prompt that was cut, the log tells none."""
    found = {name for one in samples if isinstance(name := one.told(key).get("judge"), str)}
    return found.pop() if len(found) == 1 else None


def _unseen(sample: Summary, key: str) -> Facts:
    """What is said of a prompt that was not seen whole, whatever the verdict was."""
    score = sample.score(key)
    late = "The model did not see the whole prompt, as those of the other samples have shown."
    reason = score.get("explanation") if is_nan(score.get("value")) else late
    return {"correct": None, "score": None, "judged_by": None, "reason": reason}
