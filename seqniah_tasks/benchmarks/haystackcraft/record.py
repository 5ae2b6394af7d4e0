"""What records keep of answers to HaystackCraft's questions."""

from __future__ import annotations

from seqniah_datasets.search.strategies import STRATEGIES
from seqniah_tasks.benchmarks.haystackcraft import rounds
from seqniah_tasks.benchmarks.haystackcraft.options import OWN, RUN
from seqniah_tasks.benchmarks.haystackcraft.score import FAILURE_MODES, FIGURES
from seqniah_tasks.benchmarks.protocol import Columns
from seqniah_tasks.kinds import AMOUNT, NAME, POSITIVE, SHARE, one_of

COLUMNS = Columns(
    read=lambda where, facts, told: {"hops": facts.get("hops")},
    traits={
        "asked": NAME,
        "strategy": one_of(*STRATEGIES, RUN, OWN),
        "order": one_of("ranked", "permuted"),
        "profile": one_of("strict", "official"),
        "rounds": one_of(*rounds.OPTIONS),
    },
    failure_modes=tuple(map(str, FAILURE_MODES)),
    figures={
        **dict.fromkeys(FIGURES, SHARE),
        "hops": POSITIVE,
        **dict.fromkeys(rounds.FIGURES, AMOUNT),
    },
)
