"""A judge on the bench: Tables 4 and 7 with the published figures beside, or groups by language."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seqniah_tasks.benchmarks.sequential_niah.judging.bench import LABELS
from seqniah_tasks.benchmarks.sequential_niah.judging.tables import (
    PUBLISHED,
    TABLE_4_ALL,
    CellLine,
    Deciders,
    Outcome,
    accuracy,
    by_group,
    by_lang,
    deciders,
    table_4,
    table_7,
)
from seqniah_tasks.judging.case_files import verdict_row
from seqniah_tasks.shares import Share
from seqniah_tasks.terminal import new_table

_GROUP_NAMES = {
    "GT": "true answer",
    "missing": "items missing",
    "redundant": "items added",
    "incorrect": "missing and added",
}


def print_paper(console: Console, judge: str, outcomes: Sequence[Outcome]) -> None:
    """Tables 4 and 7."""
    what = "published judge test"
    _print(console, judge, what, outcomes, _table_4(outcomes), "", _table_7(outcomes))


def print_groups(console: Console, judge: str, what: str, outcomes: Sequence[Outcome]) -> None:
    """Accuracy by group and language."""
    _print(console, judge, what, outcomes, _groups(outcomes))


def _print(
    console: Console, judge: str, what: str, outcomes: Sequence[Outcome], *tables: Table | str
) -> None:
    console.print()
    console.print(Text.assemble((judge, "bold"), f" on the {what}, {len(outcomes):,} cases"))
    found = accuracy(outcomes)
    text = (
        f"{found.value:.2%}  ({found.hits:g} of {found.of:,} right; "
        f"95 % interval {found.low:.2%} to {found.high:.2%})"
    )
    console.print(Text.assemble(("Accuracy  ", "bold"), text if found.of else "no case was scored"))
    console.print()
    for table in tables:
        console.print(table)
    console.print()
    decided = deciders(outcomes)
    for line in _lines(decided, len(outcomes)):
        console.print(Text(line))
    if decided.unscored:
        first = next(one.judged.verdict.reason for one in outcomes if one.said is None)
        console.print(Text(f"Unscored  {decided.unscored:,} in no figure above; first: {first}"))


def _percent(part: Share) -> Text:
    """An accuracy; what is not perfect stands out, and nothing is a dash."""
    if not part.of:
        return Text("-", style="dim")
    return Text(f"{part.value:.2%}", style="green" if part.hits == part.of else "yellow")


def _table_4(outcomes: Sequence[Outcome]) -> Table:
    table = new_table(
        "Accuracy by needle type and answer (Table 4)",
        ("needles", "answer"),
        ("cases", "this judge", *PUBLISHED),
        no_wrap=True,
    )
    for needle_type, lines in groupby(table_4(outcomes), lambda line: line.needle_type):
        for place, line in enumerate(lines):
            table.add_row(
                "" if place else needle_type,
                _GROUP_NAMES[line.group],
                f"{line.cases:,}",
                _percent(line.accuracy),
                *(Text(f"{one:.2f}%", style="dim") for one in line.published),
            )
        table.add_section()
    published = (Text(f"{one:.2f}%", style="dim") for one in TABLE_4_ALL)
    table.add_row("all", "", f"{len(outcomes):,}", _percent(accuracy(outcomes)), *published)
    return table


def _table_7(outcomes: Sequence[Outcome]) -> Table:
    table = new_table(
        "Judged incorrect / correct in each cell (Table 7); an x marks misjudged cases",
        ("answer", "items"),
        ("this judge", *PUBLISHED),
        no_wrap=True,
    )
    for kind, lines in groupby(table_7(outcomes), _kind):
        table.add_section()
        table.add_row(Text(kind, style="italic"))
        for line in lines:
            table.add_row(
                "" if line.shuffled else f"  {_GROUP_NAMES[line.group]}",
                "shuffled" if line.shuffled else "in order",
                _pair(line, line.incorrect_correct, ""),
                *(_pair(line, one, "dim") for one in line.published),
            )
    return table


def _kind(line: CellLine) -> str:
    if line.needle_type == "logical":
        return "logical"
    return f"temporal, {'order asked' if line.order_required else 'any order'}"


def _pair(line: CellLine, pair: tuple[int, int], style: str) -> Text:
    """Incorrect / correct; misjudged ones stand out in colour, and by a sign without colour."""
    if not sum(pair):
        return Text("-", style="dim")
    wrong = line.misjudged(pair)
    parts = [(f"{count:>4}", style) for count in pair]
    if wrong:
        parts[not line.correct] = f"{f'x{wrong}':>4}", "bold red"
    return Text.assemble(parts[0], (" /", style), parts[1])


def _groups(outcomes: Sequence[Outcome]) -> Table:
    everything = by_lang(outcomes)
    title, figures = "Accuracy by group and language", (*everything, "cases")
    table = new_table(title, ("group",), figures, no_wrap=True)
    before = ""
    for group, shares in by_group(outcomes).items():
        kind = group.partition(": ")[0] if ": " in group else ""
        if before and kind != before:
            table.add_section()
        before = kind
        table.add_row(group, *map(_percent, shares.values()), f"{shares['both'].of:,}")
    table.add_section()
    table.add_row("all", *map(_percent, everything.values()), f"{everything['both'].of:,}")
    return table


def _lines(found: Deciders, cases: int) -> list[str]:
    lines: list[str] = []
    if found.model.of:
        if found.rules.of:
            lines.append(f"Decided   by the rules {_decided(found.rules, cases)}")
            lines.append(f"          by the model {_decided(found.model, cases)}")
        same = f"{found.agreement.value:.1%}"
        lines.append(f"Agreement {same} of the model's verdicts are those of the rules, too")
    if found.input_tokens or found.output_tokens:
        lines.append(f"Tokens    {found.input_tokens:,} read, {found.output_tokens:,} written")
    return lines


def _decided(part: Share, cases: int) -> str:
    return f"{part.of:,} ({part.of / cases:.1%}), of these {part.value:.2%} right"


def _figures(part: Share) -> list[float | int | None]:
    return [part.value, part.low, part.high, part.of] if part.of else [None, 0.0, 1.0, 0]


def as_json(judge: str, kind: str, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The same for a script; shares are [value, low, high, cases]."""
    found = deciders(outcomes)
    fields: dict[str, Any] = {
        "judge": judge,
        "set": kind,
        "cases": len(outcomes),
        "accuracy": _figures(accuracy(outcomes)),
        "unscored": found.unscored,
        "decided_by_rules": _figures(found.rules),
        "decided_by_model": _figures(found.model),
        "agreement": _figures(found.agreement),
        "input_tokens": found.input_tokens,
        "output_tokens": found.output_tokens,
        "groups": {
            group: {lang: _figures(one) for lang, one in shares.items()}
            for group, shares in by_group(outcomes).items()
        },
    }
    if kind == "paper":
        fields["table_4"] = {
            f"{line.needle_type}, {line.group}": {
                "cases": line.cases,
                "accuracy": _figures(line.accuracy),
                "published": dict(zip(PUBLISHED, line.published, strict=True)),
            }
            for line in table_4(outcomes)
        }
        fields["table_7"] = [_cell(line) for line in table_7(outcomes)]
    return fields


def _cell(line: CellLine) -> dict[str, Any]:
    return {
        "needle_type": line.needle_type,
        "order_required": line.order_required,
        "group": line.group,
        "shuffled": line.shuffled,
        "label": LABELS[line.correct],
        "incorrect_correct": list(line.incorrect_correct),
        "misjudged": line.misjudged(line.incorrect_correct),
        "unscored": line.unscored,
        "published": dict(zip(PUBLISHED, map(list, line.published), strict=True)),
    }


def verdict_of(one: Outcome) -> dict[str, object]:
    """A verdict as a row of a file, beside the label that it should have."""
    labelled = one.labelled
    return {
        **verdict_row(labelled.id, one.judged.verdict),
        "label": LABELS[labelled.correct],
        "lang": labelled.case.lang,
        "needle_type": labelled.case.needle_type,
        "group": labelled.group,
        "shuffled": labelled.shuffled,
        "order_demanded": labelled.order_required,
        "by": one.judged.by,
        "input_tokens": one.judged.input_tokens,
        "output_tokens": one.judged.output_tokens,
    }
