"""Commands about samples: build them, count them, look at one, index a corpus."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console

from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.corpora import corpus as open_corpus
from seqniah_datasets.corpora.folder import FolderCorpus
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.schema import LANGS, SPLITS
from seqniah_datasets.splits import LONGER_BINS
from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks import views
from seqniah_tasks.benchmarks.options import options_of, read_options
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah
from seqniah_tasks.commands import building
from seqniah_tasks.commands.building import Materialize, Out, Replace
from seqniah_tasks.commands.types import (
    AsJson,
    CorpusSpec,
    EditionName,
    GraphPaths,
    Lang,
    Length,
    Needles,
    OnShortfall,
    OrderName,
    PerStratum,
    Pipelines,
    QAPaths,
    Seed,
    Split,
    TokenizerName,
    print_json,
)
from seqniah_tasks.terminal import open_benchmark, progress_bar


def build(
    out: Out,
    materialize: Materialize = "",
    split: Split = "test",
    lang: Lang = "",
    pipeline: Pipelines = "",
    length: Length = "",
    needles: Needles = "",
    corpus: CorpusSpec = None,
    seed: Seed = 0,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    order: OrderName = "shuffled",
    limit_per_stratum: PerStratum = None,
    edition: EditionName = "open",
    tkg: GraphPaths = "",
    qa: QAPaths = "",
    shortfall: OnShortfall = "refuse",
    replace: Replace = False,
    as_json: AsJson = False,
) -> None:
    """Write the recipes of a split, and with --materialize its prompts."""
    building.check_format(materialize)
    bench = open_benchmark(options_of(locals()))
    building.write(bench, out, materialize, replace=replace, as_json=as_json)
    for line in views.shortfall_lines(bench):
        typer.echo(line, err=True)


def stats(
    split: Annotated[str, typer.Option(help="test, dev, train, or all.")] = "test",
    lang: Lang = "",
    pipeline: Pipelines = "",
    length: Length = "",
    needles: Needles = "",
    corpus: CorpusSpec = None,
    seed: Seed = 0,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    order: OrderName = "shuffled",
    limit_per_stratum: PerStratum = None,
    edition: EditionName = "open",
    tkg: GraphPaths = "",
    qa: QAPaths = "",
    shortfall: OnShortfall = "smaller",
    as_json: AsJson = False,
) -> None:
    """Compare what a split holds with what the paper published, margin by margin."""
    given = locals()
    benches = [
        SequentialNiah(options_of(given, one)) for one in (SPLITS if split == "all" else [split])
    ]
    margins = views.margins(benches)
    if as_json:
        print_json([asdict(margin) for margin in margins])
    else:
        Console().print(views.margins_table(margins, split))
    for bench in benches:
        for line in views.shortfall_lines(bench):
            typer.echo(line, err=True)


def show(
    sample_id: Annotated[str, typer.Argument(help="A sample's id, or its number in the split.")],
    full: Annotated[bool, typer.Option(help="Print the whole prompt.")] = False,
    split: Split = "test",
    corpus: CorpusSpec = None,
    seed: Seed = 0,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    order: OrderName = "shuffled",
    edition: EditionName = "open",
    tkg: GraphPaths = "",
    qa: QAPaths = "",
    as_json: AsJson = False,
) -> None:
    """Show a sample: its question, its needles in place, their depths."""
    first = sample_id.partition("-")[0]
    split = first if first in ("test", "dev", "train") else split
    # A longer bin is part of a plan only where it is asked for, and the id names it.
    longer = [one.name for one in LONGER_BINS if f"-{one.name}-" in sample_id]
    bench = SequentialNiah(
        read_options(
            split,
            length=longer,
            corpus=corpus,
            seed=seed,
            tokenizer=tokenizer,
            order=order,
            edition=edition,
            tkg=tkg,
            qa=qa,
            shortfall="smaller",
        )
    )
    building.show(bench, sample_id, full=full, as_json=as_json)


def index(
    corpus: Annotated[
        str, typer.Argument(help="procedural, hub:OWNER/NAME[@REVISION], or a folder.")
    ] = DEFAULT_CORPUS,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    as_json: AsJson = False,
) -> None:
    """Index a corpus now rather than at its first use; safe to break off and to repeat."""
    opened = open_corpus(corpus, tokenizer)
    with progress_bar() as progress:
        opened.prepare(progress)
    facts: dict[str, object] = {
        "corpus": opened.spec,
        "digest": opened.digest,
        "folder": str(opened.folder),
    }
    if isinstance(opened, FolderCorpus):
        counts = opened.counts()
        if not any(counts[lang] for lang in LANGS):
            raise CorpusError(f"No document of the corpus {corpus} is in English or Chinese.")
        facts["documents"] = dict(counts)
    if as_json:
        print_json(facts)
        return
    for name, fact in facts.items():
        typer.echo(f"{name}: {fact}")
