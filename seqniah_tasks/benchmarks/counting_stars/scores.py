"""Scores of Counting-Stars answers: means, what went wrong, and stars by length of the prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seqniah_datasets.schema import StarAsk, StarTask
from seqniah_scorers.counting import CountingFailure, Stars
from seqniah_scorers.stars import StarVerdict
from seqniah_tasks.benchmarks.counting_stars.bench import NAME
from seqniah_tasks.benchmarks.counting_stars.record import JUDGE, told
from seqniah_tasks.benchmarks.reading import length_name
from seqniah_tasks.terminal import new_table

MOST_LINES, MOST_COLUMNS, MOST_MODELS = 16, 8, 20
"""Of a table on the terminal: groups of stars, groups of lengths, models."""
_NAMES = {"overflow": "ellipsis", "max_width": 30}
"""How the first column of a table shows names."""
MOST_NUMBERS = 10_000
"""Numbers of one answer that a row of scores repeats."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One answer with its score."""

    id: str
    """No other answer of the same model in the file has it; empty until it has one."""
    line: int
    """Where it stands in its file, counted from 1."""
    sky: str
    """Names what was asked: the stars' numbers, mistaken ones, and the length."""
    model: str
    """Empty where the file names none."""
    length: int | None
    """Of the prompt, in whatever unit the file has."""
    needles: int
    """How many stars are asked for."""
    task: StarTask
    """Reasoning where the file gives the stars' wrong numbers, else searching."""
    verdict: StarVerdict | None = None
    """As the task gives it. None: unscored, for there is no response."""
    stars: Stars | None = None
    """The published score star by star, which is the same in both tasks; None where unscored."""

    @property
    def reasoning(self) -> float | None:
        """The score of the reasoning task, 0 to 1; None elsewhere, and where unscored."""
        return self.verdict.score if self.verdict and self.task is StarTask.REASONING else None


def means(rows: Sequence[Scored]) -> dict[str, float | None]:
    """Means of scored answers, 0 to 1, which weigh alike whatever their stars; None of none."""
    scored = [row.stars for row in rows if row.stars]
    values = {
        "membership": [one.membership_mean for one in scored],
        "position": [one.position_mean for one in scored],
        "reasoning": [row.reasoning for row in rows if row.reasoning is not None],
    }
    return {name: _mean(listed) if listed else None for name, listed in values.items()}


def by_star(rows: Iterable[Scored]) -> list[tuple[float, float]]:
    """For each star its mean membership and position, over the answers that have such a star."""
    scored = [row.stars for row in rows if row.stars]
    pairs: dict[int, list[tuple[float, float]]] = {}
    for one in scored:
        for star, pair in enumerate(zip(one.membership, one.position, strict=True)):
            pairs.setdefault(star, []).append(pair)
    return [
        (_mean([one for one, _ in found]), _mean([one for _, one in found]))
        for found in pairs.values()
    ]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def score_row(row: Scored) -> dict[str, object]:
    """One answer's score as a row of a file, star by star, and as reports read it."""
    fields: dict[str, object] = {"id": row.id, "line": row.line}
    fields |= {"model": row.model} if row.model else {}
    if row.length is not None:
        fields |= {"length": row.length, "length_bin": length_name(row.length)}
    fields |= {
        "benchmark": NAME,
        "pipeline": str(row.task),
        "ask": str(StarAsk.LIST),
        # What a run is told apart by: searching is the usual way.
        "setup": str(row.task) if row.task is StarTask.REASONING else None,
        "needles": row.needles,
        "judge": JUDGE,
    }
    return {**fields, **_verdict(row)}


_NO_VERDICT: dict[str, object] = {
    **dict.fromkeys(("judged_by", "score", "membership_mean", "position_mean")),
    "failure_modes": [],
    "credits": "",
    "positions": "",
    "reason": "The row has no response (null), so there is nothing to score.",
}


def _verdict(row: Scored) -> dict[str, object]:
    stars, verdict = row.stars, row.verdict
    if stars is None or verdict is None:
        return _NO_VERDICT
    fields: dict[str, object] = {
        "judged_by": "rules",
        "score": verdict.score,
        **told(verdict),
        "membership_mean": stars.membership_mean,
        "position_mean": stars.position_mean,
        "membership": list(stars.membership),
        "position": list(stars.position),
        "numbers": list(verdict.numbers[:MOST_NUMBERS]),
        "numbers_read": len(verdict.numbers),
        "cut": stars.cut,
        "duplicates": stars.duplicates,
        "added": list(stars.added),
    }
    if row.reasoning is not None:
        fields |= {"reasoning_mean": row.reasoning, "reasoning": list(verdict.credits)}
    return fields


