"""Room for the answer: how many tokens a model may write, and which prompts leave it that room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seqniah_datasets.errors import SeqniahError

LEAST_ANSWER = 2_048
"""Output tokens that a run needs at least: fifteen items in any wording, with room to spare."""

LEAST_REASONING = 8_192
"""The same for a model that thinks before it answers, whose thoughts count as output."""

ANSWER = 16_384
"""Output tokens unless told otherwise; few answers have more than 2,000."""

REASONING = 32_768
"""The same for a model that thinks before it answers."""

OVERHEAD = 128
"""Tokens that a chat template may add."""


_MOST_TOLD = 8
"""Lengths that a message tells one by one."""


@dataclass(frozen=True, slots=True)
class Model:
    """What is known of a model's limits."""

    name: str
    window: int | None = None
    """Tokens of prompt and answer together; None if unknown."""
    most_output: int | None = None
    """Most tokens it can write; None if unknown."""
    reasoning: bool = False
    """Whether it thinks before it answers."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a model may write, and how little is still acceptable."""

    model: Model
    wanted: int
    least: int

    def fits(self, prompt: int) -> bool:
        """Whether a prompt of so many tokens leaves room for an answer."""
        window = self.model.window
        return window is None or prompt + OVERHEAD + self.least <= window

    def output(self, prompt: int) -> int:
        """Output tokens to ask for beside a prompt of so many tokens."""
        if self.model.window is None:
            return self.wanted
        return min(self.wanted, self.model.window - prompt - OVERHEAD)


def budget(
    model: Model,
    asked: int | None,
    option: str = "--max-tokens ",
    *,
    longest: int = 0,
    enough: int | None = None,
) -> Budget:
    """The budget of a run; `asked` is what the user set, if anything, with `option`.

    `longest` is what the longest right answer takes, where that may be more than fifteen items do;
    `enough` is what the benchmark itself lets models write, which may be fewer than usual.
    Raises `SeqniahError` when the user's wish is below the least.
    """
    least = max(LEAST_REASONING if model.reasoning else LEAST_ANSWER, longest)
    least = min(least, enough or least)
    asked = asked or enough
    if asked is not None:
        if asked < least:
            why = "thoughts count as output" if model.reasoning else "answers are lists"
            raise SeqniahError(
                f"{model.name} may write only {asked:,} tokens, but needs {least:,} ({why}); "
                f"pass {option}{least} or more, or leave it out."
            )
        return Budget(model, asked, least)
    wanted = max(REASONING if model.reasoning else ANSWER, 2 * longest)
    if model.most_output:
        wanted = max(min(wanted, model.most_output), min(least, model.most_output))
        least = min(least, wanted)
    return Budget(model, wanted, least)


def as_words(options: Mapping[str, Any]) -> str:
    """Options of a task as a command line has them."""
    return " ".join(f"-T {name}={value}" for name, value in options.items())


def these_lengths(fitting: Sequence[str]) -> dict[str, str]:
    """The option that leaves nothing else, where lengths are chosen by name."""
    return {"length": ",".join(fitting)}


def check_fit(
    budget: Budget,
    prompts: Iterable[tuple[str, int]],
    narrower: Callable[[Sequence[str]], Mapping[str, Any]] = these_lengths,
) -> None:
    """Raise `SeqniahError` when some of the prompts, given as (length, tokens), cannot fit.

    The message counts them by length. `narrower` gives the options that leave the lengths which
    fit whole, in the order of the prompts; none where there are no such options.
    """
    total: Counter[str] = Counter()
    over: Counter[str] = Counter()
    for name, tokens in prompts:
        total[name] += 1
        over[name] += not budget.fits(tokens)
    if not over.total():
        return
    fitting = [name for name in total if not over[name]]
    options = as_words(narrower(fitting)) if fitting else ""
    way = f"pass {options}, " if options else "use a model with a larger window, "
    raise SeqniahError(
        f"The window of {budget.model.name} ({budget.model.window:,} tokens) cannot take the "
        f"prompt and {budget.least:,} tokens of answer for {over.total():,} samples "
        f"({counts(total, over)}); "
        f"{way}or -T on_overflow=skip to leave them unscored (--limit does not count here, "
        "-T options do)."
    )


def counts(total: Counter[str], over: Counter[str], what: str = "", end: str = "") -> str:
    """How many prompts of each length are too long; of many lengths, from which one on."""
    if len(total) <= _MOST_TOLD:
        return ", ".join(f"{over[name]:,} of {total[name]:,}{what} in {name}" for name in total)
    first = next((name for name in total if over[name]), "")
    return f"{over.total():,} of {total.total():,}{what}, from {first} on{end}"
