"""Measure what docs/haystackcraft.md tells of the embedded documents.

python benchmarks/haystackcraft.py recall             # by strategy, beside Table 3
python benchmarks/haystackcraft.py refined            # rank of the second gold, by question asked
python benchmarks/haystackcraft.py effects --seeds 5  # F1 of seqniah/reader, paired differences
python benchmarks/haystackcraft.py piles              # 500 questions at five lengths, processor s
python benchmarks/haystackcraft.py large              # 200,000 documents: index and queries
python benchmarks/haystackcraft.py pagerank           # 1 M documents, 14 M arcs, processor s
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.sparse import csr_array, triu

import seqniah
from seqniah_datasets import encyclopaedia
from seqniah_datasets.encyclopaedia import proof
from seqniah_datasets.search.base import DEPTH, Ranking, top
from seqniah_datasets.search.dense import DenseIndex
from seqniah_datasets.search.pagerank import PageRankRetriever, Walk
from seqniah_datasets.search.strategies import STRATEGIES, WALKS
from seqniah_scorers.retrieval import DEPTHS, recall
from seqniah_tasks.baselines import BASELINES
from seqniah_tasks.benchmarks.haystackcraft.collection import Rankings, collection

Scores = dict[str, float]
"""Mean F1 by question."""


def recalls(seeds: int) -> None:
    """Recall of the golds, in percent, over all questions and of those of two hops at 40."""
    for seed in range(seeds):
        of = collection("", seed)
        rankings = Rankings(of)
        for strategy in STRATEGIES:
            by: dict[Any, list[float]] = defaultdict(list)
            for one in of.questions:
                found = rankings.of(one, strategy).numbers.tolist()
                for depth in DEPTHS:
                    by[depth].append(recall(found, one.golds, depth))
                by[one.hops, 40].append(recall(found, one.golds, 40))
            told = " ".join(f"{100 * fmean(by[depth]):3.0f}" for depth in DEPTHS)
            print(f"seed {seed} {strategy:11} {told}   2 hops @40 {100 * fmean(by[2, 40]):.1f}")


def refined(seeds: int) -> None:
    """Median rank of the second gold of questions of two hops, by BM25, for three queries."""
    for seed in range(seeds):
        of = collection("", seed)
        engine, titles = of.retriever("bm25"), [one.title for one in of.library.articles]
        asked = [one for one in encyclopaedia.build(seed).questions if one.hops == 2]
        ranks: dict[str, list[float]] = defaultdict(list)
        for one, other in zip(asked, [*asked[1:], asked[0]], strict=True):
            second, wrong = (of.library.number(it.golds[1]) for it in (one, other))
            queries = {
                "the question": one.text,
                "refined rightly": proof.worded(titles[second], one.relations[1:]),
                "refined wrongly": proof.worded(titles[wrong], one.relations[1:]),
            }
            for name, query in queries.items():
                found = engine.search(query, len(of.library)).numbers.tolist()
                ranks[name].append(found.index(second) + 1 if second in found else np.inf)
        print(f"seed {seed}", {name: median(found) for name, found in ranks.items()})


def effects(seeds: int) -> None:
    """F1 of the offline reader at 128k, permuted: differences of means with 95 % intervals."""
    for seed in range(seeds):
        bases = {name: _scores(seed, name) for name in STRATEGIES}
        told = {
            "bm25 - dense": (bases["bm25"], bases["dense"]),
            **{f"{one}+ppr - {one}": (bases[f"{one}+ppr"], bases[one]) for one in WALKS},
            "8k - 128k": (_scores(seed, "bm25", length="8k"), bases["bm25"]),
            "ranked - permuted": (_scores(seed, "bm25", order="ranked"), bases["bm25"]),
        }
        for name, pair in told.items():
            print(f"seed {seed} {name:20} {_difference(*pair)}", flush=True)


def _scores(seed: int, strategy: str, **given: str) -> Scores:
    setting = {"order": "permuted", "length": "128k", **given}
    bench = seqniah.load("haystackcraft", strategy=strategy, seed=seed, **setting)
    by: dict[str, list[float]] = defaultdict(list)
    for sample in bench:
        scored = bench.judge(sample, BASELINES["reader"](sample.prompt, 1))
        by[sample.planned.asked.id].append(float(scored.score or 0))
    return {name: fmean(found) for name, found in by.items()}


def _difference(one: Scores, other: Scores) -> str:
    """In points, questions resampled."""
    each = np.array([one[name] - other[name] for name in sorted(one)])
    picks = np.random.default_rng(0).integers(0, len(each), (2_000, len(each)))
    low, high = np.quantile(each[picks].mean(axis=1), [0.025, 0.975])
    return f"{100 * each.mean():5.1f}  [{100 * low:.1f}, {100 * high:.1f}]"


def piles(seeds: int) -> None:
    """Processor seconds of all piles with exact counts, rankings given, against encoding each."""
    bench: Any = seqniah.load("haystackcraft", questions=0).bench
    plan = sorted(bench.plan, key=lambda one: one.asked.id)  # one ranking after the other
    rankings = {one.asked.id: bench.rankings.of(one.asked, one.strategy) for one in plan}
    started = time.process_time()
    made = [
        bench._laying.shown(one, rankings[one.asked.id], bench._frame(one)).prompt for one in plan
    ]
    ours = time.process_time() - started
    some = made[:: len(made) // 100]
    started = time.process_time()
    off = sum(bench.tokenizer.count(one.text) != one.tokens for one in some)
    encoding = (time.process_time() - started) * len(made) / len(some)
    total = sum(one.tokens for one in made)
    print(
        f"{len(made):,} prompts, {total / 1e6:.0f} M tokens: {ours:.1f} s with digests; encoding "
        f"each finished prompt {encoding:.0f} s ({encoding / ours:.0f} times); {off} of "
        f"{len(some)} counts off"
    )


DOCUMENTS, WORDS, WIDTH, DEGREE = 200_000, 120, 1_024, 14


def large(seeds: int) -> None:
    """A folder of made-up documents: its index in a process of its own, and queries by part."""
    with TemporaryDirectory() as place:
        path = Path(place)
        _documents(path)
        size = (path / "docs.jsonl").stat().st_size
        command = [sys.executable, "-m", "seqniah_tasks", "haystackcraft", "index", str(path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(
            f"{DOCUMENTS:,} documents, {size / 1e6:.0f} MB: indexed in "
            f"{used.ru_utime:.0f} s, peak {used.ru_maxrss / 1e6:.2f} GB"
        )
        started = time.process_time()
        of: Any = collection(str(path), 0)
        print(f"read in {time.process_time() - started:.0f} s, links {of.library.graph.nnz:,}")
        rows = np.random.default_rng(0).standard_normal((DOCUMENTS, WIDTH), np.float32)
        vectors = DenseIndex(rows)
        queries = [one.text for one in of.questions]
        sparse = of.retriever("bm25")
        walk = PageRankRetriever(sparse, of.library.graph, WALKS["bm25"])
        for name, search in (
            ("bm25", lambda number: sparse.search(queries[number], DEPTH)),
            ("bm25+ppr", lambda number: walk.search(queries[number], DEPTH)),
            (f"dense, {WIDTH:,} numbers", lambda number: vectors.search(rows[number], DEPTH)),
        ):
            search(0)
            begun = time.process_time()
            for number in range(20):
                search(number)
            print(f"{name}: {(time.process_time() - begun) / 20 * 1e3:.1f} ms a query for {DEPTH}")


def _documents(path: Path) -> None:
    """Words are drawn as often as Zipf's law has it, and links at random."""
    draws = np.random.default_rng(0)
    share = np.cumsum(1 / np.arange(10, 200_010))  # stop words, the commonest, do not count

    def text(words: int) -> str:
        drawn = np.searchsorted(share, draws.random(words) * share[-1])
        return " ".join(f"w{number:x}" for number in drawn.tolist())

    with (path / "docs.jsonl").open("w", encoding="utf-8") as out:
        for number in range(DOCUMENTS):
            out.write(json.dumps({"id": number, "title": f"T{number}", "text": text(WORDS)}) + "\n")
    with (path / "edge_list.csv").open("w", encoding="utf-8") as out:
        out.write("source_node,target_node\n")
        np.savetxt(out, draws.integers(0, DOCUMENTS, (DOCUMENTS * DEGREE, 2)), "%d", ",")
    with (path / "questions.jsonl").open("w", encoding="utf-8") as out:
        for number in range(20):
            row = {"id": f"q{number}", "question": text(12), "answer": "x", "p2d_id": {"1": number}}
            out.write(json.dumps(row) + "\n")