def figures(rows: Sequence[Scored]) -> dict[str, object]:
    """The figures for a script; the matrix is in the rows of scores."""
    return {
        "answers": len(rows),
        "unscored": sum(row.stars is None for row in rows),
        **_fields(rows),
        "failure_modes": {str(mode): count for mode, count in _modes(rows)},
        "by_model": {name: _fields(part) for name, part in _by_model(rows) if name},
        "by_star": [[round(one, 6) for one in star] for star in by_star(rows)],
    }


def _fields(rows: Sequence[Scored]) -> dict[str, object]:
    scored = sum(row.stars is not None for row in rows)
    found = means(rows).items()
    return {"scored": scored, **{name: one and round(one, 6) for name, one in found}}


_ELSEWHERE = (CountingFailure.OTHER_PLAYER, CountingFailure.WRONG_NUMBER)
"""What only the task of players tells, which knows players, and questions about one number."""


def _modes(rows: Iterable[Scored]) -> list[tuple[CountingFailure, int]]:
    counts = Counter(mode for row in rows if row.verdict for mode in row.verdict.failure_modes)
    return [(mode, counts[mode]) for mode in CountingFailure if mode not in _ELSEWHERE]


def _by_model(rows: Iterable[Scored]) -> list[tuple[str, list[Scored]]]:
    found: dict[str, list[Scored]] = {}
    for row in rows:
        found.setdefault(row.model, []).append(row)
    return list(found.items())


def print_scores(console: Console, rows: Sequence[Scored]) -> None:
    """Print means by model, what went wrong, and a table of stars that always fits a screen."""
    models = _by_model(rows)
    console.print()
    console.print(_threetable(rows, models))
    counted = [f"{count:,} {mode.replace('_', ' ')}" for mode, count in _modes(rows) if count]
    console.print(Text(f"\nAnswers with: {', '.join(counted) or 'no failure'}"))
    if any(row.stars for row in rows):
        console.print()
        console.print(_star_table(rows))


def _threetable(rows: Sequence[Scored], models: Sequence[tuple[str, list[Scored]]]) -> Table:
    columns = ("answers", "membership", "position", "reasoning", "unscored")
    title = "Counting-Stars: mean scores"
    table = new_table(title, ("model",), columns, **_NAMES)
    named = models if len(models) > 1 else []
    for name, part in named[:MOST_MODELS]:
        table.add_row(Text(name or "not named"), *_cells(part))
    if len(named) > MOST_MODELS:
        table.add_row(Text(f"and {len(named) - MOST_MODELS:,} more", style="dim"))
    if named:
        table.add_section()
    table.add_row(Text("all" if named else models[0][0] or "all"), *_cells(rows))
    return table


def _cells(rows: Sequence[Scored]) -> list[str]:
    shown = ("-" if one is None else f"{one:.3f}" for one in means(rows).values())
    return [f"{len(rows):,}", *shown, f"{sum(row.stars is None for row in rows):,}"]


def _star_table(rows: Sequence[Scored]) -> Table:
    """Mean membership of groups of stars, by groups of lengths, as the paper's heatmaps have it."""
    scored = [(row.length, row.stars.membership) for row in rows if row.stars]
    columns = _shared(sorted({one for one, _ in scored if one is not None}), MOST_COLUMNS)
    title = "Membership by star" + (", and by length up to" if columns else "")
    table = new_table(title, ("star",), (*(_short(one[-1]) for one in columns), "all"), **_NAMES)
    shown = [[stars for length, stars in scored if length in one] for one in map(set, columns)]
    shown.append([stars for _, stars in scored])
    for part in _shared(range(1, max(map(len, shown[-1])) + 1), MOST_LINES):
        low, high = part[0], part[-1]
        among = ([one for stars in each for one in stars[low - 1 : high]] for each in shown)
        cells = (f"{_mean(values):.3f}" if values else "-" for values in among)
        table.add_row(f"{low:,}" if low == high else f"{low:,}-{high:,}", *cells)
    return table


def _shared(values: Sequence[int], most: int) -> list[Sequence[int]]:
    """The values in order as at most so many groups of neighbours, as even as can be."""
    count = min(most, len(values))
    ends = [len(values) * n // count for n in range(count + 1)] if count else []
    return [values[a:b] for a, b in pairwise(ends)]


def _short(length: int) -> str:
    return f"{length:,}" if length < 10_000 else f"{round(length / 1000):,}k"
