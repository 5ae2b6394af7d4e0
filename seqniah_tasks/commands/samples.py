"""Commands about samples: build them, count them, look at one, list options, index a corpus."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from seqniah_datasets import export, recipes
from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.corpora import corpus as open_corpus
from seqniah_datasets.corpora.folder import FolderCorpus
from seqniah_datasets.errors import CorpusError, SeqniahError, UnknownName
from seqniah_datasets.schema import LANGS
from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks.protocol import Bench, Facts
from seqniah_tasks.commands.types import (
    TEST,
    AsJson,
    Given,
    TaskName,
    TokenizerName,
    chosen,
    print_json,
    tell,
    values,
)
from seqniah_tasks.exports import Export, public
from seqniah_tasks.terminal import progress_bar

ALL = "all"
"""In the place of a task: all tasks that are parts of one benchmark."""


def build(
    out: Annotated[Path, typer.Option(help="Folder to write; it appears when complete.")],
    task: TaskName = TEST,
    given: Given = None,
    materialize: Annotated[
        str, typer.Option(help="Write the prompts and a data card too: jsonl, parquet or arrow.")
    ] = "",
    replace: Annotated[bool, typer.Option(help="Replace an earlier build in --out.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the recipes of a task's samples, and with --materialize their prompts."""
    if materialize and materialize not in export.FORMATS:
        raise UnknownName("format", materialize, list(export.FORMATS))
    spec, told = benchmarks.task(task).spec, values(given)
    bench = benchmarks.opened(spec.name, chosen(spec, told))
    tokens = 0

    def built() -> Iterator[Facts]:
        nonlocal tokens
        for number, planned in enumerate(bench.plan, 1):
            fields = bench.recipe_fields(planned)
            tokens += fields["tokens"]
            yield fields
            progress("Building recipes", number, len(bench.plan))

    def more(place: Path, recipes: Iterator[Facts]) -> list[str]:
        names = bench.layout(place)
        if materialize:
            names += Export(spec.name, told, bench, materialize).write(place, recipes)
        return names

    with progress_bar(counts="samples") as progress:
        count = recipes.write(out, built(), public(bench.facts()), more, replace=replace)
    if as_json:
        print_json({"out": str(out), "samples": count, "tokens": tokens, **bench.facts()})
    else:
        typer.echo(f"{count:,} samples, {tokens:,} tokens in all: {out}")
    _say(bench)


def stats(
    task: Annotated[
        str, typer.Argument(metavar="[TASK]", help="A task, or all: train, dev and test.")
    ] = TEST,
    given: Given = None,
    as_json: AsJson = False,
) -> None:
    """Compare what a task's plan holds with what the paper published, margin by margin."""
    found = benchmarks.task(TEST if task == ALL else task)
    compare = found.benchmark.stats
    if compare is None:
        raise SeqniahError(f"Nothing was published that the plan of {task} could be set beside.")
    own = found.spec
    alike = [
        one
        for one in found.benchmark.tasks
        if one.options is own.options and one.fixed.keys() == own.fixed.keys()
    ]
    specs = alike[::-1] if task == ALL else [found.spec]
    told = values(given)
    benches = [one.open(chosen(one, told, found.benchmark.lenient)) for one in specs]
    table = compare(benches)
    if as_json:
        print_json(list(table.fields))
    else:
        from seqniah_tasks.views.stats import table_of

        Console().print(table_of(table))
    for bench in benches:
        _say(bench)


def show(
    wanted: Annotated[
        list[str],
        typer.Argument(
            metavar="[TASK] SAMPLE",
            help="A sample's id, which tells its task, or its number in the plan of the task.",
        ),
    ],
    full: Annotated[bool, typer.Option(help="Print the whole prompt.")] = False,
    raw: Annotated[bool, typer.Option(help="Print the prompt's bytes alone.")] = False,
    given: Given = None,
    as_json: AsJson = False,
) -> None:
    """Show a sample: its question, its reference, and where in the prompt it is answered."""
    if len(wanted) > 2:
        raise SeqniahError(f"One sample is shown at a time, not {' and '.join(wanted[1:])}.")
    sample_id = wanted[-1]
    if len(wanted) == 1 and not sample_id.isdecimal() and "-" not in sample_id:
        name = benchmarks.task(sample_id).spec.name
        raise SeqniahError(f"{name} is a task; say which sample of it: seqniah show {name} 0.")
    told = (one.of_id(sample_id) for one in benchmarks.known().values())
    name, implied = next(filter(None, told), (TEST, {}))
    if len(wanted) > 1:
        spec = benchmarks.task(wanted[0]).spec
        name, implied = spec.name, implied if spec.name == name else {}
    bench = _opened(name, values(given), implied)
    planned = bench.find(sample_id)
    if raw:
        prompt = bench.prompt(planned)
        if not prompt.is_text:
            raise SeqniahError("--raw prints prompts of one text, which this sample is not.")
        _write(prompt.text)
        return
    from seqniah_tasks.views import sample as view

    tell(as_json, view.as_json, partial(view.print_sample, full=full), bench, planned)


def _write(text: str) -> None:
    """A text as it is, in UTF-8 whatever the terminal speaks."""
    if binary := getattr(sys.stdout, "buffer", None):
        binary.write(text.encode())
    else:
        sys.stdout.write(text)


def _opened(name: str, given: Facts, implied: Facts) -> Bench[Any]:
    """The benchmark of a task, to be looked at; what an id implies yields to what was given."""
    benchmark, spec = benchmarks.task(name)
    try:
        wanted = chosen(spec, given, {**benchmark.lenient, **implied})
    except SeqniahError:
        wanted = chosen(spec, given, benchmark.lenient)
    return spec.open(wanted)


def _say(bench: Bench[Any]) -> None:
    for line in bench.remarks():
        typer.echo(line, err=True)


def options(
    task: Annotated[
        str | None, typer.Argument(metavar="[TASK]", help="A task; all unless named.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print markdown.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the options of tasks: names, defaults, and what they are."""
    from seqniah_tasks.views import options as view

    found = view.sections([task] if task else [])
    if markdown and not as_json:
        typer.echo(view.as_markdown(found), nl=False)
    else:
        tell(as_json, lambda found: list(map(asdict, found)), view.print_options, found)


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
