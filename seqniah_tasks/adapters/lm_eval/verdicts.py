"""Answers of samples files judged after their run, and summed up like a log of inspect."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import records
from seqniah_tasks.adapters.lm_eval import logs, samples, score, tasks
from seqniah_tasks.adapters.lm_eval.samples import Sample, SamplesFile, read
from seqniah_tasks.adapters.lm_eval.score import Found
from seqniah_tasks.benchmarks.protocol import Answered, Benchmark, ByCase, Facts
from seqniah_tasks.judging.judges import Judge
from seqniah_tasks.records import RunRecord
from seqniah_tasks.truncation import Fate

_RUN = ("benchmark", "version", "edition", "tokenizer", "corpus", "split")
"""What keeps answers apart, beside their set-up."""

_UNSEEN = {
    Fate.CUT: "The model did not see the whole prompt.",
    Fate.SKIPPED: "The prompt was not sent: it does not fit the model's context window.",
}
"""Why an answer to such a prompt has no verdict."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The samples of one model that may be summed up together, whatever files they stand in."""

    model: str
    benchmark: Benchmark
    samples: tuple[Sample, ...]

    @property
    def are_lists(self) -> bool:
        """Whether they are judged as lists, by the rules or a model."""
        return isinstance(self.benchmark.scoring.by, ByCase)

    @property
    def files(self) -> tuple[SamplesFile, ...]:
        return tuple({sample.file.path: sample.file for sample in self.samples}.values())


def answers(files: Sequence[SamplesFile]) -> list[Answers]:
    """The samples of all files, by folder, model, benchmark and whatever else keeps them apart.

    Raises `SeqniahError` that names file, line and field, and when a sample is there twice.
    """
    groups: dict[tuple[object, ...], dict[str, Sample]] = {}
    for file in files:
        for sample in read(file):
            doc = sample.document
            facts = tuple(str(doc.get(name)) for name in _RUN)
            setups = tuple(records.setups(sample.benchmark, doc))
            run = file.path.resolve().parent, file.model, *facts, setups
            before = groups.setdefault(run, {}).setdefault(doc["id"], sample)
            if before is not sample:
                raise SeqniahError(
                    f"{file.path}, line {sample.line}: the sample {doc['id']} was in "
                    f"{before.file.path}, line {before.line} already; give the files of one run."
                )
    found = [tuple(group.values()) for group in groups.values()]
    return [Answers(samples[0].file.model, samples[0].benchmark, samples) for samples in found]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Answers with their verdicts, as a command prints and writes them."""

    given: Answers
    record: RunRecord
    rows: tuple[dict[str, Any], ...]
    """For a file of verdicts, in the order of the samples."""
    unscored: tuple[str, ...]
    """Why answers have no verdict, for each that has none."""
    by_model: int
    """Answers that a model decided."""
    input_tokens: int
    """Read by that model."""
    output_tokens: int
    """Written by it."""


def judged(given: Answers, judge: Judge | None, progress: Progress | None = None) -> Verdicts:
    """Judge answers as `score.judged` does; unscored, and nobody is asked, where the model saw no
    whole prompt or no answer came.
    """
    benchmark, reasons = given.benchmark, list(map(_hindrance, given.samples))
    asked = [s for s, reason in zip(given.samples, reasons, strict=True) if reason is None]
    prompts = samples.prompts(asked) if score.reads_prompt(benchmark) else repeat("")
    # Not strict: what is repeated has no end.
    answers = (_answered(*one) for one in zip(asked, prompts, strict=False))
    made = iter(score.judged(benchmark, judge, answers, progress))
    found = [
        next(made) if reason is None else score.unscored(benchmark, judge, _answered(s), reason)
        for s, reason in zip(given.samples, reasons, strict=True)
    ]
    columns = records.columns()
    rows = tuple(_row(*pair, columns) for pair in zip(given.samples, found, strict=True))
    return Verdicts(
        given=given,
        record=_run(given, rows, score.judge_name(benchmark, judge)),
        rows=rows,
        unscored=tuple(one.scored.reason for one in found if one.scored.score is None),
        by_model=sum(row["judged_by"] == "model" for row in rows),
        input_tokens=sum(row.get("judge_input_tokens", 0) for row in rows),
        output_tokens=sum(row.get("judge_output_tokens", 0) for row in rows),
    )


def _answered(sample: Sample, prompt: str = "") -> Answered:
    return score.answered(sample.document, sample.response or "", sample.depths, prompt)


def _hindrance(sample: Sample) -> str | None:
    """Why there is nothing to judge; None where there is."""
    missing = "The file has no answer, so there is nothing to judge."
    return _UNSEEN.get(sample.fate, missing if sample.response is None else None)


def _row(sample: Sample, found: Found, columns: Collection[str]) -> dict[str, Any]:
    """A verdict as one row of a file, with the stratum of its sample."""
    doc, benchmark = sample.document, sample.benchmark
    # Numbers are told even where no column has them.
    kept = {name: doc[name] for name in doc if name in columns or type(doc[name]) in (int, float)}
    if benchmark.unnamed:
        del kept["benchmark"]
    fates = found.fates
    return {
        **found.fields,
        "model": sample.file.model,
        "task": sample.file.task or None,
        "generation": sample.file.generation,
        **kept,
        "setup": ", ".join(records.setups(benchmark, doc)) or None,
        **({"needle_depths": list(sample.depths)} if fates is None else {"needle_fates": fates}),
        "prompt_fate": str(sample.fate),
    }


def _run(given: Answers, rows: Sequence[dict[str, Any]], judge: str) -> RunRecord:
    """The run of these answers, as summaries want it."""
    first, files = given.samples[0].document, given.files
    named = ("version", "edition", "tokenizer", "corpus")
    told: Facts = {name: str(first.get(name) or "") for name in named}
    return RunRecord(
        model=given.model,
        benchmark=given.benchmark,
        task=tasks.named(given.benchmark, [file.task or file.path.name for file in files]),
        **told,
        scorer=judge,
        status=" and ".join(sorted({file.status for file in files})),
        sources=tuple(dict.fromkeys(s for file in files for s in records.sources(file.facts))),
        remarks=_remarks(given),
        samples=tuple(
            logs.of_verdict(f"{one.file.path}, line {one.line}", str(one.file.path), row)
            for one, row in zip(given.samples, rows, strict=True)
        ),
    )


def _remarks(given: Answers) -> tuple[str, ...]:
    """What makes the run another one than the usual, whichever of its files says so."""
    first = given.samples[0].document
    found: dict[str, None] = {}
    for file in given.files:
        found |= dict.fromkeys(records.remarks(given.benchmark, {**first, **file.facts}))
        count = file.facts.get("left_out")
        if isinstance(count, int) and count > 0:
            found[f"{count} prompts of {file.task} did not fit the window and were left out"] = None
    return tuple(found)
