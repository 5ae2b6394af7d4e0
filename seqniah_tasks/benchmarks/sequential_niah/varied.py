"""What logs keep of samples, of which some are variants of others."""

from __future__ import annotations

from typing import Any, Protocol

from seqniah_datasets.schema import NoiseType
from seqniah_tasks.benchmarks.protocol import Item


class Varied(Protocol):
    """A sample that may be a variant of another one."""

    @property
    def noise(self) -> NoiseType | None: ...
    @property
    def variant(self) -> int: ...
    @property
    def base(self) -> str: ...


def _variant(planned: Varied) -> dict[str, Any]:
    """Which variant it is, and of what."""
    return {"noise": str(planned.noise or ""), "variant": planned.variant, "base": planned.base}


def of_sample(item: Item, planned: Varied) -> dict[str, Any]:
    """What logs of inspect keep of a sample."""
    facts = dict(item.facts)
    return {**facts, **_variant(planned)} if planned.noise is not None else facts


def of_document(item: Item, planned: Varied, in_suite: bool) -> dict[str, Any]:
    """What documents of lm-eval hold of a sample."""
    facts = dict(item.facts)
    # Hashes of documents, by which runs are compared, follow from the order.
    last = {name: facts.pop(name) for name in ("order_required", "parties")}
    suite = {"in_suite": in_suite, "base": planned.base, **_variant(planned)}
    return {**facts, **item.texts, **last, **suite}
