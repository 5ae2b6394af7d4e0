"""Prints golden prompts of LOFT's embedded data sets: ids, token counts, digests, a JSON line each.

`python tests/golden/make_loft.py > tests/golden/loft.jsonl` after a change of bytes that is meant;
such a change raises the version of the benchmark, or of the atlas, and is told in the CHANGELOG.
"""

from __future__ import annotations

from typing import Any

from prompts import write_samples

SHORT = {"length": "8k"}

SETTINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("loft_retrieval", {"length": "8k,32k"}),
    ("loft_retrieval", {"dataset": "atlas_hops", "length": "8k,32k"}),
    ("loft_retrieval", {"dataset": "atlas_sets", **SHORT}),
    ("loft_retrieval", {"dataset": "atlas_turns", **SHORT}),
    ("loft_retrieval", {"dataset": "atlas_turns", "history": "official", **SHORT}),
    ("loft_retrieval", {"via": "bm25", "top": 5, **SHORT}),
    ("loft_retrieval", {"via": "closed", **SHORT}),
    ("loft_retrieval", {"seed": 1, **SHORT}),
    ("loft_retrieval", {"tokenizer": "o200k_base", "split": "dev", **SHORT}),
    ("loft_rag", SHORT),
    ("loft_rag", {"dataset": "atlas_sets", **SHORT}),
    ("loft_sql", {"length": "8k,16k"}),
    ("loft_sql", {"via": "closed", **SHORT}),
    ("loft_icl", {"length": "8k,32k"}),
)
"""Tasks with options; two queries of each length."""


if __name__ == "__main__":
    write_samples(((task, {"queries": 2, **given}) for task, given in SETTINGS), "gold_ids")
