"""What an answer took, from a sample's summary: tokens and dollars."""

from __future__ import annotations

from inspect_ai.log import EvalSpec

from seqniah_tasks.adapters.inspect.judge import GRADER
from seqniah_tasks.adapters.inspect.models import price_then
from seqniah_tasks.adapters.inspect.summaries import Facts, Summary

_READ = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")


def spent(sample: Summary, ran: EvalSpec, judges_itself: bool) -> Facts:
    """What the model under test took; empty where nothing was reported."""
    used = sample.usage("model", ran.model)
    judging = sample.usage("role", GRADER) if judges_itself else {}
    read = _count(used, *_READ) - _count(judging, *_READ)
    if read <= 0:
        return {}
    wrote = max(_count(used, "output_tokens") - _count(judging, "output_tokens"), 0)
    cost, others = used.get("total_cost"), judging.get("total_cost")
    if isinstance(cost, float) and isinstance(others, float):
        cost = max(cost - others, 0.0)
    took: Facts = {"input_tokens": read, "output_tokens": wrote, "cost": cost}
    cached, stored = (max(_count(used, one) - _count(judging, one), 0) for one in _READ[1:])
    cached = min(cached, read)
    if used.get(_READ[1]) is not None:
        took["cached_tokens"] = cached
    price = price_then(ran) if cost is None else None
    if price:
        cost = price.cost(read, wrote, cached=cached, stored=min(stored, read - cached))
        took |= {"cost": cost, "price": price.source}
    return took


def _count(usage: Facts, *names: str) -> int:
    return sum(count for name in names if type(count := usage.get(name)) is int)
