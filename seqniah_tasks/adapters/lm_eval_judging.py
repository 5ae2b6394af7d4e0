"""Verdicts on the answers of a run of lm-eval, as its metrics and its samples file have them."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import NoiseType
from seqniah_scorers.noise import Outcome, figures
from seqniah_scorers.verdict import Verdict
from seqniah_tasks.adapters.lm_eval_documents import Document
from seqniah_tasks.adapters.lm_eval_noted import Answer, Asked
from seqniah_tasks.adapters.lm_eval_options import KEY, Judging
from seqniah_tasks.benchmarks import noise
from seqniah_tasks.judging.case_files import verdict_row, write_rows
from seqniah_tasks.judging.judges import Judged

_SECONDS = 10.0
"""How long the judge's server may take to say that it is there."""

LENGTH_METRIC = "acc_{}"
"""Accuracy within one length bin."""


def answer(
    text: str,
    document: Document,
    judged: Judged,
    judge: str,
    asked: Asked,
    bins: Sequence[str],
    left_out: int,
) -> Answer:
    """An answer with its metrics; `judged` tells the whole verdict in the samples file.

    `bins` are those of the task's answers, `left_out` the prompts that were never sent.
    """
    verdict = judged.verdict
    correct = math.nan if verdict.correct is None else float(verdict.correct)
    order, scored = verdict.order_agreement, verdict.correct is not None
    found = Answer(text)
    found.metrics = {
        "acc": correct,
        "item_recall": round(verdict.item_recall, 4) if scored else math.nan,
        "item_precision": round(verdict.item_precision, 4) if scored else math.nan,
        "order_agreement": None if order is None or not scored else round(order, 4),
        "unscored": float(verdict.correct is None),
        **{
            LENGTH_METRIC.format(name): correct if name == document["length_bin"] else None
            for name in bins
        },
        **({"left_out": left_out} if left_out else {}),
        **_noise(document, verdict.correct),
        "judged": _told(document, judged, judge, asked),
    }
    return found


def _told(document: Document, judged: Judged, judge: str, asked: Asked) -> dict[str, object]:
    """The verdict with its reason, each needle's depth and fate, and what was sent."""
    verdict = judged.verdict
    row = verdict_row(document["id"], verdict)
    by_rules = judged.by_rules or verdict
    row["doubts"] = [str(doubt) for doubt in by_rules.doubts]
    row["rules_correct"] = by_rules.correct
    return {
        **row,
        "judge": judge,
        "judged_by": judged.by,
        "judge_input_tokens": judged.input_tokens,
        "judge_output_tokens": judged.output_tokens,
        "needles": needles(verdict, asked.prompt.depths),
        **asked.notes(document["lang"]),
    }


def needles(verdict: Verdict, depths: Sequence[float]) -> list[dict[str, object]]:
    """Depth and fate of each needle, in true order."""
    right = {pair.reference for pair in verdict.pairs if pair.same}
    return [{"depth": depth, "found": number in right} for number, depth in enumerate(depths)]


NOISE_METRICS = noise.NAMES
"""Of the noise suite. Each one takes all samples, with what they are variants of."""


def _noise(document: Document, correct: bool | None) -> dict[str, Any]:
    """What the figures of the noise suite are made of; empty for a sample of another task."""
    if not document["in_suite"]:
        return {}
    outcome = [document["base"], document["noise"], document["variant"], correct]
    return dict.fromkeys(NOISE_METRICS, outcome)


def noise_aggregation() -> dict[str, Callable[[Sequence[Any]], float]]:
    """How each figure of the noise suite is made of the outcomes of all samples."""

    def figure(name: str) -> Callable[[Sequence[Any]], float]:
        return lambda given: _figures(tuple(map(tuple, given)))[name]

    return {name: figure(name) for name in NOISE_METRICS}


@lru_cache(maxsize=2)
def _figures(given: tuple[tuple[str, str, int, bool | None], ...]) -> dict[str, float]:
    outcomes = [
        Outcome(base, NoiseType(kind) if kind else None, variant, correct)
        for base, kind, variant, correct in given
    ]
    return noise.by_name(figures(outcomes))


def count_judged(values: Sequence[Mapping[str, Any]]) -> int:
    """How many answers have a verdict."""
    return sum(value["correct"] is not None for value in values)


LATER = "or add --predict_only and judge later with seqniah score lm-eval"


def check_reachable(judging: Judging, otherwise: str = LATER) -> None:
    """Raise `SeqniahError` when the judge's server is not there, before hours of generation."""
    if not judging.url:
        return
    key = os.environ.get(KEY, "").strip()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        status = httpx.get(f"{judging.url}/models", headers=headers, timeout=_SECONDS).status_code
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        # Only the kind of error: its text may hold the key.
        raise SeqniahError(
            f"The judge's server {judging.url} does not answer ({type(error).__name__}); "
            f"start it, {otherwise}."
        ) from error
    if status in (401, 403):
        raise SeqniahError(
            f"The judge's server {judging.url} refuses the key ({status}); set {KEY}, {otherwise}."
        )


def check_share(verdicts: Sequence[Verdict], most: float, task: str) -> None:
    """Raise `SeqniahError` when too many answers have no verdict."""
    reasons = [one.reason for one in verdicts if one.correct is None]
    if verdicts and len(reasons) / len(verdicts) > most:
        raise SeqniahError(
            f"{len(reasons):,} of {len(verdicts):,} answers of {task} could not be judged, more "
            f"than the {most:.0%} that max_unscored allows; the first because: {reasons[0]}"
        )


def rescue(tasks: Mapping[str, Any], folder: Path, rank: int) -> list[Path]:
    """Write the answers of all our tasks of a run that ends before the harness writes them.

    Each process of a run has answers of its own, and its `rank`. The files are like the harness's
    own samples files, without the prompts.
    """
    stamp = time.strftime("%Y-%m-%dT%H-%M-%S")
    written: list[Path] = []
    for name, task in tasks.items():
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
