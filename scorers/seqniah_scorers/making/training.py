"""The published judge data: the cells of Table 7, and a labelled case for each place in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from seqniah_datasets.schema import LANGS, Lang, Pipeline, QAItem
from seqniah_scorers.labelled import GROUPS, Labelled
from seqniah_scorers.making.layouts import PHRASES
from seqniah_scorers.making.perturb import Altered, order_reason, perturb, reason
from seqniah_scorers.making.telling import Draws
from seqniah_scorers.verdict import Case, FailureMode, NeedleType

Part = Literal["train", "test"]
PARTS: tuple[Part, ...] = ("train", "test")

SIZES: dict[Part, dict[Lang, int]] = {
    "train": {"en": 3_000, "zh": 3_000},
    "test": {"en": 984, "zh": 976},
}
"""Cases by language (Table 3; its printed 967 Chinese ones do not add up to 1,960)."""

TABLE: dict[tuple[NeedleType, bool], tuple[tuple[int, int], ...]] = {
    ("temporal", True): ((75, 66), (71, 75), (81, 79), (61, 73)),
    ("temporal", False): ((48, 52), (46, 43), (55, 50), (44, 51)),
    ("logical", True): ((119, 110), (114, 135), (130, 136), (107, 139)),
}
"""Test cases by needle type and demand for order (Table 7): for each of `GROUPS`, without shuffling
and with it."""

MIX: dict[Lang, tuple[int, int]] = {"en": (3_000, 3_003), "zh": (3_000, 2_011)}
"""Invented records and real events among the benchmark's temporal questions (Table 2)."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of Table 7."""

    needle_type: NeedleType
    order_required: bool
    group: str
    """One of `labelled.GROUPS`."""
    shuffled: bool
    count: int


@dataclass(frozen=True, slots=True)
class Place:
    """One case to make."""

    cell: Cell
    lang: Lang
    pipeline: Pipeline
    number: int
    """Running number among the places with the same language, pipeline and demand for order."""


def apportion(weights: Sequence[int], total: int) -> list[int]:
    """Whole numbers in proportion to the weights that add up to `total` (largest remainder)."""
    whole = sum(weights)
    counts = [weight * total // whole for weight in weights]
    rests = [weight * total % whole for weight in weights]
    order = sorted(range(len(weights)), key=lambda place: (-rests[place], place))
    for place in order[: total - sum(counts)]:
        counts[place] += 1
    return counts


def cells(part: Part) -> list[Cell]:
    """Table 7, scaled to the size of a part."""
    flat = [
        Cell(needle_type, required, group, bool(shuffled), counts[shuffled])
        for (needle_type, required), groups in TABLE.items()
        for group, counts in zip(GROUPS, groups, strict=True)
        for shuffled in (0, 1)
    ]
    counts = apportion([cell.count for cell in flat], sum(SIZES[part].values()))
    return [replace(cell, count=count) for cell, count in zip(flat, counts, strict=True)]


def places(part: Part) -> list[Place]:
    """Every case of a part, cell after cell; each cell is shared out by language and pipeline."""
    table = cells(part)
    english = apportion([cell.count for cell in table], SIZES[part]["en"])
    given: Counter[tuple[Lang, Pipeline, bool]] = Counter()
    found: list[Place] = []
    for cell, count in zip(table, english, strict=True):
        for lang, size in zip(LANGS, (count, cell.count - count), strict=True):
            for pipeline, share in _mix(cell.needle_type, lang, size):
                key = lang, pipeline, cell.order_required
                numbers = range(given[key], given[key] + share)
                found += [Place(cell, lang, pipeline, number) for number in numbers]
                given[key] += share
    return found


def _mix(needle_type: NeedleType, lang: Lang, count: int) -> list[tuple[Pipeline, int]]:
    if needle_type == "logical":
        return [(Pipeline.REAL_LOGICAL, count)]
    pipelines = (Pipeline.SYNTHETIC_TEMPORAL, Pipeline.REAL_TEMPORAL)
    return list(zip(pipelines, apportion(MIX[lang], count), strict=True))


_BULLETS = ("- ", "- ", "* ", "• ", "{}. ", "{}) ", "")


def _rendered(qa: QAItem, altered: Altered, draws: Draws) -> str:
    """An answer in the reference's form: an intro, or none, then one item a line."""
    intro = qa.intro if draws.below(2) else draws.choice(PHRASES[qa.lang]["intros"])
    bullet = draws.choice(_BULLETS)
    lines = [bullet.format(n) + entry.text for n, entry in enumerate(altered.entries, 1)]
    return "\n".join([intro, *lines] if intro else lines)


def make(place: Place, qa: QAItem, others: Sequence[QAItem], id: str, draws: Draws) -> Labelled:
    """The case of a place, from a question that fits it; `others` lend what is added."""
    cell = place.cell
    altered = perturb(qa, others, cell.group, cell.shuffled, draws)
    response = _rendered(qa, altered, draws)
    modes = altered.modes(qa.order_required)
    why = reason(qa, altered, draws)
    return labelled(id, qa, cell.group, response, modes, why, cell.shuffled, draws)


def labelled(
    id: str,
    qa: QAItem,
    group: str,
    response: str,
    modes: tuple[FailureMode, ...],
    why: str,
    shuffled: bool,
    draws: Draws,
) -> Labelled:
    """An answer with what is wrong with it as its label."""
    logical = qa.pipeline is Pipeline.REAL_LOGICAL
    return Labelled(
        id=id,
        case=case_of(qa, "logical" if logical else "temporal", response),
        correct=not modes,
        failure_modes=modes,
        order_required=qa.order_required,
        group=group,
        shuffled=shuffled,
        reason=why,
        order_reason=""
        if logical
        else order_reason(qa.question, qa.lang, qa.order_required, draws),
    )


def case_of(qa: QAItem, needle_type: NeedleType, response: str) -> Case:
    """What a judge sees of an answer to a question."""
    given = qa.lang, needle_type, qa.question, qa.reference, response
    return Case(*given, parties=qa.parties)
