"""Options of Counting-Stars as a user writes them, checked and named when they are wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, Lang, StarAsk, StarTask
from seqniah_datasets.sources.stars import MOST_PLAYERS, ORDERS, StarOrder
from seqniah_datasets.spread import SNAPS, UNITS, Snap, Unit
from seqniah_tasks.benchmarks import options, reading
from seqniah_tasks.benchmarks.haystacks import CORPUS, SEED, TOKENIZER
from seqniah_tasks.benchmarks.options import option
from seqniah_tasks.benchmarks.reading import Given

MOST_STARS = 10_000
"""Of one sky; more are a mistake."""

MOST_LENGTHS = 1_024
"""Intervals of one run; more are a mistake."""

MOST_REPEATS = 1_000
"""Skies of one length; more are a mistake."""

MOST_DIGITS = 9
"""Of a given number, so that the sum of the most stars can still be read."""

USUAL_LENGTH = 128_000
"""Of the longest prompt, as published."""


@dataclass(frozen=True, slots=True)
class Preset:
    """One of the published versions (paper, section 2.1 and Table 1)."""

    m: int
    n: int
    order: StarOrder = "increasing"


PRESETS: dict[str, Preset] = {
    "32-32": Preset(32, 32),
    "16-32": Preset(16, 32),
    "64-32": Preset(64, 32),
    "32-16": Preset(32, 16),
    "32-32-shuffled": Preset(32, 32, "shuffled"),
}


def _numbers(what: str, given: Given) -> tuple[int, ...]:
    listed = reading.parts(given)
    bad = [one for one in listed if not one.isdecimal() or len(one) > MOST_DIGITS or not int(one)]
    if bad:
        raise SeqniahError(
            f"{what} is a list of whole numbers from 1, like 3,7,8, of at most {MOST_DIGITS} "
            f"digits each; {bad[0][:40]!r} is none."
        )
    found = tuple(map(int, listed))
    if len(set(found)) < len(found):
        raise SeqniahError(f"{what} names one number twice; each star needs one of its own.")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class StarOptions:
    """Which skies are wanted, what they are built from, and what is asked of them."""

    preset: str = option(
        "",
        lambda what, given: reading.one(what, str(given), list(PRESETS)),
        "A published version: 32-32, 16-32, 64-32, 32-16 or 32-32-shuffled (M-N).",
    )
    m: int = option(32, reading.whole_from(1, MOST_STARS), "Stars of a sky; 32.", shown=None)
    n: int = option(
        32,
        reading.whole_from(1, MOST_LENGTHS),
        "Lengths, up to the longest in equal steps; 32.",
        shown=None,
    )
    max_length: int = option(
        USUAL_LENGTH, reading.length, "The longest, in `unit`: 128000, 128k or 1m."
    )
    lang: tuple[Lang, ...] = option(LANGS, reading.list_of(*LANGS), "en or zh; both.", shown=None)
    task: StarTask = option(
        StarTask.SEARCHING,
        reading.one_of(*StarTask),
        "searching (list all), reasoning (each star is miscounted first), players (several count, "
        "and one is asked about).",
        shown=str(StarTask.SEARCHING),
    )
    ask: tuple[StarAsk, ...] = option(
        (StarAsk.LIST,),
        reading.list_of(*StarAsk),
        "Of players: list, sum, largest or order (two players' in one list); all four.",
        shown=None,
    )
    players: int = option(
        1,
        lambda what, given: given,  # read with the task, without which it means nothing
        "Of players: how many count, from 2; 4.",
        shown=None,
    )
    order: StarOrder = option(
        "increasing",
        reading.one_of(*ORDERS),
        "Of the numbers: increasing, shuffled or given; players: shuffled unless told.",
        shown=None,
    )
    numbers: tuple[int, ...] = option(
        (), _numbers, "The stars' numbers, as 3,7,8; drawn unless told."
    )
    snap: Snap = option(
        "sentence",
        reading.one_of(*SNAPS),
        "Where a star may stand: sentence (after one), word, or none (anywhere, as published).",
    )
    unit: Unit = option(
        "tokens",
        reading.one_of(*UNITS),
        "Of lengths: tokens (of the prompt), or characters or words as published.",
    )
    repeats: int = option(
        1, reading.whole_from(1, MOST_REPEATS), "Skies of each length, with other numbers."
    )
    corpus: str = option(*CORPUS, shown=None)
    seed: int = option(*SEED)
    tokenizer: str = option(*TOKENIZER)

    @property
    def lengths(self) -> tuple[int, ...]:
        """All lengths in `unit`, shortest first."""
        return tuple(self.max_length * part // self.n for part in range(1, self.n + 1))

    @property
    def edition(self) -> str:
        """M-N, as the paper names its versions."""
        return f"{self.m}-{self.n}" + ("" if self.order == "increasing" else f"-{self.order}")

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """What presets, given numbers and tasks imply. Raises `SeqniahError` for contradictions."""
        given = {name: value for name, value in given.items() if value != ()}
        listed = given.get("numbers", ())
        task = StarTask(given.get("task", StarTask.SEARCHING))
        # Rising numbers would answer which player's come first, and which is the largest.
        usual: StarOrder = "shuffled" if task is StarTask.PLAYERS else "increasing"
        base = _base(given) or Preset(len(listed) or 32, 32, "given" if listed else usual)
        order = usual if base.order == "increasing" else base.order
        implied: dict[str, Any] = {}
        if task is StarTask.PLAYERS:
            implied = {"ask": tuple(StarAsk), "players": 4}
            if "players" in given:
                given["players"] = reading.whole_from(2, MOST_PLAYERS)("players", given["players"])
        elif "ask" in given:
            raise SeqniahError(f"ask is for task=players; the task {task} asks for a list.")
        elif "players" in given:
            raise SeqniahError(f"players is for task=players; in the task {task} one counts.")
        # Skies are known by what they are, however that was said.
        values = {"m": base.m, "n": base.n, "order": order, **implied, **given, "preset": ""}
        _check(cls(**values))
        return values


def _base(given: dict[str, Any]) -> Preset | None:
    name = given.get("preset", "")
    if not name:
        return None
    doubled = [key for key in ("m", "n", "order") if key in given]
    if doubled:
        raise SeqniahError(
            f"preset={name} says what {doubled[0]} is; leave one of the two out, as without a "
            "preset m, n and order are free."
        )
    return PRESETS[name]


def _check(o: StarOptions) -> None:
    """Raises `SeqniahError` where options contradict each other."""
    listed = len(o.numbers)
    contradictions = {
        f"max_length={o.max_length} has no {o.n} parts; give a smaller n.": o.n > o.max_length,
        f"numbers has {listed} numbers for m={o.m} stars; give more numbers, or fewer stars.": (
            0 < listed < o.m
        ),
        "order=given is for numbers that are given; add numbers=3,7,8.": (
            o.order == "given" and not listed
        ),
        "repeats would ask the same again, since numbers are given; leave it out and use the "
        "harness's epochs, or add order=shuffled.": (
            listed and o.repeats > 1 and o.order != "shuffled"
        ),
        f"m={o.m} stars are too few for {o.players} players; each needs one.": o.players > o.m,
    }
    for told, holds in contradictions.items():
        if holds:
            raise SeqniahError(told)


def read_star_options(**given: Given) -> StarOptions:
    """Options from what a user wrote. Raises `SeqniahError` with what would do."""
    options.refuse_unknown(given, options.names(StarOptions), "Counting-Stars")
    return options.read(StarOptions, given)
