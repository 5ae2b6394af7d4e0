"""The command that judges responses made anywhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers.verdict import Verdict
from seqniah_tasks.commands.types import (
    AsJson,
    Embeddings,
    Grader,
    JudgePrompt,
    MaxConnections,
    print_json,
)
from seqniah_tasks.judging import case_files
from seqniah_tasks.judging.judges import Judged
from seqniah_tasks.judging.opening import open_judge
from seqniah_tasks.terminal import progress_bar

UNSCORED = 3
"""Exit code where some cases could not be judged; all verdicts are written nevertheless."""


def cases(
    source: Annotated[
        Path,
        typer.Option("--in", help="Cases as JSON lines: id, lang, needle_type, question, ..."),
    ],
    out: Annotated[Path, typer.Option(help="File of verdicts to write, one a line (.jsonl).")],
    judge: Annotated[
        str, typer.Option(help="rules, cascade, or a model as inspect names it.")
    ] = "rules",
    grader: Grader = "",
    prompt: JudgePrompt = None,
    max_connections: MaxConnections = None,
    embeddings: Embeddings = "",
    as_json: AsJson = False,
) -> None:
    """Judge responses that were made anywhere; exit code 3 where some could not be judged.

    A row has id, lang (en or zh), needle_type (temporal or logical), question, reference (an
    intro line, then one item a line in true order), response (null where none came), and may
    have order_required (true or false; worked out from the question when absent).
    """
    if out.exists() and source.exists() and out.samefile(source):
        raise SeqniahError(f"--out would overwrite the cases in {source}; name another file.")
    if out.is_dir():
        raise SeqniahError(f"{out} is a folder; --out is a file of JSON lines.")
    rows = case_files.read_cases(source)
    opened = open_judge(
        judge,
        grader=grader,
        template=prompt,
        max_connections=max_connections,
        embeddings=embeddings,
    )
    answered = [row.case for row in rows if row.answered]
    with progress_bar(counts="samples") as progress:
        judged = opened.verdicts(answered, progress)
    spoken = iter(judged)
    verdicts = [
        next(spoken).verdict if row.answered else case_files.unanswered(row.case) for row in rows
    ]
    found = [case_files.verdict_row(r.id, v) for r, v in zip(rows, verdicts, strict=True)]
    case_files.write_rows(out, found)
    counts = Counter(verdict.correct for verdict in verdicts)
    if as_json:
        print_json({**_figures(opened.name, verdicts, judged), "out": str(out)})
    else:
        typer.echo(
            f"{len(verdicts):,} cases judged by {opened.name}: {counts[True]:,} correct, "
            f"{counts[False]:,} incorrect, {counts[None]:,} unscored. Verdicts: {out}"
        )
    if counts[None]:
        first = next(v.reason for v in verdicts if v.correct is None)
        typer.echo(f"seqniah: {counts[None]:,} unscored, the first because: {first}", err=True)
        raise typer.Exit(UNSCORED)


def _figures(name: str, verdicts: list[Verdict], judged: list[Judged]) -> dict[str, object]:
    counts = Counter(verdict.correct for verdict in verdicts)
    modes = Counter(str(mode) for verdict in verdicts for mode in verdict.failure_modes)
    return {
        "judge": name,
        "cases": len(verdicts),
        "correct": counts[True],
        "incorrect": counts[False],
        "unscored": counts[None],
        "failure_modes": dict(sorted(modes.items())),
        "by_model": sum(one.by == "model" for one in judged),
        "input_tokens": sum(one.input_tokens for one in judged),
        "output_tokens": sum(one.output_tokens for one in judged),
    }
