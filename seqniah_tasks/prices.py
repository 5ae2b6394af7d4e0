"""What tokens cost: prices by length of prompt, and those that the package genai-prices has."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genai_prices.types import ModelPrice, TieredPrices

MILLION = 1_000_000
"""Tokens that a price is for."""

_BESIDE = ("requests_kcount", "output_reasoning_mtok", "output_citation_mtok")
"""Charges of genai-prices that do not follow from tokens read and written."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What a model costs, in US dollars a million tokens, with prompts of some length."""

    above: int
    """Tokens of the prompt that it begins above."""
    input: float
    output: float
    cached: float | None = None
    """Of what a cache held; None: as other input."""
    stored: float | None = None
    """Of what was put into a cache; None: as other input."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in US dollars a million tokens."""

    input: float
    output: float
    source: str
    """Where the figures come from, in words."""
    cached: float | None = None
    """Of what a cache held; None: as other input."""
    stored: float | None = None
    """Of what was put into a cache; None: as other input."""
    longer: tuple[Rate, ...] = ()
    """What a request costs, the whole of it, whose prompt is longer; in rising order."""

    def cost(self, read: int, wrote: float, *, cached: int = 0, stored: int = 0) -> float:
        """US dollars of a request that read so many tokens, the `cached` and `stored` included."""
        base = Rate(0, self.input, self.output, self.cached, self.stored)
        rate = next((one for one in reversed(self.longer) if read > one.above), base)
        kept = rate.input if rate.cached is None else rate.cached
        put = rate.input if rate.stored is None else rate.stored
        fresh = read - cached - stored
        sum_of_all = fresh * rate.input + cached * kept + stored * put + wrote * rate.output
        return sum_of_all / MILLION


@lru_cache(maxsize=256)
def published(provider: str, model: str, at: datetime, base_url: str | None = None) -> Price | None:
    """What a provider asks for a model at a time, by the data in genai-prices, which needs no
    network; None where it has no price by tokens. A `base_url` tells the provider instead.
    """
    import genai_prices  # a fifth of a second

    free = genai_prices.Usage(input_tokens=0, output_tokens=0)
    try:
        if base_url:
            found = genai_prices.calc_price(
                free, model, provider_api_url=base_url, genai_request_timestamp=at
            )
        else:
            found = genai_prices.calc_price(
                free, model, provider_id=provider, genai_request_timestamp=at
            )
    except LookupError:
        return None
    listed = found.model_price
    known = listed.input_mtok is not None and listed.output_mtok is not None
    if not known or any(getattr(listed, name) is not None for name in _BESIDE):
        return None
    version, day = genai_prices.__version__, at.astimezone(UTC).date().isoformat()
    source = f"genai-prices {version}, {found.provider.id}/{found.model.id} on {day}"
    base, *longer = _rates(listed)
    return Price(base.input, base.output, source, base.cached, base.stored, tuple(longer))


def _rates(listed: ModelPrice) -> list[Rate]:
    """From the one for all prompts on, in rising order."""
    read, wrote = listed.input_mtok, listed.output_mtok
    kept, put = listed.cache_read_mtok, listed.cache_write_mtok
    tiers = [tier for one in (read, wrote, kept, put) for tier in getattr(one, "tiers", ())]
    return [
        Rate(
            above,
            _at(read, above) or 0.0,
            _at(wrote, above) or 0.0,
            _at(kept, above),
            _at(put, above),
        )
        for above in sorted({0, *(tier.start for tier in tiers)})
    ]


def _at(price: Decimal | TieredPrices | None, above: int) -> float | None:
    """For prompts of more tokens than this."""
    if price is None or isinstance(price, Decimal):
        return None if price is None else float(price)
    reached = [tier.price for tier in price.tiers if tier.start <= above]
    return float(reached[-1] if reached else price.base)
