"""The noise suite: samples of the split, each with variants of four types (paper, section 5.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from seqniah_datasets import noise
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.noise import Unfit
from seqniah_datasets.schema import NoiseType, Recipe
from seqniah_datasets.sources import lures
from seqniah_scorers.noise import Outcome, figures
from seqniah_tasks.benchmarks.protocol import Facts
from seqniah_tasks.benchmarks.sequential_niah.bench import Planned, SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import NoiseOptions

_SEAMS = 64
"""Tokens by which moving needles about may change a prompt, with room to spare."""

_BYTES_PER_TOKEN = 2
"""Of a lure, at least; so that none pushes its sample out of the length bin."""


def _stratum(planned: Planned) -> tuple[str, str, str, str]:
    slot = planned.slot
    return slot.lang, str(slot.pipeline), slot.length.name, slot.group.name


class NoiseSuite(SequentialNiah):
    """The benchmark's first samples with their variants; ids of the samples are the split's own."""

    options: NoiseOptions
    in_suite = True

    @property
    def name(self) -> str:
        """The benchmark, the split and the suite."""
        return f"{super().name}-noise"

    def _planned(self) -> list[Planned]:
        """Each sample, then its variants by type; any first part has whole sets but for the last.

        Raises `SeqniahError` when no sample has variants.
        """
        if self.options.closed_book:
            raise SeqniahError(
                "The noise suite disturbs the haystack, which closed_book leaves out; drop "
                "closed_book, or run the task test."
            )
        if self.options.harder:
            raise SeqniahError(
                f"The noise suite varies samples of the published form; drop "
                f"{', '.join(self.options.harder)}, or run the task test."
            )
        found: list[Planned] = []
        for base in self._bases():
            found.append(base)
            for kind in NoiseType:
                for variant in range(1, noise.VARIANTS + 1):
                    named = f"{base.id}-{kind}{variant}"
                    found.append(replace(base, id=named, noise=kind, variant=variant))
        if not found:
            raise SeqniahError(
                "No sample with these options has variants of all types; the sources give no "
                "passages that resemble its needles. Drop a filter, or use edition=open."
            )
        return found

    def _bases(self) -> list[Planned]:
        """The first samples of the plan; where one is unfit, the next one of its stratum."""
        plan = super()._planned()
        wanted = Counter(_stratum(planned) for planned in plan[: self.options.bases])
        taken: list[Planned] = []
        for planned in plan:
            stratum = _stratum(planned)
            if wanted[stratum] and self._fits(planned):
                wanted[stratum] -= 1
                taken.append(planned)
        return taken

    def _fits(self, planned: Planned) -> bool:
        recipe = super().recipe(planned)
        passages = self.lures(planned)
        length = planned.slot.length
        room = length.high - _SEAMS - recipe.tokens
        if recipe.tokens < length.low + _SEAMS or room <= 0:
            return False
        try:
            for kind in (NoiseType.TM, NoiseType.SM, NoiseType.RO):
                noise.layouts(recipe, kind, noise.places(recipe, kind, self.corpus))
        except Unfit:
            return False
        longest = sorted((len(lure.text.encode()) for lure in passages), reverse=True)[:2]
        return len(passages) >= noise.VARIANTS and sum(longest) // _BYTES_PER_TOKEN < room

    def recipe(self, planned: Planned) -> Recipe:
        """As of the benchmark; of a variant, a few milliseconds more."""
        if planned.noise is None:
            return super().recipe(planned)
        base = replace(planned, id=planned.base, noise=None, variant=0)
        recipe = super().recipe(base)
        return noise.vary(recipe, planned.noise, planned.variant, self.lures(planned), self.corpus)

    def facts(self) -> dict[str, object]:
        """As of the benchmark, with the number of samples that have variants."""
        bases = sum(planned.noise is None for planned in self.plan)
        suite = {"suite": "noise", "bases": bases, "lures_digest": lures.digest()}
        return {**super().facts(), **suite}


NAMES = (
    "acc_ref",
    *(f"{what}_{kind}" for kind in (*NoiseType, "all") for what in ("acc", "agreement", "spread")),
)
"""Of the suite's figures as metrics of a harness, each from 0 to 1.

`acc` is the mean of the original's and the variants' accuracies, `agreement` the share of
samples whose verdict no variant changes (Cons. of the paper's first version), `spread` the
standard deviation of those accuracies (Cons. of its second).
"""


def outcome(facts: Facts, correct: bool | None) -> Any:
    """What the figures of the suite are made of; None for a sample that is not of the suite."""
    if facts.get("in_suite") is False:
        return None
    base = facts.get("base") or facts["id"]
    return [base, facts.get("noise") or "", facts.get("variant") or 0, correct]


def figures_of(outcomes: Sequence[Any]) -> dict[str, float]:
    """The figures from the outcomes of all samples; none where no sample is a variant."""
    if not any(noise for _, noise, _, _ in outcomes):
        return {}
    return _figures(tuple(map(tuple, outcomes)))


@lru_cache(maxsize=2)
def _figures(given: tuple[tuple[str, str, int, bool | None], ...]) -> dict[str, float]:
    found = figures(
        Outcome(base, NoiseType(kind) if kind else None, variant, correct)
        for base, kind, variant, correct in given
    )
    values = [found.reference.value]
    for line in (*found.types, found.all):
        values += [line.accuracy.value, line.agreement.value, line.spread.value]
    return dict(zip(NAMES, values, strict=True))
