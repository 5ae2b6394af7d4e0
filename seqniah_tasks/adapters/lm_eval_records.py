"""Answers from samples files of lm-eval, judged and summed up like a log of inspect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, Pipeline
from seqniah_scorers.verdict import Case
from seqniah_tasks import records
from seqniah_tasks.adapters import lm_eval_judging
from seqniah_tasks.adapters.lm_eval_documents import Document, case
from seqniah_tasks.adapters.lm_eval_samples import Sample, SamplesFile, read
from seqniah_tasks.judging.case_files import unanswered, verdict_row
from seqniah_tasks.judging.judges import Judge, Judged
from seqniah_tasks.records import RunRecord, SampleRecord
from seqniah_tasks.report.columns import COUNTING_STARS
from seqniah_tasks.truncation import Fate

_Field = Literal["split", "version", "edition", "tokenizer", "corpus", "base", "noise", "variant"]

_RUN = ("benchmark", "version", "edition", "tokenizer", "corpus", "split")
"""What keeps answers apart, beside their set-up."""

_UNSEEN = {
    Fate.CUT: "The model did not see the whole prompt.",
    Fate.SKIPPED: "The prompt was not sent: it does not fit the model's context window.",
}
"""Why an answer to such a prompt has no verdict."""


_NAMED: tuple[_Field, ...] = (
    *("split", "version", "edition", "tokenizer", "corpus", "base", "noise", "variant"),
)
"""What a row of verdicts says of its sample beside its stratum."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The samples of one model that may be summed up together, whatever files they stand in."""

    model: str
    samples: tuple[Sample, ...]

    @property
    def of_stars(self) -> bool:
        """Whether they are samples of Counting-Stars, and not of Sequential-NIAH."""
        return self.samples[0].document["benchmark"] == COUNTING_STARS

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
            facts = tuple(cast(dict[str, Any], doc)[name] for name in _RUN)
            run = file.path.resolve().parent, file.model, *facts, records.setup(doc)
            group = groups.setdefault(run, {})
            before = group.setdefault(doc["id"], sample)
            if before is not sample:
                raise SeqniahError(
                    f"{file.path}, line {sample.line}: the sample {doc['id']} was in "
                    f"{before.file.path}, line {before.line} already; give the files of one run."
                )
    found = [tuple(group.values()) for group in groups.values()]
    return [Answers(samples[0].file.model, samples) for samples in found]


@dataclass(frozen=True, slots=True)
class Scored:
    """Answers with their verdicts, as a command prints and writes them."""

    given: Answers
    record: RunRecord
    rows: tuple[dict[str, object], ...]
    """For a file of verdicts, in the order of the samples."""
    unscored: tuple[str, ...]
    """Why answers have no verdict, for each that has none."""
    by_model: int = 0
    """Answers that a model decided."""
    input_tokens: int = 0
    """Read by that model."""
    output_tokens: int = 0
    """Written by it."""


def scored(given: Answers, judge: Judge, progress: Progress | None = None) -> Scored:
    """Judge answers of Sequential-NIAH, as `Judge.verdicts` gives and raises verdicts.

    Where the model saw no whole prompt, or no answer came, nobody is asked: unscored.
    """
    asked = [sample for sample in given.samples if hindrance(sample) is None]
    answered = iter(judge.verdicts([_case(sample) for sample in asked], progress))
    found = [
        next(answered) if (reason := hindrance(sample)) is None else _unscored(sample, reason)
        for sample in given.samples
    ]
    verdicts = [one.verdict for one in found]
    return Scored(
        given=given,
        record=_run(given, found, judge.name),
        rows=tuple(_row(*pair, judge.name) for pair in zip(given.samples, found, strict=True)),
        unscored=tuple(verdict.reason for verdict in verdicts if verdict.correct is None),
        by_model=sum(one.by == "model" for one in found),
        input_tokens=sum(one.input_tokens for one in found),
        output_tokens=sum(one.output_tokens for one in found),
    )


def _document(sample: Sample) -> Document:
    return cast(Document, sample.document)


