"""The paper's tables as data, held against their text read once more and against themselves."""

from __future__ import annotations

import re

import pytest

from seqniah_datasets.schema import NoiseType
from seqniah_tasks.benchmarks.sequential_niah.report.published import (
    ACCURACIES,
    NOISE_BASES,
    SAMPLES,
    TABLE_5,
    TABLE_5_V1,
    TABLE_8,
    Disturbed,
)

# Lines of the paper's own text, version 2, Table 8.
TEXT_8 = """\
Claude-3.5	851 (77.58%)	177 (16.13%)	222 (20.24%)	276 (25.16%)	149 (13.58%)	1097
GPT-4o	956 (66.71%)	338 (23.59%)	249 (17.38%)	189 (13.19%)	936 (65.32%)	1433
GPT-4o-mini	1111 (79.70%)	166 (11.91%)	269 (19.30%)	318 (22.81%)	135 (9.68%)	1394
Gemini-1.5	471 (64.52%)	99 (13.56%)	112 (15.34%)	171 (23.42%)	118 (16.16%)	730
LLaMA-3.3	880 (73.03%)	112 (9.29%)	262 (21.74%)	371 (30.79%)	29 (2.41%)	1205
Qwen-2.5-72B	724 (72.47%)	128 (12.81%)	253 (25.33%)	283 (28.33%)	10 (1.00%)	999
Qwen-2.5-32B	919 (75.89%)	136 (11.23%)	303 (25.02%)	391 (32.29%)	35 (2.89%)	1211
Qwen-2.5-7B	994 (76.23%)	192 (14.72%)	331 (25.38%)	395 (30.29%)	28 (2.15%)	1304
Qwen-3-32B	814 (73.60%)	193 (17.45%)	289 (26.13%)	322 (29.11%)	28 (2.53%)	1106
Qwen-3-14B	912 (73.14%)	253 (20.29%)	306 (24.54%)	402 (32.24%)	35 (2.81%)	1247
Qwen-3-8B	883 (63.85%)	401 (28.99%)	536 (38.76%)	433 (31.31%)	60 (4.34%)	1383
"""

# The same of Table 5: Ref., TM, SM, RO, SN, All.
TEXT_5 = """\
Gemini-1.5	Acc.	62.50	65.00	63.12	64.12	53.88	61.31
	Cons.	-	± 2.55	± 1.89	± 1.80	± 7.36	± 6.58
Qwen-2.5	Acc.	51.50	48.50	48.25	48.00	43.00	45.88
	Cons.	-	± 2.00	± 2.25	± 2.68	± 6.10	± 3.73
LLaMA-3.3	Acc.	38.00	38.00	36.50	42.00	29.88	36.27
	Cons.	-	± 0.71	± 2.38	± 2.92	± 5.78	± 6.07
"""

# And of version 1: Ref., TM, SM, RO, All. The text has a model's name in two lines.
TEXT_5_V1 = """\
Gemini-1.5	Acc. (%)	62.50	65.00	63.13	64.12	64.40
	Cons. (%)	-	56.50	52.00	47.50	30.50
Qwen-2.5	Acc. (%)	51.50	48.50	48.25	48.00	47.60
	Cons. (%)	-	67.50	65.50	64.50	46.50
LLaMA-3.3	Acc. (%)	38.00	38.00	36.50	42.00	39.00
	Cons. (%)	-	63.50	55.50	55.50	35.50
"""


def numbers(line: str) -> list[str]:
    return re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?=\s|$)", line.partition("\t")[2])


def printed(*shares: float | None) -> list[str]:
    return [f"{100 * one:.2f}" for one in shares if one is not None]


def test_table_8_reads_as_the_paper_prints_it() -> None:
    """Names, counts, and the percentages, which follow from the counts."""
    lines = []
    for one in TABLE_8:
        counts = *one.modes.values(), one.others
        cells = [f"{count} ({100 * count / one.wrong:.2f}%)" for count in counts]
        lines.append("\t".join([one.model, *cells, str(one.wrong)]))
    assert "\n".join(lines) + "\n" == TEXT_8


