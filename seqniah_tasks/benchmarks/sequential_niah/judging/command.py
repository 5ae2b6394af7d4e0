"""Commands that make data for judges and measure a judge on it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.commands.types import (
    AsJson,
    Embeddings,
    Grader,
    JudgeName,
    JudgePrompt,
    MaxConnections,
    Seed,
    print_json,
)
from seqniah_tasks.judging.case_files import write_rows
from seqniah_tasks.judging.opening import open_judge
from seqniah_tasks.terminal import progress_bar

SetName = Annotated[
    str, typer.Option("--set", help="paper: the published cells; harder: layouts and faults.")
]


def data(
    out: Annotated[Path, typer.Option(help="Folder for train.jsonl, test.jsonl, manifest.json.")],
    kind: SetName = "paper",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Write data to train and test a judge: chats with their labels, the same on every machine.

    The published set has 6,000 and 1,960 cases, the harder one 6,000 and 2,400; train cases come
    from questions of the benchmark's train split, test cases from its dev split.
    """
    from seqniah_tasks.benchmarks.sequential_niah.judging import bench

    chosen = bench.check_kind(kind)
    with progress_bar(counts="samples") as progress:
        manifest = bench.write(out, chosen, seed, progress)
    if as_json:
        print_json(manifest)
        return
    for name, entry in manifest["files"].items():
        count = manifest["counts"][name.removesuffix(".jsonl")]["cases"]
        typer.echo(f"{out / name}: {count:,} cases, sha256 {entry['sha256'][:16]}...")


def evaluate(
    judge: JudgeName,
    grader: Grader = "",
    kind: SetName = "paper",
    cases: Annotated[
        Path | None, typer.Option(help="Labelled cases of your own (.jsonl) instead of a set.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many cases.")] = None,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="File of verdicts to write (.jsonl).")] = None,
    prompt: JudgePrompt = None,
    max_connections: MaxConnections = None,
    embeddings: Embeddings = "",
    as_json: AsJson = False,
) -> None:
    """Measure a judge on labelled cases, beside the published judges where there are any.

    The cases are the test part of a set, or those of a file: rows with id, lang, needle_type,
    question, reference, response and label (correct or incorrect), at will with style or group.
    """
    # Other commands do without what makes the cases.
    from seqniah_tasks.benchmarks.sequential_niah.judging import bench, view
    from seqniah_tasks.benchmarks.sequential_niah.judging.tables import Outcome

    chosen = bench.check_kind(kind)
    if out is not None and (out.is_dir() or (cases and out.exists() and out.samefile(cases))):
        raise SeqniahError(f"--out would overwrite {out}; name a new file of JSON lines.")
    opened = open_judge(
        judge,
        grader=grader,
        template=prompt,
        max_connections=max_connections,
        embeddings=embeddings,
    )
    if cases is None:
        labelled = bench.cases("test", chosen, seed, limit)
    else:
        labelled = bench.read_labelled(cases)[:limit]
    with progress_bar(counts="samples") as progress:
        judged = opened.verdicts([one.case for one in labelled], progress)
    outcomes = [Outcome(one, said) for one, said in zip(labelled, judged, strict=True)]
    if out is not None:
        write_rows(out, map(view.verdict_of, outcomes))
    console = Console(highlight=False)
    if as_json:
        print_json(view.as_json(opened.name, str(cases) if cases else kind, outcomes))
    elif cases is not None:
        view.print_groups(console, opened.name, f"cases of {cases.name}", outcomes)
    elif chosen == "harder":
        view.print_groups(console, opened.name, "harder judge test", outcomes)
    else:
        view.print_paper(console, opened.name, outcomes)
