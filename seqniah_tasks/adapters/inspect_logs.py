"""Logs of inspect-ai as records."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.scorer import CORRECT, INCORRECT, Score

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import records
from seqniah_tasks.adapters.inspect_scores import JUDGE_FAILED, JUDGE_UNREADABLE
from seqniah_tasks.adapters.inspect_summaries import planned
from seqniah_tasks.records import RunRecord, SampleRecord
from seqniah_tasks.report.columns import BENCHMARKS, COUNTING_STARS
from seqniah_tasks.star_records import StarRecord
from seqniah_tasks.truncation import Fate, final_fates

_VERDICTS = ("rules", "judge", "cascade", "stars")
"""Scorers whose verdicts count."""


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
    benchmark = facts.get("benchmark")
    if benchmark not in BENCHMARKS:
        raise SeqniahError(f"{path} is a log of {log.eval.task}, not of a seqniah task.")
    samples, (key, scores) = log.samples or [], _deciding(log)
    record = _star_record if benchmark == COUNTING_STARS else _record
    _check_fates(path, samples)
    fates = final_fates([sample.metadata for sample in samples])
    return RunRecord(
        model=log.eval.model,
        benchmark=benchmark,
        task=log.eval.task,
        version=str(log.eval.task_version),
        edition=str(facts.get("edition")),
        tokenizer=str(facts.get("tokenizer")),
        corpus=str(facts.get("corpus")),
        scorer=_names(scores) or key,
        status=log.status,
        sources=records.sources(facts),
        remarks=(*records.remarks(facts), *_judging_remarks(log, path, key, scores)),
        samples=tuple(map(record, samples, scores, fates)),
        planned=planned(log),
    )


def _check_fates(path: Path, samples: Sequence[EvalSample]) -> None:
    for sample in samples:
        fate = sample.metadata.get("prompt_fate", Fate.UNVERIFIED)
        if fate not in tuple(Fate):
            raise SeqniahError(
                f"{path}, sample {str(sample.id)[:100]!r}: prompt_fate is {' or '.join(Fate)}, not "
                f"{repr(fate)[:60]}; mend it, or move the log away."
            )


def _deciding(log: EvalLog) -> tuple[str, list[Score | None]]:
    """The scorer whose verdicts count, the last one that gave any; and its score of each sample."""
    key = verdict_keys(log)[-1]
    return key, [(sample.scores or {}).get(key) for sample in log.samples or []]


def verdict_keys(log: EvalLog) -> list[str]:
    """What samples call the scores of the scorers whose verdicts count, in their order."""
    counts: Counter[str] = Counter()
    found: list[str] = []
    for scorer in log.eval.scorers or []:
        name = scorer.name.removeprefix("seqniah/")
        if name in _VERDICTS:
            # As inspect tells several scores of one name apart.
            found.append(f"{name}{counts[name] or ''}")
            counts[name] += 1
    return found or ["rules"]


def _names(scores: list[Score | None]) -> str:
    """The judges as the scores name them; one, unless somebody changed the log."""
    found = [(score.metadata or {}).get("judge") for score in scores if score]
    return " and ".join(dict.fromkeys(str(name) for name in found if name))


def _judging_remarks(
    log: EvalLog, path: Path, key: str, scores: list[Score | None]
) -> Iterator[str]:
    """What is unusual about who judged, and how to finish what nobody could judge."""
    others = [other for other in verdict_keys(log) if other != key]
    if others:
        yield f"also scored by {' and '.join(others)}"
    given = [score for score in scores if score]
    if any((score.metadata or {}).get("grades_itself") for score in given):
        yield "the model judged its own answers"
    failed = [score for score in given if score.reason in (JUDGE_FAILED, JUDGE_UNREADABLE)]
    if failed:
        scorer = f"seqniah/{key.rstrip('0123456789')}{_own_prompt(log)}"
        again = f"inspect score {shlex.quote(str(path))} --scorer {scorer}"
        yield (
            f"{len(failed)} not judged ({(failed[0].explanation or '').rstrip('.')}); "
            f"{again} --action append --overwrite judges again, and asks only for what is missing"
        )


def _own_prompt(log: EvalLog) -> str:
    """The option that names the prompt again, where the last judge had one of the user's own."""
    given = [(scorer.options or {}).get("judge_prompt") for scorer in log.eval.scorers or []]
    paths = [path for path in given if path]
    return f" -S judge_prompt={shlex.quote(str(paths[-1]))}" if paths else ""


def _record(sample: EvalSample, strict: Score | None, fate: Fate) -> SampleRecord:
    facts = sample.metadata
    value = strict.value if strict else None
    seen = fate not in (Fate.CUT, Fate.SKIPPED)
    return SampleRecord(
        id=str(sample.id),
        lang=str(facts.get("lang")),
        pipeline=str(facts.get("pipeline")),
        length_bin=str(facts.get("length_bin")),
        needle_group=str(facts.get("needle_group")),
        correct=value == CORRECT if value in (CORRECT, INCORRECT) and seen else None,
        failure_modes=_modes(strict) if seen else (),
        finished=strict is not None,
        prompt=fate,
        base=str(facts.get("base", sample.id)),
        noise=str(facts.get("noise", "")),
        variant=int(facts.get("variant", 0)),
    )


def _star_record(sample: EvalSample, given: Score | None, fate: Fate) -> StarRecord:
    facts, told = sample.metadata, (given.metadata if given else None) or {}
    seen = given is not None and fate not in (Fate.CUT, Fate.SKIPPED)
    score = _number(given.value) if given and seen else None
    return StarRecord(
        id=str(sample.id),
        lang=str(facts.get("lang")),
        pipeline=str(facts.get("pipeline")),
        length_bin=str(facts.get("length_bin")),
        needle_group="",
        correct=None if score is None else score == 1,
        failure_modes=_modes(given) if seen else (),
        finished=given is not None,
        prompt=fate,
        ask=str(facts.get("ask")),
        score=score,
        position=_number(told.get("position")) if seen else None,
        precision=_number(told.get("precision")) if seen else None,
        confusion=_number(told.get("confusion")) if seen else None,
    )


def _modes(score: Score | None) -> tuple[str, ...]:
    """Why an answer is not right; none of a score that names none, or no list of them."""
    modes = (score.metadata or {}).get("failure_modes") if score else None
    return tuple(map(str, modes)) if isinstance(modes, list) else ()


def _number(given: object) -> float | None:
    """A figure from 0 to 1; None of anything else, not a number included."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        return None
    return float(given)
