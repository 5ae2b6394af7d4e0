"""Answers of lm-eval with their verdicts: as metrics, and as fields of its files."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.lm_eval import tasks
from seqniah_tasks.adapters.lm_eval.solve import Asked
from seqniah_tasks.benchmarks.protocol import (
    Answered,
    Benchmark,
    ByCase,
    ByMeasure,
    Facts,
    Metric,
    Scored,
)
from seqniah_tasks.judging.case_files import unanswered, verdict_row, write_rows
from seqniah_tasks.judging.judges import Judge, Judged


@dataclass(frozen=True, slots=True)
class Found:
    """What is found of an answer."""

    scored: Scored
    fields: dict[str, Any]
    """The verdict as a file has it, beside what is told of the prompt."""
    fates: list[dict[str, Any]] | None = None
    """Depth and fate of each item of the reference, in true order; None where no judge aligns."""


def judge_name(benchmark: Benchmark, judge: Judge | None) -> str:
    """Who judges, as files tell it."""
    by = benchmark.scoring.by
    return by.judge if isinstance(by, ByMeasure) else _needed(judge).name


def answered(document: Facts, response: str, depths: Sequence[float], prompt: str = "") -> Answered:
    """An answer to a document, with the depths of the needles in its prompt."""
    question, reference = document["question"], document["reference"]
    return Answered(question, reference, document, response, depths=depths, prompt=prompt)


def reads_prompt(benchmark: Benchmark) -> bool:
    """Whether a verdict may follow from the prompt too."""
    by = benchmark.scoring.by
    return isinstance(by, ByMeasure) and by.reads_prompt


def judged(
    benchmark: Benchmark,
    judge: Judge | None,
    answers: Iterable[Answered],
    progress: Progress | None = None,
) -> list[Found]:
    """Judge answers; lists need a judge. Raises `SeqniahError` if it cannot be asked.

    What is measured is taken one by one, so that no two prompts need be held at once.
    """
    by = benchmark.scoring.by
    if isinstance(by, ByMeasure):
        return [_measured(by, one) for one in answers]
    judge, given = _needed(judge), list(answers)
    verdicts = judge.verdicts([by.case(one) for one in given], progress)
    return [_aligned(by, judge, *pair) for pair in zip(given, verdicts, strict=True)]


def unscored(benchmark: Benchmark, judge: Judge | None, given: Answered, reason: str) -> Found:
    """What is found of an answer that nobody can judge, for a reason that is not the model's."""
    by = benchmark.scoring.by
    if isinstance(by, ByCase):
        verdict = replace(unanswered(by.case(given)), reason=reason)
        found = _aligned(by, _needed(judge), given, Judged(verdict, "rules", 0, 0))
        return replace(found, fields={**found.fields, "judged_by": None})
    told = _measured(by, given).fields
    # The fields of a verdict, without what it would say.
    blank = {
        name: type(one)() if isinstance(one, str | list) else None for name, one in told.items()
    }
    kept = {"id": told["id"], "reason": reason, "judge": by.judge, "judged_by": None}
    return Found(Scored(None, reason), {**blank, **kept})


def _needed(judge: Judge | None) -> Judge:
    if judge is None:
        raise TypeError("answers that are lists need a judge")
    return judge


def _measured(by: ByMeasure, given: Answered) -> Found:
    scored = by.score(given)
    score = float(scored.score) if isinstance(scored.score, bool) else scored.score
    return Found(
        scored,
        {
            "id": given.facts["id"],
            "correct": None if score is None else score == 1,
            "score": score,
            **scored.told,
            **scored.figures,
            "reason": scored.reason,
            "judge": by.judge,
            "judged_by": "rules",
        },
    )


