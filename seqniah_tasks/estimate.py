"""What a run will take, before it is started: requests, tokens, money, time, room in the window.

Prompt lengths are those that the benchmark aims at, so that no prompt is written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import budget
from seqniah_tasks.benchmarks.protocol import Bench, Exchange, P, Prefixes
from seqniah_tasks.prices import Price

ANSWER_FACTOR = 1.5
"""An answer is assumed to be so much longer than its reference, which is terse."""


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
class LengthEstimate:
    """The samples of one length bin, or of one length, each counted once."""

    name: str
    samples: int
    requests: int
    """More than the samples where these are asked in rounds."""
    prompt_tokens: int
    longest: int
    """Tokens of the longest prompt."""
    most: int
    """Tokens of all prompts of one sample, which come one after another."""
    over: int
    """Samples with a prompt that leaves the model no room for an answer."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will take. Every count of tokens is an approximation."""

    benchmark: str
    """As logs name it."""
    title: str
    """The same and its setting, as a heading names them."""
    split: str
    tokenizer: str
    """The encoding that tokens are counted in."""
    epochs: int
    bins: tuple[LengthEstimate, ...]
    """In the order of their lengths; no bin is empty."""
    narrower: str
    """The option of a run whose prompts all fit; empty where no length does."""
    output_tokens: int
    """Of all replies, thoughts apart."""
    output_given: bool
    """The user said how long an answer is; otherwise it is assumed."""
    most_output: int | None
    """Tokens of all replies if each one used up what it is allowed; None without a model."""
    budget: budget.Budget | None
    """How much the model may write; None without a model."""
    prefixes: Prefixes | None
    """None where every prompt begins anew."""
    price: Price | None
    cost: float | None
    """US dollars, or None where no price is known."""
    most_cost: float | None
    """The same if every answer used up what it is allowed; None without a model."""
    speed: Speed | None

    @property
    def samples(self) -> int:
        return sum(one.samples for one in self.bins)

    @property
    def requests(self) -> int:
        return sum(one.requests for one in self.bins) * self.epochs

    @property
    def prompt_tokens(self) -> int:
        """Of all requests."""
        return sum(one.prompt_tokens for one in self.bins) * self.epochs

    @property
    def prefix_tokens(self) -> int:
        """Of all requests, as far as other prompts of their epoch begin alike."""
        return self.prefixes.tokens * self.epochs if self.prefixes else 0

    @property
    def over(self) -> int:
        """Samples whose prompt does not fit the model."""
        return sum(one.over for one in self.bins)

    @property
    def seconds(self) -> float | None:
        """Time to read the prompts, or None where no rate is given."""
        if self.speed is None:
            return None
        most = max(one.most for one in self.bins)
        # A single sample is read by one connection, however many there are.
        shared = self.prompt_tokens / self.speed.connections
        return max(shared, most) / self.speed.tokens_per_second


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
    given: dict[str, tuple[float | None, int]] = {
        "--limit": (limit, 1),
        "--epochs": (epochs, 1),
        "--output-tokens": (output_tokens, 0),
        "--input-price": (input_price, 0),
        "--output-price": (output_price, 0),
        "--max-connections": (max_connections, 1),
    }
    for name, (one, least) in given.items():
        if one is not None and not least <= one < math.inf:
            raise SeqniahError(f"{name} is a number from {least}, not {one:g}.")
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


def estimate(
    given: Bench[P],
    request: Request,
    model: budget.Model | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """What a run takes, and whether it fits the model, if one is given.

    Raises `SeqniahError` when no sample passes the filters, or a pool of questions is too small.
    """
    bench = given.for_estimate(progress)
    planned = bench.plan[: request.limit]
    if not planned:
        raise SeqniahError("No sample passes all the filters given; drop one of them.")
    facts = bench.facts()
    samples = [(one.length, bench.exchanges(one)) for one in planned]
    exchanges = [one for _, own in samples for one in own]
    prompts = [one.prompt_tokens for one in exchanges]
    allowed = _allowed(bench, model) if model else None
    limits = [allowed.output(many) if allowed.fits(many) else 0 for many in prompts if allowed]
    # Prices may follow from a prompt's length; of how answers differ nothing is known.
    told = request.output_tokens
    answer = _answer_tokens(bench, planned, told)
    replies = [
        answer if one.reply_tokens is None or told is not None else one.reply_tokens
        for one in exchanges
    ]
    bins = _bins(bench.lengths, samples, allowed)
    fitting = [one.name for one in bins if not one.over]
    narrower = budget.as_words(bench.narrower(fitting)) if fitting else ""
    another = narrower and bench.narrower_is_another
    return Estimate(
        benchmark=str(facts["benchmark"]),
        title=bench.title,
        split=str(facts["split"]),
        tokenizer=str(facts["tokenizer"]),
        epochs=request.epochs,
        bins=bins,
        narrower=f"{narrower} (other lengths, another test)" if another else narrower,
        output_tokens=math.ceil(sum(replies)) * request.epochs,
        output_given=request.output_tokens is not None,
        most_output=sum(limits) * request.epochs if allowed else None,
        budget=allowed,
        prefixes=bench.prefixes(planned),
        price=request.price,
        cost=_cost(request, prompts, replies),
        most_cost=_cost(request, prompts, limits) if allowed else None,
        speed=request.speed,
    )


def _cost(request: Request, prompts: Sequence[int], replies: Sequence[float]) -> float | None:
    """Of all requests whose replies have so many tokens, in US dollars."""
    price = request.price
    if price is None:
        return None
    each = (price.cost(read, wrote) for read, wrote in zip(prompts, replies, strict=True))
    return sum(each) * request.epochs


def _allowed(bench: Bench[Any], model: budget.Model) -> budget.Budget:
    enough = bench.decoding(model.name).max_tokens
    return budget.budget(model, None, longest=bench.longest_answer, enough=enough)


def _answer_tokens(bench: Bench[P], planned: Sequence[P], given: int | None) -> float:
    """Of an answer, in the mean."""
    if given is not None:
        return given
    count = bench.tokenizer.count
    return ANSWER_FACTOR * sum(count(bench.item(one).reference) for one in planned) / len(planned)


def _bins(
    lengths: Sequence[str],
    samples: Sequence[tuple[str, Sequence[Exchange]]],
    allowed: budget.Budget | None,
) -> tuple[LengthEstimate, ...]:
    by_length: dict[str, list[list[int]]] = {name: [] for name in lengths}
    for name, exchanges in samples:
        by_length[name].append([one.prompt_tokens for one in exchanges])
    fits = allowed.fits if allowed else lambda tokens: True
    return tuple(
        LengthEstimate(
            name=name,
            samples=len(here),
            requests=sum(map(len, here)),
            prompt_tokens=sum(map(sum, here)),
            longest=max(map(max, here)),
            most=max(map(sum, here)),
            over=sum(not fits(max(own)) for own in here),
        )
        for name, here in by_length.items()
        if here
    )
