"""What is printed of the noise suite, and its JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence

import pytest
from rich.console import Console

from seqniah_datasets.schema import NoiseType
from seqniah_scorers.noise import VARIANTS, Outcome, by_group, figures
from seqniah_tasks.benchmarks.sequential_niah.noise_view import (
    left_out_lines,
    noise_as_json,
    print_noise,
    print_noise_groups,
)

SETS = [(None, 0), *((noise, n) for noise in NoiseType for n in range(1, VARIANTS + 1))]


def suite(rows: dict[str, Sequence[bool | None]]) -> list[Outcome]:
    """Outcomes of base samples, each given by its sets: original, tm 1, tm 2, tm 3, sm 1 ..."""
    return [
        Outcome(base, noise, n, correct)
        for base, row in rows.items()
        for (noise, n), correct in zip(SETS, row, strict=False)
    ]


def a_run() -> list[Outcome]:
    """200 base samples, of which the first so many are right in each set."""
    counts = [125, 131, 129, 135, *[125] * 6, 100, 101, 105]
    return suite({f"{n:03}": [n < right for right in counts] for n in range(200)})


def printed(show: Callable[[Console], None]) -> list[str]:
    stream = io.StringIO()
    show(Console(file=stream, width=100, highlight=False))
    return [line.rstrip() for line in stream.getvalue().split("\n")]


def row(lines: Sequence[str], name: str) -> list[str]:
    return next(line for line in lines if line.split()[:1] == [name]).split()


def test_the_table_has_a_row_for_each_type_in_the_papers_order() -> None:
    lines = printed(lambda console: print_noise(console, figures(a_run())))
    names = ["Ref", "TM", "SM", "RO", "SN", "All"]
    assert [line.split()[0] for line in lines[1:7]] == names
    assert row(lines, "Ref")[1] == "62.50%"
    assert row(lines, "Ref")[-1] == "200"
    # (125 + 131 + 129 + 135) / 800; deviations of -5, 1, -1, 5 answers, of which one is half a
    # point: the square root of 52 / 3, halved. 125 are right in all, 65 wrong.
    assert row(lines, "TM")[1] == "65.00%"
    assert row(lines, "TM")[5] == "±2.08"
    assert row(lines, "TM")[9] == "95.0%"
    assert row(lines, "SM")[5:10] == ["±0.00", "0.0", "to", "0.0", "100.0%"]


def test_what_is_printed_fits_a_hundred_columns() -> None:
    # All right or all wrong, half of them: three digits before the point, and wide intervals.
    outcomes = suite({"a": [True] * 13, "b": [False] * 13, "c": [True] + [False] * 12})
    cut_short = [*outcomes, *suite({f"d{n:05}": [None, True] for n in range(2_000)})]
    groups = by_group(outcomes, lambda base: "128k-256k")
    texts = [
        printed(lambda console: print_noise(console, figures(outcomes))),
        printed(lambda console: print_noise(console, figures(cut_short[:-1]))),
        printed(lambda console: print_noise_groups(console, "length", groups)),
    ]
    for lines in texts:
        assert max(map(len, lines)) <= 100
        assert not any("…" in line for line in lines)
    # No row of a table was folded into two.
    assert len(texts[0]) == len(printed(lambda console: print_noise(console, figures(a_run()))))
    assert len(texts[2]) == 3


def test_what_is_left_out_is_said() -> None:
    assert left_out_lines(figures(a_run())) == []
    found = figures(suite({"a": [True] * 13, "b": [True, None, True], "c": [True, False]}))
    assert left_out_lines(found) == [
        "TM   1 unscored; 3 not run; agreement over 1 of 3",
        "SM   6 not run; agreement over 1 of 3",
        "RO   6 not run; agreement over 1 of 3",
        "SN   6 not run; agreement over 1 of 3",
        "All  1 unscored; 21 not run; agreement over 1 of 3",
    ]
    partly = figures(suite({"a": [True] * 4, "b": [False] * 4}))
    assert left_out_lines(partly)[0].startswith("SM   accuracy and spread over 1 of 4 sets; ")
    assert left_out_lines(partly)[-1] == (
        "All  accuracy and spread over 4 of 13 sets; 18 not run; agreement over 0 of 2"
    )


def test_nothing_is_printed_as_nothing() -> None:
    found = figures([])
    lines = printed(lambda console: print_noise(console, found))
    assert row(lines, "Ref") == ["Ref", "-", "-", "0"]
    assert row(lines, "All") == ["All", *["-"] * 6, "0"]
    assert left_out_lines(found) == []
    assert not any("nan" in line or "0.00" in line for line in lines)


def test_groups_stand_in_the_order_of_their_lengths() -> None:
    lengths = ("8k-16k", "16k-32k", "64k-128k")
    groups = by_group(a_run(), lambda base: lengths[int(base) % 3])
    lines = printed(lambda console: print_noise_groups(console, "length", groups))
    assert [line.split()[0] for line in lines if line] == ["length", *lengths]
    # Of 000, 003 ... 198 the first 34 are below 100 and so right in every set, and those from
    # 135 on, 22, are wrong in every set.
    first = row(lines, "8k-16k")
    assert first[1] == "67"
    assert first[2] == f"{34 / 67:.1%}"
    assert first[6] == f"{22 / 67:.1%}"
    assert first[10] == f"{56 / 67:.1%}"


def test_json_has_the_figures_and_null_for_none() -> None:
    found = figures(a_run())
    fields = json.loads(json.dumps(noise_as_json(found), allow_nan=False))
    assert fields["base_samples"] == 200
    assert fields["reference"] == [0.625, found.reference.low, found.reference.high, 200]
    assert list(fields["noise"]) == ["tm", "sm", "ro", "sn", "all"]
    tm = fields["noise"]["tm"]
    assert tm["accuracy"][0] == pytest.approx(0.65)
    assert tm["agreement"][0] == pytest.approx(0.95)
    assert tm["consistently_right"][0] + tm["consistently_wrong"][0] == pytest.approx(0.95)
    assert (tm["sets"], tm["sets_wanted"], tm["unscored"], tm["missing"]) == (4, 4, 0, 0)
    nothing = json.loads(json.dumps(noise_as_json(figures([])), allow_nan=False))
    assert nothing["reference"] == nothing["noise"]["all"]["spread"] == [None, None, None, 0]
