"""Benchmarks in Python, without a harness: samples to iterate, prompts, references, verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, overload

from seqniah_datasets import export
from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.protocol import (
    Answered,
    Bench,
    Benchmark,
    ByMeasure,
    Item,
    Prompt,
    Scored,
)
from seqniah_tasks.benchmarks.reading import Given
from seqniah_tasks.exports import Export

if TYPE_CHECKING:
    from datasets import Dataset  # type: ignore[attr-defined]  # Hugging Face's


@dataclass(frozen=True)
class LoadedSample:
    """One sample; its prompt is built when it is first asked for."""

    bench: Bench[Any]
    planned: Any

    @property
    def id(self) -> str:
        """It names the sample's bytes."""
        return str(self.planned.id)

    @cached_property
    def item(self) -> Item:
        """The question, the reference, and facts about the sample."""
        return self.bench.item(self.planned)

    @property
    def question(self) -> str:
        """What is asked, without the haystack."""
        return self.item.question

    @property
    def reference(self) -> str:
        """The right answer."""
        return self.item.reference

    @cached_property
    def shown(self) -> Prompt:
        """All that a model is shown: turns with their parts, token count, depths of the needles."""
        return self.bench.prompt(self.planned)

    @property
    def prompt(self) -> str:
        """The whole prompt; of several turns, their words one after another."""
        return self.shown.text

    @property
    def tokens(self) -> int:
        """Exact, in the encoding of the options."""
        return self.shown.tokens


@dataclass(frozen=True, eq=False)
class Loaded(Sequence[LoadedSample]):
    """The samples of a task, in their fair order."""

    benchmark: Benchmark
    bench: Bench[Any]
    task: str
    given: Mapping[str, Given]
    """Its options as they were written."""

    def __len__(self) -> int:
        return len(self.bench.plan)

    @overload
    def __getitem__(self, place: int) -> LoadedSample: ...
    @overload
    def __getitem__(self, place: slice) -> list[LoadedSample]: ...
    def __getitem__(self, place: int | slice) -> LoadedSample | list[LoadedSample]:
        if isinstance(place, slice):
            return [LoadedSample(self.bench, one) for one in self.bench.plan[place]]
        return LoadedSample(self.bench, self.bench.plan[place])

    def find(self, sample_id: str) -> LoadedSample:
        """The sample of an id. Raises `SeqniahError` when the options do not hold it."""
        return LoadedSample(self.bench, self.bench.find(sample_id))

    def judge(self, sample: LoadedSample, answer: str, *, cut_off: bool = False) -> Scored:
        """What the benchmark says of an answer; lists of items are judged by the rules.

        `cut_off` says that the output limit ended the answer.
        """
        item, by = sample.item, self.benchmark.scoring.by
        # Judges of cases see no prompt, which takes longer to build than an answer to judge.
        shown = sample.prompt if isinstance(by, ByMeasure) else ""
        answered = Answered(
            item.question, item.reference, item.facts, answer, cut_off, prompt=shown
        )
        return by.score(answered)

    def to_dataset(self) -> Dataset:
        """All samples as a Hugging Face data set, on disk; `info.description` is the `card`."""
        import pyarrow as pa

        from datasets import Dataset, DatasetInfo, NamedSplit  # type: ignore[attr-defined]

        split = str(self.bench.facts()["split"])
        rows = (self.bench.exported(self.bench.recipe_fields(one)) for one in self.bench.plan)
        with TemporaryDirectory(prefix="seqniah-", ignore_cleanup_errors=True) as folder:
            written = export.write(Path(folder), split, "arrow", rows)
            # The maps outlive the files' names.
            maps = [pa.memory_map(str(Path(folder) / name)) for name in written.files]
            tables = [pa.ipc.open_stream(one).read_all() for one in maps]
        table = pa.concat_tables([written.schema.empty_table(), *tables])
        return Dataset(table, info=DatasetInfo(description=self.card()), split=NamedSplit(split))

    def card(self) -> str:
        """A data card: what the samples are and what names their bytes, as the hub's README."""
        return Export(self.task, self.given, self.bench).card()


def load(task: str = "test", **given: Given) -> Loaded:
    """The samples of a task, e.g. `load("test", lang="en", length="8k-16k")`.

    Options are those of `-T` (see `seqniah options TASK`). Raises `SeqniahError` for others.
    """
    benchmark, spec = benchmarks.task(task)
    options.refuse_unknown(given, options.names(spec.options), f"The task {spec.name}")
    chosen: Any = options.read(spec.options, given, spec.fixed)
    return Loaded(benchmark, benchmarks.opened(spec.name, chosen), spec.name, given)
