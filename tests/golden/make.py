"""Print the golden recipes: one of each split, language, pipeline and length; some rebuilt ones;
ids, tokens and digests of the noise suite's variants of those of the test split; and
Counting-Stars, some recipes whole, of the rest ids, tokens and digests.

`python tests/golden/make.py > tests/golden/recipes.jsonl` after a change of bytes that is meant;
such a change raises the benchmark's version and is told in the CHANGELOG.
"""

from __future__ import annotations

from collections.abc import Iterator

from prompts import write

from seqniah_datasets import recipes
from seqniah_datasets.corpora import procedural
from seqniah_datasets.schema import SPLITS, Recipe
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.counting_stars.bench import CountingStars
from seqniah_tasks.benchmarks.counting_stars.options import (
    PRESETS,
    read_star_options,
)
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.noise import NoiseSuite
from seqniah_tasks.benchmarks.sequential_niah.options import NoiseOptions, read_options

SHORTEST = {"length": "8k-16k"}

REBUILT = (
    {"seed": 7},
    {"tokenizer": "qwen"},
    {"tokenizer": "o200k_base"},
    {"order": "sorted"},
    {"length": "128k-256k"},
)

STARS: tuple[dict[str, str | int], ...] = (
    *({"preset": preset} for preset in PRESETS),
    *({"m": 8, "n": 2, "task": task} for task in ("reasoning", "players")),
    *({"m": 8, "n": 2, "max_length": "16k", "snap": snap} for snap in ("none", "word")),
    *({"m": 8, "n": 2, "unit": unit, "snap": "none"} for unit in ("words", "characters")),
    *({"m": 8, "n": 2, "tokenizer": name} for name in ("qwen", "o200k_base")),
    {"m": 8, "n": 2, "seed": 7, "repeats": 2},
    {"numbers": "12,5,30,8", "n": 2, "order": "shuffled"},
    {"m": 16, "n": 1, "max_length": "1m"},
)
"""Options of Counting-Stars."""


def rows() -> Iterator[dict[str, object]]:
    yield {"procedural": procedural.digest()}
    for split in SPLITS:
        bench = SequentialNiah(read_options(split, limit_per_stratum=1))
        for planned in bench.plan:
            yield recipes.as_json(bench.recipe(planned))
    for change in REBUILT:
        bench = SequentialNiah(read_options(limit_per_stratum=1, **{**SHORTEST, **change}))
        for planned in bench.plan:
            yield {"change": change, **recipes.as_json(bench.recipe(planned))}
    yield from variants()
    yield from stars()


def variants() -> Iterator[dict[str, object]]:
    """All twelve of each sample; what else they hold is the sample's own."""
    given = {"limit_per_stratum": 1}
    bases = len(SequentialNiah(read_options(**given)).plan)
    wanted = options.read(NoiseOptions, {**given, "bases": bases}, {"split": "test"})
    suite = NoiseSuite(wanted)
    for planned in suite.plan:
        if planned.noise:
            recipe = suite.recipe(planned)
            yield in_short(recipe)


def stars() -> Iterator[dict[str, object]]:
    for change in STARS:
        bench = CountingStars(read_star_options(**change))
        bench.prepare()
        for planned in bench.plan:
            recipe = bench.recipe(planned)
            whole = planned.tokens == min(bench.options.lengths) and len(recipe.insertions) < 9
            made = recipes.as_json(recipe) if whole else in_short(recipe)
            yield {"change": change, **made, "reference": bench.item(planned).reference}


def in_short(recipe: Recipe) -> dict[str, object]:
    return {"id": recipe.id, "tokens": recipe.tokens, "sha256": recipe.sha256}


if __name__ == "__main__":
    write(rows())
