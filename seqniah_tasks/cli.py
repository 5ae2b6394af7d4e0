"""The `seqniah` command."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from seqniah_datasets import export, haystack, recipes
from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.corpora import corpus as open_corpus
from seqniah_datasets.corpora.folder import FolderCorpus
from seqniah_datasets.errors import CorpusError, SeqniahError, UnknownName
from seqniah_datasets.schema import LANGS, Recipe
from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks import views
from seqniah_tasks.benchmarks import sequential_niah as benchmark
from seqniah_tasks.benchmarks.options import read_options
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah
from seqniah_tasks.terminal import open_benchmark, progress_bar

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Build, look at and check the samples of Sequential-NIAH; run them with inspect.",
)

Split = Annotated[str, typer.Option(help="test, dev or train.")]
Lang = Annotated[str, typer.Option(help="en, zh, or both: en,zh.")]
Pipelines = Annotated[str, typer.Option(help="Pipelines, as a comma list.")]
Length = Annotated[str, typer.Option(help="Length bins, e.g. 8k-16k,16k-32k.")]
Needles = Annotated[str, typer.Option(help="A number from 3 to 15, or a range: 3-5, 6-10, 11-15.")]
CorpusSpec = Annotated[str, typer.Option("--corpus", help="procedural, or a folder of texts.")]
Seed = Annotated[int, typer.Option(help="Of everything drawn.")]
TokenizerName = Annotated[
    str, typer.Option(help="cl100k_base, o200k_base, qwen, or the path of a tokenizer file.")
]
OrderName = Annotated[str, typer.Option(help="shuffled, or sorted: needles in true order.")]
PerStratum = Annotated[
    int | None, typer.Option(help="At most so many samples of each language, pipeline and length.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]


def _print_json(fields: object) -> None:
    typer.echo(json.dumps(fields, ensure_ascii=False, indent=1))


@app.command()
def build(
    out: Annotated[Path, typer.Option(help="Folder to write; it appears when complete.")],
    materialize: Annotated[
        str, typer.Option(help="Write the prompts too: jsonl, parquet or arrow.")
    ] = "",
    split: Split = "test",
    lang: Lang = "",
    pipeline: Pipelines = "",
    length: Length = "",
    needles: Needles = "",
    corpus: CorpusSpec = DEFAULT_CORPUS,
    seed: Seed = 0,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    order: OrderName = "shuffled",
    limit_per_stratum: PerStratum = None,
    replace: Annotated[bool, typer.Option(help="Replace an earlier build in --out.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the recipes of a split, and with --materialize its prompts."""
    if materialize and materialize not in export.FORMATS:
        raise UnknownName("format", materialize, list(export.FORMATS))
    options = read_options(
        split, lang, pipeline, length, needles, corpus, seed, tokenizer, order, limit_per_stratum
    )
    bench, tokens = open_benchmark(options), 0

    def built() -> Iterator[Recipe]:
        nonlocal tokens
        for number, planned in enumerate(bench.plan, 1):
            recipe = bench.recipe(planned)
            tokens += recipe.tokens
            yield recipe
            progress("Building recipes", number, len(bench.plan))

    def materialized(place: Path, made: Iterator[Recipe]) -> str:
        name = f"samples.{materialize}"
        samples = (haystack.render(recipe, bench.corpus) for recipe in made)
        export.write(place / name, materialize, samples)
        return name

    with progress_bar(counts="samples") as progress:
        more = materialized if materialize else None
        count = recipes.write(out, built(), bench.facts(), more, replace=replace)
    if as_json:
        _print_json({"out": str(out), "samples": count, "tokens": tokens, **bench.facts()})
    else:
        typer.echo(f"{count:,} samples, {tokens:,} tokens in all: {out}")


