"""One sample of Counting-Stars: which stars stand in its sky, who counted them, what is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seqniah_datasets import rng
from seqniah_datasets.schema import Lang, StarAsk, StarTask
from seqniah_datasets.sources import stars
from seqniah_datasets.sources.stars import Player, Star
from seqniah_scorers.stars import StarCase, wanted
from seqniah_tasks.benchmarks.counting_stars import prompts
from seqniah_tasks.benchmarks.counting_stars.options import StarOptions
from seqniah_tasks.benchmarks.reading import length_name


@dataclass(frozen=True, slots=True)
class PlannedStars:
    """One sample before its sky is built."""

    id: str
    lang: Lang
    tokens: int
    """Length aimed at, in the run's unit."""
    repeat: int
    """Which of the skies of this length, from 1."""
    ask: StarAsk

    @property
    def length(self) -> str:
        """As reports name it: 4k for 4,000."""
        return length_name(self.tokens)


@dataclass(frozen=True, slots=True)
class Asked:
    """The stars of one sky, and what is asked of them."""

    stars: tuple[Star, ...]
    """In the order of their places."""
    players: tuple[Player, ...]
    """Whom the question names."""
    ask: StarAsk
    question: str
    key: str
    """What the answer's list or number is called."""

    @property
    def wanted(self) -> tuple[Star, ...]:
        """Those that are asked for."""
        return tuple(star for star in self.stars if star.player in self.players)

    @property
    def right(self) -> tuple[int, ...]:
        return tuple(star.number for star in self.wanted)

    @property
    def wrong(self) -> tuple[int, ...]:
        """What was counted by mistake, for each star asked for; empty where nothing was."""
        return tuple(star.mistake for star in self.wanted if star.mistake is not None)

    @property
    def others(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each player that is not asked for."""
        found: dict[str, list[int]] = {}
        for star in self.stars:
            if star.player not in self.players:
                found.setdefault(star.player.key, []).append(star.number)
        return tuple(tuple(found[key]) for key in sorted(found))

    @property
    def reference(self) -> str:
        """The right answer, as the question wants it."""
        value = list(self.right) if self.ask.listed else wanted(self.ask, self.right)
        return json.dumps({self.key: value}, ensure_ascii=False)

    def facts(self, planned: PlannedStars, options: StarOptions) -> dict[str, Any]:
        """What a harness keeps of the sample, from which `case_of` judges an answer."""
        return {
            "lang": planned.lang,
            "pipeline": str(options.task),
            "ask": str(planned.ask),
            "length_bin": planned.length,
            "length": planned.tokens,
            "needles": len(self.right),
            "stars": options.m,
            "repeat": planned.repeat,
            "right": list(self.right),
            "wrong": list(self.wrong),
            "others": [list(numbers) for numbers in self.others],
            "asked": [self.key],
        }


def case_of(facts: Mapping[str, Any], response: str) -> StarCase:
    """What the scorer is shown, from a sample's `Asked.facts` and the answer to it."""
    return StarCase(
        task=StarTask(facts["pipeline"]),
        ask=StarAsk(facts["ask"]),
        right=tuple(facts["right"]),
        response=response,
        wrong=tuple(facts["wrong"]),
        others=tuple(map(tuple, facts["others"])),
        asked=tuple(facts["asked"]),
    )


def draw(
    options: StarOptions, planned: PlannedStars, free: Sequence[Player], key: tuple[rng.Key, ...]
) -> Asked:
    """The stars and the question of a sample; who counts is drawn from the players `free`.

    `key` names the random streams of its sky. Raises `SeqniahError` when given numbers stand too
    close for the reasoning task.
    """
    many, task, lang = options.m, options.task, planned.lang
    right = stars.numbers(many, options.order, rng.stream(*key, "numbers"), options.numbers)
    wrong: tuple[int | None, ...] = (None,) * many
    if task is StarTask.REASONING:
        wrong = stars.mistakes(right, rng.stream(*key, "mistakes"))
    drawn = rng.stream(*key, "players").sample(options.players, len(free))
    players = [free[number] for number in drawn]
    owners = stars.dealt(many, len(players), rng.stream(*key, "dealt"))
    draws = rng.stream(*key, "asked", str(planned.ask))
    named = draws.sample(planned.ask.players, len(players))
    asked = tuple(players[number] for number in named)
    return Asked(
        stars=tuple(
            Star(number, players[owner], mistake)
            for number, owner, mistake in zip(right, owners, wrong, strict=True)
        ),
        players=asked,
        ask=planned.ask,
        question=prompts.question(lang, task, planned.ask, asked),
        key=prompts.key(lang, planned.ask, asked[0]),
    )
