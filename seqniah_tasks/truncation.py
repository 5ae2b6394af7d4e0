"""Did the model see the whole prompt? What providers report, held against exact counts.

Servers cut prompts in silence. The tokens that a provider reports are in the model's own encoding,
so only ratios can be compared: a prompt that was cut has a lower ratio of reported to exact tokens
than shorter prompts of its language, and cut prompts all report the same number.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median_low
from typing import Any

LEAST_RATIO = 0.9
"""A prompt whose ratio is below this share of the median of shorter prompts was cut."""

ENOUGH = 5
"""Shorter prompts of the same language without which there is nothing to compare with."""

IMPOSSIBLE = 0.4
"""No encoding needs so few tokens for a token of ours; such a prompt was cut for certain."""

_FLAT = 0.005
"""Reported numbers that differ by less than this share count as the same."""

_STEP = 1.1
"""Prompts of a plateau differ in exact tokens by this factor at least."""

_EDGE_RATIO = 0.99
"""The share of the median ratio below which the shortest prompt of a plateau was cut too."""

_PLATEAU = 3
"""Prompts that make a plateau."""


class Fate(StrEnum):
    """What became of a prompt."""

    WHOLE = "whole"
    CUT = "cut"
    UNVERIFIED = "unverified"
    SKIPPED = "skipped"
    """It was never sent, since it could not have fitted."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One prompt and what the provider said of it."""

    lang: str
    exact: int
    """Tokens of the prompt in the encoding of the run."""
    reported: int
    """Input tokens by the provider, cached ones included; 0 when it said nothing."""

    @property
    def ratio(self) -> float:
        return self.reported / self.exact

    @property
    def surplus(self) -> int:
        """Tokens beside the prompt's, e.g. of a chat template, if the model counts as we do."""
        return self.reported - self.exact


def fates(prompts: Sequence[Sent]) -> list[Fate]:
    """What became of each prompt, judged by all of them."""
    found = [Fate.UNVERIFIED] * len(prompts)
    for lang in sorted({prompt.lang for prompt in prompts}):
        numbers = [n for n, one in enumerate(prompts) if one.lang == lang and one.reported > 0]
        numbers.sort(key=lambda n: prompts[n].exact)
        group = [prompts[n] for n in numbers]
        flat, edges = _plateaus(group)
        usual = median_low(one.surplus for one in group) if group else 0
        ratios: list[float] = []
        for place, number in enumerate(numbers):
            prompt = group[place]
            # A cut would take another number of tokens from each.
            counted_alike = prompt.surplus == 0 or (len(group) > 1 and prompt.surplus == usual)
            fate = Fate.CUT if place in flat else _fate(prompt, ratios, edge=place in edges)
            if fate is Fate.UNVERIFIED and counted_alike:
                fate = Fate.WHOLE
            if fate is not Fate.CUT:
                insort(ratios, prompt.ratio)
            found[number] = fate
    return found


def final_fates(samples: Sequence[Mapping[str, Any]]) -> list[Fate]:
    """The fates of samples from what a run noted of each, see `noted`, all held against each other.

    Only a fate that was settled when the sample was asked stays as it was noted.
    """
    prompts = list(map(_noted_prompt, samples))
    known = [Fate(sample.get("prompt_fate", Fate.UNVERIFIED)) for sample in samples]
    return [
        before if _settled(prompt, before) else now
        for prompt, before, now in zip(prompts, known, fates(prompts), strict=True)
    ]


def _settled(prompt: Sent, fate: Fate) -> bool:
    """Whether other prompts change nothing: it was cut, not sent, or needs no count to be whole."""
    return fate in (Fate.CUT, Fate.SKIPPED) or (fate is Fate.WHOLE and not prompt.reported)


NOTES = ("prompt_tokens", "reported_tokens", "prompt_fate")
"""Names of what a run keeps of a prompt."""


def noted(prompt: Sent, fate: Fate) -> dict[str, object]:
    """What a run keeps of a prompt beside its language: no fate that others may change yet."""
    settled = {"prompt_fate": str(fate)} if _settled(prompt, fate) else {}
    return {"prompt_tokens": prompt.exact, "reported_tokens": prompt.reported, **settled}


def _noted_prompt(sample: Mapping[str, Any]) -> Sent:
    exact, reported = sample.get("prompt_tokens"), sample.get("reported_tokens")
    if not isinstance(exact, int) or not isinstance(reported, int) or exact < 1:
        return Sent("", 1, 0)
    return Sent(str(sample.get("lang")), exact, reported)


def _fate(prompt: Sent, shorter: Sequence[float], *, edge: bool) -> Fate:
    """Of one prompt, given the ratios of shorter ones that were not cut, in rising order.

    The shortest prompt of a plateau, its edge, is whole only if it fills the window by its ratio.
    """
    median = shorter[len(shorter) // 2] if shorter else math.inf
    if prompt.ratio < IMPOSSIBLE or (edge and prompt.ratio < _EDGE_RATIO * median):
        return Fate.CUT
    if len(shorter) < ENOUGH:
        return Fate.UNVERIFIED
    return Fate.CUT if prompt.ratio < LEAST_RATIO * median else Fate.WHOLE


def _plateaus(group: Sequence[Sent]) -> tuple[set[int], set[int]]:
    """Places of prompts that report the same although their lengths differ, and of their edges."""
    order = sorted(range(len(group)), key=lambda place: group[place].reported)
    flat: set[int] = set()
    edges: set[int] = set()
    first = 0
    while first < len(order):
        end = first
        least = group[order[first]].reported
        while end < len(order) and group[order[end]].reported <= least * (1 + _FLAT):
            end += 1
        lengths = sorted(group[place].exact for place in order[first:end])
        if len(lengths) >= _PLATEAU and lengths[-1] > lengths[0] * _STEP:
            border = lengths[0] * (1 + _FLAT)
            for place in order[first:end]:
                (flat if group[place].exact > border else edges).add(place)
        first = max(end, first + 1)
    return flat, edges