@app.command()
def stats(
    split: Split = "test",
    lang: Lang = "",
    pipeline: Pipelines = "",
    length: Length = "",
    needles: Needles = "",
    corpus: CorpusSpec = DEFAULT_CORPUS,
    seed: Seed = 0,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    order: OrderName = "shuffled",
    limit_per_stratum: PerStratum = None,
    as_json: AsJson = False,
) -> None:
    """Compare what a split holds with what the paper published, margin by margin."""
    options = read_options(
        split, lang, pipeline, length, needles, corpus, seed, tokenizer, order, limit_per_stratum
    )
    margins = views.margins(SequentialNiah(options))
    if as_json:
        _print_json([asdict(margin) for margin in margins])
    else:
        Console().print(views.margins_table(margins, options.split))


@app.command()
def show(
    sample_id: Annotated[str, typer.Argument(help="A sample's id, or its number in the split.")],
    full: Annotated[bool, typer.Option(help="Print the whole prompt.")] = False,
    split: Split = "test",
    corpus: CorpusSpec = DEFAULT_CORPUS,
    seed: Seed = 0,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    order: OrderName = "shuffled",
    as_json: AsJson = False,
) -> None:
    """Show a sample: its question, its needles in place, their depths."""
    first = sample_id.partition("-")[0]
    split = first if first in ("test", "dev", "train") else split
    bench = SequentialNiah(
        read_options(split, corpus=corpus, seed=seed, tokenizer=tokenizer, order=order)
    )
    recipe = bench.recipe(bench.find(sample_id))
    sample = haystack.render(recipe, bench.corpus)
    if as_json:
        _print_json({**export.row(sample), "recipe": recipes.as_json(recipe)})
    else:
        views.print_sample(Console(highlight=False), sample, full=full)


@app.command()
def index(
    corpus: Annotated[str, typer.Argument(help="procedural, or a folder.")] = DEFAULT_CORPUS,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    as_json: AsJson = False,
) -> None:
    """Index a corpus now rather than at its first use; safe to break off and to repeat."""
    opened = open_corpus(corpus, tokenizer)
    with progress_bar() as progress:
        opened.prepare(progress)
    facts: dict[str, object] = {
        "corpus": corpus,
        "digest": opened.digest,
        "folder": str(opened.folder),
    }
    if isinstance(opened, FolderCorpus):
        counts = opened.counts()
        if not any(counts[lang] for lang in LANGS):
            raise CorpusError(f"No document of the corpus {corpus} is in English or Chinese.")
        facts["documents"] = dict(counts)
    if as_json:
        _print_json(facts)
        return
    for name, fact in facts.items():
        typer.echo(f"{name}: {fact}")


@app.command()
def summary(
    log: Annotated[
        Path | None, typer.Argument(help="A log of inspect; default: the newest.")
    ] = None,
    log_dir: Annotated[Path, typer.Option(help="Where the newest log is looked for.")] = Path(
        os.environ.get("INSPECT_LOG_DIR", "logs")
    ),
    as_json: AsJson = False,
) -> None:
    """Print a log's accuracy by stratum, with intervals, and how to open it."""
    from seqniah_tasks.adapters import inspect_logs

    path = log or inspect_logs.newest(log_dir)
    run = inspect_logs.read(path)
    if as_json:
        _print_json(views.summary_as_json(run, path))
    else:
        views.print_summary(Console(highlight=False), run, path)


@app.command()
def version() -> None:
    """Print the versions that name a result: package, benchmark, edition."""
    from importlib.metadata import version as installed

    typer.echo(f"seqniah {installed('seqniah')}")
    typer.echo(f"Sequential-NIAH version {benchmark.VERSION}, {benchmark.EDITION} edition")


def main() -> None:
    """Run the command; a user's mistake is one sentence, and SEQNIAH_DEBUG=1 shows all of it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show 中 still gets \u4e2d
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except SeqniahError as error:
        if os.environ.get("SEQNIAH_DEBUG"):
            raise
        typer.echo(f"seqniah: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
