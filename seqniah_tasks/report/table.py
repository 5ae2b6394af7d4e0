"""The table of records: one row an answer, the same columns for either harness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import pyarrow as pa

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.report import columns
from seqniah_tasks.report.columns import COUNTING_STARS, KINDS, SEQUENTIAL_NIAH


@dataclass(frozen=True, slots=True)
class Row:
    """One answer and its verdict. What a file does not tell is None, never 0 or an empty text.

    Of an unscored answer all that a verdict tells is None, from `score` to `placed`.
    """

    harness: str | None
    """inspect or lm-eval; None for responses that were made elsewhere."""
    source: str
    """The file that it stands in, as it was given."""
    model: str | None
    """As the harness names it."""
    task: str | None
    """As the harness names it."""
    benchmark: str
    """sequential-niah or counting-stars."""
    split: str | None
    """test, dev or train."""
    version: str | None
    """Of the benchmark's bytes."""
    edition: str | None
    """Of the questions: open or paper; of Counting-Stars, stars and lengths, e.g. 32-32."""
    tokenizer: str | None
    """The encoding in which `prompt_tokens` are counted."""
    corpus: str | None
    """What the haystacks are made of."""
    setup: str | None
    """What makes the run another test than the usual, e.g. "closed book"; else None."""
    generation: str | None
    """How the model was asked to answer, where that is told, e.g. "reasoning_effort=high"."""
    planned: int | None
    """Answers that the run was to have, each epoch counted, those never begun included."""
    judge: str | None
    """The judge as reports call it, with its version or model."""
    judged_by: str | None
    """rules or model, whichever decided or failed to; None where nothing was judged."""
    id: str
    """Of the sample; it names the sample's bytes."""
    base: str | None
    """Id of the sample that it is a variant of, or its own."""
    noise: str | None
    """Type of noise; None, beside a `base`, for a sample as it is."""
    variant: int | None
    """Number within its type, from 1; None where `noise` is."""
    epoch: int | None
    """Which time the sample was asked in its run, from 1."""
    lang: str | None
    """en or zh."""
    pipeline: str | None
    """Where the question comes from; of Counting-Stars its task, e.g. searching."""
    ask: str | None
    """What is wanted of the stars: list, sum, largest or order; None elsewhere."""
    length_bin: str | None
    """Tokens of the prompt, as a range; of Counting-Stars the length's name, e.g. 4k."""
    length: int | None
    """What the prompt was made to be as long as, where that is one number: in the run's unit."""
    needle_group: str | None
    """Needles, as a range."""
    needles: int | None
    """How many items the reference has, or stars that are asked for."""
    order_required: bool | None
    """Whether the question demands the true order."""
    finished: bool | None
    """Whether it was answered and judged before the run ended, with or without a verdict."""
    correct: bool | None
    """The verdict; None: unscored, for a reason that is not the model's. Of stars: score 1."""
    score: float | None
    """0 to 1: of sequential-niah 1 if it is right, else 0; of stars the share of their credit."""
    reason: str | None
    """The verdict in a sentence, or why there is none; at most 1,024 characters."""
    failure_modes: tuple[str, ...] | None
    """Why it is wrong, in the order of `FailureMode`; empty when it is right."""
    item_recall: float | None
    """Reference items stated rightly, over all reference items, 0 to 1."""
    item_precision: float | None
    """Answer items that state a reference item rightly, over all answer items, 0 to 1."""
    order_agreement: float | None
    """Kendall's tau over the rightly stated items, -1 to 1; None with fewer than two of them."""
    position: float | None
    """Stars whose number stands in their own place of the answer's list, 0 to 1."""
    confusion: float | None
    """Numbers listed that are of players who were not asked for, over all listed, 0 to 1."""
    depths: tuple[float, ...] | None
    """Where each needle stands in the prompt, 0 (start) to 1 (end), in true order."""
    found: tuple[bool, ...] | None
    """Whether each needle was stated rightly, in true order; of stars `credits` tell it."""
    credits: tuple[float, ...] | None
    """What each star asked for adds, 0 to 1, in the order of their places."""
    placed: tuple[bool, ...] | None
    """Whether the number of each of them stands in its own place of the list."""
    prompt_fate: str | None
    """Whether the model saw the whole prompt: whole, cut, unverified or skipped."""
    prompt_tokens: int | None
    """Exact tokens of the prompt, in the run's `tokenizer`."""
    reported_tokens: int | None
    """Tokens of the prompt by the provider, or counted as the model counts; cached ones too."""
    input_tokens: int | None
    """Tokens that the model under test was charged for reading, cached ones included."""
    output_tokens: int | None
    """Tokens that the model under test wrote, its thoughts included."""
    seconds: float | None
    """From the start of the sample to its verdict, without waiting for limits."""
    cost: float | None
    """US dollars for the model under test, by the prices that the run knew."""


COLUMNS = tuple(field.name for field in fields(Row))

SCHEMA = pa.schema([(name, KINDS[SEQUENTIAL_NIAH][name].type) for name in COLUMNS])

_OF_VERDICTS = (
    *("score", "failure_modes", "item_recall", "item_precision", "order_agreement"),
    *("position", "confusion", "found", "credits", "placed"),
)
"""What an unscored answer has not."""


def row(where: str, given: Mapping[str, Any]) -> Row:
    """A row from what a file holds, by column; columns that are not given are None.

    Raises `SeqniahError` that names the place, `where`, and the column.
    """
    values = columns.values(where, given)
    for name in ("source", "id"):
        if values[name] is None:
            raise SeqniahError(f"{where}: {name} is missing; drop what has none.")
    if values["benchmark"] == COUNTING_STARS:
        values["correct"] = None if values["score"] is None else values["score"] == 1
    if values["correct"] is None:
        values |= dict.fromkeys(_OF_VERDICTS)
    elif values["benchmark"] == SEQUENTIAL_NIAH:
        values["score"] = float(values["correct"])
    if values["noise"] is None:
        values["variant"] = None
    for name in ("depths", "found", "credits", "placed"):
        listed, needles = values[name], values["needles"]
        if listed is not None and needles is not None and len(listed) != needles:
            raise SeqniahError(f"{where}: {name} is a list of {needles}, not of {len(listed)}.")
    return Row(**values)


def table(rows: Iterable[Row]) -> pa.Table:
    """The rows as a table, in their order; its columns are those of `SCHEMA`, whatever is there."""
    kept = list(rows)
    arrays = [
        pa.array([getattr(one, field.name) for one in kept], type=field.type) for field in SCHEMA
    ]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)
