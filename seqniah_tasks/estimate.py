"""What a run will take, before it is started: requests, tokens, money, time, room in the window.

Prompt lengths are those aimed at, so nothing is built and no corpus is opened.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import budget
from seqniah_tasks.benchmarks.options import LENGTHS, Options
from seqniah_tasks.benchmarks.sequential_niah import Planned, SequentialNiah

ANSWER_FACTOR = 1.5
"""An answer is assumed to be so much longer than its reference, which is terse."""

MILLION = 1_000_000
"""Tokens that a price is for."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in US dollars a million tokens."""

    input: float
    output: float
    source: str
    """Where the figures come from, in words."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast prompts are read."""

    tokens_per_second: float
    """Prompt tokens that one connection gets read in a second."""
    connections: int
    """Requests under way at once."""


@dataclass(frozen=True, slots=True)
class Request:
    """How the samples will be run."""

    limit: int | None = None
    """At most so many samples, from the first on; None for all."""
    epochs: int = 1
    """How often each sample is asked."""
    output_tokens: int | None = None
    """Tokens of an answer, where the user knows better than the assumption."""
    price: Price | None = None
    speed: Speed | None = None


@dataclass(frozen=True, slots=True)
class BinEstimate:
    """The samples of one length bin, each counted once."""

    name: str
    samples: int
    prompt_tokens: int
    longest: int
    """Tokens of the longest prompt."""
    over: int
    """Samples whose prompt leaves the model no room for an answer."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will take. Every count of tokens is an approximation."""

    split: str
    tokenizer: str
    """The encoding that tokens are counted in."""
    epochs: int
    bins: tuple[BinEstimate, ...]
    """In the order of their lengths; no bin is empty."""
    output_tokens: int
    """Of all answers, thoughts apart."""
    output_given: bool
    """The user said how long an answer is; otherwise it is assumed."""
    most_output: int | None
    """Tokens of all answers if each one used up what it is allowed; None without a model."""
    budget: budget.Budget | None
    """How much the model may write; None without a model."""
    price: Price | None
    speed: Speed | None

    @property
    def samples(self) -> int:
        return sum(one.samples for one in self.bins)

    @property
    def requests(self) -> int:
        return self.samples * self.epochs

    @property
    def prompt_tokens(self) -> int:
        """Of all requests."""
        return sum(one.prompt_tokens for one in self.bins) * self.epochs

    @property
    def over(self) -> int:
        """Samples whose prompt does not fit the model."""
        return sum(one.over for one in self.bins)

    @property
    def cost(self) -> float | None:
        """US dollars, or None where no price is known."""
        return self._cost(self.output_tokens)

    @property
    def most_cost(self) -> float | None:
        """The same if every answer used up what it is allowed."""
        return None if self.most_output is None else self._cost(self.most_output)

    def _cost(self, output: int) -> float | None:
        if self.price is None:
            return None
        return (self.prompt_tokens * self.price.input + output * self.price.output) / MILLION

    @property
    def seconds(self) -> float | None:
        """Time to read the prompts, or None where no rate is given."""
        if self.speed is None:
            return None
        longest = max(one.longest for one in self.bins)
        # A single prompt is read by one connection, however many there are.
        shared = self.prompt_tokens / self.speed.connections
        return max(shared, longest) / self.speed.tokens_per_second


def read_request(
    limit: int | None = None,
    epochs: int = 1,
    output_tokens: int | None = None,
    input_price: float | None = None,
    output_price: float | None = None,
    tokens_per_second: float | None = None,
    max_connections: int | None = None,
) -> Request:
    """A request from the command's options. Raises `SeqniahError` for one that is impossible."""
    _check("--limit", limit, 1)
    _check("--epochs", epochs, 1)
    _check("--output-tokens", output_tokens, 0)
    _check("--input-price", input_price, 0)
    _check("--output-price", output_price, 0)
    _check("--max-connections", max_connections, 1)
    if tokens_per_second is not None and not 0 < tokens_per_second < math.inf:
        raise SeqniahError(f"--tokens-per-second is a number above 0, not {tokens_per_second:g}.")
    if (input_price is None) != (output_price is None):
        missing = "--input-price" if input_price is None else "--output-price"
        raise SeqniahError(f"A price has two parts; give {missing} too.")
    price = None
    if input_price is not None and output_price is not None:
        price = Price(input_price, output_price, "the price given")
    speed = Speed(tokens_per_second, max_connections or 1) if tokens_per_second else None
    return Request(limit, epochs, output_tokens, price, speed)


def _check(name: str, given: float | None, least: int) -> None:
    if given is not None and not least <= given < math.inf:
        raise SeqniahError(f"{name} is a number from {least}, not {given:g}.")


def estimate(options: Options, request: Request, model: budget.Model | None = None) -> Estimate:
    """What a run with these options takes, and whether it fits the model, if one is given.

    The corpus of the options is not looked at: lengths and questions do not depend on it.
    Raises `SeqniahError` when no sample passes the filters, or a pool of questions is too small.
    """
    bench = SequentialNiah(replace(options, corpus=DEFAULT_CORPUS))
    planned = bench.plan[: request.limit]
    if not planned:
        raise SeqniahError("No sample passes all the filters given; drop one of them.")
    prompts = [(one.slot.length.name, _prompt_tokens(bench, one)) for one in planned]
    allowed = budget.budget(model, None) if model else None
    return Estimate(
        split=options.split,
        tokenizer=options.tokenizer,
        epochs=request.epochs,
        bins=_bins(prompts, allowed),
        output_tokens=_output_tokens(bench, planned, request.output_tokens) * request.epochs,
        output_given=request.output_tokens is not None,
        most_output=_most_output(prompts, allowed) * request.epochs if allowed else None,
        budget=allowed,
        price=request.price,
        speed=request.speed,
    )


def _prompt_tokens(bench: SequentialNiah, planned: Planned) -> int:
    if bench.options.closed_book:
        return bench.corpus.tokenizer.count(bench.closed_book(planned))
    return bench.target(planned)


def _output_tokens(bench: SequentialNiah, planned: Sequence[Planned], given: int | None) -> int:
    """Of one answer to each sample."""
    if given is not None:
        return given * len(planned)
    count = bench.corpus.tokenizer.count
    return math.ceil(ANSWER_FACTOR * sum(count(bench.qa(one).reference) for one in planned))


def _most_output(prompts: Sequence[tuple[str, int]], allowed: budget.Budget) -> int:
    return sum(allowed.output(tokens) for _, tokens in prompts if allowed.fits(tokens))


def _bins(
    prompts: Sequence[tuple[str, int]], allowed: budget.Budget | None
) -> tuple[BinEstimate, ...]:
    found: list[BinEstimate] = []
    for length in LENGTHS:
        here = [tokens for name, tokens in prompts if name == length.name]
        over = sum(not allowed.fits(tokens) for tokens in here) if allowed else 0
        if here:
            found.append(BinEstimate(length.name, len(here), sum(here), max(here), over))
    return tuple(found)
