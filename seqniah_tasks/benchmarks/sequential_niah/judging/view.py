"""A judge on the bench: Tables 4 and 7 with the published figures beside, or groups by language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
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
    deciders,
    table_4,
    table_7,
)
from seqniah_tasks.judging.case_files import verdict_row
from seqniah_tasks.shares import Share

_GROUP_NAMES = {
    "GT": "true answer",
    "missing": "items missing",
    "redundant": "items added",
    "incorrect": "missing and added",
}


def print_paper(console: Console, judge: str, outcomes: Sequence[Outcome]) -> None:
    """Tables 4 and 7."""
    _heading(console, judge, "published judge test", outcomes)
    console.print(_table_4(outcomes))
    console.print()
    console.print(_table_7(outcomes))
    _footer(console, outcomes)


def print_groups(console: Console, judge: str, what: str, outcomes: Sequence[Outcome]) -> None:
    """Accuracy by group and language."""
    _heading(console, judge, what, outcomes)
    console.print(_groups(outcomes))
    _footer(console, outcomes)


def _heading(console: Console, judge: str, what: str, outcomes: Sequence[Outcome]) -> None:
    console.print()
    console.print(Text.assemble((judge, "bold"), f" on the {what}, {len(outcomes):,} cases"))
    found = accuracy(outcomes)
    text = "no case was scored"
    if found.of:
        text = (
            f"{found.value:.2%}  ({found.hits:g} of {found.of:,} right; "
            f"95 % interval {found.low:.2%} to {found.high:.2%})"
        )
    console.print(Text.assemble(("Accuracy  ", "bold"), text))
    console.print()


def _new_table(title: str, left: Sequence[str], right: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.pad_edge = table.show_edge = False
    table.padding = (0, 1, 0, 0)  # Table 7 fits a terminal of 80 columns
    for name in left:
        table.add_column(name, no_wrap=True)
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _percent(part: Share) -> Text:
    """An accuracy; what is not perfect stands out, and nothing is a dash."""
    if not part.of:
        return Text("-", style="dim")
    return Text(f"{part.value:.2%}", style="green" if part.hits == part.of else "yellow")


def _table_4(outcomes: Sequence[Outcome]) -> Table:
    table = _new_table(
        "Accuracy by needle type and answer (Table 4)",
        ("needles", "answer"),
        ("cases", "this judge", *PUBLISHED),
    )
    before = ""
    for line in table_4(outcomes):
        if before and line.needle_type != before:
            table.add_section()
        table.add_row(
            line.needle_type if line.needle_type != before else "",
            _GROUP_NAMES[line.group],
            f"{line.cases:,}",
            _percent(line.accuracy),
            *(Text(f"{one:.2f}%", style="dim") for one in line.published),
        )
        before = line.needle_type
    table.add_section()
    published = (Text(f"{one:.2f}%", style="dim") for one in TABLE_4_ALL)
    table.add_row("all", "", f"{len(outcomes):,}", _percent(accuracy(outcomes)), *published)
    return table


def _table_7(outcomes: Sequence[Outcome]) -> Table:
    table = _new_table(
        "Judged incorrect / correct in each cell (Table 7); an x marks misjudged cases",
        ("answer", "items"),
        ("this judge", *PUBLISHED),
    )
    before: tuple[str, bool] | None = None
    group = ""
    for line in table_7(outcomes):
        kind = line.needle_type, line.order_required
        if kind != before:
            if before is not None:
                table.add_section()
            table.add_row(Text(_kind(line), style="italic"))
            group = ""
        table.add_row(
            f"  {_GROUP_NAMES[line.group]}" if line.group != group else "",
            "shuffled" if line.shuffled else "in order",
            _pair(line, line.incorrect_correct, ""),
            *(_pair(line, one, "dim") for one in line.published),
        )
        before, group = kind, line.group
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
    at = int(not line.correct)
    parts: list[tuple[str, str]] = []
    for number, count in enumerate(pair):
        marked = number == at and wrong
        text = f"x{count}" if marked else str(count)
        parts.append((f"{text:>4}", "bold red" if marked else style))
    return Text.assemble(parts[0], (" /", style), parts[1])


def _groups(outcomes: Sequence[Outcome]) -> Table:
    table = _new_table("Accuracy by group and language", ("group",), ("en", "zh", "both", "cases"))
    before = ""
    for line in by_group(outcomes):
        kind = line.group.partition(": ")[0] if ": " in line.group else ""
        if before and kind != before:
            table.add_section()
        before = kind
        table.add_row(
            line.group,
            *(_percent(one) for one in (line.en, line.zh, line.both)),
            f"{line.both.of:,}",
        )
    table.add_section()
    langs = (
        accuracy(one for one in outcomes if one.labelled.case.lang == lang) for lang in ("en", "zh")
    )
    total = accuracy(outcomes)
    table.add_row("all", *(_percent(one) for one in langs), _percent(total), f"{total.of:,}")
    return table


def _footer(console: Console, outcomes: Sequence[Outcome]) -> None:
    console.print()
    found = deciders(outcomes)
    for line in _lines(found, len(outcomes)):
        console.print(Text(line))
    if found.unscored:
        first = next(one.judged.verdict.reason for one in outcomes if one.said is None)
        console.print(Text(f"Unscored  {found.unscored:,} in no figure above; first: {first}"))


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
            line.group: {name: _figures(getattr(line, name)) for name in ("en", "zh", "both")}
            for line in by_group(outcomes)
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
