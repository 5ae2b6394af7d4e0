"""What a log of inspect-ai holds, its shape checked: header, summaries of samples, some in full."""

from __future__ import annotations

import math
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples_by_id,
)
from pydantic_core import from_json

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks.protocol import Benchmark, ByCase
from seqniah_tasks.records import Record, Transcript

_MOST_STORED = 2_000_000_000
"""Bytes of a log beside its samples; the summary of one has about 5,000."""

_MOST_SAMPLE = 500_000_000
"""Bytes of a whole sample; one with a prompt of a million tokens has about 10,000,000."""

_UNREAD = {"messages", "events", "store", "attachments", "output", "error_retries"}
"""Fields of a whole sample that hold its prompt, or nothing of interest."""

_AT_ONCE = 64
"""Whole samples in memory."""

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Summary:
    """A sample in one epoch."""

    path: Path
    fields: Facts
    """As inspect's `EvalSampleSummary` has them; texts and lists that are long were cut."""

    @property
    def id(self) -> str:
        return str(self.fields["id"])

    @property
    def place(self) -> tuple[int, str]:
        """By which samples are in order."""
        return self.fields["epoch"], self.id

    @property
    def where(self) -> str:
        """As messages name it."""
        return f"{self.path}, sample {self.id[:100]!r}, epoch {self.fields['epoch']}"

    @property
    def metadata(self) -> Facts:
        """What the task says of the sample, and the run of its prompt."""
        found: Facts = self.fields.get("metadata", {})
        return found

    @property
    def ended(self) -> str | None:
        """What is to be said where the sample ended with an error."""
        error = self.fields.get("error")
        return f"The sample ended with an error: {error}" if error else None

    @property
    def interrupted(self) -> bool:
        """Whether the sample was under way when its run was told to end."""
        return str(self.fields.get("error") or "").startswith(
            ("CancelledError", "KeyboardInterrupt")
        )

    def score(self, key: str) -> Facts:
        """What a scorer gave; empty where it gave nothing."""
        found: Facts = (self.fields.get("scores") or {}).get(key, {})
        return found

    def told(self, key: str) -> Facts:
        """What a scorer said beside its score; empty where it said nothing."""
        found = self.score(key).get("metadata")
        return found if isinstance(found, dict) else {}

    def usage(self, by: str, name: str) -> Facts:
        """Tokens of one model, or of one role."""
        found: Facts = (self.fields.get(f"{by}_usage") or {}).get(name, {})
        return found


def read_header(path: Path) -> EvalLog:
    """A log without its samples. Raises `SeqniahError` when it is none."""
    try:
        if path.suffix != ".eval":
            # For the header of a log in JSON alone, inspect's reader takes memory that grows with
            # the square of the depth of what is nested: a small file could fill any machine.
            return read_eval_log(str(path)).model_copy(update={"samples": None})
        # Without the reductions, a score of each sample once more, which inspect's reader always
        # takes along, and which take longer to read than the summaries.
        raw = _member(path, "header.json")
        if raw is not None:
            return EvalLog.model_validate_json(raw)
        return read_eval_log(str(path), header_only=True)
    except Exception as error:  # the reader raises whatever its formats raise
        raise _unreadable(path, error) from error


def _member(path: Path, name: str) -> bytes | None:
    """A member of a log; None where inspect must be asked, as of a run that goes on."""
    with zipfile.ZipFile(path) as file:
        sizes = [one.file_size for one in file.infolist() if one.filename.startswith("samples/")]
        if sum(one.file_size for one in file.infolist()) - sum(sizes) > _MOST_STORED:
            raise ValueError(f"it has more than {_MOST_STORED:,} bytes beside its samples")
        if max(sizes, default=0) > _MOST_SAMPLE:
            raise ValueError(f"one of its samples has more than {_MOST_SAMPLE:,} bytes")
        try:
            return file.read(name) if name in file.namelist() else None
        except NotImplementedError:  # a compression that Python itself does not know
            return None


def benchmark_of(header: EvalLog) -> Benchmark:
    """The benchmark that a log is of. Raises `SeqniahError` when there is none."""
    return benchmarks.of_facts(header.eval.metadata or {})


def verdict_keys(header: EvalLog) -> list[str]:
    """What samples call the scores of the scorers whose verdicts count, in their order."""
    scoring = benchmark_of(header).scoring
    judges = ("judge", "cascade") if isinstance(scoring.by, ByCase) else ()
    counts: Counter[str] = Counter()
    found: list[str] = []
    for scorer in header.eval.scorers or []:
        name = scorer.name.removeprefix("seqniah/")
        if name in (scoring.name, *judges):
            # As inspect tells several scores of one name apart.
            found.append(f"{name}{counts[name] or ''}")
            counts[name] += 1
    return found or [scoring.name]


