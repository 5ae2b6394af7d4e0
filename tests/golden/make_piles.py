"""Prints golden prompts of HaystackCraft: ids, token counts and digests, a JSON line each."""

from __future__ import annotations

from prompts import write_samples

from seqniah_datasets.search.strategies import STRATEGIES

SETTINGS = (
    {"length": "0,8k,32k", "questions": 6},
    {"length": "16k", "order": "ranked,permuted", "questions": 2},
    {"length": "8k", "strategy": ",".join(STRATEGIES), "questions": 1},
    {"length": "8k", "profile": "official", "questions": 2},
    {"length": "8k", "tokenizer": "o200k_base", "questions": 2},
    {"length": "8k", "seed": 1, "questions": 2},
)
"""The first samples in many settings, and one of each strategy."""

if __name__ == "__main__":
    write_samples((("haystackcraft", given) for given in SETTINGS), "gold_ranks")
