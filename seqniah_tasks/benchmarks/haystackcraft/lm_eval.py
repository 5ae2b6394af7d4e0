"""HaystackCraft's static task in lm-eval."""

from __future__ import annotations

from seqniah_tasks.benchmarks.haystackcraft.record import COLUMNS
from seqniah_tasks.benchmarks.haystackcraft.score import FIGURES
from seqniah_tasks.benchmarks.protocol import LmEval, LmEvalTask, Metric
from seqniah_tasks.kinds import FILLED_NAME, FLAG, POSITIVE, TEXTS, Kind, choice, list_of

_RANKS = Kind(
    "int64[]",
    list_of(lambda given: given is None or POSITIVE.holds(given)),
    "a list of ranks from 1, or null",
    tuple,
)

LM_EVAL = LmEval(
    tasks=(
        LmEvalTask(
            name="haystackcraft",
            alias="HaystackCraft",
            task="haystackcraft",
            # There, how a model decodes is said with --gen_kwargs.
            fixed={"decoding": "own"},
            tags=("longcxt",),
        ),
    ),
    metrics=(
        Metric(name="f1"),
        *(Metric(name=name, figure=name, always=True) for name in FIGURES),
    ),
    aggregated=("f1", "exact"),
    run_facts=("benchmark", "version", "edition", "tokenizer", "corpus", "setup"),
    fields={
        "asked": FILLED_NAME,
        "aliases": TEXTS,
        "hops": POSITIVE,
        **{name: COLUMNS.traits[name] for name in ("strategy", "order")},
        "profile": choice("strict", "official"),
        "permutation": Kind("int64", lambda given: type(given) is int, "a whole number"),
        "gold_titles": TEXTS,
        "gold_ranks": _RANKS,
        "bridges": TEXTS,
        "overfull": FLAG,
    },
)