def test_table_8_has_its_columns_under_our_names() -> None:
    for one in TABLE_8:
        assert [str(mode) for mode in one.modes] == [
            "missing_items",
            "redundant_items",
            "incorrect_items",
            "wrong_order",
        ]
        # Every wrong answer has a mode, and no mode is on more of them than there are.
        assert max(*one.modes.values(), one.others) <= one.wrong
        assert one.wrong <= sum(one.modes.values()) + one.others
        assert one.source == "arXiv 2504.04713v2, Table 8"


def test_the_text_tells_the_accuracies_of_table_8() -> None:
    follow = {one.model.removesuffix("-72B"): one.accuracy for one in TABLE_8}
    second = [one for one in ACCURACIES if "v2" in one.source]
    assert [f"{100 * one.accuracy:.2f}" for one in second] == ["63.50", "50.05"]
    for one in second:
        assert one.accuracy == pytest.approx(follow[one.model], abs=1e-12)
    first = [one for one in ACCURACIES if "v1" in one.source]
    assert [(one.model, f"{100 * one.accuracy:.2f}") for one in first] == [
        ("Gemini-1.5", "63.15"),
        ("Qwen-2.5", "51.10"),
    ]


def test_no_accuracy_of_the_text_is_of_a_part_of_an_answer() -> None:
    for one in ACCURACIES:
        assert one.accuracy * SAMPLES == pytest.approx(round(one.accuracy * SAMPLES))


def test_table_5_reads_as_the_paper_prints_it() -> None:
    lines = TEXT_5.splitlines()
    assert [one.model for one in TABLE_5] == [line.partition("\t")[0] for line in lines[::2]]
    for one, accuracies, spreads in zip(TABLE_5, lines[::2], lines[1::2], strict=True):
        assert printed(one.reference, *one.accuracy.values(), one.accuracy_all) == numbers(
            accuracies
        )
        assert printed(*one.spread.values(), one.spread_all) == numbers(spreads)
        assert list(one.accuracy) == list(one.spread) == ["tm", "sm", "ro", "sn"]
        assert (one.agreement, one.agreement_all) == ({}, None)
        assert one.source == "arXiv 2504.04713v2, Table 5"


def test_table_5_of_version_1_reads_as_the_paper_prints_it() -> None:
    lines = TEXT_5_V1.splitlines()
    assert [one.model for one in TABLE_5_V1] == [line.partition("\t")[0] for line in lines[::2]]
    for one, accuracies, agreements in zip(TABLE_5_V1, lines[::2], lines[1::2], strict=True):
        assert printed(one.reference, *one.accuracy.values(), one.accuracy_all) == numbers(
            accuracies
        )
        assert printed(*one.agreement.values(), one.agreement_all) == numbers(agreements)
        assert list(one.accuracy) == list(one.agreement) == ["tm", "sm", "ro"]
        assert (one.spread, one.spread_all) == ({}, None)
        assert one.source == "arXiv 2504.04713v1, Table 5"


@pytest.mark.parametrize("one", [*TABLE_5, *TABLE_5_V1], ids=lambda one: one.source + one.model)
def test_all_of_table_5_is_the_mean_of_its_sets(one: Disturbed) -> None:
    """A type's figure is of the originals and three variants: "All" counts the originals once."""
    variants = sum(4 * value - one.reference for value in one.accuracy.values())
    sets = 1 + 3 * len(one.accuracy)
    # A type's figure is rounded by up to 0.00005, which counts four times in the sum.
    slack = 0.00005 * (1 + 4 * len(one.accuracy) / sets) + 1e-9
    assert one.accuracy_all == pytest.approx((one.reference + variants) / sets, abs=slack)


def test_shares_of_table_5_are_of_200_samples() -> None:
    for one in (*TABLE_5, *TABLE_5_V1):
        whole = [one.reference, *one.agreement.values(), one.agreement_all or 0.0]
        assert [round(share * NOISE_BASES, 9) % 1 for share in whole] == [0.0] * len(whole)


def test_the_versions_tell_of_the_same_runs() -> None:
    """Version 2 adds SN; the other accuracies differ by no more than the way halves are rounded."""
    for old, new in zip(TABLE_5_V1, TABLE_5, strict=True):
        assert (old.model, old.reference) == (new.model, new.reference)
        for noise in (NoiseType.TM, NoiseType.SM, NoiseType.RO):
            assert old.accuracy[noise] == pytest.approx(new.accuracy[noise], abs=0.00011)
