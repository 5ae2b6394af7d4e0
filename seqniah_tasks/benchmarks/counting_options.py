"""Options of Counting-Stars as a user writes them, checked and named when they are wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from seqniah_datasets import tokens
from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.schema import LANGS, Lang, StarAsk, StarTask
from seqniah_datasets.sources.stars import MOST_PLAYERS, ORDERS, StarOrder
from seqniah_datasets.spread import SNAPS, UNITS, Snap, Unit
from seqniah_tasks.benchmarks import reading
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

LONGEST = 100_000_000
"""Units of the longest prompt; more are a mistake."""


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


@dataclass(frozen=True, slots=True)
class StarOptions:
    """Which skies are wanted, what they are built from, and what is asked of them."""

    m: int = 32
    """Stars of a sky."""
    n: int = 32
    """Lengths: the whole, and its n-ths."""
    max_length: int = USUAL_LENGTH
    """The longest, in `unit`."""
    langs: tuple[Lang, ...] = LANGS
    task: StarTask = StarTask.SEARCHING
    asks: tuple[StarAsk, ...] = (StarAsk.LIST,)
    """What is asked of each sky."""
    players: int = 1
    """Who counted; 1 in tasks other than players."""
    order: StarOrder = "increasing"
    """Of the stars' numbers."""
    numbers: tuple[int, ...] = ()
    """Given ones, one for each star; empty: drawn."""
    snap: Snap = "sentence"
    """Where a sky may be cut to hold a star."""
    unit: Unit = "tokens"
    """In which length is measured."""
    repeats: int = 1
    """Skies of each length, with other numbers."""
    corpus: str = DEFAULT_CORPUS
    seed: int = 0
    tokenizer: str = tokens.DEFAULT_TOKENIZER

    @property
    def lengths(self) -> tuple[int, ...]:
        """All lengths in `unit`, shortest first."""
        return tuple(self.max_length * part // self.n for part in range(1, self.n + 1))

    @property
    def edition(self) -> str:
        """M-N, as the paper names its versions."""
        return f"{self.m}-{self.n}" + ("" if self.order == "increasing" else f"-{self.order}")


def read_star_options(
    preset: Given = None,
    m: Given = None,
    n: Given = None,
    max_length: Given = USUAL_LENGTH,
    lang: Given = None,
    task: str = "searching",
    ask: Given = None,
    players: Given = None,
    order: Given = None,
    numbers: Given = None,
    snap: str = "sentence",
    unit: str = "tokens",
    repeats: Given = 1,
    corpus: Given = None,
    seed: Given = 0,
    tokenizer: Given = tokens.DEFAULT_TOKENIZER,
) -> StarOptions:
    """Options from what a user wrote; lists may be comma lists.

    Raises `UnknownName`, which lists the choices, and `SeqniahError` for what cannot be.
    """
    named = _preset(preset, m, n, order)
    listed = _numbers(numbers)
    wanted = reading.one("task", task, tuple(StarTask))
    # Rising numbers would answer which player's come first, and which is the largest.
    usual: StarOrder = "shuffled" if wanted is StarTask.PLAYERS else "increasing"
    base = named or Preset(len(listed) or 32, 32, "given" if listed else usual)
    options = StarOptions(
        m=base.m if m is None else _bounded("m", m, MOST_STARS),
        n=base.n if n is None else _bounded("n", n, MOST_LENGTHS),
        max_length=_length(max_length),
        langs=reading.some("lang", lang, LANGS) or LANGS,
        task=wanted,
        asks=_asks(wanted, ask),
        players=_players(wanted, players),
        order=_order(order, base.order, usual),
        numbers=listed,
        snap=reading.one("snap", snap, SNAPS),
        unit=reading.one("unit", unit, UNITS),
        repeats=_bounded("repeats", repeats, MOST_REPEATS),
        corpus=DEFAULT_CORPUS if corpus is None else reading.text("corpus", corpus),
        seed=reading.whole("seed", seed, 0),
        tokenizer=reading.text("tokenizer", tokenizer),
    )
    _check(options)
    return options


STAR_NAMES = tuple(signature(read_star_options).parameters)
"""What options there are."""


def star_options_of(given: Mapping[str, Any]) -> StarOptions:
    """Options from the arguments of a task or command, which may have others too.

    Raises like `read_star_options`.
    """
    return read_star_options(**{name: given[name] for name in STAR_NAMES if name in given})


def _preset(preset: Given, m: Given, n: Given, order: Given) -> Preset | None:
    if preset is None:
        return None
    name = str(preset)
    if name not in PRESETS:
        raise UnknownName("preset", name, list(PRESETS))
    doubled = [key for key, value in {"m": m, "n": n, "order": order}.items() if value is not None]
    if doubled:
        raise SeqniahError(
            f"preset={name} says what {doubled[0]} is; leave one of the two out, as without a "
            "preset m, n and order are free."
        )
    return PRESETS[name]


def _order(given: Given, base: StarOrder, usual: StarOrder) -> StarOrder:
    if given is not None:
        return reading.one("order", str(given), ORDERS)
    return usual if base == "increasing" else base


def _bounded(what: str, given: Given, most: int) -> int:
    found = reading.whole(what, given, 1)
    if found > most:
        raise SeqniahError(f"{what} is a whole number from 1 to {most:,}, not {found:,}.")
    return found


def _length(given: Given) -> int:
    """A number, or one with k (thousand) or m (million) behind it."""
    text = str(given).strip().lower().replace("_", "")
    factor = {"k": 1_000, "m": 1_000_000}.get(text[-1:], 1)
    digits = text[:-1] if factor > 1 else text
    readable = digits.isdecimal() and len(digits) < reading.MOST_DIGITS
    found = int(digits) * factor if readable else 0
    if isinstance(given, bool) or not 0 < found <= LONGEST:
        raise SeqniahError(
            f"max_length is a length like 128000, 128k or 1m, up to {LONGEST:,}, not {given!r}."
        )
    return found


def _numbers(given: Given) -> tuple[int, ...]:
    listed = reading.parts(given)
    bad = [one for one in listed if not one.isdecimal() or len(one) > MOST_DIGITS or not int(one)]
    if bad:
        raise SeqniahError(
            f"numbers is a list of whole numbers from 1, like 3,7,8, of at most {MOST_DIGITS} "
            f"digits each; {bad[0][:40]!r} is none."
        )
    found = tuple(map(int, listed))
    if len(set(found)) < len(found):
        raise SeqniahError("numbers names one number twice; each star needs one of its own.")
    return found


def _asks(task: StarTask, given: Given) -> tuple[StarAsk, ...]:
    if task is StarTask.PLAYERS:
        return reading.some("ask", given, tuple(StarAsk)) or tuple(StarAsk)
    if given is not None:
        raise SeqniahError(f"ask is for task=players; the task {task} asks for a list.")
    return (StarAsk.LIST,)


def _players(task: StarTask, given: Given) -> int:
    if task is not StarTask.PLAYERS:
        if given is not None:
            raise SeqniahError(f"players is for task=players; in the task {task} one counts.")
        return 1
    found = 4 if given is None else reading.whole("players", given, 2)
    if found > MOST_PLAYERS:
        raise SeqniahError(f"players is a whole number from 2 to {MOST_PLAYERS}, not {found}.")
    return found


def _check(options: StarOptions) -> None:
    """Raises `SeqniahError` where options contradict each other."""
    if options.n > options.max_length:
        raise SeqniahError(
            f"max_length={options.max_length} has no {options.n} parts; give a smaller n."
        )
    if options.numbers and len(options.numbers) < options.m:
        raise SeqniahError(
            f"numbers has {len(options.numbers)} numbers for m={options.m} stars; give more "
            "numbers, or fewer stars."
        )
    if options.order == "given" and not options.numbers:
        raise SeqniahError("order=given is for numbers that are given; add numbers=3,7,8.")
    if options.numbers and options.repeats > 1 and options.order != "shuffled":
        raise SeqniahError(
            "repeats would ask the same again, since numbers are given; leave it out and use the "
            "harness's epochs, or add order=shuffled."
        )
    if options.players > options.m:
        raise SeqniahError(
            f"m={options.m} stars are too few for {options.players} players; each needs one."
        )
