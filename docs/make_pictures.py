"""Draw the README's picture from a real sample: `python docs/make_pictures.py`."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from seqniah_tasks import views
from seqniah_tasks.benchmarks.options import read_options
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah

HERE = Path(__file__).parent


def main() -> None:
    bench = SequentialNiah(read_options(lang="en", length="8k-16k", needles="5"))
    planned = next(planned for planned in bench.plan if bench.qa(planned).order_required)
    sample = bench.sample(planned)
    console = Console(record=True, width=104, file=io.StringIO(), highlight=False)
    views.print_sample(console, sample, full=False)
    console.save_svg(str(HERE / "sample.svg"), title=f"seqniah show {sample.id}")


if __name__ == "__main__":
    main()
