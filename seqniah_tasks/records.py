"""What is kept of an answer: one record, the same whichever harness asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks, kinds
from seqniah_tasks.benchmarks.protocol import Benchmark, Facts
from seqniah_tasks.kinds import Kind, one_of, some_of
from seqniah_tasks.truncation import Fate

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One answer and its verdict. What a file does not tell is None, never 0 or an empty text.

    Of an unscored answer all that a verdict tells is missing: score, failure modes, figures, and
    the items but for their depths.
    """

    harness: str | None = None
    """inspect or lm-eval; None for responses that were made elsewhere."""
    source: str
    """The file that it stands in, as it was given."""
    model: str | None = None
    """As the harness names it."""
    task: str | None = None
    """As the harness names it."""
    benchmark: str
    """As logs name it."""
    split: str | None = None
    """test, dev or train."""
    version: str | None = None
    """Of the benchmark's bytes."""
    edition: str | None = None
    """Of the questions, e.g. open, or 32-32."""
    tokenizer: str | None = None
    """The encoding in which `prompt_tokens` are counted."""
    corpus: str | None = None
    """What the haystacks are made of."""
    setup: str | None = None
    """What makes the run another test than the usual, e.g. "closed book"; else None."""
    generation: str | None = None
    """How the model was asked to answer, where that is told, e.g. "reasoning_effort=high"."""
    planned: int | None = None
    """Answers that the run was to have, each epoch counted, those never begun included."""
    judge: str | None = None
    """The judge as reports call it, with its version or model."""
    judged_by: str | None = None
    """rules or model, whichever decided or failed to; None where nothing was judged."""
    rules_correct: bool | None = None
    """What the rules say of an answer that a model judged, where the judge told it."""
    id: str
    """Of the sample; it names the sample's bytes."""
    base: str | None = None
    """Id of the sample that it is a variant of, or its own."""
    variant: int | None = None
    """Number of the variant among those of its kind, from 1; None for a sample as it is."""
    epoch: int | None = None
    """Which time the sample was asked in its run, from 1."""
    lang: str | None = None
    """A language tag, e.g. en."""
    length_bin: str | None = None
    """Length of the prompt, as a range or a number, e.g. 8k-16k or 4k."""
    length: int | None = None
    """What the prompt was made to be as long as, where that is one number: in the run's unit."""
    needles: int | None = None
    """How many items the reference has."""
    finished: bool | None = None
    """Whether it was answered and judged before the run ended, with or without a verdict."""
    correct: bool | None = None
    """Whether the score is full; None: unscored, for a reason that is not the model's."""
    score: float | None = None
    """0 to 1."""
    reason: str | None = None
    """The verdict in a sentence, or why there is none; at most 1,024 characters."""
    failure_modes: tuple[str, ...] | None = None
    """Why it is wrong; empty when it is right."""
    prompt_fate: str | None = None
    """Whether the model saw the whole prompt: whole, cut, unverified or skipped."""
    prompt_tokens: int | None = None
    """Exact tokens of the prompt, in the run's `tokenizer`."""
    reported_tokens: int | None = None
    """Tokens of the prompt by the provider, or counted as the model counts; cached ones too."""
    input_tokens: int | None = None
    """Tokens that the model under test was charged for reading, cached ones included."""
    cached_tokens: int | None = None
    """Those of `input_tokens` that the provider had kept from earlier requests, where it says."""
    output_tokens: int | None = None
    """Tokens that the model under test wrote, its thoughts included."""
    seconds: float | None = None
    """From the start of the sample to its verdict, without waiting for limits."""
    cost: float | None = None
    """US dollars for the model under test, by the prices that the run knew, else by `price`."""
    price: str | None = None
    """Where the price is from that the cost was computed with; None where the run knew one."""
    effective_length: str | None = None
    """Of its run: the length up to which it keeps its score, e.g. 32k or "at least 128k"."""
    effective_low: str | None = None
    """Lower end of its 95 % interval."""
    effective_high: str | None = None
    """Upper end."""
    traits: Mapping[str, Any] = field(default_factory=dict)
    """What only this benchmark tells of a sample, e.g. its pipeline."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """What stands beside the score, e.g. item_recall."""
    items: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Lists with an entry for each item of the reference, e.g. depths and found."""

    @property
    def is_variant(self) -> bool:
        """Whether it is another form of a sample, e.g. with noise."""
        return self.variant is not None or self.base not in (None, self.id)


