"""The command that judges answers which others have published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.sources import files
from seqniah_tasks.benchmarks.protocol import Answered
from seqniah_tasks.benchmarks.sequential_niah import score as scoring
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.released.bench import Released
from seqniah_tasks.benchmarks.sequential_niah.released.index import Entry
from seqniah_tasks.commands.scoring import check_out, judge_rows
from seqniah_tasks.commands.types import AsJson, JudgeName, Judging, VerdictsFile, spread
from seqniah_tasks.judging.case_files import CaseRow
from seqniah_tasks.terminal import progress_bar


@spread
def score(
    *,
    data: Annotated[
        Path, typer.Option(help="The released samples: a file (.jsonl, .jsonl.gz), or a folder.")
    ],
    responses: Annotated[
        Path, typer.Option(help="Answers to them as JSON lines: md5, and one field more.")
    ],
    out: VerdictsFile,
    judge: JudgeName = "rules",
    judging: Judging,
    as_json: AsJson = False,
) -> None:
    """Judge answers to released samples; exit code 3 where some could not be judged.

    A row has md5, and the answer (null where none came) in a field of any name, e.g. answer.
    """
    check_out(out, [responses, data], "samples")
    bench = Released(read_options(edition="released", data=[str(data)]))
    with progress_bar() as progress:
        bench.prepare(progress)
    known = {one.id: one for one in bench.plan}
    answers = _read(responses)
    rows = [_row(known[md5], answer) for md5, answer in answers.items() if md5 in known]
    if not rows:
        raise SeqniahError(f"No answer of {responses} is to a sample of {data}; check both paths.")
    strange, unasked = len(answers) - len(rows), len(known) - len(rows)
    counts = (("answers without a sample", strange), ("samples without an answer", unasked))
    if told := [f"{what}: {count:,}" for what, count in counts if count]:
        typer.echo(f"seqniah: left out, {'; '.join(told)}.", err=True)
    judge_rows(rows, out, judging.open(judge), as_json=as_json)


def _read(path: Path) -> dict[str, str | None]:
    """The answers by md5. Raises `SeqniahError` that names the line."""
    found: dict[str, str | None] = {}
    for where, fields in files.json_lines(path):
        md5 = fields.pop("md5", None)
        if not isinstance(md5, str) or len(fields) != 1:
            raise SeqniahError(f"{where}: an answer is md5 and one field more; drop the others.")
        if md5 in found:
            raise SeqniahError(f"{where}: {md5[:60]!r} was answered before; drop one of the two.")
        found[md5] = _text(where, *fields.values())
    return found


def _text(where: str, answer: Any) -> str | None:
    if not isinstance(answer, str | None):
        raise SeqniahError(f"{where}: an answer is a text, or null where none came.")
    return answer


def _row(one: Entry, answer: str | None) -> CaseRow:
    facts = {
        "lang": one.lang,
        "pipeline": one.pipeline,
        "order_required": one.order_required,
    }
    answered = Answered(one.question, one.reference, facts, answer or "")
    return CaseRow(one.id, scoring.case(answered), answer is not None, {})