def planned(log: EvalLog) -> int | None:
    """Samples, each epoch counted, that a run was to finish; None where its log does not tell."""
    # Of the data set's samples, the ids are those that --limit and --sample-id have left.
    ids, config = log.eval.dataset.sample_ids, log.eval.config
    if ids is None or config.log_samples is False:  # without samples, none would seem finished
        return None
    return len(ids) * (config.epochs or 1)


def _unreadable(path: Path, error: Exception) -> SeqniahError:
    told = " ".join(str(error).split())[:200] or type(error).__name__
    return SeqniahError(f"{path} is not a readable log of inspect ({told}); move it away.")


def read_summaries(path: Path) -> list[Summary]:
    """Samples by epoch and id; of a run that goes on, those so far. Raises `SeqniahError`."""
    try:
        # As they are stored: inspect's own reader cuts every text anew, which takes longer than
        # all the rest.
        raw = _member(path, "summaries.json") if path.suffix == ".eval" else None
        if raw is not None:
            given = from_json(raw)
        else:
            given = [one.model_dump() for one in read_eval_log_sample_summaries(str(path))]
        if not isinstance(given, list):
            raise ValueError("its summaries are no list")
    except Exception as error:  # as above
        raise _unreadable(path, error) from error
    found: dict[tuple[int, str], Summary] = {}
    for number, fields in enumerate(given, 1):
        if not _is_summary(fields):
            raise SeqniahError(
                f"{path}, summary {number} is not of the form that inspect gives it; move the log "
                "away."
            )
        # A sample that was run again stands there twice; the last one counts.
        summary = Summary(path, fields)
        found[summary.place] = summary
    return [found[place] for place in sorted(found)]


def _is_summary(fields: Any) -> bool:
    if not isinstance(fields, dict) or not isinstance(fields.get("metadata", {}), dict):
        return False
    if not isinstance(fields.get("id"), int | str) or type(fields.get("epoch")) is not int:
        return False
    parts = [fields.get(name) or {} for name in ("scores", "model_usage", "role_usage")]
    return all(
        isinstance(part, dict) and all(isinstance(one, dict) for one in part.values())
        for part in parts
    )


def is_nan(given: Any) -> bool:
    """Whether it is what logs have for a figure that there is none of."""
    return isinstance(given, float) and math.isnan(given)


def in_full(samples: Sequence[Summary], key: str) -> dict[tuple[int, str], tuple[Facts, Facts]]:
    """What whole samples say beyond their summaries, by place: where their needles stand, and what
    a scorer said beside their scores. Raises `SeqniahError` when they cannot be read.
    """
    if not samples:
        return {}
    wanted = [(one.fields["id"], one.fields["epoch"]) for one in samples]
    found = zip(samples, read_whole(samples[0].path, wanted, _UNREAD), strict=True)
    return {
        one.place: ({"needle_depths": whole.metadata.get("needle_depths")}, _told(whole, key))
        for one, whole in found
    }


def _told(sample: EvalSample, key: str) -> Facts:
    given = (sample.scores or {}).get(key)
    return (given.metadata or {}) if given else {}


def read_whole(
    path: Path, wanted: Sequence[tuple[int | str, int]], without: Set[str]
) -> Iterator[EvalSample]:
    """Samples by id and epoch, in this order, `without` some fields. Raises `SeqniahError`."""
    for first in range(0, len(wanted), _AT_ONCE):
        part = wanted[first : first + _AT_ONCE]
        try:
            whole = read_eval_log_samples_by_id(path, part, exclude_fields=set(without))
        except Exception as error:  # as above
            raise _unreadable(path, error) from error
        yield from whole


def transcripts(path: Path, rows: Sequence[Record]) -> list[Transcript]:
    """Texts of these answers of a log. Raises `SeqniahError` when it has other samples by now."""
    if not rows:
        return []
    key = verdict_keys(read_header(path))[-1]
    wanted = [(row.id, row.epoch or 1) for row in rows]
    found = read_whole(path, wanted, _UNREAD - {"output"})
    return [_transcript(path, row, sample, key) for row, sample in zip(rows, found, strict=True)]


def _transcript(path: Path, row: Record, sample: EvalSample, key: str) -> Transcript:
    question, reference = sample.input, sample.target
    if not isinstance(question, str) or not isinstance(reference, str):
        raise SeqniahError(
            f"{path}, sample {row.id[:100]!r}: its question or its reference is no single text, as "
            "in every sample of a seqniah task; move the log away."
        )
    told = _told(sample, key) if row.judged_by == "model" else {}
    wrote = [told.get(name) for name in ("order_analysis", "eval_analysis")]
    return Transcript(
        record=row,
        question=question,
        reference=reference,
        response=sample.output.completion,
        cut_off=sample.output.stop_reason == "max_tokens",
        facts=sample.metadata,
        analysis="\n\n".join(one for one in wrote if isinstance(one, str) and one.strip()) or None,
    )
