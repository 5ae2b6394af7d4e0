"""What records keep of answers to LOFT's queries."""

from __future__ import annotations

from seqniah_tasks.benchmarks.protocol import Columns
from seqniah_tasks.kinds import COUNT, NAME, SHARE, one_of

COLUMNS = Columns(
    traits={
        "dataset": NAME,
        "kind": one_of("retrieval", "rag", "multi_value_rag", "sql", "icl"),
        "metric": NAME,
        "via": one_of("context", "closed", "bm25"),
        "turns": COUNT,
    },
    figures={"strict": SHARE, "official": SHARE},
)