_CORE: dict[str, Kind] = {
    "harness": one_of("inspect", "lm-eval"),
    "source": kinds.PATH,
    **dict.fromkeys(("model", "task", "benchmark"), kinds.NAME),
    "split": one_of("train", "dev", "test"),
    "version": kinds.VERSION,
    **dict.fromkeys(("edition", "tokenizer", "corpus", "setup", "generation"), kinds.NAME),
    "planned": kinds.COUNT,
    "judge": kinds.NAME,
    "judged_by": one_of("rules", "model"),
    **dict.fromkeys(("id", "base"), kinds.NAME),
    **dict.fromkeys(("variant", "epoch"), kinds.FROM_ONE),
    **dict.fromkeys(("lang", "length_bin"), kinds.NAME),
    **dict.fromkeys(("length", "needles"), kinds.FROM_ONE),
    **dict.fromkeys(("rules_correct", "finished", "correct"), kinds.FLAG),
    "score": kinds.SHARE,
    "reason": kinds.REASON,
    "failure_modes": some_of(),
    "prompt_fate": one_of(*Fate),
    **dict.fromkeys(("prompt_tokens", "reported_tokens", "input_tokens"), kinds.FROM_ONE),
    **dict.fromkeys(("cached_tokens", "output_tokens"), kinds.COUNT),
    **dict.fromkeys(("seconds", "cost"), kinds.AMOUNT),
    "price": kinds.NAME,
    **dict.fromkeys(("effective_length", "effective_low", "effective_high"), kinds.NAME),
}
"""Columns that all benchmarks share, in their order."""

DEPTHS = "depths"
"""The list of items that says where each stands in the prompt, whatever the verdict."""


@lru_cache(maxsize=32)
def _kinds(benchmark: Benchmark) -> dict[str, Kind]:
    own = benchmark.columns
    return {
        **_CORE,
        "lang": own.lang,
        "length_bin": own.length,
        "failure_modes": some_of(*own.failure_modes),
        **own.traits,
        **benchmark.figures,
        DEPTHS: kinds.SHARES,
        **own.items,
    }


def check(where: str, benchmark: Benchmark, name: str, given: Any) -> Any:
    """A column's value from what a file holds, or None. Raises `SeqniahError` with `where`."""
    return _kinds(benchmark)[name].checked(where, name, given)


def record(where: str, given: Mapping[str, Any]) -> Record:
    """A record from what a file holds, by column; columns that are not given are None.

    Raises `SeqniahError` that names the place, `where`, and the column.
    """
    benchmark = benchmark_of(where, given.get("benchmark"))
    columns, own = _kinds(benchmark), benchmark.columns
    values: dict[str, Any] = {}
    for name, kind in columns.items():
        one = given.get(name)
        if one is not None:
            # Most are good: then no more than this is to be done.
            one = kind.read(one) if kind.holds(one) else kind.checked(where, name, one)
        if one is not None:
            values[name] = one
    for name in ("source", "id"):
        if name not in values:
            raise SeqniahError(f"{where}: {name} is missing; drop what has none.")
    _settle(values, benchmark)
    listed = {name: values.pop(name) for name in (DEPTHS, *own.items) if name in values}
    for name, entries in listed.items():
        needles = values.get("needles")
        if needles is not None and len(entries) != needles:
            raise SeqniahError(f"{where}: {name} is a list of {needles}, not of {len(entries)}.")
    return Record(
        **{name: value for name, value in values.items() if name in _CORE},
        traits={name: values[name] for name in own.traits if name in values},
        figures={name: values[name] for name in benchmark.figures if name in values},
        items=listed,
    )


def benchmark_of(where: str, name: Any) -> Benchmark:
    """The benchmark that a file names, if it names one. Raises `SeqniahError` like `record`."""
    found = benchmarks.named(name) if isinstance(name or "", str) else None
    if found is None:
        known = " or ".join(benchmarks.known())
        raise SeqniahError(f"{where}: benchmark is {known}, not {str(name)[:60]!r}; drop it.")
    return found


