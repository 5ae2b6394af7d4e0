"""Commands that judge responses: those of files made anywhere, and samples files of lm-eval."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from seqniah_datasets.errors import SeqniahError, visible
from seqniah_scorers.verdict import Verdict
from seqniah_tasks.benchmarks.options import SCORERS
from seqniah_tasks.benchmarks.protocol import Facts
from seqniah_tasks.commands.types import (
    AsJson,
    JudgeName,
    Judging,
    VerdictsFile,
    print_json,
    spread,
)
from seqniah_tasks.judging import case_files
from seqniah_tasks.judging.case_files import CaseRow
from seqniah_tasks.judging.judges import Judge, Judged
from seqniah_tasks.terminal import progress_bar
from seqniah_tasks.views import summary

if TYPE_CHECKING:
    from seqniah_tasks.adapters.lm_eval.samples import SamplesFile
    from seqniah_tasks.adapters.lm_eval.verdicts import Verdicts

UNSCORED = 3
"""Exit code where some cases could not be judged; all verdicts are written nevertheless."""

_NAMED = 3
"""Files that a message names."""


@spread
def cases(
    *,
    source: Annotated[
        Path,
        typer.Option("--in", help="Cases as JSON lines: id, lang, needle_type, question, ..."),
    ],
    out: VerdictsFile,
    judge: JudgeName = "rules",
    judging: Judging,
    as_json: AsJson = False,
) -> None:
    """Judge responses that were made anywhere; exit code 3 where some could not be judged.

    A row has id, lang (en or zh), needle_type (temporal or logical), question, reference (an
    intro line, then one item a line in true order), response (null where none came), and may
    have order_required (true or false; worked out from the question when absent).
    """
    check_out(out, [source], "cases")
    rows = case_files.read_cases(source)
    others: set[str] = set()
    for row in rows:
        where = f"{source}, case {row.id!r}"
        others |= case_files.unread(where, row.fields, case_files.CASE_FIELDS)
    case_files.tell_unread(source, others)
    judge_rows(rows, out, judging.open(judge), as_json=as_json)


def judge_rows(rows: Sequence[CaseRow], out: Path, opened: Judge, *, as_json: bool) -> None:
    """Judge cases, write their verdicts and print the figures; exits where some are unscored."""
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
    _end([verdict.reason for verdict in verdicts if verdict.correct is None])


def _figures(name: str, verdicts: Sequence[Verdict], judged: Sequence[Judged]) -> Facts:
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


@spread
def lm_eval(
    *,
    samples: Annotated[
        list[Path],
        typer.Argument(help="Samples files of lm-eval, or folders: the last run of each task."),
    ],
    out: Annotated[
        Path | None, typer.Option(help="File of verdicts to write, one a line (.jsonl).")
    ] = None,
    judge: Annotated[
        str,
        typer.Option(
            help="auto (as in a run of lm-eval: judge where SEQNIAH_JUDGE_MODEL names a model, "
            "else rules), rules, cascade, judge, or a model as inspect names it."
        ),
    ] = "auto",
    judging: Judging,
    as_json: AsJson = False,
) -> None:
    """Judge the answers of a run of lm-eval; exit code 3 where some could not be judged.

    The run had --log_samples, with or without --predict_only, or its judging failed. Prints what
    `seqniah summary` prints for a log of inspect. Answers that need no judge are scored.
    """
    # With lm-eval's libraries, which other commands do without.
    from seqniah_tasks.adapters.lm_eval import samples as samples_files
    from seqniah_tasks.adapters.lm_eval import verdicts

    files, older = samples_files.find(samples)
    if out is not None:
        check_out(out, [file.path for file in files], "samples")
    runs = verdicts.answers(files)
    lists = [run for run in runs if run.are_lists]
    opened = _opened(judge, judging) if lists else None
    if opened:
        _tell_of_other_judge([file for run in lists for file in run.files], opened.name)
    tell_of_older(older)
    with progress_bar(counts="samples") as progress:
        found = [verdicts.judged(run, opened, progress) for run in runs]
    if out is not None:
        case_files.write_rows(out, (row for one in found for row in one.rows))
    if as_json:
        print_json({"runs": list(map(_as_json, found)), "out": str(out) if out else None})
    else:
        _print(found, out)
    _end([reason for one in found for reason in one.unscored])


def check_out(out: Path, sources: Sequence[Path], what: str) -> None:
    """Raise `SeqniahError` for a folder, and for a file that is read too."""
    if out.is_dir():
        raise SeqniahError(f"{out} is a folder; --out is a file of JSON lines.")
    if out.exists() and any(one.exists() and out.samefile(one) for one in sources):
        raise SeqniahError(f"--out would overwrite the {what} in {out}; name another file.")


def _end(unscored: Sequence[str]) -> None:
    """Tell why answers stayed without a verdict, and exit, if there are any."""
    if unscored:
        why = f"{len(unscored):,} unscored, the first because: {unscored[0]}"
        typer.echo(f"seqniah: {visible(why)}", err=True)
        raise typer.Exit(UNSCORED)


def _opened(judge: str, told: Judging) -> Judge:
    """The judge; unless a model is named here, as a run of lm-eval finds it."""
    from seqniah_tasks.adapters.lm_eval.judge import MODEL, URL, check_reachable, read_judging

    if judge not in SCORERS or told.grader:
        return told.open("cascade" if judge == "auto" else judge)
    if judge in ("judge", "cascade") and not os.environ.get(MODEL, "").strip():
        named = "--grader MODEL" if judge == "cascade" else "--judge MODEL"
        raise SeqniahError(
            f"--judge {judge} asks a model, which must be named: pass {named}, as inspect names "
            f"it, or set {MODEL} and {URL}."
        )
    given = {
        "scorer": judge,
        "embeddings": told.embeddings,
        "judge_prompt": told.prompt,
        "judge_connections": told.max_connections,
    }
    judging = read_judging(given, {} if judge == "rules" else os.environ)
    check_reachable(judging, "or take --judge rules")
    return judging.open()


def _tell_of_other_judge(files: Sequence[SamplesFile], name: str) -> None:
    """A run's own verdicts may be another judge's; figures of the two do not compare."""
    named = {str(file.facts["scorer"]) for file in files if file.facts.get("scorer")}
    others = sorted(named - {name, "none"})
    if others:
        typer.echo(
            f"seqniah: the run was judged by {', '.join(others)}, these verdicts are of {name}; "
            "for the same judge, set SEQNIAH_JUDGE_MODEL and SEQNIAH_JUDGE_BASE_URL as in the "
            "run, and pass --judge judge or --judge cascade.",
            err=True,
        )


def tell_of_older(older: Sequence[Path]) -> None:
    """Say on standard error which files of a folder were left out for newer ones."""
    if older:
        names = visible(", ".join(map(str, older[:_NAMED])))
        more = f" and {len(older) - _NAMED} more" if len(older) > _NAMED else ""
        typer.echo(
            f"seqniah: {len(older)} left out, run again later or without a sample yet: "
            f"{names}{more}",
            err=True,
        )


def _as_json(one: Verdicts) -> dict[str, object]:
    return {
        **summary.figures_as_json(one.record),
        "by_model": one.by_model,
        "input_tokens": one.input_tokens,
        "output_tokens": one.output_tokens,
        "files": [str(file.path) for file in one.given.files],
    }


def _print(found: Sequence[Verdicts], out: Path | None) -> None:
    console = Console(highlight=False)
    for one in found:
        summary.print_figures(console, one.record)
        folder = one.given.files[0].path.parent
        console.print(Text(f"\nSamples   {folder}"), soft_wrap=True)
    if out is not None:
        console.print(Text(f"Verdicts  {out}"), soft_wrap=True)
