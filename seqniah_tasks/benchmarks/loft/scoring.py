"""The command that scores answers to LOFT's queries made anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from seqniah_datasets.errors import SeqniahError, visible
from seqniah_scorers.loft import RANKED, TASKS
from seqniah_tasks.benchmarks import reading
from seqniah_tasks.benchmarks.loft import rows, trec
from seqniah_tasks.benchmarks.loft.judged import PROFILES, Judged, judged, metrics
from seqniah_tasks.benchmarks.loft.rows import Predictions, Query
from seqniah_tasks.commands.scoring import UNSCORED
from seqniah_tasks.commands.types import AsJson, print_json


def loft(
    task: Annotated[str, typer.Option(help=f"{', '.join(TASKS)}.")],
    queries: Annotated[
        Path,
        typer.Option(help="Released rows (.jsonl: qid, query_text, answers), or ICL's array."),
    ],
    predictions: Annotated[
        Path,
        typer.Option(help="JSON lines: qid with num_turns and model_outputs, or with response."),
    ],
    profile: Annotated[
        str, typer.Option(help="strict, or official: as the released evaluator scores.")
    ] = "strict",
    corpus: Annotated[
        Path | None, typer.Option(help="Passages (.jsonl); those with equal texts count as one.")
    ] = None,
    trec_folder: Annotated[
        Path | None, typer.Option("--trec", help="Folder for run.trec and qrels.trec.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score answers to LOFT's queries; exit code 3 where some could not be scored.

    A prediction has lists that were parsed (model_outputs, one a turn), or what the model wrote
    (response, a text or one a turn; null where none came) and, for rankings, id_to_pid: ids in the
    prompt and their passages. A query without a prediction is wrong.
    """
    kind = reading.one("task", task, TASKS)
    by = reading.one("profile", profile, PROFILES)
    for option, given in (("--corpus", corpus), ("--trec", trec_folder)):
        if given is not None and kind not in RANKED:
            raise SeqniahError(f"{option} is for the tasks {' and '.join(RANKED)} alone.")
    asked, said = rows.queries(queries), rows.predictions(predictions)
    merged = None if corpus is None else rows.merged(corpus)
    _tell(said, asked)
    found = [judged(kind, by, one, said.of(one), merged) for one in asked]
    if trec_folder is not None:
        trec.write(trec_folder, found)
    means, unscored = metrics(kind, by, found), [one for one in found if one.unscored]
    unanswered = sum(not one.answered for one in found)
    if as_json:
        print_json(
            {
                "metrics": means,
                "per_turn": [row for one in found for row in _turns(one)],
                "unanswered": unanswered,
                "unscored": len(unscored),
                "unscored_qids": [one.query.qid for one in unscored],
            }
        )
    else:
        for name, mean in means.items():
            typer.echo(f"{name:<16}{mean:7.1%}")
        typer.echo(
            f"{kind}, {by} profile: {len(found):,} queries, {unanswered:,} of them without a "
            f"prediction, which are wrong; {len(unscored):,} unscored"
        )
    if unscored:
        first = unscored[0]
        why = f"the first, {first.query.qid!r}, because {first.unscored}"
        typer.echo(f"seqniah: {len(unscored):,} unscored; {visible(why)}.", err=True)
        raise typer.Exit(UNSCORED)


def _turns(one: Judged) -> list[dict[str, object]]:
    return [
        {"qid": one.query.qid, "turn_id": str(turn), **row} for turn, row in enumerate(one.rows)
    ]


def _tell(said: Predictions, asked: Sequence[Query]) -> None:
    """Say on standard error which predictions count for nothing."""
    others = said.of_none(asked)
    for ids, what in ((said.repeated, "repeated; the last counts"), (others, "of no query")):
        if ids:
            more = f" and {len(ids) - 1:,} more" if len(ids) > 1 else ""
            told = f"predictions {what}: {ids[0]!r}{more}"
            typer.echo(f"seqniah: {visible(told)}.", err=True)