def _settle(values: dict[str, Any], benchmark: Benchmark) -> None:
    """Let score and verdict agree; drop what only another judge or a verdict would tell."""
    values["benchmark"] = benchmark.name
    if values.get("base") in (None, values.get("id")) and not values.get("noise"):
        values.pop("variant", None)
    own = benchmark.columns
    if benchmark.scoring.binary:
        if "correct" in values:
            values["score"] = float(values["correct"])
    elif "score" in values:
        values["correct"] = values["score"] == 1
    else:
        values.pop("correct", None)
    if values.get("judged_by") != "model":
        values.pop("rules_correct", None)
    if "correct" not in values:
        for name in ("score", "failure_modes", *benchmark.figures, *own.items):
            values.pop(name, None)


def columns() -> dict[str, Kind]:
    """The columns of a table of records, whatever is in it: those that all share, then those of
    every benchmark."""
    traits: dict[str, Kind] = {}
    figures: dict[str, Kind] = {}
    items: dict[str, Kind] = {}
    for benchmark in benchmarks.known().values():
        traits |= benchmark.columns.traits
        figures |= benchmark.figures
        items |= benchmark.columns.items
    return {**_CORE, **traits, **figures, DEPTHS: kinds.SHARES, **items}


def table(found: Sequence[Record]) -> pa.Table:
    """Records as a table, a row each, in their order."""
    import pyarrow as pa

    wanted = columns()
    arrays = [
        pa.array([value(one, name) for one in found], type=kind.arrow)
        for name, kind in wanted.items()
    ]
    return pa.Table.from_arrays(arrays, names=list(wanted))


def value(one: Record, name: str) -> Any:
    """The value of a column, whether all benchmarks have it or only that of the record."""
    if name in _CORE:
        return getattr(one, name)
    parts = (one.traits, one.figures, one.items)
    return next((part[name] for part in parts if name in part), None)


@dataclass(frozen=True, slots=True)
class Transcript:
    """An answer with its texts, as a harness's file has them: as long as they are, untrusted."""

    record: Record
    question: str
    reference: str
    """The right answer, as the benchmark writes it."""
    response: str
    facts: Facts
    """What the file tells of the sample."""
    cut_off: bool = False
    """The output limit ended the answer; False where the file does not tell."""
    analysis: str | None = None
    """What the model that judged wrote of the answer; None where none did, or nothing is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One evaluation, read from its log or from its samples files."""

    model: str
    benchmark: Benchmark
    task: str
    version: str
    edition: str
    tokenizer: str
    corpus: str
    scorer: str
    status: str
    """As the harness gives it: success, error, cancelled ..."""
    sources: tuple[str, ...] = ()
    """What made the questions, by name."""
    remarks: tuple[str, ...] = ()
    """What makes the run another one than the usual, e.g. "closed book"."""
    samples: tuple[Record, ...]
    planned: int | None = None
    """Samples, each epoch counted, that the run was to finish; None where it is not told."""

    @property
    def asked(self) -> int:
        """The same as far as it is known: at least the samples that are there."""
        return max(self.planned or 0, len(self.samples))

    @property
    def epochs(self) -> int:
        """How often a sample was asked; 1 where the harness does not tell."""
        return max((one.epoch or 1 for one in self.samples), default=1)

    @property
    def unfinished(self) -> int:
        """How many of them are not finished, those that were never begun included."""
        return self.asked - sum(one.finished is not False for one in self.samples)


def fields_of(one: Record) -> dict[str, Any]:
    """A record's values as facts: by name, those of its benchmark among the others."""
    core = {name: getattr(one, name) for name in _CORE}
    return {**core, **one.traits, **one.figures, **one.items}


def setups(benchmark: Benchmark, facts: Facts) -> list[str]:
    """What makes a run another test than the usual, from what it says; none if nothing does."""
    told = facts.get("setup")
    own = benchmark.columns.setups(facts)
    return [*([told] if told and isinstance(told, str) else []), *own]


def remarks(benchmark: Benchmark, facts: Facts) -> tuple[str, ...]:
    """What makes a run another one than the usual, from what it says of the benchmark."""
    found = setups(benchmark, facts)
    for name, what in (("reused", "samples ask a question again"), ("missing", "samples left out")):
        if facts.get(name):
            found.append(f"{facts[name]} {what}")
    return tuple(found)


def sources(facts: Facts) -> tuple[str, ...]:
    """The names of what made a run's questions, from the same; none of earlier versions."""
    given = facts.get("sources")
    entries = given.values() if isinstance(given, dict) else ()
    return tuple(str(entry.get("name")) for entry in entries if isinstance(entry, dict))
