"""Build a sample, render its prompt, judge an answer: no harness, no model, no network."""

from seqniah_tasks.benchmarks.options import read_options
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah, judge

bench = SequentialNiah(read_options(lang="en", length="8k-16k", needles="3-5"))
sample = bench.sample(bench.plan[0])
verdict = judge(sample.qa, "1. July 4, 2005: I went home early.")
print(f"{sample.id}: {sample.tokens:,} tokens, {len(sample.spans)} needles")
print(verdict.correct, verdict.reason)
