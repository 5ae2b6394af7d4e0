"""Load samples, look at one, judge an answer: no harness run, no model, no network."""

import seqniah

bench = seqniah.load("test", lang="en", length="8k-16k", needles="3-5")
sample = bench[0]
verdict = bench.judge(sample, "1. July 4, 2005: I went home early.")
print(f"{sample.id}: {sample.tokens:,} tokens, {verdict.score}: {verdict.reason}")
