"""Commands about the samples of Counting-Stars: build them, look at one, estimate a run."""

from __future__ import annotations

from typing import Annotated

import typer

from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks import estimable
from seqniah_tasks.benchmarks.counting_options import star_options_of
from seqniah_tasks.commands import building, estimating
from seqniah_tasks.commands.building import Materialize, Out, Replace
from seqniah_tasks.commands.estimating import (
    Context,
    Epochs,
    InputPrice,
    Limit,
    ModelName,
    OutputPrice,
    OutputTokens,
    TokensPerSecond,
)
from seqniah_tasks.commands.types import (
    AsJson,
    CorpusSpec,
    Lang,
    MaxConnections,
    Seed,
    TokenizerName,
)
from seqniah_tasks.terminal import open_benchmark

PresetName = Annotated[
    str | None, typer.Option(help="32-32, 16-32, 64-32, 32-16 or 32-32-shuffled.")
]
Stars = Annotated[int | None, typer.Option("--m", help="Stars of a sky; 32 unless told otherwise.")]
Parts = Annotated[
    int | None, typer.Option("--n", help="Lengths: the longest, and its n-ths; 32 likewise.")
]
Longest = Annotated[str, typer.Option(help="The longest prompt, like 128k or 1m.")]
TaskName = Annotated[str, typer.Option(help="searching, reasoning or players.")]
Asks = Annotated[
    str | None, typer.Option(help="Of players: list, sum, largest, order; all unless told.")
]
PlayerCount = Annotated[int | None, typer.Option(help="Of the players task; 4 unless told.")]
NumberOrder = Annotated[str | None, typer.Option(help="increasing, shuffled or given.")]
Numbers = Annotated[str | None, typer.Option(help="The stars' numbers, like 3,7,8; else drawn.")]
SnapName = Annotated[str, typer.Option(help="Where stars may stand: none, word or sentence.")]
UnitName = Annotated[
    str, typer.Option(help="Of length: tokens, or words, characters, as published.")
]
Repeats = Annotated[int, typer.Option(help="Skies of each length, with other numbers.")]


def build(
    out: Out,
    materialize: Materialize = "",
    preset: PresetName = None,
    m: Stars = None,
    n: Parts = None,
    max_length: Longest = "128k",
    lang: Lang = "",
    task: TaskName = "searching",
    ask: Asks = None,
    players: PlayerCount = None,
    order: NumberOrder = None,
    numbers: Numbers = None,
    snap: SnapName = "sentence",
    unit: UnitName = "tokens",
    repeats: Repeats = 1,
    corpus: CorpusSpec = DEFAULT_CORPUS,
    seed: Seed = 0,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    replace: Replace = False,
    as_json: AsJson = False,
) -> None:
    """Write the recipes of Counting-Stars, and with --materialize its prompts."""
    building.check_format(materialize)
    bench = open_benchmark(star_options_of(locals()))
    building.write(bench, out, materialize, replace=replace, as_json=as_json)


def show(
    sample_id: Annotated[str, typer.Argument(help="A sample's id, or its number in the plan.")],
    full: Annotated[bool, typer.Option(help="Print the whole prompt.")] = False,
    preset: PresetName = None,
    m: Stars = None,
    n: Parts = None,
    max_length: Longest = "128k",
    lang: Lang = "",
    task: TaskName = "searching",
    ask: Asks = None,
    players: PlayerCount = None,
    order: NumberOrder = None,
    numbers: Numbers = None,
    snap: SnapName = "sentence",
    unit: UnitName = "tokens",
    repeats: Repeats = 1,
    corpus: CorpusSpec = DEFAULT_CORPUS,
    seed: Seed = 0,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    as_json: AsJson = False,
) -> None:
    """Show a sample: its question, its stars in place, their depths."""
    bench = open_benchmark(star_options_of(locals()))
    building.show(bench, sample_id, full=full, as_json=as_json)


def estimate(
    model: ModelName = "",
    context: Context = None,
    limit: Limit = None,
    epochs: Epochs = 1,
    input_price: InputPrice = None,
    output_price: OutputPrice = None,
    tokens_per_second: TokensPerSecond = None,
    max_connections: MaxConnections = None,
    output_tokens: OutputTokens = None,
    preset: PresetName = None,
    m: Stars = None,
    n: Parts = None,
    max_length: Longest = "128k",
    lang: Lang = "",
    task: TaskName = "searching",
    ask: Asks = None,
    players: PlayerCount = None,
    order: NumberOrder = None,
    numbers: Numbers = None,
    snap: SnapName = "sentence",
    unit: UnitName = "tokens",
    repeats: Repeats = 1,
    corpus: CorpusSpec = DEFAULT_CORPUS,
    seed: Seed = 0,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    as_json: AsJson = False,
) -> None:
    """Say what a run will take before it starts: tokens, money, time, room in the window."""
    given = locals()
    bench = open_benchmark(star_options_of(given))
    estimating.tell(estimable.counting_stars(bench), given, as_json=as_json)