def pagerank(seeds: int) -> None:
    """Processor seconds of the best 2,560 by PageRank, over links most of which go to few pages."""
    nodes, links = 1_000_000, 7_000_000
    for seed in range(seeds):
        draws = np.random.default_rng(seed)
        ends = draws.integers(0, nodes, links), (nodes * draws.random(links) ** 3).astype(np.int64)
        rows, columns = np.concatenate(ends), np.concatenate(ends[::-1])
        each = csr_array((np.ones(len(rows), np.float32), (rows, columns)), shape=(nodes, nodes))
        each.sum_duplicates()
        parts = each.indices.astype(np.int32), each.indptr.astype(np.int32)
        graph = csr_array((np.ones(each.nnz, np.float32), *parts), shape=each.shape)
        found = Ranking(draws.choice(nodes, 10, replace=False), np.linspace(15, 5, 10))
        base: Any = SimpleNamespace(search=lambda query, k, found=found: found.first(k))
        for damping in (0.5, 0.85):
            ranker = PageRankRetriever(base, graph, Walk(10, damping))
            spent = []
            for _ in range(4):
                started = time.process_time()
                best = ranker.search("", DEPTH)
                spent.append(time.process_time() - started)
            print(
                f"seed {seed}, {graph.nnz:,} arcs, damping {damping}: {fmean(spent[1:]):.2f} s, "
                f"the first time {spent[0]:.2f} s{_beside_igraph(graph, damping, found, best)}"
            )


