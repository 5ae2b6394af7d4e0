"""Where the rule judge errs, by its doubts: `python benchmarks/judge_calibration.py [FILE ...]`.

Judges the bench's training part (both sets), and files of labelled answers, and prints for every
doubt and verdict how many were wrong. `cascade.ASKED` is what this table says: a doubt is asked
about where it goes with more errors than answers without any doubt have. The test part is left
alone, so that what the cascade gains there is no result of its own calibration.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from seqniah_scorers import rules
from seqniah_scorers.cascade import ASKED, certain
from seqniah_scorers.verdict import Case, Doubt
from seqniah_tasks.benchmarks.sequential_niah.judging import bench as judge_bench

Known = tuple[str, Case, bool]
"""Where a case is from, the case, and its right verdict."""


def known(files: list[Path]) -> Iterator[Known]:
    """The cases of the bench's training part, then those of the files."""
    for kind in ("paper", "harder"):
        for one in judge_bench.made("train", judge_bench.check_kind(kind)):
            yield kind, one.case, one.correct
    for path in files:
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            case = Case(
                *(row[name] for name in ("lang", "needle_type", "question")),
                reference=row["reference"],
                response=row["response"],
            )
            yield path.stem, case, row["label"] == "correct"


def main() -> None:
    """Print errors and answers by doubt, then what a cascade with a perfect model would reach."""
    table: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
    sets: dict[str, Counter[str]] = defaultdict(Counter)
    for origin, case, correct in known([Path(name) for name in sys.argv[1:]]):
        verdict = rules.judge(case)
        wrong = verdict.correct is not correct
        for doubt in verdict.doubts or ("none",):
            table[str(doubt), bool(verdict.correct)].update(cases=1, wrong=wrong)
        alone = str(verdict.doubts[0]) if len(verdict.doubts) == 1 else ""
        if alone:
            table[alone, bool(verdict.correct)].update(alone=1, alone_wrong=wrong)
        sure = certain(verdict)
        sets[origin].update(cases=1, wrong=wrong, asked=not sure, kept_wrong=sure and wrong)
    print(
        f"{'doubt':<16}{'verdict':<11}{'cases':>7}{'wrong':>7}{'share':>8}{'alone':>8}{'wrong':>7}"
    )
    for name in ("none", *map(str, Doubt)):
        for says in (True, False):
            row = table[name, says]
            share = f"{row['wrong'] / row['cases']:.2%}" if row["cases"] else "-"
            asked = " asked" if (name, says) in ASKED else ""
            print(
                f"{name:<16}{'correct' if says else 'incorrect':<11}{row['cases']:>7}"
                f"{row['wrong']:>7}{share:>8}{row['alone']:>8}{row['alone_wrong']:>7}{asked}"
            )
    print(f"\n{'set':<16}{'cases':>7}{'rules':>9}{'asked':>9}{'perfect model':>15}")
    for origin, row in sets.items():
        rest = 1 - row["kept_wrong"] / row["cases"]
        print(
            f"{origin:<16}{row['cases']:>7}{1 - row['wrong'] / row['cases']:>9.2%}"
            f"{row['asked'] / row['cases']:>9.1%}{rest:>15.2%}"
        )


if __name__ == "__main__":
    main()
