"""The judge's data and bench: the labelled cases, and the files that they go into and come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from seqniah_datasets import rng, store
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import QAItem
from seqniah_scorers import model_judge
from seqniah_scorers.labelled import GROUPS, Labelled
from seqniah_scorers.making import harder, training
from seqniah_scorers.making.telling import Retold
from seqniah_scorers.making.training import PARTS, Part
from seqniah_scorers.order_demand import demands_order
from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.benchmarks import reading
from seqniah_tasks.benchmarks.protocol import JudgeBench
from seqniah_tasks.benchmarks.sequential_niah.bench import NAME, TITLE
from seqniah_tasks.benchmarks.sequential_niah.judging.questions import (
    VERSION,
    Questions,
    questions,
    retold,
)
from seqniah_tasks.judging.case_files import CaseRow, read_cases, write_rows

Kind = Literal["paper", "harder"]
KINDS: tuple[Kind, ...] = ("paper", "harder")

LABELS = {True: "correct", False: "incorrect"}
"""How rows write the right verdict, in both languages."""


def check_kind(name: str) -> Kind:
    """The set of a name. Raises `UnknownName` for one that there is not."""
    return reading.one("set of judge data", name, KINDS)


def size(part: Part, kind: Kind) -> int:
    """How many cases a part has."""
    return sum(training.SIZES[part].values()) if kind == "paper" else harder.SIZES[part]


def cases(
    part: Part, kind: Kind = "paper", seed: int = 0, limit: int | None = None
) -> list[Labelled]:
    """The labelled cases of a part; the first `limit` of them are a fair miniature."""
    return list(made(part, kind, seed, limit))


def made(
    part: Part, kind: Kind = "paper", seed: int = 0, limit: int | None = None
) -> Iterator[Labelled]:
    """The same one by one."""
    return (_paper if kind == "paper" else _harder)(part, seed, limit)


def _paper(part: Part, seed: int, limit: int | None) -> Iterator[Labelled]:
    """The published set: the cells of Table 7."""
    order = rng.stream("judge", VERSION, "order", part, seed)
    for number, place in enumerate(order.shuffled(training.places(part))[:limit]):
        pool = questions(place.lang, place.pipeline, part, seed)
        qa = pool.take(place.cell.order_required, place.number)
        draws = rng.stream("judge", VERSION, "case", part, number, seed)
        lenders = pool.lenders(draws) if place.cell.group in ("redundant", "incorrect") else []
        yield training.make(place, qa, lenders, f"judge-{part}-{number:04d}", draws)


def _harder(part: Part, seed: int, limit: int | None) -> Iterator[Labelled]:
    """The harder set: other layouts, and one subtle fault a wrong answer."""
    order = rng.stream("judge", VERSION, "harder order", part, seed)
    for number, place in enumerate(order.shuffled(harder.places(part))[:limit]):
        pool = questions(place.lang, place.pipeline, part, seed)
        draws = rng.stream("judge", VERSION, "harder case", part, number, seed)
        lend = partial(_lend, pool, draws)
        yield harder.make(place, lend, f"harder-{part}-{number:04d}", draws)


def _lend(pool: Questions, draws: rng.Stream) -> tuple[QAItem, tuple[Retold, ...], list[QAItem]]:
    qa = pool.any(draws)
    return qa, retold(qa), pool.lenders(draws)


def row(one: Labelled) -> dict[str, Any]:
    """A case as trainers read it: the conversation, and what it was made from."""
    case = one.case
    owed = model_judge.label_text(
        case.lang, case.needle_type, one.correct, one.reason, one.order_reason
    )
    return {
        "messages": [
            {"role": "user", "content": model_judge.ask(case)},
            {"role": "assistant", "content": owed},
        ],
        "id": one.id,
        "lang": case.lang,
        "needle_type": case.needle_type,
        "group": one.group,
        "shuffled": one.shuffled,
        "order_required": one.order_required,
        "label": LABELS[one.correct],
        "question": case.question,
        "reference": case.reference,
        "response": case.response,
    }


def write(
    folder: Path, kind: Kind = "paper", seed: int = 0, progress: Progress | None = None
) -> dict[str, Any]:
    """Write train.jsonl, test.jsonl and a manifest, each whole or not at all.

    Returns the manifest's fields. The manifest comes last: without one, a set is not complete.
    """
    if folder.exists() and not folder.is_dir():
        raise SeqniahError(f"{folder} is a file; --out is a folder for the judge's data.")
    manifest = folder / store.MANIFEST
    manifest.unlink(missing_ok=True)
    counts: dict[str, Any] = {}
    for part in PARTS:
        tally: Counter[str] = Counter()
        written = write_rows(folder / f"{part}.jsonl", _rows(part, kind, seed, tally, progress))
        counts[part] = {"cases": written, **dict(sorted(tally.items()))}
    fields: dict[str, Any] = {
        "benchmark": f"{NAME} judge data",
        "version": VERSION,
        "prompt_version": model_judge.PROMPT_VERSION,
        "set": kind,
        "seed": seed,
        "counts": counts,
    }
    store.write_manifest(manifest, fields, [f"{part}.jsonl" for part in PARTS])
    return store.read_manifest(manifest)


def _rows(
    part: Part, kind: Kind, seed: int, tally: Counter[str], progress: Progress | None
) -> Iterator[dict[str, Any]]:
    total = size(part, kind)
    for number, one in enumerate(made(part, kind, seed), 1):
        tally[one.case.lang] += 1
        tally[LABELS[one.correct]] += 1
        tally[cell(one) if kind == "paper" else one.group] += 1
        if progress and (number % 100 == 0 or number == total):
            progress(f"Making {part}.jsonl", number, total)
        yield row(one)


def cell(one: Labelled) -> str:
    """The cell of Table 7 that a case is in, in words."""
    demanded = f", {'' if one.order_required else 'no '}order demanded"
    kind = "logical" if one.case.needle_type == "logical" else f"temporal{demanded}"
    return f"{kind}, {one.group}, {'shuffled' if one.shuffled else 'in order'}"


def read_labelled(path: Path) -> list[Labelled]:
    """Cases of a file whose rows have a `label`, correct or incorrect.

    They are grouped by `style`, else by `group` where it is one of those made here, else by what
    is wrong with them. Raises `SeqniahError` that names file and row.
    """
    return [_labelled(path, one) for one in read_cases(path)]


def _labelled(path: Path, one: CaseRow) -> Labelled:
    fields = one.fields
    label = fields.get("label")
    if label not in LABELS.values():
        raise SeqniahError(
            f"{path}, case {one.id}: label is correct or incorrect, not {label!r}; without labels "
            "a judge can judge (seqniah score cases) but not be measured."
        )
    required = fields.get("order_required", fields.get("requires_order"))
    if not isinstance(required, bool):
        required = demands_order(one.case.question, one.case.needle_type)
    told = fields.get("failure_modes")
    modes = tuple(mode for mode in FailureMode if isinstance(told, list) and mode in told)
    return Labelled(
        id=one.id,
        # A judge has to find out by itself whether order counts.
        case=replace(one.case, order_required=None),
        correct=label == LABELS[True],
        failure_modes=modes,
        order_required=required,
        group=_group(fields, modes, str(label)),
        shuffled=fields.get("shuffled") is True or FailureMode.WRONG_ORDER in modes,
        reason=str(fields.get("note", "")),
    )


def _group(fields: dict[str, Any], modes: Iterable[FailureMode], label: str) -> str:
    if isinstance(fields.get("style"), str):
        return f"style: {fields['style']}"
    group = fields.get("group")
    if isinstance(group, str) and (group in GROUPS or group.startswith(("layout: ", "fault: "))):
        return group
    return " + ".join(str(mode) for mode in modes) or label


def _cases(part: str, kind: str, seed: int) -> list[Labelled]:
    chosen = check_kind(kind)
    return cases(reading.one("part of the judge data", part, PARTS), chosen, seed)


JUDGE_BENCH = JudgeBench(
    name=f"{NAME}-judge",
    title=f"{TITLE} judge bench",
    version=VERSION,
    cases=_cases,
    labels=LABELS,
)