def _beside_igraph(graph: csr_array, damping: float, seeds: Ranking, best: Ranking) -> str:
    """What igraph takes for the same, where it is installed, and how far its order is another."""
    try:
        import igraph
    except ImportError:
        return ""
    ends = triu(graph).tocoo().coords
    nodes = igraph.Graph(n=graph.shape[0], edges=np.stack(ends, axis=1))
    reset = np.zeros(graph.shape[0])
    reset[seeds.numbers] = seeds.scores
    started = time.process_time()
    scores = nodes.personalized_pagerank(directed=False, damping=damping, reset=reset.tolist())
    spent = time.process_time() - started
    exact = top(np.array(scores), DEPTH)
    other = sorted(set(exact.numbers.tolist()) ^ set(best.numbers.tolist()))
    swapped = exact.numbers != best.numbers
    theirs = np.array(scores)[best.numbers]
    apart = float(np.max(np.abs(theirs / exact.scores - 1)))
    return (
        f"; igraph {spent:.2f} s, {len(other)} other documents, {int(swapped.sum())} in another "
        f"place, whose scores differ by {apart:.0e} of them at most"
    )


MEASURES = {
    "large": large,
    "recall": recalls,
    "refined": refined,
    "effects": effects,
    "piles": piles,
    "pagerank": pagerank,
}


def main() -> None:
    """Print one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measure", choices=MEASURES)
    parser.add_argument("--seeds", type=int, default=1)
    given = parser.parse_args()
    MEASURES[given.measure](given.seeds)


if __name__ == "__main__":
    main()
