"""What can go wrong between a client and a server, on demand and the same every time."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass, fields
from typing import Annotated

from typer import Option

from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.rng import stream
from seqniah_tasks.serve.cutting import SIDES

THINK = ("", "tags", "field")
"""What `Faults.think` takes."""

_SPOILT = ("dropped", "hanging", "garbage")
"""What an answer can come to, each drawn by the share of that name."""

_REMEMBERED = 100_000
"""Requests whose attempts are counted; the oldest are forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """What the server does wrong. Nothing, unless told."""

    latency: Annotated[float, Option(help="Seconds before every answer.")] = 0.0
    latency_per_1k: Annotated[float, Option(help="Seconds more per 1,000 prompt tokens.")] = 0.0
    rate_limited: Annotated[float, Option(help="Share of first attempts given 429.")] = 0.0
    retry_after: Annotated[int, Option(help="Seconds that a 429 asks to wait.")] = 1
    failing: Annotated[float, Option(help="Share of first attempts given 500.")] = 0.0
    dropped: Annotated[float, Option(help="Share of answers that break off.")] = 0.0
    """Of later attempts too."""
    hanging: Annotated[float, Option(help="Share of answers that never end.")] = 0.0
    """Of later attempts too; the connection stays open until the client gives up."""
    hang_after: Annotated[float, Option(help="Share of an answer before it hangs.")] = 0.0
    """From 0, where not even a status comes, to less than 1."""
    garbage: Annotated[float, Option(help="Share of answers that are a page, no JSON.")] = 0.0
    """Of later attempts too; with status 200, as a gateway in between may answer."""
    truncate: Annotated[int | None, Option(help="Cut prompts to so many tokens, in silence.")] = (
        None
    )
    """Usage reports what is left, a token or two fewer where the next character has several."""
    truncate_side: Annotated[str, Option(help="left, right or middle.")] = "left"
    """Where the cut takes from."""
    context: Annotated[
        int | None, Option(help="Refuse prompt and answer of more tokens than this.")
    ] = None
    no_usage: Annotated[bool, Option("--no-usage", help="Leave usage out.")] = False
    think: Annotated[
        str, Option(help="Think first: tags (<think>), or field (reasoning_content).")
    ] = ""
    think_tokens: Annotated[int, Option(help="Length of the thoughts.")] = 64
    """They count as output."""
    seed: Annotated[int, Option(help="Of the faults drawn.")] = 0
    """Beside it, the shares above depend on a request's bytes and attempt only."""

    def __post_init__(self) -> None:
        for shares in (("rate_limited", "failing"), _SPOILT):
            for share in shares:
                if not 0 <= getattr(self, share) <= 1:
                    raise SeqniahError(f"{_option(share)} is a share from 0 to 1.")
            if sum(getattr(self, share) for share in shares) > 1:
                names = ", ".join(map(_option, shares))
                raise SeqniahError(f"{names} are shares that sum to 1 at most.")
        if not 0 <= self.hang_after < 1:
            raise SeqniahError("--hang-after is a share from 0 to less than 1.")
        for seconds in ("latency", "latency_per_1k", "retry_after"):
            value = getattr(self, seconds)
            if not (math.isfinite(value) and value >= 0):
                raise SeqniahError(f"{_option(seconds)} is a number of seconds from 0.")
        for tokens in ("truncate", "context", "think_tokens"):
            value = getattr(self, tokens)
            if value is not None and value < 1:
                raise SeqniahError(f"{_option(tokens)} is a number of tokens from 1.")
        if self.truncate_side not in SIDES:
            raise UnknownName("--truncate-side", self.truncate_side, list(SIDES))
        if self.think not in THINK:
            raise UnknownName("--think", self.think, list(THINK[1:]))

    def given(self) -> dict[str, object]:
        """The fields that are not as by default."""
        values = {field: getattr(self, field.name) for field in fields(self)}
        return {field.name: value for field, value in values.items() if value != field.default}

    def refusal(self, request: str, attempt: int) -> int | None:
        """429, 500 or None for an attempt at the request of this digest."""
        if attempt > 1:
            return None
        draw = stream("serve", self.seed, request, "refusal").random()
        if draw < self.rate_limited:
            return 429
        return 500 if draw < self.rate_limited + self.failing else None

    def spoils(self, request: str, attempt: int) -> str | None:
        """`dropped`, `hanging`, `garbage` or None for the answer to this attempt."""
        draw, below = stream("serve", self.seed, request, attempt, "drop").random(), 0.0
        for share in _SPOILT:
            below += getattr(self, share)
            if draw < below:
                return share
        return None

    def wait(self, prompt_tokens: int) -> float:
        """Seconds before an answer to a prompt of so many tokens."""
        return self.latency + self.latency_per_1k * prompt_tokens / 1_000


WELL = Faults()
"""Nothing goes wrong."""


def _option(field: str) -> str:
    return "--" + field.replace("_", "-")


class Attempts:
    """Counts how often each request came, by the digest of its bytes."""

    def __init__(self) -> None:
        self._seen: OrderedDict[str, int] = OrderedDict()

    def next(self, request: str) -> int:
        """1 for a request never seen before, 2 for its first repetition."""
        self._seen[request] = attempt = self._seen.pop(request, 0) + 1
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return attempt
