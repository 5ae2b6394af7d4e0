"""How a judge did on labelled cases, as figures, beside what the paper prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from seqniah_datasets.schema import LANGS
from seqniah_scorers import rules
from seqniah_scorers.labelled import GROUPS, Labelled
from seqniah_scorers.verdict import NeedleType
from seqniah_tasks.judging.judges import Judged
from seqniah_tasks.shares import Share, share

K = TypeVar("K")

PUBLISHED = ("Claude-3.5", "GPT-4o", "paper's")
"""The judges whose figures the paper prints, in its order."""

TABLE_4: dict[tuple[NeedleType, str], tuple[float, float, float]] = {
    ("temporal", "GT"): (85.06, 90.87, 95.85),
    ("temporal", "missing"): (93.62, 97.45, 100.0),
    ("temporal", "redundant"): (77.74, 85.28, 100.0),
    ("temporal", "incorrect"): (95.20, 97.38, 100.0),
    ("logical", "GT"): (86.03, 99.13, 100.0),
    ("logical", "missing"): (93.17, 100.0, 100.0),
    ("logical", "redundant"): (85.34, 99.25, 100.0),
    ("logical", "incorrect"): (82.11, 100.0, 100.0),
}
"""Percent right of each published judge by needle type and answer group (Table 4)."""

TABLE_4_ALL = (87.09, 96.07, 99.49)
"""Percent right over all 1,960."""

_Pairs = tuple[tuple[int, int], ...]

# "Judged incorrect / judged correct" by answer group, each without and with shuffling.
TABLE_7: dict[tuple[NeedleType, bool], tuple[_Pairs, _Pairs, _Pairs]] = {
    ("temporal", True): (
        ((1, 74), (58, 8), (64, 7), (73, 2), (56, 25), (74, 5), (59, 2), (70, 3)),
        ((0, 75), (59, 7), (67, 4), (75, 0), (68, 13), (72, 7), (61, 0), (72, 1)),
        ((0, 75), (64, 2), (71, 0), (75, 0), (81, 0), (79, 0), (61, 0), (73, 0)),
    ),
    ("temporal", False): (
        ((0, 48), (27, 25), (42, 4), (41, 2), (36, 19), (40, 10), (42, 2), (47, 4)),
        ((0, 48), (15, 37), (45, 1), (42, 1), (47, 8), (39, 11), (44, 0), (46, 5)),
        ((0, 48), (8, 44), (46, 0), (43, 0), (55, 0), (50, 0), (44, 0), (51, 0)),
    ),
    ("logical", True): (
        ((12, 107), (90, 20), (107, 7), (125, 10), (113, 17), (114, 22), (92, 15), (110, 29)),
        ((0, 119), (108, 2), (114, 0), (135, 0), (129, 1), (135, 1), (107, 0), (139, 0)),
        ((0, 119), (110, 0), (114, 0), (135, 0), (130, 0), (136, 0), (107, 0), (139, 0)),
    ),
}
"""The published judges' verdicts in each cell (Table 7)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case and what the judge said of it."""

    labelled: Labelled
    judged: Judged

    @property
    def said(self) -> bool | None:
        """The verdict; None: unscored."""
        return self.judged.verdict.correct

    @property
    def right(self) -> bool:
        """Whether the judge agrees with the label."""
        return self.said is self.labelled.correct


def accuracy(outcomes: Iterable[Outcome]) -> Share:
    """Right verdicts among the scored ones, with the Wilson score interval."""
    scored = [one.right for one in outcomes if one.said is not None]
    return share(sum(scored), len(scored))


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A row of Table 4."""

    needle_type: NeedleType
    group: str
    cases: int
    accuracy: Share
    published: tuple[float, float, float]
    """Percent of the published judges, in the order of `PUBLISHED`."""


def _parts(outcomes: Iterable[Outcome], key: Callable[[Labelled], K]) -> dict[K, list[Outcome]]:
    found: dict[K, list[Outcome]] = {}
    for one in outcomes:
        found.setdefault(key(one.labelled), []).append(one)
    return found


def table_4(outcomes: Sequence[Outcome]) -> list[GroupLine]:
    """Accuracy by needle type and answer group."""
    parts = _parts(outcomes, lambda one: (one.case.needle_type, one.group))
    return [
        GroupLine(*kind, len(parts.get(kind, ())), accuracy(parts.get(kind, ())), published)
        for kind, published in TABLE_4.items()
    ]


@dataclass(frozen=True, slots=True)
class CellLine:
    """A cell of Table 7."""

    needle_type: NeedleType
    order_required: bool
    group: str
    shuffled: bool
    correct: bool
    """What its cases are."""
    incorrect_correct: tuple[int, int]
    """Cases that the judge called incorrect, and correct."""
    unscored: int
    published: tuple[tuple[int, int], ...]
    """The same of the published judges, in the order of `PUBLISHED`."""

    def misjudged(self, pair: tuple[int, int]) -> int:
        """How many of a pair's cases were called what they are not."""
        return pair[not self.correct]


def table_7(outcomes: Sequence[Outcome]) -> list[CellLine]:
    """Verdicts cell by cell."""
    parts = _parts(
        outcomes, lambda one: (one.case.needle_type, one.order_required, one.group, one.shuffled)
    )
    found: list[CellLine] = []
    for (needle_type, required), published in TABLE_7.items():
        for number, (group, shuffled) in enumerate(product(GROUPS, (False, True))):
            cell = needle_type, required, group, shuffled
            said = [one.said for one in parts.get(cell, ())]
            found.append(
                CellLine(
                    *cell,
                    correct=group == "GT" and not (shuffled and required),
                    incorrect_correct=(said.count(False), said.count(True)),
                    unscored=said.count(None),
                    published=tuple(judge[number] for judge in published),
                )
            )
    return found


def by_lang(outcomes: Sequence[Outcome]) -> dict[str, Share]:
    """Accuracy by language, and of both."""
    parts = _parts(outcomes, lambda one: one.case.lang)
    return {**{lang: accuracy(parts.get(lang, ())) for lang in LANGS}, "both": accuracy(outcomes)}


def by_group(outcomes: Sequence[Outcome]) -> dict[str, dict[str, Share]]:
    """The same by group; layouts before faults, else by name."""
    parts = _parts(outcomes, lambda one: one.group)
    names = sorted(parts, key=lambda name: (name.startswith("fault: "), name))
    return {name: by_lang(parts[name]) for name in names}


@dataclass(frozen=True, slots=True)
class Deciders:
    """Who decided, and how well."""

    rules: Share
    """Accuracy where the rules decided."""
    model: Share
    """Accuracy where a model decided."""
    unscored: int
    agreement: Share
    """Where a model spoke: how often the rule judge, asked as well, says the same."""
    input_tokens: int
    output_tokens: int


def deciders(outcomes: Sequence[Outcome]) -> Deciders:
    """Who decided the cases of a bench; the rule judge is asked again, it costs nothing."""
    by_model = [one for one in outcomes if one.judged.by == "model" and one.said is not None]
    same = sum(rules.judge(one.labelled.case).correct is one.said for one in by_model)
    return Deciders(
        accuracy(one for one in outcomes if one.judged.by == "rules"),
        accuracy(by_model),
        sum(one.said is None for one in outcomes),
        share(same, len(by_model)),
        sum(one.judged.input_tokens for one in outcomes),
        sum(one.judged.output_tokens for one in outcomes),
    )