def _case(sample: Sample) -> Case:
    return case(_document(sample), sample.response or "")


def hindrance(sample: Sample) -> str | None:
    """Why there is nothing to judge; None where there is."""
    missing = "The file has no answer, so there is nothing to judge."
    return _UNSEEN.get(sample.fate, missing if sample.response is None else None)


def _unscored(sample: Sample, reason: str) -> Judged:
    return Judged(replace(unanswered(_case(sample)), reason=reason), "rules", 0, 0)


def _row(sample: Sample, judged: Judged, judge: str) -> dict[str, object]:
    """A verdict as one row of a file, with the stratum of its sample."""
    doc, verdict = _document(sample), judged.verdict
    by_rules = judged.by_rules or verdict
    asked = hindrance(sample) is None
    return {
        **verdict_row(doc["id"], verdict),
        "doubts": [str(doubt) for doubt in by_rules.doubts],
        "rules_correct": by_rules.correct,
        "judge": judge,
        "judged_by": judged.by if asked else None,
        "judge_input_tokens": judged.input_tokens,
        "judge_output_tokens": judged.output_tokens,
        "model": sample.file.model,
        "task": sample.file.task or None,
        "generation": sample.file.generation,
        **{name: doc[name] for name in _NAMED},
        "setup": records.setup(doc) or None,
        "lang": doc["lang"],
        "pipeline": doc["pipeline"],
        "length_bin": doc["length_bin"],
        "needle_group": doc["needle_group"],
        "needles": doc["needles"],
        "needle_fates": lm_eval_judging.needles(verdict, sample.depths),
        "prompt_fate": str(sample.fate),
    }


def _run(given: Answers, judged: Sequence[Judged], judge: str) -> RunRecord:
    """The run of these answers, as summaries want it."""
    first, files = _document(given.samples[0]), given.files
    statuses = sorted({file.status for file in files})
    return RunRecord(
        model=given.model,
        benchmark=first["benchmark"],
        task=_named([file.task or file.path.name for file in files], first["split"]),
        version=str(first["version"]),
        edition=first["edition"],
        tokenizer=first["tokenizer"],
        corpus=first["corpus"],
        scorer=judge,
        status=" and ".join(statuses),
        sources=tuple(dict.fromkeys(s for file in files for s in records.sources(file.facts))),
        remarks=remarks_of(given),
        samples=tuple(map(_record, given.samples, judged)),
    )


def _named(tasks: Sequence[str], split: str) -> str:
    """The tasks of a run; all of a split go by the name of their group."""
    group = "seqniah" if split == "test" else f"seqniah_{split}"
    whole = {f"{group}_{p.replace('-', '_')}_{lang}" for p in Pipeline for lang in LANGS}
    return group if set(tasks) == whole else ", ".join(dict.fromkeys(tasks))


def remarks_of(given: Answers) -> tuple[str, ...]:
    """What makes the run another one than the usual, whichever of its files says so."""
    first = given.samples[0].document
    told = ((records.remarks({**first, **file.facts}), _left_out(file)) for file in given.files)
    return tuple(dict.fromkeys(remark for pair in told for part in pair for remark in part))


def _left_out(file: SamplesFile) -> tuple[str, ...]:
    """What is to be said of prompts that were never sent, if there are any."""
    count = file.facts.get("left_out")
    if not isinstance(count, int) or count <= 0:
        return ()
    return (f"{count} prompts of {file.task} did not fit the window and were left out",)


def _record(sample: Sample, judged: Judged) -> SampleRecord:
    doc, verdict = _document(sample), judged.verdict
    return SampleRecord(
        id=doc["id"],
        lang=doc["lang"],
        pipeline=doc["pipeline"],
        length_bin=doc["length_bin"],
        needle_group=doc["needle_group"],
        correct=verdict.correct,
        failure_modes=tuple(map(str, verdict.failure_modes)),
        finished=True,
        prompt=sample.fate,
        base=doc["base"],
        noise=doc["noise"],
        variant=doc["variant"],
    )