def _aligned(by: ByCase, judge: Judge, given: Answered, one: Judged) -> Found:
    verdict, by_rules = one.verdict, one.by_rules or one.verdict
    right = {pair.reference for pair in verdict.pairs if pair.same}
    return Found(
        scored=by.scored(given, None, verdict, judge.name if one.by == "model" else ""),
        fields={
            **verdict_row(given.facts["id"], verdict),
            "doubts": list(by_rules.doubts),
            "rules_correct": by_rules.correct,
            "judge": judge.name,
            "judged_by": one.by,
            "judge_input_tokens": one.input_tokens,
            "judge_output_tokens": one.output_tokens,
        },
        fates=[
            {"depth": depth, "found": number in right} for number, depth in enumerate(given.depths)
        ],
    )


class Answer(str):
    """An answer as the harness logs it, with what was found of it."""

    metrics: dict[str, Any]


def process_results(document: Mapping[str, Any], results: Sequence[Answer]) -> dict[str, Any]:
    """The metrics of one answer, which its task has judged with all others."""
    return results[0].metrics


def answer(
    text: str,
    benchmark: Benchmark,
    document: Facts,
    found: Found,
    asked: Asked,
    lengths: Sequence[str],
    left_out: int,
) -> Answer:
    """An answer with its metrics; `judged` tells the whole verdict in the samples file.

    `lengths` are those of the task's answers, `left_out` the prompts that were never sent.
    """
    lm, score = tasks.of(benchmark), found.scored.score
    head = math.nan if score is None else float(score)
    suite = benchmark.scoring.suite
    outcome = suite.outcome(document, None if score is None else score == 1) if suite else None
    made = Answer(text)
    made.metrics = {
        lm.metrics[0].name: head,
        **{
            one.name: _figure(one, found)
            for one in lm.metrics[1:]
            if one.figure in found.scored.figures
        },
        tasks.UNSCORED: float(score is None),
        **{
            lm.by_length.format(name): head if name == document["length_bin"] else None
            for name in lengths
        },
        **({"left_out": left_out} if left_out else {}),
        **(dict.fromkeys(suite.names, outcome) if suite and outcome is not None else {}),
        "judged": {
            **found.fields,
            **({"needles": found.fates} if found.fates is not None else {}),
            **asked.notes(document["lang"]),
        },
    }
    return made


def _figure(metric: Metric, found: Found) -> float | None:
    if found.scored.score is None:
        return math.nan if metric.always else None
    return found.scored.figures[metric.figure]


def mean_of_scored(values: Sequence[float | None]) -> float:
    """The mean without what is not a number; not a number of nothing."""
    scored = [value for value in values if value is not None and not math.isnan(value)]
    return sum(scored) / len(scored) if scored else math.nan


def count_judged(values: Sequence[Mapping[str, Any]]) -> int:
    """How many answers have a verdict."""
    return sum(value["correct"] is not None for value in values)


def check_share(found: Sequence[Found], most: float, task: str) -> None:
    """Raise `SeqniahError` when more than a share of the answers has no verdict."""
    reasons = [one.scored.reason for one in found if one.scored.score is None]
    if found and len(reasons) / len(found) > most:
        raise SeqniahError(
            f"{len(reasons):,} of {len(found):,} answers of {task} could not be judged, more "
            f"than the {most:.0%} that max_unscored allows; the first because: {reasons[0]}"
        )


def rescue(run: Mapping[str, Any], folder: Path, rank: int) -> list[Path]:
    """Write the answers of all our tasks, by name, of a run that ends before the harness does.

    Each process has answers and a `rank` of its own. The files are the harness's without prompts.
    """
    stamp = time.strftime("%Y-%m-%dT%H-%M-%S")
    written: list[Path] = []
    for name, task in run.items():
        rows = [
            {
                "doc_id": one.doc_id,
                "doc": task.noted(one.doc),
                "target": one.doc["reference"],
                "resps": [[str(text) for text in one.resps]],
                "filtered_resps": [task.as_judged(one)],
                "filter": "none",
            }
            for one in task.instances or []
            if one.resps and hasattr(task, "as_judged")
        ]
        if rows:
            path = folder / f"samples_{name}_{stamp}_unjudged{rank or ''}.jsonl"
            write_rows(path, rows)
            written.append(path)
    return written
