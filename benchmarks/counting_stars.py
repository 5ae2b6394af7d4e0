"""What Counting-Stars costs: `python benchmarks/counting_stars.py`; figures as in `run.py`."""

from __future__ import annotations

from measuring import cpu, median, say

from seqniah_tasks.benchmarks.counting_stars.bench import CountingStars
from seqniah_tasks.benchmarks.counting_stars.options import read_star_options

CASES: dict[str, dict[str, str | int]] = {
    "32-32": {"preset": "32-32"},
    "32-32, snap none": {"preset": "32-32", "snap": "none"},
    "64-32": {"preset": "64-32"},
    "32-32 players": {"preset": "32-32", "task": "players"},
    "32-32 to 1 M tokens": {"preset": "32-32", "max_length": "1m"},
}


def measure(name: str, bench: CountingStars) -> None:
    """Recipes of all samples, against tokenising every finished prompt."""
    bench.prepare()
    made = [bench.recipe(planned) for planned in bench.plan]  # warm: indexes open
    many, tokens = len(made), sum(recipe.tokens for recipe in made)
    spent = median(lambda: cpu(lambda: [bench.recipe(one) for one in bench.plan]))
    say(f"{name}: {many} recipes", spent, "s", f"{spent / many * 1e3:.1f} ms each")
    part = bench.plan[::8]
    prompts = [bench.sample(planned).input for planned in part]
    counter = bench.corpus.tokenizer
    whole = median(lambda: cpu(lambda: [counter.count(prompt) for prompt in prompts]))
    speed = sum(recipe.tokens for recipe in made[::8]) / whole
    say(f"{name}: exact counts", tokens / spent / 1e6, "M tokens/s")
    say(f"{name}: ratio to tokenising once", tokens / spent / speed, "times")


def main() -> None:
    for name, given in CASES.items():
        measure(name, CountingStars(read_star_options(**given)))


if __name__ == "__main__":
    main()
