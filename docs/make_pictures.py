"""Draw the README's pictures: `python docs/make_pictures.py [LOG...]`.

One is of a real sample. The others are figures of a report on the logs given, which are those of
`seqniah/lexical` and `seqniah/skimming` on the test split, or of `seqniah/skimming -M top_k=64` on
`seqniah/counting_stars`.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from rich.console import Console

from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.commands.logs import read
from seqniah_tasks.report.building import build
from seqniah_tasks.views.sample import print_sample

HERE = Path(__file__).parent
FIGURES = {
    "accuracy-by-length": "accuracy-by-length",
    "recall-by-depth-and-length-of-seqniah-skimming": "recall-by-depth-and-length",
    "stars-found-of-seqniah-skimming-english": "stars-found",
}
"""Figures of the report, by the names of their files there, and what they are called here."""


def draw_sample() -> None:
    bench = SequentialNiah(read_options(lang="en", length="8k-16k", needles="5"))
    planned = next(planned for planned in bench.plan if bench.qa(planned).order_required)
    console = Console(record=True, width=104, file=io.StringIO(), highlight=False)
    print_sample(console, bench, planned, full=False)
    console.save_svg(str(HERE / "sample.svg"), title=f"seqniah show {planned.id}")


def draw_figures(logs: list[Path]) -> None:
    made = build(read(logs), "Pictures")
    for name, here in FIGURES.items():
        if name in made.figures:
            (HERE / f"report-{here}.svg").write_bytes(made.figures[name].svg)


if __name__ == "__main__":
    draw_sample()
    if len(sys.argv) > 1:
        draw_figures([Path(name) for name in sys.argv[1:]])
