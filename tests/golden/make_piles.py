"""Prints the golden prompts of HaystackCraft: ids, token counts and digests, a JSON line each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import seqniah
from seqniah_datasets.search.strategies import STRATEGIES


def lines() -> Iterator[str]:
    """The first samples in many settings, and one of each strategy."""
    settings = [
        {"length": "0,8k,32k", "questions": 6},
        {"length": "16k", "order": "ranked,permuted", "questions": 2},
        {"length": "8k", "strategy": ",".join(STRATEGIES), "questions": 1},
        {"length": "8k", "profile": "official", "questions": 2},
        {"length": "8k", "tokenizer": "o200k_base", "questions": 2},
        {"length": "8k", "seed": 1, "questions": 2},
    ]
    for given in settings:
        for sample in seqniah.load("haystackcraft", **given):
            told = {
                "id": sample.id,
                "question": sample.question,
                "reference": sample.reference,
                "gold_ranks": sample.item.facts["gold_ranks"],
                "tokens": sample.tokens,
                "sha256": sample.shown.sha256,
            }
            yield json.dumps(told, ensure_ascii=False)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    for line in lines():
        sys.stdout.write(line + "\n")
